"""vectors: from word2vec text files to the pretrain that pos, ner and constituency share.

One file is converted as it is. With a second one (the shipped pretrain joined MiniLM's vectors of word types with
skip-gram vectors) the two are put side by side and reduced together by PCA.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from training.layout import Workplace, find

DENOISED = 160  # dimensions kept of the second file before the two are joined
FITTED_ON = 20_000  # the commonest words, on which the components are fitted
SPREAD = 0.4  # standard deviation of the joint vectors: the size that Stanza's layers expect

Matrix = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Vectors:
    """Words, most frequent first, and a row for each."""

    words: list[str]
    rows: Matrix


def read_vectors(path: Path, limit: int | None = None) -> Vectors:
    """Read word2vec's text form, with or without its first line of counts; the first of equal words wins."""
    rows: dict[str, Matrix] = {}
    found = find(path)
    opener = gzip.open if found.suffix == ".gz" else open
    with opener(found, "rt", encoding="utf-8", errors="replace", newline="\n") as stream:
        for line in stream:
            word, _, numbers = line.rstrip("\n").partition(" ")
            values = np.array(numbers.split(), dtype=np.float32)
            if values.size > 1 and word:
                rows.setdefault(word, values)
            if limit and len(rows) == limit:
                break
    if len({row.size for row in rows.values()}) != 1:
        raise SystemExit(f"train_models.py: {found} has no vectors, or vectors of different length")
    return Vectors(list(rows), np.stack(list(rows.values())))


def _unit(matrix: Matrix) -> Matrix:
    return np.asarray(matrix / (np.sqrt((matrix**2).sum(1).mean()) + 1e-9), dtype=np.float32)


def _components(matrix: Matrix, count: int) -> Matrix:
    _, _, axes = np.linalg.svd(matrix[:FITTED_ON] - matrix[:FITTED_ON].mean(0), full_matrices=False)
    return np.asarray(axes[:count].T, dtype=np.float32)


def join(types: Vectors, contexts: Vectors, dimensions: int) -> Vectors:
    """Reduce the two sources together; the words are those of ``types``, zeros stand where ``contexts`` has none."""
    left = types.rows - types.rows.mean(0)
    left = _unit(left @ _components(left, DENOISED))
    place = {word: row for row, word in enumerate(contexts.words)}
    known = np.array([word in place for word in types.words])
    found = contexts.rows[[place[word] for word in types.words if word in place]]
    found = found / np.linalg.norm(found, axis=1, keepdims=True)
    right = np.zeros((len(types.words), found.shape[1]), np.float32)
    right[known] = _unit(found - found.mean(0))
    both = np.hstack([left, right])
    both -= both[:FITTED_ON].mean(0)
    rows = both @ _components(both, dimensions)
    return Vectors(types.words, np.asarray(rows * (SPREAD / rows.std()), dtype=np.float32))


def save_pretrain(vectors: Vectors, path: Path) -> None:
    """Write a pretrain of Stanza: the four special units come first, as zeros."""
    import torch
    from stanza.models.common.pretrain import Pretrain, PretrainedWordVocab
    from stanza.models.common.vocab import VOCAB_PREFIX

    special = np.zeros((len(VOCAB_PREFIX), vectors.rows.shape[1]), np.float32)
    pretrain = Pretrain()
    pretrain._vocab = PretrainedWordVocab(vectors.words)
    pretrain._emb = torch.from_numpy(np.vstack([special, vectors.rows]))
    path.parent.mkdir(parents=True, exist_ok=True)
    pretrain.save(str(path))


def make(place: Workplace, source: Path, types: Path | None, words: int, dimensions: int) -> None:
    """Make the pretrain of ``source``, joined with ``types`` if that is given."""
    contexts = read_vectors(source, None if types else words)
    vectors = join(read_vectors(types, words), contexts, dimensions) if types else contexts
    save_pretrain(vectors, place.model("pretrain"))
    print(f"vectors: {len(vectors.words)} words x {vectors.rows.shape[1]} -> {place.model('pretrain')}")
