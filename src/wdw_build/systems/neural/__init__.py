"""The neural readers of the paper's Table 4, in PyTorch."""

from __future__ import annotations

from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.reading import System, SystemEntry, TrainingContext
from wdw_build.systems.neural.settings import (
    AttentionSumConfig,
    AttentiveConfig,
    GatedAttentionConfig,
    ReaderConfig,
    StanfordConfig,
)


def _backends(settings: ReaderConfig, workspace: TrainingContext) -> dict[str, str]:
    """The version of torch and, if they are used, the hash of the pretrained word vectors."""
    backends = {"torch": installed_version("torch", "the neural reader")}
    if not settings.vector_size:
        from wdw_build.systems.vectors import Vectors

        backends["word vectors"] = Vectors(workspace.vectors).identity
    return backends


def _entry(name: str, title: str, source: str, settings: type[ReaderConfig], paper: tuple[float, float]) -> SystemEntry:
    def make(settings: Any) -> System:
        from wdw_build.systems.neural.reader import NeuralReader

        return NeuralReader(name, settings)

    return SystemEntry(
        name=name,
        title=title,
        source=source,
        group="table 4",
        make=make,
        settings=settings,
        trained=True,
        seeded=True,
        backends=_backends,
        paper=paper,
    )


ATTENTIVE_READER = _entry(
    "attentive-reader", "Attentive Reader", "Hermann et al. (2015)", AttentiveConfig, (0.53, 0.55)
)
STANFORD_READER = _entry(
    "stanford-reader", "Stanford Reader", "Chen, Bolton & Manning (2016)", StanfordConfig, (0.64, 0.65)
)
AS_READER = _entry("as-reader", "Attention Sum Reader", "Kadlec et al. (2016)", AttentionSumConfig, (0.57, 0.59))
GA_READER = _entry("ga-reader", "Gated-Attention Reader", "Dhingra et al. (2017)", GatedAttentionConfig, (0.57, 0.60))
