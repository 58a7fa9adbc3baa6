"""Draws a sheet from a complete run. Problems and orders depend only on the options and the run.

The draw is stratified with proportional allocation: each stratum gets its share of the sheet, rounded by largest
remainder (Hamilton's method), and within a stratum the problems with the lowest hashes are drawn. A stratum whose share is
below one problem may get none.

Two problems are twins if one tells the answer of the other, or if both have the same passage (``similarity/leaks.py``). A
reader who remembers one of them needs no passage for the other, so that people on a sheet with both score too high. A twin
of an earlier problem is drawn only if there are no others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING

import msgspec

from wdw_build.annotation.sheet_folder import SheetFolder
from wdw_build.annotation.sheets import Sheet, SheetProblem, Task
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.dataset import SPLITS, JoinedProblem, Run
from wdw_build.errors import UsageError
from wdw_build.reading import BLANK
from wdw_build.reading.conditions import has_passage, names_of
from wdw_build.records import Problem
from wdw_build.text.pseudonyms.apply import renamed

if TYPE_CHECKING:
    from wdw_build.similarity.leaks import Sentences

BEFORE = "before"
SOURCES = (*SPLITS, BEFORE)
SUPPRESSED = "suppressed"
_HASH_LETTERS = 16
# Of each stratum at most this many times its share is compared.
_MOST_COMPARED = 16

Stratum = tuple[str, ...]
# Problem -> its twins; a problem without twins may be missing.
Twins = Mapping[str, Set[str]]


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
    strata: defaultdict[Stratum, list[str]] = defaultdict(list)
    for joined in _eligible(run, options):
        strata[tuple(STRATA[field](joined) for field in options.strata)].append(joined.id)
    options = _fitted(options, sum(map(len, strata.values())))
    shares = allocate({stratum: len(ids) for stratum, ids in strata.items()}, options.problems)

    def twins_of(ids: Iterable[str]) -> Twins:
        if sentences is None:
            return {}
        found = [problem for each in ids if (problem := run.distinct_problems.find(each)) is not None]
        return twins_among(found, sentences, run.assignments.settings.event_days)

    ids, twins = draw_apart(strata, shares, options.seed, twins_of)
    numbers = {record_id: number for number, record_id in enumerate(ids, 1)}
    problems = [
        msgspec.structs.replace(
            sheet_problem(run, number, record_id, options.condition, options.strata),
            twins=tuple(sorted(numbers[twin] for twin in twins[record_id])) if sentences else None,
        )
        for record_id, number in numbers.items()
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
        twins=sum(map(bool, twins.values())) if sentences else None,
    )
    return sheet, problems


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
    if options.task == "phenomena" and not has_passage(options.condition):
        raise UsageError("the task phenomena needs a condition with a passage", hint="--condition passage or codes")


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
    problem = joined.problem
    if names_of(condition) != "original":
        problem = renamed(problem, run.pseudonyms[record_id])
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
    """A hash of the sheet's name and of what people see; the key is a part of it only where they see the key.

    The name tells sheets of the same problems apart when answers are imported.
    """
    shown = [
        (problem.id, problem.question, problem.passage, problem.choices)
        + ((problem.answer,) if options.task == "phenomena" else ())
        for problem in problems
    ]
    return digest([options.name, options.task, options.condition, shown])[:_HASH_LETTERS]


def changed_problems(run: Run, folder: SheetFolder) -> int:
    """The number of problems of a sheet that the run no longer has, or has with another text, key or split."""
    return sum(_has_changed(run, folder, problem) for problem in folder.problems)


def _has_changed(run: Run, folder: SheetFolder, problem: SheetProblem) -> bool:
    try:
        now = sheet_problem(run, problem.number, problem.id, folder.sheet.condition, ())
    except LookupError:
        return True
    return now != msgspec.structs.replace(problem, guesses=now.guesses, strata=(), twins=None)


# ---- twins -----------------------------------------------------------------------------------------------------------


def twins_among(problems: Sequence[Problem], sentences: Sentences, days: int) -> Twins:
    """The twins among these problems; ``days``: the most days between two questions about one event."""
    # NumPy is slow to import, and pages of a sheet that is drawn need none.
    from wdw_build.similarity.leaks import questions_in_passages, told_answers

    found: defaultdict[str, set[str]] = defaultdict(set)
    for relation in (questions_in_passages(lambda: problems, sentences), told_answers(lambda: problems, days)):
        for leak in relation:
            found[leak.told].add(leak.teller)
            found[leak.teller].add(leak.told)
    by_passage: defaultdict[str, set[str]] = defaultdict(set)
    for problem in problems:
        by_passage[problem.passage.article].add(problem.id)
    for ids in by_passage.values():
        for record_id in ids:
            found[record_id] |= ids
    return {record_id: twins - {record_id} for record_id, twins in found.items()}


def draw_apart(
    strata: Mapping[Stratum, Iterable[str]],
    shares: Mapping[Stratum, int],
    seed: int,
    twins_of: Callable[[Iterable[str]], Twins],
) -> tuple[list[str], Twins]:
    """Draw the share of each stratum by lowest hash, without twins of problems drawn before as far as possible.

    Returns the drawn problems in the order of the sheet, and which of them are twins of each other. A twin is drawn only if
    its stratum has no other problem left, and comes last on the sheet. ``twins_of`` compares problems, which is slow, so it
    gets the first problems of each stratum by hash, at most 16 times its share.
    """
    hashes = {record_id: uniform_hash(seed, "annotate", record_id) for ids in strata.values() for record_id in ids}
    pool = []
    for stratum, ids in strata.items():
        by_hash = sorted(ids, key=lambda each: (hashes[each], each))
        pool += [(each, stratum) for each in by_hash[: _MOST_COMPARED * shares[stratum]]]
    pool.sort(key=lambda pair: (hashes[pair[0]], pair[0]))
    twins, left = twins_of([each for each, _ in pool]), Counter(shares)
    apart = _draw(pool, left, twins)
    drawn = apart + _draw([pair for pair in pool if pair[0] not in set(apart)], left, {})
    return drawn, {each: twins.get(each, frozenset()) & set(drawn) for each in drawn}


def _draw(pool: Sequence[tuple[str, Stratum]], left: Counter[Stratum], twins: Twins) -> list[str]:
    """The first problems of the pool that are no twins of earlier ones, as many as are left of each stratum."""
    drawn: dict[str, None] = {}
    for record_id, stratum in pool:
        if left[stratum] and twins.get(record_id, frozenset()).isdisjoint(drawn):
            drawn[record_id] = None
            left[stratum] -= 1
    return list(drawn)
