"""Whether a corpus is suitable: how many articles of which sources and days, and how many first sentences name two persons."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.errors import MissingResourceError
from wdw_build.estimate.first_look import FirstLook, ingested
from wdw_build.estimate.sample import sample_corpus
from wdw_build.ports import ANNOTATOR, Annotator
from wdw_build.records import Article, TaggedName, Tokens
from wdw_build.registry import Backends
from wdw_build.text.names.consistency import PERSON

_ARTICLES, _TAGGED = 2000, 200
# Fewer articles per day seldom report the same event twice.
_FEW_PER_DAY = 5
_ONE_SOURCE = 0.95


class Suitability(msgspec.Struct, frozen=True, kw_only=True):
    """Counts of a sample of the corpus, extrapolated to all of it."""

    articles: int
    is_counted: bool
    """Whether all of the corpus was read."""
    sources: dict[str, float]
    """Share of the articles of each source, the largest first."""
    days: tuple[dt.date, dt.date] | None
    """The first and the last day; None if the order of day and month is unknown."""
    with_two_persons: float | None
    """Share of first sentences that name two persons; None if the models are not installed."""
    tagged: int
    """Number of first sentences that were tagged for it."""

    @property
    def per_day(self) -> float | None:
        """Articles per day, from the first to the last day."""
        return self.articles / ((self.days[1] - self.days[0]).days + 1) if self.days else None

    @property
    def doubts(self) -> list[str]:
        """Reasons to expect few problems."""
        doubts = []
        if not self.sources:
            doubts.append("no source is named: a question needs a second article on its event, best of another source")
        elif max(self.sources.values()) > _ONE_SOURCE:
            doubts.append("nearly all articles are of one source: a question needs a second article on its event")
        if self.per_day is not None and self.per_day < _FEW_PER_DAY:
            doubts.append(f"{self.per_day:.1f} articles per day: few events are reported twice")
        if self.days and self.days[0] == self.days[1]:
            doubts.append("all articles have the same date: the splits of the dataset follow the dates")
        return doubts


def suitability(config: Config, reader: Any, look: FirstLook) -> Suitability:
    """Read a sample of the corpus for some seconds, and tag some first sentences."""
    sample = sample_corpus(reader, _ARTICLES)
    results = ingested(sample.kept, config, look.section)
    articles = [result for result in results if isinstance(result, Article)]
    step = -(-len(articles) // _TAGGED)
    tagged = articles[::step]
    days = [article.date for article in articles]
    sources = Counter(article.source for article in articles if article.source)
    return Suitability(
        articles=round(sample.total * len(articles) / len(results)),
        is_counted=sample.is_whole and sample.read == len(results),
        sources={name: count / len(articles) for name, count in sources.most_common()},
        days=None if look.is_order_open else (min(days), max(days)),
        with_two_persons=_share_with_two_persons(config, tagged),
        tagged=len(tagged),
    )


def _share_with_two_persons(config: Config, articles: Sequence[Article]) -> float | None:
    try:
        annotator: Annotator = Backends(config).get(ANNOTATOR)
        firsts = [
            tokens for tokens in annotator.first_sentences([article.paragraphs[0] for article in articles]) if tokens
        ]
        names = annotator.names(firsts)
    except (MissingResourceError, ImportError):
        return None
    with_two = sum(_names_two(tokens, found) for tokens, found in zip(firsts, names, strict=True))
    return with_two / len(articles)


def _names_two(tokens: Tokens, names: Sequence[TaggedName]) -> bool:
    return len({tokens.words[name.end - 1] for name in names if name.kind == PERSON}) >= 2
