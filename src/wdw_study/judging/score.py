"""Scores a sheet: how often people are right, how well they agree, which faults they saw, and where they differ.

The score is a pure function of the judgements.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from wdw_study.figures import (
    Agreement,
    ScoreTable,
    Share,
    agreed,
    agreement,
    clustered_share,
    number,
    rounded,
    share,
    shown,
)
from wdw_study.judging import score_records as scores
from wdw_study.judging.judgements import Judgement, by_problem
from wdw_study.judging.sheets import FAULTS, PHENOMENA, ByPerson, Judged, Sheet, SheetProblem
from wdw_study.people import is_model

# Problem -> its judgements, one per person.
ByProblem = Mapping[str, Sequence[Judgement]]
# The right label of a problem, and how many people gave each label.
_Votes = tuple[Hashable, Counter[Hashable]]
# Stands for all faults among their labels.
ANY_FAULT = "any fault"
MODEL_HEADS = ("answered", "no answer", "cannot tell", "accuracy (95%)", "marked as faulty")


def score(judged: Judged) -> scores.SheetScore:
    """The score of a sheet. Each person is scored on the problems that the person answered."""
    answered, is_answer = judged.answered, judged.sheet.task == "answer"
    labels = PHENOMENA if answered and not is_answer else ()
    persons = tuple(_person_score(person, judgements, judged) for person, judgements in answered.items())
    models = tuple(
        _model_score(model, judged) for model in dict.fromkeys(judgement.person for judgement in judged.models)
    )
    return scores.SheetScore(
        sheet=judged.sheet,
        persons=persons,
        models=models,
        answers=_answer_score(judged, answered) if is_answer and answered else None,
        phenomena={label: _phenomenon_score(label, answered, judged.adjudicated) for label in labels},
        faults=_fault_scores(judged.judgements),
        adjudication=_adjudication_score(judged, answered) if is_answer and judged.adjudicated else None,
        to_adjudicate={case.problem.id: case.reasons for case in cases(judged) if case.decided is None},
        notes=tuple(_notes(persons, models, judged)),
    )


def _notes(
    persons: Sequence[scores.PersonScore], models: Sequence[scores.PersonScore], judged: Judged
) -> Iterator[str]:
    """A sentence for those who do not count, and for each person or model that has not finished."""
    problems = len(judged.problems)
    if judged.left_out:
        yield f"not counted: {', '.join(judged.left_out)}"
    if not persons:
        yield "nobody has answered a problem of this sheet"
    for person in (*persons, *models):
        if not person.complete:
            yield f"{person.person} answered {person.answered} of {problems} problems and is scored on these"


def _person_score(person: str, answered: Mapping[str, Judgement], judged: Judged) -> scores.PersonScore:
    """The score of one person; ``answered``: the person's judgements by problem."""
    key = {problem.id: problem.answer for problem in judged.problems}
    right = sum(judgement.answer == key[problem] for problem, judgement in answered.items())
    has_key = judged.sheet.task == "answer"
    return scores.PersonScore(
        person=person,
        answered=len(answered),
        complete=len(answered) == len(judged.problems),
        cannot_tell=sum(judgement.answer is None for judgement in answered.values()) if has_key else 0,
        accuracy=share(right, len(answered)) if has_key else None,
    )


def _model_score(model: str, judged: Judged) -> scores.ModelScore:
    """The score of one model, and its agreement with each person."""
    judgements_of_model = [judgement for judgement in judged.models if judgement.person == model]
    answered = judged.answered_by_models.get(model, {})
    is_answer = judged.sheet.task == "answer"
    return scores.ModelScore(
        **msgspec.structs.asdict(_person_score(model, answered, judged)),
        unanswered=len(judgements_of_model) - len(answered),
        faults={label: fault.problems for label, fault in _fault_scores(judgements_of_model).items()},
        agreement={
            person: _agreement(
                {person: judgements, model: answered},
                lambda judgement: judgement.answer if is_answer else frozenset(judgement.phenomena),
            )
            for person, judgements in judged.answered.items()
        },
    )


def _agreement(answered: ByPerson, label: Callable[[Judgement], Hashable]) -> Agreement:
    labels = {
        person: {problem: label(judgement) for problem, judgement in judgements.items()}
        for person, judgements in answered.items()
    }
    return agreement(labels)


# ---- answers ---------------------------------------------------------------------------------------------------------


