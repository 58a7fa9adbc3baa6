"""The folder of a sheet: ``sheet.json``, ``problems.jsonl`` with the key, ``events.sqlite`` and the secrets of its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from wdw_build.annotation.event_log import EventLog
from wdw_build.annotation.judgements import adjudications_of, judgements_of
from wdw_build.annotation.sheets import Judged, Sheet, SheetProblem
from wdw_build.core.store import jsonl
from wdw_build.errors import UsageError

S = TypeVar("S", bound=msgspec.Struct)

ANNOTATE = "annotate"
_SHEET, _PROBLEMS, _EVENTS, _SECRETS = "sheet.json", "problems.jsonl", "events.sqlite", "secrets.json"
PAGE, LINES = "sheet.html", "sheet.jsonl"


@dataclass(frozen=True)
class SheetFolder:
    """A sheet on disk."""

    path: Path
    sheet: Sheet
    problems: tuple[SheetProblem, ...]

    @property
    def log(self) -> EventLog:
        """The events of the sheet."""
        return EventLog(self.path / _EVENTS)

    @property
    def has_events(self) -> bool:
        """Whether anybody has opened its pages or imported answers."""
        # Opening the log would create it.
        return (self.path / _EVENTS).exists()

    @property
    def secrets(self) -> Path:
        """The file of the tokens of its pages."""
        return self.path / _SECRETS


def read_judged(folder: Path) -> Judged:
    """A sheet with everything that people said of it. Raises ``UsageError`` if the folder holds no sheet."""
    opened = read_folder(folder)
    place = {problem.id: problem.number for problem in opened.problems}
    events = opened.log.events()
    judgements = [judgement for judgement in judgements_of(events) if judgement.problem in place]
    return Judged(
        opened.sheet,
        opened.problems,
        sorted(judgements, key=lambda judgement: (judgement.person, place[judgement.problem])),
        [judgement for judgement in adjudications_of(events) if judgement.problem in place],
    )


def read_folder(folder: Path) -> SheetFolder:
    """The sheet of a folder. Raises ``UsageError`` if the folder holds no sheet or a damaged one."""
    try:
        sheet = msgspec.json.decode((folder / _SHEET).read_bytes(), type=Sheet)
        lines = (folder / _PROBLEMS).read_bytes().splitlines()
        return SheetFolder(folder, sheet, tuple(msgspec.json.decode(line, type=SheetProblem) for line in lines))
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{folder} holds no sheet: {error}", hint="wdw-build annotate -c FILE draws one") from error


def sheet_folders(run_folder: Path) -> list[SheetFolder]:
    """The sheets of a run, by name."""
    return [read_folder(path.parent) for path in sorted((run_folder / ANNOTATE).glob(f"*/{_SHEET}"))]


def open_sheet(run_folder: Path, name: str = "") -> SheetFolder:
    """The sheet with a name; without one, the run's only sheet. Raises ``UsageError`` if there is none or several."""
    folders = sheet_folders(run_folder)
    chosen = [folder for folder in folders if not name or folder.path.name == name]
    if len(chosen) == 1:
        return chosen[0]
    if not folders:
        raise UsageError("the run has no sheet", hint="wdw-build annotate -c FILE draws one and serves its pages")
    listed = (f"{status.name} ({status.answers} answers)" for status in map(sheet_status, folders))
    raise UsageError(
        f"there is no sheet {name!r}" if name else f"the run has {len(folders)} sheets: which one?",
        hint=f"--sheet with one of: {', '.join(listed)}",
    )


class SheetStatus(NamedTuple):
    """How much a sheet holds."""

    name: str
    persons: int
    answers: int


def sheet_status(folder: SheetFolder) -> SheetStatus:
    """The number of people who answered problems of a sheet, and of their answers."""
    answered = [judgement for judgement in read_judged(folder.path).judgements if judgement.answered]
    return SheetStatus(folder.path.name, len({judgement.person for judgement in answered}), len(answered))


def sheet_with_hash(run_folder: Path, hashed: str) -> SheetFolder:
    """The sheet that answers were given for. Raises ``UsageError`` if the run does not have it."""
    folders = sheet_folders(run_folder)
    for folder in folders:
        if folder.sheet.hash == hashed:
            return folder
    known = ", ".join(folder.sheet.hash for folder in folders) or "none"
    raise UsageError(
        f"the answers are for sheet {hashed[:40]!r}, which this run does not have (sheets: {known})",
        hint="use the run that the sheet was drawn from",
    )


def open_or_draw(run_folder: Path, name: str, draw: Callable[[], tuple[Sheet, list[SheetProblem]]]) -> SheetFolder:
    """The sheet of this name as it would be drawn now. An older draw that nobody has used is replaced.

    Raises ``UsageError`` if people have worked on an older draw, with other problems or texts.
    """
    folder = run_folder / ANNOTATE / name
    sheet, problems = draw()
    if (folder / _SHEET).exists():
        older = read_folder(folder)
        if older.sheet.hash != sheet.hash and _is_used(older):
            raise UsageError(
                f"sheet {name!r} was drawn before the run changed, and people have worked on it",
                hint=f"--sheet {name} goes on with the older draw; another --seed draws a new sheet",
            )
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / _PROBLEMS, b"".join(map(jsonl.encode, problems)))
    replace_file(folder / _SHEET, msgspec.json.format(msgspec.json.encode(sheet), indent=1) + b"\n")
    return SheetFolder(folder, sheet, tuple(problems))


def _is_used(folder: SheetFolder) -> bool:
    return any((folder.path / form).exists() for form in (PAGE, LINES)) or bool(folder.log.events())


def replace_file(path: Path, content: bytes) -> None:
    """Write a file by one rename."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_bytes(content)
    beside.replace(path)
