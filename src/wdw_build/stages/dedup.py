"""dedup: removes near-duplicate questions (paper, section 2), and problems that people or a model found faulty.

If questions share most of their words, the earliest question by (date, id) is kept, whatever the order of the input. The
join is exact: no two kept questions reach the threshold. Duplicates of a faulty problem are removed, too: nobody has
examined them, and most faults of a question recur in its duplicates.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from wdw_build.core.rule import Rule
from wdw_build.core.section import Section
from wdw_build.core.stage import Context, Stage, Step
from wdw_build.core.store import jsonl
from wdw_build.ports import FAULTY_PROBLEMS
from wdw_build.records import ProblemAlternatives, Record, Rejection
from wdw_build.text.tokens import words


class DedupConfig(Section, frozen=True):
    """Near-duplicate questions."""

    threshold: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.8
    """Drop a question if it and a kept one have at least this share of the shorter one's words in common."""


WORDS, SORT, PAIRS, DECIDE = "words", "sort", "pairs", "decide"
_KEYS, _REJECTED = "keys.json", "rejected.jsonl"

# The day of a question (proleptic Gregorian ordinal) and its id, by which questions are ordered.
Key = tuple[int, str]


def _write_words(problems: Iterator[ProblemAlternatives], config: DedupConfig, context: Context) -> None:
    """Write the keys and the words of a shard's questions."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.similarity.bags import Bags, Vocabulary, write_bags

    keys: list[Key] = []
    bags = Bags(Vocabulary())
    for problem in problems:
        keys.append((problem.date.toordinal(), problem.id))
        bags.add(words(problem.question.sentence))
    (context.folder / _KEYS).write_bytes(msgspec.json.encode(keys))
    write_bags(context.folder, bags)


def _sort(inputs: Iterator[Any], config: DedupConfig, context: Context) -> None:
    """Write the words of all questions as ranks by frequency, the rarest word of a question first."""
    from wdw_build.similarity.bags import joined, read_bags
    from wdw_build.similarity.overlaps import by_rarity, sort

    bags = joined(map(read_bags, context.results(WORDS)))
    sort(bags, by_rarity(bags)).write(context.folder)


def _partitions(problems: int) -> int:
    from wdw_build.similarity.joins import partitions

    return partitions(problems)


def _find_pairs(numbers: Iterator[int], config: DedupConfig, context: Context) -> None:
    """Write the near-duplicates that one partition of the join finds."""
    from wdw_build.similarity.joins import similar_pairs, write_pairs
    from wdw_build.similarity.overlaps import PostingBlock, Sorted

    bags = Sorted.read(context.results(SORT)[0])
    for number in numbers:
        part = PostingBlock(number, _partitions(len(bags)))
        write_pairs(context.folder, similar_pairs(bags, config.threshold, part))


def _decide(inputs: Iterator[Any], config: DedupConfig, context: Context) -> None:
    """Write the rejections of near-duplicates and of faulty problems."""
    from wdw_build.similarity.joins import greedy, read_pairs

    keys: list[Key] = []
    for folder in context.results(WORDS):
        keys.extend(msgspec.json.decode((folder / _KEYS).read_bytes(), type=list[Key]))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    rejections = (
        Rejection(id=keys[number][1], reason="duplicate-question", detail=keys[earlier][1])
        for number, earlier in greedy(read_pairs(context.results(PAIRS)), order).items()
    )
    reasons = context.port(FAULTY_PROBLEMS).reasons()
    known = {name for _, name in keys}
    if absent := sorted(reasons.keys() - known):
        context.progress.say(
            f"dedup: {len(absent)} of {len(reasons)} faulty problems do not occur, such as {absent[0]} "
            "(corpus.faulty_problems)"
        )
    faulty = (Rejection(id=name, reason="faulty", detail=reasons[name]) for name in sorted(known & reasons.keys()))
    with (context.folder / _REJECTED).open("wb") as stream:
        stream.writelines(map(jsonl.encode, chain(rejections, faulty)))


@functools.lru_cache(maxsize=1)
def _rejected(folder: Path) -> dict[str, Rejection]:
    """The rejections by id; each process reads them once."""
    return {rejection.id: rejection for rejection in jsonl.read(folder / _REJECTED, Rejection)}


def run(inputs: Iterator[ProblemAlternatives], config: DedupConfig, context: Context) -> Iterator[Record | Rejection]:
    """Drop near-duplicate questions, and problems that people or a model found faulty."""
    rejected = _rejected(context.results(DECIDE)[0])
    for problem in inputs:
        rejection = rejected.get(problem.id)
        yield problem if rejection is None else rejection


STAGE = Stage(
    name="dedup",
    version=3,
    reads=("choices",),
    writes=ProblemAlternatives,
    config=DedupConfig,
    run=run,
    ports=(FAULTY_PROBLEMS,),
    # The steps in one piece are partitions, too, because their files are not part of the output.
    steps=(
        Step(WORDS, _write_words, over="choices", unit="problems"),
        Step(SORT, _sort, over=1),
        Step(PAIRS, _find_pairs, over=_partitions, unit="partitions"),
        Step(DECIDE, _decide, over=1),
    ),
    reasons={
        "faulty": Rule("a corpus.faulty_problems file lists the problem"),
        "duplicate-question": Rule(
            "the question and an earlier kept question share at least dedup.threshold of the shorter one's words",
            ("threshold",),
        ),
    },
)
