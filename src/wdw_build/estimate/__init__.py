"""Estimates the time and size of a run before it starts: the real stages run on a sample of the corpus.

``sample`` reads a part of the corpus, ``trial`` runs stages on it in a temporary folder, ``measure`` extrapolates each
stage to the whole corpus as its descriptor says, and ``costs`` adds up times and memory. Nothing is written into the store.
"""

from __future__ import annotations

from wdw_build.estimate.make import estimate
from wdw_build.estimate.projection import Estimate, EstimatedChange, EstimatedCorpus, EstimatedStage

__all__ = ["Estimate", "EstimatedChange", "EstimatedCorpus", "EstimatedStage", "estimate"]
