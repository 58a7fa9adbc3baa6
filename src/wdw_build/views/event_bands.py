"""Event scores in bands, before suppression and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

# The bounds between bands of the event score.
_EDGES = (0.2, 0.35, 0.5, 0.6, 0.75)


class EventBand(msgspec.Struct, frozen=True):
    """The articles and problems with an event score in one band."""

    least: float
    """The lowest event score of the band."""
    below: float | None
    """The upper end, which is not in the band; null for the highest band."""
    before: int
    """Articles after `dedup` whose best passage has such an event score."""
    before_share: float
    """Share of `before` among the articles, from 0 to 1."""
    after: int
    """Strict problems with such an event score."""
    after_share: float
    """Share of `after` among the strict problems, from 0 to 1."""


def event_bands(before: Counter[float], after: Counter[float], threshold: float) -> tuple[EventBand, ...]:
    """The bands of scores from ``threshold`` up. Scores have four decimals, and edges have as many or fewer."""
    if not before and not after:
        return ()
    edges = [threshold, *(edge for edge in _EDGES if edge > threshold)]
    bands = []
    for least, below in zip(edges, [*edges[1:], None], strict=True):
        counts = [
            sum(count for score, count in scores.items() if least <= score and (below is None or score < below))
            for scores in (before, after)
        ]
        shares = [
            round(count / max(1, scores.total()), 4) for count, scores in zip(counts, (before, after), strict=True)
        ]
        bands.append(EventBand(least, below, counts[0], shares[0], counts[1], shares[1]))
    return tuple(bands)


def event_band_rows(bands: tuple[EventBand, ...]) -> Iterator[tuple[str, str, str, str, str]]:
    """A row for each band of the event score, the highest first: band, and number and share before and after suppression."""
    for band in reversed(bands):
        name = f"{band.least:g} and over" if band.below is None else f"{band.least:g} to {band.below:g}"
        yield name, f"{band.before:,}", f"{band.before_share:.1%}", f"{band.after:,}", f"{band.after_share:.1%}"
