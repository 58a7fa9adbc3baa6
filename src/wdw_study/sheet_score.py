"""Scores a sheet: how often people are right, how well they agree, which faults they saw, and where they differ.

The score is a pure function of what people said. ``annotate score`` prints it and stores it as ``score.json``; the table of
systems, the report and the datasheet compute it when they are made, so that they are never older than the answers.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from wdw_build.dataset import Run
from wdw_study import score_records as scores
from wdw_study.agreement import agreement
from wdw_study.score_records import Share, SheetScore, clustered_share, share
from wdw_study.sheet_folder import SheetFolder, read_judged, sheet_folders
from wdw_study.sheets import (
    CANNOT_TELL,
    FAULTS,
    PHENOMENA,
    ByPerson,
    Judged,
    Judgement,
    Sheet,
    SheetProblem,
    Task,
)

# Problem -> its judgements, one per person.
ByProblem = Mapping[str, Sequence[Judgement]]
_NO_GUESS = "-"


def score(judged: Judged) -> SheetScore:
    """The score of a sheet. Each person is scored on the problems that the person answered."""
    answered, is_answer = judged.answered, judged.sheet.task == "answer"
    labels = PHENOMENA if answered and not is_answer else ()
    persons = tuple(_person_score(person, judgements, judged) for person, judgements in answered.items())
    return SheetScore(
        sheet=judged.sheet,
        problems=len(judged.problems),
        persons=persons,
        answers=_answer_score(judged, answered) if is_answer and answered else None,
        phenomena={label: _phenomenon_score(label, answered, judged.adjudicated) for label in labels},
        faults=_fault_scores(judged.judgements, answered),
        adjudication=_adjudication_score(judged, answered) if is_answer and judged.adjudicated else None,
        disagreements=tuple(_disagreement(case, judged.sheet.task) for case in cases(judged)),
        notes=tuple(_notes(persons, judged)),
    )


def current_scores(run: Run) -> Iterator[tuple[SheetFolder, SheetScore]]:
    """The sheets of a run with their scores, computed from all answers so far, by name; without sheets that nobody opened."""
    for folder in sheet_folders(run.folder):
        if folder.has_events:
            yield folder, score(read_judged(folder.path))


def _notes(persons: Sequence[scores.PersonScore], judged: Judged) -> Iterator[str]:
    """A sentence for those who do not count, and for each person who has not finished."""
    problems = len(judged.problems)
    if judged.left_out:
        yield f"not counted: {', '.join(judged.left_out)}"
    if not persons:
        yield "nobody has answered a problem of this sheet"
    for person in persons:
        if not person.complete:
            yield f"{person.person} answered {person.answered} of {problems} problems and is scored on these"
    if judged.gold:
        counts = (f"{person} {right} of {answered}" for person, (right, answered) in sorted(judged.gold.items()))
        yield f"gold items answered rightly: {', '.join(counts)}"


def _person_score(person: str, answered: Mapping[str, Judgement], judged: Judged) -> scores.PersonScore:
    """The score of one person; ``answered``: the person's judgements by problem."""
    key = {problem.id: problem.answer for problem in judged.problems}
    right = sum(judgement.answer == key[problem] for problem, judgement in answered.items())
    cannot_tell = sum(judgement.answer is None for judgement in answered.values())
    has_key = judged.sheet.task == "answer"
    faults = Counter(
        fault for judgement in judged.judgements if judgement.person == person for fault in set(judgement.faults)
    )
    return scores.PersonScore(
        person=person,
        answered=len(answered),
        complete=len(answered) == len(judged.problems),
        cannot_tell=cannot_tell if has_key else 0,
        accuracy=share(right, len(answered)) if has_key else None,
        accuracy_of_decided=share(right, len(answered) - cannot_tell) if has_key else None,
        seconds=scores.seconds_of([each.seconds for each in answered.values() if each.seconds is not None]),
        faults={fault: faults[fault] for fault in FAULTS if faults[fault]},
    )


# ---- answers ---------------------------------------------------------------------------------------------------------


def _answer_score(judged: Judged, answered: ByPerson) -> scores.AnswerScore:
    """The score of all persons on the task ``answer``. ``answered`` must contain at least one person."""
    by_problem = _by_problem(answered)
    problems = [problem for problem in judged.problems if problem.id in by_problem]
    votes = [
        (problem.answer, Counter(given.answer for given in by_problem[problem.id]))
        for problem in problems
        if len(by_problem[problem.id]) > 1
    ]
    names = list(dict.fromkeys(name for problem in judged.problems for name in problem.guesses))
    return scores.AnswerScore(
        problems=len(by_problem),
        accuracy=_accuracy(problems, by_problem),
        majority=share(sum(2 * counts[key] > counts.total() for key, counts in votes), len(votes)),
        no_majority=sum(2 * max(counts.values()) <= counts.total() for _, counts in votes),
        chance=_chance(problems),
        agreement=agreement(answered, lambda given: given.answer),
        baselines={name: _baseline(name, problems, by_problem) for name in names},
        groups=tuple(_groups(judged, problems, by_problem, names)),
    )


