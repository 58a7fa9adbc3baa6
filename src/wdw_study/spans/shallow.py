"""The adversary that needs no trained reader: candidate spans of the passage, ranked by a log-linear model.

The candidates are the phrases, names and numbers of the sentences nearest to the question. As in the log-linear baseline
of Rajpurkar et al. (2016, section 5.2), the candidates are constituents and the features are overlap, type and syntax;
here the features are dense, and a sentence encoder adds similarity.

The weights in ``weights.json`` were fitted by ``scripts/fit_span_adversary.py`` to 3,029 questions of SQuAD 1.1 (Rajpurkar et
al. 2016, CC BY-SA 4.0): 2,500 of twelve articles of its training part, and 529 of twenty articles of its development part, as
XQuAD (Artetxe et al. 2020) publishes them. No text of SQuAD is in this package.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from wdw_build.api import (
    ANNOTATOR,
    DECIMALS,
    SENTENCE_ENCODER,
    SENTENCE_SPLITTER,
    Annotator,
    Backends,
    SentenceSplitter,
    SpanAnswer,
    TextEncoder,
    cosines_with,
    digest,
    lm_token_spans,
)
from wdw_build.reading.words import stem
from wdw_build.records import Tokens
from wdw_study.spans.reading import (
    KINDS,
    Asked,
    AskedFor,
    Candidate,
    Place,
    Role,
    Sentence,
    analyse,
    conjuncts,
    place_of,
    verb_of,
)

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
    sentences: Sequence[Sentence], question: AskedFor, cosines_of: Callable[[str, Sequence[str]], Sequence[float]]
) -> Ranked:
    """The candidates of the sentences that are nearest to the question, with their features.

    ``cosines_of`` returns the cosine of a text and each of several others.
    """
    weight = weights_of_stems(sentences)
    total = math.fsum(weight(word) for word in question.stems) or 1.0
    overlaps = [math.fsum(map(weight, question.stems.intersection(sentence.stems))) / total for sentence in sentences]
    cosines = cosines_of(question.text, [sentence.text for sentence in sentences])
    near = [round(overlap + cosine, DECIMALS) for overlap, cosine in zip(overlaps, cosines, strict=True)]
    nearest = sorted(sorted(range(len(sentences)), key=lambda place: (-near[place], place))[:READ])
    in_nearest = [candidate.text for number in nearest for candidate in sentences[number].candidates]
    focus_cosines = iter(cosines_of(question.focus or question.text, in_nearest))
    places, rows = [], []
    for number in nearest:
        before = max(0, number - 1)
        evidence = (
            overlaps[number], max(overlaps) - overlaps[number], cosines[number], max(cosines) - cosines[number],
            overlaps[before], cosines[before],
        )  # fmt: skip
        reader = _SentenceReader(sentences[number], number, question, weight, total)
        for candidate in sentences[number].candidates:
            places.append((number, candidate))
            rows.append(np.array([*evidence, *reader.features(candidate, next(focus_cosines))]))
    return Ranked(places, np.array(rows).reshape(len(rows), len(NAMES)))


class _SentenceReader:
    """Features of the candidates of one sentence for one question."""

    def __init__(
        self, sentence: Sentence, number: int, question: AskedFor, weight: Callable[[str], float], total: float
    ) -> None:
        self._sentence, self._number, self._asked = sentence, number, question
        self._weight, self._total = weight, total
        self._matched = [(place, word) for place, word in enumerate(sentence.stems) if word in question.stems]
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
        sentence, question = self._sentence, self._asked
        verb = verb_of(belongs_to)
        matches = verb is not None and sentence.stems[verb.start] in question.stems
        before = sentence.words[candidate.start - 1].casefold() if candidate.start else ""
        head = sentence.stems[candidate.end - 1]
        return [
            self._overlap_in(candidate, ("S", "VP", "SBAR")),
            self._overlap_in(candidate, ("NP",)),
            focus_cosine,
            float(bool(head) and head in map(stem, question.focus.split())),
            float(matches and place == "subject" and question.role != "object"),
            float(matches and place == "object" and question.role == "object"),
            float(before == "by" and question.asked in ("who", "organisation", "noun")),
            float(before in _PLACE_PREPOSITIONS and question.asked in ("where", "when")),
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


# ---- the adversary ---------------------------------------------------------------------------------------------------

_WEIGHTS = Path(__file__).with_name("weights.json")
_KEPT_PASSAGES = 64
# Longer sentences are cut, and later sentences are not read, so that the time of an answer is bounded.
_MOST_TOKENS, _MOST_SENTENCES = 120, 60


class ShallowAdversary:
    """``SpanAdversary`` by a log-linear ranking of candidate spans. Passages are parsed once and kept."""

    def __init__(
        self,
        annotator: Annotator,
        splitter: SentenceSplitter,
        encoder: TextEncoder,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        """``weights``: feature -> weight; None for the fitted ones."""
        weights = msgspec.json.decode(_WEIGHTS.read_bytes(), type=dict[str, float]) if weights is None else weights
        self._annotator, self._splitter, self._encoder = annotator, splitter, encoder
        self._cosines = functools.partial(cosines_with, encoder)
        self._weights = np.array([weights.get(name, 0.0) for name in NAMES])
        self._weights_hash = digest(weights)[:16]
        self._read = functools.lru_cache(_KEPT_PASSAGES)(lambda passage: read_passage(passage, annotator, splitter))

    @property
    def identity(self) -> str:
        """Version and weights, and the identities of the annotator, the sentence splitter and the encoder."""
        models = f"{self._annotator.identity}; {self._splitter.identity}; {self._encoder.identity}"
        return f"shallow spans 2, weights {self._weights_hash}; {models}"

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """The best candidate, and its probability under the model as the score."""
        sentences, analysed = self._read(passage), analyse(question)
        ranked = rank(sentences, analysed, self._cosines)
        if not ranked.places:
            return SpanAnswer((), 0.0)
        # The last digits of the scores depend on the processor, and so would the first of equal ones.
        scores = (ranked.rows @ self._weights).round(DECIMALS)
        best = int(scores.argmax())
        probability = round(float(1 / np.exp(scores - scores[best]).sum()), DECIMALS)
        return SpanAnswer(_spans(sentences, analysed, ranked, best), probability)

    def ranked(self, passage: str, question: str) -> Ranked:
        """The candidates with their features, to fit the weights."""
        return rank(self._read(passage), analyse(question), self._cosines)


def read_passage(passage: str, annotator: Annotator, splitter: SentenceSplitter) -> list[Sentence]:
    """The sentences of a passage with names and trees."""
    tokens = []
    for text in splitter.sentences(passage):
        if spans := tuple(lm_token_spans(text)[:_MOST_TOKENS]):
            tokens.append(Tokens(text=text, words=tuple(text[start:end] for start, end in spans), spans=spans))
    tokens = tokens[:_MOST_SENTENCES]
    parts = zip(tokens, annotator.names(tokens), annotator.trees(tokens), strict=True)
    return [Sentence(sentence.text, sentence.words, sentence.spans, names, tree) for sentence, names, tree in parts]


def _spans(sentences: Sequence[Sentence], question: AskedFor, ranked: Ranked, best: int) -> tuple[str, ...]:
    """The best candidate; if the question asks for several, the phrases that are coordinated with it, each a span."""
    number, candidate = ranked.places[best]
    ranges = conjuncts(candidate) if question.plural else ()
    if not ranges:
        return (candidate.text,)
    sentence = sentences[number]
    return tuple(sentence.text[sentence.spans[start][0] : sentence.spans[end - 1][1]] for start, end in ranges)


def shallow_adversary(backends: Backends, settings: Mapping[str, Any]) -> ShallowAdversary:
    """The adversary with the backends that a configuration names: an entry point of ``wdw_build.span_adversaries``."""
    return ShallowAdversary(backends.get(ANNOTATOR), backends.get(SENTENCE_SPLITTER), backends.get(SENTENCE_ENCODER))
