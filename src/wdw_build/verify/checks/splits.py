"""The splits: each kept problem is placed once, by date, and the splits have the configured sizes."""

from __future__ import annotations

import datetime as dt
import math

from wdw_build.core.config.settings import SplitConfig
from wdw_build.records import Problem, Rejection, SplitAssignment, SuppressionDecision
from wdw_build.verify.checks import events, leaks
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders

SPLITS = ("train", "validation", "test")


def check(
    files: RunFiles, config: SplitConfig, kept: dict[str, SuppressionDecision], recorders: Recorders
) -> dict[str, SplitAssignment]:
    """Check the split stage; return the placement of each problem by its id."""
    placed: dict[str, SplitAssignment] = {}
    for assignment in files.records("split", SplitAssignment):
        if assignment.id in placed:
            recorders["placement"].fail(assignment.id, f"is in {placed[assignment.id].split} and in {assignment.split}")
        placed[assignment.id] = assignment
    rejections = list(files.rejections("split"))
    rejected = {rejection.id: rejection.reason for rejection in rejections}
    for name, problem in kept.items():
        _check_place(problem, placed.get(name), name in rejected, recorders["placement"])
    for name in placed.keys() - kept.keys():
        recorders["placement"].fail(name, "is placed, but suppression did not keep it")
    dropped = {name for name, reason in rejected.items() if reason == events.REASON}
    largest = events.check(files, placed, dropped, config.event_days, recorders) if config.by_event else 1
    leaking = [rejection for rejection in rejections if rejection.reason == leaks.REASON and rejection.id in kept]
    if config.one_per_group:
        leaks.check(files, placed, leaking, config, recorders)
    recent = _held_out(placed, kept, leaking)
    _check_dates(list(placed.values()), recent, config, recorders["split-dates"])
    expected = _expected_size([decision for decision in kept.values() if decision.strict], config)
    if not recent and expected and _are_one_group(files, kept, expected, config):
        expected = 0
    _check_sizes(list(placed.values()), len(leaking), expected, largest, recorders["split-sizes"])
    _check_rejections(rejected, kept, recent, config, recorders["split-rejections"])
    return placed


def _held_out(
    placed: dict[str, SplitAssignment], kept: dict[str, SuppressionDecision], leaking: list[Rejection]
) -> list[tuple[dt.date, str]]:
    """The problems of the held-out time: those in validation and test, and those that were left out for a leak."""
    placed_keys = ((assignment.date, assignment.id) for assignment in placed.values() if assignment.split != "train")
    return [*placed_keys, *((kept[rejection.id].date, rejection.id) for rejection in leaking)]


def _check_place(
    problem: SuppressionDecision, place: SplitAssignment | None, rejected: bool, recorder: CheckRecorder
) -> None:
    recorder.count()
    if place is None or rejected:
        if (place is None) != rejected:
            recorder.fail(problem.id, "is both placed and rejected" if rejected else "is neither placed nor rejected")
        return
    level = "strict" if problem.strict else "relaxed"
    if place.split not in SPLITS or place.level != level or place.date != problem.date:
        recorder.fail(
            problem.id,
            f"is placed as {place.level}, {place.split}, {place.date}; suppression recorded {level}, {problem.date}",
        )
    elif level == "relaxed" and place.split != "train":
        recorder.fail(problem.id, f"is a relaxed problem in {place.split}")


def _check_dates(
    placed: list[SplitAssignment], recent: list[tuple[dt.date, str]], config: SplitConfig, recorder: CheckRecorder
) -> None:
    if not recent:
        return
    first = min(recent)
    last_day = first[0] - dt.timedelta(days=config.gap_days)
    for assignment in placed:
        recorder.count()
        if assignment.split == "train" and ((assignment.date, assignment.id) > first or assignment.date > last_day):
            recorder.fail(
                assignment.id, f"is of {assignment.date} and in training, but {first[1]} of {first[0]} is held out"
            )


def _expected_size(strict: list[SuppressionDecision], config: SplitConfig) -> int:
    """How many problems are held out: a third of the strict problems is left for training; with fewer than two, none is."""
    number = len(strict)
    size = min(config.held_out, int(config.max_share * number), number - math.ceil(number / 3))
    return size if size > 1 else 0


def _are_one_group(files: RunFiles, kept: dict[str, SuppressionDecision], size: int, config: SplitConfig) -> bool:
    """Whether the problems to hold out may be connected with each other, so that they cannot be divided."""
    if not config.by_event and not config.one_per_group:
        return False
    keys = sorted((decision.date, decision.id) for decision in kept.values() if decision.strict)
    latest = {name for _, name in keys[-size:]}
    left = [problem for problem in files.records("problems", Problem) if problem.id in latest]
    reached = left[:1]
    left = left[1:]
    while reached and left:
        problem = reached.pop()
        near = [other for other in left if _may_be_connected(problem, other, config)]
        left = [other for other in left if other not in near]
        reached += near
    return not left


def _may_be_connected(one: Problem, other: Problem, config: SplitConfig) -> bool:
    return (config.by_event and events.may_be_connected(one, other, config.event_days)) or (
        config.one_per_group and leaks.may_leak(one, other, config.event_days)
    )


def _check_sizes(
    placed: list[SplitAssignment], leaking: int, expected: int, largest: int, recorder: CheckRecorder
) -> None:
    recorder.count()
    validation, test = (sum(assignment.split == split for assignment in placed) for split in SPLITS[1:])
    if abs(validation - test) > largest:
        recorder.fail("split", f"{validation} problems are in validation and {test} in test")
    if validation + test + leaking != expected:
        strict = sum(assignment.level == "strict" for assignment in placed)
        recorder.fail(
            "split",
            f"{validation + test + leaking} problems are held out, not {expected}; {strict} strict problems are placed",
        )


def _check_rejections(
    rejected: dict[str, str],
    kept: dict[str, SuppressionDecision],
    recent: list[tuple[dt.date, str]],
    config: SplitConfig,
    recorder: CheckRecorder,
) -> None:
    if not recent:
        for name, reason in rejected.items():
            recorder.count()
            recorder.fail(name, f"is rejected as {reason}, but no problem is held out")
        return
    first = min(recent)
    # The check ``accounting`` reports rejected ids that suppression did not keep.
    for name, reason in ((name, reason) for name, reason in rejected.items() if name in kept):
        recorder.count()
        problem = kept[name]
        early, days = (problem.date, name) < first, (first[0] - problem.date).days
        right = {
            "relaxed-in-held-out-time": not early and not problem.strict,
            "within-gap": early and days < config.gap_days,
            events.REASON: early and config.by_event,
            leaks.REASON: not early and problem.strict and config.one_per_group,
        }
        if not right.get(reason, False):
            recorder.fail(
                name,
                f"is rejected as {reason}, but it is of {problem.date}, and the first held-out problem, {first[1]}, of {first[0]}",
            )
