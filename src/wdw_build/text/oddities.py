"""What is odd about the articles of a corpus: signs that a field, the paragraphs or the language are not as expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice, pairwise
from typing import Self

import msgspec

from wdw_build.records import Article
from wdw_build.text.example_counts import ExampleCounts
from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.sentences.repair import HTML_TAG, PARTED_WORD

_CUT_OFF = re.compile(r"\[\+\d+ chars\]$")  # as NewsAPI ends the beginnings that it gives
# Undecoded bytes; apostrophes of Mac Roman, and quotation marks and dashes of GBK, read as Windows-1252.
_WRONGLY_DECODED = re.compile("[\ufffdÕ¡](?:(?<=\ufffd)|(?<=[a-z]Õ)(?=[a-z])|(?<=¡)[°±ª®¯])")
_SENTENCE_ENDS = re.compile(r"[.!?…:][\"'”’)\]]*\s*$")
# Shorter first sentences give no question (questions.min_tokens).
_FEW_WORDS = 10
# In English, about four words in ten are function words, in tables and telegrams fewer.
_WORDS, _FUNCTION_WORDS = 60, 0.08
# Less is no sign that something is wrong.
_SHARE = 0.1
# Of fewer articles, half may well have appeared on one day.
_MANY = 20
_LONGEST_SHOWN = 60
# Lines of a wrapped text: their number, their width, and the share that is full.
_FEW_LINES, _WIDEST, _MOST = 4, 120, 0.6


def _is_not_english(article: Article) -> bool:
    matches = re.finditer(r"[^\W\d_]+", " ".join(article.paragraphs[:3]).casefold())
    words = [match[0] for match in islice(matches, _WORDS)]
    return len(words) >= _FEW_WORDS and sum(word in STOP_WORDS for word in words) < _FUNCTION_WORDS * len(words)


def _is_wrapped(article: Article) -> bool:
    """Whether paragraphs are lines of a wrapped text: the first word of most lines would not have fitted into the line before."""
    lines = article.paragraphs
    width = max(map(len, lines))
    too_long = [len(line) + 1 + len(after.partition(" ")[0]) > width for line, after in pairwise(lines)]
    return len(lines) >= _FEW_LINES and width <= _WIDEST and sum(too_long) > _MOST * len(too_long)


def _has_short_start(article: Article) -> bool:
    return len(article.paragraphs[0].split(None, _FEW_WORDS)) < _FEW_WORDS and not _is_wrapped(article)


def _has_unfinished_start(article: Article) -> bool:
    has_few_words = len(article.paragraphs[0].split(None, _FEW_WORDS)) < _FEW_WORDS
    return not has_few_words and not _SENTENCE_ENDS.search(article.paragraphs[0]) and not _is_wrapped(article)


_WRAPPED = "texts are wrapped, and each line is a paragraph (docs/howto/your-format.md, Wrapped lines: a row_function joins them)"
_UNDECODED = "texts have characters that could not be decoded (set corpus.options.encoding)"
# A line names the number of articles, the sign, and the first article with it; for signs of texts with an excerpt.
_OF_TEXTS: dict[str, Callable[[Article], bool]] = {
    _WRAPPED: _is_wrapped,
    f"first paragraphs have fewer than {_FEW_WORDS} words": _has_short_start,
    "first paragraphs do not end like a sentence": _has_unfinished_start,
    "texts contain HTML tags (in a field of a table, corpus.options.strip_html removes them)": lambda article: any(
        HTML_TAG.search(text) for text in article.paragraphs
    ),
    _UNDECODED: lambda article: any(_WRONGLY_DECODED.search(text) for text in article.paragraphs),
    "texts have words parted at line ends (Ver- rell); their sentences give no question": lambda article: any(
        PARTED_WORD.search(text) for text in article.paragraphs
    ),
    "texts are cut off": lambda article: bool(_CUT_OFF.search(article.paragraphs[-1])),
    "texts do not look like English": _is_not_english,
    "texts have no capital letters, so names cannot be found": lambda article: article.text.islower(),
}
_SIGNS = _OF_TEXTS | {
    "articles have no title": lambda article: not article.title,
    "articles have no source": lambda article: not article.source,
}


def _excerpt(article: Article, sign: str) -> str:
    """The start of the text, or the part around the first character that could not be decoded."""
    found = (_WRONGLY_DECODED.search(text) for text in article.paragraphs if sign == _UNDECODED)
    match = next(filter(None, found), None)
    start = max(0, match.start() - _LONGEST_SHOWN // 2) if match else 0
    return (match.string if match else article.paragraphs[0])[start : start + _LONGEST_SHOWN]


class Oddities(ExampleCounts):
    """Counts the articles with each sign, and keeps the first one as an example."""

    articles: int = 0
    days: dict[str, int] = msgspec.field(default_factory=dict)
    """Day -> articles."""

    def count(self, article: Article) -> None:
        """Count one article."""
        self.articles += 1
        self._add_day(article.date.isoformat(), 1)
        for sign, has_sign in _SIGNS.items():
            if has_sign(article):
                shown = f"{_excerpt(article, sign)!r} " if sign in _OF_TEXTS else ""
                self.note(sign, f"{shown}({article.id})")

    def add(self, later: Self) -> None:
        """Add the counts of later articles."""
        ExampleCounts.add(self, later)
        self.articles += later.articles
        for day, count in later.days.items():
            self._add_day(day, count)

    def _add_day(self, day: str, count: int) -> None:
        self.days[day] = self.days.get(day, 0) + count

    @property
    def _of_one_day(self) -> list[str]:
        day, count = max(self.days.items(), key=lambda pair: (pair[1], pair[0]), default=("", 0))
        if self.articles < _MANY or 2 * count < self.articles:
            return []
        dates = f"{count:,} of {self.articles:,} articles have the date {day}"
        return [f"{dates}: check that it is the day of publication, not that of a crawl"]

    @property
    def lines(self) -> list[str]:
        """A line if half of the articles have one date; then one for each sign.

        At least a tenth of the articles must have a sign; of characters that are lost, one is enough.
        """
        of_signs = [
            f"{self.counts[sign]:,} of {self.articles:,} {sign}, such as {self.examples[sign]}"
            for sign in _SIGNS
            if self.number(sign) >= max(1, (sign != _UNDECODED) * _SHARE * self.articles)
        ]
        return [*self._of_one_day, *of_signs]
