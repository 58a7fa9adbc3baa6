"""The forms of a sheet that need no server: lines for programs, the file that the offline page saves, and their import.

No answer is lost: lines that hold answers are not overwritten, and an import appends events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.errors import UsageError
from wdw_study.judgements import ANSWERED, FAULTS_MARKED, NOTED, changes_to, person_judgements
from wdw_study.people import SIGNED_IN, SignedIn, canonical_name, people_of
from wdw_study.private_files import write_private
from wdw_study.sheet_draw import choice_order
from wdw_study.sheet_folder import LINES, SheetFolder
from wdw_study.sheets import CANNOT_TELL, FAULTS, Judgement, SheetProblem

S = TypeVar("S", bound=msgspec.Struct)

_HINT = "give the filled-in sheet.jsonl, or the file that the page saved"
_MOST_LISTED = 10
_FORM = ""


class SheetLine(msgspec.Struct, frozen=True):
    """``sheet.jsonl``: a problem as a reader sees it, with room for an answer."""

    sheet: str
    """Hash of the sheet; the same in every line and in the answers."""
    number: int
    """Place on the sheet, from 1."""
    question: str
    """The sentence with `XXX` for the deleted phrase."""
    passage: str
    """Text of the passage; empty if the sheet's condition has none."""
    choices: tuple[str, ...]
    """The names, in an order drawn by the seed."""
    answer: str | None = None
    """To be filled in: one of `choices`, or `cannot tell`."""
    faults: tuple[str, ...] = ()
    """To be filled in: labels of faults."""
    remarks: str = ""
    """To be filled in: free text."""


class Answer(msgspec.Struct, frozen=True):
    """One answer, in the page's file; a line of the filled-in sheet has these fields too."""

    number: int
    """Place on the sheet."""
    answer: str | None
    """A choice, or `cannot tell`; null if not answered, which the import refuses."""
    faults: tuple[str, ...] = ()
    """Labels of faults."""
    remarks: str = ""
    """Free text."""


class SavedAnswers(msgspec.Struct, frozen=True):
    """The file that the page saves."""

    sheet: str
    """Hash of the sheet."""
    answers: tuple[Answer, ...]
    """One answer for each problem."""


class _AnswerLine(Answer, frozen=True, kw_only=True):
    """A line of the filled-in sheet; question, passage and choices are ignored."""

    sheet: str


# ---- writing ---------------------------------------------------------------------------------------------------------


def sheet_lines(folder: SheetFolder) -> list[SheetLine]:
    """The lines of the forms. Raises ``UsageError`` if the sheet asks for phenomena, which only the served pages do."""
    if folder.sheet.task != "answer":
        raise UsageError(
            "only sheets of the task answer have offline forms",
            hint="wdw-build annotate --task phenomena serves the pages",
        )
    return [
        SheetLine(
            sheet=folder.sheet.hash,
            number=problem.number,
            question=problem.question,
            passage=problem.passage,
            choices=tuple(problem.choices[index] for index in choice_order(folder.sheet.seed, _FORM, problem)),
        )
        for problem in folder.problems
    ]


def write_lines(folder: SheetFolder) -> Path:
    """Write ``sheet.jsonl``. Raises ``UsageError`` if it exists and holds answers."""
    path = folder.path / LINES
    if _has_answers(path):
        raise UsageError(f"{path} contains answers and is not overwritten", hint="move it, or use another --seed")
    write_private(path, b"".join(map(jsonl.encode, sheet_lines(folder))))
    return path


