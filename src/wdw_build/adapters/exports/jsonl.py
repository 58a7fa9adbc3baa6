"""The dataset as JSON lines: one file a split, one problem a line, in the order in which the problems come.

``train.relaxed.jsonl`` is the relaxed training set: all strict training problems and those that only the relaxed level
keeps. ``README.md`` is a dataset card, by which ``datasets.load_dataset`` reads the folder. Offsets, trees and BM25 scores
are left out; they stay in the store.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.columns import columns_of
from wdw_build.adapters.exports.dataset_card import Size, card
from wdw_build.adapters.exports.split_files import SplitFiles
from wdw_build.records import Problem, Question, SplitAssignment

BLANK = "XXX"


def jsonl_files(folder: str = "") -> SplitFiles:
    """The four files; ``folder`` is what stands before them, such as ``jsonl/``."""
    return SplitFiles(
        train=f"{folder}train.jsonl",
        relaxed=f"{folder}train.relaxed.jsonl",
        validation=f"{folder}validation.jsonl",
        test=f"{folder}test.jsonl",
    )


FILES = jsonl_files("jsonl/")
CARD = "jsonl/README.md"


class QuestionTokens(msgspec.Struct, frozen=True):
    """The question's tokens, cut at the blank."""

    left: tuple[str, ...]
    blank: tuple[str, ...]
    right: tuple[str, ...]


class QuestionLine(msgspec.Struct, frozen=True):
    """The question: as a text with the blank as ``XXX``, in its three raw parts, and in tokens."""

    text: str
    left: str
    deleted: str
    right: str
    tokens: QuestionTokens
    name: str


class PassageLine(msgspec.Struct, frozen=True):
    """The passage, raw."""

    id: str
    date: dt.date
    source: str
    title: str
    text: str


class ProblemLine(msgspec.Struct, frozen=True):
    """One line of the export. ``answer`` is an index into ``choices``; ``event_score`` is None if no scorer ran."""

    id: str
    date: dt.date
    source: str
    question: QuestionLine
    passage: PassageLine
    choices: tuple[str, ...]
    answer: int
    level: str
    event_score: float | None


COLUMNS = columns_of(ProblemLine)


class JsonlExporter:
    """Writes jsonl/{train,train.relaxed,validation,test}.jsonl and jsonl/README.md; a split without problems: an empty file."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "jsonl 2"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files as the problems come; returns the ids in each file.

        Raises ``ValueError`` for a place that no file is for, such as a relaxed problem in the test set.
        """
        lines = ((placed, encode_line(problem_line(problem, placed))) for problem, placed in problems)
        return write_lines(folder, lines)


def write_lines(folder: Path, lines: Iterable[tuple[SplitAssignment, bytes]]) -> dict[str, list[str]]:
    """Write encoded lines into the files of their places, and the card; returns the ids in each file."""
    written = FILES.write(folder, lines)
    sizes = {Path(name).name: Size(len(ids), (folder / name).stat().st_size) for name, ids in written.items()}
    (folder / CARD).write_text(card(jsonl_files(), sizes, COLUMNS), encoding="utf-8")
    return {**written, CARD: []}


def encode_line(line: ProblemLine) -> bytes:
    """The bytes of a line, newline included."""
    return msgspec.json.encode(line) + b"\n"


def problem_line(problem: Problem, placed: SplitAssignment) -> ProblemLine:
    """What the line of a problem says; the other formats that keep every field start from it."""
    passage = problem.passage
    return ProblemLine(
        id=problem.id,
        date=problem.date,
        source=problem.question.source,
        question=_question(problem.question),
        passage=PassageLine(passage.article, passage.date, passage.source, passage.title, passage.text),
        choices=tuple(choice.name for choice in problem.choices),
        answer=problem.answer,
        level=placed.level,
        event_score=problem.event_score,
    )


def _question(question: Question) -> QuestionLine:
    start, end = question.blank_tokens
    return QuestionLine(
        text=question.left + BLANK + question.right,
        left=question.left,
        deleted=question.blank.text,
        right=question.right,
        tokens=QuestionTokens(question.tokens[:start], question.tokens[start:end], question.tokens[end:]),
        name=question.name.text,
    )
