"""The systems that ``bench`` measures; the system ``shallow`` is in ``wdw_build.reading.probes``."""

from __future__ import annotations

ORDER = (
    "answer-position",
    "commonest-answer",
    "first-by-count",
    "frequent-by-count",
    "choices-only",
    "question-only",
    "passage-only",
    "encoder-question-only",
    "shallow",
    "word-overlap",
    "sliding-window",
    "distance",
    "sliding-window-distance",
    "semantic-features",
    "attentive-reader",
    "stanford-reader",
    "as-reader",
    "ga-reader",
    "choice-encoder",
    "qa-model",
    "api",
)
"""The order of the tables; systems of other packages follow by name."""


def ordered_systems() -> tuple[str, ...]:
    """The names of all systems, in the order of the tables."""
    from wdw_build.api import system_names

    installed = system_names()
    return (*(name for name in ORDER if name in installed), *(name for name in installed if name not in ORDER))