def _has_answers(path: Path) -> bool:
    """Whether a sheet is filled in. A sheet that cannot be read counts as filled in."""
    if not path.exists():
        return False
    try:
        lines = [msgspec.json.decode(line, type=SheetLine) for line in path.read_bytes().splitlines() if line.strip()]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return True
    return any(line.answer is not None or line.faults or line.remarks for line in lines)


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_answers(path: Path) -> SavedAnswers:
    """The answers of a file. Raises ``UsageError`` if the file has neither form, or answers to several sheets."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint=_HINT) from error
    if _is_saved(content):
        return _decode(content, SavedAnswers, str(path))
    lines = [
        _decode(line, _AnswerLine, f"{path}:{number}")
        for number, line in enumerate(content.splitlines(), 1)
        if line.strip()
    ]
    if not lines:
        raise UsageError(f"{path} is empty", hint=_HINT)
    names = sorted({line.sheet for line in lines})
    if len(names) > 1:
        raise UsageError(f"{path} has lines of several sheets: {', '.join(names)}", hint="import one sheet at a time")
    return SavedAnswers(names[0], tuple(lines))


def _is_saved(content: bytes) -> bool:
    """Whether the page saved the file: one JSON object with answers."""
    try:
        document = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return isinstance(document, dict) and "answers" in document


def _decode(content: bytes, kind: type[S], place: str) -> S:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: {error}", hint=_HINT) from error


# ---- import ----------------------------------------------------------------------------------------------------------


def import_answers(folder: SheetFolder, saved: SavedAnswers, name: str) -> int:
    """Append the answers of a person to the log and return the number of changes: none if all were there.

    Raises ``UsageError`` unless each problem of the sheet has exactly one answer.
    """
    answers = _matched(saved.answers, folder)
    log = folder.log
    events = log.events()
    person = canonical_name(events, name)
    known = person_judgements(person, [event for event in events if event.person == person])
    # A person who has only adjudicated has events, and has not signed in.
    log.append_if(lambda now: person not in people_of(now), person, SIGNED_IN, value=SignedIn())
    changes = 0
    for problem in folder.problems:
        now = known.get(problem.id) or Judgement(person=person, problem=problem.id)
        for kind, value in changes_to(now, _values(problem, answers[problem.number])).items():
            log.append(person, kind, problem.id, value)
            changes += 1
    return changes


def _values(problem: SheetProblem, answer: Answer) -> dict[str, Any]:
    """The values of an answer by the kind of their events."""
    return {
        ANSWERED: None if answer.answer == CANNOT_TELL else problem.choices.index(str(answer.answer)),
        FAULTS_MARKED: tuple(fault for fault in FAULTS if fault in answer.faults),
        NOTED: answer.remarks,
    }


def _matched(answers: Sequence[Answer], folder: SheetFolder) -> dict[int, Answer]:
    """The answers by number. Raises ``UsageError`` unless each problem has one answer: a choice or ``cannot tell``."""
    counts = Counter(answer.number for answer in answers)
    _refuse("answered twice", [number for number, count in counts.items() if count > 1])
    known = {problem.number: problem for problem in folder.problems}
    _refuse("no such problem on the sheet", [number for number in counts if number not in known])
    missing = [number for number in known if number not in counts]
    _refuse("not answered", sorted([*missing, *(answer.number for answer in answers if answer.answer is None)]))
    for answer in answers:
        _check(answer, known[answer.number], folder.sheet.faults)
    return {answer.number: answer for answer in answers}


def _refuse(fault: str, numbers: Sequence[int]) -> None:
    if numbers:
        named = ", ".join(map(str, numbers[:_MOST_LISTED])) + (" …" if len(numbers) > _MOST_LISTED else "")
        raise UsageError(f"{fault}: {named}", hint=f"give each problem one answer: a choice, or {CANNOT_TELL!r}")


def _check(answer: Answer, problem: SheetProblem, faults: Collection[str]) -> None:
    if answer.answer not in (*problem.choices, CANNOT_TELL):
        raise UsageError(
            f"problem {answer.number} has no choice {str(answer.answer)[:80]!r}",
            hint=f"choices: {', '.join(problem.choices)}; or {CANNOT_TELL!r}",
        )
    unknown = [fault for fault in answer.faults if fault not in faults]
    if unknown:
        raise UsageError(
            f"problem {answer.number}: unknown fault {unknown[0][:80]!r}", hint=f"faults: {', '.join(faults)}"
        )
