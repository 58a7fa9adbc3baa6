"""The folder of a collection, ``runs/<run>/collect/<name>``: its settings, its passages, the events, and the export.

The passages are stored, so that a collection stays the same when the run changes, and an interrupted server continues where
it stopped. Once people have worked on a collection, settings that would change the passages or the rules need a new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.adapters.exports.squad import Answer, QuestionAnswers, QuorefEntry, QuorefParagraph, encode_entries
from wdw_build.core.hashing import digest
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output
from wdw_build.dataset import Run
from wdw_build.errors import CorpusError, UsageError, WdwError
from wdw_build.ports import SentenceSplitter
from wdw_study.collection.passages import Passage, draw_passages
from wdw_study.collection.question_rules import Limits
from wdw_study.collection.question_scores import (
    VALIDATIONS,
    Table1,
    exported_validations,
    is_confirmed,
    table1,
)
from wdw_study.collection.question_state import Question, State, state_of
from wdw_study.event_log import EventLog
from wdw_study.people import SIGNED_IN, uncounted
from wdw_study.private_files import FILE_MODE, private_folder, write_private

FOLDER = "collect"
DEFAULT_ADVERSARY = "shallow"
_NAME = re.compile(r"[\w-]+")
QUESTIONS, STATISTICS = "questions.json", "statistics.json"
_COLLECTION, _PASSAGES, _EVENTS, _SECRETS = "collection.json", "passages.jsonl", "events.sqlite", "secrets.json"


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    """What a collection was drawn with: ``collection.json``."""

    name: str
    """Name of the folder."""
    hash: str
    """Hash of the passages."""
    run: str
    """Name of the run."""
    articles: str
    """Hash of the run's articles at the draw."""
    seed: int
    """Seed of the draw."""
    passages: int
    """Number of passages."""
    max_words: int
    """Most words of a passage."""
    limits: Limits
    """Thresholds of the rules."""
    adversary: str = DEFAULT_ADVERSARY
    """Name of the adversary; `none`: questions are not checked by one."""

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that a user may choose, by the names of ``open_or_draw``."""
        names = ("passages", "seed", "max_words", "adversary")
        return {"max_f1": self.limits.adversary, **{name: getattr(self, name) for name in names}}


@dataclass(frozen=True)
class CollectionFolder:
    """An open collection."""

    folder: Path
    collection: Collection
    passages: tuple[Passage, ...]
    log: EventLog
    # The last state, by the number of events that it is derived from.
    _states: dict[int, State] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def secrets(self) -> Path:
        """The file of the server's tokens."""
        return self.folder / _SECRETS

    @property
    def is_worked_on(self) -> bool:
        """Whether people did more than sign in."""
        return any(event.kind != SIGNED_IN for event in self.log.events())

    def state(self) -> State:
        """The questions as they are now. They are derived again only if there are new events."""
        events = self.log.events()
        state = self._states.get(len(events))
        if state is None:
            state = state_of(events)
            self._states.clear()
            self._states[len(events)] = state
        return state

    def counted(self, persons: Sequence[str] = (), exclude: Sequence[str] = ()) -> State:
        """The state without those whose work does not count (``people.uncounted``).

        Raises ``UsageError`` if nobody has one of the names.
        """
        return self.state().without(uncounted(self.log.events(), persons, exclude))


