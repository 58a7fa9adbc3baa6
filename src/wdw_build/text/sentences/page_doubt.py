"""How likely a text still has page text in it, by the trained tagger.

What ``page_marks`` cuts must be nearly certain, and it does not read lines that look like those of a story. A problem needs
less: a passage or a question that is doubtful is not taken. Here, the tagger reads every line.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from wdw_build.records import Article
from wdw_build.text.sentences.page_marks import GATE, Reading, Word, judged
from wdw_build.text.sentences.profile import PAGES

# Words in a row whose mean counts, and words that are shown.
_ROW, _SHOWN = 4, 12
_DECIMALS = 2
_Scores = Sequence[Sequence[tuple[float, ...]]]
_Probabilities = Callable[[Sequence[Sequence[str]]], _Scores]


class Doubt(NamedTuple):
    """The highest mean probability of four words in a row that they are page text, and the words from there on."""

    probability: float = 0.0
    words: str = ""

    @property
    def evidence(self) -> str:
        """Both, as the detail of a refusal."""
        return f"{self.probability:.2f}: {self.words}"


def doubts(texts: Sequence[Sequence[str]], probabilities: _Probabilities) -> list[Doubt]:
    """The doubt of each text, given as its paragraphs; all are read together.

    ``probabilities``: those of the port ``PageTagger``.
    """
    readings = [Reading(paragraphs, gate=-math.inf) for paragraphs in texts]
    scores = iter(probabilities([words for reading in readings for words in reading.texts]))
    found = [_of_lines(reading, [next(scores) for _ in reading.texts]) for reading in readings]
    return [max(of_lines, key=lambda doubt: doubt.probability, default=Doubt()) for of_lines in found]


def _of_lines(reading: Reading, scores: _Scores) -> Iterator[Doubt]:
    for words in reading.words(scores).values():
        sums = [0.0, *itertools.accumulate(1 - kinds[0] for _, kinds in words)]
        size = min(_ROW, len(words))
        means = [round((sums[at + size] - sums[at]) / size, _DECIMALS) for at in range(len(words) - size + 1)]
        first = means.index(max(means))
        yield Doubt(means[first], _shown([word for word, _ in words[first:]]))


def _shown(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words[:_SHOWN])


class DoubtReader:
    """Reads articles and sentences; an article is read once.

    Articles of wires are not read, nor are those of which the first look clears every line.
    """

    def __init__(self, probabilities: _Probabilities) -> None:
        self._probabilities, self._known = probabilities, dict[str, Doubt]()

    def of_articles(self, articles: Iterable[Article]) -> dict[str, Doubt]:
        """The doubt of each of these articles, and of earlier ones, by its id."""
        new = {one.id: one for one in articles if one.id not in self._known}
        self._known |= dict.fromkeys(new, Doubt())
        to_read = [one for one in new.values() if one.profile == PAGES and _may_have_page_text(one)]
        found = doubts([one.paragraphs for one in to_read], self._probabilities)
        self._known |= {one.id: doubt for one, doubt in zip(to_read, found, strict=True)}
        return self._known

    def of_sentences(self, sentences: Sequence[str]) -> list[Doubt]:
        """The doubt of each sentence."""
        return doubts([(sentence,) for sentence in sentences], self._probabilities)


def _may_have_page_text(article: Article) -> bool:
    return any(line.odds > GATE for line in judged(article.paragraphs))
