"""Leaks: no held-out problem tells the answer of another, and every problem that was left out is connected with a kept one.

Two held-out problems leak if the passage of one holds the question of the other, if the question of one tells the answer of
the other, or if both have the same passage. Sentence boundaries and names are ambiguous, so there are two readings. The
certain reading, for the kept problems, compares only sentences that every splitter finds and only names that are equal; it
counts only long words that are surely not function words, titles or reporting words. The possible reading, for the problems
that were left out, takes every run of pieces of a paragraph as a sentence and every possibly identifying token as a name.

Sentences are compared with questions through an index with prefix filtering (``duplicates.py``): if a question has m of the
n words of a sentence, it has k of any n - m + k of them. The rarest are looked up.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain

from wdw_build.core.config.settings import SplitConfig
from wdw_build.records import Problem, Rejection, SplitAssignment
from wdw_build.verify.checks.duplicates import Bags
from wdw_build.verify.checks.events import sure
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import CheckRecorder, Recorders
from wdw_build.verify.words import (
    MAYBE_NOT_IDENTIFYING,
    cautious_pieces,
    name_words,
    possibly_identifying,
    sure_sentences,
    surely_identifying,
    words,
)

REASON = "in-leaking-group"
_RELATIONS = ("shared-passage", "question-in-passage", "answer-told")
_MOST_OVERLAP, _FEWEST_WORDS = 0.78, 5
_EPSILON = 1e-9
_SHARED_CONTENT_WORDS = 2
# The k of the module's docstring.
_SHARED_RARE = 3
_CERTAIN_LENGTH, _POSSIBLE_LENGTH = 8, 4
_STOP_INSIDE = re.compile(r"[.?!].*\w", re.DOTALL)
# Longer words that may say nothing about an event: function words, occupations, parties and words of any news.
MAYBE_EMPTY = MAYBE_NOT_IDENTIFYING | frozenset(
    """
    yourself ourselves yourselves themselves somebody something anything everybody everyone everything whatever whenever
    wherever whichever whomever together therefore moreover meanwhile nevertheless otherwise underneath throughout
    although alongside announced according reported thursday wednesday saturday tomorrow yesterday architect astronaut
    chairwoman economist explorer deckhand defenseman diplomat engineer filmmaker fireman fisherman guitarist journalist
    mechanic musician philosopher playwright quarterback reporter schoolteacher scientist sculptor violinist republican
    republicans democrat democrats democratic candidate candidates nominees
    """.split()
)


def _content(problem: Problem, length: int) -> set[str]:
    """The words of the sentence, of at least this many letters, that are not of a name."""
    question = problem.question
    names = {word for mention in (question.name, *question.others) for word in words(mention.text)}
    return {word for word in words(question.sentence) if len(word) >= length and word not in names}


def _names(problem: Problem) -> list[str]:
    """The names of the answer: as a choice, and as it was deleted."""
    answer = [problem.choices[problem.answer].name] if 0 <= problem.answer < len(problem.choices) else []
    return [*answer, problem.question.name.text]


# ---- the certain reading ---------------------------------------------------------------------------------------------


def _certainly_tells(told: Problem, teller: Problem) -> bool:
    """Whether the question of ``teller`` has the full name of the answer, a further person and content words of ``told``."""
    full = [name_words(name) for name in _names(told)]
    if any(name != full[0] for name in full) or not surely_identifying(_names(told)[0]):
        return False
    if all(name_words(other.text) != full[0] for other in teller.question.others):
        return False
    own = {word for other in told.question.others for word in sure(other.text)} - set(full[0])
    named = {word for name in (teller.question.name, *teller.question.others) for word in sure(name.text)}
    shared = (_content(told, _CERTAIN_LENGTH) & _content(teller, _CERTAIN_LENGTH)) - MAYBE_EMPTY
    return bool(own & named) and len(shared) >= _SHARED_CONTENT_WORDS


class _Sentences:
    """An index of the held-out questions by the words of their sentences, to find them in passages."""

    def __init__(self, problems: dict[str, Problem]) -> None:
        self._numbers = Bags()
        self._questions: list[tuple[str, frozenset[int], set[str]]] = []
        self._holders: defaultdict[int, list[int]] = defaultdict(list)
        for position, (name, problem) in enumerate(problems.items()):
            deleted = problem.question.name.text
            bag = frozenset(self._numbers.bag(problem.question.sentence))
            self._questions.append((name, bag, set(words(deleted)) & surely_identifying(deleted)))
            for word in bag:
                self._holders[word].append(position)

    def held(self, passage: str) -> Iterator[str]:
        """The ids of the questions whose sentence, with the deleted name, stands in the passage under every splitter."""
        for stretch in sure_sentences(passage):
            bag = self._numbers.bag(stretch)
            if len(bag) >= _FEWEST_WORDS and not _STOP_INSIDE.search(stretch):
                yield from self._like(bag, set(words(stretch)))

    def _like(self, bag: tuple[int, ...], tokens: set[str]) -> Iterator[str]:
        least = int(_MOST_OVERLAP * len(bag) + _EPSILON) + 1
        shared = min(_SHARED_RARE, least)
        rare = sorted(bag, key=lambda word: (len(self._holders.get(word, ())), word))[: len(bag) - least + shared]
        hits = Counter(chain.from_iterable(self._holders.get(word, ()) for word in rare))
        for position in sorted(position for position, count in hits.items() if count >= shared):
            name, question, deleted = self._questions[position]
            if len(question.intersection(bag)) >= least and not deleted.isdisjoint(tokens):
                yield name


def _certain_leaks(problems: dict[str, Problem], days: int) -> Iterator[tuple[str, str, str]]:
    """(told, teller, relation) for every pair of problems that leak in every reading."""
    by_passage: defaultdict[str, list[str]] = defaultdict(list)
    by_person: defaultdict[tuple[str, int], list[str]] = defaultdict(list)
    for name, problem in problems.items():
        by_passage[problem.passage.article].append(name)
        for other in problem.question.others:
            by_person[" ".join(name_words(other.text)), problem.date.toordinal()].append(name)
    for article, names in by_passage.items():
        yield from ((told, names[0], "shared-passage") for told in names[1:])
        yield from ((article, teller, "question-in-passage") for teller in names if article in problems)
    for told, problem in problems.items():
        answer, day = " ".join(name_words(_names(problem)[0])), problem.date.toordinal()
        near = (by_person.get((answer, day + distance), ()) for distance in range(-days, days + 1))
        for teller in chain.from_iterable(near):
            if teller != told and _certainly_tells(problem, problems[teller]):
                yield told, teller, "answer-told"
    sentences = _Sentences(problems)
    for names in by_passage.values():
        for told in sentences.held(problems[names[0]].passage.text):
            yield from ((told, teller, "question-in-passage") for teller in names if teller != told)


# ---- the possible reading --------------------------------------------------------------------------------------------


def _possibly_holds(told: Problem, teller: Problem) -> bool:
    """Whether some run of pieces of the passage is most of the question and has a token of the deleted name."""
    if teller.passage.article == told.id:
        return True
    bag, names = Counter(words(told.question.sentence)), set(words(told.question.name.text))
    return any(
        len(run) >= _FEWEST_WORDS
        and (Counter(run) & bag).total() > _MOST_OVERLAP * len(run) - _EPSILON
        and not names.isdisjoint(run)
        for paragraph in teller.passage.text.split("\n\n")
        for run in _runs([words(piece) for piece in cautious_pieces(paragraph)])
    )


def _runs(pieces: Sequence[list[str]]) -> Iterator[list[str]]:
    """The words of every run of consecutive pieces."""
    for start in range(len(pieces)):
        run: list[str] = []
        for piece in pieces[start:]:
            run = run + piece
            yield run


def _possibly_tells(told: Problem, teller: Problem, days: int) -> bool:
    question = teller.question
    outside = f"{question.left} {question.right}"
    tokens = set(words(outside)) | set(name_words(outside)) | set(name_words(outside.replace("-", " ")))
    named = any(possibly_identifying(name) & tokens for name in _names(told))
    own = {word for other in told.question.others for word in possibly_identifying(other.text)}
    persons = {word for name in (question.name, *question.others) for word in possibly_identifying(name.text)}
    shared = _content(told, _POSSIBLE_LENGTH) & _content(teller, _POSSIBLE_LENGTH)
    return (
        named
        and bool(own & persons)
        and len(shared) >= _SHARED_CONTENT_WORDS
        and abs((told.date - teller.date).days) <= days
    )


def _possible(relation: str, one: Problem, other: Problem, days: int) -> bool:
    """Whether the relation may hold between two problems, in either direction."""
    if relation == "shared-passage":
        return one.passage.article == other.passage.article
    directions = ((one, other), (other, one))
    if relation == "question-in-passage":
        return any(_possibly_holds(told, teller) for told, teller in directions)
    return relation == "answer-told" and any(_possibly_tells(told, teller, days) for told, teller in directions)


def may_leak(one: Problem, other: Problem, days: int) -> bool:
    """Whether any relation may hold between two problems."""
    return any(_possible(relation, one, other, days) for relation in _RELATIONS)


# ---- the checks ------------------------------------------------------------------------------------------------------


def check(
    files: RunFiles,
    placed: dict[str, SplitAssignment],
    dropped: list[Rejection],
    config: SplitConfig,
    recorders: Recorders,
) -> None:
    """Check that the held-out problems do not leak, and the problems that were left out."""
    held_out = {name for name, assignment in placed.items() if assignment.split != "train"}
    wanted = held_out.union(rejection.id for rejection in dropped)
    problems = {problem.id: problem for problem in files.records("problems", Problem) if problem.id in wanted}
    kept = {name: problem for name, problem in problems.items() if name in held_out}
    recorders["held-out-leaks"].count(len(kept))
    for told, teller, relation in _certain_leaks(kept, config.event_days):
        recorders["held-out-leaks"].fail(told, f"is in a leaking group with {teller}: {relation}")
    _check_dropped(problems, kept, dropped, config.event_days, recorders["split-rejections"])


def _check_dropped(
    problems: dict[str, Problem], kept: dict[str, Problem], dropped: list[Rejection], days: int, recorder: CheckRecorder
) -> None:
    """Each rejection names a kept problem, and a problem that is connected with it at the same kept problem."""
    named = {rejection.id: _named(rejection) for rejection in dropped if rejection.id in problems}
    for name, (group, neighbour, relation) in named.items():
        if group not in kept:
            recorder.fail(name, f"names {group!r}, which is not a held-out problem")
        elif not _leads_to(group, name, named):
            recorder.fail(name, f"is connected with {group} through {neighbour!r}, which is not in its group")
        elif not _possible(relation, problems[name], problems[neighbour], days):
            recorder.fail(name, f"is not in the relation {relation!r} with {neighbour}")


def _leads_to(group: str, name: str, named: dict[str, tuple[str, str, str]]) -> bool:
    """Whether the neighbours lead from a problem to the kept problem of the group, and all name that problem."""
    seen: set[str] = set()
    while name != group:
        if name in seen or name not in named or named[name][0] != group:
            return False
        seen.add(name)
        name = named[name][1]
    return True


def _named(rejection: Rejection) -> tuple[str, str, str]:
    """The kept problem, the neighbour and the relation that the detail of a rejection names."""
    head, _, rest = rejection.detail.partition(": ")
    group, _, neighbour = head.partition(" through ")
    return group, neighbour or group, rest.partition(": ")[0]
