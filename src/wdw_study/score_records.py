"""The score of a sheet: ``score.json``, and what ``annotate score --json`` prints; and how its shares are computed.

The structs are docs/reference/schemas/sheet-score.json. Shares and coefficients lie in [0, 1] (kappa and alpha may be negative)
and are rounded to four decimals.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

import msgspec

from wdw_build.core.intervals import wilson
from wdw_study.sheets import Sheet

# Stands for all faults among their labels.
ANY_FAULT = "any fault"
_DIGITS = 4


class Share(msgspec.Struct, frozen=True, kw_only=True):
    """A share with its 95% interval."""

    part: int
    """Number of cases that are counted."""
    whole: int
    """Number of cases."""
    share: float | None
    """`part` over `whole`; null without cases."""
    interval: tuple[float, float]
    """95% interval: Wilson's. If several persons judged a problem, the number of judgements is replaced by the effective
    one, because judgements of one problem are not independent."""


class Seconds(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds that the page of a problem was open and visible until the last answer."""

    problems: int
    """Answered problems whose time is known."""
    median: float
    """Median."""
    lower_quartile: float
    """First quartile (between two values: interpolated)."""
    upper_quartile: float
    """Third quartile."""
    total: float
    """Sum."""


class PersonScore(msgspec.Struct, frozen=True, kw_only=True):
    """What one person answered. `cannot tell` counts as wrong."""

    person: str
    """Name of the person."""
    answered: int
    """Problems answered; `cannot tell` is an answer."""
    complete: bool
    """Whether the person answered all problems of the sheet."""
    cannot_tell: int
    """Problems answered `cannot tell`."""
    accuracy: Share | None
    """Right answers over answered problems; null for the task `phenomena`."""
    accuracy_of_decided: Share | None
    """Right answers over answered problems without `cannot tell`; null for the task `phenomena`."""
    seconds: Seconds | None
    """Time by problem; null if it is not known of any."""
    faults: dict[str, int]
    """Label of a fault -> number of problems."""


class PairAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of two persons on the problems that both answered."""

    first: str
    """Name of one person."""
    second: str
    """Name of the other."""
    problems: int
    """Problems that both answered."""
    same: float | None
    """Share of the problems with equal labels; null without problems."""
    kappa: float | None
    """Cohen's kappa; null if it is undefined."""
    undefined: str
    """Why `kappa` is null; empty otherwise."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of all persons, who give each problem one label."""

    problems: int
    """Problems that at least two persons answered."""
    same: float | None
    """Share of equal labels among the pairs of labels of a problem; null without such problems."""
    alpha: float | None
    """Krippendorff's alpha for nominal labels; null if it is undefined."""
    undefined: str
    """Why `alpha` is null; empty otherwise."""
    pairs: tuple[PairAgreement, ...]
    """Every pair of persons."""


class FaultScore(msgspec.Struct, frozen=True, kw_only=True):
    """How often people ticked a fault, and how well they agree on it."""

    problems: int
    """Problems that at least one person ticked."""
    by_several: int
    """Problems that at least two persons ticked."""
    persons: int
    """Persons who ticked it for any problem."""
    agreement: Agreement
    """Agreement on whether a problem has it, over answered problems."""


class GroupScore(msgspec.Struct, frozen=True, kw_only=True):
    """Accuracy on the problems of a group."""

    field: str
    """`choices` (number of choices), `pattern` (a digit for each baseline in the order of `baselines`: 1 if it solves the
    problem), `split`, `level`, or another field of the sheet's strata."""
    value: str
    """The value of the field that the problems share."""
    problems: int
    """Number of problems that anybody answered."""
    accuracy: Share
    """Right answers over judgements."""
    chance: float
    """Mean of 1 / number of choices."""


class BaselineScore(msgspec.Struct, frozen=True, kw_only=True):
    """A baseline or adversary on the problems that anybody answered."""

    accuracy: Share
    """Its accuracy on the problems."""
    agreement: Share
    """Share of people's choices that it made too; `cannot tell` is left out."""


class AnswerScore(msgspec.Struct, frozen=True, kw_only=True):
    """What people answered, all persons together. The task is `answer`."""

    problems: int
    """Problems that anybody answered."""
    accuracy: Share
    """Right answers over judgements: human performance."""
    majority: Share
    """Problems whose key is the answer of more than half of the persons, over problems that at least two persons answered."""
    no_majority: int
    """Problems that at least two persons answered, and on which no answer has more than half of them; counted as not right."""
    chance: float
    """Mean of 1 / number of choices over the problems that anybody answered."""
    agreement: Agreement
    """Agreement on the answers. A label is the place of the choice in the problem; `cannot tell` is a label too."""
    baselines: dict[str, BaselineScore]
    """Baseline or adversary -> its result on the same problems."""
    groups: tuple[GroupScore, ...]
    """Accuracy by groups of problems."""


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
    by_person: dict[str, Share]
    """The same for each person."""


