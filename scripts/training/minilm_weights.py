"""Writes the weights of all-MiniLM-L6-v2 in the form that ``wdw_build.adapters.minilm`` reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from wdw_build.adapters.minilm import LAYERS

# Parts of a layer: the name in the package, and the name in transformers.
_LINEAR = {"attended": "attention.output.dense", "wide": "intermediate.dense", "narrow": "output.dense"}
_NORMS = {"attended_norm": "attention.output.LayerNorm", "narrow_norm": "output.LayerNorm"}


def body(state: Mapping[str, Tensor], pieces: int, layers: int = LAYERS) -> dict[str, Tensor]:
    """The weights of the first layers of a ``BertModel`` by their names in the package.

    ``pieces``: the number of word pieces with positions.
    """
    positions = state["embeddings.position_embeddings.weight"][:pieces]
    weights = {
        "words": state["embeddings.word_embeddings.weight"],
        # Every piece belongs to the first type of token.
        "positions": positions + state["embeddings.token_type_embeddings.weight"][0],
    }
    for kind in ("weight", "bias"):
        weights[f"embedded.{kind}"] = state[f"embeddings.LayerNorm.{kind}"]
        for layer in range(layers):
            source = f"encoder.layer.{layer}"
            parts = [state[f"{source}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            weights[f"{layer}.qkv.{kind}"] = torch.cat(parts)
            for name, original in {**_LINEAR, **_NORMS}.items():
                weights[f"{layer}.{name}.{kind}"] = state[f"{source}.{original}.{kind}"]
    return weights


def restored(stored: Mapping[str, Tensor], state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The inverse of ``body`` and ``quantised``: a ``BertModel``'s ``state`` with the stored weights."""
    weights = _whole(stored)
    new = dict(state)
    new["embeddings.word_embeddings.weight"] = weights["words"]
    new["embeddings.position_embeddings.weight"] = state["embeddings.position_embeddings.weight"].clone()
    new["embeddings.position_embeddings.weight"][: len(weights["positions"])] = weights["positions"]
    # The stored positions include the type of token.
    new["embeddings.token_type_embeddings.weight"] = torch.zeros_like(state["embeddings.token_type_embeddings.weight"])
    for kind in ("weight", "bias"):
        new[f"embeddings.LayerNorm.{kind}"] = weights[f"embedded.{kind}"]
        for layer in range(LAYERS):
            target = f"encoder.layer.{layer}"
            parts = zip(("query", "key", "value"), weights[f"{layer}.qkv.{kind}"].chunk(3), strict=True)
            new |= {f"{target}.attention.self.{part}.{kind}": tensor for part, tensor in parts}
            for name, original in {**_LINEAR, **_NORMS}.items():
                new[f"{target}.{original}.{kind}"] = weights[f"{layer}.{name}.{kind}"]
    return new


def _whole(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The inverse of ``quantised``."""
    return {
        name: tensor.float() * stored[f"{name}.scale"][:, None] if f"{name}.scale" in stored else tensor
        for name, tensor in stored.items()
        if not name.endswith(".scale")
    }


def mean(models: Sequence[Path]) -> dict[str, Tensor]:
    """The mean of the weights of models of one form that were trained one from the other, quantised."""
    weights = [_whole(torch.load(model, weights_only=True)) for model in models]
    return quantised({name: torch.stack([one[name] for one in weights]).mean(0) for name in weights[0]})


def quantised(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights with 8-bit integers for the word embeddings and linear layers, and a scale for each of their rows.

    The other tensors are small and stay float32.
    """
    stored: dict[str, Tensor] = {}
    for name, tensor in weights.items():
        stored[name] = tensor.detach().float().contiguous().clone()
        if name == "words" or (name.endswith(".weight") and tensor.ndim == 2):
            scale = stored[name].abs().amax(1).clamp(min=1e-12) / 127
            stored[name], stored[f"{name}.scale"] = (stored[name] / scale[:, None]).round().to(torch.int8), scale
    return stored


def write(stored: Mapping[str, Tensor], path: Path) -> None:
    """Write quantised weights to a file. The same weights give the same bytes with the same version of torch."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(dict(sorted(stored.items())), path)
