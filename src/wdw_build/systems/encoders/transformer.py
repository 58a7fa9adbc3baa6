"""The pre-trained transformer under the readers: loading, freezing, and batches of rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.systems.encoders.inputs import Row


class Transformer(nn.Module):
    """An encoder whose embeddings and lowest layers are frozen."""

    def __init__(self, folder: Path, freeze_layers: int) -> None:
        super().__init__()
        self.model = _load(folder)
        self.size: int = self.model.config.hidden_size
        _freeze(self.model, freeze_layers)

    def forward(self, rows: Sequence[Row]) -> EncodedRows:
        """The vectors of all positions of the rows."""
        inputs = row_inputs(rows, self.model)
        vectors = self.model(**inputs).last_hidden_state
        return EncodedRows(vectors, inputs["attention_mask"].bool())


class EncodedRows(NamedTuple):
    """``vectors``: (rows, positions, size). ``mask``: (rows, positions), True for positions that are not padding."""

    vectors: Tensor
    mask: Tensor

    def means(self) -> Tensor:
        """(rows, size): the mean vector of each row, as the encoder's own training pooled it."""
        weights = self.mask.unsqueeze(-1).to(self.vectors.dtype)
        return (self.vectors * weights).sum(dim=1) / weights.sum(dim=1)


def row_inputs(rows: Sequence[Row], model: Any) -> dict[str, Tensor]:
    """The arguments of a model of transformers for some rows: ids, mask, and token types if it has them."""
    width = max(len(row.ids) for row in rows)
    ids = torch.full((len(rows), width), model.config.pad_token_id or 0, dtype=torch.int64)
    mask, types = torch.zeros_like(ids), torch.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row.ids)] = torch.tensor(row.ids)
        mask[number, : len(row.ids)] = 1
        types[number, row.first : len(row.ids)] = 1
    has_types = (getattr(model.config, "type_vocab_size", None) or 0) > 1
    named = {"input_ids": ids, "attention_mask": mask} | ({"token_type_ids": types} if has_types else {})
    return {name: tensor.to(model.device) for name, tensor in named.items()}


def _load(folder: Path) -> Any:
    from transformers import AutoModel
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    try:
        return AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager").float()
    except Exception as error:  # transformers raises whatever its parts raise
        raise MissingResourceError(
            f"transformers cannot load the encoder in {folder}: {str(error)[:200]}",
            hint="the folder must hold a model that save_pretrained wrote; for the package's own, install it again",
        ) from error


def _freeze(model: nn.Module, count: int) -> None:
    """Train the layers above the lowest ``count``, but not embeddings and pooling. Raises ``ConfigError``."""
    total = getattr(model.config, "num_hidden_layers", 0)
    lists = [child for child in model.modules() if isinstance(child, nn.ModuleList) and len(child) == total]
    if not lists or count > total:
        raise ConfigError(
            f"freeze_layers is {count}, and the encoder has {total if lists else 'no list of'} layers",
            hint="give an encoder such as BERT, RoBERTa or MiniLM, and freeze_layers up to its number of layers",
        )
    model.requires_grad_(False)
    for layer in list(lists[0])[count:]:
        layer.requires_grad_(True)
