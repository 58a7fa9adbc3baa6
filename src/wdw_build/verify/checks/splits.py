"""The splits: everything placed once, by date, in the sizes that the configuration says."""

from __future__ import annotations

import datetime as dt

from wdw_build.core.config.settings import SplitConfig
from wdw_build.records import SplitAssignment, SuppressionDecision
from wdw_build.verify.checks import events
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book, Ledger

SPLITS = ("train", "validation", "test")


def check(
    files: RunFiles, config: SplitConfig, kept: dict[str, SuppressionDecision], book: Book
) -> dict[str, SplitAssignment]:
    """All checks of the split; the places by problem id."""
    placed: dict[str, SplitAssignment] = {}
    for one in files.records("split", SplitAssignment):
        if one.id in placed:
            book["placement"].fail(one.id, f"stands in {placed[one.id].split} and in {one.split}")
        placed[one.id] = one
    rejected = {one.id: one.reason for one in files.rejections("split")}
    for name, problem in kept.items():
        _check_place(problem, placed.get(name), name in rejected, book["placement"])
    for name in placed.keys() - kept.keys():
        book["placement"].fail(name, "was not kept by suppression")
    dropped = {name for name, reason in rejected.items() if reason == events.REASON}
    largest = events.check(files, placed, dropped, config.event_days, book) if config.by_event else 1
    _check_dates(list(placed.values()), config, book["split-dates"])
    _check_sizes(list(placed.values()), sum(one.strict for one in kept.values()), config, largest, book["split-sizes"])
    _check_rejections(rejected, kept, placed, config, book["split-rejections"])
    return placed


def _check_place(problem: SuppressionDecision, place: SplitAssignment | None, rejected: bool, ledger: Ledger) -> None:
    ledger.tried()
    if place is None or rejected:
        if (place is None) != rejected:
            ledger.fail(problem.id, "is placed and rejected" if rejected else "is neither placed nor rejected")
        return
    level = "strict" if problem.strict else "relaxed"
    if place.split not in SPLITS or place.level != level or place.date != problem.date:
        ledger.fail(problem.id, f"{place.level}, {place.split}, {place.date}; suppression: {level}, {problem.date}")
    elif level == "relaxed" and place.split != "train":
        ledger.fail(problem.id, f"a relaxed problem in {place.split}")


def _check_dates(placed: list[SplitAssignment], config: SplitConfig, ledger: Ledger) -> None:
    held_out = [(one.date, one.id) for one in placed if one.split != "train"]
    if not held_out:
        return
    first = min(held_out)
    last_day = first[0] - dt.timedelta(days=config.gap_days)
    for one in placed:
        ledger.tried()
        if one.split == "train" and ((one.date, one.id) > first or one.date > last_day):
            ledger.fail(one.id, f"{one.date} is in training, but {first[0]} ({first[1]}) is held out")


def _check_sizes(placed: list[SplitAssignment], strict: int, config: SplitConfig, largest: int, ledger: Ledger) -> None:
    ledger.tried()
    validation, test = (sum(one.split == split for one in placed) for split in SPLITS[1:])
    if abs(validation - test) > largest:
        ledger.fail("split", f"{validation} in validation, {test} in test")
    expected = min(config.held_out, int(config.max_share * strict))
    if validation + test != expected:
        ledger.fail("split", f"{validation + test} of {strict} strict problems are held out, not {expected}")


def _check_rejections(
    rejected: dict[str, str],
    kept: dict[str, SuppressionDecision],
    placed: dict[str, SplitAssignment],
    config: SplitConfig,
    ledger: Ledger,
) -> None:
    first = min(((one.date, one.id) for one in placed.values() if one.split != "train"), default=None)
    if first is None:
        return
    # An id that nobody kept is what the accounting tells of.
    for name, reason in ((name, reason) for name, reason in rejected.items() if name in kept):
        ledger.tried()
        problem = kept[name]
        early, days = (problem.date, name) < first, (first[0] - problem.date).days
        right = {
            "relaxed-in-held-out-time": not early and not problem.strict,
            "within-gap": early and days < config.gap_days,
            events.REASON: early and config.by_event,
        }
        if not right.get(reason, False):
            ledger.fail(name, f"{reason}: {problem.date}, {first[0]} ({first[1]}) is held out")
