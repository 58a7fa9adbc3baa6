"""Words of the question and of the choices matched with words of the passage, exactly and by word vectors.

The features of contexts compare averaged vectors; those of syntax ask which words stand near the blank, and on which side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wdw_bench.systems.semantic.view import Bools, Floats, Ints, Lexicon, View, unit

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
    in_question = np.isin(np.concatenate(stems), lexicon.stems[view.question])
    present = np.stack([np.isin(np.concatenate(stems), of_choice) for of_choice in stems])
    elsewhere = (present.sum(axis=0) - 1) / max(len(stems) - 1, 1)
    factors = (1 - elsewhere) * np.where(in_question, 0.2, 1.0) + 0.02
    weights = (lexicon.weights[np.concatenate(view.choices)] * factors).astype(np.float32)
    return list(np.split(weights, np.cumsum([len(words) for words in view.choices])[:-1]))


CONTEXT = 5


def vector_features(view: View, lexicon: Lexicon) -> dict[str, Floats]:
    """Cosines of weighted sums of word vectors: question and sentence (S), with the choice (C, S), and contexts (C, S)."""
    tokens, slot = _weighted(view.ids, lexicon), view.tokens.slot
    sentences = unit(np.add.reduceat(tokens, view.starts, axis=0))
    question = _weighted(view.question, lexicon)
    filled = np.stack([question.sum(axis=0) + _weighted(words, lexicon).sum(axis=0) for words in view.choices])
    left, right = question[max(slot - CONTEXT, 0) : slot].sum(axis=0), question[slot : slot + CONTEXT].sum(axis=0)
    before, after = _contexts(tokens)
    return {
        "cosine of question": sentences @ unit(question.sum(axis=0)),
        "cosine of question and choice": unit(filled) @ sentences.T,
        "left context": best_in_sentences(view.occurrences * np.maximum(unit(before) @ unit(left), 0), view),
        "right context": best_in_sentences(view.occurrences * np.maximum(unit(after) @ unit(right), 0), view),
    }


def _weighted(ids: Ints, lexicon: Lexicon) -> Floats:
    """Vectors of the words times their weights (n, d); zero for function words."""
    vectors: Floats = lexicon.units[ids] * (lexicon.weights[ids] * lexicon.content[ids])[:, None]
    return vectors


def _contexts(tokens: Floats) -> tuple[Floats, Floats]:
    """The sums of the 5 vectors before and of the 5 vectors after each token (T, d) each."""
    count = len(tokens)
    sums = np.zeros((count + 1, tokens.shape[1]), np.float32)
    np.cumsum(tokens, axis=0, out=sums[1:])
    places = np.arange(count)
    before = sums[places] - sums[np.maximum(places - CONTEXT, 0)]
    after = sums[np.minimum(places + 1 + CONTEXT, count)] - sums[places + 1]
    return before, after


REACH = 12
VERB_REACH = 6
LEAST_COSINE = 0.3
LEAST_NEARNESS = 0.1


def nearness(occurrences: Bools, view: View, reach: int) -> tuple[Floats, Floats]:
    """How near the choice follows each token, and how near it precedes the token, in the same sentence (C, T) each.

    1 - (d - 1) / reach for a distance of d <= reach tokens, otherwise 0.
    """
    follows, precedes = np.zeros((2, *occurrences.shape), np.float32)
    for distance in range(min(reach, occurrences.shape[1] - 1), 0, -1):
        near = np.float32(1 - (distance - 1) / reach)
        same_sentence = view.sentence_of[:-distance] == view.sentence_of[distance:]
        follows[:, :-distance][occurrences[:, distance:] & same_sentence] = near
        precedes[:, distance:][occurrences[:, :-distance] & same_sentence] = near
    return follows, precedes


class Sides:
    """The words of the question on the left and on the right of the slot, weighted by rarity and nearness to the slot."""

    def __init__(self, view: View, lexicon: Lexicon) -> None:
        slot = view.tokens.slot
        self.left = view.asked < slot
        distance = np.where(self.left, slot - view.asked, view.asked - slot + 1)
        weights = np.maximum(1 - (distance - 1) / REACH, LEAST_NEARNESS) * lexicon.weights[view.question[view.asked]]
        self.weights = (weights / weights.sum() if len(weights) else weights).astype(np.float32)

    def match(self, matched: Floats, near: tuple[Floats, Floats], view: View) -> Floats:
        """The weighted sum over the words of match times nearness to the choice on the word's side of the slot (C, S)."""
        total = np.zeros((len(near[0]), len(view.starts)), np.float32)
        for side, nearness_of_side in ((self.left, near[0]), (~self.left, near[1])):
            if side.any():
                best = best_in_sentences(matched[side][None] * nearness_of_side[:, None, :], view)
                total += np.tensordot(self.weights[side], best, (0, 1))
        return total


def next_verb(positions: Sequence[int], view: View, lexicon: Lexicon) -> Ints:
    """The first verb of the question at these positions, as an array of one word or of none."""
    verbs = [position for position in positions if lexicon.verbs[view.question[position]]]
    return view.question[verbs[:1]]


def verb_matches(verb: Ints, near: Floats, view: View, lexicon: Lexicon) -> Floats:
    """The best of (similarity of a word to the verb) x (its nearness to the choice) in each sentence (C, S)."""
    if not len(verb):
        return np.zeros((len(near), len(view.starts)), np.float32)
    similarity = align(verb, view, lexicon).soft
    return best_in_sentences(np.where(similarity > LEAST_COSINE, similarity, 0) * near, view)


def neighbour_matches(position: int, step: int, view: View, lexicon: Lexicon) -> Floats:
    """Whether the word beside the slot stands beside the choice too: 1, or 0.5 for function words (C, S).

    ``position``: the word's index in the question. ``step``: 1 if the word follows the slot, -1 if it precedes it.
    """
    beside = np.zeros(view.occurrences.shape, np.float32)
    if 0 <= position < len(view.question):
        edges = view.occurrences.copy()
        inner, outer = (slice(None, -1), slice(1, None)) if step == 1 else (slice(1, None), slice(None, -1))
        edges[:, inner] &= ~view.occurrences[:, outer]
        word = view.question[position]
        beside[:, inner] = edges[:, inner] & (view.ids[outer] == word)
        beside *= 1.0 if lexicon.content[word] else 0.5
    return best_in_sentences(beside, view)


def syntax_features(view: View, lexicon: Lexicon, of_question: Alignment) -> dict[str, Floats]:
    """Features (C, S) of the words near the slot and near the choice. ``of_question``: the question's content words."""
    sides, slot = Sides(view, lexicon), view.tokens.slot
    resolved, referred = of_question.resolved(view.antecedents), view.occurrences[:, view.antecedents]
    plain, near = nearness(view.occurrences, view, REACH), nearness(referred, view, REACH)
    follows, precedes = nearness(referred, view, VERB_REACH)
    after = range(slot, min(slot + VERB_REACH, len(view.question)))
    before = range(slot - 1, max(slot - VERB_REACH, 0) - 1, -1)
    return {
        "near, vectors": sides.match(of_question.soft, plain, view),
        "near": sides.match(resolved.exact, near, view),
        "near, vectors, names": sides.match(resolved.soft, near, view),
        "verb right": verb_matches(next_verb(after, view, lexicon), precedes, view, lexicon),
        "verb left": verb_matches(next_verb(before, view, lexicon), follows, view, lexicon),
        "beside right": neighbour_matches(slot, 1, view, lexicon),
        "beside left": neighbour_matches(slot - 1, -1, view, lexicon),
    }
