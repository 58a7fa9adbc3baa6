"""The profile of a source: a wire or pages.

Wires give stories alone, after datelines: what is no part of a story has the forms of datelines, bylines and credits. Pages
bring text from around the story. A source is a wire if most of its texts have a dateline and hardly any shows a page: an
address or a post, a lost full stop, words to the visitor.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wdw_build.records import Article, RawArticle
from wdw_build.text.counts import most_frequent_first
from wdw_build.text.sentences.boundaries import LOST_END, SENTENCE_END
from wdw_build.text.sentences.datelines import split_dateline

WIRE, PAGES = "wire", "pages"
_DATELINE, _PAGE, _RUNS_ON = "dateline", "page", "runs on"
# Sources that a line names.
_NAMED = 5
_OPENING_PARAGRAPHS = 3
_ADDRESS = re.compile(r"https?://|\bwww\.|\bpic\.twitter\.com|(?<!\w)@\w{3,}")
# Articles of a source without which its profile is not known, and the shares of a wire.
_FEWEST = 20
_DATELINES, _PAGES = 0.5, 0.08
# Characters of an opening. The share of articles in which it runs on from which on a source's openings are read, and what
# smooths the share.
_LONGEST_OPENING = 600
_LEAST_SHARE, _SMOOTH, _MORE = 0.01, 0.2, 100


def signs(raw: RawArticle, page_lines: Iterable[str]) -> Iterator[str]:
    """What an article shows of its source's profile. ``page_lines``: sentences of it that look like page text."""
    first = raw.paragraphs[:_OPENING_PARAGRAPHS]
    if raw.dateline or any(split_dateline(paragraph)[0] for paragraph in first):
        yield _DATELINE
    text = "\n".join(raw.paragraphs)
    if any(page_lines) or _ADDRESS.search(text) or LOST_END.search(text):
        yield _PAGE
    if runs_on(raw.paragraphs):
        yield _RUNS_ON


def runs_on(paragraphs: Sequence[str]) -> bool:
    """Whether a word that starts sentences follows in the first sentence of a text, without a full stop before it."""
    opening = paragraphs[0][:_LONGEST_OPENING] if paragraphs else ""
    joint = LOST_END.search(opening)
    return joint is not None and not SENTENCE_END.search(opening, 0, joint.start("next"))


def joined_share(articles: int, signs: Mapping[str, int]) -> float:
    """The share of a source's articles with an opening that runs on, for ``joined_lines``; 0 if it is too small.

    It is smoothed, so that few articles say little.
    """
    share = (signs.get(_RUNS_ON, 0) + _SMOOTH) / (articles + _MORE)
    return share if share >= _LEAST_SHARE else 0.0


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


def joined_note(shares: Mapping[str, float]) -> list[str]:
    """A line that names the sources whose openings run on, if there are any, with these shares of their articles."""
    named = _named(
        {source: f"{share:.0%}" for source, share in sorted(shares.items(), key=lambda one: (-one[1], one[0]))}
    )
    return [f"sources with headlines or captions that run into sentences, which are cut: {named}"] if shares else []


def _named(sources: Mapping[str, str]) -> str:
    """The first sources with what is said of each, and how many more there are."""
    named = ", ".join(
        f"{source or 'articles without a source'} ({said})"
        for source, said in itertools.islice(sources.items(), _NAMED)
    )
    return f"{named} and {len(sources) - _NAMED:,} more" if len(sources) > _NAMED else named
