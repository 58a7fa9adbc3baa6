"""The alternatives of an article, with what baselines, adversaries and suppression made of each."""

from __future__ import annotations

from typing import NamedTuple

from wdw_build.dataset import Run
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    ProblemAlternatives,
    Rejection,
    SuppressionDecision,
)
from wdw_build.stages import baselines
from wdw_build.stages.suppress import cell_of
from wdw_build.views.trace.records import TracedAlternative

SELECTED, NOT_SELECTED, EXCLUDED = "selected", "not-selected", "excluded"


class Selection(NamedTuple):
    """What later stages made of the alternatives of an article; None or empty if they have not run, or not with this record.

    ``refused``: why no alternative was selected, as "stage: reason, meaning (detail)".
    """

    predictions: BaselinePredictions | None = None
    decision: SuppressionDecision | None = None
    refused: str = ""


def selection(run: Run, record: ProblemAlternatives) -> Selection:
    """Look up the predictions and the decision of an article. Ignores those made from an older list of alternatives."""
    predictions: BaselinePredictions | None = run.predictions.find(record.id)
    predictions = predictions or run.table(baselines.STAGE).find(record.id)
    if predictions is None or 1 + len(predictions.others) != len(record.alternatives):
        return Selection()
    decision = run.decisions.find(record.id)
    if decision is not None and decision.alternatives != len(record.alternatives):
        decision = None
    return Selection(predictions, decision, _refused(run, record.id))


def _refused(run: Run, record_id: str) -> str:
    for table in (run.predictions, run.decisions):
        for rejection in table.rejections_of(record_id):
            return f"{table.name}: {in_words(run, rejection)}"
    return ""


def in_words(run: Run, rejection: Rejection) -> str:
    """A rejection as "reason, meaning (detail)"."""
    detail = f" ({rejection.detail})" if rejection.detail else ""
    return f"{rejection.reason}, {run.meaning(rejection.reason)}{detail}"


def alternatives(record: ProblemAlternatives, selected: Selection) -> tuple[TracedAlternative, ...]:
    """The alternatives of an article, in order."""
    return tuple(_alternative(record, number, selected) for number in range(len(record.alternatives)))


def _alternative(record: ProblemAlternatives, number: int, selected: Selection) -> TracedAlternative:
    alternative, decision = record.alternatives[number], selected.decision
    passage = record.passages[alternative.passage]
    predictions = selected.predictions.of(number) if selected.predictions is not None else None
    is_selected = decision is not None and decision.alternative == number
    return TracedAlternative(
        number=number,
        deleted=record.question.with_blank(alternative.blank).name.text,
        passage=passage.article,
        date=passage.date,
        window=passage.window,
        event=passage.event_score,
        choice_set=alternative.choice_set,
        choices=tuple(passage.persons[index].name for index in alternative.choices),
        answer=alternative.answer,
        solved_by=solved_by(predictions) if predictions is not None else None,
        cell=cell_of(predictions).pattern if isinstance(predictions, AdversaryPredictions) else "",
        outcome=SELECTED if is_selected else _not_selected(number, selected),
        level=("strict" if decision.strict else "relaxed") if is_selected and decision is not None else "",
    )


def _not_selected(number: int, selected: Selection) -> str:
    if isinstance(selected.predictions, AdversaryPredictions) and number in selected.predictions.excluded:
        return EXCLUDED
    return NOT_SELECTED if selected.decision is not None or selected.refused else ""


def solved_by(predictions: BaselinePredictions) -> tuple[str, ...]:
    """The baselines and adversaries that chose the right answer."""
    return tuple(name for name, choice in predictions.guesses.items() if choice == predictions.answer)
