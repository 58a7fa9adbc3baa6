"""The profile of a source: a wire or pages.

Wires give stories alone, after datelines: what is no part of a story has the forms of datelines, bylines and credits. Pages
bring text from around the story. A source is a wire if most of its texts have a dateline and hardly any shows a page: an
address or a post, a lost full stop, words to the visitor.

The texts of some page sources run on often: a word that starts sentences follows without a full stop before it.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from wdw_build.records import Article, RawArticle
from wdw_build.text.counts import most_frequent_first
from wdw_build.text.sentences.boundaries import LOST_END, SENTENCE_END
from wdw_build.text.sentences.datelines import split_dateline

WIRE, PAGES = "wire", "pages"
_DATELINE, _PAGE, _RUNS_ON, _OPENING = "dateline", "page", "runs on", "opening runs on"
# Sources that a line names.
_NAMED = 5
_OPENING_PARAGRAPHS = 3
_ADDRESS = re.compile(r"https?://|\bwww\.|\bpic\.twitter\.com|(?<!\w)@\w{3,}")
# Articles of a source without which its profile is not known, and the shares of a wire.
_FEWEST = 20
_DATELINES, _PAGES = 0.5, 0.08
# What smooths the share of articles that run on, and the share from which on a source is said to, and read with care.
_SMOOTH, _MORE = 0.2, 100
OFTEN_JOINED = 0.02


def signs(raw: RawArticle, page_lines: Iterable[str]) -> Iterator[str]:
    """What an article shows of its source's profile. ``page_lines``: sentences of it that look like page text.

    It runs on if a word that starts sentences follows without a full stop before it.
    """
    first = raw.paragraphs[:_OPENING_PARAGRAPHS]
    if raw.dateline or any(split_dateline(paragraph)[0] for paragraph in first):
        yield _DATELINE
    text = "\n".join(raw.paragraphs)
    joint = LOST_END.search(text)
    if joint:
        yield _RUNS_ON
        if not SENTENCE_END.search(text, 0, joint.start("next")) and joint.end() <= len(raw.paragraphs[0]):
            yield _OPENING
    if joint or any(page_lines) or _ADDRESS.search(text):
        yield _PAGE


class Joined(NamedTuple):
    """The shares of a source's articles of which the first sentence runs on, and of those of which any does; smoothed."""

    openings: float
    articles: float


def joined_shares(articles: int, signs: Mapping[str, int]) -> Joined:
    """The shares, for ``joined_lines``; few articles say little."""
    openings, others = ((signs.get(sign, 0) + _SMOOTH) / (articles + _MORE) for sign in (_OPENING, _RUNS_ON))
    return Joined(openings, others)


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
