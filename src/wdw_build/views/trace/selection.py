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


def has_rates(run: Run) -> bool:
    """Whether ``suppress`` used keep rates; otherwise it selected the problems one by one."""
    first = next(iter(run.decisions), None)
    return first is not None and first.strict_rate is not None


def cell(run: Run, history: History, problem: Problem) -> records.SuppressionCell | None:
    """The cell, and why the problem was selected or not. For a suppressed problem the draw is computed again."""
    predictions, decision = _predictions(run, history, problem), history.record(run.decisions)
    if predictions is None or not run.decisions.exists:
        return None
    level = "suppressed" if decision is None else "strict" if decision.strict else "relaxed"
    problem_cell, seed = cell_of(predictions), run.decisions.manifest.ingredients.seed
    draw = decision.draw if decision else uniform_hash(seed, run.decisions.name, history.id)
    uses_rates = decision.strict_rate is not None if decision else has_rates(run)
    rates = decision
    if rates is None and uses_rates:
        # Rates are stored with the problems that are kept.
        in_cell = (kept for kept in run.decisions if (kept.cell, kept.choices) == problem_cell)
        rates = next(in_cell, None)
    strict, relaxed = (rates.strict_rate, rates.relaxed_rate) if rates else (None, None)
    return records.SuppressionCell.like(
        problem_cell,
        solved_by=solved_by(predictions),
        draw=draw,
        has_rates=uses_rates,
        strict_rate=strict,
        relaxed_rate=relaxed,
        level=level,
        alternative=problem.alternative,
        alternatives=decision.alternatives if decision else 1 + len(run.predictions[history.id].others),
        why=_compared(level, draw, strict, relaxed) if uses_rates else _selected(run, history, problem, decision),
    )


def _selected(run: Run, history: History, problem: Problem, decision: SuppressionDecision | None) -> str:
    """Why the alternative was selected, or why none was, if problems were selected one by one."""
    if decision is None:
        rejection = history.rejection(run.decisions)
        return (
            f"no alternative was selected: {in_words(run, rejection)}" if rejection else "suppress has no record of it"
        )
    event = "" if problem.event_score is None else f" with event score {problem.event_score:.2f}"
    counted = f"alternative {decision.alternative} of {decision.alternatives} (numbered from 0)"
    return f"{counted}{event} was selected within the bounds and caps"


_COMPARED = {
    "strict": "the draw is below the strict rate",
    "relaxed": "the draw is at or above the strict rate, and below the relaxed rate",
    "suppressed": "the draw is at or above both rates",
}


def _compared(level: str, draw: float, strict: float | None, relaxed: float | None) -> str:
    if strict is None or relaxed is None:
        return "no problem of this cell was kept, so its rates are not stored"
    expected = "strict" if draw < strict else "relaxed" if draw < relaxed else "suppressed"
    if expected == level:
        return _COMPARED[expected]
    repair = "when rates were rounded to whole problems, some were added or dropped so that every bound holds"
    return f"{_COMPARED[expected]}, but the problem is {level}: {repair}"


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
