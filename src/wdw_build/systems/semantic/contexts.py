"""Similarity of averaged word vectors: of question and sentence, and of the words around blank and choice."""

from __future__ import annotations

import numpy as np

from wdw_build.systems.semantic.alignment import best_in_sentences
from wdw_build.systems.semantic.lexicon import Floats, Ints, Lexicon, unit
from wdw_build.systems.semantic.view import View

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
