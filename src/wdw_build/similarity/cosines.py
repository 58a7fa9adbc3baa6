"""Cosines of sentence vectors that do not depend on the processor."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from wdw_build.core.rounding import correctly_rounded
from wdw_build.ports import TextEncoder

# More than three times the largest error of a cosine of float32 vectors, in a million pairs of sentences of news.
_ERROR = 1.5e-6


def rounded_cosines(encoder: TextEncoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The cosine of each pair of texts, correctly rounded to ``core.rounding.DECIMALS`` decimals."""
    # NumPy is slow to import, and commands that run no stage must answer at once.
    import numpy as np

    def cosines(pairs: Sequence[tuple[str, str]], exact: bool) -> list[float]:
        texts = list(dict.fromkeys(itertools.chain.from_iterable(pairs)))
        vectors = {
            text: vector.astype(np.float64) for text, vector in zip(texts, encoder.vectors(texts, exact), strict=True)
        }
        return [float(vectors[first] @ vectors[second]) for first, second in pairs]

    return correctly_rounded(
        cosines(pairs, exact=False), _ERROR, lambda numbers: cosines([pairs[number] for number in numbers], exact=True)
    )


def cosines_with(encoder: TextEncoder, text: str, others: Sequence[str]) -> list[float]:
    """The rounded cosine of a text and each of the others."""
    return rounded_cosines(encoder, [(text, other) for other in others])