def _answer_score(judged: Judged, answered: ByPerson) -> scores.AnswerScore:
    """The score of all persons on the task ``answer``. ``answered`` must contain at least one person."""
    judgements = _by_problem(answered)
    problems = [problem for problem in judged.problems if problem.id in judgements]
    votes: list[_Votes] = [
        (problem.answer, Counter(judgement.answer for judgement in judgements[problem.id]))
        for problem in problems
        if len(judgements[problem.id]) > 1
    ]
    names = list(dict.fromkeys(name for problem in judged.problems for name in problem.guesses))
    return scores.AnswerScore(
        problems=len(judgements),
        accuracy=_accuracy(problems, judgements),
        majority=_majority(votes),
        chance=rounded(statistics.fmean(1 / len(problem.choices) for problem in problems)),
        agreement=_agreement(answered, lambda judgement: judgement.answer),
        baselines={name: _baseline(name, problems) for name in names},
    )


def _by_problem(answered: ByPerson) -> dict[str, list[Judgement]]:
    return by_problem(judgement for judgements in answered.values() for judgement in judgements.values())


def _accuracy(problems: Iterable[SheetProblem], judged: ByProblem) -> Share:
    """The share of right answers among all judgements of some problems."""
    counts = []
    for problem in problems:
        judgements = judged.get(problem.id, ())
        counts.append((sum(judgement.answer == problem.answer for judgement in judgements), len(judgements)))
    return clustered_share(counts)


def _majority(votes: Sequence[_Votes]) -> Share:
    """The share of problems whose label is the most frequent one; of k labels that tie for it, each counts 1/k."""
    tied = [(key, [label for label, count in counts.items() if count == max(counts.values())]) for key, counts in votes]
    return share(sum((key in labels) / len(labels) for key, labels in tied), len(votes))


def _baseline(name: str, problems: Sequence[SheetProblem]) -> Share:
    """The accuracy of a baseline on the problems that it answered."""
    right = [problem.guesses[name] == problem.answer for problem in problems if name in problem.guesses]
    return share(sum(right), len(right))


# ---- faults and phenomena --------------------------------------------------------------------------------------------


def _fault_scores(judgements: Sequence[Judgement]) -> dict[str, scores.FaultScore]:
    """Label -> its score, of the faults with at least one mark; any fault at all is the first."""
    used = [fault for fault in FAULTS if any(fault in judgement.faults for judgement in judgements)]
    labels = [ANY_FAULT, *used] if used else []
    return {label: _fault_score(label, judgements) for label in labels}


def _fault_score(label: str, judgements: Sequence[Judgement]) -> scores.FaultScore:
    def has(judgement: Judgement) -> bool:
        return bool(judgement.faults) if label == ANY_FAULT else label in judgement.faults

    ticked = Counter(judgement.problem for judgement in judgements if has(judgement))
    return scores.FaultScore(problems=len(ticked), by_several=sum(persons > 1 for persons in ticked.values()))


def _phenomenon_score(label: str, answered: ByPerson, adjudicated: Sequence[Judgement]) -> scores.PhenomenonScore:
    """The score of a label (Dasigi et al. 2019, Table 2)."""

    def labelled(judgements: Iterable[Judgement]) -> int:
        return sum(label in judgement.phenomena for judgement in judgements)

    counts = [(labelled(judgements), len(judgements)) for judgements in _by_problem(answered).values()]
    return scores.PhenomenonScore(
        share=clustered_share(counts),
        majority=_majority([(True, Counter({True: votes, False: persons - votes})) for votes, persons in counts]),
        adjudicated=share(labelled(adjudicated), len(adjudicated)),
        agreement=_agreement(answered, lambda judgement: label in judgement.phenomena),
    )


# ---- adjudication ----------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A problem to adjudicate, with the reasons and with people's and models' judgements."""

    problem: SheetProblem
    reasons: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    decided: Judgement | None


def cases(judged: Judged) -> Iterator[Case]:
    """The problems to adjudicate, in the order of the sheet."""
    decided = {judgement.problem: judgement for judgement in judged.adjudicated}
    of_problem = by_problem((*judged.judgements, *judged.models))
    for problem in judged.problems:
        judgements = tuple(of_problem.get(problem.id, ()))
        reasons = reasons_to_adjudicate(problem, judgements, judged.sheet)
        if reasons:
            yield Case(problem, reasons, judgements, decided.get(problem.id))


