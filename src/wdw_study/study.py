"""A study: what people are told and asked besides the problems of a sheet, and who gets which problems."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from wdw_build.core.config.yaml_text import check_values, parse_yaml
from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.errors import ConfigError
from wdw_build.reading import BLANK
from wdw_study.event_log import Event, EventLog, value_of
from wdw_study.judgements import judgements_of
from wdw_study.people import aside_of
from wdw_study.sheets import Sheet, SheetProblem

# Of annotators: what they agreed to (hash of the text), and the ids of their problems.
CONSENTED, ASSIGNED = "consented", "assigned"
TRAINING, GOLD = "training", "gold"
_HASH_LETTERS = 16
_Count = Annotated[int, msgspec.Meta(ge=1)]


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A problem of the study's own, whose answer is known. It does not count in scores."""

    kind: Literal["training", "gold"]
    """`training`: comes first, and shows its answer when it is answered; `gold`: among the problems, to see who reads."""
    question: str
    """A sentence with `XXX`. An attention check says which choice to take."""
    choices: Annotated[tuple[str, ...], msgspec.Meta(min_length=2)]
    """The names."""
    answer: str
    """The right one of `choices`."""
    passage: str = ""
    """Paragraphs, with an empty line between them."""
    explanation: str = ""
    """What a training item says when it is answered."""


class Study(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of ``annotate serve --study``: YAML with these keys, all optional."""

    instructions: str = ""
    """Text at the top of the first page, before what the program says."""
    consent: str = ""
    """Text that people must agree to before they see a problem. If it changes, they are asked again."""
    closes: Annotated[dt.datetime, msgspec.Meta(tz=True)] | None = None
    """When answers end, such as `2027-01-31T18:00:00+01:00`. Pages can still be read."""
    worker_parameter: str = ""
    """Parameter of the address whose value is the name of the person, such as `PROLIFIC_PID`."""
    completion_code: str = ""
    """What people see when they have answered everything, to confirm it elsewhere."""
    problems_per_person: _Count | None = None
    """How many problems each person gets: those that the fewest people have. Not given: all."""
    answers_per_problem: _Count | None = None
    """How many people get each problem at most; needs `problems_per_person`."""
    own_order: bool = False
    """Whether each person has another order of problems."""
    items: tuple[Item, ...] = ()
    """Training items, gold items and attention checks."""


def read_study(path: Path) -> Study:
    """The study of a file. Raises ``ConfigError``."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--study: cannot read {path}: {error}") from error
    raw = parse_yaml(text, str(path), "check the indentation near this line")
    try:
        if isinstance(raw, dict):
            check_values(raw, str(path))
        study = msgspec.convert(raw, Study)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {error}", hint="docs/howto/judge-problems.md lists the keys of a study") from error
    _check(study, path)
    return study


def _check(study: Study, path: Path) -> None:
    if study.answers_per_problem is not None and study.problems_per_person is None:
        raise ConfigError(f"{path}: answers_per_problem needs problems_per_person", hint="add problems_per_person")
    if len({digest(item) for item in study.items}) < len(study.items):
        raise ConfigError(f"{path}: two items are the same", hint="leave one of them out")
    for place, item in enumerate(study.items):
        if item.answer not in item.choices:
            raise ConfigError(f"{path}: items[{place}].answer is none of its choices", hint="repeat one of the choices")
        if len(set(item.choices)) < len(item.choices):
            raise ConfigError(f"{path}: items[{place}].choices has a name twice", hint="leave one of them out")
        if BLANK not in item.question:
            raise ConfigError(f"{path}: items[{place}].question has no {BLANK}", hint=f"write {BLANK} for the person")


def consent_hash(study: Study) -> str:
    """What an event ``consented`` holds; it changes with the text."""
    return digest(study.consent)[:_HASH_LETTERS]


def has_consented(study: Study, events: Iterable[Event]) -> bool:
    """Whether one person, whose events are given, agreed to the present text; true without a text."""
    wanted = consent_hash(study)
    return not study.consent or any(event.kind == CONSENTED and value_of(event, str) == wanted for event in events)


def is_closed(study: Study) -> bool:
    """Whether answers are no longer accepted."""
    return study.closes is not None and dt.datetime.now(dt.UTC) >= study.closes


# ---- who gets which problems -----------------------------------------------------------------------------------------


