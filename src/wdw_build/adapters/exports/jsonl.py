"""Writes JSON lines: one file for each split, one problem a line, in the order of the problems.

``train.relaxed.jsonl`` holds the problems that only the relaxed level keeps, and all strict training problems.
``README.md`` is a dataset card, with which ``datasets.load_dataset`` reads the folder. The store also holds offsets, trees
and BM25 scores, which the lines omit.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.columns import columns_of
from wdw_build.adapters.exports.dataset_card import FileSize, dataset_card
from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.records import Problem, Question, SplitAssignment

BLANK = "XXX"


def jsonl_files(folder: str = "") -> SplitFiles:
    """The four files, in a folder such as ``jsonl/``."""
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


class JsonlExporter(SplitFileExporter):
    """Writes jsonl/{train,train.relaxed,validation,test}.jsonl and jsonl/README.md; files of empty splits are empty."""

    identity = "jsonl 2"
    files = FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The line of a problem."""
        return encode_line(problem_line(problem, placed))

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files and the card, as ``SplitFileExporter.write``."""
        return write_card(folder, super().write(folder, problems))


def write_card(folder: Path, written: dict[str, list[str]]) -> dict[str, list[str]]:
    """Write the dataset card beside the files; return the ids in each file, the card included."""
    sizes = {Path(name).name: FileSize(len(ids), (folder / name).stat().st_size) for name, ids in written.items()}
    (folder / CARD).write_text(dataset_card(jsonl_files(), sizes, COLUMNS), encoding="utf-8")
    return {**written, CARD: []}


def encode_line(line: ProblemLine) -> bytes:
    """The bytes of a line, with its newline."""
    return msgspec.json.encode(line) + b"\n"


def problem_line(problem: Problem, placed: SplitAssignment) -> ProblemLine:
    """The fields of a problem's line; Parquet and the keys use the same fields."""
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
