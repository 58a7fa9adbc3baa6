"""All benchmarks, in the order of the table."""

from __future__ import annotations

from benchmarks import (
    bare_models,
    grown_corpus,
    model_share,
    question_formation,
    retrieval,
    selection,
    startup,
    whole,
)
from benchmarks.setting import Line

LINES: dict[str, Line] = {
    module.LINE.name: module.LINE
    for module in (
        question_formation,
        bare_models,
        retrieval,
        selection,
        whole,
        grown_corpus,
        model_share,
        startup,
    )
}
