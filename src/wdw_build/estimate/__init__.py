"""Estimates the time and the size of a run before it starts: the stages run on a sample, and the results are multiplied."""

from __future__ import annotations

from wdw_build.estimate.dry_run import estimate
from wdw_build.estimate.projection import Estimate, EstimatedCorpus, EstimatedStage, EstimatedTime, ExpectedProblems

__all__ = ["Estimate", "EstimatedCorpus", "EstimatedStage", "EstimatedTime", "ExpectedProblems", "estimate"]
