"""Checks every promise of the dataset on the files of a run, with rules implemented independently of the pipeline.

This package imports only the declarations of records and configuration from the pipeline: no tokenisation, no rules about
names or sentences, no store code. Ambiguous cases pass, so every failure is real.
Not checked: results that only a model can compute (mentions, trees, n-gram scores, BM25, event scores), what was rejected and
why, and whether suppression keeps as many problems as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wdw_build.core.config.settings import Config
from wdw_build.verify import accounting, export_checks, format_checks, name_checks, suppression_checks
from wdw_build.verify.checked_run import CheckedRun
from wdw_build.verify.command_exports import command_exports
from wdw_build.verify.duplicate_questions import duplicates
from wdw_build.verify.problem_checks import PROBLEM_CHECKS, check_problems
from wdw_build.verify.report import AnyCheck, Check, Recorder, Report, name_of, promise_of
from wdw_build.verify.run_files import RunFiles
from wdw_build.verify.split_checks import held_out_leaks, placement, split_dates, split_events, split_sizes

__all__ = ["PROMISES", "Check", "Report", "verify"]

_RunCheck = Callable[[CheckedRun, Recorder], None]
_FIRST: tuple[_RunCheck, ...] = (accounting.files, accounting.accounting, accounting.chain, accounting.carried)
_LATER: dict[str, tuple[_RunCheck, ...]] = {
    "duplicates": (duplicates,),
    "baselines, adversaries and suppression": (
        *(suppression_checks.adversary_scope, suppression_checks.adversary_folds, suppression_checks.guesses),
        *(suppression_checks.selected, suppression_checks.cells, suppression_checks.levels),
        *(suppression_checks.strict_bound, suppression_checks.relaxed_bound, suppression_checks.answer_places),
    ),
    "caps": (suppression_checks.passage_cap, suppression_checks.event_cap, suppression_checks.answer_cap),
    "splits": (placement, split_dates, split_sizes, split_events, held_out_leaks),
    "export": (
        *(export_checks.export_files, export_checks.export_jsonl, export_checks.export_card),
        *(format_checks.export_xml, format_checks.export_spans),
        *(name_checks.renamed_texts, name_checks.renamed_persons, name_checks.names_left, name_checks.surrogates_new),
        command_exports,
    ),
}
_CHECKS: tuple[AnyCheck, ...] = (*_FIRST, *PROBLEM_CHECKS, *(check for checks in _LATER.values() for check in checks))

PROMISES: dict[str, str] = {name_of(check): promise_of(check) for check in _CHECKS}
"""The promises of the dataset, one sentence for each check, by the name of the check."""


def _silent(message: str) -> None:
    return


def verify(run_folder: Path, config: Config, on_progress: Callable[[str], None] = _silent) -> Report:
    """Check every promise on the outputs of a run.

    Raises ``UsageError`` if an output is missing, and ``CheckError`` if a file cannot be decoded.
    """
    run = CheckedRun(RunFiles(run_folder, config.__struct_fields__), config)
    recorders = {check: Recorder() for check in _CHECKS}
    on_progress("files and accounting")
    for check in _FIRST:
        check(run, recorders[check])
    on_progress("problems")
    check_problems(run, recorders, on_progress)
    for progress, checks in _LATER.items():
        on_progress(progress)
        for check in checks:
            check(run, recorders[check])
    return Report(checks=tuple(recorder.result(check) for check, recorder in recorders.items()))
