"""Recurrent networks over sequences of unlike length, at the speed of equal ones.

torch computes a packed sequence step by step unless all its lengths are equal, and takes more than twice as long. Padded at
the end, a sequence runs through the quick way, and what follows its end changes nothing before it: so each direction is run
alone, the backward one over reversed sequences. On a GPU packed sequences are quick, and nothing is done.
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
    """``nn.LSTM`` for inference over packed sequences. Of the last states it gives the hidden one alone."""

    def __init__(self, lstm: nn.LSTM) -> None:
        super().__init__()
        self._whole = lstm
        self._ways = [list(_ways(lstm, layer)) for layer in range(lstm.num_layers)]

    @staticmethod
    def fits(module: nn.Module) -> bool:
        """Whether it is an LSTM on the CPU of the plain kind."""
        return isinstance(module, nn.LSTM) and not module.proj_size and module.weight_hh_l0.device.type == "cpu"

    def forward(self, given: Any, hx: _State | None = None) -> tuple[Any, Any]:
        """See ``nn.LSTM.forward``."""
        if not isinstance(given, PackedSequence):
            whole: tuple[Any, Any] = self._whole(given, hx)
            return whole
        into, out, end = _places(given.batch_sizes)
        count, data, last = len(end), given.data, []
        for number, ways in enumerate(self._ways):
            outputs = []
            for direction, way in enumerate(ways):
                at = number * len(ways) + direction
                first = None if hx is None else (hx[0][at : at + 1].contiguous(), hx[1][at : at + 1].contiguous())
                padded = data.index_select(0, into[direction]).view(-1, count, data.shape[1])
                read = way(padded, first)[0].flatten(0, 1)
                last.append(read.index_select(0, end))
                outputs.append(read.index_select(0, out[direction]))
            data = torch.cat(outputs, dim=1)
        packed = PackedSequence(data, given.batch_sizes, given.sorted_indices, given.unsorted_indices)
        return packed, (torch.stack(last), None)


def _places(sizes: torch.Tensor) -> tuple[list[torch.Tensor], list[torch.Tensor], torch.Tensor]:
    """Places of a packed sequence in padded data, from its batch sizes.

    Forward and backward: what each padded place reads of the packed data; the same, where each packed place is in the padded
    data; and where each sequence's last step is there.
    """
    count = int(sizes[0])
    rows = torch.arange(count)
    there = rows < sizes[:, None]
    lengths = there.sum(dim=0)
    backward = (lengths - 1 - torch.arange(len(sizes))[:, None]).clamp(min=0)
    starts = torch.cumsum(sizes, 0) - sizes
    # Padding reads the first place: it comes after the end, and what is made of it is not read.
    forward = starts[:, None] + rows
    into = [(forward * there).flatten(), ((starts[backward] + rows) * there).flatten()]
    packed = there.flatten().nonzero()[:, 0]
    out = [packed, (backward * count + rows).flatten().index_select(0, packed)]
    return into, out, (lengths - 1) * count + rows


def _ways(lstm: nn.LSTM, layer: int) -> Iterator[nn.LSTM]:
    """The directions of one layer as networks of their own, with the same weights."""
    for suffix in ["", "_reverse"] if lstm.bidirectional else [""]:
        weights = {
            name: getattr(lstm, f"{name}_l{layer}{suffix}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        way = nn.LSTM(weights["weight_ih"].shape[1], lstm.hidden_size)
        way.load_state_dict({f"{name}_l0": weight for name, weight in weights.items()})
        yield way.eval()


def make_dense(model: nn.Module) -> None:
    """Replace the LSTMs of a model that is done with training."""
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if DenseLstm.fits(child):
                setattr(module, name, DenseLstm(cast(nn.LSTM, child)))
