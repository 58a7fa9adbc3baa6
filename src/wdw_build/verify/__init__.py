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
from wdw_build.records import Article, Problem
from wdw_build.verify.checks import (
    accounting,
    adversaries,
    caps,
    duplicates,
    exports,
    names,
    passages,
    problems,
    ranking,
    splits,
    suppression,
    written_exports,
)
from wdw_build.verify.files import RecordsById, RunFiles
from wdw_build.verify.promises import PROMISES
from wdw_build.verify.report import Check, Recorders, Report

__all__ = ["PROMISES", "Check", "Report", "verify"]

_PROGRESS_EVERY = 5000


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
    _check_problems(files, config, recorders, on_progress)
    on_progress("duplicates")
    duplicates.check(files, config.dedup.threshold, recorders)
    on_progress("caps")
    caps.check(files, config.dedup, recorders)
    on_progress("baselines, adversaries and suppression")
    adversaries.check(files, config.adversary, recorders)
    kept = suppression.check_kept(files, config, suppression.check_guesses(files, recorders), recorders)
    on_progress("splits")
    placed = splits.check(files, config.split, kept, recorders)
    on_progress("export")
    exported = written_exports.exported(files, placed, config.export)
    exports.check_records(files, exported, config.export.formats, recorders)
    written_exports.check(files, exported, config, recorders)
    names.check_surrogates(files, config.export, recorders)
    written_exports.check_command(files, placed, config, recorders)
    return recorders.report()


def _check_problems(files: RunFiles, config: Config, recorders: Recorders, on_progress: Callable[[str], None]) -> None:
    needed: set[str] = set()
    for problem in files.records("dedup", Problem):
        needed.update((problem.question.id, problem.passage.article))
    articles = RecordsById(files, "ingest", Article, needed)
    for number, problem in enumerate(files.records("dedup", Problem), 1):
        _check_problem(problem, config, articles, recorders)
        if number % _PROGRESS_EVERY == 0:
            on_progress(f"problems: {number:,} checked")


def _check_problem(problem: Problem, config: Config, articles: RecordsById[Article], recorders: Recorders) -> None:
    for name, check in problems.CHECKS.items():
        recorders[name].count()
        for fault in check(problem, config):
            recorders[name].fail(problem.id, fault)
    subject = passages.ProblemWithArticles(
        problem, config, articles.find(problem.question.id), articles.find(problem.passage.article)
    )
    for name, check_articles in passages.CHECKS.items():
        recorders[name].count()
        for fault in check_articles(subject):
            recorders[name].fail(problem.id, fault)
