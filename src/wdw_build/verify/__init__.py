"""Checks every promise of the dataset on the files of a run, with rules implemented independently of the pipeline.

This package imports only the declarations of records and configuration from the pipeline: no tokenisation, no rules about
names or sentences, no store code. Ambiguous cases pass, so every failure is real.
Not checked: results that only a model can compute (mentions, trees, n-gram scores, BM25, event scores), and whether
suppression keeps as many problems as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wdw_build.core.config.settings import Config
from wdw_build.verify.checks import (
    accounting,
    adversaries,
    articles,
    caps,
    duplicates,
    exports,
    names,
    ranking,
    splits,
    suppression,
    written_exports,
)
from wdw_build.verify.files import RunFiles
from wdw_build.verify.promises import PROMISES
from wdw_build.verify.report import Check, Recorders, Report

__all__ = ["PROMISES", "Check", "Report", "verify"]


def _silent(message: str) -> None:
    return


def verify(run_folder: Path, config: Config, on_progress: Callable[[str], None] = _silent) -> Report:
    """Check every promise on the outputs of a run.

    Raises ``UsageError`` if an output is missing, and ``CheckError`` if a file cannot be decoded.
    """
    files, recorders = RunFiles(run_folder, config.__struct_fields__), Recorders()
    on_progress("files and accounting")
    accounting.check(files, config, recorders)
    accounting.check_carried(files, recorders)
    on_progress("candidates")
    ranking.check(files, config, recorders)
    on_progress("problems")
    articles.check(files, config, recorders, on_progress)
    on_progress("duplicates")
    duplicates.check(files, config.dedup.threshold, recorders)
    on_progress("baselines, adversaries and suppression")
    adversaries.check(files, config.adversary, config.suppress.bounds, recorders)
    kept = suppression.check_kept(files, config, suppression.check_guesses(files, recorders), recorders)
    on_progress("caps")
    caps.check(files, config.suppress, kept, recorders)
    on_progress("splits")
    placed = splits.check(files, config.split, kept, recorders)
    on_progress("export")
    exported = written_exports.exported(files, placed, config.export)
    exports.check_records(files, exported, config.export.formats, recorders)
    written_exports.check(files, exported, config, recorders)
    names.check_surrogates(files, config.export, recorders)
    written_exports.check_command(files, placed, config, recorders)
    return recorders.report()
