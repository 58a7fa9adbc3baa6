"""All benchmarks, in the order of the table."""

from __future__ import annotations

from benchmarks import (
    bare_models,
    dask_overhead,
    duplicates,
    grown_corpus,
    language_model,
    model_share,
    passages,
    question_formation,
    retrieval,
    rules_against_models,
    selection,
    startup,
    two_workers,
    whole,
)
from benchmarks.setting import Line

LINES: dict[str, Line] = {
    module.LINE.name: module.LINE
    for module in (
        question_formation,
        bare_models,
        passages,
        rules_against_models,
        retrieval,
        duplicates,
        language_model,
        selection,
        whole,
        grown_corpus,
        model_share,
        startup,
        two_workers,
        dask_overhead,
    )
}
