"""dedup: removes near-duplicate questions, and problems over the caps (paper, section 2: similar questions removed).

If questions share most of their words, the earliest question by (date, id) is kept, whatever the order of the input. The
join is exact: no two kept questions reach the threshold. Then the caps limit the problems with one passage, event or answer;
problems with the highest event scores are kept.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wdw_build.core.config.settings import DedupConfig
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Partitions, Stage, Step, Trial
from wdw_build.core.store import jsonl
from wdw_build.records import Problem, Record, Rejection
from wdw_build.text.tokens import words

# NumPy is slow to import, and commands that run no stage must answer at once.
if TYPE_CHECKING:
    from wdw_build.similarity.caps import Drop, Groups
    from wdw_build.stages.dedup.facts import Facts

FACTS, SORT, PAIRS, DECIDE = "facts", "sort", "pairs", "decide"
_REJECTED = "rejected.jsonl"


def _write_facts(problems: Iterator[Problem], config: DedupConfig, context: Context) -> None:
    """Write the words of a shard's questions, and what the caps need to know."""
    from wdw_build.similarity.bags import Bags, Vocabulary, write_bags
    from wdw_build.stages.dedup.facts import Facts

    facts, bags = Facts(), Bags(Vocabulary())
    for problem in problems:
        facts.add(problem)
        bags.add(words(problem.question.sentence))
    facts.write(context.folder)
    write_bags(context.folder, bags)


def _sort(inputs: Iterator[Any], config: DedupConfig, context: Context) -> None:
    """Write the words of all questions as ranks by frequency, the rarest word of a question first."""
    from wdw_build.similarity.bags import joined, read_bags
    from wdw_build.similarity.overlaps import by_rarity, sort

    bags = joined(map(read_bags, context.results(FACTS)))
    sort(bags, by_rarity(bags)).write(context.folder)


def _partitions(problems: int) -> Partitions:
    from wdw_build.similarity.joins import partitions

    return Partitions(partitions(problems))


def _find_pairs(numbers: Iterator[int], config: DedupConfig, context: Context) -> None:
    """Write the near-duplicates that one partition of the join finds."""
    from wdw_build.similarity.joins import similar_pairs, write_pairs
    from wdw_build.similarity.overlaps import Part, Sorted

    bags = Sorted.read(context.results(SORT)[0])
    for number in numbers:
        part = Part(number, _partitions(len(bags)).count)
        write_pairs(context.folder, similar_pairs(bags, config.threshold, part))


def _decide(inputs: Iterator[Any], config: DedupConfig, context: Context) -> None:
    """Write the rejections of near-duplicates and of problems over a cap."""
    from wdw_build.stages.dedup.facts import Facts

    facts = Facts()
    for folder in context.results(FACTS):
        facts.extend(folder)
    rejected = _duplicates(facts, context.results(PAIRS))
    rejected.update(_capped(facts, config, rejected))
    with (context.folder / _REJECTED).open("wb") as stream:
        stream.writelines(map(jsonl.encode, rejected.values()))


def _duplicates(facts: Facts, pairs: tuple[Path, ...]) -> dict[int, Rejection]:
    from wdw_build.similarity.joins import greedy, read_pairs

    keys = facts.keys
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return {
        number: Rejection(id=keys[number][1], reason="duplicate-question", detail=keys[earlier][1])
        for number, earlier in greedy(read_pairs(pairs), order).items()
    }


def _capped(facts: Facts, config: DedupConfig, rejected: dict[int, Rejection]) -> Iterator[tuple[int, Rejection]]:
    """The problems over a cap, among those that are not rejected yet."""
    from wdw_build.similarity.caps import Limits, drops

    limits = Limits(config.max_per_passage, config.max_per_event, config.max_per_answer, config.min_answer_cap)
    if not limits:
        return
    remaining = (number for number in range(len(facts.keys)) if number not in rejected)
    order = sorted(remaining, key=lambda number: (facts.ranks[number], facts.keys[number]))
    groups = facts.entries.groups()
    for number, drop in drops(order, groups, limits).items():
        detail = _detail(number, drop, facts, groups)
        yield number, Rejection(id=facts.keys[number][1], reason=drop.reason, detail=detail)


def _detail(number: int, drop: Drop, facts: Facts, groups: Groups) -> str:
    """The kept problem of the same event, or the person over the cap; the passage is in the problem itself."""
    if drop.other >= 0:
        return facts.keys[drop.other][1]
    return groups.name(number) if drop.reason == "answer-cap" else ""


@functools.lru_cache(maxsize=1)
def _rejected(folder: Path) -> dict[str, Rejection]:
    """The rejections by id; each process reads them once."""
    return {rejection.id: rejection for rejection in jsonl.read(folder / _REJECTED, Rejection)}


def run(inputs: Iterator[Problem], config: DedupConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield every problem, or its rejection: over a cap, or with a near-duplicate of an earlier question."""
    rejected = _rejected(context.results(DECIDE)[0])
    for problem in inputs:
        rejection = rejected.get(problem.id)
        yield problem if rejection is None else rejection


STAGE = Stage(
    name="dedup",
    version=2,
    reads=("choices",),
    writes=Problem,
    config=DedupConfig,
    run=run,
    # The steps in one piece are partitions, too, because their files are not part of the output.
    before=(
        Step(FACTS, _write_facts, over="choices", unit="problems"),
        Step(SORT, _sort, over=Partitions(1)),
        Step(PAIRS, _find_pairs, over=_partitions, unit="partitions"),
        Step(DECIDE, _decide, over=Partitions(1)),
    ),
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
