"""The event scorer that averages word vectors, in which "vessel" is near "ferry". It uses the names model's vectors."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wdw_build.adapters.events.lexical import AskedQuestion, ReadArticle, TermScorer
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import digest, hash_file
from wdw_build.errors import MissingResourceError
from wdw_build.text.passages.same_event import TermVector

Vector = Any  # numpy's
# Intercept, leads, articles, days; fitted by scripts/fit_same_event.py.
WEIGHTS = (-2.40, 1.59, 8.68, -1.01)
_FILE = BUNDLED / "en" / "pretrain" / "wdw-names.pt"
_SPECIAL = 4  # rows before the words: padding, unknown, empty and root


class VectorFeatures(NamedTuple):
    """``leads``: cosine of the two leads' averaged vectors; ``articles`` and ``days`` as in ``same_event.Features``."""

    leads: float
    articles: float
    days: float


class VectorScorer(TermScorer):
    """``EventScorer`` by averaged word vectors, shared words and the days between articles."""

    weights = WEIGHTS

    @property
    def identity(self) -> str:
        """Name, version, weights and the hash of the vectors."""
        if not _FILE.is_file():
            raise MissingResourceError(f"no word vectors: {_FILE} does not exist", hint="install the package again")
        return f"vector events 1, weights {digest(WEIGHTS)[:16]}, vectors {hash_file(_FILE)[:16]}"

    def features(self, question: AskedQuestion, candidate: ReadArticle) -> VectorFeatures:
        """The features of a candidate."""
        shared = question.shared_words(candidate)
        leads = float(average(question.own.lead) @ average(candidate.lead))
        return VectorFeatures(leads, shared.articles, shared.days)


def average(text: TermVector) -> Vector:
    """The weighted sum of a text's word vectors, scaled to length 1; zero if no word has a vector."""
    vectors, rows = _vectors()
    known = [word for word in sorted(text.weights) if word in rows]
    total = np.array([text.weights[word] for word in known]) @ vectors[[rows[word] for word in known]]
    length = float(np.sqrt(total @ total))
    return total / length if length else total


@functools.cache
def _vectors() -> tuple[Vector, Mapping[str, int]]:
    """Word vectors, standardised so that all dimensions have the same weight, and the row of each word."""
    import torch

    stored = torch.load(_FILE, weights_only=True)
    vectors = stored["emb"].numpy()[_SPECIAL:].astype(np.float64)
    rows = {word: number for number, word in enumerate(stored["vocab"]["_id2unit"][_SPECIAL:])}
    return (vectors - vectors.mean(axis=0)) / vectors.std(axis=0), rows
