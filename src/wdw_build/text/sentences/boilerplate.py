"""Boilerplate of a source, learned from its articles: lines and labels that recur, and titles of articles.

A web page repeats notices ("Please disable your ad blocker."), links and labels around its stories. No pattern can know them,
but they recur word for word in many articles of the same source, and a sentence of news does not. A line is boilerplate if it
occurs in at least ``_FEWEST`` articles of the source with different beginnings, and in at least ``_LINE_SHARE`` of its
articles; a line of fewer words, if it occurs in many articles of the source or of the whole corpus. Words after a mark (see
``openings``) belong to the mark if the same words follow it often and what comes next differs and always starts with a
capital. A sentence that looks like page text (see ``page_text``) is boilerplate in fewer articles. Words with capitals at the
start of a sentence are a label if words that start sentences often follow them.

Counts are kept under hashed lines and are summed over the shards of the corpus, so the table depends on the corpus alone.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import msgspec

from wdw_build.text.sentences.boundaries import STARTERS
from wdw_build.text.sentences.profile import Joined, is_wire, joined_shares

_FEWEST = 10
_LINE_SHARE = 0.01
_FEWEST_WORDS, _MOST_WORDS = 4, 40
# The same for lines of fewer words, which a story may have, too ("He agreed."). Sources and the whole corpus are counted.
_FEWEST_SHORT, _SHORT_SHARE = 50, 0.05
# A source's name has no space at its start.
_WHOLE_CORPUS = " "
# The same for sentences that look like page text. In a large source, or without sources, the number matters, not the share.
_FEWEST_PAGES, _PAGE_SHARE, _ENOUGH = 5, 0.002, 50
# Paragraphs at the start and the end of an article in which lines are counted, and sentences at its very start and end.
_FIRST, _LAST = 4, 6
_HEAD_SENTENCES, _TAIL_SENTENCES = 2, 4
# Words after a mark: the longest label, its fewest articles, its share of the marks, and the chance that two articles go on
# with different words.
_LONGEST_LABEL = 8
_FEWEST_LABELS = 5
_LABEL_SHARE = 0.05
_LEAST_DIVERSITY = 0.8
# The kind of a label at the start of a sentence; its share of the articles, and of words that start sentences after it.
INNER_LABEL = "inner"
_INNER_SHARE = 0.01
_LEAST_STARTERS = 0.15
_FEWEST_TITLE_WORDS, MOST_TITLE_WORDS = 5, 30
# In characters; shorter than any title that counts.
_TITLE_START = 28
_PLAIN_QUOTES = str.maketrans("‘’“”", "''\"\"")
# The followers of words that do not belong to a mark ("The", "In") are mostly in lower case.
_CAPITALISED = 0.95

# It begins with a quick pre-test: most characters are no white space.
_SENTENCE_GAP = re.compile(r"(?=\s)(?:(?:(?<=[.!?…])|(?<=[.!?…][\"”’)]))\s+(?=[\"“‘(©]?[A-Z0-9©])|\s\s+)")


class Boilerplate(msgspec.Struct):
    """The boilerplate of each source: hashed lines, and the words that belong to a mark of each kind; and all titles.

    ``wires``: the sources with the profile of a wire.

    ``joined``: the shares of articles that run on, of each other source.

    ``titles``: sorted hashes of the first characters and of all words of each title, in 8 bytes each.
    """

    lines: dict[str, set[str]] = {}
    labels: dict[str, set[str]] = {}
    wires: set[str] = set()
    joined: dict[str, Joined] = {}
    titles: bytes = b""

    def is_wire(self, source: str) -> bool:
        """Whether the source has the profile of a wire."""
        return _source_key(source) in self.wires

    def joined_shares(self, source: str) -> Joined:
        """The shares of the source's articles that run on."""
        return self.joined.get(_source_key(source), joined_shares(0, {}))

    def has_lines(self, source: str) -> bool:
        """Whether any line of the source is boilerplate."""
        return _source_key(source) in self.lines

    def has_labels(self, source: str) -> bool:
        """Whether any words of the source belong to a mark."""
        return _source_key(source) in self.labels

    def may_have_title(self, text: str, starts: Iterable[int]) -> bool:
        """Whether a title begins with the characters at one of the offsets, or with others of the same hash."""
        return any(self._has_title_key(_start_key(text[start : start + _TITLE_START])) for start in starts)

    def title_size(self, words: Sequence[str]) -> int:
        """The number of words of the longest title with which the words begin; 0 without one."""
        sizes = range(len(words), _FEWEST_TITLE_WORDS - 1, -1)
        return next((size for size in sizes if self._has_title_key(_whole_key(words[:size]))), 0)

    def _has_title_key(self, key: int) -> bool:
        keys = _title_keys(self.titles)
        place = bisect.bisect_left(keys, key)
        return place < len(keys) and keys[place] == key

    def is_line(self, source: str, text: str) -> bool:
        """Whether a paragraph or a sentence is boilerplate of the source or of the whole corpus."""
        known = [self.lines[key] for key in (_source_key(source), _WHOLE_CORPUS) if key in self.lines]
        # Most sources have no boilerplate: then the text is not hashed.
        line = (_short_line(text) or line_key(text)) if known else ""
        return line != "" and any(line in lines for lines in known)

    def label_end(self, source: str, kind: str, text: str, start: int) -> int:
        """The end of the words that belong to a mark of this kind, which ends at ``start``."""
        known = self.labels.get(_source_key(source))
        if known is None:
            return start
        label, end = kind, start
        for word in itertools.islice(re.finditer(r"\S+", text[start : start + 200]), _LONGEST_LABEL):
            label = f"{label} {word[0]}"
            if label in known:
                end = start + word.end()
        return end


