"""The profile of a source: a wire or pages.

Wires give stories alone, after datelines: what is no part of a story has the forms of datelines, bylines and credits. Pages
bring text from around the story. A source is a wire if most of its texts have a dateline and hardly any shows a page: an
address or a post, a lost full stop, words to the visitor.

The texts of some page sources run on often: a word that starts sentences follows without a full stop before it, at a place that
the source does not repeat. Most repeat some lines, such as a line about a column: the tagger of page text (``tagged_lines``) reads
which.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

import msgspec

from wdw_build.records import Article, Joined, RawArticle
from wdw_build.text.counts import most_frequent_first
from wdw_build.text.lexicon import phrases
from wdw_build.text.pages.datelines import split_dateline
from wdw_build.text.pages.exact_forms import spoken
from wdw_build.text.pages.first_look import lines_of
from wdw_build.text.sentences.boundaries import LOST_END, SENTENCE_END

WIRE, PAGES = "wire", "pages"
# The first of these comes first in the order of keys.
_ARTICLE, _DATELINE, _PAGE, _RUNS_ON, _OPENING = "article", "dateline", "page", "runs on", "opening runs on"
# Sources that a line names.
_NAMED = 5
_OPENING_PARAGRAPHS = 3
_ADDRESS = re.compile(r"https?://|\bwww\.|\bpic\.twitter\.com|(?<!\w)@\w{3,}")
# The end of a sentence, or of a label with a colon, before a text that does not begin in lower case.
_PAGE_SENTENCE_END = re.compile(r"[.!?…:\n](?:(?<=\n)|[\"”’)\]]{0,2}\s+)(?=[^a-z\s])")
_BEGINNINGS = frozenset(phrases("page_beginnings"))
_PAGE_WORDS = phrases("page_words")
_LONGEST_LINE, _LONGEST_WORD = 400, 16
_QUOTES = '"“”'
# Articles of a source without which its profile is not known, and the shares of a wire.
_FEWEST = 20
_DATELINES, _PAGES = 0.5, 0.08
# What smooths the share of articles that run on, and the share from which on a source is said to, and read with care.
_SMOOTH, _MORE = 0.2, 100
OFTEN_JOINED = 0.02
# Characters around the place where a text runs on.
_BEFORE, _BEHIND = 30, 20
# Parts a sign from the hash of where it is; that of a line has no sign. Lines of so many words are counted, once in an article.
_PLACE = "~"
_FEWEST_WORDS, _MOST_WORDS = 3, 25
# A source repeats what so many of its articles have, and such a share of them.
_FEWEST_REPEATS, _REPEATED_SHARE = 5, 0.002


def signs(raw: RawArticle) -> Iterator[str]:
    """What an article shows of its source's profile.

    It runs on if a word that starts sentences follows without a full stop before it; that sign has the hash of the place.
    """
    first = raw.paragraphs[:_OPENING_PARAGRAPHS]
    if raw.dateline or any(split_dateline(paragraph)[0] for paragraph in first):
        yield _DATELINE
    text = "\n".join(raw.paragraphs)
    joint = LOST_END.search(text)
    if joint:
        place = _hash(text[max(0, joint.start() - _BEFORE) : joint.end() + _BEHIND])
        yield f"{_RUNS_ON}{_PLACE}{place}"
        if not SENTENCE_END.search(text, 0, joint.start("next")) and joint.end() <= len(raw.paragraphs[0]):
            yield f"{_OPENING}{_PLACE}{place}"
    if joint or _ADDRESS.search(text) or _addresses_visitor(text):
        yield _PAGE


def _addresses_visitor(text: str) -> bool:
    """Whether a sentence outside quotations addresses the visitor of a page or mentions the page."""
    lower = text.lower()
    words = [word for word in _PAGE_WORDS if word in lower]
    starts = [0, *[end.end() for end in _PAGE_SENTENCE_END.finditer(text)], len(text)]
    return any(_is_page_like(text, start, end, words) for start, end in itertools.pairwise(starts))


def _is_page_like(text: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Whether the sentence between two offsets is of a page. ``words``: the words of pages that the text has."""
    first = text[start : start + _LONGEST_WORD].split(None, 1)
    begins = bool(first) and first[0].rstrip(":").lower() in _BEGINNINGS
    if not (begins or words) or end - start > _LONGEST_LINE:
        return False
    sentence = text[start:end].strip()
    # An interview repeats its questions.
    if not begins and (sentence.endswith("?") or not any(word in sentence.lower() for word in words)):
        return False
    return not any(mark in sentence for mark in _QUOTES)


def joined_shares(articles: int, signs: Mapping[str, int]) -> Joined:
    """The shares, for ``joined_lines``, to three digits; few articles say little."""
    openings, others = ((signs.get(sign, 0) + _SMOOTH) / (articles + _MORE) for sign in (_OPENING, _RUNS_ON))
    return Joined(openings=float(f"{openings:.3g}"), articles=float(f"{others:.3g}"))


