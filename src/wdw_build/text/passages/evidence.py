"""The evidence score: how likely the passage of a problem decides for the answer, and for no other choice.

The event score says that a passage reports the question's event, not that it says who did what: a passage on the same event
may leave two persons possible. The evidence score compares what the passage says of the answer with what it says of the other
choices. A logistic regression over the features was fitted to labelled problems (``docs/explanation/evidence-score.md``). One
feature is a cosine of sentence vectors, rounded so that it does not depend on the processor.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence, Set
from typing import Any, NamedTuple, Protocol

from wdw_build.core.rounding import correctly_rounded
from wdw_build.records import Article, Choice, Question, Span
from wdw_build.text.passages.same_event import Frequencies, likelihood
from wdw_build.text.tokens import words

# Intercept, and the weights of ``Features``; fitted by scripts/fit_evidence.py.
WEIGHTS = (-5.4, 0.65, 4.51, 3.1, -4.21, 0.66, -1.01, 1.14, -0.41)
# Sentences of a choice that the encoder reads: those with the most weight of the question's words.
_READ = 3
# Words on each side of a mention that are near to it; and those beside the blank, without the frequent ones.
_NEAR, _LEFT, _RIGHT, _RARE = 12, 4, 6, 2.0
# Verbs by which a sentence reports what a person said: the one word before the blank, or one of two after it.
_SAYING = frozenset(
    """accused acknowledged added admitted alleged announced argued asked assured believes blasted called claimed condemned
    confirmed congratulated criticized declared denied emphasized explained expressed hopes insisted noted pointed praised
    requested revealed said say says slammed stated stressed suggested thanked thinks told urged vowed warned""".split()
)
_KEPT_ARTICLES, _KEPT_WEIGHTS = 1024, 1 << 16
# More than three times the largest error of a cosine of float32 vectors, in a million pairs of sentences of news.
_ERROR = 1.5e-6


class SentenceVectors(Protocol):
    """Sentence vectors: texts with a similar meaning have a high cosine."""

    def vectors(self, texts: Sequence[str], exact: bool = False) -> list[Any]:
        """The unit vector of each text, a NumPy array of float32. Its last digits depend on the processor and the batch.

        ``exact``: compute with float64, which takes three times as long, to round a number correctly (``core.rounding``).
        """
        ...


class Case(NamedTuple):
    """A problem whose evidence is asked for. ``question`` has one blank."""

    question: Question
    article: Article
    choices: Sequence[Choice]
    answer: int


class Features(NamedTuple):
    """What the score depends on.

    ``mentions``: the logarithm of 1 + the mentions of the answer. ``likeness``: the highest cosine of a sentence that names
    the answer and the question with the name filled in. ``near``: the part of the question's words, by weight, near a mention
    of the answer; ``rival``: near one of another choice. ``sides``: the part of the rarer words beside the blank that stand in
    a sentence with the answer. ``says``: 1 if the question only reports words of the person, which several persons may have said.
    ``asked``: the logarithm of the question's words. ``choices``: the logarithm of the number of choices.
    """

    mentions: float
    likeness: float
    near: float
    rival: float
    sides: float
    says: float
    asked: float
    choices: float


class _Text:
    """The sentences of an article, with their places and their words."""

    def __init__(self, text: str, sentences: Sequence[str]) -> None:
        self._text, self.sentences, self._starts = text, sentences, list[int]()
        at = 0
        for sentence in sentences:
            at = max(text.find(sentence, at), at)
            self._starts.append(at)
            at += len(sentence)

    @functools.cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each sentence."""
        return [frozenset(words(sentence)) for sentence in self.sentences]

    def _sentence(self, mention: Span) -> int:
        return bisect.bisect_right(self._starts, mention.start) - 1

    def naming(self, choice: Choice) -> list[int]:
        """The sentences that name a choice, in order."""
        return sorted(set(map(self._sentence, choice.mentions)))

    def near(self, choice: Choice) -> Iterator[set[str]]:
        """The words near each mention of a choice, in its sentence."""
        for mention in choice.mentions:
            number = self._sentence(mention)
            start = self._starts[number]
            before, after = (
                self._text[start : mention.start],
                self._text[mention.end : start + len(self.sentences[number])],
            )
            yield {*words(before)[-_NEAR:], *words(after)[:_NEAR]}


