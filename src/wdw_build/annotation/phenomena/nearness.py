"""How near each sentence of a passage is to the question with its blank."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from wdw_build.ports import SentenceSplitter
from wdw_build.records import Problem, Question, Span
from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.tokens import words

_BLANK = "someone"

Vectors = Callable[[str], Any]


# The weight of a word halves at this many words from the blank.
_HALF = 8


class NearSentence(NamedTuple):
    """A sentence of a passage with its nearness to the question."""

    span: Span
    """The sentence's characters in the passage."""
    text: str
    overlap: float
    """Weighted share of the question's words that the sentence has."""
    cosine: float
    """Cosine of the sentence vectors of question and sentence."""

    @property
    def nearness(self) -> float:
        """Overlap and cosine together, at most 2."""
        return self.overlap + self.cosine


def sentence_spans(passage: str, splitter: SentenceSplitter) -> list[Span]:
    """The characters of each sentence of a passage."""
    return list(_spans(passage, splitter.sentences(passage)))


def _spans(passage: str, sentences: Sequence[str]) -> Iterator[Span]:
    end = 0
    for sentence in sentences:
        start = passage.index(sentence, end)
        end = start + len(sentence)
        yield Span(start=start, end=end)


def near_sentences(problem: Problem, spans: Sequence[Span], vector: Vectors) -> list[NearSentence]:
    """The sentences of a problem's passage, in order.

    A content word of the question weighs its inverse sentence frequency in the passage, and less the further it is from
    the blank. The names of the choices count in neither text. For the cosine, `someone` is in the blank.
    """
    passage, question = problem.passage.text, problem.question
    names = frozenset(word for choice in problem.choices for word in words(choice.name))
    texts = [passage[span.start : span.end] for span in spans]
    bags = [frozenset(words(text)) for text in texts]
    weights = _weights(question, bags, names)
    total = math.fsum(weights.values()) or 1.0
    own = vector(f"{question.left}{_BLANK}{question.right}")
    return [
        NearSentence(
            span,
            text,
            math.fsum(weight for word, weight in weights.items() if word in bag) / total,
            float(vector(text) @ own),
        )
        for span, text, bag in zip(spans, texts, bags, strict=True)
    ]


def _weights(question: Question, bags: Sequence[frozenset[str]], names: frozenset[str]) -> dict[str, float]:
    """The weight of each content word of the question, without the names."""
    counts = Counter(word for bag in bags for word in bag)
    weights: dict[str, float] = {}
    for side in (reversed(words(question.left)), words(question.right)):
        for distance, word in enumerate(side):
            if word not in STOP_WORDS and word not in names:
                rarity = math.log1p(len(bags) / (counts[word] + 0.5))
                weights[word] = max(weights.get(word, 0.0), rarity / (1 + distance / _HALF))
    return weights
