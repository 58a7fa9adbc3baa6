"""Marks a headline or a caption that runs into a sentence of the story without a full stop between them.

Some sources give many pages so ("… made the comments on his program The White House has …"), most give none. Words that start
sentences show how often a source's openings run on (see ``profile``). Of sources with such openings, two networks read the first
sentence, and of those with many, about a quarter of the others: the tagger of page text says how likely each word is no part of
the story, and the second tagger of names, where a sentence starts. A logistic regression decides;
``scripts/fit_joined_lines.py`` fits its weights to labelled lines.
"""

from __future__ import annotations

import functools
import itertools
import math
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files

from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.sentences.boundaries import is_start
from wdw_build.text.sentences.marks import HEADING, MarkedSpan
from wdw_build.text.sentences.page_marks import (
    PARAGRAPH,
    WORD,
    Line,
    Probabilities,
    judged,
    log_odds,
    rounded_probability,
)

# Words that are read of a line; few headlines and captions have more than 30.
_MOST_WORDS = 48
# The share of the source from which on lines inside the story are read, too, and their least log odds by the first look.
_LEAST_SHARE_INSIDE, _GATE_INSIDE = 0.05, -3.9
# The probability of a start from which on a word is tried, and the one of the whole from which on what is before it is cut.
_LEAST_START, LEAST = 0.05, 0.6
# Words after the start whose kinds count, and in which a name may come again.
_AFTER, _AGAIN = 12, 40
_MOST_LENGTH, _LENGTHS = 30, 10
_EXTREME = 0.01

Features = dict[str, float]
Starts = Callable[[Sequence[Sequence[str]]], list[list[float]]]


class JoinedLine:
    """A line of a text, about a sentence, that may begin with what is no part of the story.

    ``share``: of its source (``profile.joined_share``).
    """

    def __init__(self, paragraph: str, line: Line, share: float) -> None:
        self._line, self._share = line, share
        self._found = list(itertools.islice(WORD.finditer(paragraph, line.start, line.end), _MOST_WORDS))
        self.words = [match[0] for match in self._found]

    @property
    def text(self) -> list[str]:
        """The words as the tagger of page text reads them."""
        return [PARAGRAPH, *self.words]

    @property
    def may_be_joined(self) -> bool:
        """Whether a sentence may start at a word of the line; no headline ends in a function word."""
        words = self.words
        return any(is_start(words, at) and words[at - 1].casefold() not in STOP_WORDS for at in range(1, len(words)))

    def places(self, starts: Sequence[float]) -> list[int]:
        """The words at which the story may begin; ``starts`` are the probabilities that a sentence starts at each of ``words``."""
        return [at for at in range(len(self.words)) if starts[at] >= _LEAST_START and is_start(self.words, at)]

    def span(self, starts: Sequence[float], kinds: Sequence[tuple[float, ...]]) -> MarkedSpan | None:
        """What is before the story, if anything is.

        ``starts``: as in ``places``; ``kinds``: for each word of ``text``, the probabilities of its kinds.
        """
        weighed = [(judge(features), start) for start, features in self.candidates(starts, kinds)]
        score, start = max(weighed, default=(0.0, 0))
        if score < LEAST:
            return None
        return MarkedSpan(self._line.paragraph, self._line.start, start, HEADING, "model", score)

    def candidates(self, starts: Sequence[float], kinds: Sequence[tuple[float, ...]]) -> list[tuple[int, Features]]:
        """The offsets in the paragraph at which the story may begin, with their features."""
        odds = [log_odds(of_word) for of_word in kinds[1:]]
        tried = self.places(starts)
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
            "inside the story": float(self._line.paragraph > 0 or self._line.start > 0),
        }


def lines_to_read(paragraphs: Sequence[str], share: float) -> Iterator[JoinedLine]:
    """The lines of a text that are read, of a source with this share: the first, and others if the share is large."""
    if not share:
        return
    lines = judged(paragraphs)
    inside = (line for line in lines[1:] if line.odds > _GATE_INSIDE) if share >= _LEAST_SHARE_INSIDE else ()
    for line in (*lines[:1], *inside):
        joined = JoinedLine(paragraphs[line.paragraph], line, share)
        if joined.may_be_joined:
            yield joined


def joined_spans(
    texts: Sequence[Sequence[JoinedLine]], starts_of: Starts, probabilities: Probabilities
) -> list[list[MarkedSpan]]:
    """What is before the story in the lines of each text; all are read together.

    ``starts_of``, ``probabilities``: those of the port ``PageTagger``.
    """
    lines = [line for of_text in texts for line in of_text]
    starts = starts_of([line.words for line in lines])
    tried = [(line, of_line) for line, of_line in zip(lines, starts, strict=True) if line.places(of_line)]
    kinds = probabilities([line.text for line, _ in tried])
    found = {id(line): line.span(of_line, of_words) for (line, of_line), of_words in zip(tried, kinds, strict=True)}
    return [[span for line in of_text if (span := found.get(id(line)))] for of_text in texts]


def _log_odds(probability: float) -> float:
    likely = min(1 - _EXTREME, max(_EXTREME, probability))
    return math.log(likely / (1 - likely))


def judge(features: Features) -> float:
    """The probability that the story begins at a word with these features, rounded."""
    weights = _weights()
    # A weight of 0 is not in the file.
    total = math.fsum([weights["intercept"], *(weights.get(name, 0.0) * value for name, value in features.items())])
    return rounded_probability(total)


@functools.cache
def _weights() -> Mapping[str, float]:
    text = files("wdw_build.text.sentences").joinpath("joined_lines.toml").read_text(encoding="utf-8")
    weights: dict[str, float] = tomllib.loads(text)["weights"]
    return weights
