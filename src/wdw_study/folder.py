"""The folder of a study, ``runs/<run>/<kind>/<name>``: the same files for sheets and for collections.

``study.json`` has the options of the draw, ``items.jsonl`` the problems or passages, ``events.sqlite`` people's actions, and
``secrets.json`` the tokens of the pages. The items are stored, so that a study stays the same when the run changes. All
files can be read by the user who made them alone: they hold keys and answers.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from wdw_build.api import CorpusError, UsageError, digest, jsonl, replace_file
from wdw_study.event_log import EventLog
from wdw_study.people import SIGNED_IN

_STUDY, _ITEMS, _EVENTS, _SECRETS = "study.json", "items.jsonl", "events.sqlite", "secrets.json"
SCORE, EXPORT = "score.json", "export"
_HASH_LETTERS = 16
FILE_MODE = 0o600


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """What a study was drawn with: ``study.json``."""

    name: str
    """Name of the folder."""
    hash: str
    """Hash of the items."""
    run: str
    """Name of the run."""
    seed: int
    """Seed of the draw."""


H = TypeVar("H", bound=Head)
I = TypeVar("I", bound=msgspec.Struct)  # noqa: E741 (items)


class StudyFolder(Generic[H, I]):
    """A study on disk. A subclass names its kind and the types of its head and items."""

    KIND: ClassVar[str]
    HEAD: ClassVar[type[Any]]
    ITEM: ClassVar[type[Any]]

    def __init__(self, path: Path, head: H, items: Sequence[I]) -> None:
        self.path, self.head, self.items = path, head, tuple(items)

    @functools.cached_property
    def log(self) -> EventLog:
        """What people did."""
        return EventLog(self.path / _EVENTS)

    @property
    def secrets(self) -> Path:
        """The file of the tokens of its pages."""
        return self.path / _SECRETS

    @property
    def is_worked_on(self) -> bool:
        """Whether people did more than sign in. A log that nobody needs is not made."""
        return (self.path / _EVENTS).exists() and any(event.kind != SIGNED_IN for event in self.log.events())

    @classmethod
    def read(cls, path: Path) -> Self:
        """The study of a folder. Raises ``CorpusError`` if its files are damaged."""
        try:
            head = msgspec.json.decode((path / _STUDY).read_bytes(), type=cls.HEAD)
            lines = (path / _ITEMS).read_bytes().splitlines()
            items = [msgspec.json.decode(line, type=cls.ITEM) for line in lines]
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{path}: {error}", hint="restore the file, or delete the folder") from error
        if items_hash(items) != head.hash:
            raise CorpusError(f"{path / _ITEMS} was changed", hint="restore the file, or delete the folder")
        return cls(path, head, items)

    @classmethod
    def all(cls, run_folder: Path) -> list[Self]:
        """The studies of a run, by name."""
        return [cls.read(path.parent) for path in sorted((run_folder / cls.KIND).glob(f"*/{_STUDY}"))]

    @classmethod
    def open(cls, run_folder: Path, name: str = "") -> Self:
        """The study with a name; without one, the only one that people worked on, or the only one of the run.

        Raises ``UsageError`` if there is none or several.
        """
        folders = cls.all(run_folder)
        chosen = [folder for folder in folders if name in ("", folder.path.name)]
        worked_on = [folder for folder in chosen if folder.is_worked_on]
        candidates = worked_on if len(worked_on) == 1 else chosen
        if len(candidates) == 1:
            return candidates[0]
        if not folders:
            raise UsageError(f"the run has nothing to {cls.KIND}", hint=f"wdw-build {cls.KIND} -c FILE draws something")
        names = ", ".join(folder.path.name for folder in folders)
        kind = cls.HEAD.__name__.lower()
        raise UsageError(
            f"the run has no {kind} {name!r}" if name else f"the run has {len(folders)} of them",
            hint=f"--{kind}: {names}",
        )

    @classmethod
    def create(cls, run_folder: Path, head: H, items: Sequence[I]) -> Self:
        """Write a study, and return it. An older one that nobody worked on is replaced.

        Raises ``UsageError`` if people worked on an older one with other items.
        """
        folder = cls.unwritten(run_folder, head, items)
        path = folder.path
        if (path / _STUDY).exists():
            older = cls.read(path)
            if older.head != head and older.is_worked_on:
                raise UsageError(
                    f"{head.name!r} was drawn before the run or the options changed, and people worked on it",
                    hint="name it to continue with the older draw, or draw another one: another --seed or name",
                )
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path / _ITEMS, b"".join(map(jsonl.encode, items)), mode=FILE_MODE)
        replace_file(path / _STUDY, jsonl.document(head), mode=FILE_MODE)
        return folder

    @classmethod
    def unwritten(cls, run_folder: Path, head: H, items: Sequence[I]) -> Self:
        """A study that ``create`` would write."""
        return cls(run_folder / cls.KIND / head.name, head, items)


def items_hash(items: Sequence[msgspec.Struct]) -> str:
    """The hash of the items, for ``Head.hash``."""
    return str(digest(list(items)))[:_HASH_LETTERS]
