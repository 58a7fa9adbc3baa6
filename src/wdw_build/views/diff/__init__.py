"""diff: what two runs have different, stage by stage and id by id, and why.

A run is what the links in its folder lead to: neither corpus nor models are asked for, so that runs from elsewhere, and
from earlier versions of the program, can be compared, too. Records are compared as bytes; nothing of a stage is kept in
memory but one id's records (``join``), and the causes come from the manifests (``why``).
Left out: how alike two records are, and files of a stage's own (index, model, exports).
"""

from __future__ import annotations

from wdw_build.views.diff.compare import Comparison
from wdw_build.views.diff.differences import Difference, StageDifference
from wdw_build.views.diff.runs import Run, open_run

__all__ = ["Comparison", "Difference", "Run", "StageDifference", "open_run"]