def reasons_to_adjudicate(problem: SheetProblem, judgements: Sequence[Judgement], sheet: Sheet) -> tuple[str, ...]:
    """Why a problem should be adjudicated, from everything that was said of it; empty if there is no reason."""
    people = [judgement for judgement in judgements if not is_model(judgement.person)]
    models = [judgement for judgement in judgements if is_model(judgement.person)]
    answered, is_answer = [judgement for judgement in people if judgement.answered], sheet.task == "answer"
    labels = {judgement.answer if is_answer else frozenset(judgement.phenomena) for judgement in answered}
    # Without the passage, a model is expected to be wrong.
    differs = (
        any(judgement.answered and judgement.answer != problem.answer for judgement in models) and sheet.has_passage
    )
    reasons = {
        "people differ": len(labels) > 1,
        "nobody chose the key": is_answer and bool(answered) and problem.answer not in labels,
        "marked as faulty": any(judgement.faults for judgement in people),
        "a model chose another answer": is_answer and differs,
        "marked as faulty by a model": any(judgement.faults for judgement in models),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _adjudication_score(judged: Judged, answered: ByPerson) -> scores.AdjudicationScore:
    """The score of the key and of the persons by the adjudicator's answers. At least one problem must be adjudicated."""
    key = {problem.id: problem.answer for problem in judged.problems}
    decided = {judgement.problem: judgement.answer for judgement in judged.adjudicated}
    right = sum(answer == key[problem] for problem, answer in decided.items())
    undecidable = sum(answer is None for answer in decided.values())
    answers = key | decided
    # The problems with the adjudicator's answers as the key, without the undecidable ones.
    problems = [
        msgspec.structs.replace(problem, answer=answers[problem.id])
        for problem in judged.problems
        if answers[problem.id] is not None
    ]
    return scores.AdjudicationScore(
        key_right=share(right, len(decided)),
        key_wrong=share(len(decided) - right - undecidable, len(decided)),
        undecidable=share(undecidable, len(decided)),
        accuracy=_accuracy(problems, _by_problem(answered)),
    )


# ---- tables ----------------------------------------------------------------------------------------------------------


def score_tables(scored: scores.SheetScore) -> list[ScoreTable]:
    """The tables of a score; those without rows are left out."""
    tables = [
        _persons(scored.persons),
        *_models(scored.models),
        *(_answers(scored.answers) if scored.answers else ()),
        *_labels(scored),
    ]
    return [table for table in tables if table.rows]


def _persons(persons: Sequence[scores.PersonScore]) -> ScoreTable:
    rows = [
        (person.person, str(person.answered), str(person.cannot_tell), shown(person.accuracy)) for person in persons
    ]
    return ScoreTable("People", ("person", "answered", "cannot tell", "accuracy (95%)"), rows)


def model_cells(model: scores.ModelScore) -> tuple[str, ...]:
    """The cells of ``MODEL_HEADS``."""
    faults = "; ".join(f"{label} {count}" for label, count in model.faults.items()) or "0"
    return (*map(str, (model.answered, model.unanswered, model.cannot_tell)), shown(model.accuracy), faults)


def _models(models: Sequence[scores.ModelScore]) -> Iterator[ScoreTable]:
    yield ScoreTable(
        "Models, which are not counted among people",
        ("model", *MODEL_HEADS),
        [(model.person, *model_cells(model)) for model in models],
    )
    yield ScoreTable(
        "Agreement of models with people",
        ("model", "person", "problems", "same", "alpha"),
        [
            (model.person, person, str(with_person.units), *agreed(with_person))
            for model in models
            for person, with_person in model.agreement.items()
        ],
    )


def _answers(answers: scores.AnswerScore) -> Iterator[ScoreTable]:
    same, alpha = agreed(answers.agreement)
    rows = [
        ("human performance (all answers)", shown(answers.accuracy)),
        ("majority answer, ties shared", shown(answers.majority)),
        ("chance", number(answers.chance)),
        ("same answer", same),
        ("Krippendorff's alpha", alpha),
    ]
    yield ScoreTable("All people together", ("", "value (95%)"), rows)
    yield ScoreTable(
        "Baselines on the same problems",
        ("baseline", "accuracy (95%)"),
        [(name, shown(accuracy)) for name, accuracy in answers.baselines.items()],
    )


def _labels(scored: scores.SheetScore) -> Iterator[ScoreTable]:
    """The tables of phenomena, of faults and of adjudicated problems."""
    yield ScoreTable(
        "Phenomena",
        ("label", "share (95%)", "by the majority", "adjudicated", "same", "alpha"),
        [
            (
                label,
                shown(phenomenon.share),
                f"{phenomenon.majority.part:g}",
                shown(phenomenon.adjudicated),
                *agreed(phenomenon.agreement),
            )
            for label, phenomenon in scored.phenomena.items()
        ],
    )
    yield ScoreTable(
        "Faults",
        ("fault", "problems", "marked by several"),
        [(label, str(fault.problems), str(fault.by_several)) for label, fault in scored.faults.items()],
    )
    adjudicated = scored.adjudication
    if adjudicated is not None:
        rows = [
            ("key right", shown(adjudicated.key_right)),
            ("key wrong", shown(adjudicated.key_wrong)),
            ("no single right choice", shown(adjudicated.undecidable)),
            ("accuracy by the adjudicated key", shown(adjudicated.accuracy)),
        ]
        yield ScoreTable("Adjudicated problems", ("", "share (95%)"), rows)
