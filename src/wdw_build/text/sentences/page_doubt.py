"""How likely a text still has page text in it, by the trained tagger.

What ``page_marks`` cuts must be nearly certain, and few lines are read there. A problem needs less: a passage or a question that
is doubtful is not taken. Here, the tagger reads about three lines in ten.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wdw_build.records import Article
from wdw_build.text.sentences.page_marks import Probabilities, Reading, Scores, Word, scores_of
from wdw_build.text.sentences.profile import PAGES

# Log odds by the first look from which on a line is read.
GATE_OF_DOUBT = -3.9
# Words in a row whose mean counts, and words that are shown.
_ROW, _SHOWN = 4, 12
_DECIMALS = 2


class Doubt(NamedTuple):
    """The highest mean probability of four words in a row that they are page text, and the words from there on."""

    probability: float = 0.0
    words: str = ""

    @property
    def evidence(self) -> str:
        """Both, as the detail of a refusal."""
        return f"{self.probability:.2f}: {self.words}"


def doubts(texts: Sequence[tuple[str, Sequence[str]]], probabilities: Probabilities) -> list[Doubt]:
    """The doubt of each text, given as its title and its paragraphs; all are read together.

    ``probabilities``: those of the port ``PageTagger``.
    """
    readings = [Reading(paragraphs, title, GATE_OF_DOUBT) for title, paragraphs in texts]
    scored = zip(readings, scores_of(readings, probabilities), strict=True)
    by_text = [doubts_of_lines(reading, scores) for reading, scores in scored]
    return [max(of_lines.values(), key=lambda doubt: doubt.probability, default=Doubt()) for of_lines in by_text]


def doubts_of_lines(reading: Reading, scores: Scores) -> dict[int, Doubt]:
    """The doubt of each line that was read by its number, from the probabilities of the windows of ``reading``."""
    return {number: _of_words(words) for number, words in reading.words(scores).items() if reading.is_read[number]}


def _of_words(words: Sequence[tuple[Word, tuple[float, ...]]]) -> Doubt:
    sums = [0.0, *itertools.accumulate(1 - kinds[0] for _, kinds in words)]
    size = min(_ROW, len(words))
    means = [round((sums[at + size] - sums[at]) / size, _DECIMALS) for at in range(len(words) - size + 1)]
    first = means.index(max(means))
    return Doubt(means[first], " ".join(word.text for word, _ in words[first : first + _SHOWN]))


class DoubtReader:
    """Reads articles and sentences; an article is read once.

    Articles of wires are not read.
    """

    def __init__(self, probabilities: Probabilities) -> None:
        self._probabilities, self._known = probabilities, dict[str, Doubt]()

    def of_articles(self, articles: Iterable[Article]) -> dict[str, Doubt]:
        """The doubt of each of these articles, and of earlier ones, by its id."""
        new = {article.id: article for article in articles if article.id not in self._known}
        self._known |= dict.fromkeys(new, Doubt())
        to_read = [article for article in new.values() if article.profile == PAGES]
        new_doubts = doubts([(article.title, article.paragraphs) for article in to_read], self._probabilities)
        self._known |= {article.id: doubt for article, doubt in zip(to_read, new_doubts, strict=True)}
        return self._known

    def of_sentences(self, sentences: Sequence[str]) -> list[Doubt]:
        """The doubt of each sentence."""
        return doubts([("", (sentence,)) for sentence in sentences], self._probabilities)
