"""Cosines of sentence vectors that do not depend on the processor."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.core.rounding import correctly_rounded
from wdw_build.ports import TextEncoder

# More than three times the largest error of a cosine of float32 vectors, in a million pairs of sentences of news.
_ERROR = 1e-6


def rounded_cosines(encoder: TextEncoder, text: str, others: Sequence[str]) -> list[float]:
    """The cosine of a text and each of the others, correctly rounded to ``core.rounding.DECIMALS`` decimals."""
    if not others:
        return []
    first, *vectors = (vector.astype("f8") for vector in encoder.vectors([text, *others]))
    return [
        float(correctly_rounded(first @ vector, _ERROR, lambda other=other: encoder.exact(text) @ encoder.exact(other)))
        for vector, other in zip(vectors, others, strict=True)
    ]
