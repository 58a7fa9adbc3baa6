"""What the table must know of each problem of validation and test: split, choices, answer, baselines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wdw_build.bench.training import HELD_OUT, labelled_problems
from wdw_build.core.store.output import Output
from wdw_build.dataset import TRAIN
from wdw_build.errors import UsageError
from wdw_build.reading import LabelledProblem


class HeldOutProblem(NamedTuple):
    """A problem of validation or test. ``golds``: the forms of the answer's name in the passage."""

    split: str
    choices: tuple[str, ...]
    answer: int
    golds: tuple[str, ...]
    guesses: dict[str, int]


@dataclass
class HeldOut:
    """The problems of validation and test by id, and the number of problems of each split."""

    problems: dict[str, HeldOutProblem] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def of(self, split: str) -> Iterator[tuple[str, HeldOutProblem]]:
        """(id, problem) of one split, in order."""
        return ((name, problem) for name, problem in self.problems.items() if problem.split == split)

    @property
    def chance(self) -> dict[str, float]:
        """Split -> mean of 1 / number of choices; splits without problems are left out."""
        sizes = {split: [len(problem.choices) for _, problem in self.of(split)] for split in HELD_OUT}
        return {split: sum(1 / size for size in found) / len(found) for split, found in sizes.items() if found}


def read_held_out(outputs: Sequence[Output], *, relaxed: bool) -> HeldOut:
    """Read the pooled problems once. Raises ``UsageError`` if two runs have a problem of the same id."""
    held_out = HeldOut(counts=dict.fromkeys((TRAIN, *HELD_OUT), 0))
    for labelled in labelled_problems(outputs):
        is_training = labelled.split == TRAIN
        if labelled.level != "strict" and not (relaxed and is_training):
            continue
        held_out.counts[labelled.split] += 1
        if is_training:
            continue
        if labelled.id in held_out.problems:
            raise UsageError(
                f"two of the pooled runs have a problem {labelled.id!r}",
                hint="pool runs of different corpora, each once",
            )
        held_out.problems[labelled.id] = _held_out(labelled)
    return held_out


def _held_out(labelled: LabelledProblem) -> HeldOutProblem:
    problem, answer = labelled.problem, labelled.problem.choices[labelled.answer]
    spans = problem.token_spans
    forms = (problem.passage[spans[first][0] : spans[last - 1][1]] for first, last in answer.mentions)
    return HeldOutProblem(
        split=labelled.split,
        choices=tuple(choice.name for choice in problem.choices),
        answer=labelled.answer,
        golds=tuple(dict.fromkeys((answer.name, *forms))),
        guesses=labelled.guesses,
    )
