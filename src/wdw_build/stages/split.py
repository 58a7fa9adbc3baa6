"""split: the most recent problems become validation and test, half each at random (paper, section 4).

With ``split.by_event`` each event is in one split. The held-out problems stay the same; each event among them goes as a
whole to validation or to test, and a training problem that is connected with a held-out problem is rejected. Only direct
connections count, because a rejected problem, which would connect others, is not in the dataset.

With ``split.one_per_group``, the held-out problems lose all but one problem of each group in which one problem tells the
answer of another (``similarity/leaks.py``). Training does not get the rejected problems.

With ``split.test_from``, the test set is all strict problems of that day or later, and validation those from
``split.validation_from`` until before it. ``split.by_event`` then also rejects validation problems that are connected with
test problems.

Without these dates, at least a third of the strict problems is not held out. If fewer than two problems can be held out, all
problems are training, and a warning says that there is no validation and no test set.

Problems of ``corpus.omitted_problems`` are rejected last, so that leaving them out moves no other problem.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from wdw_build.core.dataset_size import most_held_out, split_notes
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, by_seed
from wdw_build.ports import OMITTED_PROBLEMS, SENTENCE_SPLITTER
from wdw_build.records import Problem, Record, Rejection, SplitAssignment, SuppressionDecision
from wdw_build.selection.settings import SplitConfig
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence, events

_HALVES = ("validation", "test")

Key = tuple[dt.date, str]


def finds_leaks(config: SplitConfig) -> bool:
    """Whether these settings compare the held-out problems with each other, which needs the sentences of their passages."""
    return config.one_per_group


@dataclass(frozen=True)
class _HeldOut:
    """The held-out problems and the first key of the held-out time; without held-out problems, there is no such time.

    ``splits``: id -> split. ``rejected``: rejections of strict problems of the held-out time. ``connections``: the held-out
    problems, with which training problems may be connected, if ``split.by_event``. ``why``: why no problem is held out.
    """

    splits: dict[str, str]
    boundary: Key | None = None
    rejected: dict[str, Rejection] = field(default_factory=dict)
    connections: Connections | None = None
    why: str = ""


def _recent(context: Context, config: SplitConfig) -> tuple[list[Key], int]:
    """The problems to hold out, latest first, and the number of strict problems."""
    strict = 0

    def keys() -> Iterator[Key]:
        nonlocal strict
        for decision in context.read("suppress"):
            if decision.strict:
                strict += 1
                yield decision.date, decision.id

    # Memory holds only as many keys as can be held out.
    recent = heapq.nlargest(config.held_out, keys())
    return recent[: most_held_out(strict, config.held_out, config.max_share)], strict


def _leaking(recent: list[Key], config: SplitConfig, context: Context) -> dict[str, Rejection]:
    """A rejection for all but one problem of each leaking group."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.similarity.leaks import leaks, left_out

    ids = sorted(problem for _, problem in recent)
    with context.progress.bar("leaks", None, "problems") as bar:

        def problems() -> Iterator[Problem]:
            for problem in ids:
                bar.advance()
                yield context.find("problems", problem)

        pairs = leaks(problems, context.port(SENTENCE_SPLITTER).sentences, config.event_days)
        dropped = left_out(pairs, lambda problem: uniform_hash(context.seed, "leaks", problem))
    rejections = {}
    for problem, (kept_problem, leak) in dropped.items():
        neighbour = leak.teller if leak.told == problem else leak.told
        through = "" if neighbour == kept_problem else f" through {neighbour}"
        detail = f"{kept_problem}{through}: {leak.relation}: {leak.evidence}"
        rejections[problem] = Rejection(id=problem, reason="in-leaking-group", detail=detail)
    return rejections


def _at_random(ids: list[str], seed: int) -> dict[str, str]:
    """Held-out id -> split, at random."""
    shuffled = sorted(ids, key=lambda problem: (uniform_hash(seed, "split", problem), problem))
    half = (len(shuffled) + 1) // 2
    first, second = _HALVES
    return dict.fromkeys(shuffled[:half], first) | dict.fromkeys(shuffled[half:], second)


