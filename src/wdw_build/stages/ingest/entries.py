"""What became of the entries of a corpus: counts with examples, kinds of documents, and what is odd about the articles.

Odd are signs that a field, the paragraphs or the language are not as expected. A corpus without articles is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice, pairwise
from typing import Self

import msgspec

from wdw_build.core.progress import printable
from wdw_build.errors import CorpusError
from wdw_build.records import Article, RawArticle, Rejection, Unreadable
from wdw_build.text.counts import ExampleCounts, most_frequent_first
from wdw_build.text.document_kinds import KINDS, STORY, DocumentKind
from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.pages.profile import WIRE, wire_lines
from wdw_build.text.sentences.repair import HTML_TAG, PARTED_WORD

# In a smaller corpus a single unreadable entry would exceed the default of max_bad_input.
FEW_ENTRIES = 100
_READ, _UNREADABLE, _REJECTED = "read", "unreadable", "rejected"
# Files with a line of their own; the others are only counted.
_NAMED_FILES = 3
NOT_A_STORY = "not-a-story"
# Characters of an example.
_LONGEST_SHOWN = 60

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
# Lines of a wrapped text: their number, their width, and the share that is full.
_FEW_LINES, _WIDEST, _MOST = 4, 120, 0.6


def rejection_of(raw: RawArticle, kind: DocumentKind) -> Rejection:
    """The rejection of a document for its kind; if the reader did not give it, with its probability and the text's beginning."""
    judged = f", probability {kind.score:.2f}: {_beginning(raw.paragraphs)}" if raw.kind == STORY else ""
    return Rejection(id=raw.own_id, reason=NOT_A_STORY, detail=f"{kind.kind}{judged}")


def _beginning(paragraphs: tuple[str, ...]) -> str:
    return repr(" ".join(paragraphs[0].split())[:_LONGEST_SHOWN]) if paragraphs else ""


class KindShares(ExampleCounts):
    """Counts the documents of each kind, and keeps the first one as an example."""

    def count(self, result: Article | Rejection) -> None:
        """Count an article, or a rejection for the kind; other rejections do not count."""
        if isinstance(result, Article):
            self.note(result.kind, f"{_beginning(result.paragraphs)} ({result.id})")
        elif result.reason == NOT_A_STORY:
            kind, _, rest = result.detail.partition(",")
            excerpt = rest.partition(": ")[2]
            self.note(kind, f"{excerpt} ({result.id})" if excerpt else result.id)

    @property
    def rows(self) -> list[tuple[str, int, float, str]]:
        """The kinds, the most frequent first: name, number, share, and an example."""
        total = sum(self.counts.values())
        return [(kind, count, count / total, self.examples[kind]) for kind, count in most_frequent_first(self.counts)]

    @property
    def lines(self) -> list[str]:
        """A line for each kind, if there are several."""
        lines = [
            f"{count:,} of {sum(self.counts.values()):,} articles ({share:.1%}) are of the kind {kind}"
            f"{f' ({KINDS[kind]})' if kind in KINDS else ''}, such as {example}"
            for kind, count, share, example in self.rows
        ]
        return lines if len(lines) > 1 else []


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
    matches = (_WRONGLY_DECODED.search(text) for text in article.paragraphs if sign == _UNDECODED)
    match = next(filter(None, matches), None)
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
                excerpt = f"{_excerpt(article, sign)!r} " if sign in _OF_TEXTS else ""
                self.note(sign, f"{excerpt}({article.id})")

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


def lost_files(files: Sequence[str]) -> list[str]:
    """A line for each of the first files that cannot be read to their ends, and one with the number of the others.

    ``files``: the place of each, with the reason.
    """
    others = len(files) - _NAMED_FILES
    return [*files[:_NAMED_FILES], *([f"{others:,} more files cannot be read to their ends"] if others > 0 else [])]


class Entries(msgspec.Struct):
    """Counts of a block of the corpus, which can be added up."""

    tally: ExampleCounts = msgspec.field(default_factory=ExampleCounts)
    """All entries, the unreadable ones, and the other rejected ones."""
    oddities: Oddities = msgspec.field(default_factory=Oddities)
    kinds: KindShares = msgspec.field(default_factory=KindShares)
    wires: dict[str, int] = msgspec.field(default_factory=dict)
    """Source -> articles that were read as those of a wire."""
    ended: list[str] = msgspec.field(default_factory=list)
    """The files of which the rest was lost, each with the reason."""

    def count(self, entry: RawArticle | Unreadable, result: Article | Rejection) -> None:
        """Count an entry, and what became of it."""
        self.tally.note(_READ)
        if isinstance(entry, Unreadable):
            self.tally.note(_UNREADABLE, f"{entry.place}: {entry.error}")
            if entry.ends_file:
                self.ended.append(f"{entry.place}: {entry.error}")
            return
        self.kinds.count(result)
        if isinstance(result, Rejection):
            self.tally.note(_REJECTED, f"{result.reason}, {result.detail}")
            return
        self.oddities.count(result)
        if result.profile == WIRE:
            self.wires[result.source] = self.wires.get(result.source, 0) + 1

    def add(self, later: Entries) -> None:
        """Add the counts of a later block."""
        self.tally.add(later.tally)
        self.oddities.add(later.oddities)
        self.kinds.add(later.kinds)
        self.wires = Counter(self.wires) + Counter(later.wires)
        self.ended += later.ended

    def check(self, most: float) -> None:
        """Raise ``CorpusError`` if too many entries were unreadable, or no entry became an article.

        ``most``: the share of unreadable entries that is allowed.
        """
        count, unreadable = self.tally.number(_READ), self.tally.number(_UNREADABLE)
        if unreadable > max(1, most * max(count, FEW_ENTRIES)) or (count and unreadable == count):
            raise CorpusError(
                f"{unreadable} of {count} entries of the corpus are unreadable; the first: "
                f"{self.tally.examples[_UNREADABLE]}",
                hint="correct corpus.reader, corpus.options (such as fields) or the files; ingest.max_bad_input is the highest "
                "share allowed",
            )
        if not count:
            raise CorpusError(
                "no article in the corpus: 0 entries read",
                hint="check corpus.path: its files are empty or contain only a header",
            )
        if not self.oddities.articles:
            raise CorpusError(
                f"no article in the corpus: {count} entries read, none with a date, a text and a kind of ingest.kinds; the first: "
                f"{printable(self.tally.examples.get(_REJECTED, ''))}",
                hint="check corpus.options (field names), ingest.kinds and ingest.date_formats",
            )

    @property
    def lines(self) -> list[str]:
        """What the user should know about the articles: a line for each kind, for the wires, and for each oddity."""
        return [*self.kinds.lines, *wire_lines(self.wires), *self.oddities.lines]
