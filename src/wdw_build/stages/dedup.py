"""dedup: of questions that share most of their words, the earliest is kept (paper, section 2: similar questions removed).

Exact: no two kept questions reach the threshold. The order is (date, id), so that the outcome does not depend on the
input's. Then caps drop problems of a passage, an event or an answer that has many; they keep those with the highest event
scores.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from wdw_build.core.config.settings import DedupConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Stage, Trial
from wdw_build.records import Problem, Record, Rejection
from wdw_build.text.tokens import words

# Not loaded where they are not used: numpy is slow to import, and commands that run nothing must answer at once.
if TYPE_CHECKING:
    from wdw_build.similarity.bags import Bags
    from wdw_build.similarity.caps import Drop, Entries, Groups


# Event scores have four decimals: a draw below the last of them decides between equal ones.
_DRAW_WEIGHT = 1e-5


def rank(problem: Problem) -> float:
    """Where a problem stands in the order in which the caps keep problems, the lowest first.

    The highest event score first; equal ones, and those without a score, by a draw. By date, the caps would take a person
    out of the last days, which are held out. The draw does not depend on the seed: another seed would make the language
    model of ``baselines`` anew.
    """
    return _DRAW_WEIGHT * uniform_hash(0, "dedup", problem.id) - (problem.event_score or 0.0)


class _Input:
    """What is held of every problem, by its position in the input."""

    def __init__(self, context: Context) -> None:
        from wdw_build.similarity.bags import Bags, Vocabulary
        from wdw_build.similarity.caps import Entries

        self.keys: list[tuple[int, str]] = []
        self.ranks = array("d")
        # Taken away when the duplicates are known, so that their memory serves the caps.
        self.bags: list[Bags] = [Bags(Vocabulary())]
        self.entries: Entries = Entries()
        for problem in context.read("choices"):
            self.keys.append((problem.date.toordinal(), problem.id))
            self.ranks.append(rank(problem))
            self.bags[0].add(words(problem.question.sentence))
            self.entries.add(problem)


def _duplicates(read: _Input, threshold: float) -> dict[int, Rejection]:
    from wdw_build.similarity.joins import duplicates

    order = sorted(range(len(read.keys)), key=read.keys.__getitem__)
    return {
        at: Rejection(id=read.keys[at][1], reason="duplicate-question", detail=read.keys[other][1])
        for at, other in duplicates(read.bags.pop(), threshold, order).items()
    }


def _capped(read: _Input, config: DedupConfig, without: dict[int, Rejection]) -> Iterator[tuple[int, Rejection]]:
    """The problems over a cap, of those that are no duplicates."""
    from wdw_build.similarity.caps import Limits, drops

    limits = Limits(config.max_per_passage, config.max_per_event, config.max_per_answer, config.min_answer_cap)
    if not limits:
        return
    left = (at for at in range(len(read.keys)) if at not in without)
    order = sorted(left, key=lambda at: (read.ranks[at], read.keys[at]))
    groups = read.entries.groups()
    for at, why in drops(order, groups, limits).items():
        yield at, Rejection(id=read.keys[at][1], reason=why.reason, detail=_detail(at, why, read, groups))


def _detail(at: int, why: Drop, read: _Input, groups: Groups) -> str:
    """The kept problem of the same event, or the person who has enough problems; a passage says itself which one it is."""
    if why.other >= 0:
        return read.keys[why.other][1]
    return groups.name(at) if why.reason == "answer-cap" else ""


def _dropped(context: Context, config: DedupConfig) -> dict[str, Rejection]:
    read = _Input(context)
    found = _duplicates(read, config.threshold)
    found.update(_capped(read, config, found))
    return {rejection.id: rejection for rejection in found.values()}


def run(inputs: Iterator[Problem], config: DedupConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield every problem whose question is no near-duplicate of an earlier one, and which is over no cap."""
    dropped = _dropped(context, config)
    for problem in inputs:
        rejection = dropped.get(problem.id)
        yield problem if rejection is None else rejection


STAGE = Stage(
    name="dedup",
    version=2,
    reads=("choices",),
    writes=Problem,
    config=DedupConfig,
    run=run,
    scope="set",
    unit="problems",
    funnel=Funnel("different problems", key="after_dedup"),
    trial=Trial(most=0, expected=ExpectedCost(seconds=1e-3, share=0.95)),
    summary="Drop near-duplicate questions, and problems over the caps on passages, events and answers.",
    reasons={
        "duplicate-question": "an earlier kept question shares dedup.threshold of the shorter one's words",
        "passage-cap": "dedup.max_per_passage problems with the same passage are already kept",
        "event-cap": "dedup.max_per_event problems of the same event with the same answer are already kept",
        "answer-cap": "dedup.max_per_answer problems with the same answer are already kept",
    },
)
