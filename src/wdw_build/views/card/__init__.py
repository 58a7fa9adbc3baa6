"""The datasheet of a finished run, and the audit in it: skews of the answers, distributions, overlap between splits.

Everything is derived from the outputs of the stages, so that the same run gives the same bytes. Problems are streamed;
what is kept of each is counts, ids and names, and of the held-out passages their 8-grams.
"""

from __future__ import annotations

from wdw_build.views.card.audit import audit
from wdw_build.views.card.audit_results import Audit
from wdw_build.views.card.sheet import datasheet

__all__ = ["Audit", "audit", "datasheet"]
