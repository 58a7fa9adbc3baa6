"""split: the most recent problems become validation and test, half each at random (paper, section 4).

With ``split.by_event`` each event is in one split. The held-out problems stay the same; each event among them goes as a
whole to validation or to test, and a training problem that is connected with a held-out problem is rejected. Only direct
connections count, because a rejected problem, which would connect others, is not in the dataset.

With ``split.one_per_group``, the held-out problems lose all but one problem of each group in which one problem tells the
answer of another (``similarity/leaks.py``). Training does not get the rejected problems.
"""

from __future__ import annotations

import datetime as dt
import heapq
from collections import defaultdict
from collections.abc import Iterator

from wdw_build.core.config.settings import SplitConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Stage, Trial
from wdw_build.errors import CorpusError
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.records import Problem, Record, Rejection, SplitAssignment, SuppressionDecision
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence, events

_HALVES = ("validation", "test")

Key = tuple[dt.date, str]


def finds_leaks(config: SplitConfig) -> bool:
    """Whether these settings compare the held-out problems with each other, which needs the sentences of their passages."""
    return config.one_per_group


def _recent(context: Context, config: SplitConfig) -> list[Key]:
    """The problems to hold out, latest first. Raises ``CorpusError`` if there are too few strict problems."""
    strict = 0

    def keys() -> Iterator[Key]:
        nonlocal strict
        for decision in context.read("suppress"):
            if decision.strict:
                strict += 1
                yield decision.date, decision.id

    # Memory holds only as many keys as can be held out.
    recent = heapq.nlargest(config.held_out, keys())
    size = min(config.held_out, int(config.max_share * strict))
    if size < 2:
        raise CorpusError(
            f"{strict} strict problems are too few to split: split.max_share = {config.max_share} holds out {size}",
            hint="use a larger corpus, or raise split.max_share",
        )
    return recent[:size]


def _leaking(recent: list[Key], config: SplitConfig, context: Context) -> dict[str, Rejection]:
    """A rejection for all but one problem of each leaking group. Raises ``CorpusError`` if fewer than two problems are left."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.similarity.leaks import leaks, left_out

    ids = sorted(problem for _, problem in recent)
    with context.progress.bar("leaks", None, "problems") as bar:

        def problems() -> Iterator[Problem]:
            for problem in ids:
                bar.advance()
                yield context.find("problems", problem)

        found = leaks(problems, context.port(SENTENCE_SPLITTER).sentences, config.event_days)
        dropped = left_out(found, lambda problem: uniform_hash(context.seed, "leaks", problem))
    if len(ids) - len(dropped) < 2:
        raise CorpusError(
            f"all {len(ids)} problems to hold out belong to one leaking group, of which split.one_per_group keeps one problem",
            hint="raise split.held_out or split.max_share",
        )
    rejections = {}
    for problem, (kept, leak) in dropped.items():
        neighbour = leak.teller if leak.told == problem else leak.told
        through = "" if neighbour == kept else f" through {neighbour}"
        detail = f"{kept}{through}: {leak.relation}: {leak.evidence}"
        rejections[problem] = Rejection(id=problem, reason="in-leaking-group", detail=detail)
    return rejections


def _at_random(ids: list[str], seed: int) -> dict[str, str]:
    """Held-out id -> split, at random."""
    shuffled = sorted(ids, key=lambda problem: (uniform_hash(seed, "split", problem), problem))
    half = (len(shuffled) + 1) // 2
    return {problem: _HALVES[number >= half] for number, problem in enumerate(shuffled)}


def _by_event(held_out: list[EventEvidence], days: int, seed: int) -> dict[str, str]:
    """Held-out id -> split. Each event, the largest first, goes as a whole to the half that is smaller at that point."""
    members: defaultdict[str, list[str]] = defaultdict(list)
    for problem, event in events(held_out, days).items():
        members[event].append(problem)
    halves: tuple[list[str], list[str]] = ([], [])
    draws = {event: uniform_hash(seed, "split", event) for event in members}
    for event in sorted(members, key=lambda event: (-len(members[event]), draws[event], event)):
        ahead = len(halves[0]) - len(halves[1])
        halves[ahead > 0 if ahead else draws[event] < 0.5].extend(members[event])
    if not all(halves):
        raise CorpusError(
            f"all {len(held_out)} problems to hold out belong to one event, which split.by_event keeps in one split",
            hint="raise split.held_out or split.max_share, or lower split.event_days",
        )
    return {problem: split for split, problems in zip(_HALVES, halves, strict=True) for problem in problems}


def run(inputs: Iterator[SuppressionDecision], config: SplitConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the split of every kept problem, or its rejection."""
    recent = _recent(context, config)
    boundary = min(recent)
    leaking = _leaking(recent, config, context) if config.one_per_group else {}
    recent = [key for key in recent if key[1] not in leaking]
    connections = Connections(config.event_days)
    if config.by_event:
        evidence = [event_evidence(context.find("problems", problem)) for _, problem in sorted(recent)]
        for problem_evidence in evidence:
            connections.add(problem_evidence)
        held_out = _by_event(evidence, config.event_days, context.seed)
    else:
        held_out = _at_random([problem for _, problem in recent], context.seed)
    for assigned in _by_date(inputs, boundary, held_out, leaking, config):
        yield _unconnected(assigned, connections, context) if config.by_event else assigned


