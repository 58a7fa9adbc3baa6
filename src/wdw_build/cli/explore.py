"""``explore``: writes a run as one SQLite file, and serves it with datasette."""

from __future__ import annotations

import importlib.util
import json
import tempfile
from pathlib import Path
from typing import Annotated

from typer import Option

from wdw_build.cli.base import print_result, progress_of
from wdw_build.cli.options import ConfigFile, Host, Json, Overrides, Quiet
from wdw_build.dataset import open_run
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.stage_order import STAGES
from wdw_build.views.explore_file import metadata, write_file


def explore(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    sqlite: Annotated[
        Path | None,
        Option("--sqlite", metavar="FILE", help="file to write (default: explore.sqlite in the run's folder)"),
    ] = None,
    no_serve: Annotated[bool, Option("--no-serve", help="only write the file")] = False,
    host: Host = "127.0.0.1",
    port: Annotated[int, Option("--port", min=1, metavar="N", help="port to listen on")] = 8001,
) -> None:
    """``explore``."""
    if not no_serve and importlib.util.find_spec("datasette") is None:
        raise MissingResourceError(
            "explore serves a run with datasette, which is not installed",
            hint="pip install 'wdw-build[explore]'; --no-serve only writes the SQLite file",
        )
    run = open_run(config, STAGES, overrides)
    path = sqlite or run.folder / "explore.sqlite"
    try:
        write_file(run, path, progress_of(quiet=quiet))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="--sqlite FILE names another place") from error
    print_result({"sqlite": str(path)}, f"sqlite: {path}", as_json=as_json)
    if not no_serve:
        _serve(path, run.name, host, port)


def _serve(path: Path, run: str, host: str, port: int) -> None:
    """Serve until Ctrl-C. datasette prints an address with a token, which opens the pages in one browser."""
    from datasette.cli import cli

    print("The address opens the whole corpus: keep it secret. Ctrl-C stops the server.", flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as described:
        json.dump(metadata(run, path.stem), described)
        described.flush()
        arguments = ["--immutable", str(path), "--metadata", described.name, "--root"]
        arguments += ["--setting", "truncate_cells_html", "300", "--host", host, "--port", str(port)]
        cli.main(["serve", *arguments], standalone_mode=False)
