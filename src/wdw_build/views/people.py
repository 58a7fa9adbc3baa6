"""Human performance beside the systems: the scores of a run's sheets, as rows of the tables and as sentences.

The scores are computed from the answers, and joined to the tables, when the tables are shown; ``bench.json`` has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from wdw_bench.rendering import HUMAN, interval, number
from wdw_bench.results import Accuracy, BenchResults, ConditionTable, Measurement, SystemResult
from wdw_build.annotation.score_records import ANY_FAULT, AnswerScore, Share, SheetScore
from wdw_build.annotation.sheet_draw import changed_problems
from wdw_build.annotation.sheet_folder import SheetFolder
from wdw_build.annotation.sheet_score import current_scores
from wdw_build.core.intervals import Interval
from wdw_build.dataset import TEST, VALIDATION, Run
from wdw_build.reading.conditions import PASSAGE
from wdw_build.views.table import Row, Table

PEOPLE = "people"
COMMAND = "wdw-build annotate score -c CONFIG"
# Section 4: human performance on 100 problems of the paper's test set.
_PAPER = 0.84
# Fewer problems than these say too little beside the hundreds of problems of systems.
FEWEST_PROBLEMS = 30
_SOURCES = {"": "all splits", "before": "before suppression"}


class PeopleResult(msgspec.Struct, frozen=True, kw_only=True):
    """Human performance on one sheet that at least one person has finished."""

    sheet: str
    """Name of the sheet."""
    condition: str
    """What people read."""
    source: str
    """Split that the problems were drawn from; empty: all splits; `before`: also what suppression dropped."""
    problems: int
    """Problems of the sheet."""
    changed: int
    """Problems of the sheet that the run has no longer, or has with another text, key or split. If there are any, the
    sheet's figures describe another dataset, and no table shows them."""
    persons: int
    """Number of persons who answered at least one problem."""
    finished: int
    """Persons who answered all problems."""
    accuracy: Accuracy
    """Right answers over judgements, with the interval of dependent judgements."""
    populations: dict[str, Accuracy]
    """Population of the tables (`validation`, `test`, `before`, `after`) -> accuracy on its problems."""
    kappa: float | None
    """Cohen's kappa of two persons; null for another number of persons, or if it is undefined."""
    alpha: float | None
    """Krippendorff's alpha; null for one person, or if it is undefined."""
    faults: dict[str, int]
    """Label of a fault -> problems that at least one person ticked."""
    disagreements: int
    """Problems on which people differ, of which nobody chose the key, or which somebody marked as faulty."""


def read_people(run: Run) -> tuple[PeopleResult, ...]:
    """Human performance on each sheet of the task `answer` that somebody has finished, by sheet."""
    return tuple(
        _result(run, folder, scored, scored.answers)
        for folder, scored in current_scores(run)
        if scored.answers is not None and any(person.complete for person in scored.persons)
    )


def _result(run: Run, folder: SheetFolder, scored: SheetScore, answers: AnswerScore) -> PeopleResult:
    pairs, sheet = answers.agreement.pairs, scored.sheet
    accuracy = _accuracy(answers.accuracy, answers.problems, answers.chance)
    return PeopleResult(
        sheet=sheet.name,
        condition=sheet.condition,
        source=sheet.source,
        problems=scored.problems,
        changed=changed_problems(run, folder),
        persons=len(scored.persons),
        finished=sum(person.complete for person in scored.persons),
        accuracy=accuracy,
        populations=dict(_populations(sheet.source, accuracy, answers)),
        kappa=pairs[0].kappa if len(pairs) == 1 else None,
        alpha=answers.agreement.alpha,
        faults={label: fault.problems for label, fault in scored.faults.items()},
        disagreements=len(scored.disagreements),
    )


def _populations(source: str, accuracy: Accuracy, answers: AnswerScore) -> Iterator[tuple[str, Accuracy]]:
    """(population, accuracy) of the populations that the sheet is a sample of."""
    if source in (VALIDATION, TEST, "before"):
        yield source, accuracy
    if source in ("", "before"):
        # The strict problems of the dataset.
        strict = (group for group in answers.groups if (group.field, group.value) == ("level", "strict"))
        yield from (("after", _accuracy(group.accuracy, group.problems, group.chance)) for group in strict)


