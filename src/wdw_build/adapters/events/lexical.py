"""The event scorer that compares words alone (``text.same_event``): no model, about a millisecond a candidate."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.core.hashing import digest
from wdw_build.ports import ArticleText
from wdw_build.text import same_event
from wdw_build.text.same_event import Frequencies, Told
from wdw_build.text.tokens import words

_WEIGHTS = (same_event.INTERCEPT, same_event.LEADS_WEIGHT, same_event.OPENING_WEIGHT, same_event.DAYS_WEIGHT)


def _told(article: ArticleText) -> Told:
    # The figures read the lead alone.
    first = article.sentences[: same_event.LEAD_SENTENCES]
    return Told(title=words(article.title), sentences=[words(sentence) for sentence in first])


class LexicalScorer:
    """``EventScorer`` by shared words and days apart."""

    @property
    def identity(self) -> str:
        """Name, version and weights."""
        return f"lexical events 1, weights {digest(_WEIGHTS)[:16]}"

    def score(
        self, question: str, own: ArticleText, candidates: Sequence[ArticleText], frequencies: Frequencies
    ) -> list[float]:
        """See ``EventScorer.score``."""
        asked, told = words(question), _told(own)
        found = (
            same_event.features(asked, told, _told(one), one.day - own.day, frequencies) for one in candidates
        )
        return [round(same_event.score(figures), 4) for figures in found]
