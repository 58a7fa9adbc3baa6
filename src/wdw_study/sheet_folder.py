"""The folder of a sheet: ``sheet.json``, ``problems.jsonl`` with the key, ``events.sqlite`` and the secrets of its pages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.errors import CorpusError, UsageError
from wdw_study.event_log import Event, EventLog
from wdw_study.judgements import adjudications_of, answer_of, judgements_of
from wdw_study.people import uncounted
from wdw_study.private_files import private_folder, write_private
from wdw_study.sheets import Judged, Sheet, SheetProblem
from wdw_study.study import Study, gold_answers

ANNOTATE = "annotate"
_SHEET, _PROBLEMS, _EVENTS, _SECRETS = "sheet.json", "problems.jsonl", "events.sqlite", "secrets.json"
_STUDY = "study.json"
_MOST_LISTED = 5
PAGE, LINES, SCORE, EXPORT, FAULTY = "sheet.html", "sheet.jsonl", "score.json", "export", "faulty.jsonl"


@dataclass(frozen=True)
class SheetFolder:
    """A sheet on disk."""

    path: Path
    sheet: Sheet
    problems: tuple[SheetProblem, ...]

    @functools.cached_property
    def log(self) -> EventLog:
        """The events of the sheet."""
        return EventLog(self.path / _EVENTS)

    @functools.cached_property
    def study(self) -> Study:
        """What the last ``keep_study`` wrote; without one, a study that changes nothing. Raises ``UsageError`` if damaged."""
        path = self.path / _STUDY
        try:
            return msgspec.json.decode(path.read_bytes(), type=Study) if path.exists() else Study()
        except (OSError, msgspec.MsgspecError) as error:
            raise UsageError(f"{path}: {error}", hint="give the file of the study again: --study FILE") from error

    def keep_study(self, study: Study) -> None:
        """Write the study of the sheet. It may change at any time: answers to other items are left out."""
        write_private(self.path / _STUDY, jsonl.document(study))
        self.__dict__.pop("study", None)

    @property
    def has_events(self) -> bool:
        """Whether anybody has opened its pages or imported answers."""
        # Opening the log would create it.
        return (self.path / _EVENTS).exists()

    @property
    def secrets(self) -> Path:
        """The file of the tokens of its pages."""
        return self.path / _SECRETS


def read_judged(folder: Path, persons: Sequence[str] = (), exclude: Sequence[str] = ()) -> Judged:
    """A sheet with everything that people said of it, without those whose work does not count (``people.uncounted``).

    Raises ``UsageError`` if the folder holds no sheet, or if nobody has one of the names.
    """
    opened = read_folder(folder)
    place = {problem.id: problem.number for problem in opened.problems}
    events = opened.log.events()
    _check_answers(events, opened.problems)
    judgements = [judgement for judgement in judgements_of(events) if judgement.problem in place]
    others = uncounted(events, persons, exclude)
    counted = [judgement for judgement in judgements if judgement.person not in others]
    return Judged(
        opened.sheet,
        opened.problems,
        sorted(counted, key=lambda judgement: (judgement.person, place[judgement.problem])),
        [judgement for judgement in adjudications_of(events) if judgement.problem in place],
        sorted({judgement.person for judgement in judgements} & others),
        {person: counts for person, counts in gold_answers(opened.study, events).items() if person not in others},
    )


def _check_answers(events: Iterable[Event], problems: Iterable[SheetProblem]) -> None:
    """Raise ``CorpusError`` if an answer is none of the choices of its problem."""
    choices = {problem.id: len(problem.choices) for problem in problems}
    for event in events:
        answer = answer_of(event) if event.subject in choices else None
        if answer is not None and not 0 <= answer < choices[event.subject]:
            raise CorpusError(
                f"event {event.number} ({event.kind}): {event.subject} has no choice with the index {answer}",
                hint="the log of events was changed; restore it from a copy",
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
    listed = [f"{folder.path.name} ({count_answers(folder)[1]} answers)" for folder in folders]
    raise UsageError(
        f"there is no sheet {name!r}" if name else f"the run has {len(folders)} sheets: which one?",
        hint=f"--sheet with one of: {first_names(listed)}",
    )


def first_names(names: Sequence[str]) -> str:
    """The first five names, and how many more there are."""
    more = len(names) - _MOST_LISTED
    return ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def count_answers(folder: SheetFolder) -> tuple[int, int]:
    """The number of people who answered problems of a sheet, and of their answers."""
    answered = read_judged(folder.path).answered
    return len(answered), sum(map(len, answered.values()))


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

    Raises ``UsageError`` if an older draw, with other problems or texts, has answers or was given to people.
    """
    folder = run_folder / ANNOTATE / name
    sheet, problems = draw()
    if (folder / _SHEET).exists():
        older = read_folder(folder)
        if older.sheet.hash != sheet.hash:
            _require_unused(older)
    private_folder(folder)
    write_private(folder / _PROBLEMS, b"".join(map(jsonl.encode, problems)))
    write_private(folder / _SHEET, jsonl.document(sheet))
    return SheetFolder(folder, sheet, tuple(problems))


def _require_unused(folder: SheetFolder) -> None:
    """Raise ``UsageError`` if people have opened the pages of a sheet, or may be filling in its forms."""
    answers = count_answers(folder)[1] if folder.has_events else 0
    forms = [str(folder.path / form) for form in (PAGE, LINES) if (folder.path / form).exists()]
    hint = f"--sheet {folder.path.name} goes on with the older draw; another --seed draws a new sheet"
    if answers:
        use = f"has {answers} answer{'s' if answers != 1 else ''}"
    elif folder.has_events and folder.log.events():
        use = "its pages were opened"
    elif forms:
        use, hint = "its offline forms were written", f"{hint}; if nobody has the forms, delete {' and '.join(forms)}"
    else:
        return
    raise UsageError(f"sheet {folder.path.name!r} was drawn before the run changed, and {use}", hint=hint)
