"""What the splits of a dataset have in common: passages, persons of one event, and problems that reveal other answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

import msgspec

from wdw_build.similarity.leaks import (
    ANSWER_TOLD,
    QUESTION_IN_PASSAGE,
    Problems,
    Sentences,
    questions_in_passages,
    told_answers,
)
from wdw_build.text.passages.connections import Connections, event_evidence

KINDS = {
    "passage": "both problems have the same passage",
    "connected": "they share an article, or two persons within split.event_days",
    QUESTION_IN_PASSAGE: "the other passage has the question's sentence with the deleted name",
    ANSWER_TOLD: "the other question names the answer and is about the same event",
}


class Overlap(msgspec.Struct, frozen=True, kw_only=True):
    """Problems of a split that have something in common with another problem of the same or of another split."""

    kind: str
    """`passage` (the same passage), `connected` (an article or two persons in common), `question-in-passage` or `answer-told`
    (the other problem reveals the answer)."""
    split: str
    """The split of the problems."""
    other: str
    """The split of the other problems."""
    problems: int
    """Number of problems in `split` for which `other` has such a problem."""
    example: tuple[str, str]
    """A problem of `split` and the other problem, by id."""


def overlaps(problems: Problems, split_of: Mapping[str, str], sentences: Sentences, days: int) -> tuple[Overlap, ...]:
    """Every overlap that occurs, by kind, split and other split.

    ``problems`` streams the problems of the dataset several times; ``split_of`` maps their ids to splits that do not overlap;
    ``sentences`` splits a text; ``days`` is ``split.event_days``.
    """
    by_splits: defaultdict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    leaks = chain(questions_in_passages(problems, problems, sentences), told_answers(problems, problems, days))
    pairs = chain(_shared(problems, days), ((leak.relation, leak.told, leak.teller) for leak in leaks))
    for kind, problem, other in pairs:
        others = by_splits[kind, split_of[problem], split_of[other]]
        others[problem] = min(other, others.get(problem, other))
    order = list(KINDS)
    return tuple(
        Overlap(kind=kind, split=split, other=other, problems=len(others), example=min(others.items()))
        for (kind, split, other), others in sorted(
            by_splits.items(), key=lambda pair: (order.index(pair[0][0]), pair[0][1], pair[0][2])
        )
    )


def _shared(problems: Problems, days: int) -> Iterator[tuple[str, str, str]]:
    """(kind, problem, other problem) of problems with the same passage, and of connected problems."""
    connections, by_passage = Connections(days), defaultdict[str, list[str]](list)
    for problem in problems():
        connections.add(event_evidence(problem))
        by_passage[problem.passage.article].append(problem.id)
    for problem in problems():
        for other in by_passage[problem.passage.article]:
            if other != problem.id:
                yield "passage", problem.id, other
        for other, _ in connections.find(event_evidence(problem)):
            if other != problem.id:
                yield "connected", problem.id, other
