"""Words for systems that match words: normalised tokens, stems, bags of words, cosine similarity, closed word classes."""

from __future__ import annotations

import functools
import math
import tomllib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wdw_build.reading import ReadingProblem


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
    small, large = sorted((left.counts, right.counts), key=len)
    return sum(count * large[word] for word, count in small.items() if word in large) / (left.norm * right.norm)


@dataclass(frozen=True)
class ProblemWords:
    """The normalised words of a problem. The blank is not a word of the question."""

    question: list[str]
    sentences: list[list[str]]
    """The words of each sentence of the passage."""
    choices: list[list[str]]
    """The words of each choice's name."""

    @property
    def passage(self) -> list[str]:
        """The words of the passage."""
        return [word for sentence in self.sentences for word in sentence]


def problem_words(problem: ReadingProblem) -> ProblemWords:
    """The normalised words of a problem."""
    tokens = problem.passage_tokens
    question = [token for index, token in enumerate(problem.question_tokens) if index != problem.blank]
    return ProblemWords(
        question=normalised(question),
        sentences=[normalised(tokens[first:last]) for first, last in problem.sentences()],
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