def folder_of(run: Path, name: str) -> Path:
    """The folder of a collection. Raises ``UsageError`` unless the name has letters, digits, hyphens and underscores alone."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a valid name of a collection", hint="use letters, digits, hyphens and underscores"
        )
    return run / FOLDER / name


def open_collection(folder: Path) -> CollectionFolder:
    """An existing collection. Raises ``UsageError`` if there is none, ``CorpusError`` if its files are damaged."""
    if not (folder / _COLLECTION).exists():
        known = sorted(path.parent.name for path in folder.parent.glob(f"*/{_COLLECTION}"))
        raise UsageError(
            f"there is no collection {folder.name!r} in {folder.parent}",
            hint=f"--collection with one of {', '.join(known)}" if known else "wdw-build collect -c FILE creates one",
        )
    try:
        collection = msgspec.json.decode((folder / _COLLECTION).read_bytes(), type=Collection)
        lines = (folder / _PASSAGES).read_bytes().splitlines()
        passages = tuple(msgspec.json.decode(line, type=Passage) for line in lines)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{folder}: {error}", hint="restore the file, or use another --collection") from error
    if digest(passages) != collection.hash:
        raise CorpusError(f"{folder / _PASSAGES} was changed", hint="restore the file, or use another --collection")
    return CollectionFolder(folder, collection, passages, EventLog(folder / _EVENTS))


def adversary_of(folder: Path) -> str:
    """Name of the adversary of a collection, or the default if there is no such collection."""
    return open_collection(folder).collection.adversary if (folder / _COLLECTION).exists() else DEFAULT_ADVERSARY


def open_or_draw(
    folder: Path,
    articles: Callable[[], Run],
    given: Mapping[str, Any],
    splitter: Callable[[], SentenceSplitter],
    progress: Progress,
) -> CollectionFolder:
    """The collection, drawn if it does not exist, and drawn again with other settings if nobody has worked on it.

    ``given`` are the settings that a user gave; the others stay, or have the defaults of ``_draw``. ``articles`` gives the
    run whose articles are drawn from; it raises ``UsageError`` if they are not up to date. Raises ``UsageError`` if people
    worked on the collection with other settings.
    """
    if not (folder / _COLLECTION).exists():
        _draw(folder, articles(), splitter(), progress, **given)
        return open_collection(folder)
    opened = open_collection(folder)
    stored = opened.collection.settings
    other = [name for name in given if given[name] != stored[name]]
    if not other:
        try:
            is_current = articles().articles.manifest.content_hash == opened.collection.articles
        except WdwError:
            is_current = False
        if not is_current:
            progress.say(f"warning: the articles changed after {folder.name!r} was drawn; its passages are kept")
        return opened
    if opened.is_worked_on:
        name = other[0]
        raise UsageError(
            f"the collection {opened.collection.name!r} has {name.replace('_', ' ')} {stored[name]}, not {given[name]}",
            hint="omit the option to continue it, or begin another one with --collection NAME",
        )
    progress.say(f"{folder.name!r} is drawn again: the settings are others, and nobody has worked on it")
    _draw(folder, articles(), splitter(), progress, **{**stored, **given})
    return open_collection(folder)


def _draw(
    folder: Path,
    run: Run,
    splitter: SentenceSplitter,
    progress: Progress,
    *,
    passages: int = 30,
    seed: int = 0,
    max_words: int = 400,
    max_f1: float = Limits().adversary,
    adversary: str = DEFAULT_ADVERSARY,
) -> None:
    drawn = tuple(draw_passages(run, passages, seed, max_words, splitter, progress))
    collection = Collection(
        name=folder.name,
        hash=digest(drawn),
        run=run.name,
        articles=run.articles.manifest.content_hash,
        seed=seed,
        passages=passages,
        max_words=max_words,
        limits=Limits(adversary=max_f1),
        adversary=adversary,
    )
    # The passages come first: a folder without collection.json is drawn again.
    private_folder(folder)
    write_private(folder / _PASSAGES, b"".join(map(jsonl.encode, drawn)))
    write_private(folder / _COLLECTION, jsonl.document(collection))


# ---- export ----------------------------------------------------------------------------------------------------------


class ExportStatistics(Table1, frozen=True):
    """``statistics.json`` of an export."""

    confirmed_only: bool
    """Whether the export has only the questions that second persons confirmed."""


class ExportedQuestions(msgspec.Struct, frozen=True):
    """What was written."""

    folder: str
    files: tuple[str, ...]
    table1: ExportStatistics


def export_questions(
    opened: CollectionFolder,
    folder: Path,
    state: State | None = None,
    *,
    confirmed: bool = False,
    validations: bool = False,
    replace: bool = False,
) -> ExportedQuestions:
    """Write the accepted questions of a state, by default that of everybody who counts, or only the confirmed ones.

    With ``validations``, also write what each person said of them. Raises ``UsageError`` if there are no questions, or if
    the folder has an earlier export and ``replace`` is false.
    """
    state = state or opened.counted()
    text = {passage.id: passage.text for passage in opened.passages}
    questions = [
        question for question in state.questions if not confirmed or is_confirmed(question, text[question.passage])
    ]
    if not questions:
        raise UsageError(
            f"the collection {opened.collection.name!r} has no {'confirmed' if confirmed else 'accepted'} question",
            hint="wdw-build collect -c FILE opens the pages on which people write and validate questions",
        )
    described = ExportStatistics(**msgspec.structs.asdict(table1(questions, opened.passages)), confirmed_only=confirmed)
    if replace:
        # The validations of an earlier export are of other questions.
        (folder / VALIDATIONS).unlink(missing_ok=True)
    with atomic_output(folder, replace=replace) as staging:
        (staging / QUESTIONS).write_bytes(encode_entries(list(_entries(opened.passages, questions))))
        (staging / STATISTICS).write_bytes(jsonl.document(described))
        if validations:
            (staging / VALIDATIONS).touch(FILE_MODE)
            (staging / VALIDATIONS).write_bytes(b"".join(map(jsonl.encode, exported_validations(questions, text))))
    files = (QUESTIONS, STATISTICS, *([VALIDATIONS] if validations else []))
    return ExportedQuestions(str(folder), files, described)


def _entries(passages: Sequence[Passage], questions: Sequence[Question]) -> Iterator[QuorefEntry]:
    """An entry for each passage with questions, in the order of the collection; questions in the order of writing."""
    for passage in passages:
        asked = []
        for question in questions:
            if question.passage == passage.id:
                spans = sorted(question.written.spans)
                answers = tuple(Answer(passage.text[start:end], start) for start, end in spans)
                asked.append(QuestionAnswers(question.id, question.written.question, answers))
        if asked:
            yield QuorefEntry(passage.title, "", (QuorefParagraph(passage.text, passage.id, tuple(asked)),))
