"""``diff``: what differs between two runs, stage by stage and id by id, and why.

Two runs are compared by their stored outputs alone. Neither corpus nor models are needed, so runs from other machines and
from earlier versions can be compared, too. Records are compared as bytes, in one merge over the sorted key files, so memory
holds the records of one id at a time. Causes come from the manifests (``why``).

Not compared: how similar two records are, and files other than records (index, model, exports).
"""

from __future__ import annotations

from wdw_build.views.diff.compare import Comparison
from wdw_build.views.diff.differences import Difference, StageDifference

__all__ = ["Comparison", "Difference", "StageDifference"]
