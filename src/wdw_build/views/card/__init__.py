"""The datasheet of a complete run with its audit: answer skews, distributions, and overlap between splits.

Both are computed from the outputs of the stages, the stored table of systems and the stored scores of people alone, so that
the same run gives the same bytes. Problems are streamed; memory holds counts, ids and names, and the 8-grams of the held-out
passages.
"""

from __future__ import annotations

from wdw_build.views.card.audit import audit
from wdw_build.views.card.audit_results import Audit
from wdw_build.views.card.datasheet import datasheet

__all__ = ["Audit", "audit", "datasheet"]
