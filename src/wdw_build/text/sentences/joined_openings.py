"""Marks a headline or a caption that runs into the first sentence of the story without a full stop between them.

Some sources give many pages so ("… made the comments on his program The White House has …"), most give none. Words that start
sentences show how often a source does (see ``profile``). Of sources that do, two networks read the openings: the tagger of page
text says how likely each word is no part of the story, and the second tagger of names, where a sentence starts. A logistic
regression decides; ``scripts/fit_joined_openings.py`` fits its weights to labelled openings.
"""

from __future__ import annotations

import functools
import itertools
import math
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources import files

from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.sentences.boundaries import is_start
from wdw_build.text.sentences.marks import HEADING, MarkedSpan
from wdw_build.text.sentences.page_marks import PARAGRAPH, WORD, lines_of, log_odds

# Words that are read of the first sentence.
_MOST_WORDS = 80
# The probability of a start from which on a word is tried, and the one of the whole from which on what is before it is cut.
_LEAST_START, LEAST = 0.05, 0.6
# Words after the start whose kinds count, and in which a name may come again.
_AFTER, _AGAIN = 12, 40
_MOST_LENGTH, _LENGTHS = 30, 10
_EXTREME, _DECIMALS = 0.01, 2

Features = dict[str, float]


def _first_end(paragraph: str) -> int:
    """The end of the first line of a paragraph, about a sentence."""
    return next((line.end for line in lines_of((paragraph,))), 0)


class JoinedOpening:
    """The opening of a text, by its first paragraph. ``share``: of the source's articles (``profile.joined_share``)."""

    def __init__(self, paragraph: str, share: float) -> None:
        self._share = share
        self._found = list(itertools.islice(WORD.finditer(paragraph, 0, _first_end(paragraph)), _MOST_WORDS))
        self.words = [match[0] for match in self._found]

    @property
    def text(self) -> list[str]:
        """The words as the tagger of page text reads them."""
        return [PARAGRAPH, *self.words]

    def span(self, starts: Sequence[float], kinds: Sequence[tuple[float, ...]]) -> MarkedSpan | None:
        """What is before the story, if anything is.

        ``starts``: for each of ``words``, the probability that a sentence starts there; ``kinds``: those of the kinds of ``text``.
        """
        judged = [(judge(features), start) for start, features in self.candidates(starts, kinds)]
        score, start = max(judged, default=(0.0, 0))
        return MarkedSpan(0, 0, start, HEADING, "model", score) if score >= LEAST else None

    def candidates(self, starts: Sequence[float], kinds: Sequence[tuple[float, ...]]) -> list[tuple[int, Features]]:
        """The offsets at which the story may begin, with their features."""
        odds = [log_odds(of_word) for of_word in kinds[1:]]
        tried = [at for at in range(len(self.words)) if starts[at] >= _LEAST_START and is_start(self.words, at)]
        return [(self._found[at].start(), self._features(at, tried, starts, odds)) for at in tried]

    def _features(self, at: int, tried: Sequence[int], starts: Sequence[float], odds: Sequence[float]) -> Features:
        before, after = odds[:at], odds[at : at + _AFTER]
        names = {word for word in self.words[:at] if word[0].isupper() and word.casefold() not in STOP_WORDS}
        return {
            "start": _log_odds(starts[at]),
            "later start": max((_log_odds(starts[other]) for other in tried if other > at), default=_log_odds(0.0)),
            "page text before": sum(before) / len(before),
            "page text after": sum(after) / len(after),
            "words before": min(at, _MOST_LENGTH) / _LENGTHS,
            "name again": float(not names.isdisjoint(self.words[at : at + _AGAIN])),
            "share of the source": math.log(self._share),
        }


def _log_odds(probability: float) -> float:
    likely = min(1 - _EXTREME, max(_EXTREME, probability))
    return math.log(likely / (1 - likely))


def judge(features: Features) -> float:
    """The probability that the story begins at a word with these features, rounded."""
    weights = _weights()
    total = math.fsum([weights["intercept"], *(weights[name] * value for name, value in features.items())])
    return round(1 / (1 + math.exp(-total)), _DECIMALS)


@functools.cache
def _weights() -> Mapping[str, float]:
    text = files("wdw_build.text.sentences").joinpath("joined_openings.toml").read_text(encoding="utf-8")
    weights: dict[str, float] = tomllib.loads(text)["weights"]
    return weights