def assign(study: Study, problems: Sequence[SheetProblem], log: EventLog, sheet: Sheet, person: str) -> None:
    """Give a person without problems those that the fewest people have; of several, the first by a hash.

    Nobody else is given problems between the count and the event. People who are put aside do not count.
    """
    if study.problems_per_person is None:
        return
    while True:
        events = log.events()
        if _assigned(events, person) is not None:
            return
        chosen = _fewest(study, problems, events, sheet.seed, person)

        def is_same(now: Sequence[Event], known: int = len(events)) -> bool:
            return len(now) == known

        if log.append_if(is_same, person, ASSIGNED, value=chosen) is not None:
            return


def _fewest(
    study: Study, problems: Sequence[SheetProblem], events: Sequence[Event], seed: int, person: str
) -> list[str]:
    aside, most = aside_of(events), study.answers_per_problem
    given: Counter[str] = Counter()
    for event in events:
        if event.kind == ASSIGNED and event.person not in aside:
            given.update(value_of(event, list[str]))
    free = [problem.id for problem in problems if most is None or given[problem.id] < most]
    free.sort(key=lambda each: (given[each], _drawn(seed, person, each), each))
    return free[: study.problems_per_person]


def _assigned(events: Iterable[Event], person: str) -> list[str] | None:
    return next(
        (value_of(event, list[str]) for event in events if event.kind == ASSIGNED and event.person == person), None
    )


def _drawn(seed: int, person: str, problem: str) -> float:
    return uniform_hash(seed, f"annotate-order\x1f{person.casefold()}", problem)


def problems_of(
    study: Study, problems: Sequence[SheetProblem], events: Iterable[Event], sheet: Sheet, person: str
) -> list[SheetProblem]:
    """What one person is shown, in order, with the person's own numbers: training items, then problems and gold items."""
    mine = list(problems)
    if study.problems_per_person is not None:
        assigned = _assigned(events, person) or ()
        mine = [problem for problem in mine if problem.id in assigned]
    if study.own_order:
        # Twins of earlier problems stay last.
        mine.sort(key=lambda each: (_is_later_twin(each), _drawn(sheet.seed, person, each.id), each.id))
    items = item_problems(study)
    gold = [each for each in items if each.level == GOLD]
    for number, item in enumerate(gold):
        # One in each of as many equal parts of the list as there are gold items.
        share = (number + _drawn(sheet.seed, person, item.id)) / len(gold)
        mine.insert(number + int(share * (len(mine) - number)), item)
    shown = [*(each for each in items if each.level == TRAINING), *mine]
    return [msgspec.structs.replace(each, number=number) for number, each in enumerate(shown, 1)]


def _is_later_twin(problem: SheetProblem) -> bool:
    return bool(problem.twins) and min(problem.twins or ()) < problem.number


def item_problems(study: Study) -> list[SheetProblem]:
    """The items as problems. The id of one depends on its content, so that answers never count for a changed item."""
    return [
        SheetProblem(
            number=number,
            id=f"{item.kind}-{digest(item)[:_HASH_LETTERS]}",
            question=item.question,
            passage=item.passage,
            choices=item.choices,
            answer=item.choices.index(item.answer),
            split="",
            level=item.kind,
            guesses={},
        )
        for number, item in enumerate(study.items, 1)
    ]


def explanation(study: Study, problem: SheetProblem) -> str:
    """What is said when a problem is answered: the answer of a training item, else nothing."""
    if problem.level != TRAINING:
        return ""
    text = next(
        item.explanation for item, each in zip(study.items, item_problems(study), strict=True) if each.id == problem.id
    )
    return " ".join(filter(None, [f"The answer is {problem.choices[problem.answer]}.", text]))


def gold_answers(study: Study, events: Iterable[Event]) -> Mapping[str, tuple[int, int]]:
    """Person -> gold items answered rightly, and answered; of people who answered one."""
    key = {item.id: item.answer for item in item_problems(study) if item.level == GOLD}
    counts: dict[str, tuple[int, int]] = {}
    for judgement in judgements_of(events) if key else ():
        if judgement.answered and judgement.problem in key:
            right, answered = counts.get(judgement.person, (0, 0))
            counts[judgement.person] = right + (judgement.answer == key[judgement.problem]), answered + 1
    return counts
