"""An article of the corpus as ``ingest`` understands it, for people: ``config check`` and ``init`` show it in the same way."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from wdw_build.core.progress import printable
from wdw_build.corpus_look.first_look import FirstLook
from wdw_build.ports import SentenceSplitter
from wdw_build.records import Article, RawArticle
from wdw_build.text.dates import numeric_dates

_LONGEST = 160


Pair = tuple[RawArticle, Article]


def articles_shown(look: FirstLook, pairs: Sequence[Pair], splitter: SentenceSplitter) -> list[dict[str, Any]]:
    """For each article: id, date as understood and as written, source, title, first sentence, number of paragraphs."""
    return [_shown(raw, article, splitter, look.is_order_open) for raw, article in pairs]


def of_largest_sources(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Articles of the ``count`` largest sources in turn; several articles of one source are far apart in the corpus."""
    by_source: dict[str, list[Pair]] = {}
    for pair in pairs:
        by_source.setdefault(pair[1].source, []).append(pair)
    largest = sorted(by_source.values(), key=len, reverse=True)[:count]
    rounds = -(-count // max(1, len(largest)))
    spread = [of_source[:: max(1, len(of_source) // rounds)] for of_source in largest]
    return [pair for turn in itertools.zip_longest(*spread) for pair in turn if pair][:count]


def _shown(raw: RawArticle, article: Article, splitter: SentenceSplitter, is_order_open: bool) -> dict[str, Any]:
    sentences = splitter.sentences(article.paragraphs[0])
    days = (is_order_open and numeric_dates(raw.date)) or (article.date,)
    return {
        "id": article.id,
        "date": " or ".join(dict.fromkeys(f"{day:%-d %B %Y}" for day in days if day)),
        "written": raw.date,
        "source": article.source,
        "title": article.title,
        "first_sentence": sentences[0] if sentences else "",
        "paragraphs": len(article.paragraphs),
    }


def look_text(look: FirstLook, shown: list[dict[str, Any]], records: str) -> str:
    """The articles that are shown, and the notes; ``records`` says which records of the corpus were read."""
    lines = [f"{len(look.pairs):,} of {records} are articles; as ingest understands them:"]
    for article in shown:
        date = f"{article['date']} (written {printable(article['written'])!r})"
        rows = {
            "id": article["id"],
            "date": date,
            "source": article["source"] or "-",
            "title": article["title"] or "-",
            "first sentence": article["first_sentence"],
            "paragraphs": str(article["paragraphs"]),
        }
        lines += ["", *(f"  {name:<15} {_short(text)}" for name, text in rows.items())]
    return "\n".join([*lines, "", *(f"note: {printable(note)}" for note in look.notes)]).rstrip()


def _short(text: str) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"
