"""The score of a sheet: ``score.json``, and what ``annotate score --json`` prints.

The structs are docs/reference/schemas/sheet-score.json. Shares and coefficients lie in [0, 1] (alpha may be negative) and are
rounded to four decimals.
"""

from __future__ import annotations

import msgspec

from wdw_study.figures import Agreement, Share
from wdw_study.judging.sheets import Sheet


class PersonScore(msgspec.Struct, frozen=True, kw_only=True):
    """What one person answered. `cannot tell` counts as wrong."""

    person: str
    """Name of the person or the model."""
    answered: int
    """Problems answered; `cannot tell` is an answer."""
    complete: bool
    """Whether all problems of the sheet are answered."""
    cannot_tell: int
    """Problems answered `cannot tell`."""
    accuracy: Share | None
    """Right answers over answered problems; null for the task `phenomena`."""


class ModelScore(PersonScore, frozen=True, kw_only=True):
    """What one model answered. Models are not counted among people."""

    unanswered: int
    """Problems to which its reply was no answer."""
    faults: dict[str, int]
    """Label of a fault that it marked -> problems; `any fault` first."""
    agreement: dict[str, Agreement]
    """Person -> agreement of the model and the person on the answers or, for the task `phenomena`, on the labels."""


class FaultScore(msgspec.Struct, frozen=True, kw_only=True):
    """How often people ticked a fault."""

    problems: int
    """Problems that at least one person ticked."""
    by_several: int
    """Problems that at least two persons ticked."""


class AnswerScore(msgspec.Struct, frozen=True, kw_only=True):
    """What people answered, all persons together. The task is `answer`."""

    problems: int
    """Problems that anybody answered."""
    accuracy: Share
    """Right answers over judgements: human performance."""
    majority: Share
    """Problems whose key is the most frequent answer, over problems that at least two persons answered. A tie is shared:
    of k answers that are equally frequent, each counts 1/k."""
    chance: float
    """Mean of 1 / number of choices over the problems that anybody answered."""
    agreement: Agreement
    """Agreement on the answers. A label is the place of the choice in the problem; `cannot tell` is a label too."""
    baselines: dict[str, Share]
    """Baseline or adversary -> its accuracy on the same problems."""


class AdjudicationScore(msgspec.Struct, frozen=True, kw_only=True):
    """What the adjudicator decided of the key."""

    key_right: Share
    """Adjudicated problems whose key is right."""
    key_wrong: Share
    """Adjudicated problems for which another choice is right."""
    undecidable: Share
    """Adjudicated problems for which no single choice is right."""
    accuracy: Share
    """People's accuracy if the adjudicator's answer replaces the key; undecidable problems are left out."""


class PhenomenonScore(msgspec.Struct, frozen=True, kw_only=True):
    """How often people gave a label of phenomena. A problem may have several labels, so that shares need not sum to 1."""

    share: Share
    """Judgements with the label, over all."""
    majority: Share
    """Problems to which more than half of the persons gave the label, over problems that anybody labelled. Exactly half counts
    1/2."""
    adjudicated: Share
    """Adjudicated problems with the label, over adjudicated problems."""
    agreement: Agreement
    """Agreement on whether a problem has the label."""


class SheetScore(msgspec.Struct, frozen=True, kw_only=True):
    """What people answered on a sheet."""

    sheet: Sheet
    """The sheet."""
    persons: tuple[PersonScore, ...]
    """Persons who answered at least one problem, by name."""
    models: tuple[ModelScore, ...]
    """Models that were asked at least one problem, by name."""
    answers: AnswerScore | None
    """All persons together; null for the task `phenomena`, or if nobody answered."""
    phenomena: dict[str, PhenomenonScore]
    """Label -> its score; empty for the task `answer`."""
    faults: dict[str, FaultScore]
    """Label of a fault that anybody ticked -> its score; `any fault` first."""
    adjudication: AdjudicationScore | None
    """What the adjudicator decided; null for the task `phenomena`, or if nothing was adjudicated."""
    to_adjudicate: dict[str, tuple[str, ...]]
    """Id of a problem that nobody has decided yet -> `people differ`, `nobody chose the key`, `marked as faulty`,
    `a model chose another answer`, `marked as faulty by a model`."""
    notes: tuple[str, ...]
    """What to know before reading the figures, such as who has not finished."""
