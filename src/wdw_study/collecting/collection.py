"""A collection: the passages that people write questions about, its settings, and the export of its questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.api import Progress, Run, SentenceSplitter, UsageError, atomic_output, jsonl
from wdw_study.collecting.passages import Passage, draw_passages
from wdw_study.collecting.questions import Question, State, state_of
from wdw_study.collecting.rules import Limits
from wdw_study.collecting.scores import is_confirmed
from wdw_study.folder import Head, StudyFolder, items_hash
from wdw_study.people import aside_of

_NAME = re.compile(r"[\w-]+")
QUESTIONS = "questions.json"


class DrawOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What to draw; the fields of ``Collection`` of the same names describe them."""

    passages: int = 30
    seed: int = 0
    max_words: int = 400
    limits: Limits = Limits()
    adversary: str = "shallow"


class Collection(Head, frozen=True, kw_only=True):
    """What a collection was drawn with: its ``study.json``."""

    passages: int
    """Number of passages."""
    max_words: int
    """Most words of a passage."""
    limits: Limits
    """Thresholds of the rules."""
    adversary: str
    """Name of the adversary; `none`: questions are not checked by one."""


class CollectionFolder(StudyFolder[Collection, Passage]):
    """A collection on disk."""

    KIND, HEAD, ITEM = "collect", Collection, Passage
    # The last state, and the number of events that it is derived from.
    _last: tuple[int, State] | None = None

    def state(self) -> State:
        """The questions as they are now. They are derived again only if there are new events."""
        events = self.log.events()
        if self._last is None or self._last[0] != len(events):
            self._last = len(events), state_of(events)
        return self._last[1]

    def counted(self) -> State:
        """The state without the people whom the owner put aside."""
        return self.state().without(aside_of(self.log.events()))


def draw_collection(
    run: Run, name: str, options: DrawOptions, splitter: SentenceSplitter, progress: Progress
) -> CollectionFolder:
    """Draw a collection. Raises ``UsageError`` for a bad name, or if people worked on another draw of this name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a valid name of a collection", hint="use letters, digits, hyphens and underscores"
        )
    drawn = draw_passages(run, options.passages, options.seed, options.max_words, splitter, progress)
    collection = Collection(name=name, hash=items_hash(drawn), run=run.name, **msgspec.structs.asdict(options))
    return CollectionFolder.create(run.folder, collection, drawn)


# ---- export ----------------------------------------------------------------------------------------------------------


class ExportedQuestions(msgspec.Struct, frozen=True):
    """What was written."""

    file: str
    questions: int
    passages: int


def export_questions(
    opened: CollectionFolder, folder: Path, state: State, *, confirmed: bool = False, replace: bool = False
) -> ExportedQuestions:
    """Write the accepted questions of a state, or only the confirmed ones, in QUOREF's form.

    Raises ``UsageError`` if there are no questions, or if the folder has an earlier export and ``replace`` is false.
    """
    text = {passage.id: passage.text for passage in opened.items}
    questions = [
        question for question in state.questions if not confirmed or is_confirmed(question, text[question.passage])
    ]
    if not questions:
        raise UsageError(
            f"the collection {opened.head.name!r} has no {'confirmed' if confirmed else 'accepted'} question",
            hint="wdw-build collect -c FILE opens the pages on which people write and validate questions",
        )
    entries = [entry for passage in opened.items if (entry := _entry(passage, questions))]
    with atomic_output(folder, replace=replace) as staging:
        (staging / QUESTIONS).write_bytes(jsonl.encode({"version": "0.1", "data": entries}))
    return ExportedQuestions(str(folder / QUESTIONS), len(questions), len(entries))


def _entry(passage: Passage, questions: Sequence[Question]) -> dict[str, Any]:
    """The entry of a passage, with its questions in the order of writing; empty without questions."""
    entries = [
        {
            "id": question.id,
            "question": question.written.question,
            "answers": [
                {"text": passage.text[start:end], "answer_start": start}
                for start, end in sorted(question.written.spans)
            ],
        }
        for question in questions
        if question.passage == passage.id
    ]
    paragraph = {"context": passage.text, "context_id": passage.id, "qas": entries}
    return {"title": passage.title, "url": "", "paragraphs": [paragraph]} if entries else {}
