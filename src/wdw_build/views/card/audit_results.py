"""The structs of an audit: the output of ``wdw-build datasheet --json``."""

from __future__ import annotations

import datetime as dt

import msgspec

from wdw_bench.results import StoredResults
from wdw_build.views.people import PeopleResult


class Observed(msgspec.Struct, frozen=True):
    """A count beside the count expected by chance."""

    observed: float
    """The count; if k choices are tied for a cue, a right cue counts 1/k."""
    expected: float
    """The count expected by chance."""
    deviations: float
    """The difference in standard deviations of chance."""


class Skew(msgspec.Struct, frozen=True):
    """Position of the answers, and how many problems each cue solves."""

    positions: tuple[Observed, ...]
    """Answers at the first position, the second, and so on."""
    cues: dict[str, Observed]
    """Cue -> problems that it solves; `training-answer` only for validation and test."""


class Common(msgspec.Struct, frozen=True):
    """A name that is often the answer."""

    name: str
    """The name, as written."""
    answers: int
    """Problems with this answer."""
    share: float
    """Share of the split's problems with this answer."""


class NameFacts(msgspec.Struct, frozen=True):
    """The names of a split."""

    distinct_choices: int
    """Different names of choices."""
    distinct_answers: int
    """Different names of answers."""
    words_per_choice: float
    """Mean number of words in a choice's name, without titles."""
    one_word_choices: float
    """Share of the choices with a name of one word."""
    mentions_per_choice: float
    """Mean number of mentions of a choice in its passage."""
    answers_seen: float
    """Share of the answers that are also an answer in `train.relaxed`, by name."""
    most_common: tuple[Common, ...]
    """The ten most common answers."""


class Calendar(msgspec.Struct, frozen=True):
    """When and where a split's articles were published."""

    first_day: dt.date | None
    """Day of the first question."""
    last_day: dt.date | None
    """Day of the last question."""
    months: dict[str, int]
    """Year and month of the question -> problems."""
    question_sources: dict[str, int]
    """Source of the question -> problems."""
    passage_sources: dict[str, int]
    """Source of the passage -> problems."""
    same_source: int
    """Problems whose question and passage have the same source."""
    windows: dict[str, int]
    """Window -> problems."""
    choices: dict[str, int]
    """Number of choices -> problems."""


class SplitAudit(msgspec.Struct, frozen=True):
    """One split."""

    problems: int
    """Number of problems."""
    skew: Skew
    """Position and frequency of the answers."""
    names: NameFacts
    """Names of choices and answers."""
    calendar: Calendar
    """Days and sources."""


class Overlap(msgspec.Struct, frozen=True):
    """The overlap of one kind between two splits."""

    kind: str
    """`question`, `passage`, `near-passage`, `connected` or `event`."""
    first: str
    """One split."""
    second: str
    """The other split."""
    of_first: int
    """Problems of the first with a counterpart in the second."""
    of_second: int
    """Problems of the second with a counterpart in the first."""
    example: tuple[str, ...]
    """Ids of a problem of the first split and its counterpart; empty without overlap."""


class EventFacts(msgspec.Struct, frozen=True):
    """The events of the dataset."""

    events: int
    """Number of events."""
    of_one_problem: int
    """Events with a single problem."""
    largest: int
    """Problems of the largest event."""


class LeakCount(msgspec.Struct, frozen=True):
    """The leaks of one relation from the problems of one split to those of a split."""

    kind: str
    """`question-in-passage`, `answer-told`, or `shared-passage` (within a split; between splits it is an overlap)."""
    told_in: str
    """The split of the problems whose answer is told."""
    told_by: str
    """The split of the problems that tell it."""
    problems: int
    """Problems whose answer is told."""
    examples: tuple[tuple[str, str], ...]
    """Up to three pairs of ids: a problem whose answer is told, and the problem that tells it."""


class LeakFacts(msgspec.Struct, frozen=True):
    """Problems that tell the answers of others."""

    counts: tuple[LeakCount, ...]
    """One entry for each relation and ordered pair of splits."""
    beyond_one_per_group: int
    """Problems of validation and test that `split.one_per_group` would leave out."""


class Border(msgspec.Struct, frozen=True):
    """The two sides of the date between training and held-out data."""

    last_training_day: dt.date | None
    """Day of the last question in training."""
    first_held_out_day: dt.date | None
    """Day of the first question in validation and test."""
    training_passages_beyond: int
    """Training problems with a passage of the first held-out day or later."""
    held_out_passages_before: int
    """Held-out problems with a passage of the last training day or earlier."""


class Audit(msgspec.Struct, frozen=True):
    """The audit of a run."""

    run: str
    """Name of the run."""
    fingerprint: str
    """Fingerprint of the summary, which stands for all outputs."""
    splits: dict[str, SplitAudit]
    """`train`, `train.relaxed`, `validation` and `test`."""
    overlap: tuple[Overlap, ...]
    """One entry for each kind and pair of splits."""
    events: EventFacts
    """The events of the dataset."""
    leaks: LeakFacts
    """Problems that tell the answers of others."""
    border: Border
    """The end of training and the beginning of the held-out time."""
    systems: StoredResults
    """The table of `wdw-build bench`, and the probes and suppressed baselines above chance."""
    people: tuple[PeopleResult, ...] = ()
    """Human performance, one entry for each sheet of `wdw-build annotate` that somebody finished."""