def _by_event(held_out: tuple[EventEvidence, ...], days: int, seed: int) -> dict[str, str]:
    """Held-out id -> split. Each event, the largest first, goes as a whole to the half that is smaller at that point.

    Empty if all problems belong to one event, which cannot be divided.
    """
    members: defaultdict[str, list[str]] = defaultdict(list)
    for problem, event in events(held_out, days).items():
        members[event].append(problem)
    first, second = list[str](), list[str]()
    draws = {event: uniform_hash(seed, "split", event) for event in members}
    for event in sorted(members, key=lambda event: (-len(members[event]), draws[event], event)):
        drawn = second if draws[event] < 0.5 else first
        smaller = drawn if len(first) == len(second) else min(first, second, key=len)
        smaller.extend(members[event])
    if not (first and second):
        return {}
    return {problem: split for split, half in zip(_HALVES, (first, second), strict=True) for problem in half}


def _held_out(recent: list[Key], config: SplitConfig, context: Context) -> _HeldOut:
    """Divide the most recent problems into validation and test, if these keys allow it."""
    if not recent:
        return _HeldOut({})
    leaking = _leaking(recent, config, context) if config.one_per_group else {}
    left = [key for key in recent if key[1] not in leaking]
    if len(left) < 2:
        why = f"the latest {len(recent)} belong to one leaking group, of which split.one_per_group keeps one problem"
        return _HeldOut({}, why=why)
    if not config.by_event:
        return _HeldOut(_at_random([problem for _, problem in left], context.seed), min(recent), leaking)
    evidence = tuple(event_evidence(context.find("problems", problem)) for _, problem in sorted(left))
    splits = _by_event(evidence, config.event_days, context.seed)
    if not splits:
        why = f"the latest {len(left)} belong to one event, which split.by_event keeps in one split"
        return _HeldOut({}, why=why)
    connections = Connections(config.event_days)
    for problem_evidence in evidence:
        connections.add(problem_evidence)
    return _HeldOut(splits, min(recent), leaking, connections)


def _latest(config: SplitConfig, context: Context) -> tuple[_HeldOut, int]:
    """The most recent problems in validation and test, and the number of strict problems."""
    recent, strict = _recent(context, config)
    return _held_out(recent, config, context), strict


def _by_period(test_from: dt.date, config: SplitConfig, context: Context) -> tuple[_HeldOut, int]:
    """The problems of each held-out period in its split, and the number of strict problems.

    The held-out time begins on its first day even if no problem is left in it.
    """
    start, strict, keys = config.held_out_from or test_from, 0, []
    for decision in context.read("suppress"):
        strict += decision.strict
        if decision.strict and decision.date >= start:
            keys.append((decision.date, decision.id))
    rejected = _leaking(keys, config, context) if config.one_per_group else {}
    splits: dict[str, str] = {}
    connections = Connections(config.event_days) if config.by_event else None
    # Test problems come first: they stay, and a validation problem that is connected with one of them does not.
    for date, name in sorted(keys, reverse=True):
        split = "test" if date >= test_from else "validation"
        if name in rejected:
            continue
        if connections is not None:
            of_problem = event_evidence(context.find("problems", name))
            ties = [tie for tie in connections.find(of_problem) if splits[tie[0]] != split]
            if ties:
                rejected[name] = _connected(name, *ties[0])
                continue
            connections.add(of_problem)
        splits[name] = split
    return _HeldOut(splits, (start, ""), rejected, connections), strict


def run(inputs: Iterator[SuppressionDecision], config: SplitConfig, context: Context) -> Iterator[Record | Rejection]:
    """Assign problems to training, validation and test by date."""
    if config.test_from is not None:
        held_out, strict = _by_period(config.test_from, config, context)
    else:
        held_out, strict = _latest(config, context)
    omitted = _omitted(held_out, context)
    left = {name: split for name, split in held_out.splits.items() if name not in omitted}
    strict -= sum(decision.strict for decision in omitted.values())
    sizes = Counter(left.values())
    sizes["train"] = strict - len(left) - len(held_out.rejected)
    for note in split_notes(strict, sizes, config.periods, held_out.why):
        context.progress.say(f"split: {note}")
    reasons = context.port(OMITTED_PROBLEMS).reasons()
    for assigned in _by_date(inputs, held_out, config):
        placed = _unconnected(assigned, held_out.connections, context)
        if isinstance(placed, SplitAssignment) and placed.id in omitted:
            yield Rejection(id=placed.id, reason="omitted", detail=reasons[placed.id])
        else:
            yield placed