def _by_problem(answered: ByPerson) -> dict[str, list[Judgement]]:
    by_problem: dict[str, list[Judgement]] = {}
    for judgements in answered.values():
        for judgement in judgements.values():
            by_problem.setdefault(judgement.problem, []).append(judgement)
    return by_problem


def _accuracy(problems: Iterable[SheetProblem], by_problem: ByProblem) -> Share:
    """The share of right answers among all judgements of some problems."""
    return clustered_share(
        (sum(given.answer == problem.answer for given in judgements), len(judgements))
        for problem in problems
        for judgements in (by_problem.get(problem.id, ()),)
    )


def _chance(problems: Sequence[SheetProblem]) -> float:
    return round(statistics.fmean(1 / len(problem.choices) for problem in problems), 4)


def _baseline(name: str, problems: Sequence[SheetProblem], by_problem: ByProblem) -> scores.BaselineScore:
    guessed = [problem for problem in problems if name in problem.guesses]
    decided = {
        problem.id: [given for given in by_problem[problem.id] if given.answer is not None] for problem in guessed
    }
    return scores.BaselineScore(
        accuracy=share(sum(problem.guesses[name] == problem.answer for problem in guessed), len(guessed)),
        # People agree with the baseline if they are right by its guesses.
        agreement=_accuracy((_with_key(problem, problem.guesses[name]) for problem in guessed), decided),
    )


def _with_key(problem: SheetProblem, answer: int) -> SheetProblem:
    return msgspec.structs.replace(problem, answer=answer)


def _groups(
    judged: Judged, problems: Sequence[SheetProblem], by_problem: ByProblem, names: Sequence[str]
) -> Iterator[scores.GroupScore]:
    """The groups of each field, by value; ``problems`` are those with at least one answer."""
    groups: dict[str, dict[str, list[SheetProblem]]] = {}
    for problem in problems:
        for field, value in _fields(problem, judged.sheet, names).items():
            groups.setdefault(field, {}).setdefault(value, []).append(problem)
    for field, members in groups.items():
        # Numbers by size, then words.
        for value in sorted(members, key=lambda value: (int(value) if value.isdecimal() else 0, value)):
            yield scores.GroupScore(
                field=field,
                value=value,
                problems=len(members[value]),
                accuracy=_accuracy(members[value], by_problem),
                chance=_chance(members[value]),
            )


def _fields(problem: SheetProblem, sheet: Sheet, names: Sequence[str]) -> dict[str, str]:
    """The value of a problem for each field.

    The pattern has a digit for each of the baselines ``names``, as in the cells of suppression: 1 if it solves the problem,
    0 if not, - without a guess.
    """
    guesses = problem.guesses
    pattern = (str(int(guesses[name] == problem.answer)) if name in guesses else _NO_GUESS for name in names)
    fields = {
        "choices": str(len(problem.choices)),
        "pattern": "".join(pattern),
        "split": problem.split,
        "level": problem.level,
    }
    if sheet.twins is not None:
        fields["twin"] = "yes" if problem.twins else "no"
    strata = zip_longest(sheet.strata, problem.strata, fillvalue="")
    return fields | {field: value for field, value in strata if field not in fields}


def pattern_legend(scored: scores.AnswerScore) -> str:
    """Which digit of a pattern is which baseline; empty without baselines."""
    return f"pattern: {', '.join(scored.baselines)}; 1: solved" if scored.baselines else ""


# ---- faults and phenomena --------------------------------------------------------------------------------------------


def _fault_scores(judgements: Sequence[Judgement], answered: ByPerson) -> dict[str, scores.FaultScore]:
    """Label -> its score, of the faults with at least one mark; any fault at all is the first."""
    used = [fault for fault in FAULTS if any(fault in judgement.faults for judgement in judgements)]
    labels = [scores.ANY_FAULT, *used] if used else []
    return {label: _fault_score(label, judgements, answered) for label in labels}


def _fault_score(label: str, judgements: Sequence[Judgement], answered: ByPerson) -> scores.FaultScore:
    def has(judgement: Judgement) -> bool:
        return bool(judgement.faults) if label == scores.ANY_FAULT else label in judgement.faults

    ticked: dict[str, set[str]] = {}
    for judgement in judgements:
        if has(judgement):
            ticked.setdefault(judgement.problem, set()).add(judgement.person)
    return scores.FaultScore(
        problems=len(ticked),
        by_several=sum(len(persons) > 1 for persons in ticked.values()),
        persons=len(set().union(*ticked.values())),
        agreement=agreement(answered, has),
    )


