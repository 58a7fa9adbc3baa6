"""Words for systems that match words: normalised tokens, stems, bags of words, cosine similarity, closed word classes."""

from __future__ import annotations

import functools
import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from wdw_build.reading import ReadingProblem
from wdw_build.records import unpack_spans
from wdw_build.text.function_words import STOP_WORDS


@functools.lru_cache(maxsize=1 << 16)
def normalise(token: str) -> str:
    """The token casefolded, with straight apostrophes; empty if it has neither letters nor digits."""
    if token.isalnum():
        return token.casefold()
    return token.casefold().replace("’", "'") if any(map(str.isalnum, token)) else ""


def normalised(tokens: Iterable[str]) -> list[str]:
    """The normalised tokens in order, without punctuation."""
    return [word for word in map(normalise, tokens) if word]


@dataclass(frozen=True)
class Bag:
    """A bag of words."""

    counts: Counter[str]
    norm: float
    """Euclidean length of the vector of counts."""


def bag(words: Iterable[str]) -> Bag:
    """The words with their counts."""
    counts = Counter(words)
    return Bag(counts, math.sqrt(sum(count * count for count in counts.values())))


def cosine(left: Bag, right: Bag) -> float:
    """Cosine of the angle between two vectors of counts, 0 to 1; 0 if either bag is empty."""
    if not left.norm or not right.norm:
        return 0.0
    return dot(left.counts, right.counts) / (left.norm * right.norm)


def dot(left: Counter[str], right: Counter[str]) -> int:
    """The dot product of two vectors of counts."""
    small, large = sorted((left, right), key=len)
    return sum(count * large[word] for word, count in small.items() if word in large)


def inverse_counts(passage: Sequence[str]) -> Mapping[str, float]:
    """IC(w) = log(1 + 1/C(w)) for the count C(w) of each word in the passage."""
    return {word: math.log1p(1 / count) for word, count in Counter(passage).items()}


class PassageWords:
    """The normalised words of a passage, in the forms that systems compare. Each form is computed on first use."""

    def __init__(self, sentences: Sequence[Sequence[str]]) -> None:
        """``sentences``: the words of each sentence."""
        self.sentences = sentences

    @functools.cached_property
    def all(self) -> list[str]:
        """The words of all sentences, in order."""
        return [word for sentence in self.sentences for word in sentence]

    @functools.cached_property
    def bags(self) -> list[Bag]:
        """The bag of each sentence."""
        return [bag(sentence) for sentence in self.sentences]

    @functools.cached_property
    def weights(self) -> Mapping[str, float]:
        """The inverse count of each word."""
        return inverse_counts(self.all)

    @functools.cached_property
    def places(self) -> Mapping[str, list[int]]:
        """The indices at which each word occurs, in order."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for index, word in enumerate(self.all):
            places[word].append(index)
        return dict(places)


class PassageTokens:
    """The tokens of a passage and their words."""

    def __init__(self, passage: str, layout: tuple[int, ...], sentence_starts: tuple[int, ...]) -> None:
        """The parts of a ``ReadingProblem`` with these names."""
        self.spans = unpack_spans(layout)
        self.tokens = [passage[start:end] for start, end in self.spans]
        self.normalised = [normalise(token) for token in self.tokens]
        """The normalised word of each token; empty for punctuation."""
        self.sentences = list(pairwise((*sentence_starts, len(self.tokens))))
        """The range [first, last) of tokens of each sentence."""
        self.words = PassageWords([list(filter(None, self.normalised[first:last])) for first, last in self.sentences])

    @functools.cached_property
    def stems(self) -> list[str]:
        """The stem of each content word; empty for other tokens."""
        return content_stems(self.normalised)

    @functools.cached_property
    def stem_weights(self) -> Mapping[str, float]:
        """The inverse count of each stem."""
        return inverse_counts([word for word in self.stems if word])


# The alternatives of an article follow each other, and many of them have the same passage.
_tokens_of = functools.lru_cache(maxsize=16)(PassageTokens)


def read_passage(problem: ReadingProblem) -> PassageTokens:
    """The tokens of a problem's passage and their words."""
    return _tokens_of(problem.passage, problem.token_layout, problem.sentence_starts)


@dataclass(frozen=True)
class ProblemWords:
    """The normalised words of a problem. The blank is not a word of the question."""

    question: list[str]
    passage: PassageWords
    choices: list[list[str]]
    """The words of each choice's name."""


def problem_words(problem: ReadingProblem) -> ProblemWords:
    """The normalised words of a problem."""
    question = [token for index, token in enumerate(problem.question_tokens) if index != problem.blank]
    return ProblemWords(
        question=normalised(question),
        passage=read_passage(problem).words,
        choices=[normalised(choice.tokens) for choice in problem.choices],
    )


_VOWELS = frozenset("aeiouy")
_LEAST_STEM = 2
# The first suffix that fits is replaced.
_SUFFIXES = (
    ("'s", ""),
    ("’s", ""),
    ("ies", "y"),
    ("ied", "y"),
    *((f"{sound}es", sound) for sound in ("ss", "sh", "ch", "x")),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_NO_PLURAL = ("ss", "us", "is")
_DOUBLED = frozenset("bdgmnprt")


def stem(word: str) -> str:
    """The stem of a word in lower case: "hopping", "hopped" and "hops" are "hop"; "hoping" and "hopes" are "hop" too.

    The stem keeps two letters and a vowel. A final "e" is removed.
    """
    for suffix, ending in _SUFFIXES:
        base = word[: -len(suffix)]
        if not word.endswith(suffix) or len(base) < _LEAST_STEM or not _VOWELS.intersection(base):
            continue
        if suffix == "s" and word.endswith(_NO_PLURAL):
            return word
        if suffix in ("ing", "ed") and base[-1] == base[-2] and base[-1] in _DOUBLED:
            base = base[:-1]
        return (base + ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _LEAST_STEM + 1 else word


_stem = functools.lru_cache(maxsize=1 << 16)(stem)


def content_stems(words: Iterable[str]) -> list[str]:
    """The stem of each word; empty for function words and for empty words."""
    return [_stem(word) if word and word not in STOP_WORDS else "" for word in words]


# Name of a class -> its words, separated by blanks; "asked": what a question asks for -> nouns that say so.
CLASSES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("word-classes.toml").read_text(encoding="utf-8"))
WH_WORDS = frozenset("who whom whose what which where when why how".split())
AUXILIARIES = frozenset("do does did".split())
COPULAS = frozenset("is are was were be been am 's ’s".split())
MASCULINE = frozenset("he him his himself".split())
FEMININE = frozenset("she her hers herself".split())
PRONOUNS = MASCULINE | FEMININE
IRREGULAR_VERBS = frozenset(CLASSES["irregular_verbs"].split())
MASCULINE_TITLES = frozenset(CLASSES["masculine_titles"].split())
FEMININE_TITLES = frozenset(CLASSES["feminine_titles"].split())
MASCULINE_NAMES = frozenset(CLASSES["masculine_names"].split())
FEMININE_NAMES = frozenset(CLASSES["feminine_names"].split())


def is_verb(word: str) -> bool:
    """Whether a word in lower case looks like a finite verb: one of the frequent ones, or a form in -ed."""
    return word in IRREGULAR_VERBS or (word.endswith("ed") and len(word) > len("need"))
