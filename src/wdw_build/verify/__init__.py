"""Checks every promise of the dataset on the files of a run, with rules implemented independently of the pipeline.

This package imports only the declarations of records and configuration from the pipeline: no tokenisation, no rules about
names or sentences, no store code. Ambiguous cases pass, so every failure is real.
Not checked: results that only a model can compute (mentions, trees, n-gram scores, BM25, event scores), what was rejected and
why, and whether suppression keeps as many problems as possible.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from wdw_build.core.config.settings import Config, ExportConfig
from wdw_build.errors import CheckError, UsageError
from wdw_build.verify import accounting, export_checks, format_checks, name_checks, suppression_checks
from wdw_build.verify.checked_run import AnyCheck, Check, CheckedRun, Recorder, Report, name_of, promise_of
from wdw_build.verify.dataset_checks import (
    bounded_training,
    duplicates,
    faulty_left_out,
    held_out_leaks,
    placement,
    split_dates,
    split_events,
    split_periods,
    split_sizes,
)
from wdw_build.verify.problem_checks import PROBLEM_CHECKS, check_problems
from wdw_build.verify.run_files import OutputKey, RunFiles

__all__ = ["PROMISES", "Check", "Report", "verify"]

_RunCheck = Callable[[CheckedRun, Recorder], None]
_COMMAND_FOLDERS = ("exports", "exports-codes")
_EXPORT_CHECKS: tuple[_RunCheck, ...] = (
    *(export_checks.export_files, export_checks.export_jsonl, export_checks.export_card),
    *(format_checks.export_xml, format_checks.export_spans),
    *(name_checks.renamed_texts, name_checks.renamed_persons, name_checks.names_left),
)


def command_exports(run: CheckedRun, recorder: Recorder) -> None:
    """Formats written by the export command were made from this run and keep the export promises above."""
    for folder in _COMMAND_FOLDERS:
        for path in sorted((run.files.folder / folder).glob("*")):
            # The command writes into a hidden folder first.
            if path.is_dir() and not path.name.startswith("."):
                recorder.count()
                place = f"{folder}/{path.name}"
                try:
                    _check_format(run, path, _RecorderWithin(recorder, place))
                except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
                    recorder.fail(
                        place, f"has no readable {path.name}.made-from.json ({error}); wdw-build export writes both"
                    )
                except (CheckError, UsageError) as error:
                    recorder.fail(place, error.message)


def _check_format(run: CheckedRun, path: Path, recorder: _RecorderWithin) -> None:
    # The file beside each format has the settings, and the hashes of the outputs that the command read.
    made_from = msgspec.json.decode(path.with_name(f"{path.name}.made-from.json").read_bytes(), type=OutputKey)
    settings = msgspec.convert(made_from.config, ExportConfig)
    for source, content in made_from.inputs.items():
        if content != run.files.content_hash(source):
            raise CheckError(
                f"was made from another output of {source} than this run's; wdw-build export {path.name} writes it again"
            )
    with_export = run.with_export(path.parent.name, settings, made_from.seed)
    for check in _EXPORT_CHECKS:
        check(with_export, recorder)


class _RecorderWithin(Recorder):
    """Records the failures of other checks under one check, with the folder in which they are."""

    def __init__(self, recorder: Recorder, folder: str) -> None:
        self._recorder, self._folder = recorder, folder

    def count(self, count: int = 1) -> None:
        self._recorder.count(count)

    def fail(self, place: str, fault: str) -> None:
        self._recorder.fail(f"{self._folder}: {place}", fault)


_FIRST: tuple[_RunCheck, ...] = (accounting.files, accounting.accounting, accounting.chain, accounting.carried)
_LATER: dict[str, tuple[_RunCheck, ...]] = {
    "duplicates": (duplicates, faulty_left_out),
    "baselines, adversaries and suppression": (
        *(suppression_checks.adversary_scope, suppression_checks.adversary_folds, suppression_checks.guesses),
        *(suppression_checks.selected, suppression_checks.cells),
        *(suppression_checks.strict_bound, suppression_checks.relaxed_bound, suppression_checks.answer_places),
    ),
    "caps and shared articles": (
        *(suppression_checks.passage_cap, suppression_checks.event_cap, suppression_checks.answer_cap),
        suppression_checks.shared_articles,
    ),
    "splits": (placement, split_dates, split_periods, split_sizes, bounded_training, split_events, held_out_leaks),
    "export": (*_EXPORT_CHECKS, command_exports),
}
_CHECKS: tuple[AnyCheck, ...] = (*_FIRST, *PROBLEM_CHECKS, *(check for checks in _LATER.values() for check in checks))

PROMISES: dict[str, str] = {name_of(check): promise_of(check) for check in _CHECKS}
"""The promises of the dataset, one sentence for each check, by the name of the check."""


def verify(run_folder: Path, config: Config, on_progress: Callable[[str], None] = lambda message: None) -> Report:
    """Check every promise on the outputs of a run.

    Raises ``UsageError`` if an output is missing, and ``CheckError`` if a file cannot be decoded.
    """
    run = CheckedRun(RunFiles(run_folder, (*config.__struct_fields__, "pseudonyms")), config)
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