def _phenomenon_score(label: str, answered: ByPerson, adjudicated: Sequence[Judgement]) -> scores.PhenomenonScore:
    """The score of a label (Dasigi et al. 2019, Table 2)."""

    def labelled(judgements: Iterable[Judgement]) -> int:
        return sum(label in judgement.phenomena for judgement in judgements)

    counts = [(labelled(judgements), len(judgements)) for judgements in _by_problem(answered).values()]
    return scores.PhenomenonScore(
        share=clustered_share(counts),
        majority=share(sum(2 * given > persons for given, persons in counts), len(counts)),
        by_person={
            person: share(labelled(judgements.values()), len(judgements)) for person, judgements in answered.items()
        },
        adjudicated=share(labelled(adjudicated), len(adjudicated)),
        agreement=agreement(answered, lambda judgement: label in judgement.phenomena),
    )


# ---- adjudication ----------------------------------------------------------------------------------------------------


class Case(NamedTuple):
    """A problem to adjudicate: people differ, nobody chose the key, or somebody marked a fault."""

    problem: SheetProblem
    reasons: tuple[str, ...]
    judgements: tuple[Judgement, ...]
    decided: Judgement | None


def cases(judged: Judged) -> Iterator[Case]:
    """The problems to adjudicate, in the order of the sheet."""
    decided = {judgement.problem: judgement for judgement in judged.adjudicated}
    for problem in judged.problems:
        judgements = tuple(judgement for judgement in judged.judgements if judgement.problem == problem.id)
        reasons = reasons_to_adjudicate(problem, judgements, judged.sheet.task)
        if reasons:
            yield Case(problem, reasons, judgements, decided.get(problem.id))


def _disagreement(case: Case, task: Task) -> scores.Disagreement:
    problem, said = case.problem, case.judgements
    return scores.Disagreement(
        number=problem.number,
        id=problem.id,
        reasons=case.reasons,
        key=problem.choices[problem.answer],
        answers={judgement.person: _answer(task, problem, judgement) for judgement in said if judgement.answered},
        faults={judgement.person: judgement.faults for judgement in said if judgement.faults},
        notes={judgement.person: judgement.note for judgement in said if judgement.note},
        adjudicated=_answer(task, problem, case.decided) if case.decided else None,
    )


def reasons_to_adjudicate(problem: SheetProblem, judgements: Sequence[Judgement], task: Task) -> tuple[str, ...]:
    """Why a problem should be adjudicated, from everything that people said of it; empty if there is no reason."""
    answered = [judgement for judgement in judgements if judgement.answered]
    labels = {frozenset(given.phenomena) if task == "phenomena" else given.answer for given in answered}
    reasons = {
        "people differ": len(labels) > 1,
        "nobody chose the key": task == "answer" and bool(answered) and problem.answer not in labels,
        "marked as faulty": any(judgement.faults for judgement in judgements),
    }
    return tuple(reason for reason, holds in reasons.items() if holds)


def _answer(task: Task, problem: SheetProblem, judgement: Judgement) -> str:
    """A choice, or labels; `cannot tell` without either."""
    if task == "phenomena":
        return ", ".join(judgement.phenomena) or CANNOT_TELL
    return CANNOT_TELL if judgement.answer is None else problem.choices[judgement.answer]


def _adjudication_score(judged: Judged, answered: ByPerson) -> scores.AdjudicationScore:
    """The score of the key and of the persons by the adjudicator's answers. At least one problem must be adjudicated."""
    key = {problem.id: problem.answer for problem in judged.problems}
    decided = {judgement.problem: judgement.answer for judgement in judged.adjudicated}
    right = sum(answer == key[problem] for problem, answer in decided.items())
    undecidable = sum(answer is None for answer in decided.values())
    # The problems with the adjudicator's answers as the key, without the undecidable ones.
    problems = [
        _with_key(problem, answer)
        for problem in judged.problems
        for answer in (decided.get(problem.id, problem.answer),)
        if answer is not None
    ]
    return scores.AdjudicationScore(
        key_right=share(right, len(decided)),
        key_wrong=share(len(decided) - right - undecidable, len(decided)),
        undecidable=share(undecidable, len(decided)),
        accuracy=_accuracy(problems, _by_problem(answered)),
        by_person={
            person: _accuracy(problems, _by_problem({person: judgements})) for person, judgements in answered.items()
        },
    )
