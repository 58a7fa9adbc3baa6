"""The problems that systems answer, and what the tables must know of each: populations, choices, answer, guesses.

The held-out evaluation has the populations validation and test. The cross-fitted one has a problem of every article that
reached suppression, the problems that suppression kept, and a random control of the size of the latter. ``bench --predictions
[CONDITION=]FILE`` gives the answers of somebody else's system to one of these populations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wdw_bench.conditions import PASSAGE
from wdw_build.api import TEST, TRAIN, VALIDATION, Run, UsageError, event_evidence, printable, uniform_hash
from wdw_build.reading import LabelledProblem, Prediction, adversaries
from wdw_build.reading.fitting import event_folds, problem_events
from wdw_build.reading.settings import Condition

HELD_OUT = (VALIDATION, TEST)
# Training problems with those that only the relaxed level has; and the training alternatives.
RELAXED, ALTERNATIVES = "train.relaxed", "train.alternatives"
ALL, AFTER, CONTROL = "all", "after", "control"


def split_of(labelled: LabelledProblem, *, relaxed: bool) -> str:
    """A problem's split; empty if no system reads it. ``relaxed``: systems are trained on the relaxed problems too."""
    is_used = labelled.level == "strict" or (relaxed and labelled.level == "relaxed" and labelled.split == TRAIN)
    return labelled.split if is_used else ""


class EvaluatedProblem(NamedTuple):
    """An evaluated problem. ``golds``: the forms of the answer's name in the passage.

    ``populations``: the populations that it belongs to, such as `test`, or `all` and `after`. ``draw``: a hash of seed
    and id, which decides ties in paired tests.
    """

    populations: frozenset[str]
    choices: tuple[str, ...]
    answer: int
    golds: tuple[str, ...]
    guesses: dict[str, int]
    draw: float = 0.0


@dataclass
class EvaluatedProblems:
    """The evaluated problems by id, under one condition. ``counts``: the number of problems of each split."""

    populations: tuple[str, ...]
    problems: dict[str, EvaluatedProblem] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    seed: int = 0
    condition: Condition = PASSAGE

    def of(self, population: str) -> Iterator[tuple[str, EvaluatedProblem]]:
        """(id, problem) of one population, in order."""
        return ((name, problem) for name, problem in self.problems.items() if population in problem.populations)

    @property
    def chance(self) -> dict[str, float]:
        """Population -> mean of 1 / number of choices; populations without problems are left out."""
        sizes = {name: [len(problem.choices) for _, problem in self.of(name)] for name in self.populations}
        return {name: sum(1 / count for count in counts) / len(counts) for name, counts in sizes.items() if counts}

    def add(self, labelled: LabelledProblem, populations: frozenset[str]) -> None:
        """Add a problem."""
        problem, answer = labelled.problem, labelled.problem.choices[labelled.answer]
        spans = problem.token_spans
        forms = (problem.passage[spans[first][0] : spans[last - 1][1]] for first, last in answer.mentions)
        self.problems[labelled.id] = EvaluatedProblem(
            populations=populations,
            choices=tuple(choice.name for choice in problem.choices),
            answer=labelled.answer,
            golds=tuple(dict.fromkeys((answer.name, *forms))),
            guesses=labelled.guesses,
            draw=uniform_hash(self.seed, "bench-tie", labelled.id),
        )


def read_held_out(problems: Iterable[LabelledProblem], condition: Condition, seed: int) -> EvaluatedProblems:
    """The problems of validation and test."""
    counts = dict.fromkeys((TRAIN, RELAXED, *HELD_OUT), 0)
    held_out = EvaluatedProblems(HELD_OUT, seed=seed, counts=counts, condition=condition)
    for labelled in problems:
        split = split_of(labelled, relaxed=True)
        if split == TRAIN:
            counts[RELAXED] += 1
            if labelled.level == "strict":
                counts[TRAIN] += 1
        elif split:
            counts[split] += 1
            held_out.add(labelled, frozenset({split}))
    return held_out


def read_populations(problems: Iterable[LabelledProblem], condition: Condition, seed: int) -> EvaluatedProblems:
    """All problems, in the population of all, in those after suppression, and in the control."""
    labelled_problems = list(problems)
    of_population = members(labelled_problems, seed)
    evaluated = EvaluatedProblems(tuple(of_population), seed=seed, condition=condition)
    for labelled in labelled_problems:
        evaluated.add(labelled, frozenset(name for name, ids in of_population.items() if labelled.id in ids))
    return evaluated


