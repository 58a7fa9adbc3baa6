"""What an audit says: the structs of ``wdw-build card --json``."""

from __future__ import annotations

import datetime as dt

import msgspec


class Observed(msgspec.Struct, frozen=True):
    """A number of right answers beside what chance gives; ``deviations``: their difference in standard deviations."""

    observed: float
    expected: float
    deviations: float


class Skew(msgspec.Struct, frozen=True):
    """Where the answers stand, and what is right for who follows one cue alone."""

    positions: tuple[Observed, ...]
    cues: dict[str, Observed]


class Common(msgspec.Struct, frozen=True):
    """A name, and how often it is the answer."""

    name: str
    answers: int
    share: float


class NameFacts(msgspec.Struct, frozen=True):
    """The names of a split's choices and answers."""

    distinct_choices: int
    distinct_answers: int
    words_per_choice: float
    one_word_choices: float
    mentions_per_choice: float
    answers_seen: float
    most_common: tuple[Common, ...]


class Calendar(msgspec.Struct, frozen=True):
    """When and where a split's articles were published."""

    first_day: dt.date | None
    last_day: dt.date | None
    months: dict[str, int]
    question_sources: dict[str, int]
    passage_sources: dict[str, int]
    same_source: int
    windows: dict[str, int]
    choices: dict[str, int]


class SplitAudit(msgspec.Struct, frozen=True):
    """One split."""

    problems: int
    skew: Skew
    names: NameFacts
    calendar: Calendar


class Overlap(msgspec.Struct, frozen=True):
    """How many problems of one split have a counterpart in another, and of the other; ``example``: an id of each."""

    kind: str
    first: str
    second: str
    of_first: int
    of_second: int
    example: tuple[str, ...]


class EventFacts(msgspec.Struct, frozen=True):
    """The events of the dataset."""

    events: int
    of_one_problem: int
    largest: int


class Border(msgspec.Struct, frozen=True):
    """Where training ends and the held-out time begins."""

    last_training_day: dt.date | None
    first_held_out_day: dt.date | None
    training_passages_beyond: int
    held_out_passages_before: int


class Audit(msgspec.Struct, frozen=True):
    """The audit of a run."""

    run: str
    fingerprint: str
    splits: dict[str, SplitAudit]
    overlap: tuple[Overlap, ...]
    events: EventFacts
    border: Border
