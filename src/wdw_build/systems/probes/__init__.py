"""Probes for artefacts: systems that see only a part of the problem. One that beats chance has found an artefact.

After Kaushik & Lipton (2018), *How Much Reading Does Reading Comprehension Require?*, and Dasigi et al. (2019), *QUOREF*,
section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.reading import System, SystemEntry, TrainingContext
from wdw_build.systems.probes import features, ranks
from wdw_build.systems.probes.cues import cues
from wdw_build.systems.probes.log_linear import LogLinearRanker, RankerSettings

_KAUSHIK = "Kaushik & Lipton (2018)"
_ONISHI = "Onishi et al. (2016)"


def _solver_versions(settings: Any, workspace: TrainingContext) -> dict[str, str]:
    """The versions of the libraries that fit a log-linear model."""
    return {name: installed_version(name, "a log-linear model") for name in ("numpy", "scipy")}


def _probe(name: str, title: str, source: str, make: Callable[[Any], System], **fields: Any) -> SystemEntry:
    return SystemEntry(name=name, title=title, source=source, group="probe", make=make, trained=True, **fields)


def _ranker(name: str, title: str, source: str, make: Callable[[Any], System]) -> SystemEntry:
    return _probe(name, title, source, make, version=2, settings=RankerSettings, backends=_solver_versions)


ANSWER_POSITION = _probe(
    "answer-position", "Answer position", _KAUSHIK, lambda settings: ranks.RankProbe(ranks.positions)
)
COMMONEST_ANSWER = _probe(
    "commonest-answer", "Commonest answer of training", _KAUSHIK, lambda settings: ranks.CommonestAnswer()
)
FIRST_BY_COUNT = _probe(
    "first-by-count",
    "Rank by first mention, given the number of choices",
    _ONISHI,
    lambda settings: ranks.RankProbe(ranks.first_mention_ranks),
)
FREQUENT_BY_COUNT = _probe(
    "frequent-by-count",
    "Rank by frequency, given the number of choices",
    _ONISHI,
    lambda settings: ranks.RankProbe(ranks.frequency_ranks),
)
CHOICES_ONLY = _ranker(
    "choices-only", "Choices only", _KAUSHIK, lambda settings: LogLinearRanker(features.choices_only, settings)
)
QUESTION_ONLY = _ranker(
    "question-only",
    "Question and choices only",
    _KAUSHIK,
    lambda settings: LogLinearRanker(features.question_only, settings),
)
PASSAGE_ONLY = _ranker(
    "passage-only",
    "Passage and choices only",
    _KAUSHIK,
    lambda settings: LogLinearRanker(features.passage_only, settings),
)
SHALLOW = _ranker(
    "shallow",
    "Shallow features",
    "logistic regression over the choices",
    lambda settings: LogLinearRanker(features.all_parts, settings, cues),
)