def members(problems: Iterable[LabelledProblem], seed: int) -> dict[str, frozenset[str]]:
    """The ids of each population.

    ``all`` has every problem, ``after`` the strict problems of the dataset. ``control`` is a random subset of ``all`` with as
    many problems of each number of choices as ``after``.
    """
    sizes = {labelled.id: (len(labelled.problem.choices), labelled.level) for labelled in problems}
    after = frozenset(name for name, (_, level) in sizes.items() if level == "strict")
    wanted = Counter(sizes[name][0] for name in after)
    by_size: defaultdict[int, list[str]] = defaultdict(list)
    for name in sorted(sizes, key=lambda name: (uniform_hash(seed, "bench-control", name), name)):
        by_size[sizes[name][0]].append(name)
    control = frozenset(name for size, count in wanted.items() for name in by_size[size][:count])
    return {ALL: frozenset(sizes), AFTER: after, CONTROL: control}


def population_folds(
    runs: Sequence[Run], evaluated: EvaluatedProblems, count: int, seed: int
) -> dict[str, dict[str, int]]:
    """Population -> problem -> fold. Events are judged over all problems; each population is divided evenly.

    Raises ``UsageError`` if a population has fewer events than folds.
    """
    problems = evaluated.problems
    evidence = (event_evidence(problem) for run in runs for problem in run.distinct_problems if problem.id in problems)
    events = problem_events(evidence)
    folds = {}
    for population in evaluated.populations:
        ids = sorted(name for name, _ in evaluated.of(population))
        events_of = {name: events[name] for name in ids}
        if len(set(events_of.values())) < count:
            raise UsageError(
                f"the {len(ids)} problems {_described(population)} are about {len(set(events_of.values()))} events, "
                f"too few for {count} folds",
                hint="use fewer folds or a larger corpus, or add runs with --pool",
            )
        folds[population] = event_folds(events_of, count, seed)
    return folds


def _described(population: str) -> str:
    return {ALL: "of all articles", AFTER: "after suppression"}.get(population, "of the control")


_HELD_OUT_IDS = "give one line to each problem of validation, of test, or of both; the export jsonl has their ids"
_IDS = "wdw-build bench --write-problems with the same --cross-fit and one of the --conditions writes the problems to answer"


class GivenFile(NamedTuple):
    """A file of predictions for problems that were shown under one condition."""

    path: Path
    condition: Condition = PASSAGE

    @property
    def name(self) -> str:
        """The system's name: the file's name without its ending, and without the condition at its end."""
        stem = self.path.stem
        name = stem.removesuffix(self.condition)
        return name.rstrip("-._ ") or stem if name != stem else stem


def read_predictions(file: GivenFile, evaluated: EvaluatedProblems) -> dict[str, Prediction]:
    """The predictions of a file by problem id.

    A split must be answered wholly or not at all; of cross-fitted problems, one population must be answered.

    Raises ``UsageError`` for a wrong line (see ``reading.adversaries``), and if a split or every population lacks a problem.
    """
    is_cross_fitted = ALL in evaluated.populations
    place = "one of the problems of all articles" if is_cross_fitted else "in validation or test"
    choices = {name: problem.choices for name, problem in evaluated.problems.items()}
    answers = adversaries.read_predictions(file.path, choices, place, _IDS if is_cross_fitted else _HELD_OUT_IDS)
    missing = {
        population: [name for name, _ in evaluated.of(population) if name not in answers]
        for population in evaluated.populations
    }
    if is_cross_fitted:
        if all(missing.values()):
            raise _unanswered(file.path, missing[ALL], len(choices), "", _IDS)
        return answers
    for split, names in missing.items():
        if names and len(names) < evaluated.counts[split]:
            hint = "answer every problem of a split, or no problem of it"
            raise _unanswered(file.path, names, evaluated.counts[split], f" of {split}", hint)
    return answers


def _unanswered(path: Path, missing: list[str], count: int, where: str, hint: str) -> UsageError:
    return UsageError(
        f"{path}: {len(missing)} of {count} problems{where} have no prediction, such as {printable(missing[0])!r}",
        hint=hint,
    )
