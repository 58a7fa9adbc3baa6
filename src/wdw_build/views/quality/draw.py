"""Which problems stand on a sheet, in which order, and the order of their choices: all by the seed and the ids alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

import msgspec

from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.records import BaselinePredictions, Problem, SplitAssignment
from wdw_build.views.quality.judgements import BLANK, KeyLine, SheetLine

SPLITS = ("train", "train.relaxed", "validation", "test")
_HASH_LETTERS = 16


def draw_sheet(
    outputs: Mapping[str, Output], count: int, seed: int, split: str = ""
) -> tuple[list[SheetLine], list[KeyLine]]:
    """The lines of a sheet and of its key; ``split`` is one of ``SPLITS``, or empty for all that is exported.

    Raises ``UsageError`` if there are fewer problems than asked for.
    """
    placed = sorted(
        (one for one in cast(Iterator[SplitAssignment], outputs["split"].records()) if _within(one, split)),
        key=lambda one: (uniform_hash(seed, "quality", one.id), one.id),
    )
    if len(placed) < count:
        raise UsageError(
            f"{count} problems asked for, {split or 'the export'} has {len(placed)}",
            hint=f"wdw-build quality --sample {len(placed)}" if placed else "wdw-build summary  shows the splits",
        )
    pairs = [_lines(number, one, seed, outputs) for number, one in enumerate(placed[:count], 1)]
    name = digest([(line.number, line.question, line.passage, line.choices) for line, _ in pairs])[:_HASH_LETTERS]
    return (
        [msgspec.structs.replace(line, sheet=name) for line, _ in pairs],
        [msgspec.structs.replace(key, sheet=name) for _, key in pairs],
    )


def _within(placed: SplitAssignment, split: str) -> bool:
    if split == "train.relaxed":
        return placed.split == "train"
    return not split or (placed.split == split and placed.level == "strict")


def _lines(number: int, placed: SplitAssignment, seed: int, outputs: Mapping[str, Output]) -> tuple[SheetLine, KeyLine]:
    problem = cast(Problem, outputs["dedup"].find(placed.id))
    guesses = cast(BaselinePredictions, outputs["baselines"].find(placed.id))
    order = sorted(
        range(len(problem.choices)), key=lambda at: (uniform_hash(seed, "quality-choice", f"{placed.id} {at}"), at)
    )
    choices = tuple(problem.choices[at].name for at in order)
    question = problem.question
    line = SheetLine(
        sheet="",
        number=number,
        question=f"{question.left}{BLANK}{question.right}",
        passage=problem.passage.text,
        choices=choices,
    )
    key = KeyLine(
        sheet="",
        number=number,
        id=placed.id,
        split=placed.split,
        level=placed.level,
        choices=choices,
        order=tuple(order),
        answer=order.index(problem.answer),
        guesses={name: order.index(guess) for name, guess in guesses.guesses.items()},
    )
    return line, key
