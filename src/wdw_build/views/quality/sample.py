"""Draws a sheet: the problems, their order and the order of the choices depend only on the seed and the ids."""

from __future__ import annotations

import msgspec

from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.dataset import HashSample, JoinedProblem, Run, splits_of
from wdw_build.errors import UsageError
from wdw_build.reading import BLANK
from wdw_build.views.quality.judgements import KeyLine, SheetLine

_HASH_LETTERS = 16


def draw_sheet(run: Run, count: int, seed: int, split: str = "") -> tuple[list[SheetLine], list[KeyLine]]:
    """The lines of a sheet and of its key: ``count`` problems from one of ``SPLITS`` or from the whole dataset.

    Raises ``UsageError`` if the split has fewer problems.
    """
    problems = _sample(run, count, seed, split)
    pairs = [_lines(number, joined, seed) for number, joined in enumerate(problems, 1)]
    name = digest([(line.number, line.question, line.passage, line.choices) for line, _ in pairs])[:_HASH_LETTERS]
    return (
        [msgspec.structs.replace(line, sheet=name) for line, _ in pairs],
        [msgspec.structs.replace(key, sheet=name) for _, key in pairs],
    )


def _sample(run: Run, count: int, seed: int, split: str) -> list[JoinedProblem]:
    sample = HashSample[str](count, seed, "quality")
    for assignment in run.assignments:
        if not split or split in splits_of(assignment):
            sample.offer(assignment.id, assignment.id)
    if sample.offered < count:
        raise UsageError(
            f"{split or 'the dataset'} has {sample.offered} problems, fewer than the {count} asked for",
            hint=f"wdw-build quality --sample {sample.offered}"
            if sample.offered
            else "wdw-build summary shows the splits",
        )
    problems = map(run.problem, sample.by_hash())
    return [joined for joined in problems if joined is not None]


def _lines(number: int, joined: JoinedProblem, seed: int) -> tuple[SheetLine, KeyLine]:
    problem, predictions, assignment = joined.problem, joined.predictions, joined.assignment
    order = sorted(
        range(len(problem.choices)),
        key=lambda index: (uniform_hash(seed, "quality-choice", f"{joined.id} {index}"), index),
    )
    choices = tuple(problem.choices[index].name for index in order)
    line = SheetLine(
        sheet="",
        number=number,
        question=f"{problem.question.left}{BLANK}{problem.question.right}",
        passage=problem.passage.text,
        choices=choices,
    )
    key = KeyLine(
        sheet="",
        number=number,
        id=joined.id,
        split=assignment.split if assignment else "",
        level=assignment.level if assignment else "",
        choices=choices,
        order=tuple(order),
        answer=order.index(problem.answer),
        guesses={name: order.index(guess) for name, guess in predictions.guesses.items()} if predictions else {},
    )
    return line, key
