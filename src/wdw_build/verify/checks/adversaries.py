"""Adversaries: which problems their bounds count, and whether the folds of the cross-fitting share an article."""

from __future__ import annotations

import re

from wdw_build.core.config.settings import AdversaryConfig
from wdw_build.records import AdversaryPredictions, BaselinePredictions, Problem
from wdw_build.verify.checks.suppression import BASELINES
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders

_HITS = re.compile(r" (\d+)(?=,| of )")


def check(files: RunFiles, config: AdversaryConfig, recorders: Recorders) -> None:
    """Check that the baselines are carried on, the scope of each bound, and that a common article means a common fold."""
    records = {record.id: record for record in files.records("adversary", AdversaryPredictions)}
    for before in files.records("baselines", BaselinePredictions):
        after = records.get(before.id)
        if after is not None and {name: after.scores.get(name) for name in before.scores} != before.scores:
            recorders["carried"].fail(before.id, "has other scores of the baselines in adversary than in baselines")
    scope = _scope(files, config)
    _check_dropped(files, config, scope, recorders)
    if all(len(record.guesses) == len(BASELINES) for record in records.values()):
        return
    _check_scope(config, records, scope, recorders)
    _check_folds(files, records, recorders)


def _scope(files: RunFiles, config: AdversaryConfig) -> set[str]:
    """The ids of the problems in ``adversary.scope``."""
    keys = sorted((record.date, record.id) for record in files.records("baselines", BaselinePredictions))
    held_out = int((config.held_out_share or 0.0) * len(keys)) if config.scope == "training" else 0
    return {name for _, name in keys[: len(keys) - held_out]}


def _check_dropped(files: RunFiles, config: AdversaryConfig, scope: set[str], recorders: Recorders) -> None:
    """Check that only a filter drops problems, and only those in scope that were solved in enough rounds."""
    recorder = recorders["adversary-scope"]
    for rejection in files.rejections("adversary"):
        recorder.count()
        hits = [int(count) for count in _HITS.findall(rejection.detail)]
        if config.mode != "filter" or rejection.id not in scope:
            recorder.fail(rejection.id, "was dropped, and is not in scope of a filter")
        elif not hits or not config.least_rounds <= max(hits) <= config.rounds:
            recorder.fail(rejection.id, f"was dropped, though it was solved in {hits} of {config.rounds} rounds")


def _check_scope(
    config: AdversaryConfig, records: dict[str, AdversaryPredictions], scope: set[str], recorders: Recorders
) -> None:
    recorder = recorders["adversary-scope"]
    for record in records.values():
        recorder.count()
        is_counted = record.id in scope and config.mode == "suppress"
        wanted = () if is_counted else config.systems
        if tuple(record.guesses)[len(BASELINES) :] != config.systems:
            recorder.fail(record.id, f"was not judged by {list(config.systems)} alone")
        if record.unbounded != wanted:
            recorder.fail(record.id, f"leaves out the bounds of {list(record.unbounded)}, not of {list(wanted)}")
        if (record.fold is not None) != (record.id in scope):
            recorder.fail(record.id, f"has fold {record.fold}, and is {'' if record.id in scope else 'not '}in scope")


def _check_folds(files: RunFiles, records: dict[str, AdversaryPredictions], recorders: Recorders) -> None:
    recorder = recorders["adversary-folds"]
    fold_of: dict[str, int] = {}
    for problem in files.records("dedup", Problem):
        record = records.get(problem.id)
        if record is None or record.fold is None:
            continue
        recorder.count()
        for article in (problem.id, problem.passage.article):
            if fold_of.setdefault(article, record.fold) != record.fold:
                recorder.fail(
                    problem.id, f"is in fold {record.fold}, another problem with {article} in {fold_of[article]}"
                )
