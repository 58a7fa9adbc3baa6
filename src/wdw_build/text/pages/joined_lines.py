"""Marks a headline or a caption that runs into a sentence of the story without a full stop between them.

Some sources give many pages so ("… made the comments on his program The White House has …"), most give hardly any. Words that
start sentences show how often the texts of a source run on (see ``profile``). Two networks read the lines with such words, and of
sources that often run on, the first and four in ten of the others: one says where a sentence starts, the tagger of page text how
likely each word is no part of the story. A logistic regression decides; ``scripts/fit_joined_lines.py`` trains and fits all that.
"""

from __future__ import annotations

import functools
import itertools
import math
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from wdw_build.records import Joined
from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.pages.first_look import Line, judged, lines_of
from wdw_build.text.pages.marks import HEADING, MarkedSpan
from wdw_build.text.pages.profile import OFTEN_JOINED
from wdw_build.text.pages.tagged_lines import PARAGRAPH, WORD, Probabilities, log_odds, rounded_probability
from wdw_build.text.sentences.boundaries import LOST_END, is_start

# Words that are read of a line; few headlines and captions have more than 30.
MOST_WORDS = 48
# The least log odds by the first look of a line inside the story that is read.
_GATE_INSIDE = -3.9
# The log odds of a start from which on a word is weighed. What is before it is cut from such log odds and such a probability on.
_LEAST_START, _SURE_START, LEAST = -4.0, 2.0, 0.6
# Words after the start whose kinds count, and words that are shown before and after it.
_AFTER, _SHOWN = 12, 6

Features = dict[str, float]
Starts = Callable[[Sequence[Sequence[str]]], list[list[float]]]


class Place(NamedTuple):
    """A place in a line with the probability that what is before it is no part of the story."""

    probability: float = 0.0
    start: int = 0


class JoinedLine:
    """A line of a text, about a sentence, that may begin with what is no part of the story.

    ``joined``: the shares of its source.
    """

    def __init__(self, paragraph: str, line: Line, joined: Joined) -> None:
        self._line, self._joined = line, joined
        found = list(itertools.islice(WORD.finditer(paragraph, line.start, line.end), MOST_WORDS))
        self.words = [match[0] for match in found]
        self.offsets = [match.start() - line.start for match in found]

    @property
    def text(self) -> list[str]:
        """The words as the tagger of page text reads them."""
        return [PARAGRAPH, *self.words]

    @property
    def place(self) -> tuple[int, int]:
        """The number of the paragraph, and the offset of the line in it."""
        return self._line.paragraph, self._line.start

    @property
    def is_inside(self) -> bool:
        """Whether the line is not the first one of its text."""
        return self.place > (0, 0)

    @property
    def may_be_joined(self) -> bool:
        """Whether a sentence may start at a word of the line; no headline ends in a function word."""
        return any(map(self._may_start, range(len(self.words))))

    def _may_start(self, at: int) -> bool:
        return is_start(self.words, at) and self.words[at - 1].casefold() not in STOP_WORDS

    def places(self, starts: Sequence[float]) -> list[int]:
        """The words at which the story may begin; ``starts`` are the log odds that a sentence starts at each of ``words``."""
        return [at for at, start in enumerate(starts) if start >= _LEAST_START and self._may_start(at)]

    def span(self, found: Place) -> MarkedSpan:
        """What is before a place of the line."""
        paragraph, begin = self.place
        return MarkedSpan(paragraph, begin, begin + found.start, HEADING, "model", found.probability)

    def words_around(self, found: Place) -> str:
        """Some words before and after a place of the line, with a bar between them."""
        at = self.offsets.index(found.start)
        return " ".join([*self.words[max(0, at - _SHOWN) : at], "|", *self.words[at : at + _SHOWN]])

    def candidates(self, starts: Sequence[float], kinds: Sequence[tuple[float, ...]]) -> list[tuple[int, Features]]:
        """The offsets in the line at which the story may begin, with their features."""
        odds = [log_odds(of_word) for of_word in kinds[1:]]
        tried = self.places(starts)
        return [(self.offsets[at], self._features(at, tried, starts, odds)) for at in tried]

    def _features(self, at: int, tried: Sequence[int], starts: Sequence[float], odds: Sequence[float]) -> Features:
        before, after = odds[:at], odds[at : at + _AFTER]
        return {
            "start": starts[at],
            "later start": max((starts[other] for other in tried if other > at), default=_LEAST_START),
            "page text before": sum(before) / len(before),
            "page text after": sum(after) / len(after),
            "share of the source": math.log(self._joined.articles if self.is_inside else self._joined.openings),
            "inside the story": float(self.is_inside),
        }