class PhenomenonScore(msgspec.Struct, frozen=True, kw_only=True):
    """How often people gave a label of phenomena. A problem may have several labels, so that shares need not sum to 1."""

    share: Share
    """Judgements with the label, over all."""
    majority: Share
    """Problems to which more than half of the persons gave the label, over problems that anybody labelled."""
    by_person: dict[str, Share]
    """Person -> problems with the label, over problems that the person labelled."""
    adjudicated: Share
    """Adjudicated problems with the label, over adjudicated problems."""
    agreement: Agreement
    """Agreement on whether a problem has the label."""


class Disagreement(msgspec.Struct, frozen=True, kw_only=True):
    """A problem to adjudicate."""

    number: int
    """Place on the sheet."""
    id: str
    """Id of the problem."""
    reasons: tuple[str, ...]
    """`people differ`, `nobody chose the key`, `marked as faulty`."""
    key: str
    """The answer of the dataset."""
    answers: dict[str, str]
    """Person -> the choice, `cannot tell`, or the labels of phenomena joined by commas."""
    faults: dict[str, tuple[str, ...]]
    """Person -> faults; without persons who ticked none."""
    notes: dict[str, str]
    """Person -> note; without persons who left none."""
    adjudicated: str | None
    """The adjudicator's answer, or labels of phenomena joined by commas; `cannot tell` if no single choice is right; null if
    the problem was not adjudicated."""


class SheetScore(msgspec.Struct, frozen=True, kw_only=True):
    """What people answered on a sheet."""

    sheet: Sheet
    """The sheet."""
    problems: int
    """Problems of the sheet."""
    persons: tuple[PersonScore, ...]
    """Persons who answered at least one problem, by name."""
    answers: AnswerScore | None
    """All persons together; null for the task `phenomena`, or if nobody answered."""
    phenomena: dict[str, PhenomenonScore]
    """Label -> its score; empty for the task `answer`."""
    faults: dict[str, FaultScore]
    """Label of a fault that anybody ticked -> its score; `any fault` first."""
    adjudication: AdjudicationScore | None
    """What the adjudicator decided; null for the task `phenomena`, or if nothing was adjudicated."""
    disagreements: tuple[Disagreement, ...]
    """Problems on which people differ, of which nobody chose the key, or which somebody marked as faulty."""
    notes: tuple[str, ...]
    """What to know before reading the figures, such as who has not finished."""


def rounded(value: float | None) -> float | None:
    """A value with four decimals."""
    return None if value is None else round(value, _DIGITS)


def share(part: int, whole: int, effective: float | None = None) -> Share:
    """A share with Wilson's interval (Wilson 1927); ``effective``: the effective number of cases, if they are dependent."""
    number = whole if effective is None else effective
    low, high = wilson(part * number / whole if whole else 0, number if whole else 0)
    return Share(
        part=part,
        whole=whole,
        share=rounded(part / whole) if whole else None,
        interval=(round(low, _DIGITS), round(high, _DIGITS)),
    )


def clustered_share(counts: Iterable[tuple[int, int]]) -> Share:
    """The share of all judgements from (judgements that count, judgements) of each problem.

    Judgements of one problem are not independent: a hard problem is hard for everybody. The interval is Wilson's with the
    effective number of judgements n = p (1 - p) / v (Dean & Pagano 2015), where v = sum (x_i - p m_i)^2 / M^2 is the variance
    of the share p of M judgements in clusters, x_i of m_i in problem i (Cochran 1977, chapter 3, for many clusters). So n is
    the number of problems if all persons always agree, and for one person the interval is Wilson's. n is at most M (Korn &
    Graubard 1998). If p is 0 or 1, v is unknown, and n is the number of problems.
    """
    judged = [(part, whole) for part, whole in counts if whole]
    part, whole = sum(part for part, _ in judged), sum(whole for _, whole in judged)
    if part in (0, whole):
        return share(part, whole, len(judged))
    p = part / whole
    variance = sum((right - p * count) ** 2 for right, count in judged) / whole**2
    return share(part, whole, min(whole, p * (1 - p) / variance) if variance else whole)


def seconds_of(values: Sequence[float]) -> Seconds | None:
    """Median, quartiles and sum of times; None without times."""
    if not values:
        return None
    # One value is its own quartiles.
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [*values] * 3
    return Seconds(
        problems=len(values),
        median=round(median, 1),
        lower_quartile=round(lower, 1),
        upper_quartile=round(upper, 1),
        total=round(sum(values), 1),
    )
