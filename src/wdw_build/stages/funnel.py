"""The names of the records that stages pass on, for the funnel of the report and of ``summary.json``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Funnel(NamedTuple):
    """``label`` in the report, ``key`` in ``summary.json`` (empty: none)."""

    label: str
    key: str = ""


FUNNEL: Mapping[str, Funnel] = {
    "adversary": Funnel("after the adversaries"),
    "choices": Funnel("problems", "problems"),
    "dedup": Funnel("different problems", "after_dedup"),
    "export": Funnel("exported"),
    "ingest": Funnel("articles", "articles"),
    "questions": Funnel("questions", "questions"),
    "retrieve": Funnel("questions with a candidate", "with_candidate"),
    "split": Funnel("in the dataset"),
    "suppress": Funnel("kept (strict and relaxed)"),
}
