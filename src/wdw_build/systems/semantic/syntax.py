"""Shallow syntax: which words stand near the blank, on which side, and which near the choice in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wdw_build.systems.semantic.alignment import Alignment, align, best_in_sentences
from wdw_build.systems.semantic.lexicon import Bools, Floats, Ints, Lexicon
from wdw_build.systems.semantic.view import View

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
    found = [position for position in positions if lexicon.verbs[view.question[position]]]
    return view.question[found[:1]]


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


def syntax_features(view: View, lexicon: Lexicon, asked: Alignment) -> dict[str, Floats]:
    """Features (C, S) of the words near the slot and near the choice. ``asked``: the question's content words."""
    sides, slot = Sides(view, lexicon), view.tokens.slot
    resolved, referred = asked.resolved(view.antecedents), view.occurrences[:, view.antecedents]
    plain, near = nearness(view.occurrences, view, REACH), nearness(referred, view, REACH)
    follows, precedes = nearness(referred, view, VERB_REACH)
    after = range(slot, min(slot + VERB_REACH, len(view.question)))
    before = range(slot - 1, max(slot - VERB_REACH, 0) - 1, -1)
    return {
        "near, vectors": sides.match(asked.soft, plain, view),
        "near": sides.match(resolved.exact, near, view),
        "near, vectors, names": sides.match(resolved.soft, near, view),
        "verb right": verb_matches(next_verb(after, view, lexicon), precedes, view, lexicon),
        "verb left": verb_matches(next_verb(before, view, lexicon), follows, view, lexicon),
        "beside right": neighbour_matches(slot, 1, view, lexicon),
        "beside left": neighbour_matches(slot - 1, -1, view, lexicon),
    }