def _source_key(source: str) -> str:
    """A source's name without tabs and line breaks, which separate the parts of a key."""
    return " ".join(source.split())


def line_key(text: str) -> str:
    """The hash of a line; empty for a text that is too short or too long."""
    words = text.split(None, _MOST_WORDS)
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return ""
    return blake2b(" ".join(words).encode(errors="replace"), digest_size=8).hexdigest()


def _short_line(text: str) -> str:
    """The words of a line that is too short for ``line_key``; empty for other lines."""
    words = text.split(None, _FEWEST_WORDS)
    return " ".join(words) if len(words) < _FEWEST_WORDS else ""


def is_outer(number: int, paragraphs: int) -> bool:
    """Whether a paragraph is so near to an end of its article that it can be boilerplate."""
    return number < _FIRST or number >= paragraphs - _LAST


def outer_lines(paragraphs: Sequence[str]) -> Iterator[str]:
    """The lines of an article that can be boilerplate: outer paragraphs, and the outer sentences of the text."""
    yield from (text for number, text in enumerate(paragraphs) if is_outer(number, len(paragraphs)))
    if paragraphs:
        yield from head_sentences(paragraphs[0])
        yield from tail_sentences(paragraphs[-1])


def head_sentences(paragraph: str) -> list[str]:
    """The first sentences of a paragraph that goes on after them."""
    return _SENTENCE_GAP.split(paragraph[:1000], _HEAD_SENTENCES)[:-1]


def tail_sentences(paragraph: str) -> list[str]:
    """The last sentences of a paragraph that begins before them."""
    return _SENTENCE_GAP.split(paragraph[-1000:])[1:][-_TAIL_SENTENCES:]


@functools.lru_cache(maxsize=1)
def _title_keys(titles: bytes) -> memoryview:
    return memoryview(titles).cast("Q")


def _start_key(text: str) -> int:
    return zlib.crc32(text.encode(errors="replace"))


def _whole_key(words: Sequence[str]) -> int:
    text = " ".join(words).translate(_PLAIN_QUOTES).casefold()
    return int.from_bytes(blake2b(text.encode(errors="replace"), digest_size=8).digest(), "big")


