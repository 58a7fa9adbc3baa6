"""The report: one HTML page about a run, without scripts or network access: funnel, tables, charts, examples, problems.

Problems are streamed and counted, and examples are sampled by a hash of seed and id: memory does not grow with the run, and
the same run gives the same bytes. Templates (``page``) and charts (``svg``) escape the text of articles.
The report only describes: ``verify`` checks the promises of the dataset, ``quality`` measures how well readers answer.
"""

from __future__ import annotations

from wdw_build.views.report.against import Against, against
from wdw_build.views.report.facts import Facts, gather
from wdw_build.views.report.page import page

__all__ = ["Against", "Facts", "against", "gather", "page"]
