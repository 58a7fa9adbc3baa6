"""The four neural readers as PyTorch modules, each from the equations of its paper."""

from __future__ import annotations

from torch import Tensor, nn

from wdw_build.systems.neural.models.attention_sum import AttentionSumReader
from wdw_build.systems.neural.models.attentive import AttentiveReader
from wdw_build.systems.neural.models.gated_attention import GatedAttentionReader
from wdw_build.systems.neural.models.stanford import StanfordReader
from wdw_build.systems.neural.settings import (
    AttentionSumConfig,
    AttentiveConfig,
    GatedAttentionConfig,
    ReaderConfig,
    StanfordConfig,
)

READERS: dict[type[ReaderConfig], type[nn.Module]] = {
    AttentiveConfig: AttentiveReader,
    StanfordConfig: StanfordReader,
    AttentionSumConfig: AttentionSumReader,
    GatedAttentionConfig: GatedAttentionReader,
}


def make_reader(settings: ReaderConfig, embedding: Tensor, characters: int, markers: int = 0) -> nn.Module:
    """The reader that belongs to the settings.

    ``embedding`` (V, D) are the initial word vectors, ``characters`` is the number of character ids, and ``markers`` the
    number of entity markers, whose word ids follow the blank's: 0 if names are raw.
    """
    return READERS[type(settings)](settings, embedding, characters, markers)
