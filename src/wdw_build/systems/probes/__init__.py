"""Probes for artefacts: systems that see only a part of the problem. One that beats chance has found an artefact.

After Kaushik & Lipton (2018), *How Much Reading Does Reading Comprehension Require?*, and Dasigi et al. (2019), *QUOREF*,
section 4.2.
"""

from __future__ import annotations

from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.reading import SystemEntry, Workspace
from wdw_build.systems.probes import features, ranks
from wdw_build.systems.probes.commonest import CommonestAnswer
from wdw_build.systems.probes.cues import cues
from wdw_build.systems.probes.ranker import LogLinearRanker, RankerSettings

_KAUSHIK = "Kaushik & Lipton (2018)"
_ONISHI = "Onishi et al. (2016)"


def _solver_versions(settings: Any, workspace: Workspace) -> dict[str, str]:
    """The versions of the libraries that fit a log-linear model."""
    return {name: installed_version(name, "a log-linear model") for name in ("numpy", "scipy")}


ANSWER_POSITION = SystemEntry(
    name="answer-position",
    title="Answer position",
    source=_KAUSHIK,
    group="probe",
    make=lambda settings: ranks.RankProbe(ranks.positions),
    trained=True,
)
COMMONEST_ANSWER = SystemEntry(
    name="commonest-answer",
    title="Commonest answer of training",
    source=_KAUSHIK,
    group="probe",
    make=lambda settings: CommonestAnswer(),
    trained=True,
)
FIRST_BY_COUNT = SystemEntry(
    name="first-by-count",
    title="Rank by first mention, given the number of choices",
    source=_ONISHI,
    group="probe",
    make=lambda settings: ranks.RankProbe(ranks.first_mention_ranks),
    trained=True,
)
FREQUENT_BY_COUNT = SystemEntry(
    name="frequent-by-count",
    title="Rank by frequency, given the number of choices",
    source=_ONISHI,
    group="probe",
    make=lambda settings: ranks.RankProbe(ranks.frequency_ranks),
    trained=True,
)
CHOICES_ONLY = SystemEntry(
    name="choices-only",
    title="Choices only",
    source=_KAUSHIK,
    group="probe",
    make=lambda settings: LogLinearRanker(features.choices_only, settings),
    settings=RankerSettings,
    trained=True,
    backends=_solver_versions,
)
QUESTION_ONLY = SystemEntry(
    name="question-only",
    title="Question and choices only",
    source=_KAUSHIK,
    group="probe",
    make=lambda settings: LogLinearRanker(features.question_only, settings),
    settings=RankerSettings,
    trained=True,
    backends=_solver_versions,
)
PASSAGE_ONLY = SystemEntry(
    name="passage-only",
    title="Passage and choices only",
    source=_KAUSHIK,
    group="probe",
    make=lambda settings: LogLinearRanker(features.passage_only, settings),
    settings=RankerSettings,
    trained=True,
    backends=_solver_versions,
)
SHALLOW = SystemEntry(
    name="shallow",
    title="Shallow features",
    source="logistic regression over the choices",
    group="probe",
    make=lambda settings: LogLinearRanker(features.all_parts, settings, cues),
    settings=RankerSettings,
    trained=True,
    backends=_solver_versions,
)
