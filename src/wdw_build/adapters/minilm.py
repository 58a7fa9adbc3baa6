"""The network all-MiniLM-L6-v2, a transformer of six layers, in torch.

Weights are stored as 8-bit integers with a scale for each output. The network computes with float32, or, to round a
result correctly, with float64 (``core.rounding``). Both use the same weights: the stored integers times their scales.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wdw_build.adapters.devices import has_reordered_products, load_torch
from wdw_build.errors import MissingResourceError

if TYPE_CHECKING:
    from torch import Tensor

LAYERS, HEADS = 6, 12
# The weights of the embeddings: those of pieces and positions, their norm, and those of shapes.
_EMBEDDINGS = frozenset({"words", "positions", "embedded", "shapes"})
_EPSILON = 1e-12
# The most word pieces, padding included, that are computed together. With 1,024, sentences of passages have twice as much
# padding, and take about 5% longer.
BATCH_PIECES = 512


class MiniLM:
    """The network with the weights of a file. Raises ``MissingResourceError`` if the file cannot be loaded.

    ``weights`` has all tensors of the file, also those of layers that a model adds to the network. ``embedded``: the file of
    another model whose embeddings are read, if the file has none.
    """

    def __init__(self, path: Path, embedded: Path | None = None) -> None:
        load_torch()
        import torch

        try:
            stored: dict[str, Tensor] = torch.load(path, weights_only=True)
            if embedded:
                others = torch.load(embedded, weights_only=True)
                # The weights of the file replace those of the embeddings' file.
                stored = {name: others[name] for name in others if name.split(".")[0] in _EMBEDDINGS} | stored
            self._words, self._scales = stored.pop("words"), stored.pop("words.scale")
        except Exception as error:  # the errors of torch.load have no common class
            raise MissingResourceError(
                f"torch cannot load {path}: {str(error)[:200]}",
                hint="install the package again",
            ) from error
        self.weights = stored
        self._layers = sum(name.endswith(".qkv.bias") for name in stored)
        names = [name.removesuffix(".weight.scale") for name in stored if name.endswith(".weight.scale")]
        self._is_reordered = has_reordered_products()
        matrices = {name: self._matrix(name) for name in names}
        if self._is_reordered:
            matrices = {name: torch.ops.mkldnn._reorder_linear_weight(matrix) for name, matrix in matrices.items()}
        self._matrices: dict[str, Tensor] = matrices

    def _matrix(self, name: str) -> Tensor:
        """The weights of a linear layer as float32 (outputs, inputs)."""
        return self.weights[f"{name}.weight"].float() * self.weights[f"{name}.weight.scale"][:, None]

    def linear(self, values: Tensor, name: str) -> Tensor:
        """Apply a linear layer with the precision of ``values`` (…, inputs). Returns (…, outputs)."""
        import torch

        bias = self.weights[f"{name}.bias"].to(values.dtype)
        if values.dtype != torch.float32:
            return torch.nn.functional.linear(values, self._matrix(name).to(values.dtype), bias)
        if not self._is_reordered:
            return torch.nn.functional.linear(values, self._matrices[name], bias)
        result: Tensor = torch.ops.mkldnn._linear_pointwise(values, self._matrices[name], bias, "none", [], "")
        return result

    def states(
        self, pieces: Tensor, mask: Tensor | None, added: Tensor | None = None, exact: bool = False
    ) -> list[Tensor]:
        """The states of every piece (sentences, pieces, width): of the embeddings, then after each layer.

        ``pieces``: the numbers of the word pieces (sentences, pieces). ``mask``: false for padding; None if there is none.
        ``added``: embeddings to add to those of the pieces. ``exact``: compute with float64 instead of float32.
        """
        import torch

        embedded = self._words[pieces].float() * self._scales[pieces][..., None]
        kind = torch.float64 if exact else torch.float32
        embedded = embedded.to(kind) + self.weights["positions"][: pieces.shape[1]].to(kind)
        if added is not None:
            embedded = embedded + added.to(kind)
        states = [self._normalised(embedded, "embedded")]
        visible = None if mask is None else mask[:, None, None, :]
        for layer in range(self._layers):
            states.append(self._layer(states[-1], visible, str(layer)))
        return states

    def _layer(self, state: Tensor, visible: Tensor | None, name: str) -> Tensor:
        from torch.nn.functional import gelu, scaled_dot_product_attention

        sentences, pieces, width = state.shape
        heads = self.linear(state, f"{name}.qkv").view(sentences, pieces, 3, HEADS, width // HEADS)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        attended = scaled_dot_product_attention(query, key, value, attn_mask=visible)
        attended = self.linear(attended.transpose(1, 2).reshape(state.shape), f"{name}.attended")
        state = self._normalised(state + attended, f"{name}.attended_norm")
        wide = gelu(self.linear(state, f"{name}.wide"))
        return self._normalised(state + self.linear(wide, f"{name}.narrow"), f"{name}.narrow_norm")

    def _normalised(self, values: Tensor, name: str) -> Tensor:
        from torch.nn.functional import layer_norm

        weight, bias = (self.weights[f"{name}.{part}"].to(values.dtype) for part in ("weight", "bias"))
        return layer_norm(values, values.shape[-1:], weight, bias, _EPSILON)


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor | None]:
    """The rows as one tensor (rows, longest row), padded with zeros, and its mask; None if no row is padded."""
    import torch

    width = max(map(len, rows))
    tensor = torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])
    if all(len(row) == width for row in rows):
        return tensor, None
    return tensor, torch.arange(width) < torch.tensor([len(row) for row in rows])[:, None]


def open_tokenizer(path: Path) -> Any:
    """The word-piece tokenizer of a model, without padding and truncation. Raises ``MissingResourceError`` if it is damaged."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the tokenizers library raises plain Exception
        raise MissingResourceError(
            f"cannot read the tokenizer {path}: {str(error)[:200]}",
            hint="the file is damaged; save or install it again",
        ) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