def line_key(text: str) -> str:
    """The hash of the words of a line; empty if it is too short or too long to count."""
    words = spoken(text).split()
    if not _FEWEST_WORDS <= len(words) <= _MOST_WORDS:
        return ""
    return _hash(" ".join(words))


def _hash(text: str) -> str:
    return blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()


class Sources(msgspec.Struct):
    """What a corpus shows of its sources.

    ``wires``: those with that profile; of each other source, ``joined``: the shares of articles that run on, and ``lines``: the
    hashes of the lines that it repeats, if there are any.
    """

    wires: set[str] = set()
    joined: dict[str, Joined] = {}
    lines: dict[str, frozenset[str]] = {}

    def is_wire(self, source: str) -> bool:
        """Whether the source has the profile of a wire."""
        return _key(source) in self.wires

    def joined_shares(self, source: str) -> Joined:
        """The shares of the source's articles that run on."""
        return self.joined.get(_key(source), joined_shares(0, {}))

    def repeated(self, source: str) -> frozenset[str]:
        """The hashes (``line_key``) of the lines that the source repeats."""
        return self.lines.get(_key(source), frozenset())


def count_signs(raw: RawArticle, counts: Counter[str]) -> None:
    """Count an article of its source, what it shows, and its lines."""
    keys = {line_key(raw.paragraphs[line.paragraph][line.start : line.end]) for line in lines_of(raw.paragraphs)}
    for sign in (_ARTICLE, *signs(raw), *(f"{_PLACE}{key}" for key in keys if key)):
        counts[f"{_key(raw.source)}\t{sign}"] += 1


def _key(source: str) -> str:
    """A source's name without tabs and line breaks."""
    return " ".join(source.split())


def sources_of(counts: Iterable[tuple[str, int]]) -> Sources:
    """What the sums of all counts show, in the order of their keys."""
    found = Sources()
    for source, rows in itertools.groupby(counts, key=lambda row: row[0].partition("\t")[0]):
        articles, signs_of, lines = _of_source(rows)
        if is_wire(articles, signs_of):
            found.wires.add(source)
            continue
        found.joined[source] = joined_shares(articles, signs_of)
        if lines:
            found.lines[source] = lines
    return found


def _of_source(rows: Iterator[tuple[str, int]]) -> tuple[int, Counter[str], frozenset[str]]:
    """The articles of a source, the signs that it does not repeat at the same place, and the hashes of lines that it repeats.

    The number of articles comes first; a large source has more lines and places than fit into memory.
    """
    _, articles = next(rows)
    least = max(_FEWEST_REPEATS, _REPEATED_SHARE * articles)
    signs_of, lines = Counter[str](), set[str]()
    for key, count in rows:
        sign, _, place = key.partition("\t")[2].partition(_PLACE)
        is_repeated = bool(place) and count >= least
        if sign and not is_repeated:
            signs_of[sign] += count
        elif is_repeated and not sign:
            lines.add(place)
    return articles, signs_of, frozenset(lines)


def is_wire(articles: int, signs: Mapping[str, int]) -> bool:
    """Whether a source is a wire. ``signs``: the number of its articles with each sign."""
    datelines, pages = signs.get(_DATELINE, 0), signs.get(_PAGE, 0)
    return articles >= _FEWEST and datelines >= _DATELINES * articles and pages <= _PAGES * articles


def wires_of(articles: Iterable[Article]) -> Counter[str]:
    """The number of articles of each source with the profile of a wire."""
    return Counter(article.source for article in articles if article.profile == WIRE)


def wire_lines(wires: Mapping[str, int]) -> list[str]:
    """A line that names the wires among the sources, if there are any."""
    named = _named({source: f"{count:,} articles" for source, count in most_frequent_first(wires)})
    return [f"read as wires, which lose only datelines and credits (ingest.profiles): {named}"] if wires else []


def joined_note(joined: Mapping[str, Joined]) -> list[str]:
    """A line that names the sources whose texts often run on, if there are any; ``joined``: the shares of each source."""
    often = [(source, shares.articles) for source, shares in joined.items() if shares.articles >= OFTEN_JOINED]
    named = _named({source: f"{share:.0%}" for source, share in sorted(often, key=lambda one: (-one[1], one[0]))})
    return [f"sources with headlines or captions that run into sentences, which are cut: {named}"] if often else []


def _named(sources: Mapping[str, str]) -> str:
    """The first sources with what is said of each, and how many more there are."""
    named = ", ".join(
        f"{source or 'articles without a source'} ({said})"
        for source, said in itertools.islice(sources.items(), _NAMED)
    )
    return f"{named} and {len(sources) - _NAMED:,} more" if len(sources) > _NAMED else named
