"""A sheet: problems drawn for people, what people may see of them, their key, and what people answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from wdw_build.core.config.bench_settings import Condition
from wdw_build.reading.conditions import has_passage

CANNOT_TELL = "cannot tell"
# Faults of a problem; a person ticks any number of them.
FAULTS: dict[str, str] = {
    "wrong-span": "the blank is too long or too short, or cuts a phrase",
    "not-a-person": "a choice or the deleted phrase is not a person",
    "same-person-twice": "two choices are the same person",
    "two-answers": "two choices are right",
    "given-away": "the question and choices give the answer away without the passage",
    "other-event": "the passage is about something else",
    "no-story": "most of the passage is not a news story: a list, a round-up, a table",
    "broken-text": "the question or the passage is damaged",
}
_FAULTS_OF_PASSAGES = ("other-event", "no-story")
# What finding the answer takes (QUOREF, Dasigi et al. 2019, Table 2, and the case without coreference).
PHENOMENA: dict[str, str] = {
    "named": "the decisive sentence names the person: no coreference is needed",
    "pronominal": "a pronoun must be resolved to the person",
    "nominal": "a description, such as a title or a role, must be resolved to the person",
    "multiple": "more than one pronoun or description must be resolved",
    "commonsense": "knowledge of the world must be used",
}
Task = Literal["answer", "phenomena"]


def offered_faults(with_passage: bool) -> dict[str, str]:
    """The faults that a problem can be marked with: all, or those that do not need the passage."""
    return {label: text for label, text in FAULTS.items() if with_passage or label not in _FAULTS_OF_PASSAGES}


class SheetProblem(msgspec.Struct, frozen=True, kw_only=True):
    """A problem of a sheet with its key: a line of ``problems.jsonl``. Only ``shown`` leaves the server for annotators."""

    number: int
    """Place on the sheet, from 1."""
    id: str
    """Id of the problem."""
    question: str
    """The sentence with `XXX` for the deleted phrase, with the names of the sheet's condition."""
    passage: str
    """Text of the passage; empty if the sheet's condition has none."""
    choices: tuple[str, ...]
    """The names in the order of the problem."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    split: str
    """`train`, `validation` or `test`; empty for a problem that suppression dropped."""
    level: str
    """`strict`, `relaxed` or `suppressed`."""
    guesses: dict[str, int]
    """Baseline or adversary -> index of its prediction in `choices`."""
    strata: tuple[str, ...] = ()
    """The problem's values of the sheet's `strata`."""
    twins: tuple[int, ...] | None = None
    """Numbers of the problems of the sheet that tell its answer, whose answer it tells, or that have its passage; null if
    the sheet was drawn without looking for them."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """What a sheet was drawn with: ``sheet.json``."""

    name: str
    """Name of the sheet's folder."""
    hash: str
    """Hash of name, task, condition and problems."""
    run: str
    """Name of the run."""
    task: Task
    """`answer`: choose the person; `phenomena`: say what finding the given answer takes."""
    condition: Condition
    """What people read."""
    seed: int
    """Seed of the draw."""
    source: str
    """Split that the problems were drawn from; empty: the dataset; `before`: also what suppression dropped."""
    strata: tuple[str, ...]
    """Fields by which the draw was stratified."""
    problems: int
    """Number of problems."""
    twins: int | None = None
    """Number of problems with a twin on the sheet; null if the sheet was drawn without looking for them."""

    @property
    def faults(self) -> dict[str, str]:
        """The faults that people may mark."""
        return offered_faults(has_passage(self.condition))


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one problem, after all changes and undos."""

    person: str
    """Name of the person."""
    problem: str
    """Id of the problem."""
    answer: int | None = None
    """Index of the answer in the choices of ``SheetProblem``; None: `cannot tell`, or no answer asked for."""
    answered: bool = False
    """Whether the person gave an answer (`cannot tell` is one), or labels for the task `phenomena`."""
    faults: tuple[str, ...] = ()
    """Labels of ``FAULTS``."""
    phenomena: tuple[str, ...] = ()
    """Labels of ``PHENOMENA``."""
    note: str = ""
    """Free text."""
    seconds: float | None = None
    """Time that the page of the problem was open and visible until the last answer; null if unknown."""


# Person -> problem -> what the person said, of answered problems.
ByPerson = Mapping[str, Mapping[str, Judgement]]


@dataclass(frozen=True)
class Judged:
    """A sheet with everything that people said of it: what a score is computed from."""

    sheet: Sheet
    """The sheet."""
    problems: Sequence[SheetProblem]
    """Its problems, in order."""
    judgements: Sequence[Judgement]
    """What people said, by person, then in the order of the problems."""
    adjudicated: Sequence[Judgement] = ()
    """What the adjudicator decided; her `answer` is the right one in her view, None if none is."""
    left_out: Sequence[str] = ()
    """People with judgements that do not count, and are not among `judgements`."""
    gold: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Person -> gold items of the study answered rightly, and answered."""

    @property
    def answered(self) -> ByPerson:
        """The judgements with an answer, by person and problem; persons by name, problems in the order of the sheet."""
        places = {problem.id: problem.number for problem in self.problems}
        by_person: dict[str, dict[str, Judgement]] = {}
        for judgement in sorted(self.judgements, key=lambda each: (each.person, places.get(each.problem, 0))):
            if judgement.answered:
                by_person.setdefault(judgement.person, {})[judgement.problem] = judgement
        return by_person
