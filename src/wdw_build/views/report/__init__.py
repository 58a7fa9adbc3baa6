"""report: one run as one HTML page without a script or a network: funnel, tables, numbers, examples, problems.

Everything is read once, counted, and drawn by seed and id, so that memory does not grow with the run and the same run
gives the same bytes. Text of articles is escaped by the templates (``page``) and by the pictures (``svg``).
Left out: a judgement. ``verify`` says whether the dataset keeps its promises, ``quality`` whether readers can answer it.
"""

from __future__ import annotations

from wdw_build.views.report.against import Against, against
from wdw_build.views.report.facts import Facts, gather
from wdw_build.views.report.page import page

__all__ = ["Against", "Facts", "against", "gather", "page"]
