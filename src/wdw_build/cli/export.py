"""``export``: writes the dataset of a run in one format. ``rebuild``: writes the dataset from its keys and a copy of the corpus."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wdw_build.cli import render
from wdw_build.cli.base import open_pipeline, print_json
from wdw_build.core.config.loading import load_config
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output, refuse_existing
from wdw_build.errors import CorpusError
from wdw_build.ports import READER
from wdw_build.registry import Backends


def _print(options: argparse.Namespace, value: dict[str, Any], text: str) -> None:
    if options.json:
        print_json(value)
    else:
        print(text)


def export(options: argparse.Namespace) -> int:
    """``export``: writes into the run's folder by default, and replaces an earlier export with the same names there."""
    pipeline = open_pipeline(options)
    names = options.names or pipeline.config.export.names
    folder = options.out or pipeline.run_folder / ("exports" if names == "original" else f"exports-{names}")
    replace = options.force or options.out is None
    refuse_existing(folder / options.format, replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        problems, made_from = pipeline.export(options.format, names, staging)
        files = sorted(path.relative_to(staging).as_posix() for path in staging.rglob("*") if path.is_file())
        if options.out is None:
            # Not part of the dataset: ``verify`` finds out from it whether the export is of this run.
            (staging / f"{options.format}.made-from.json").write_bytes(jsonl.document(made_from))
    written = {
        "format": options.format,
        "names": names,
        "folder": str(folder),
        "problems": problems,
        "files": files,
    }
    _print(options, written, f"{options.format}: {problems} problems in {len(files)} files under {folder}")
    return 0


def rebuild(options: argparse.Namespace) -> int:
    """``rebuild``: writes into ``output_dir`` by default, and replaces an earlier rebuilt dataset there.

    Raises ``CorpusError`` if the corpus lacks an article, ``CheckError`` if the dataset differs from the published dataset.
    """
    from wdw_build import rebuild as rebuilding

    keys = rebuilding.Keys(options.keys)
    config = load_config(options.corpus, options.overrides).config
    folder = options.out or Path(config.output_dir) / "rebuilt"
    replace = options.force or options.out is None
    refuse_existing(folder / "jsonl", replace=replace)
    with atomic_output(folder, replace=replace) as staging:
        reader = Backends(config).get(READER)
        original = options.names == "original"
        lacking = rebuilding.rebuild(keys, reader, staging, Progress(choose_mode(options.quiet)), original=original)
        if options.verify and not lacking:
            rebuilding.compare(keys, staging, original=original)
    if lacking:
        _print(options, {"missing": lacking.missing, "differs": lacking.differs}, render.lacking(lacking))
        raise CorpusError(
            f"of {keys.header.articles} articles {len(lacking.missing)} are missing and {len(lacking.differs)} differ; "
            "nothing is written",
            hint="use the edition of the corpus, the reader and the options that the keys were made with",
        )
    written = {"folder": str(folder), "problems": keys.header.problems, "verified": options.verify}
    verdict = ", as published" if options.verify else ""
    _print(options, written, f"{keys.header.problems} problems under {folder}{verdict}")
    return 0