def lines_to_read(
    paragraphs: Sequence[str], joined: Joined, *, has_dateline: bool = False, every: bool = False
) -> Iterator[JoinedLine]:
    """The lines of a text that are read, of a source with these shares.

    Lines in which a word that starts sentences follows without a full stop before it; if the source often runs on, also the first,
    and those that the first look does not clear, or ``every`` line. After a dateline the story begins: then the first is not read.
    """
    is_often = joined.articles >= OFTEN_JOINED
    for number, line in enumerate(judged(paragraphs) if is_often and not every else lines_of(paragraphs)):
        text = paragraphs[line.paragraph]
        is_doubtful = is_often and (every or number == 0 or line.odds > _GATE_INSIDE)
        is_read = is_doubtful or LOST_END.search(text, line.start, line.end)
        if is_read and (number or not has_dateline) and (one := JoinedLine(text, line, joined)).may_be_joined:
            yield one


def joined_spans(
    texts: Sequence[Sequence[JoinedLine]], starts_of: Starts, probabilities: Probabilities
) -> list[list[MarkedSpan]]:
    """What is before the story in the lines of each text; all are read together.

    ``starts_of``, ``probabilities``: those of the port ``PageTagger``.
    """
    found = places_of(texts, starts_of, probabilities, _SURE_START)
    return [[line.span(place) for line, place in of_text if place.probability >= LEAST] for of_text in found]


def places_of(
    texts: Sequence[Sequence[JoinedLine]], starts_of: Starts, probabilities: Probabilities, least_start: float
) -> list[list[tuple[JoinedLine, Place]]]:
    """The likeliest place with such log odds of a start in each line that has one; arguments as in ``joined_spans``."""
    lines = [line for of_text in texts for line in of_text]
    starts = starts_of([line.words for line in lines])
    tried = [
        (line, of_line)
        for line, of_line in zip(lines, starts, strict=True)
        if any(of_line[at] >= least_start for at in line.places(of_line))
    ]
    kinds = probabilities([line.text for line, _ in tried])
    found = {
        id(line): likeliest(line.candidates(of_line, of_words), least_start)
        for (line, of_line), of_words in zip(tried, kinds, strict=True)
    }
    return [[(line, found[id(line)]) for line in of_text if id(line) in found] for of_text in texts]


def likeliest(candidates: Iterable[tuple[int, Features]], least_start: float = _SURE_START) -> Place:
    """The likeliest place of a line with such log odds of a start; that with the probability 0 without one."""
    weighed = [Place(judge(features), start) for start, features in candidates if features["start"] >= least_start]
    return max(weighed, default=Place())


def judge(features: Features) -> float:
    """The probability that the story begins at a word with these features, rounded."""
    weights = _weights()
    # A weight of 0 is not in the file.
    total = math.fsum([weights["intercept"], *(weights.get(name, 0.0) * value for name, value in features.items())])
    return rounded_probability(total)


@functools.cache
def _weights() -> Mapping[str, float]:
    text = files("wdw_build.text.pages").joinpath("joined_lines.toml").read_text(encoding="utf-8")
    weights: dict[str, float] = tomllib.loads(text)["weights"]
    return weights
