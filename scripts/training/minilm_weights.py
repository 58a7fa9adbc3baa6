"""Writes weights of the network of all-MiniLM-L6-v2 in the form that ``wdw_build.adapters.minilm`` reads, and trains them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from wdw_build.adapters.minilm import MiniLM

DROPOUT = 0.1
# Parts of a layer: the name in the package, and the name in transformers.
_LINEAR = {"attended": "attention.output.dense", "wide": "intermediate.dense", "narrow": "output.dense"}
_NORMS = {"attended_norm": "attention.output.LayerNorm", "narrow_norm": "output.LayerNorm"}


class Trainable(MiniLM):
    """The network of a file with float32 weights that can be trained, and with dropout in training.

    ``layers``: the numbers of the layers to keep; by default, all. ``words``: train the embeddings of word pieces as well.
    """

    def __init__(self, path: Path, layers: Sequence[int] | None = None, words: bool = False) -> None:
        super().__init__(path)
        stored, self.weights, self.is_training = self.weights, {}, False
        kept = range(len(stored)) if layers is None else layers
        numbers = {str(old): str(new) for new, old in enumerate(kept)}
        for name, tensor in stored.items():
            first, dot, rest = name.partition(".")
            if not name.endswith(".scale") and (first in numbers or not first.isdigit()):
                scale = stored[f"{name}.scale"][:, None] if f"{name}.scale" in stored else 1
                self.add(numbers.get(first, first) + dot + rest, tensor.float() * scale)
        self._words = self.weights["words"].requires_grad_(words)
        self._scales = torch.ones(len(self._words))

    def add(self, name: str, tensor: Tensor) -> None:
        """Add a weight to be trained."""
        self.weights[name] = nn.Parameter(tensor)

    def parameters(self) -> list[Tensor]:
        """The weights that are trained."""
        return [weight for weight in self.weights.values() if weight.requires_grad]

    def drop(self, values: Tensor) -> Tensor:
        """Dropout."""
        return functional.dropout(values, DROPOUT, self.is_training)

    def linear(self, values: Tensor, name: str) -> Tensor:
        """Apply a linear layer; with dropout before a residual connection."""
        result = functional.linear(values, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])
        return self.drop(result) if name.endswith((".attended", ".narrow")) else result


def body(state: Mapping[str, Tensor], pieces: int) -> dict[str, Tensor]:
    """The weights of a ``BertModel`` by their names in the package, with positions for ``pieces`` word pieces."""
    positions = state["embeddings.position_embeddings.weight"][:pieces]
    weights = {
        "words": state["embeddings.word_embeddings.weight"],
        # Every piece belongs to the first type of token.
        "positions": positions + state["embeddings.token_type_embeddings.weight"][0],
    }
    layers = sum(name.endswith("attention.self.query.weight") for name in state)
    for kind in ("weight", "bias"):
        weights[f"embedded.{kind}"] = state[f"embeddings.LayerNorm.{kind}"]
        for layer in range(layers):
            source = f"encoder.layer.{layer}"
            parts = [state[f"{source}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            weights[f"{layer}.qkv.{kind}"] = torch.cat(parts)
            for name, original in {**_LINEAR, **_NORMS}.items():
                weights[f"{layer}.{name}.{kind}"] = state[f"{source}.{original}.{kind}"]
    return weights


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
