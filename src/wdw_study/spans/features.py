"""Features of a candidate answer, from which the shallow adversary ranks it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from wdw_build.api import DECIMALS
from wdw_build.reading.words import stem
from wdw_study.spans.passage import KINDS, Candidate, Place, Sentence, place_of, verb_of
from wdw_study.spans.question import Asked, AskedFor, Role

Floats = npt.NDArray[np.float64]
# Sentences whose candidates are ranked: those nearest to the question.
READ = 6
_ASKED, _ROLES, _PLACES = get_args(Asked), get_args(Role), get_args(Place)
_NUMERIC = (
    "overlap", "overlap below the best", "cosine", "cosine below the best", "earlier overlap", "earlier cosine",
    "of the question", "all of the question", "nearness", "best nearness", "length", "one word", "long", "name",
    "clause overlap", "phrase overlap", "focus cosine", "focus word", "verb, subject", "verb, object", "by", "in",
    "first sentence", "noun phrase", "verb phrase", "prepositional phrase", "leaf", "determiner", "named before",
    "part of a name", "after the question", "whole noun phrase", "pronoun beside",
)  # fmt: skip
NAMES = (
    *_NUMERIC,
    *(f"{asked}: {kind}" for asked in _ASKED for kind in KINDS),
    *(f"{role} question: {place}" for role in _ROLES for place in _PLACES),
)
_PLACE_PREPOSITIONS = frozenset("in at near from to on".split())
_PRONOUNS = frozenset("he she his her him they their it its".split())


class Ranked(NamedTuple):
    """The candidates of a passage for one question, with a row of features each (``NAMES``)."""

    places: list[tuple[int, Candidate]]
    """Index of the sentence, and the candidate."""
    rows: Floats


def weights_of_stems(sentences: Sequence[Sentence]) -> Callable[[str], float]:
    """The inverse sentence frequency of a stem in a passage: log(1 + N / n), and that of a stem in no sentence."""
    counts = Counter(word for sentence in sentences for word in set(sentence.stems) if word)
    return lambda word: math.log1p(len(sentences) / (counts[word] + 0.5))


def rank(
    sentences: Sequence[Sentence], asked: AskedFor, cosines_of: Callable[[str, Sequence[str]], Sequence[float]]
) -> Ranked:
    """The candidates of the sentences that are nearest to the question, with their features.

    ``cosines_of`` returns the cosine of a text and each of several others.
    """
    weight = weights_of_stems(sentences)
    total = math.fsum(weight(word) for word in asked.stems) or 1.0
    overlaps = [math.fsum(map(weight, asked.stems.intersection(one.stems))) / total for one in sentences]
    cosines = cosines_of(asked.text, [one.text for one in sentences])
    near = [round(overlap + cosine, DECIMALS) for overlap, cosine in zip(overlaps, cosines, strict=True)]
    nearest = sorted(sorted(range(len(sentences)), key=lambda place: (-near[place], place))[:READ])
    in_nearest = [candidate.text for number in nearest for candidate in sentences[number].candidates]
    focus_cosines = iter(cosines_of(asked.focus or asked.text, in_nearest))
    places, rows = [], []
    for number in nearest:
        before = max(0, number - 1)
        evidence = (
            overlaps[number], max(overlaps) - overlaps[number], cosines[number], max(cosines) - cosines[number],
            overlaps[before], cosines[before],
        )  # fmt: skip
        reader = _SentenceReader(sentences[number], number, asked, weight, total)
        for candidate in sentences[number].candidates:
            places.append((number, candidate))
            rows.append(np.array([*evidence, *reader.features(candidate, next(focus_cosines))]))
    return Ranked(places, np.array(rows).reshape(len(rows), len(NAMES)))


class _SentenceReader:
    """Features of the candidates of one sentence for one question."""

    def __init__(
        self, sentence: Sentence, number: int, asked: AskedFor, weight: Callable[[str], float], total: float
    ) -> None:
        self._sentence, self._number, self._asked = sentence, number, asked
        self._weight, self._total = weight, total
        self._matched = [(place, word) for place, word in enumerate(sentence.stems) if word in asked.stems]
        self._has_pronoun = any(word.casefold() in _PRONOUNS for word in sentence.words)

    def features(self, candidate: Candidate, focus_cosine: float) -> list[float]:
        """The features after the evidence of the sentence, in the order of ``NAMES``."""
        place, belongs_to = place_of(candidate.node)
        length = candidate.end - candidate.start
        return [
            *self._shared(candidate),
            math.log(length),
            float(length == 1),
            max(0, length - 5) / 5,
            float(candidate.is_name),
            *self._syntax(candidate, focus_cosine, place, belongs_to),
            *self._form(candidate),
            *_one_of([(asked, kind) for asked in _ASKED for kind in KINDS], (self._asked.asked, candidate.kind)),
            *_one_of([(role, other) for role in _ROLES for other in _PLACES], (self._asked.role, place)),
        ]

    def _shared(self, candidate: Candidate) -> list[float]:
        """The share of the candidate's words that the question has, and the nearness of the question's other words."""
        inside = [word for word in self._sentence.stems[candidate.start : candidate.end] if word]
        shared = sum(word in self._asked.stems for word in inside) / max(1, len(inside))
        distances = [
            (max(candidate.start - place, place - candidate.end + 1), word)
            for place, word in self._matched
            if not candidate.start <= place < candidate.end
        ]
        near = math.fsum(self._weight(word) / (1 + distance) for distance, word in distances)
        best = max((1 / distance for distance, _ in distances), default=0.0)
        return [shared, float(shared == 1.0), 3 * near / self._total, best]

    def _syntax(self, candidate: Candidate, focus_cosine: float, place: Place, belongs_to: Any) -> list[float]:
        sentence, asked = self._sentence, self._asked
        verb = verb_of(belongs_to)
        matches = verb is not None and sentence.stems[verb.start] in asked.stems
        before = sentence.words[candidate.start - 1].casefold() if candidate.start else ""
        head = sentence.stems[candidate.end - 1]
        return [
            self._overlap_in(candidate, ("S", "VP", "SBAR")),
            self._overlap_in(candidate, ("NP",)),
            focus_cosine,
            float(bool(head) and head in map(stem, asked.focus.split())),
            float(matches and place == "subject" and asked.role != "object"),
            float(matches and place == "object" and asked.role == "object"),
            float(before == "by" and asked.asked in ("who", "organisation", "noun")),
            float(before in _PLACE_PREPOSITIONS and asked.asked in ("where", "when")),
        ]

    def _form(self, candidate: Candidate) -> list[float]:
        node, sentence = candidate.node, self._sentence
        names = sentence.names
        within = any(
            name.start <= candidate.start and candidate.end <= name.end and name.end - name.start > candidate.end - candidate.start
            for name in names
        )  # fmt: skip
        phrase = node.label == "NP" and (node.parent is None or node.parent.label != "NP")
        last = max((place for place, _ in self._matched), default=-1)
        return [
            float(self._number == 0),
            float(node.label == "NP"),
            float(node.label in ("VP", "S", "SBAR")),
            float(node.label == "PP"),
            float(node.is_leaf),
            float(sentence.leaves[candidate.start].label in ("DT", "PRP$")),
            float(any(name.end <= candidate.start for name in names)),
            float(within),
            float(candidate.start > last),
            float(phrase),
            float(self._has_pronoun and candidate.kind == "PERSON"),
        ]

    def _overlap_in(self, candidate: Candidate, labels: tuple[str, ...]) -> float:
        """The share of the question's words in the smallest phrase of such a label around the candidate."""
        node = candidate.node.parent
        while node is not None and not (
            node.label in labels and (node.start, node.end) != (candidate.start, candidate.end)
        ):
            node = node.parent
        if node is None:
            return 0.0
        shared = {word for place, word in self._matched if node.start <= place < node.end}
        return math.fsum(map(self._weight, shared)) / self._total


def _one_of(values: Sequence[tuple[str, str]], value: tuple[str, str]) -> list[float]:
    return [float(other == value) for other in values]
