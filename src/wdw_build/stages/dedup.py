"""dedup: removes near-duplicate questions, and problems over the caps (paper, section 2: similar questions removed).

If questions share most of their words, the earliest question by (date, id) is kept, whatever the order of the input. The
join is exact: no two kept questions reach the threshold. Then the caps limit the problems with one passage, event or answer;
problems with the highest event scores are kept.
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

# NumPy is slow to import, and commands that run no stage must answer at once.
if TYPE_CHECKING:
    from wdw_build.similarity.bags import Bags
    from wdw_build.similarity.caps import Drop, Entries, Groups


# Event scores have four decimals; a smaller random term decides between equal scores.
_DRAW_WEIGHT = 1e-5


def rank(problem: Problem) -> float:
    """A sort key: the caps keep problems with a lower rank first.

    The highest event score comes first; a hash of the id decides between equal scores, and problems without a score come
    last. An order by date would remove frequent persons from the last days, which are held out. The hash does not depend
    on the seed, because with another seed the language model of ``baselines`` would have to be estimated again.
    """
    return _DRAW_WEIGHT * uniform_hash(0, "dedup", problem.id) - (problem.event_score or 0.0)


class _Input:
    """The facts about every problem that the stage holds in memory, by position in the input."""

    def __init__(self, context: Context) -> None:
        from wdw_build.similarity.bags import Bags, Vocabulary
        from wdw_build.similarity.caps import Entries

        self.keys: list[tuple[int, str]] = []
        self.ranks = array("d")
        # A list of one element, so that ``_duplicates`` can free the memory before the caps need it.
        self.bags: list[Bags] = [Bags(Vocabulary())]
        self.entries: Entries = Entries()
        for problem in context.read("choices"):
            self.keys.append((problem.date.toordinal(), problem.id))
            self.ranks.append(rank(problem))
            self.bags[0].add(words(problem.question.sentence))
            self.entries.add(problem)


def _duplicates(problems: _Input, threshold: float) -> dict[int, Rejection]:
    from wdw_build.similarity.joins import duplicates

    order = sorted(range(len(problems.keys)), key=problems.keys.__getitem__)
    return {
        number: Rejection(id=problems.keys[number][1], reason="duplicate-question", detail=problems.keys[earlier][1])
        for number, earlier in duplicates(problems.bags.pop(), threshold, order).items()
    }


def _capped(problems: _Input, config: DedupConfig, rejected: dict[int, Rejection]) -> Iterator[tuple[int, Rejection]]:
    """The problems over a cap, among those that are not rejected yet."""
    from wdw_build.similarity.caps import Limits, drops

    limits = Limits(config.max_per_passage, config.max_per_event, config.max_per_answer, config.min_answer_cap)
    if not limits:
        return
    remaining = (number for number in range(len(problems.keys)) if number not in rejected)
    order = sorted(remaining, key=lambda number: (problems.ranks[number], problems.keys[number]))
    groups = problems.entries.groups()
    for number, drop in drops(order, groups, limits).items():
        detail = _detail(number, drop, problems, groups)
        yield number, Rejection(id=problems.keys[number][1], reason=drop.reason, detail=detail)


def _detail(number: int, drop: Drop, problems: _Input, groups: Groups) -> str:
    """The kept problem of the same event, or the person over the cap; the passage is in the problem itself."""
    if drop.other >= 0:
        return problems.keys[drop.other][1]
    return groups.name(number) if drop.reason == "answer-cap" else ""


def _dropped(context: Context, config: DedupConfig) -> dict[str, Rejection]:
    problems = _Input(context)
    rejected = _duplicates(problems, config.threshold)
    rejected.update(_capped(problems, config, rejected))
    return {rejection.id: rejection for rejection in rejected.values()}


def run(inputs: Iterator[Problem], config: DedupConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield every problem, or its rejection: over a cap, or with a near-duplicate of an earlier question."""
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
        "duplicate-question": "an earlier kept question shares at least dedup.threshold of the words of the shorter question",
        "passage-cap": "dedup.max_per_passage problems with the same passage are already kept",
        "event-cap": "dedup.max_per_event problems of the same event with the same answer are already kept",
        "answer-cap": "dedup.max_per_answer problems with the same answer are already kept",
    },
    decided_by={
        "duplicate-question": ("threshold",),
        "passage-cap": ("max_per_passage",),
        "event-cap": ("max_per_event",),
        "answer-cap": ("max_per_answer",),
    },
)
