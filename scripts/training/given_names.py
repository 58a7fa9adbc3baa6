"""Examples of given names and of family names that stand alone, without a reader.

An article that has "Ida Moss" has one of them by "Ida" and one by "Moss" alone. Of each word of an article, one place is an
example.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator
from typing import NamedTuple

from wdw_build.api import Run, uniform_hash
from wdw_build.records import Article
from wdw_build.text.names.beside import is_personal_title
from wdw_build.text.names.evidence import NameEvidence, read_names
from wdw_build.text.names.name import fold

_FULL = re.compile(r"\b([A-Z][a-z][\w'’-]*) (?:[A-Z]\. )?([A-Z][\w-]+)\b")
_AROUND = 30
_SHORTEST = 3
# With a capital directly before or after, a word is part of a longer name, unless it is a title.
_BEFORE = re.compile(r"([A-Z][\w.’'-]*) \Z")
_AFTER = re.compile(r" [A-Z]")


class LoneName(NamedTuple):
    """A word of an article's text that is a given name or a family name, alone; ``order`` is a number in [0, 1)."""

    order: float
    is_given: bool
    text: str
    start: int
    end: int


def _places(text: str, word: str) -> list[tuple[int, int]]:
    """Where a word stands alone."""
    found = (match.span() for match in re.finditer(rf"(?<![\w.-]){re.escape(word)}(?![\w-])", text))
    return [(start, end) for start, end in found if not _AFTER.match(text, end) and not _continues(text, start)]


def _continues(text: str, start: int) -> bool:
    """Whether a word with a capital that is no title stands directly before."""
    before = _BEFORE.search(text[max(0, start - _AROUND) : start])
    return before is not None and not is_personal_title(before[1])


def _of_article(article: Article, evidence: NameEvidence) -> Iterator[LoneName]:
    text = article.text
    pairs = {
        match.groups() for match in _FULL.finditer(text) if evidence.person.get(" ".join(map(fold, match.groups())))
    }
    given, families = {given for given, _ in pairs}, {family for _, family in pairs}
    for word in sorted(given ^ families):
        if len(word) >= _SHORTEST and (places := _places(text, word)):
            place = places[int(uniform_hash(0, "place", f"{article.id}\x1f{word}") * len(places))]
            yield LoneName(uniform_hash(0, "word", f"{article.id}\x1f{word}"), word in given, text, *place)


def lone_names(run: Run, most: int) -> Iterator[LoneName]:
    """At most so many given names and so many family names of a run's articles, chosen by hash."""
    evidence = read_names(run.outputs["names"].folder)
    found = [name for article in run.articles for name in _of_article(article, evidence)]
    for is_given in (True, False):
        yield from heapq.nsmallest(most, (name for name in found if name.is_given == is_given))
