"""Build person-centred cloze reading-comprehension datasets from dated newswire (Onishi et al., EMNLP 2016).

>>> import wdw_build
>>> run = wdw_build.build("configs/sample.yaml")
>>> for joined in run.problems("test"):
...     print(joined.problem.question.sentence, joined.answer)

Importing the package loads nothing else: the names below are imported when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wdw_build.api import (
        ArticleIndex,
        JoinedProblem,
        Run,
        StageResult,
        Table,
        annotator,
        build,
        load_run,
        run_stage,
        search_index,
    )
    from wdw_build.core.installed import VERSION as __version__

__all__ = [
    "ArticleIndex",
    "JoinedProblem",
    "Run",
    "StageResult",
    "Table",
    "__version__",
    "annotator",
    "build",
    "load_run",
    "run_stage",
    "search_index",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'wdw_build' has no attribute {name!r}")
    import importlib

    if name == "__version__":
        return importlib.import_module("wdw_build.core.installed").VERSION
    return getattr(importlib.import_module("wdw_build.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
