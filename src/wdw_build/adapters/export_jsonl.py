"""The dataset as JSON lines: one file a split, one problem a line, in the order in which the problems come.

``train.relaxed.jsonl`` is the relaxed training set: all strict training problems and those that only the relaxed level
keeps. Offsets, trees and scores are left out; they stay in the store.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import msgspec

from wdw_build.records import Placed, Problem, Question

BLANK = "XXX"
_TRAIN, _RELAXED = "jsonl/train.jsonl", "jsonl/train.relaxed.jsonl"
FILES = {
    ("strict", "train"): (_TRAIN, _RELAXED),
    ("relaxed", "train"): (_RELAXED,),
    ("strict", "validation"): ("jsonl/validation.jsonl",),
    ("strict", "test"): ("jsonl/test.jsonl",),
}


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
    """One line of the export. ``answer`` is an index into ``choices``."""

    id: str
    date: dt.date
    source: str
    question: QuestionLine
    passage: PassageLine
    choices: tuple[str, ...]
    answer: int
    level: str


class JsonlExporter:
    """Writes jsonl/{train,train.relaxed,validation,test}.jsonl; a split without problems gives an empty file."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "jsonl 1"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, Placed]]) -> dict[str, list[str]]:
        """Write the files as the problems come; returns the ids in each file.

        Raises ``ValueError`` for a place that no file is for, such as a relaxed problem in the test set.
        """
        written: dict[str, list[str]] = {name: [] for names in FILES.values() for name in names}
        (folder / "jsonl").mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            streams = {name: stack.enter_context((folder / name).open("wb")) for name in written}
            for problem, placed in problems:
                line = msgspec.json.encode(_line(problem, placed)) + b"\n"
                for name in _names(placed):
                    streams[name].write(line)
                    written[name].append(problem.id)
        return written


def _names(placed: Placed) -> tuple[str, ...]:
    try:
        return FILES[placed.level, placed.split]
    except KeyError:
        raise ValueError(f"{placed.id}: no file is for {placed.level} problems of {placed.split}") from None


def _line(problem: Problem, placed: Placed) -> ProblemLine:
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