def _accuracy(share: Share, problems: int, chance: float) -> Accuracy:
    return Accuracy(
        problems=problems,
        accuracy=share.share or 0.0,
        interval=Interval(*share.interval),
        seeds=(),
        seed_interval=None,
        chance=chance,
    )


# ---- rows ------------------------------------------------------------------------------------------------------------


def joined(table: BenchResults, people: Sequence[PeopleResult]) -> BenchResults:
    """The tables with rows of the group ``human``. A table of several runs gets none, because a sheet is of one run."""
    current = [result for result in people if not result.changed]
    if len(table.runs) != 1 or not current:
        return table
    readers = [result for result in current if result.condition == PASSAGE] if table.systems else []
    return msgspec.structs.replace(
        table,
        systems=(*table.systems, *_row(readers)),
        conditions=_with_measurements(table.conditions, current) if table.conditions is not None else None,
    )


def _row(people: Sequence[PeopleResult]) -> Iterator[SystemResult]:
    """The row of people in Table 4; none without a sheet whose readers saw the passage."""
    if people:
        yield SystemResult(
            name=PEOPLE,
            title="People",
            source=COMMAND,
            group=HUMAN,
            validation=_largest(people, VALIDATION),
            test=_largest(people, TEST),
            paper=_PAPER,
        )


def _with_measurements(table: ConditionTable, people: Sequence[PeopleResult]) -> ConditionTable:
    measurements = [
        Measurement(system=PEOPLE, group=HUMAN, condition=condition, population=population, accuracy=accuracy)
        for condition in table.conditions
        for population in table.populations
        for accuracy in (_largest([each for each in people if each.condition == condition], population),)
        if accuracy is not None and accuracy.problems >= FEWEST_PROBLEMS
    ]
    return msgspec.structs.replace(table, measurements=(*table.measurements, *measurements))


def _largest(people: Sequence[PeopleResult], population: str) -> Accuracy | None:
    """The accuracy on a population, from the sheet with the most problems of it; of equal ones the first."""
    accuracies = [result.populations[population] for result in people if population in result.populations]
    return max(accuracies, key=lambda accuracy: accuracy.problems, default=None)


# ---- sentences and figures of sheets ----------------------------------------------------------------------------------


def line(result: PeopleResult) -> str:
    """A line about a sheet: readers, problems, accuracy and agreement; or that it is stale."""
    if result.changed:
        return (
            f"human, sheet {result.sheet}: stale, because {result.changed:,} of its {result.problems:,} problems have "
            "changed or are no longer in the dataset"
        )
    count, source = result.persons, _SOURCES.get(result.source, result.source)
    persons = f"{count} person{'s' if count != 1 else ''}"
    agreement = (
        f", kappa {number(result.kappa)}" if count == 2 else f", alpha {number(result.alpha)}" if count > 2 else ""
    )
    if result.finished < count:
        persons += f" ({result.finished} finished)"
    return (
        f"human, sheet {result.sheet}: {persons}, {result.accuracy.problems:,} problems ({source}), "
        f"{result.condition}: {number(result.accuracy.accuracy)} (95% {interval(result.accuracy)}){agreement}"
        f"{_left_out(result)}"
    )


def _left_out(result: PeopleResult) -> str:
    """Which populations have too few problems of the sheet for the table of conditions."""
    few = [
        f"{population} ({accuracy.problems:,})"
        for population, accuracy in result.populations.items()
        if accuracy.problems < FEWEST_PROBLEMS
    ]
    return (
        f"; not in the table of conditions, with fewer than {FEWEST_PROBLEMS} problems: {', '.join(few)}" if few else ""
    )


def judged(people: Sequence[PeopleResult]) -> Table:
    """Faults and disagreements of each sheet whose problems are those of the run."""
    rows: list[Row] = []
    for result in people:
        if not result.changed:
            faults = ", ".join(f"{label} {count:,}" for label, count in result.faults.items() if label != ANY_FAULT)
            rows.append((result.sheet, result.faults.get(ANY_FAULT, 0), faults or "none", result.disagreements))
    return Table(("sheet", "problems with a fault", "faults", "disagreements"), rows, words=4)
