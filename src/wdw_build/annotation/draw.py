"""Draws a sheet from a complete run. Problems and orders depend only on the options and the run.

The draw is stratified with proportional allocation: each stratum gets its share of the sheet, rounded by largest
remainder (Hamilton's method), and within a stratum the problems with the lowest hashes are drawn, twins of problems drawn
before only if there are no others (``twins.py``). A stratum whose share is below one problem may get none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from wdw_build.annotation.sheets import Sheet, SheetProblem, Task
from wdw_build.annotation.twins import Twins, draw_apart, twins_among
from wdw_build.bench.conditions import PASSAGE, has_passage, names_of
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.dataset import SPLITS, JoinedProblem, Run
from wdw_build.errors import UsageError
from wdw_build.reading import BLANK
from wdw_build.text.pseudonyms.apply import renamed

if TYPE_CHECKING:
    from wdw_build.similarity.leaks import Sentences

BEFORE = "before"
SOURCES = (*SPLITS, BEFORE)
SUPPRESSED = "suppressed"
_HASH_LETTERS = 16


def _pattern(joined: JoinedProblem) -> str:
    """A digit for each baseline and adversary: 1 if it solved the problem."""
    predictions = joined.predictions
    return "".join("01"[guess == predictions.answer] for guess in predictions.guesses.values()) if predictions else ""


# Field of --strata -> its value for a problem.
STRATA: Mapping[str, Callable[[JoinedProblem], str]] = {
    "part": lambda joined: joined.part or SUPPRESSED,
    "choices": lambda joined: str(len(joined.problem.choices)),
    "pattern": _pattern,
    "source": lambda joined: joined.problem.question.source,
    "window": lambda joined: str(joined.problem.window),
}
DEFAULT_STRATA = ("part",)


class DrawOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to draw; the fields of ``Sheet`` of the same names describe them."""

    problems: int = 100
    or_all: bool = False
    """Whether all problems are drawn if there are fewer."""
    seed: int = 0
    source: str = ""
    strata: tuple[str, ...] = DEFAULT_STRATA
    condition: Condition = "passage"
    task: Task = "answer"

    @property
    def name(self) -> str:
        """The sheet's name, such as `100-seed-0-passage`: different options have different names."""
        parts = [str(self.problems), "seed", str(self.seed), self.condition, self.source]
        parts.append("" if self.strata == DEFAULT_STRATA else f"by-{'-'.join(self.strata) or 'none'}")
        parts.append("" if self.task == "answer" else self.task)
        return "-".join(filter(None, parts))


def draw_sheet(run: Run, options: DrawOptions, sentences: Sentences | None = None) -> tuple[Sheet, list[SheetProblem]]:
    """The sheet and its problems in their order, which is the same for every person.

    ``sentences`` gives the sentences of a text; without it, twins are neither avoided nor known. Raises ``UsageError`` if
    there are fewer problems than asked for, or an option is unknown.
    """
    _check(options)
    strata: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for joined in _eligible(run, options):
        strata[tuple(STRATA[field](joined) for field in options.strata)].append(joined.id)
    options = _fitted(options, sum(map(len, strata.values())))
    shares = allocate({stratum: len(ids) for stratum, ids in strata.items()}, options.problems)
    drawn = draw_apart(strata, shares, options.seed, lambda ids: _twins(run, ids, sentences) if sentences else {})
    numbers = {record_id: number for number, record_id in enumerate(drawn.ids, 1)}
    problems = [
        sheet_problem(run, number, record_id, options.condition, options.strata)
        for record_id, number in numbers.items()
    ]
    if sentences:
        problems = [
            msgspec.structs.replace(problem, twins=tuple(sorted(numbers[twin] for twin in drawn.twins[problem.id])))
            for problem in problems
        ]
    sheet = Sheet(
        name=options.name,
        hash=_hash(options, problems),
        run=run.name,
        task=options.task,
        condition=options.condition,
        seed=options.seed,
        source=options.source,
        strata=options.strata,
        problems=len(problems),
        twins=sum(map(bool, drawn.twins.values())) if sentences else None,
    )
    return sheet, problems