def _omitted(held_out: _HeldOut, context: Context) -> dict[str, SuppressionDecision]:
    """The selected problems that ``corpus.omitted_problems`` lists, without rejected ones of the held-out time, by id."""
    listed = context.port(OMITTED_PROBLEMS).reasons()
    records = {name: context.inputs["suppress"].find(name) for name in sorted(listed)}
    selected = {name: decision for name, decision in records.items() if isinstance(decision, SuppressionDecision)}
    if absent := sorted(listed.keys() - selected.keys()):
        context.progress.say(
            f"split: {len(absent)} of {len(listed)} omitted problems are not selected, such as {absent[0]} "
            "(corpus.omitted_problems)"
        )
    return {name: decision for name, decision in selected.items() if name not in held_out.rejected}


def _unconnected(
    assigned: SplitAssignment | Rejection, connections: Connections | None, context: Context
) -> SplitAssignment | Rejection:
    """The assignment, or a rejection of a training problem that is connected with a held-out problem."""
    if connections is None or isinstance(assigned, Rejection) or assigned.split != "train":
        return assigned
    for other, why in connections.find(event_evidence(context.find("problems", assigned.id))):
        return _connected(assigned.id, other, why)
    return assigned


def _connected(name: str, other: str, why: str) -> Rejection:
    return Rejection(id=name, reason="connected-with-held-out", detail=f"{other}: {why}")


def _by_date(
    inputs: Iterator[SuppressionDecision], held_out: _HeldOut, config: SplitConfig
) -> Iterator[SplitAssignment | Rejection]:
    """The split of every kept problem by its date."""
    for decision in inputs:
        if decision.id in held_out.splits:
            split = held_out.splits[decision.id]
            yield SplitAssignment(id=decision.id, date=decision.date, level="strict", split=split)
        elif decision.id in held_out.rejected:
            yield held_out.rejected[decision.id]
        else:
            yield _in_training(decision, held_out.boundary, config)


def _in_training(
    decision: SuppressionDecision, boundary: Key | None, config: SplitConfig
) -> SplitAssignment | Rejection:
    """The assignment of a problem to training, or its rejection if it is too late for training."""
    if boundary is not None:
        if (decision.date, decision.id) >= boundary:
            detail = f"{decision.date} after {boundary[0]}"
            return Rejection(id=decision.id, reason="relaxed-in-held-out-time", detail=detail)
        if config.is_within_gap(decision.date, boundary[0]):
            detail = f"{decision.date}, held out from {boundary[0]}"
            return Rejection(id=decision.id, reason="within-gap", detail=detail)
    level = "strict" if decision.strict else "relaxed"
    return SplitAssignment(id=decision.id, date=decision.date, level=level, split="train")


STAGE = Stage(
    name="split",
    version=3,
    reads=("suppress", "problems"),
    writes=SplitAssignment,
    config=SplitConfig,
    run=run,
    shares={SEED: by_seed},
    ports=(SENTENCE_SPLITTER, OMITTED_PROBLEMS),
    conditions={SENTENCE_SPLITTER: finds_leaks},
    block=0,
    reasons={
        "relaxed-in-held-out-time": Rule(
            "the relaxed problem is from the held-out period, but relaxed problems may only be in training"
        ),
        "within-gap": Rule(
            "the training problem is fewer than split.gap_days days before the first held-out day",
            ("gap_days",),
        ),
        "connected-with-held-out": Rule(
            "with split.by_event: a training problem is connected with a held-out problem, or a validation problem with a test "
            "problem",
            ("by_event",),
        ),
        "omitted": Rule("a corpus.omitted_problems file lists the problem"),
        "in-leaking-group": Rule(
            "another held-out problem in its group is kept (split.one_per_group)",
            ("one_per_group",),
        ),
    },
)