class BoilerplateCounter:
    """Counts lines and the words after marks. A key is the source, a tab, and what is counted. ``titles`` counts hashes."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.titles: Counter[str] = Counter()

    def add(
        self,
        source: str,
        paragraphs: Sequence[str],
        marks: Iterable[tuple[str, str]],
        title: str = "",
        page_lines: Iterable[str] = (),
        signs: Iterable[str] = (),
    ) -> None:
        """Count an article.

        ``marks``: the kind of each mark in its opening, and the text after the mark. ``page_lines``: sentences that look like
        page text. ``signs``: of the profile of its source (see ``profile``).

        Articles whose texts begin the same, apart from the title, count once: they are one story, published repeatedly.
        """
        source = _source_key(source)
        text = "".join(paragraphs).removeprefix(title)
        beginning = blake2b(text[:600].encode(errors="replace"), digest_size=3).hexdigest()
        for line in {line_key(text) for text in outer_lines(paragraphs)} - {""}:
            self.counts[f"{source}\tline\t{line}\t{beginning}"] = 1
        for sign in signs:
            self.counts[f"{source}\tsign\t{sign}"] += 1
        short = {_short_line(text) for text in (*paragraphs[:_FIRST], *paragraphs[-_LAST:])} - {""}
        for counted in (source, _WHOLE_CORPUS):
            self.counts[f"{counted}\t"] += 1
            for line in short:
                self.counts[f"{counted}\tshort\t{line}\t{beginning}"] = 1
        for line in {line_key(text) for text in page_lines} - {""}:
            self.counts[f"{source}\tpage\t{line}\t{beginning}"] = 1
        title = title.strip()
        words = title.split()
        if _FEWEST_TITLE_WORDS <= len(words) <= MOST_TITLE_WORDS and len(title) > _TITLE_START:
            for key in (_start_key(title[:_TITLE_START]), _whole_key(words)):
                self.titles[f"{key:016x}"] += 1
        for kind, rest in marks:
            words = rest[:200].split(None, _LONGEST_LABEL + 1)[: _LONGEST_LABEL + 1]
            for size in range(len(words)):
                self.counts[f"{source}\tlabel\t{' '.join((kind, *words[:size]))}\t{words[size]}"] += 1


def learned(counts: Iterable[tuple[str, int]], titles: Iterable[tuple[str, int]] = ()) -> Boilerplate:
    """The boilerplate by the sums of all counts, in the order of their keys."""
    boilerplate = Boilerplate(titles=array("Q", (int(key, 16) for key, _ in titles)).tobytes())
    for source, rows in itertools.groupby(counts, key=lambda row: row[0].partition("\t")[0]):
        _, articles = next(rows)
        least = {
            "line": max(_FEWEST, _LINE_SHARE * articles),
            "short": max(_FEWEST_SHORT, _SHORT_SHARE * articles),
            "page": max(_FEWEST_PAGES, min(_ENOUGH, _PAGE_SHARE * articles)),
        }
        marks: dict[str, int] = {}
        signs = Counter[str]()
        for (what, text), group in itertools.groupby(rows, key=lambda row: tuple(row[0].split("\t")[1:3])):
            followers = [(key.rpartition("\t")[2], count) for key, count in group]
            if what == "sign":
                signs[text] = sum(count for _, count in followers)
            elif what in least:
                if len(followers) >= least[what]:
                    boilerplate.lines.setdefault(source, set()).add(text)
            else:
                kind, _, words = text.partition(" ")
                if not words:
                    marks[kind] = sum(count for _, count in followers)
                elif (
                    _is_inner_label(words, followers, articles)
                    if kind == INNER_LABEL
                    else _is_label(words, followers, marks[kind])
                ):
                    boilerplate.labels.setdefault(source, set()).add(text)
        if is_wire(articles, signs):
            boilerplate.wires.add(source)
        else:
            boilerplate.joined[source] = joined_shares(articles, signs)
    return boilerplate


def _is_label(words: str, followers: Sequence[tuple[str, int]], marks: int) -> bool:
    """Whether words after marks belong to the marks, judged by the words that follow them."""
    total = sum(count for _, count in followers)
    last = words.rpartition(" ")[2]
    is_whole = (last[0].isupper() or last.endswith(")")) and not last.endswith(",")
    if not is_whole or total < max(_FEWEST_LABELS, _LABEL_SHARE * marks):
        return False
    lower = sum(count for word, count in followers if word[:1].islower())
    return _differ(followers, total) and lower <= (1 - _CAPITALISED) * total


def _is_inner_label(words: str, followers: Sequence[tuple[str, int]], articles: int) -> bool:
    """Whether words with capitals at the start of a sentence are a label, judged by the words that follow them."""
    total = sum(count for _, count in followers)
    if " " not in words or total < max(_FEWEST, min(_ENOUGH, _INNER_SHARE * articles)):
        return False
    return _differ(followers, total) and _starters(followers) >= _LEAST_STARTERS * total


def _starters(followers: Sequence[tuple[str, int]]) -> int:
    """How often a following word is one that starts sentences."""
    return sum(count for word, count in followers if word.strip('"“').casefold() in STARTERS)


def _differ(followers: Sequence[tuple[str, int]], total: int) -> bool:
    """Whether two of ``total`` following words, drawn at random, mostly differ."""
    same = sum(count * (count - 1) for _, count in followers) / (total * (total - 1))
    return 1 - same >= _LEAST_DIVERSITY
