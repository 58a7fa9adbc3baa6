"""Words of the question and of the choices matched with words of the passage, exactly and by word vectors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wdw_build.systems.semantic.lexicon import Bools, Floats, Ints, Lexicon
from wdw_build.systems.semantic.view import View

CHAIN_REACH = 6


@dataclass(frozen=True, eq=False)
class Alignment:
    """K words matched with the T tokens of the passage."""

    weights: Floats
    """Inverse document frequency of each word (K)."""
    exact: Floats
    """1 where the stems are equal (K, T)."""
    soft: Floats
    """Cosine of the vectors where it is positive and the token is a content word; 1 where the stems are equal (K, T)."""

    def part(self, first: int, last: int) -> Alignment:
        """The words in the range [first, last)."""
        return Alignment(self.weights[first:last], self.exact[first:last], self.soft[first:last])

    def resolved(self, antecedents: Ints) -> Alignment:
        """With pronouns matched as the names that they stand for."""
        return Alignment(self.weights, self.exact[:, antecedents], self.soft[:, antecedents])

    def in_sentences(self, view: View) -> Alignment:
        """The best match of each word in each sentence, in place of tokens (K, S)."""
        return Alignment(self.weights, best_in_sentences(self.exact, view), best_in_sentences(self.soft, view))

    def with_neighbours(self) -> Alignment:
        """The best match of each word in each sentence or its neighbours, for matches of sentences (K, S)."""
        return Alignment(self.weights, with_neighbours(self.exact), with_neighbours(self.soft))


def align(words: Ints, view: View, lexicon: Lexicon) -> Alignment:
    """The words matched with the passage."""
    exact = (lexicon.stems[words][:, None] == lexicon.stems[view.ids][None, :]).astype(np.float32)
    types, places = np.unique(view.ids, return_inverse=True)
    cosines = lexicon.units[words] @ (lexicon.units[types] * lexicon.content[types][:, None]).T
    return Alignment(lexicon.weights[words], exact, np.maximum(np.maximum(cosines, 0)[:, places], exact))


def best_in_sentences(values: Floats | Bools, view: View) -> Floats:
    """The greatest value in each sentence, for values of tokens (..., T)."""
    return np.maximum.reduceat(values, view.starts, axis=-1).astype(np.float32, copy=False)


def with_neighbours(values: Floats) -> Floats:
    """The greatest value in each sentence, the one before and the one after, for values of sentences (..., S)."""
    best = values.copy()
    best[..., 1:] = np.maximum(best[..., 1:], values[..., :-1])
    best[..., :-1] = np.maximum(best[..., :-1], values[..., 1:])
    return best


def share(weights: Floats, matched: Floats) -> Floats:
    """The weighted mean of the words' matches (K, ...); 0 if there are no words."""
    total = float(weights.sum())
    mean: Floats = np.tensordot(weights / total if total else weights, matched, 1).astype(np.float32)
    return mean


def ordered_pairs(alignment: Alignment, view: View) -> Floats:
    """The weighted share of neighbouring words that each sentence has in the same order, at most 6 tokens apart (S)."""
    exact, later = alignment.exact, np.zeros_like(alignment.exact)
    for distance in range(1, min(CHAIN_REACH, exact.shape[1] - 1) + 1):
        same_sentence = view.sentence_of[:-distance] == view.sentence_of[distance:]
        later[:, :-distance] = np.maximum(later[:, :-distance], exact[:, distance:] * same_sentence)
    pairs = best_in_sentences(np.minimum(exact[:-1], later[1:]), view)
    return share(np.sqrt(alignment.weights[:-1] * alignment.weights[1:]), pairs)


def discriminative_weights(view: View, lexicon: Lexicon) -> list[Floats]:
    """The weights of each choice's words, lower for words of the question and of other choices."""
    stems = [lexicon.stems[words] for words in view.choices]
    asked = np.isin(np.concatenate(stems), lexicon.stems[view.question])
    present = np.stack([np.isin(np.concatenate(stems), own) for own in stems])
    elsewhere = (present.sum(axis=0) - 1) / max(len(stems) - 1, 1)
    factors = (1 - elsewhere) * np.where(asked, 0.2, 1.0) + 0.02
    weights = (lexicon.weights[np.concatenate(view.choices)] * factors).astype(np.float32)
    return list(np.split(weights, np.cumsum([len(words) for words in view.choices])[:-1]))
