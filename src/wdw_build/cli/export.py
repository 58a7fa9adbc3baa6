"""``export`` and ``rebuild``: the dataset of a run in one format, and from keys again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.cli import render
from wdw_build.core.config.loading import load_config
from wdw_build.core.run.progress import Progress, choose_mode
from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.errors import CorpusError
from wdw_build.pipeline import Pipeline
from wdw_build.ports import READER
from wdw_build.registry import Backends


def _print(options: argparse.Namespace, value: dict[str, Any], text: str) -> None:
    if options.json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
    else:
        print(text)


def export(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """``export``: by default into the run's folder, where an earlier export is replaced."""
    folder = options.out or pipeline.run_folder / "exports"
    replace = options.force or options.out is None
    refuse_existing(folder / options.format, replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        problems = pipeline.export(options.format, staging)
        files = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
    written = {"format": options.format, "folder": str(folder), "problems": problems, "files": files}
    _print(options, written, f"{options.format}: {problems} problems in {len(files)} files under {folder}")
    return 0


def rebuild(options: argparse.Namespace) -> int:
    """``rebuild``: by default into ``output_dir``, where an earlier one is replaced.

    Raises ``CorpusError`` if the corpus lacks an article, ``CheckError`` if the dataset is not the published one.
    """
    from wdw_build import rebuild as again

    keys = again.Keys(options.keys)
    config = load_config(options.corpus, options.overrides).config
    folder = options.out or Path(config.output_dir) / "rebuilt"
    replace = options.force or options.out is None
    refuse_existing(folder / "jsonl", replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        reader = Backends(config).get(READER)
        lacking = again.rebuild(keys, reader, staging, Progress(choose_mode(options.quiet)))
        if options.verify and not lacking:
            again.compare(keys, staging)
    if lacking:
        _print(options, {"missing": lacking.missing, "differs": lacking.differs}, render.lacking(lacking))
        raise CorpusError(
            f"of {keys.header.articles} articles {len(lacking.missing)} are missing and {len(lacking.differs)} differ; "
            "nothing is written",
            hint="take the same edition of the corpus, and the same reader and options as the keys",
        )
    said = {"folder": str(folder), "problems": keys.header.problems, "verified": options.verify}
    _print(
        options, said, f"{keys.header.problems} problems under {folder}" + (", as published" if options.verify else "")
    )
    return 0
