"""Adversaries: their rounds, which problems their bounds count, and whether the folds of the cross-fitting share an article."""

from __future__ import annotations

import re
from itertools import zip_longest

from wdw_build.core.config.settings import AdversaryConfig
from wdw_build.records import AdversaryPredictions, BaselinePredictions, ProblemAlternatives
from wdw_build.verify.alternatives import problem_of
from wdw_build.verify.checks.suppression import BASELINES, each
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders

_HITS = re.compile(r" (\d+)(?=,| of )")


def check(files: RunFiles, config: AdversaryConfig, bounds: str, recorders: Recorders) -> None:
    """Check that the baselines are carried on, the scope of each bound, the rounds, and that events are in one fold.

    ``bounds`` is the value of ``suppress.bounds``.
    """
    records = {record.id: record for record in files.records("adversary", AdversaryPredictions)}
    for before in files.records("baselines", BaselinePredictions):
        after = records.get(before.id)
        if after is not None and not _are_carried(before, after):
            recorders["carried"].fail(before.id, "has other scores of the baselines in adversary than in baselines")
    scope = _scope(files, config)
    _check_dropped(files, config, scope, recorders)
    _check_excluded(config, records, scope, recorders)
    if all(len(record.guesses) == len(BASELINES) for record in records.values()):
        return
    most = config.rounds if config.mode == "suppress" and bounds == "by_choices" else 1
    _check_scope(config, records, scope, most, recorders)
    _check_folds(files, records, recorders)


def _are_carried(before: BaselinePredictions, after: AdversaryPredictions) -> bool:
    """Whether the scores of the baselines are the same for each alternative."""
    pairs = list(zip_longest(each(before), each(after)))
    return all(
        one is not None and other is not None and {name: other.scores.get(name) for name in one.scores} == one.scores
        for one, other in pairs
    )


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


def _check_excluded(
    config: AdversaryConfig, records: dict[str, AdversaryPredictions], scope: set[str], recorders: Recorders
) -> None:
    """Check that only a filter excludes alternatives, only of articles in scope, and not all of an article."""
    for record in records.values():
        excluded, numbers = record.excluded, range(len(each(record)))
        if excluded and (config.mode != "filter" or record.id not in scope):
            recorders["adversary-scope"].fail(record.id, "has excluded alternatives, and is not in scope of a filter")
        if list(excluded) != sorted(set(excluded) & set(numbers)) or len(excluded) == len(numbers):
            recorders["adversary-scope"].fail(
                record.id, f"the excluded alternatives are {excluded} of {len(numbers)} alternatives"
            )


def _check_scope(
    config: AdversaryConfig, records: dict[str, AdversaryPredictions], scope: set[str], most: int, recorders: Recorders
) -> None:
    """Check the systems of each round, the first of ``most`` rounds under their names, and which bounds count an article."""
    recorder = recorders["adversary-scope"]
    rounds = [name if number == 1 else f"{name}-{number}" for number in range(1, most + 1) for name in config.systems]
    for record in records.values():
        recorder.count()
        judges = tuple(record.guesses)[len(BASELINES) :]
        is_counted = record.id in scope and config.mode == "suppress"
        wanted = () if is_counted else judges
        if not judges or len(judges) % max(1, len(config.systems)) or list(judges) != rounds[: len(judges)]:
            recorder.fail(record.id, f"was judged by {list(judges)}, not by rounds of {list(config.systems)}")
        if record.unbounded != wanted:
            recorder.fail(record.id, f"leaves out the bounds of {list(record.unbounded)}, not of {list(wanted)}")
        if (record.fold is not None) != (record.id in scope):
            recorder.fail(record.id, f"has fold {record.fold}, and is {'' if record.id in scope else 'not '}in scope")


def _check_folds(files: RunFiles, records: dict[str, AdversaryPredictions], recorders: Recorders) -> None:
    """Check the folds of articles that share an article, as question or as passage of the first alternative."""
    recorder = recorders["adversary-folds"]
    fold_of: dict[str, int] = {}
    for record in files.records("dedup", ProblemAlternatives):
        predictions, first = records.get(record.id), problem_of(record, 0)
        if predictions is None or predictions.fold is None or first is None:
            continue
        recorder.count()
        for article in (record.id, first.passage.article):
            fold = fold_of.setdefault(article, predictions.fold)
            if fold != predictions.fold:
                recorder.fail(record.id, f"is in fold {predictions.fold}, another article with {article} in {fold}")
