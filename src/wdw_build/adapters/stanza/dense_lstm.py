"""Makes LSTMs on the CPU as fast over sequences of different lengths as over sequences of equal length.

On the CPU, torch computes packed sequences of different lengths step by step, in more than twice the time. Padding at the
end of a sequence does not affect the outputs before it, so here each direction runs alone over padded sequences; the
backward direction reads reversed sequences. On a GPU, packed sequences are fast, and torch's own LSTMs stay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence

if TYPE_CHECKING:
    from collections.abc import Iterator

_State = tuple[torch.Tensor, torch.Tensor]


class DenseLstm(nn.Module):
    """``nn.LSTM`` for inference over packed sequences. It returns the last hidden states without the cell states."""

    def __init__(self, lstm: nn.LSTM) -> None:
        super().__init__()
        self._whole = lstm
        self._ways = [list(_ways(lstm, layer)) for layer in range(lstm.num_layers)]

    @staticmethod
    def fits(module: nn.Module) -> bool:
        """Whether the module is an LSTM on the CPU, without projections."""
        return isinstance(module, nn.LSTM) and not module.proj_size and module.weight_hh_l0.device.type == "cpu"

    def forward(self, inputs: Any, hx: _State | None = None) -> tuple[Any, Any]:
        """See ``nn.LSTM.forward``."""
        if not isinstance(inputs, PackedSequence):
            whole: tuple[Any, Any] = self._whole(inputs, hx)
            return whole
        into, out, end = _places(inputs.batch_sizes)
        count, data, last = len(end), inputs.data, []
        for number, ways in enumerate(self._ways):
            outputs = []
            for direction, way in enumerate(ways):
                row = number * len(ways) + direction
                initial = None if hx is None else (hx[0][row : row + 1].contiguous(), hx[1][row : row + 1].contiguous())
                padded = data.index_select(0, into[direction]).view(-1, count, data.shape[1])
                states = way(padded, initial)[0].flatten(0, 1)
                last.append(states.index_select(0, end))
                outputs.append(states.index_select(0, out[direction]))
            data = torch.cat(outputs, dim=1)
        packed = PackedSequence(data, inputs.batch_sizes, inputs.sorted_indices, inputs.unsorted_indices)
        return packed, (torch.stack(last), None)


def _places(sizes: torch.Tensor) -> tuple[list[torch.Tensor], list[torch.Tensor], torch.Tensor]:
    """Index maps between packed and padded data, given the batch sizes of the packed sequence.

    Returns, for the forward and the backward direction, the packed index of each padded step; for both directions, the
    padded index of each packed step; and the padded index of each sequence's last step.
    """
    count = int(sizes[0])
    rows = torch.arange(count)
    there = rows < sizes[:, None]
    lengths = there.sum(dim=0)
    backward = (lengths - 1 - torch.arange(len(sizes))[:, None]).clamp(min=0)
    starts = torch.cumsum(sizes, 0) - sizes
    # Padded steps read the packed index 0; their outputs are never used.
    forward = starts[:, None] + rows
    into = [(forward * there).flatten(), ((starts[backward] + rows) * there).flatten()]
    packed = there.flatten().nonzero()[:, 0]
    out = [packed, (backward * count + rows).flatten().index_select(0, packed)]
    return into, out, (lengths - 1) * count + rows


def _ways(lstm: nn.LSTM, layer: int) -> Iterator[nn.LSTM]:
    """The directions of one layer as separate networks with the same weights."""
    for suffix in ["", "_reverse"] if lstm.bidirectional else [""]:
        weights = {
            name: getattr(lstm, f"{name}_l{layer}{suffix}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        way = nn.LSTM(weights["weight_ih"].shape[1], lstm.hidden_size)
        way.load_state_dict({f"{name}_l0": weight for name, weight in weights.items()})
        yield way.eval()


def make_dense(model: nn.Module) -> None:
    """Replace the LSTMs in a trained model."""
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if DenseLstm.fits(child):
                setattr(module, name, DenseLstm(cast(nn.LSTM, child)))
