"""vectors: makes the word vectors of pos, ner and constituency from two sources with free licences.

The first source is a sentence encoder (MiniLM, Apache-2.0), which encodes each word alone and knows the parts of rare words.
The second is vectors learnt from contexts (Explosion Vectors of spaCy's en_core_web_md, CC0). PCA reduces both, they are
concatenated, and PCA reduces the result. A ridge regression on the first source predicts missing context vectors.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from training.layout import Workplace

TYPE_DIMENSIONS, CONTEXT_DIMENSIONS = 160, 200  # dimensions of each source before both are joined
FITTED_ON = 20_000  # the number of top words that the PCA is fitted to
SPREAD = 0.4  # standard deviation of the joint vectors, as Stanza's layers expect
RIDGE = 2e-3
AT_ONCE, LONGEST = 512, 24  # words in a batch; word pieces of a word

Matrix = np.ndarray[Any, np.dtype[np.float32]]


def encode(words: list[str], encoder: Path) -> Matrix:
    """Encode each word alone, as the mean of its pieces in the last layer; of shape (words, width)."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(encoder, local_files_only=True)
    model = AutoModel.from_pretrained(encoder, local_files_only=True).eval()
    special = torch.tensor(sorted(tokenizer.all_special_ids))
    rows = np.zeros((len(words), model.config.hidden_size), np.float32)
    by_length = sorted(range(len(words)), key=lambda at: len(words[at]))
    with torch.inference_mode():
        for start in range(0, len(by_length), AT_ONCE):
            chosen = by_length[start : start + AT_ONCE]
            batch = tokenizer(
                [words[at] for at in chosen], padding=True, truncation=True, max_length=LONGEST, return_tensors="pt"
            )
            inside = (~torch.isin(batch["input_ids"], special)).unsqueeze(-1).float()
            hidden = model(**batch).last_hidden_state
            rows[chosen] = ((hidden * inside).sum(1) / inside.sum(1).clamp(min=1)).numpy()
    return rows


def contexts(words: list[str], model: Path) -> tuple[Matrix, np.ndarray[Any, np.dtype[np.bool_]]]:
    """The vectors of words in a spaCy model (lower case, else title case, else upper case), and which words have one."""
    from spacy.vocab import Vocab

    vocabulary = Vocab().from_disk(model / "vocab")
    forms = [
        next((form for form in (word, word.title(), word.upper()) if vocabulary.has_vector(form)), None)
        for word in words
    ]
    known = np.array([form is not None for form in forms])
    rows = np.stack([vocabulary.get_vector(form) for form in forms if form is not None])
    return np.asarray(rows, dtype=np.float32), known


def _unit(matrix: Matrix) -> Matrix:
    return np.asarray(matrix / (np.sqrt((matrix**2).sum(1).mean()) + 1e-9), dtype=np.float32)


def _components(matrix: Matrix, count: int) -> Matrix:
    _, _, axes = np.linalg.svd(matrix[:FITTED_ON] - matrix[:FITTED_ON].mean(0), full_matrices=False)
    return np.asarray(axes[:count].T, dtype=np.float32)


def join(types: Matrix, found: Matrix, known: np.ndarray[Any, np.dtype[np.bool_]], dimensions: int) -> Matrix:
    """Join and reduce both sources; ``found`` has a row for each word that ``known`` marks."""
    left = types - types.mean(0)
    left = _unit(left @ _components(left, TYPE_DIMENSIONS))
    found = found / (np.linalg.norm(found, axis=1, keepdims=True) + 1e-9)
    found = found - found.mean(0)
    found = _unit(found @ _components(found, CONTEXT_DIMENSIONS))
    known_left = left[known]
    penalty = RIDGE * len(known_left) / left.shape[1] * np.eye(left.shape[1])
    weights = np.linalg.solve(known_left.T @ known_left + penalty, known_left.T @ found)
    right = np.asarray(left @ weights, dtype=np.float32)
    right[known] = found
    both = np.hstack([left, right])
    both -= both[:FITTED_ON].mean(0)
    rows = both @ _components(both, dimensions)
    return np.asarray(rows * (SPREAD / rows.std()), dtype=np.float32)


def save_pretrain(words: list[str], rows: Matrix, path: Path) -> None:
    """Write word vectors in Stanza's format, which starts with zeros for the four special units."""
    import torch
    from stanza.models.common.pretrain import Pretrain, PretrainedWordVocab
    from stanza.models.common.vocab import VOCAB_PREFIX

    special = np.zeros((len(VOCAB_PREFIX), rows.shape[1]), np.float32)
    pretrain = Pretrain()
    pretrain._vocab = PretrainedWordVocab(words)
    pretrain._emb = torch.from_numpy(np.vstack([special, rows]))
    path.parent.mkdir(parents=True, exist_ok=True)
    pretrain.save(str(path))


def make(place: Workplace, encoder: Path, spacy_model: Path, dimensions: int) -> None:
    """Make the vectors of the words that the subcommand ``words`` listed."""
    words: list[str] = json.loads(place.prepared("words.json", "words").read_text(encoding="utf-8"))
    found, known = contexts(words, spacy_model)
    rows = join(encode(words, encoder), found, known, dimensions)
    save_pretrain(words, rows, place.model("pretrain"))
    print(f"vectors: {len(words)} words ({known.mean():.1%} with contexts) x {dimensions} -> {place.model('pretrain')}")