class _Asked:
    """The words of a question outside of its blank, by their weight, and the rarer ones beside the blank.

    ``says``: whether a verb of saying stands beside the blank. ``length``: the number of words.
    """

    def __init__(self, question: Question, weight: Callable[[str], float]) -> None:
        left, right = words(question.left), words(question.right)
        self._weights = {word: weight(word) for word in (*left, *right)}
        self._total = math.fsum(self._weights.values())
        verb = {*left[-1:], *right[:2]} & _SAYING or left[-2:] == ["according", "to"]
        self.says, self.length = float(bool(verb)), len(left) + len(right)
        self._beside = {word for word in (*left[-_LEFT:], *right[:_RIGHT]) if self._weights[word] > _RARE}
        # The choice's identity -> ``near``.
        self._near: dict[int, float] = {}

    def part(self, in_sentence: Set[str]) -> float:
        """The part of the question's words, by weight, that are among ``in_sentence``."""
        shared = math.fsum([self._weights[word] for word in self._weights.keys() & in_sentence])
        return shared / self._total if self._total else 0.0

    def sides(self, in_sentence: Set[str]) -> float:
        """The part of the rarer words beside the blank that are among ``in_sentence``."""
        return len(self._beside & in_sentence) / len(self._beside) if self._beside else 0.0

    def near(self, choice: Choice, text: _Text) -> float:
        """The largest ``part`` of the words near a mention of a choice."""
        if id(choice) not in self._near:
            self._near[id(choice)] = max(map(self.part, text.near(choice)), default=0.0)
        return self._near[id(choice)]


class _Read:
    """A case with the words of its question and the sentences of its passage. ``pairs``: the texts whose cosines it needs."""

    def __init__(self, case: Case, asked: _Asked, text: _Text) -> None:
        self._case, self._asked, self._text = case, asked, text
        answer, question = case.choices[case.answer], case.question
        self._naming = text.naming(answer)
        # Ties stay in the order of the text, because the sort is stable.
        best = sorted(self._naming, key=lambda number: -asked.part(text.words[number]))[:_READ]
        filled = question.filled(answer.name)
        self.pairs = [(filled, text.sentences[number]) for number in best]

    def features(self, cosines: Sequence[float]) -> Features:
        """The features, with the cosines of ``pairs``."""
        case, answer = self._case, self._case.choices[self._case.answer]
        others = (choice for number, choice in enumerate(case.choices) if number != case.answer)
        return Features(
            mentions=math.log1p(len(answer.mentions)),
            likeness=max(cosines, default=0.0),
            near=self._asked.near(answer, self._text),
            rival=max((self._asked.near(choice, self._text) for choice in others), default=0.0),
            sides=self._asked.sides(set[str]().union(*(self._text.words[number] for number in self._naming))),
            says=self._asked.says,
            asked=math.log1p(self._asked.length),
            choices=math.log(len(case.choices)),
        )


class EvidenceScorer:
    """Scores problems by what their passages say of the choices. ``split`` gives the sentences of a text."""

    def __init__(
        self, encoder: SentenceVectors, split: Callable[[str], Sequence[str]], frequencies: Frequencies
    ) -> None:
        self._encoder = encoder
        self._weight = functools.lru_cache(_KEPT_WEIGHTS)(frequencies.weight)
        self._text = functools.lru_cache(_KEPT_ARTICLES)(lambda article: _Text(article.text, split(article.text)))

    def scores(self, cases: Sequence[Case]) -> list[float]:
        """The score of each problem, in [0, 1]; it does not depend on the other problems."""
        return [likelihood(WEIGHTS, features) for features in self.features(cases)]

    def features(self, cases: Sequence[Case]) -> list[Features]:
        """The features of each problem. The encoder reads the sentences of all of them together.

        Alternatives of a question share it, and alternatives with a passage share its choices: each is read once.
        """
        questions = {id(case.question): case.question for case in cases}
        by_question = {key: _Asked(question, self._weight) for key, question in questions.items()}
        readings = [_Read(case, by_question[id(case.question)], self._text(case.article)) for case in cases]
        cosines = iter(rounded_cosines(self._encoder, [pair for case in readings for pair in case.pairs]))
        return [case.features([next(cosines) for _ in case.pairs]) for case in readings]


def rounded_cosines(encoder: SentenceVectors, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The cosine of each pair of texts, correctly rounded to ``core.rounding.DECIMALS`` decimals."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    import numpy as np

    def cosines(pairs: Sequence[tuple[str, str]], exact: bool) -> list[float]:
        texts = list(dict.fromkeys(itertools.chain.from_iterable(pairs)))
        vectors = {
            text: vector.astype(np.float64) for text, vector in zip(texts, encoder.vectors(texts, exact), strict=True)
        }
        return [float(vectors[first] @ vectors[second]) for first, second in pairs]

    return correctly_rounded(
        cosines(pairs, exact=False), _ERROR, lambda numbers: cosines([pairs[number] for number in numbers], exact=True)
    )


def cosines_with(encoder: SentenceVectors, text: str, others: Sequence[str]) -> list[float]:
    """The rounded cosine of a text and each of the others."""
    return rounded_cosines(encoder, [(text, other) for other in others])
