"""The sliding-window baseline for free questions (Rajpurkar et al. 2016, section 5.1), to measure adversaries against."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from wdw_build.ports import Annotator, SentenceSplitter, SpanAnswer
from wdw_build.reading.matching import best_windows, distances
from wdw_build.reading.words import PassageWords, ProblemWords, normalised
from wdw_build.text.tokens import lm_tokens
from wdw_study.spans.shallow import read_passage


class SlidingWindowAdversary:
    """``SpanAdversary``: of the phrases whose sentence shares most words and pairs with the question, the best window."""

    identity = "sliding window with distance"

    def __init__(self, annotator: Annotator, splitter: SentenceSplitter) -> None:
        self._annotator, self._splitter = annotator, splitter

    def answer(self, passage: str, question: str) -> SpanAnswer:
        """See ``SpanAdversary.answer``."""
        sentences = read_passage(passage, self._annotator, self._splitter)
        asked = normalised(lm_tokens(question))
        texts = [normalised(sentence.words) for sentence in sentences]
        overlaps = [_overlap(asked, words) for words in texts]
        spans = [
            candidate.text
            for sentence, overlap in zip(sentences, overlaps, strict=True)
            if overlap == max(overlaps)
            for candidate in sentence.candidates
        ]
        if not spans:
            return SpanAnswer((), 0.0)
        words = ProblemWords(asked, PassageWords(texts), [normalised(lm_tokens(span)) for span in spans])
        pairs = zip(best_windows(words), distances(words), strict=True)
        scores = [window - distance for window, distance in pairs]
        return SpanAnswer((spans[scores.index(max(scores))],), 1 / len(spans))


def _overlap(question: Sequence[str], sentence: Sequence[str]) -> int:
    """The number of words and of pairs of neighbours that a sentence shares with the question."""
    pairs = set(pairwise(question)) & set(pairwise(sentence))
    return len(set(question) & set(sentence)) + len(pairs)
