"""Cosines of sentence vectors that do not depend on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wdw_build.core.rounding import correctly_rounded
from wdw_build.ports import TextEncoder

# More than three times the largest error of a cosine of float32 vectors, in a million pairs of sentences of news.
_ERROR = 1.5e-6


def rounded_cosines(encoder: TextEncoder, text: str, others: Sequence[str]) -> list[float]:
    """The cosine of a text and each of the others, correctly rounded to ``core.rounding.DECIMALS`` decimals."""
    if not others:
        return []

    def cosines(numbers: Sequence[int], exact: bool) -> Any:
        first, *rest = encoder.vectors([text, *(others[number] for number in numbers)], exact)
        return np.stack(rest).astype(np.float64) @ first.astype(np.float64)

    return correctly_rounded(cosines(range(len(others)), False), _ERROR, lambda numbers: cosines(numbers, True))
