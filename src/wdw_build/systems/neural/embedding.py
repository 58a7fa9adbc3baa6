"""Initial word vectors of a reader."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from wdw_build.systems.neural.settings import ReaderConfig
from wdw_build.systems.neural.vocabulary import PADDING, Vocabulary
from wdw_build.systems.vectors import Vectors

SPARE_ROWS = 8_192
"""Rows for words that training did not see and the pretrained vectors know."""
_RANDOM_BOUND = 0.1
_MEASURED = 1_000
"""Commonest words whose vectors give the deviation of random ones."""


def initial_vectors(vocabulary: Vocabulary, settings: ReaderConfig, vectors: Vectors | None, seed: int) -> Tensor:
    """Vectors (V, D) of all word ids, and ``SPARE_ROWS`` more if the words' vectors are fixed.

    Words with a pretrained vector get it. The others, the unknown word and the markers are uniform in ±0.1 without
    pretrained vectors (Kadlec et al. 2016, section 4.1), else normal with the deviation of the commonest words' vectors.
    """
    generator = np.random.default_rng([seed, zlib.crc32(b"vectors")])
    if vectors is None:
        table = generator.uniform(-_RANDOM_BOUND, _RANDOM_BOUND, (vocabulary.size, settings.vector_size))
    else:
        known, found = vectors.lookup(vocabulary.words)
        deviation = float(known[found][:_MEASURED].std()) if found.any() else _RANDOM_BOUND
        table = generator.normal(0.0, deviation, (vocabulary.size, vectors.dimensions))
        table[vocabulary.size - len(vocabulary.words) :][found] = known[found]
    table[PADDING] = 0.0
    spare = np.zeros((0 if settings.train_vectors else SPARE_ROWS, table.shape[1]))
    return torch.from_numpy(np.concatenate([table, spare]).astype(np.float32))


def known_words(words: Sequence[str], vectors: Vectors) -> list[str]:
    """The words that have a pretrained vector, in order."""
    _, found = vectors.lookup(words)
    return [word for word, has_vector in zip(words, found.tolist(), strict=True) if has_vector]
