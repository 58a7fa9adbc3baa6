"""How likely a text still has page text in it, by the trained tagger and by the finder of lines that run on.

What ``tagged_lines`` and ``joined_lines`` cut must be nearly certain, and few lines are read there. A problem needs less: a passage
or a question that is doubtful is not taken. Here, the tagger reads about three lines in ten, and the finder all lines of sources
whose texts often run on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.records import Article
from wdw_build.text.pages.joined_lines import Starts, lines_to_read, places_of
from wdw_build.text.pages.profile import PAGES
from wdw_build.text.pages.tagged_lines import Probabilities, Reading, Scores, Word, scores_of

# Log odds by the first look from which on a line is read.
GATE_OF_DOUBT = -3.9
# Words in a row whose mean counts, and words that are shown.
_ROW, _SHOWN = 4, 12
# The log odds of a start from which on a line may run on. What that makes of a text is odds so many times as high as those to cut:
# docs/development/page-text.md has what was measured.
_LEAST_START, _ODDS_OF_JOINED = -1.0, 2.5
_DECIMALS = 2


class Doubt(NamedTuple):
    """The highest probability that some words of a text are page text, and words from there on, or around the end of them.

    It is the mean of four words in a row, or that of a line that runs on.
    """

    probability: float = 0.0
    words: str = ""

    @property
    def evidence(self) -> str:
        """Both, as the detail of a refusal."""
        return f"{self.probability:.2f}: {self.words}"


class DoubtReader:
    """Reads articles and sentences; an article is read once.

    Articles of wires are not read. ``probabilities``, ``starts``: those of the port ``PageTagger``.
    """

    def __init__(self, probabilities: Probabilities, starts: Starts) -> None:
        self._probabilities, self._starts, self._known = probabilities, starts, dict[str, Doubt]()

    def of_articles(self, articles: Iterable[Article]) -> dict[str, Doubt]:
        """The doubt of each of these articles, and of earlier ones, by its id."""
        new = {article.id: article for article in articles if article.id not in self._known}
        self._known |= zip(new, self._doubts(list(new.values())), strict=True)
        return self._known

    def of_sentences(self, sentences: Iterable[tuple[Article, str]]) -> list[Doubt]:
        """The doubt of the first sentence of each article."""
        return self._doubts(
            [msgspec.structs.replace(article, title="", paragraphs=(sentence,)) for article, sentence in sentences]
        )

    def _doubts(self, articles: Sequence[Article]) -> list[Doubt]:
        """The doubt of each article; all are read together."""
        pages = [article for article in articles if article.profile == PAGES]
        doubts = zip(self._by_words(pages), self._by_starts(pages), strict=True)
        found = {
            id(page): max(of_page, key=lambda doubt: doubt.probability)
            for page, of_page in zip(pages, doubts, strict=True)
        }
        return [found.get(id(article), Doubt()) for article in articles]

    def _by_words(self, pages: Sequence[Article]) -> list[Doubt]:
        readings = [Reading(page.paragraphs, page.title, GATE_OF_DOUBT) for page in pages]
        scored = zip(readings, scores_of(readings, self._probabilities), strict=True)
        by_page = [doubts_of_lines(reading, scores) for reading, scores in scored]
        return [max(of_lines.values(), key=lambda doubt: doubt.probability, default=Doubt()) for of_lines in by_page]

    def _by_starts(self, pages: Sequence[Article]) -> list[Doubt]:
        lines = [
            list(lines_to_read(page.paragraphs, page.joined, has_dateline=bool(page.dateline), every=True))
            for page in pages
        ]
        found = places_of(lines, self._starts, self._probabilities, _LEAST_START)
        likeliest = [max(of_page, key=lambda pair: pair[1].probability, default=None) for of_page in found]
        return [
            Doubt(_doubt(pair[1].probability), pair[0].words_around(pair[1])) if pair else Doubt() for pair in likeliest
        ]


def doubts_of_lines(reading: Reading, scores: Scores) -> dict[int, Doubt]:
    """The doubt of each line that was read by its number, from the probabilities of the windows of ``reading``."""
    return {number: _of_words(words) for number, words in reading.words(scores).items() if reading.is_read[number]}


def _of_words(words: Sequence[tuple[Word, tuple[float, ...]]]) -> Doubt:
    sums = [0.0, *itertools.accumulate(1 - kinds[0] for _, kinds in words)]
    size = min(_ROW, len(words))
    means = [round((sums[at + size] - sums[at]) / size, _DECIMALS) for at in range(len(words) - size + 1)]
    first = means.index(max(means))
    return Doubt(means[first], " ".join(word.text for word, _ in words[first : first + _SHOWN]))


def _doubt(probability: float) -> float:
    """The probability of a doubt, from that of a line that runs on: its odds count several times."""
    return round(_ODDS_OF_JOINED * probability / (1 + (_ODDS_OF_JOINED - 1) * probability), _DECIMALS)
