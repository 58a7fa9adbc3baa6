"""What the stages after ``choices`` made of an id: its alternatives, earlier duplicate, predictions, cell and split."""

from __future__ import annotations

from typing import NamedTuple

from wdw_build.core.hashing import uniform_hash
from wdw_build.dataset import History, Run
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    Problem,
    ProblemAlternatives,
    Rejection,
    SuppressionDecision,
)
from wdw_build.stages.suppress import cell_of
from wdw_build.text.passages.passage_text import similarity
from wdw_build.text.tokens import words
from wdw_build.views.trace import records

DUPLICATE = "duplicate-question"
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
    predictions = predictions or run.tables["baselines"].find(record.id)
    if predictions is None or 1 + len(predictions.others) != len(record.alternatives):
        return Selection()
    decision = run.decisions.find(record.id)
    if decision is not None and decision.alternatives != len(record.alternatives):
        decision = None
    refused = (
        f"{table.name}: {in_words(run, rejection)}"
        for table in (run.predictions, run.decisions)
        for rejection in table.rejections_of(record.id)
    )
    return Selection(predictions, decision, next(refused, ""))


def in_words(run: Run, rejection: Rejection) -> str:
    """A rejection as "reason, meaning (detail)"."""
    detail = f" ({rejection.detail})" if rejection.detail else ""
    return f"{rejection.reason}, {run.meaning(rejection.reason)}{detail}"


def alternatives(record: ProblemAlternatives, selected: Selection) -> tuple[records.TracedAlternative, ...]:
    """The alternatives of an article, in order."""
    return tuple(_alternative(record, number, selected) for number in range(len(record.alternatives)))


def _alternative(record: ProblemAlternatives, number: int, selected: Selection) -> records.TracedAlternative:
    alternative, decision = record.alternatives[number], selected.decision
    passage = record.passages[alternative.passage]
    predictions = selected.predictions.of(number) if selected.predictions is not None else None
    is_selected = decision is not None and decision.alternative == number
    excluded = selected.predictions.excluded if isinstance(selected.predictions, AdversaryPredictions) else ()
    not_selected = NOT_SELECTED if decision is not None or selected.refused else ""
    return records.TracedAlternative.like(
        passage,
        number=number,
        deleted=record.question.with_blank(alternative.blank).name.text,
        passage=passage.article,
        event=passage.event_score,
        choice_set=alternative.choice_set,
        choices=tuple(passage.persons[index].name for index in alternative.choices),
        answer=alternative.answer,
        solved_by=solved_by(predictions) if predictions is not None else None,
        cell=cell_of(predictions).pattern if isinstance(predictions, AdversaryPredictions) else "",
        outcome=SELECTED if is_selected else EXCLUDED if number in excluded else not_selected,
        level=("strict" if decision.strict else "relaxed") if is_selected and decision is not None else "",
    )


def solved_by(predictions: BaselinePredictions) -> tuple[str, ...]:
    """The baselines and adversaries that chose the right answer."""
    return tuple(name for name, choice in predictions.guesses.items() if choice == predictions.answer)


# ---- from problem to dataset -----------------------------------------------------------------------------------------


def duplicate(run: Run, history: History) -> records.EarlierDuplicate | None:
    """The earlier question that ``dedup`` kept in place of this problem, with the similarity of the two."""
    rejection, record = history.rejection(run.alternatives), history.record(run.all_alternatives)
    if rejection is None or rejection.reason != DUPLICATE or record is None:
        return None
    earlier = run.all_alternatives.find(rejection.detail)
    if earlier is None:
        return None
    shared = similarity(words(record.question.sentence), words(earlier.question.sentence))
    return records.EarlierDuplicate.like(
        earlier,
        sentence=earlier.question.sentence,
        similarity=round(shared, 4),
        threshold=run.alternatives.settings.threshold,
    )


def _predictions(run: Run, history: History, problem: Problem) -> AdversaryPredictions | None:
    """The predictions for the problem; None if there are none, or if they were made for fewer alternatives."""
    predictions = history.record(run.predictions)
    if predictions is None or problem.alternative > len(predictions.others):
        return None
    return predictions.of(problem.alternative)


def guesses(run: Run, history: History, problem: Problem) -> tuple[records.BaselineGuess, ...]:
    """The prediction of each baseline."""
    predictions = _predictions(run, history, problem)
    if predictions is None:
        return ()
    return tuple(
        records.BaselineGuess(
            baseline=name,
            choice=problem.choices[choice].name,
            right=choice == predictions.answer,
            scores=predictions.scores[name],
            tied=predictions.scores[name].count(max(predictions.scores[name])) > 1,
        )
        for name, choice in predictions.guesses.items()
    )


def cell(run: Run, history: History, problem: Problem) -> records.SuppressionCell | None:
    """The cell, and why the problem was selected or not."""
    predictions, decision = _predictions(run, history, problem), history.record(run.decisions)
    if predictions is None or not run.decisions.exists:
        return None
    return records.SuppressionCell.like(
        cell_of(predictions),
        solved_by=solved_by(predictions),
        level="suppressed" if decision is None else "strict" if decision.strict else "relaxed",
        alternative=problem.alternative,
        alternatives=decision.alternatives if decision else 1 + len(run.predictions[history.id].others),
        why=_selected(run, history, problem, decision),
    )


def _selected(run: Run, history: History, problem: Problem, decision: SuppressionDecision | None) -> str:
    """Why the alternative was selected, or why none was."""
    if decision is None:
        rejection = history.rejection(run.decisions)
        return (
            f"no alternative was selected: {in_words(run, rejection)}" if rejection else "suppress has no record of it"
        )
    event = "" if problem.event_score is None else f" with event score {problem.event_score:.2f}"
    counted = f"alternative {decision.alternative} of {decision.alternatives} (numbered from 0)"
    return f"{counted}{event} was selected within the bounds and caps"


def placement(run: Run, history: History) -> records.DatasetPlacement | None:
    """The split, the level, the draw that orders validation and test, and the files."""
    assignment, exported = history.record(run.assignments), history.record(run.exported)
    if assignment is None:
        return None
    return records.DatasetPlacement.like(
        assignment,
        draw=uniform_hash(run.assignments.manifest.ingredients.seed, run.assignments.name, history.id),
        files=exported.files if exported else (),
    )
