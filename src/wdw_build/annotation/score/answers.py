"""What all persons together answered: accuracy, majority, agreement, and the baselines on the same problems."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from wdw_build.annotation.score.agreements import ByPerson, agreement
from wdw_build.annotation.score.records import AnswerScore, BaselineScore, GroupScore, Share
from wdw_build.annotation.score.shares import clustered_share, share
from wdw_build.annotation.sheets import Judged, Judgement, SheetProblem

# Problem -> what each person said of it.
ByProblem = Mapping[str, Sequence[Judgement]]
_NO_GUESS = "-"


def answer_score(judged: Judged, answered: ByPerson) -> AnswerScore:
    """The score of all persons on the task ``answer``. ``answered`` has one person at least."""
    by_problem = by_problem_of(answered)
    problems = [problem for problem in judged.problems if problem.id in by_problem]
    votes = [
        (problem.answer, Counter(given.answer for given in by_problem[problem.id]))
        for problem in problems
        if len(by_problem[problem.id]) > 1
    ]
    names = list(dict.fromkeys(name for problem in judged.problems for name in problem.guesses))
    return AnswerScore(
        problems=len(by_problem),
        accuracy=accuracy(problems, by_problem),
        majority=share(sum(2 * counts[key] > counts.total() for key, counts in votes), len(votes)),
        no_majority=sum(2 * max(counts.values()) <= counts.total() for _, counts in votes),
        chance=_chance(problems),
        agreement=agreement(answered, lambda given: given.answer),
        baselines={name: _baseline(name, problems, by_problem) for name in names},
        groups=tuple(_groups(judged, by_problem, names)),
    )


def by_problem_of(answered: ByPerson) -> dict[str, list[Judgement]]:
    """The judgements of each problem."""
    by_problem: dict[str, list[Judgement]] = {}
    for judgements in answered.values():
        for judgement in judgements.values():
            by_problem.setdefault(judgement.problem, []).append(judgement)
    return by_problem


def accuracy(problems: Iterable[SheetProblem], by_problem: ByProblem) -> Share:
    """The share of right answers among all judgements of some problems."""
    return clustered_share(
        (sum(given.answer == problem.answer for given in judgements), len(judgements))
        for problem in problems
        for judgements in (by_problem.get(problem.id, ()),)
    )


def _chance(problems: Sequence[SheetProblem]) -> float:
    return round(statistics.fmean(1 / len(problem.choices) for problem in problems), 4)


def _baseline(name: str, problems: Sequence[SheetProblem], by_problem: ByProblem) -> BaselineScore:
    guessed = [problem for problem in problems if name in problem.guesses]
    decided = [
        (problem, [given for given in by_problem[problem.id] if given.answer is not None]) for problem in guessed
    ]
    return BaselineScore(
        accuracy=share(sum(problem.guesses[name] == problem.answer for problem in guessed), len(guessed)),
        agreement=clustered_share(
            (sum(given.answer == problem.guesses[name] for given in judgements), len(judgements))
            for problem, judgements in decided
        ),
    )


def _groups(judged: Judged, by_problem: ByProblem, names: Sequence[str]) -> Iterable[GroupScore]:
    """The groups of each field, by value; only problems that somebody answered count."""
    fields: dict[str, Callable[[SheetProblem], str]] = {
        "choices": lambda problem: str(len(problem.choices)),
        "pattern": lambda problem: _pattern(problem, names),
        "split": lambda problem: problem.split,
        "level": lambda problem: problem.level,
    }
    if judged.sheet.twins is not None:
        fields["twin"] = lambda problem: "yes" if problem.twins else "no"
    strata = enumerate(judged.sheet.strata)
    fields |= {field: partial(_stratum, place) for place, field in strata if field not in fields}
    for field, value_of in fields.items():
        members: dict[str, list[SheetProblem]] = {}
        for problem in judged.problems:
            if problem.id in by_problem:
                members.setdefault(value_of(problem), []).append(problem)
        for value, group in sorted(members.items(), key=lambda pair: _rank(pair[0])):
            yield GroupScore(
                field=field,
                value=value,
                problems=len(group),
                accuracy=accuracy(group, by_problem),
                chance=_chance(group),
            )


def _rank(value: str) -> tuple[int, str]:
    """The place of a value in its field: numbers by size, then words."""
    return (int(value) if value.isdecimal() else 0, value)


def _stratum(place: int, problem: SheetProblem) -> str:
    return problem.strata[place] if place < len(problem.strata) else ""


def pattern_legend(scored: AnswerScore) -> str:
    """Which digit of a pattern is which baseline; empty without baselines."""
    return f"pattern: {', '.join(scored.baselines)}; 1: solved" if scored.baselines else ""


def _pattern(problem: SheetProblem, names: Sequence[str]) -> str:
    """A digit for each baseline, as in the cells of suppression: 1 if it solves the problem, 0 if not, - without a guess."""
    guesses = problem.guesses
    return "".join(str(int(guesses[name] == problem.answer)) if name in guesses else _NO_GUESS for name in names)
