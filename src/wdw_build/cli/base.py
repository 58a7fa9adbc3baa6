"""What commands share: open the configured pipeline or its run, print results, and serve pages until Ctrl-C."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import plain_settings
from wdw_build.dataset import Run, open_run
from wdw_build.dataset.run import CONFIG, stored_config
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES, Pipeline

if TYPE_CHECKING:
    from wdw_build.web.base import Access, Application, Listener


def open_pipeline(options: argparse.Namespace) -> Pipeline:
    """The pipeline of ``-c`` and ``--set``. ``-c`` is a configuration file, the folder of a run, or its ``output_dir``."""
    config = load_config(stored_config(options.config), options.overrides)
    return Pipeline(config, Progress(choose_mode(options.quiet)))


def complete_run(pipeline: Pipeline) -> Run:
    """The run of the pipeline. Raises ``UsageError`` unless all outputs are up to date and the run links to them."""
    return Run(pipeline.run_folder, STAGES, pipeline.ready())


def run_with_config(options: argparse.Namespace) -> tuple[Run, Config, Progress]:
    """The complete run of ``-c``, a configuration file or the folder of a run, and the configuration that it was built with.

    A run's folder is enough: its corpus and its models may be on another machine. Raises ``UsageError`` if the run is
    incomplete, or if its outputs were not made with the configuration.
    """
    if not options.config.is_dir():
        pipeline = open_pipeline(options)
        return complete_run(pipeline), pipeline.config, pipeline.progress
    run = open_run(options.config, STAGES, options.overrides).require_complete()
    config = load_config(run.folder / CONFIG)
    for table in (table for table in run.tables.values() if table.exists):
        made, given = table.manifest.ingredients.config, plain_settings(config.section(table.name))
        different = sorted(key for key in made.keys() & given.keys() if made[key] != given[key])
        if different:
            raise UsageError(
                f"{run.folder / CONFIG} has another {table.name}.{different[0]} than the run's output of {table.name}",
                hint="wdw-build all with the options of the run regenerates both",
            )
    return run, config, Progress(choose_mode(options.quiet))


def json_of(value: Any) -> bytes:
    """A value as indented JSON, with a newline at its end."""
    return jsonl.document(value)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    sys.stdout.buffer.write(json_of(value))


def print_result(options: argparse.Namespace, value: Any, text: str) -> None:
    """Print a value as JSON with ``--json``, and as text without."""
    if options.json:
        print_json(value)
    else:
        print(text)


# ---- pages ------------------------------------------------------------------------------------------------------------


def serve_to_people(
    options: argparse.Namespace,
    listener: Listener,
    app_of: Callable[[Access, Listener], Application],
    progress: Progress,
    *,
    secrets: Path,
    facts: dict[str, str],
    title: str,
    people: str,
    shown: str,
) -> None:
    """Serve pages that people and their owner open by different addresses, until Ctrl-C.

    ``secrets`` keeps the tokens of the addresses. ``--json`` prints ``facts`` with the addresses, else ``title`` precedes
    them; ``people`` are those who get the first address, and ``shown`` is what only the owner may see. With ``--invite``,
    each named person gets an address instead of the common one.
    """
    from wdw_build.annotation.people import checked_name

    access, names = _kept_access(secrets, options.token_file), [*map(checked_name, options.invite)]
    invited = {name: listener.address(access.personal(name)) for name in names}
    owner = listener.address(access.owner)

    def ready() -> None:
        if options.json:
            readers = {"invited": invited} if invited else {people: listener.address(access.reader)}
            print_json({**facts, **readers, "owner": owner})
            return
        rows = [*(invited or {people: listener.address(access.reader)}).items(), ("owner", owner)]
        width = max(len(name) for name, _ in rows) + 1
        whose = "each person the address beside the name" if invited else f"the first address to the {people}"
        print("\n".join([title, *(f"{name + ':':<{width}} {address}" for name, address in rows)]))
        print(f"Give {whose}. Keep the {'last' if invited else 'second'}: it shows {shown}. Ctrl-C stops the server.")

    serve_until_stopped(options.command, app_of(access, listener), listener, progress, ready)


def _kept_access(secrets: Path, token_file: Path | None) -> Access:
    """The tokens kept in ``secrets``; with a file, its content is the readers' token. Raises ``UsageError`` for a bad one."""
    from wdw_build.web.base import Access

    access = Access.kept(secrets)
    if token_file is None:
        return access
    try:
        return access.with_reader(token_file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{token_file}: {error}", hint="give a text file that contains only the token") from error


def serve_until_stopped(
    name: str, app: Application, listener: Listener, progress: Progress, ready: Callable[[], None]
) -> None:
    """Serve until Ctrl-C. ``ready`` prints the addresses; a warning precedes it if other machines can reach the page."""
    from wdw_build.web.base import serve

    def announce() -> None:
        if listener.warning:
            print(f"warning: {listener.warning}", file=sys.stderr)
        ready()
        sys.stdout.flush()

    serve(app, listener, announce)
    progress.say(f"{name}: stopped")
