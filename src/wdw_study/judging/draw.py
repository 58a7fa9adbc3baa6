"""Draws a sheet from a complete run. Problems and orders depend only on the options and the run.

The draw is stratified by part of the dataset with proportional allocation: each part gets its share of the sheet, rounded by
largest remainder (Hamilton's method), and within a part the problems with the lowest hashes are drawn. A reader who remembers
an article needs no passage for another problem about it, so a problem that shares an article with an earlier one is drawn
only if there are no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, get_args

import msgspec

from wdw_build.api import JoinedProblem, Run, UsageError, hash_order, renamed, uniform_hash
from wdw_build.reading.settings import Condition, has_passage, replaces_names
from wdw_study.folder import items_hash
from wdw_study.judging.sheets import Sheet, SheetProblem, Task

BEFORE = "before"
SUPPRESSED = "suppressed"


class DrawOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to draw; the fields of ``Sheet`` of the same names describe them."""

    problems: int = 100
    """At most so many: all problems are drawn if there are fewer."""
    seed: int = 0
    source: str = ""
    condition: Condition = "passage"
    task: Task = "answer"

    @property
    def name(self) -> str:
        """The sheet's name, such as `100-seed-0-passage`: different options have different names."""
        task = "" if self.task == "answer" else self.task
        parts = [str(self.problems), "seed", str(self.seed), self.condition, self.source, task]
        return "-".join(filter(None, parts))


class _Offered(NamedTuple):
    """What the draw knows of a problem."""

    id: str
    part: str
    articles: frozenset[str]
    """The articles of its question and its passage."""


def draw_sheet(run: Run, options: DrawOptions) -> tuple[Sheet, list[SheetProblem]]:
    """The sheet and its problems in their order, which is the same for every person.

    Raises ``UsageError`` if there are no problems, or an option is unknown.
    """
    _check(options)
    offered = [
        _Offered(joined.id, joined.part or SUPPRESSED, frozenset((joined.id, joined.problem.passage.article)))
        for joined in _eligible(run, options)
    ]
    options = _fitted(options, len(offered))
    drawn = draw_apart(offered, options.problems, options.seed)
    problems = [sheet_problem(run, number, record_id, options.condition) for number, record_id in enumerate(drawn, 1)]
    sheet = Sheet(name=options.name, hash=items_hash(problems), run=run.name, **msgspec.structs.asdict(options))
    return sheet, problems


def choice_order(seed: int, person: str, problem: SheetProblem) -> tuple[int, ...]:
    """The order in which a person sees the choices, as indices into ``problem.choices``; it differs by person."""
    keys = (f"{problem.id} {index}" for index in range(len(problem.choices)))
    return tuple(hash_order(seed, f"annotate-choice\x1f{person.casefold()}", keys))


def allocate(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """The problems that each part gets of ``count``: proportional to its size, by largest remainder; ties by name."""
    total = sum(sizes.values())
    shares = {part: divmod(count * size, total) for part, size in sizes.items()}
    left = count - sum(whole for whole, _ in shares.values())
    first = sorted(shares, key=lambda part: (-shares[part][1], part))[:left]
    return {part: whole + 1 if part in first else whole for part, (whole, _) in shares.items()}


def draw_apart(offered: Iterable[_Offered], count: int, seed: int) -> list[str]:
    """Ids of the drawn problems: first those that share no article with earlier ones, then what is missing of each part."""
    hashed = sorted((uniform_hash(seed, "annotate", candidate.id), candidate) for candidate in offered)
    left, seen = allocate(Counter(candidate.part for _, candidate in hashed), count), set[str]()
    apart, others = list[str](), list[_Offered]()
    for _, candidate in hashed:
        if left[candidate.part] and seen.isdisjoint(candidate.articles):
            apart.append(candidate.id)
            left[candidate.part] -= 1
            seen |= candidate.articles
        else:
            others.append(candidate)
    for candidate in others:
        if left[candidate.part]:
            apart.append(candidate.id)
            left[candidate.part] -= 1
    return apart


def _check(options: DrawOptions) -> None:
    if options.condition not in get_args(Condition):
        known = ", ".join(get_args(Condition))
        raise UsageError(f"there is no condition {options.condition!r}", hint=f"--condition takes {known}")
    if options.task == "phenomena" and not has_passage(options.condition):
        raise UsageError("the task phenomena needs a condition with a passage", hint="--condition passage or codes")


def _eligible(run: Run, options: DrawOptions) -> Iterator[JoinedProblem]:
    """The problems of the source; with codes, those whose names can be replaced."""
    problems = run.joined_problems() if options.source == BEFORE else run.problems(options.source)
    if not replaces_names(options.condition):
        return problems
    replaceable = {pseudonyms.id for pseudonyms in run.pseudonyms}
    return (joined for joined in problems if joined.id in replaceable)


def _fitted(options: DrawOptions, offered: int) -> DrawOptions:
    """The options with the number of problems that is drawn. Raises ``UsageError`` if there are none."""
    if not offered:
        such = " whose names can be replaced" if replaces_names(options.condition) else ""
        raise UsageError(
            f"{options.source or 'the dataset'} has no problem{such}", hint="wdw-build summary shows the splits"
        )
    return msgspec.structs.replace(options, problems=min(options.problems, offered))


def sheet_problem(run: Run, number: int, record_id: str, condition: Condition) -> SheetProblem:
    """A problem of the run, in the form of a sheet. Raises ``LookupError`` if the run does not have it, or not its codes."""
    joined = run.problem(record_id)
    if joined is None:
        raise LookupError(record_id)
    problem = joined.problem
    if replaces_names(condition):
        problem = renamed(problem, run.pseudonyms[record_id])
    passage, is_read = problem.passage, has_passage(condition)
    return SheetProblem(
        number=number,
        id=record_id,
        question=problem.question.blanked,
        blank=len(problem.question.left),
        passage=passage.text if is_read else "",
        title=passage.title if is_read else "",
        date=str(passage.date) if is_read else "",
        choices=tuple(choice.name for choice in problem.choices),
        answer=problem.answer,
        split=joined.assignment.split if joined.assignment else "",
        level=joined.assignment.level if joined.assignment else SUPPRESSED,
        guesses=joined.predictions.guesses if joined.predictions else {},
    )
