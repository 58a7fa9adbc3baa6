"""Leaks between problems: one problem of the dataset tells the answer of another, or both have the same passage.

Three relations, each with its evidence:

- ``question-in-passage``: the passage of one problem has a sentence with the deleted name of the other, and more than 78%
  of the sentence's words are in the other's question (the first test of ``is_valid``); or that passage is the very article
  of the question. The join over all sentences and questions is exact (``similarity.joins``).
- ``answer-told``: the question of one problem names the answer of the other and is about the same event
  (``text.passages.connections``).
- ``shared-passage``: both problems have the same passage. Each problem is paired with the one before it by id, so that
  the number of pairs stays linear; the groups are the same.

``overlaps`` counts what the splits of a dataset have in common: passages, persons of one event, and leaks.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import NamedTuple

import msgspec

from wdw_build.records import Passage, Problem
from wdw_build.text.names.name import is_identifying
from wdw_build.text.passages.connections import Connections, ToldAnswers, event_evidence
from wdw_build.text.tokens import words

QUESTION_IN_PASSAGE, ANSWER_TOLD, SHARED_PASSAGE = "question-in-passage", "answer-told", "shared-passage"
# The bounds of ``is_valid`` (retrieve.max_sentence_overlap, retrieve.min_sentence_words).
_MOST_OVERLAP, _FEWEST_WORDS = 0.78, 5
# Passages whose sentences are in memory at a time.
_PASSAGES_TOGETHER = 1 << 12
_SHOWN_CHARACTERS = 200

# Streams the problems from the start at every call.
Problems = Callable[[], Iterable[Problem]]
# The sentences of a text.
Sentences = Callable[[str], Sequence[str]]
# What two problems of a split, or of two splits, have in common.
KINDS = {
    "passage": "both problems have the same passage",
    "connected": "they share an article, or two persons within split.event_days",
    QUESTION_IN_PASSAGE: "the other passage has the question's sentence with the deleted name",
    ANSWER_TOLD: "the other question names the answer and is about the same event",
}


class Leak(NamedTuple):
    """The ids of two problems and their relation: ``teller`` tells the answer of ``told``, or has the same passage."""

    told: str
    teller: str
    relation: str
    evidence: str


def leaks(problems: Problems, sentences: Sentences, days: int) -> Iterator[Leak]:
    """Every leak among the problems; ``days``: the most days between two questions about one event. Pairs may repeat."""
    yield from questions_in_passages(problems, problems, sentences)
    yield from told_answers(problems, problems, days)
    yield from shared_passages(problems())


class _Questions:
    """The questions as bags of words, with the ids and the words of the deleted names, by position.

    ``tellers``: article of a passage -> the problems with this passage.
    """

    def __init__(self, told: Iterable[Problem], tellers: Iterable[Problem]) -> None:
        self.ids: list[str] = []
        self.names: list[frozenset[str]] = []
        self.tellers: defaultdict[str, list[str]] = defaultdict(list)
        # NumPy is slow to import, and commands that only print what is stored must answer at once.
        from wdw_build.similarity.bags import Bags, Vocabulary
        from wdw_build.similarity.joins import SentenceFinder

        bags = Bags(Vocabulary())
        for problem in told:
            self.ids.append(problem.id)
            self.names.append(frozenset(filter(is_identifying, words(problem.question.name.text))))
            bags.add(words(problem.question.sentence))
        for problem in tellers:
            self.tellers[problem.passage.article].append(problem.id)
        self.finder = SentenceFinder(_MOST_OVERLAP, bags)

    def found_in(self, passages: Sequence[Passage], sentences: Sentences) -> Iterator[tuple[str, str, str]]:
        """(id of the question, article of the passage, sentence) for every sentence that is a question's."""
        bags, tokenised = self.finder.sentences(), list[tuple[str, list[str]]]()
        for passage in passages:
            for tokens in map(words, sentences(passage.text)):
                if len(tokens) >= _FEWEST_WORDS:
                    bags.add(tokens)
                    tokenised.append((passage.article, tokens))
        for sentence, question in self.finder.pairs(bags):
            article, tokens = tokenised[sentence]
            if not self.names[question].isdisjoint(tokens):
                yield self.ids[question], article, " ".join(tokens)[:_SHOWN_CHARACTERS]


def questions_in_passages(told_problems: Problems, tellers: Problems, sentences: Sentences) -> Iterator[Leak]:
    """Every question of ``told_problems`` whose sentence, with the deleted name, stands in the passage of one of ``tellers``.

    Both may be the same problems. Reads ``tellers`` twice.
    """
    questions = _Questions(told_problems(), tellers())
    for told in questions.ids:
        for teller in questions.tellers.get(told, ()):
            yield Leak(told, teller, QUESTION_IN_PASSAGE, f"the passage is the article {told}")
    passages = _distinct_passages(tellers())
    while batch := list(islice(passages, _PASSAGES_TOGETHER)):
        for told, article, sentence in questions.found_in(batch, sentences):
            for teller in questions.tellers[article] if article != told else ():
                if teller != told:
                    yield Leak(told, teller, QUESTION_IN_PASSAGE, sentence)


def _distinct_passages(problems: Iterable[Problem]) -> Iterator[Passage]:
    seen: set[str] = set()
    for problem in problems:
        if problem.passage.article not in seen:
            seen.add(problem.passage.article)
            yield problem.passage


def told_answers(told_problems: Problems, tellers: Problems, days: int) -> Iterator[Leak]:
    """Every answer of ``told_problems`` that the question of one of ``tellers`` tells. Both may be the same problems."""
    index = ToldAnswers(days)
    for problem in told_problems():
        index.add(problem)
    for teller in tellers():
        for told, evidence in sorted(dict(index.find(teller)).items()):
            yield Leak(told, teller.id, ANSWER_TOLD, evidence)


def shared_passages(problems: Iterable[Problem]) -> Iterator[Leak]:
    """Problems with the same passage, each paired with the one before it by id."""
    by_passage: defaultdict[str, list[str]] = defaultdict(list)
    for problem in problems:
        by_passage[problem.passage.article].append(problem.id)
    for article, ids in sorted(by_passage.items()):
        for teller, told in pairwise(sorted(ids)):
            yield Leak(told, teller, SHARED_PASSAGE, article)


def left_out(connections: Iterable[Leak], rank: Callable[[str], float]) -> dict[str, tuple[str, Leak]]:
    """Problem -> (the kept problem of its group, the leak that connects it), for all but one problem of each group.

    A group is a set of problems that leaks connect, directly or through others; the problem with the lowest (rank, id) is
    kept. The leak of a problem is the last one on a shortest path from the kept problem.
    """
    near: defaultdict[str, set[tuple[str, Leak]]] = defaultdict(set)
    for leak in connections:
        near[leak.told].add((leak.teller, leak))
        near[leak.teller].add((leak.told, leak))
    dropped: dict[str, tuple[str, Leak]] = {}
    kept_problems: set[str] = set()
    for problem in sorted(near, key=lambda problem: (rank(problem), problem)):
        if problem in dropped:
            continue
        kept_problems.add(problem)
        reached = deque([problem])
        while reached:
            for other, leak in sorted(near[reached.popleft()]):
                if other not in dropped and other not in kept_problems:
                    dropped[other] = problem, leak
                    reached.append(other)
    return dropped


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