def _unconnected(
    assigned: SplitAssignment | Rejection, connections: Connections, context: Context
) -> SplitAssignment | Rejection:
    """The assignment, or a rejection of a training problem that is connected with a held-out problem."""
    if isinstance(assigned, Rejection) or assigned.split != "train":
        return assigned
    for other, why in connections.find(event_evidence(context.find("problems", assigned.id))):
        return Rejection(id=assigned.id, reason="connected-with-held-out", detail=f"{other}: {why}")
    return assigned


def _by_date(
    inputs: Iterator[SuppressionDecision],
    boundary: Key,
    held_out: dict[str, str],
    leaking: dict[str, Rejection],
    config: SplitConfig,
) -> Iterator[SplitAssignment | Rejection]:
    """The split of every kept problem by its date; ``boundary`` is the key of the first held-out problem, ``leaking`` included."""
    last_day = boundary[0] - dt.timedelta(days=config.gap_days)
    for decision in inputs:
        if decision.id in held_out:
            yield SplitAssignment(id=decision.id, date=decision.date, level="strict", split=held_out[decision.id])
        elif decision.id in leaking:
            yield leaking[decision.id]
        elif (decision.date, decision.id) > boundary:
            yield Rejection(
                id=decision.id, reason="relaxed-in-held-out-time", detail=f"{decision.date} after {boundary[0]}"
            )
        elif config.gap_days and decision.date > last_day:
            yield Rejection(id=decision.id, reason="within-gap", detail=f"{decision.date}, held out from {boundary[0]}")
        else:
            yield SplitAssignment(
                id=decision.id, date=decision.date, level="strict" if decision.strict else "relaxed", split="train"
            )


STAGE = Stage(
    name="split",
    version=1,
    reads=("suppress", "problems"),
    writes=SplitAssignment,
    config=SplitConfig,
    run=run,
    ports=(SENTENCE_SPLITTER,),
    ports_if={SENTENCE_SPLITTER: finds_leaks},
    scope="set",
    unit="problems",
    funnel=Funnel("in the dataset"),
    trial=Trial(most=0, expected=ExpectedCost(seconds=2e-4)),
    seeded=True,
    summary="Assign problems to training, validation and test by date.",
    reasons={
        "relaxed-in-held-out-time": "a relaxed problem from the held-out time; relaxed problems may only be in training",
        "within-gap": "a training problem closer than split.gap_days to the first held-out day",
        "connected-with-held-out": "a training problem connected with a held-out problem, if split.by_event",
        "in-leaking-group": "another held-out problem of its group is kept: one tells the answer of the other or has its passage",
    },
    decided_by={
        "within-gap": ("gap_days",),
        "connected-with-held-out": ("by_event",),
        "in-leaking-group": ("one_per_group",),
    },
)
