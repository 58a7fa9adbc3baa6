"""What the tables must know of each evaluated problem: its populations, choices, answer, and the guesses of baselines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from wdw_build.bench.training import HELD_OUT, labelled_problems
from wdw_build.core.store.output import Output
from wdw_build.dataset import TRAIN
from wdw_build.errors import UsageError
from wdw_build.reading import LabelledProblem


class EvaluatedProblem(NamedTuple):
    """An evaluated problem. ``golds``: the forms of the answer's name in the passage.

    ``populations``: the populations that it belongs to, such as `test`, or `before` and `after`.
    """

    populations: frozenset[str]
    choices: tuple[str, ...]
    answer: int
    golds: tuple[str, ...]
    guesses: dict[str, int]


@dataclass
class EvaluatedProblems:
    """The evaluated problems by id, under one condition. ``counts``: the number of problems of each split."""

    populations: tuple[str, ...]
    problems: dict[str, EvaluatedProblem] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def of(self, population: str) -> Iterator[tuple[str, EvaluatedProblem]]:
        """(id, problem) of one population, in order."""
        return ((name, problem) for name, problem in self.problems.items() if population in problem.populations)

    @property
    def chance(self) -> dict[str, float]:
        """Population -> mean of 1 / number of choices; populations without problems are left out."""
        sizes = {name: [len(problem.choices) for _, problem in self.of(name)] for name in self.populations}
        return {name: sum(1 / size for size in found) / len(found) for name, found in sizes.items() if found}

    def add(self, labelled: LabelledProblem, populations: frozenset[str]) -> None:
        """Add a problem. Raises ``UsageError`` if two runs have a problem of the same id."""
        if labelled.id in self.problems:
            raise UsageError(
                f"two of the pooled runs have a problem {labelled.id!r}",
                hint="pool runs of different corpora, each once",
            )
        problem, answer = labelled.problem, labelled.problem.choices[labelled.answer]
        spans = problem.token_spans
        forms = (problem.passage[spans[first][0] : spans[last - 1][1]] for first, last in answer.mentions)
        self.problems[labelled.id] = EvaluatedProblem(
            populations=populations,
            choices=tuple(choice.name for choice in problem.choices),
            answer=labelled.answer,
            golds=tuple(dict.fromkeys((answer.name, *forms))),
            guesses=labelled.guesses,
        )


def read_held_out(outputs: Sequence[Output], *, relaxed: bool) -> EvaluatedProblems:
    """Read validation and test of the pooled problems. Raises ``UsageError`` if two runs have a problem of the same id."""
    held_out = EvaluatedProblems(HELD_OUT, counts=dict.fromkeys((TRAIN, *HELD_OUT), 0))
    for labelled in labelled_problems(outputs):
        is_training = labelled.split == TRAIN
        if labelled.level != "strict" and not (relaxed and labelled.level == "relaxed" and is_training):
            continue
        held_out.counts[labelled.split] += 1
        if not is_training:
            held_out.add(labelled, frozenset({labelled.split}))
    return held_out


def read_populations(outputs: Sequence[Output], members: Mapping[str, frozenset[str]]) -> EvaluatedProblems:
    """Read the pooled problems of some populations (name -> ids). Raises ``UsageError`` if two runs have the same id."""
    evaluated = EvaluatedProblems(tuple(members))
    for labelled in labelled_problems(outputs):
        populations = frozenset(name for name, ids in members.items() if labelled.id in ids)
        if populations:
            evaluated.add(labelled, populations)
    return evaluated
