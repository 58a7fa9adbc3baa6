"""Semantic features: a max-margin model that scores each choice by its best supporting sentence."""

from __future__ import annotations

from typing import Literal

from wdw_build.api import PositiveInt, Section, installed_version
from wdw_build.reading import System, SystemEntry, TrainingContext

FeatureGroup = Literal["lexical", "syntax", "vectors", "coreference", "entities", "position", "choice"]


class SemanticSettings(Section, frozen=True, kw_only=True):
    """Settings of the semantic features."""

    leave_out: tuple[FeatureGroup, ...] = ()
    """Groups of features to omit, to measure their effect."""
    max_training: PositiveInt = 20_000
    """Maximum number of training problems, sampled evenly."""


def _make(settings: SemanticSettings) -> System:
    from wdw_bench.systems.semantic.system import SemanticFeatures

    return SemanticFeatures(settings)


def _backends(settings: SemanticSettings, workspace: TrainingContext) -> dict[str, str]:
    from wdw_bench.systems.vectors import Vectors

    libraries = {library: installed_version(library, "the system semantic-features") for library in ("numpy", "scipy")}
    return libraries | {"vectors": Vectors(workspace.vectors).identity}


SEMANTIC_FEATURES = SystemEntry(
    name="semantic-features",
    title="Semantic features",
    source="Wang et al. (2015), with shallow syntax and word vectors",
    group="table 4",
    make=_make,
    settings=SemanticSettings,
    trained=True,
    backends=_backends,
    paper=(0.52, None),
)
