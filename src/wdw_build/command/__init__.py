"""What the commands of this package and of others share: their declaration, and the options that several have.

A command takes the options as parameters with these types. ``opened`` opens the run that they name.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple

from typer import Option


class Entry(NamedTuple):
    """A command: ``module:function``, its help, the arguments of an example, and the extra with the libraries that it needs.

    A module that begins with a dot is one of ``wdw_build.cli``.
    """

    target: str
    help: str
    example: str = ""
    extra: str = ""


class Actions(NamedTuple):
    """A command with actions. ``default`` is the action of a command line that names none."""

    help: str
    entries: Mapping[str, Entry]
    default: str = ""


def stage_names() -> list[str]:
    """The names of the stages, which a shell completes."""
    from wdw_build.pipeline.stage_order import BY_NAME

    return list(BY_NAME)


CONFIG_FILE = "configuration file (YAML), or the folder of a run"
ConfigFile = Annotated[Path, Option("-c", "--config", metavar="FILE", help=CONFIG_FILE)]
Overrides = Annotated[
    list[str],
    Option(
        "--set",
        metavar="KEY=VALUE",
        default_factory=list,
        show_default=False,
        help="set a configuration key, such as questions.min_tokens=8 (may be repeated)",
    ),
]
Quiet = Annotated[bool, Option("-q", "--quiet", help="do not print the log or progress bars")]
Workers = Annotated[
    int | None,
    Option(
        "-j",
        "--workers",
        min=1,
        metavar="N",
        show_default=False,
        help="number of worker processes (default: execution.workers, which is auto unless it is set)",
    ),
]
Json = Annotated[bool, Option("--json", help="print JSON")]
Seed = Annotated[int, Option("--seed", min=0, metavar="N", help="seed of the random sample")]
Force = Annotated[bool, Option("--force", help="replace earlier output")]
Host = Annotated[
    str,
    Option("--host", metavar="HOST", help="address to listen on (127.0.0.1: this machine only; 0.0.0.0: all networks)"),
]
Port = Annotated[int, Option("--port", min=0, metavar="N", help="port to listen on (0: a free port)")]
