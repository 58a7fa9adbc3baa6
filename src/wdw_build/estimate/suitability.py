"""Whether a corpus is suitable: how many articles of which sources and days, and how many first sentences name two persons."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Sequence

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.errors import MissingResourceError
from wdw_build.estimate.first_look import FirstLook
from wdw_build.estimate.sample import CorpusSample
from wdw_build.ports import ANNOTATOR, Annotator
from wdw_build.records import Article, RawArticle, TaggedName, Tokens
from wdw_build.registry import Backends
from wdw_build.text.names.consistency import PERSON

_TAGGED = 200
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
    rejected_sources: dict[str, int]
    """Sampled records of each source of which every sampled record was rejected, the most frequent first."""
    days: tuple[dt.date, dt.date] | None
    """The first and the last day; None if the order of day and month is unknown."""
    densest_half: tuple[dt.date, dt.date] | None
    """The first and the last day of the shortest period with half of the articles; None if ``days`` is."""
    with_two_persons: float | None
    """Share of first sentences that name two persons; None if the models are not installed."""
    tagged: int
    """Number of first sentences that were tagged for it."""

    @property
    def per_day(self) -> float | None:
        """Articles per day in the densest half, which a few articles of other years do not change.

        At most a third too high for a sample of a corpus in the order of its dates.
        """
        if self.densest_half is None:
            return None
        first, last = self.densest_half
        return math.ceil(self.articles / 2) / ((last - first).days + 1)

    @property
    def doubts(self) -> list[str]:
        """Reasons to expect few problems."""
        doubts = []
        if not self.sources:
            doubts.append("no source is named: a question needs a second article on its event, best of another source")
        elif max(self.sources.values()) > _ONE_SOURCE:
            doubts.append("nearly all articles are of one source: a question needs a second article on its event")
        if self.per_day is not None and self.per_day < _FEW_PER_DAY:
            doubts.append(f"{self.per_day:.1f} articles per day in the densest period: few events are reported twice")
        if self.days and self.days[0] == self.days[1]:
            doubts.append("all articles have the same date: the splits of the dataset follow the dates")
        return doubts


def suitability(config: Config, sample: CorpusSample, look: FirstLook) -> Suitability:
    """Extrapolate from a sample and its look, and tag some first sentences."""
    articles = [article for _, article in look.pairs]
    step = -(-len(articles) // _TAGGED)
    tagged = articles[::step]
    days = [] if look.is_order_open else sorted(article.date for article in articles)
    sources = Counter(article.source for article in articles if article.source)
    return Suitability(
        articles=round(sample.total * len(articles) / len(look.results)),
        is_counted=sample.has_all,
        sources={name: count / len(articles) for name, count in sources.most_common()},
        rejected_sources=_rejected_sources(look, sources),
        days=(days[0], days[-1]) if days else None,
        densest_half=_densest_half(days) if days else None,
        with_two_persons=_share_with_two_persons(config, tagged),
        tagged=len(tagged),
    )


def _rejected_sources(look: FirstLook, accepted: Counter[str]) -> dict[str, int]:
    """The number of records of each source that has no article, the most frequent first."""
    sources = (entry.source for entry in look.entries if isinstance(entry, RawArticle))
    return dict(Counter(source for source in sources if source and source not in accepted).most_common())


def _densest_half(days: Sequence[dt.date]) -> tuple[dt.date, dt.date]:
    """The shortest period that has half of the days, which are sorted; the latest of several."""
    half = math.ceil(len(days) / 2)
    periods = zip(days, days[half - 1 :], strict=False)
    return min(periods, key=lambda period: (period[1] - period[0], -period[1].toordinal()))


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
