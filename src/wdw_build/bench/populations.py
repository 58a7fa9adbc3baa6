"""The problems before and after suppression, a random control of the size of the latter, and their folds by event."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wdw_build.bench.training import labelled_problems
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.store.output import Output
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.reading import LabelledProblem
from wdw_build.reading.folds import event_folds, problem_events
from wdw_build.text.passages.connections import event_evidence

BEFORE, AFTER, CONTROL = "before", "after", "control"


@dataclass(frozen=True)
class Population:
    """``LabelledProblems`` of one population under one condition, read from disk in every pass."""

    outputs: tuple[Output, ...]
    ids: frozenset[str]

    def __iter__(self) -> Iterator[LabelledProblem]:
        return (problem for problem in labelled_problems(self.outputs) if problem.id in self.ids)

    def __len__(self) -> int:
        return len(self.ids)


def members(outputs: Sequence[Output], seed: int) -> dict[str, frozenset[str]]:
    """The ids of each population of the pooled problems.

    ``before`` has every problem, ``after`` the strict problems of the dataset. ``control`` is a random subset of ``before``
    with as many problems of each number of choices as ``after``.
    """
    sizes = {labelled.id: (len(labelled.problem.choices), labelled.level) for labelled in labelled_problems(outputs)}
    after = frozenset(name for name, (_, level) in sizes.items() if level == "strict")
    wanted = Counter(sizes[name][0] for name in after)
    by_size: defaultdict[int, list[str]] = defaultdict(list)
    for name in sorted(sizes, key=lambda name: (uniform_hash(seed, "bench-control", name), name)):
        by_size[sizes[name][0]].append(name)
    control = frozenset(name for size, count in wanted.items() for name in by_size[size][:count])
    return {BEFORE: frozenset(sizes), AFTER: after, CONTROL: control}


def population_folds(
    runs: Sequence[Run], of_populations: Mapping[str, frozenset[str]], count: int, seed: int
) -> dict[str, dict[str, int]]:
    """Population -> problem -> fold. Events are judged over all problems; each population is divided evenly.

    Raises ``UsageError`` if a population has fewer events than folds.
    """
    before = of_populations[BEFORE]
    evidence = (event_evidence(problem) for run in runs for problem in run.distinct_problems if problem.id in before)
    events = problem_events(evidence)
    folds = {}
    for population, ids in of_populations.items():
        events_of = {name: events[name] for name in sorted(ids)}
        if len(set(events_of.values())) < count:
            raise UsageError(
                f"the {len(ids)} problems {_described(population)} are about {len(set(events_of.values()))} events, "
                f"too few for {count} folds",
                hint="use fewer folds, a larger corpus, or --pool",
            )
        folds[population] = event_folds(events_of, count, seed)
    return folds


def _described(population: str) -> str:
    return "of the control" if population == CONTROL else f"{population} suppression"
