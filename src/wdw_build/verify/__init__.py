"""verify: re-derives every promise of the dataset from a run's files, with code of its own.

It shares the records' declarations and the configuration's types with the pipeline, and nothing that decides
anything: not its words, names and sentences, not its store. What a promise leaves in doubt is read so that a failure
is always real.
Left out: what only a model can say again (mentions, trees, n-gram scores, BM25, event scores), and whether suppression
keeps the most that it could.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wdw_build.core.config.settings import Config
from wdw_build.records import Problem
from wdw_build.verify.checks import (
    accounting,
    caps,
    card,
    duplicates,
    exports,
    passages,
    problems,
    ranking,
    splits,
    suppression,
    xml_form,
)
from wdw_build.verify.files import Articles, RunFiles
from wdw_build.verify.promises import PROMISES
from wdw_build.verify.report import Book, Check, Report

__all__ = ["PROMISES", "Check", "Report", "verify"]

_SAY_EVERY = 5000


def _silent(message: str) -> None:
    return


def verify(run_folder: Path, config: Config, on_progress: Callable[[str], None] = _silent) -> Report:
    """Check every promise on the outputs of a run.

    Raises ``UsageError`` if an output is missing, and ``CheckError`` if a file cannot be read as what it should be.
    """
    files, book = RunFiles(run_folder, config.__struct_fields__), Book()
    on_progress("files and accounting")
    accounting.check(files, config, book)
    accounting.check_carried(files, book)
    on_progress("candidates")
    ranking.check(files, config, book)
    on_progress("problems")
    _check_problems(files, config, book, on_progress)
    on_progress("duplicates")
    duplicates.check(files, config.dedup.threshold, book)
    on_progress("caps")
    caps.check(files, config.dedup, book)
    on_progress("baselines and suppression")
    kept = suppression.check_kept(files, config, suppression.check_guesses(files, book), book)
    on_progress("splits")
    placed = splits.check(files, config.split, kept, book)
    on_progress("export")
    formats = config.export.formats
    placed = exports.without_low_scores(files, placed, config.export)
    exports.check_records(files, placed, formats, book)
    if "jsonl" in formats:
        exports.check_jsonl(files, placed, config, book)
        card.check(files, placed, book)
    if "wdw-xml" in formats:
        xml_form.check(files, placed, config, book)
    return book.close()


def _check_problems(files: RunFiles, config: Config, book: Book, say: Callable[[str], None]) -> None:
    needed: set[str] = set()
    for problem in files.records("dedup", Problem):
        needed.update((problem.question.id, problem.passage.article))
    articles = Articles(files, needed)
    for number, problem in enumerate(files.records("dedup", Problem), 1):
        _check_problem(problem, config, articles, book)
        if number % _SAY_EVERY == 0:
            say(f"problems: {number:,} checked")


def _check_problem(problem: Problem, config: Config, articles: Articles, book: Book) -> None:
    for name, check in problems.CHECKS.items():
        book[name].tried()
        for wrong in check(problem, config):
            book[name].fail(problem.id, wrong)
    case = passages.Case(problem, config, articles.find(problem.question.id), articles.find(problem.passage.article))
    for name, judge in passages.CHECKS.items():
        book[name].tried()
        for wrong in judge(case):
            book[name].fail(problem.id, wrong)
