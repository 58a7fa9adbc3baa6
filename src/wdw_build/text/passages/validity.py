"""The tests of a candidate passage: ``is_valid`` of Algorithm 2, and the article filters.

``Validity.refusal`` runs the cheapest tests first and stops at the first failure. The article filters run before the paper's
tests on sentences.
"""

from __future__ import annotations

import functools
from collections import Counter

from wdw_build.core.rule import Rule
from wdw_build.records import Question
from wdw_build.text.names.name import parse
from wdw_build.text.passages import article_filters
from wdw_build.text.passages.passage_text import (
    NGRAM,
    PassageText,
    Run,
    share_of,
    side_runs,
    spellings,
    word_hashes,
)
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import words

# In the order of the tests.
RULES = {
    "no-other-person": Rule(
        "the candidate passage does not name another person in the question",
        ("require_other_person",),
        looser={"require_other_person": False},
    ),
    **article_filters.RULES,
    "sentence-overlap": Rule(
        "a sentence of the passage shares more than retrieve.max_sentence_overlap of its words with the question",
        ("max_sentence_overlap",),
    ),
    "left-context": Rule("the candidate passage contains, in order, the five words left of the blank"),
    "right-context": Rule("the candidate passage contains, in order, the five words right of the blank"),
    "reprint": Rule(
        "the candidate passage reprints the question's article: the two share too many 8-grams",
        ("refuse_reprints",),
    ),
}
# The share of 8-grams, and of the shorter text, that make an article a reprint.
_REPRINT = 0.3
# Words of the parts of n-grams that are compared first; their hashes are one number of 32 bits.
_PART = 4


class SentenceTests:
    """The tests that are the same for all blanks of a question; the results of each article are kept."""

    def __init__(self, sentence: str, question_article: PassageText, options: RetrieveConfig) -> None:
        """``sentence`` is the question's, with the deleted name; ``question_article`` is the article that it is from."""
        self._options, self._question_article = options, question_article
        self._bag = Counter(words(sentence))
        self._marks = bytes(map(set(word_hashes(self._bag)).__contains__, range(256)))
        self._overlaps: dict[PassageText, tuple[int, str]] = {}
        self._shares: dict[PassageText, float] = {}

    def overlap(self, text: PassageText) -> tuple[int, str]:
        """The first sentence that shares too many words with the question, and the evidence; else the number of sentences."""
        if text not in self._overlaps:
            self._overlaps[text] = self._overlap(text)
        return self._overlaps[text]

    def _overlap(self, text: PassageText) -> tuple[int, str]:
        most, bounds = self._options.max_sentence_overlap, text.bounds
        # The number of marked words is an upper bound of the shared words.
        for number in text.sentences_with_marked(self._marks):
            sentence = text.words[bounds[number] : bounds[number + 1]]
            share = share_of(sentence, self._bag)
            if share > most:
                return number, f"{share:.2f}: {' '.join(sentence)[:200]}"
        return len(bounds) - 1, ""

    @functools.cached_property
    def _grams(self) -> set[Run]:
        # Computed on first use: most candidates are refused by an earlier test.
        return self._question_article.grams()

    @functools.cached_property
    def _parts(self) -> set[int]:
        hashes = self._question_article.hashes
        return {part for start in range(_PART) for part in _aligned_parts(hashes[start:])}

    def reprint_share(self, text: PassageText) -> float:
        """The share of 8-grams that the article has in common with the question's article."""
        if text not in self._shares:
            self._shares[text] = text.reprint_share(self._grams) if self._may_have_gram(text.hashes) else 0.0
        return self._shares[text]

    def _may_have_gram(self, hashes: bytes) -> bool:
        """Whether the hashes of an article have 8 in order in common with the question's article."""
        # Of any 8 words in order, 4 begin at a multiple of 4, so only 8-grams around such a part in common are looked up.
        own, parts = self._question_article.hashes, _aligned_parts(hashes)
        if self._parts.isdisjoint(parts):
            return False
        places = [_PART * number for number, part in enumerate(parts) if part in self._parts]
        starts = (start for place in places for start in range(max(0, place + _PART - NGRAM), place + 1))
        return any(hashes[start : start + NGRAM] in own for start in starts)


def _aligned_parts(hashes: bytes) -> memoryview:
    """The hashes of each ``_PART`` words in order, as one number."""
    return memoryview(hashes[: len(hashes) // _PART * _PART]).cast("I")


class Validity:
    """The tests of one question with one blank. ``question_article`` is the article that the question was made from."""

    def __init__(
        self,
        question: Question,
        question_article: PassageText,
        options: RetrieveConfig,
        shared: SentenceTests | None = None,
    ) -> None:
        """``shared`` are the tests that this blank has in common with the question's other blanks."""
        self._options = options
        self._shared = shared or SentenceTests(question.sentence, question_article, options)
        left, right = side_runs(words(question.left), words(question.right))
        self._sides = [
            (rule, run, word_hashes(run)) for rule, run in (("left-context", left), ("right-context", right)) if run
        ]
        self._others = [other.text for other in question.others]
        words_of_others = frozenset(word for other in self._others for word in parse(other).core)
        self._spellings = frozenset[frozenset[str]]().union(*map(spellings, words_of_others))

    @functools.cached_property
    def other_words(self) -> frozenset[str]:
        """The search words of the other persons' names. If that is tested, a passage must contain one with a capital."""
        return frozenset[str]().union(*self._spellings)

    @functools.cached_property
    def _no_other_person(self) -> tuple[str, str]:
        return "no-other-person", "; ".join(self._others)

    def refusal_without_other_words(self) -> tuple[str, str] | None:
        """The refusal of every article whose ``capitalised_words`` contain none of ``other_words``; None if it is not refused."""
        return self._no_other_person if self.requires_other_person else None

    @property
    def requires_other_person(self) -> bool:
        """Whether a passage must name another person of the question. A question may have none (``questions.min_persons``)."""
        return self._options.require_other_person and bool(self._others)

    def refusal(self, text: PassageText, has_other_word: bool = False) -> tuple[str, str]:
        """The first rule that refuses the article, and the words that broke the rule; or two empty strings.

        With ``has_other_word``, a search found the article by ``other_words``, so that they are not searched for again.
        """
        # This test is the cheapest and refuses the most.
        if self.requires_other_person and not self._names_other_person(text, has_other_word):
            return self._no_other_person
        if text.filtered[0]:
            return text.filtered
        if refusal := self._sentence_refusal(text):
            return refusal
        if self._options.refuse_reprints:
            share = self._shared.reprint_share(text)
            if share >= _REPRINT:
                return "reprint", f"{share:.2f} of the 8-grams"
        return "", ""

    @functools.cached_property
    def _found_exactly(self) -> bool:
        # A search finds the articles with either part of "Ki-moon".
        return all(len(spelling) == 1 for spelling in self._spellings)

    def _names_other_person(self, text: PassageText, has_other_word: bool) -> bool:
        if has_other_word and self._found_exactly:
            return True
        return any(spelling <= text.capitalised_words for spelling in self._spellings)

    def _sentence_refusal(self, text: PassageText) -> tuple[str, str] | None:
        """The refusal of the first sentence that breaks a rule; of the rules that it breaks, the first."""
        stop, evidence = self._shared.overlap(text)
        refusal = ("sentence-overlap", evidence) if evidence else None
        for rule, run, hashes in self._sides:
            if (number := text.sentence_with(run, hashes, stop)) < stop:
                stop, refusal = number, (rule, " ".join(run))
        return refusal
