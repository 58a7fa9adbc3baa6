"""Word and character ids, counted in the training problems, and the initial word vectors of a reader."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import msgspec
import numpy as np
import torch
from torch import Tensor

from wdw_bench.systems.neural import ReaderConfig
from wdw_bench.systems.neural.tokens import ReaderTokens, marker
from wdw_bench.systems.vectors import Vectors

PADDING, UNKNOWN, BLANK_WORD, FIRST_ENTITY = 0, 1, 2, 3
"""Word ids. Entity markers begin at ``FIRST_ENTITY``; words follow them."""
UNKNOWN_CHARACTER = 1
FEWEST_MARKERS = 16
"""Entity markers that a reader with anonymised names has, even if no training problem has as many."""
LONGEST_WORD = 20
"""Characters of a word that a reader reads; the rest is cut."""
SPARE_ROWS = 8_192
"""Rows for words that training did not see and the pretrained vectors know."""
_RANDOM_BOUND = 0.1
_MEASURED = 1_000
"""Commonest words whose vectors give the deviation of random ones."""


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The words and characters that a reader knows, and the number of its entity markers."""

    words: tuple[str, ...]
    markers: int
    characters: tuple[str, ...]
    fold_case: bool

    @cached_property
    def _rows(self) -> dict[str, int]:
        words = {word: number for number, word in enumerate(self.words, FIRST_ENTITY + self.markers)}
        return words | {marker(number): FIRST_ENTITY + number for number in range(self.markers)}

    @cached_property
    def _letters(self) -> dict[str, int]:
        return {letter: number for number, letter in enumerate(self.characters, UNKNOWN_CHARACTER + 1)}

    @property
    def size(self) -> int:
        """The number of word ids."""
        return FIRST_ENTITY + self.markers + len(self.words)

    @property
    def character_size(self) -> int:
        """The number of character ids: padding, unknown, characters."""
        return UNKNOWN_CHARACTER + 1 + len(self.characters)

    def fold(self, word: str) -> str:
        """The word as the vocabulary spells it."""
        return word.lower() if self.fold_case else word

    def ids(self, words: Iterable[str]) -> list[int]:
        """The ids of the words; 1 for unknown ones."""
        rows, fold = self._rows, self.fold
        return [rows.get(fold(word), UNKNOWN) for word in words]

    def unseen(self, words: Iterable[str]) -> list[str]:
        """The distinct words without an id, as the vocabulary spells them, in order."""
        folded = dict.fromkeys(map(self.fold, words))
        return [word for word in folded if word not in self._rows]

    def extended(self, words: Iterable[str]) -> Vocabulary:
        """The vocabulary with more words, which get the next ids."""
        return msgspec.structs.replace(self, words=(*self.words, *words))

    def spell(self, word: str) -> list[int]:
        """The character ids of a word, at most ``LONGEST_WORD``."""
        return [self._letters.get(letter, UNKNOWN_CHARACTER) for letter in word[:LONGEST_WORD]]

    def marker_id(self, number: int) -> int:
        """The word id of an entity marker; unknown beyond the markers of training, 0 without a marker."""
        if number < 0:
            return PADDING
        return FIRST_ENTITY + number if number < self.markers else UNKNOWN


def count_vocabulary(problems: Iterable[ReaderTokens], settings: ReaderConfig) -> Vocabulary:
    """The vocabulary of the commonest words of some problems; words of the same count in alphabetical order."""
    counts: Counter[str] = Counter()
    most_markers = 0
    for tokens in problems:
        counts.update(tokens.question)
        counts.update(tokens.passage)
        most_markers = max(most_markers, tokens.marker_count)
    markers = max(most_markers, FEWEST_MARKERS) if most_markers else 0
    folded: Counter[str] = Counter()
    for word in counts.keys() - {marker(number) for number in range(markers)}:
        folded[word.lower() if settings.fold_case else word] += counts[word]
    words = sorted(folded, key=lambda word: (-folded[word], word))[: settings.vocabulary]
    characters = sorted({letter for word in counts for letter in word})
    return Vocabulary(words=tuple(words), markers=markers, characters=tuple(characters), fold_case=settings.fold_case)


def initial_vectors(vocabulary: Vocabulary, settings: ReaderConfig, vectors: Vectors | None, seed: int) -> Tensor:
    """Vectors (V, D) of all word ids, and ``SPARE_ROWS`` more if the words' vectors are fixed.

    Words with a pretrained vector get it. The others, the unknown word and the markers are uniform in ±0.1 without
    pretrained vectors (Kadlec et al. 2016, section 4.1), else normal with the deviation of the commonest words' vectors.
    """
    generator = np.random.default_rng([seed, zlib.crc32(b"vectors")])
    if vectors is None:
        table = generator.uniform(-_RANDOM_BOUND, _RANDOM_BOUND, (vocabulary.size, settings.vector_size))
    else:
        known, is_known = vectors.lookup(vocabulary.words)
        deviation = float(known[is_known][:_MEASURED].std()) if is_known.any() else _RANDOM_BOUND
        table = generator.normal(0.0, deviation, (vocabulary.size, vectors.dimensions))
        table[vocabulary.size - len(vocabulary.words) :][is_known] = known[is_known]
    table[PADDING] = 0.0
    spare = np.zeros((0 if settings.train_vectors else SPARE_ROWS, table.shape[1]))
    return torch.from_numpy(np.concatenate([table, spare]).astype(np.float32))
