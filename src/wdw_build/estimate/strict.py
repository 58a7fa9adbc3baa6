"""How many strict problems to expect: the articles after ``dedup``, times the share of these that suppression selects.

Two figures of the trial decide that share: the alternatives of an article, because an article with more of them fits a bound
more often, and the share of the most common answer, because caps and bounds keep few problems with an answer that recurs.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from wdw_build.core.store.output import Output
from wdw_build.estimate.measure import Measured, Measuring
from wdw_build.estimate.projection import ExpectedProblems
from wdw_build.records import ProblemAlternatives, Question, SuppressionDecision
from wdw_build.stages import choices, dedup, questions, retrieve, suppress
from wdw_build.text.names.matching import last_name

# On 234 articles of BuzzFeed-Webis, 1 / 4.3 / 6.3 / 7.9 alternatives of an article (choices.max_alternatives 1, 6, 12, 24)
# gave strict problems for 17 / 40 / 45 / 46 % of the articles: the curve has this form.
_ALTERNATIVES = 2.8
# Actual number divided by the expected number, at the default settings, on five corpora: 0.65 to 1.43.
_LOW, _HIGH = 0.65, 1.45
# Without a trial of ``choices``: the alternatives of an article in the same corpora, and the share of the most common answer.
_ASSUMED_ALTERNATIVES, _ASSUMED_TOP = 7.0, 0.3
# With fewer answers, the share of the most common one says little. More records than ``_MOST`` are not read.
_ENOUGH, _MOST = 20, 5000


def strict_share(alternatives: float, top_answer: float) -> float:
    """The share of articles that give a strict problem.

    ``alternatives``: their mean number. ``top_answer``: the share of articles with the most common answer.
    """
    return (1.0 - top_answer) * (1.0 - math.exp(-alternatives / _ALTERNATIVES))


def expected_problems(
    measuring: Measuring, measured: Mapping[str, Measured], finished: Mapping[str, Output]
) -> ExpectedProblems | None:
    """The number of strict problems in the end; None if the plan does not reach ``suppress``."""
    if suppress.STAGE.name not in measured:
        return None
    if suppress.STAGE.name in finished:
        return counted_strict(finished[suppress.STAGE.name])
    names = _answers(measuring.output(retrieve.STAGE.name), measuring.output(questions.STAGE.name))
    output = measuring.output(choices.STAGE.name)
    records = cast("Iterator[ProblemAlternatives]", output.records()) if output is not None else iter(())
    numbers = [len(record.alternatives) for record in itertools.islice(records, _MOST)]
    return expected_strict(measured[dedup.STAGE.name].written, numbers, names)


def counted_strict(decisions: Output) -> ExpectedProblems:
    """The number of strict problems of a finished stage ``suppress``."""
    strict = sum(decision.strict for decision in cast("Iterator[SuppressionDecision]", decisions.records()))
    return ExpectedProblems(strict=strict, low=strict, high=strict, basis="counted")


def expected_strict(articles: int, alternatives: Sequence[int], answers: Sequence[str]) -> ExpectedProblems:
    """The number of strict problems to expect of ``articles`` articles after ``dedup``.

    ``alternatives``: their numbers for the articles that were tried. ``answers``: the answers of the tried questions.
    """
    mean = sum(alternatives) / len(alternatives) if alternatives else _ASSUMED_ALTERNATIVES
    top = Counter(answers).most_common(1)[0][1] / len(answers) if len(answers) >= _ENOUGH else _ASSUMED_TOP
    expected = articles * strict_share(mean, top)
    return ExpectedProblems(
        strict=round(expected),
        low=round(expected * _LOW),
        high=round(min(articles, expected * _HIGH)),
        basis="extrapolated" if alternatives else "assumed",
        alternatives=round(mean, 1) if alternatives else None,
    )


def _answers(retrievals: Output | None, of_questions: Output | None) -> list[str]:
    """The last name of the first answer of each question that found a passage; empty if these stages were not tried."""
    if retrievals is None or of_questions is None:
        return []
    found = (of_questions.find(record.id) for record in itertools.islice(retrievals.records(), _MOST))
    return [last_name(question.name.text) for question in found if isinstance(question, Question)]
