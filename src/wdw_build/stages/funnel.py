"""The names of the records that stages pass on, in the funnel of ``summary.json``."""

from __future__ import annotations

from collections.abc import Mapping

FUNNEL: Mapping[str, str] = {
    "ingest": "articles",
    "questions": "questions",
    "retrieve": "with_candidate",
    "choices": "problems",
    "dedup": "after_dedup",
}
