"""``explore``: writes a run as one SQLite file, and serves it with datasette."""

from __future__ import annotations

import argparse
import importlib.util
import json
import tempfile
from pathlib import Path

from wdw_build.cli.base import print_result
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.dataset import open_run
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline import STAGES
from wdw_build.views.explore_file import metadata, write_file


def explore(options: argparse.Namespace) -> int:
    """``explore``."""
    if not options.no_serve and importlib.util.find_spec("datasette") is None:
        raise MissingResourceError(
            "explore serves a run with datasette, which is not installed",
            hint="pip install 'wdw-build[explore]'; --no-serve only writes the SQLite file",
        )
    run = open_run(options.config, STAGES, options.overrides)
    path = options.sqlite or run.folder / "explore.sqlite"
    try:
        write_file(run, path, Progress(choose_mode(options.quiet)))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="--sqlite FILE names another place") from error
    print_result(options, {"sqlite": str(path)}, f"sqlite: {path}")
    if not options.no_serve:
        _serve(path, run.name, options.host, options.port)
    return 0


def _serve(path: Path, run: str, host: str, port: int) -> None:
    """Serve until Ctrl-C. datasette prints an address with a token, which opens the pages in one browser."""
    from datasette.cli import cli

    print("The address opens the whole corpus: keep it secret. Ctrl-C stops the server.", flush=True)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as described:
        json.dump(metadata(run, path.stem), described)
        described.flush()
        arguments = [
            "--immutable",
            str(path),
            "--metadata",
            described.name,
            "--root",
            "--setting",
            "truncate_cells_html",
            "300",
        ]
        cli.main(["serve", *arguments, "--host", host, "--port", str(port)], standalone_mode=False)