def _twins(run: Run, ids: Iterable[str], sentences: Sentences) -> Twins:
    found = (run.distinct_problems.find(record_id) for record_id in ids)
    return twins_among([each for each in found if each is not None], sentences, run.assignments.settings.event_days)


def choice_order(seed: int, person: str, problem: SheetProblem) -> tuple[int, ...]:
    """The order in which a person sees the choices, as indices into ``problem.choices``; it differs by person."""
    drawn = {
        index: uniform_hash(seed, f"annotate-choice\x1f{person.casefold()}", f"{problem.id} {index}")
        for index in range(len(problem.choices))
    }
    return tuple(sorted(drawn, key=lambda index: (drawn[index], index)))


def allocate(sizes: Mapping[tuple[str, ...], int], count: int) -> dict[tuple[str, ...], int]:
    """The problems that each stratum gets of ``count``: proportional to its size, by largest remainder; ties by name."""
    total = sum(sizes.values())
    shares = {stratum: divmod(count * size, total) for stratum, size in sizes.items()}
    left = count - sum(whole for whole, _ in shares.values())
    first = sorted(shares, key=lambda stratum: (-shares[stratum][1], stratum))[:left]
    return {stratum: whole + (stratum in first) for stratum, (whole, _) in shares.items()}


def _check(options: DrawOptions) -> None:
    unknown = [field for field in options.strata if field not in STRATA]
    if unknown:
        raise UsageError(f"there is no stratum {unknown[0]!r}", hint=f"--strata takes {', '.join(STRATA)}")
    if options.source and options.source not in SOURCES:
        raise UsageError(f"there is no split {options.source!r}", hint=f"--from takes {', '.join(SOURCES)}")
    if options.task == "phenomena" and options.condition != PASSAGE:
        raise UsageError("the task phenomena needs the passage", hint="leave out --condition")


def _eligible(run: Run, options: DrawOptions) -> Iterator[JoinedProblem]:
    """The problems of the source; with replaced names, those whose names can be replaced."""
    problems = run.joined_problems() if options.source == BEFORE else run.problems(options.source)
    if names_of(options.condition) == "original":
        return problems
    replaceable = {pseudonyms.id for pseudonyms in run.pseudonyms}
    return (joined for joined in problems if joined.id in replaceable)


def _fitted(options: DrawOptions, offered: int) -> DrawOptions:
    """The options with the number of problems that is drawn. Raises ``UsageError`` if there are too few."""
    if offered >= options.problems:
        return options
    if options.or_all and offered:
        return msgspec.structs.replace(options, problems=offered)
    what = {"": "the dataset", BEFORE: "the run"}.get(options.source, options.source)
    such = " whose names can be replaced" if names_of(options.condition) != "original" else ""
    raise UsageError(
        f"{what} has {offered} problems{such}, fewer than the {options.problems} asked for",
        hint=f"--problems {offered}" if offered else "wdw-build summary shows the splits",
    )


def sheet_problem(run: Run, number: int, record_id: str, condition: Condition, strata: tuple[str, ...]) -> SheetProblem:
    """A problem of the run as a sheet holds it. Raises ``LookupError`` if the run does not have it, or not its new names."""
    joined = run.problem(record_id)
    if joined is None:
        raise LookupError(record_id)
    problem, names = joined.problem, names_of(condition)
    if names != "original":
        problem = renamed(problem, run.pseudonyms[record_id], names)
    return SheetProblem(
        number=number,
        id=record_id,
        question=f"{problem.question.left}{BLANK}{problem.question.right}",
        passage=problem.passage.text if has_passage(condition) else "",
        choices=tuple(choice.name for choice in problem.choices),
        answer=problem.answer,
        split=joined.assignment.split if joined.assignment else "",
        level=joined.assignment.level if joined.assignment else SUPPRESSED,
        guesses=joined.predictions.guesses if joined.predictions else {},
        strata=tuple(STRATA[field](joined) for field in strata),
    )


def _hash(options: DrawOptions, problems: list[SheetProblem]) -> str:
    """A hash of what people see; the key is a part of it only where they see the key."""
    shown = [
        (problem.id, problem.question, problem.passage, problem.choices)
        + ((problem.answer,) if options.task == "phenomena" else ())
        for problem in problems
    ]
    return digest([options.task, options.condition, shown])[:_HASH_LETTERS]
