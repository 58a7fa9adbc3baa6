"""How long a run will take, told before it starts: real work on articles of the corpus, carried over to all of it.

``draw`` reads a part of the corpus, ``trial`` runs the real stages on it in a folder that is thrown away, ``model`` is
the arithmetic from there to the whole. Nothing is written into the store.
"""

from __future__ import annotations

from wdw_build.estimate.make import estimate
from wdw_build.estimate.projection import Estimate, EstimatedChange, EstimatedCorpus, EstimatedStage

__all__ = ["Estimate", "EstimatedChange", "EstimatedCorpus", "EstimatedStage", "estimate"]
