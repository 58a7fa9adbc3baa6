"""What every check is given: the run, with outputs that several checks need and the selected problems; and its recorder.

A check is a function. Its name is the name of the check, with hyphens; its docstring is the promise that it checks.
Nothing here follows a rule of the pipeline: predictions become cells, and mentions become scores, a second time.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import msgspec

from wdw_build.core.config.settings import Config, ExportConfig, SplitConfig
from wdw_build.records import (
    AdversaryPredictions,
    BaselinePredictions,
    Predictions,
    Problem,
    Pseudonyms,
    SplitAssignment,
    SuppressionDecision,
)
from wdw_build.verify.run_files import RecordsById, RunFiles

AnyCheck = Callable[..., Any]
_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 400
_BASELINES = ("first-person", "most-frequent", "ngram", "unigram")
_OPTIONAL = ("ngram", "unigram")
NOT_COUNTED = "-"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check. ``examples`` are the first failures: the id and the fault."""

    name: str
    promise: str
    checked: int
    failures: int
    examples: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The results of all checks, in the order of ``PROMISES``."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return not any(check.failures for check in self.checks)


def name_of(check: AnyCheck) -> str:
    """The name of a check."""
    return check.__name__.replace("_", "-")


def promise_of(check: AnyCheck) -> str:
    """The promise of a check."""
    return " ".join((check.__doc__ or "").split())


class Recorder:
    """Counts the items and the failures of one check."""

    def __init__(self) -> None:
        self._checked = self._failures = 0
        self._examples: list[str] = []

    def count(self, count: int = 1) -> None:
        """Record that ``count`` more items were checked."""
        self._checked += count

    def fail(self, place: str, fault: str) -> None:
        """Record a failure; ``place`` is an id or a file."""
        self._failures += 1
        if len(self._examples) < _EXAMPLES:
            self._examples.append(f"{place}: {fault}"[:_EXAMPLE_CHARACTERS])

    def result(self, check: AnyCheck) -> Check:
        """The result of a check so far."""
        return Check(
            name=name_of(check),
            promise=promise_of(check),
            checked=self._checked,
            failures=self._failures,
            examples=tuple(self._examples),
        )


def held_out_number(problems: int, config: SplitConfig) -> int:
    """How many of some problems are held out: a third is left for training, and one problem alone is not held out."""
    size = min(config.held_out, int(config.max_share * problems), problems - math.ceil(problems / 3))
    return size if size > 1 else 0


def each(record: BaselinePredictions) -> tuple[BaselinePredictions | Predictions, ...]:
    """The predictions for each alternative, in order."""
    return (record, *record.others)


def mention_scores(problem: Problem) -> dict[str, tuple[float, ...]]:
    """The scores of the two baselines that use the mentions only: an earlier first mention or more mentions score higher."""
    return {
        "first-person": tuple(
            -float(min((span.start for span in choice.mentions), default=0)) for choice in problem.choices
        ),
        "most-frequent": tuple(float(len(choice.mentions)) for choice in problem.choices),
    }


class Selected(NamedTuple):
    """A selected problem.

    ``cell``: a digit for each baseline and adversary: 1 if it solves the problem, - if its bound does not count the problem.
    ``places``: the place of the answer, from 0, by first mention and by number of mentions.
    """

    id: str
    strict: bool
    cell: str
    choices: int
    places: tuple[int, ...]
    passage: str
    answer: str


class CheckedRun:
    """The files and the configuration of a run. ``export_folder``: the folder whose exported files are read."""

    def __init__(self, files: RunFiles, config: Config) -> None:
        self.files, self.config, self.export_folder = files, config, "export"

    def with_export(self, folder: str, export: ExportConfig, seed: int) -> CheckedRun:
        """The same run with the exported files in another folder of it, and the settings that they were made with."""
        other = copy.copy(self)
        other.config = msgspec.structs.replace(self.config, seed=seed, export=export)
        other.export_folder = folder
        other.__dict__.pop("exported", None)
        return other

    @cached_property
    def predictions(self) -> dict[str, AdversaryPredictions]:
        """The predictions of baselines and adversaries by id."""
        return {record.id: record for record in self.files.records("adversary", AdversaryPredictions)}

    @cached_property
    def baselines(self) -> tuple[str, ...]:
        """The baselines that the configuration uses, in the order in which records have them."""
        left_out = set(_OPTIONAL) - set(self.config.baselines.use)
        return tuple(name for name in _BASELINES if name not in left_out)

    @cached_property
    def predictors(self) -> tuple[str, ...]:
        """The baselines, then the adversaries in the order of the configuration, as the first article has them."""
        first = next(iter(self.predictions.values()), None)
        return (*self.baselines, *(tuple(first.guesses)[len(self.baselines) :] if first is not None else ()))

    @cached_property
    def decisions(self) -> dict[str, SuppressionDecision]:
        """The decisions of suppression by id."""
        return {decision.id: decision for decision in self.files.records("suppress", SuppressionDecision)}

    @cached_property
    def selected(self) -> dict[str, Selected]:
        """The selected problems by id, without those that have no predictions."""
        return {
            problem.id: selected
            for problem in self.files.records("problems", Problem)
            if problem.id in self.decisions and (selected := self._selected(problem))
        }

    def predicted(self, problem: Problem) -> BaselinePredictions | Predictions | None:
        """The predictions for a problem; None if there are none for its alternative."""
        predictions = self.predictions.get(problem.id)
        alternatives = each(predictions) if predictions else ()
        return alternatives[problem.alternative] if 0 <= problem.alternative < len(alternatives) else None

    def _selected(self, problem: Problem) -> Selected | None:
        predicted = self.predicted(problem)
        if predicted is None:
            return None
        guesses, unbounded = predicted.guesses, self.predictions[problem.id].unbounded
        digits = (
            NOT_COUNTED if name in unbounded else "1" if guesses.get(name) == problem.answer else "0"
            for name in self.predictors
        )
        places, has_answer = [], 0 <= problem.answer < len(problem.choices)
        for scores in mention_scores(problem).values():
            order = sorted(range(len(scores)), key=lambda index: (-scores[index], index))
            places.append(order.index(problem.answer) if has_answer else -1)
        return Selected(
            id=problem.id,
            strict=self.decisions[problem.id].strict,
            cell="".join(digits),
            choices=len(problem.choices),
            places=tuple(places),
            passage=problem.passage.article,
            answer=problem.choices[problem.answer].name if has_answer else "",
        )

    @cached_property
    def placed(self) -> dict[str, SplitAssignment]:
        """The placement of each problem by its id."""
        return {assignment.id: assignment for assignment in self.files.records("split", SplitAssignment)}

    @cached_property
    def problems(self) -> RecordsById[Problem]:
        """The problems that are placed, by id."""
        return RecordsById(self.files, "problems", Problem, self.placed)

    @cached_property
    def pseudonyms(self) -> RecordsById[Pseudonyms]:
        """The pseudonyms of the problems that are placed, by id."""
        return RecordsById(self.files, "pseudonyms", Pseudonyms, self.placed)

    @cached_property
    def exported(self) -> dict[str, SplitAssignment]:
        """The placements of the problems that the export contains."""
        export, left_out = self.config.export, set[str]()
        if export.min_event_score:
            left_out.update(
                problem.id
                for problem in self.files.records("problems", Problem)
                if problem.event_score is None or problem.event_score < export.min_event_score
            )
        if export.names != "original":
            left_out.update(self.placed.keys() - set(self.files.ids("pseudonyms")))
        return {name: place for name, place in self.placed.items() if name not in left_out}
