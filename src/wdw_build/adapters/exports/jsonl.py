"""Writes JSON lines: one file for each split, one problem a line, in the order of the problems.

``train.relaxed.jsonl`` holds the problems that only the relaxed level keeps, and all strict training problems.
``README.md`` is a dataset card, with which ``datasets.load_dataset`` reads the folder, and ``croissant.json`` has Croissant
metadata. The store also holds offsets, trees and BM25 scores, which the lines omit.
"""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.dataset_card import CROISSANT, FileSize, columns_of, dataset_card, write_croissant
from wdw_build.adapters.exports.split_files import SplitFileExporter, SplitFiles
from wdw_build.ports import ReleaseConfig
from wdw_build.records import BLANK, Problem, SplitAssignment, TokenSpan

FILES = SplitFiles.flat("jsonl/", ".jsonl")
CARD, METADATA = "jsonl/README.md", f"jsonl/{CROISSANT}"


class QuestionTokens(msgspec.Struct, frozen=True):
    """The question's tokens, split at the blank."""

    left: tuple[str, ...]
    """Tokens before the blank."""
    blank: tuple[str, ...]
    """Tokens of the deleted phrase."""
    right: tuple[str, ...]
    """Tokens after the blank."""


class QuestionLine(msgspec.Struct, frozen=True):
    """The question, in the JSONL export."""

    text: str
    """The sentence with `XXX` for the deleted phrase."""
    left: str
    """Raw text before the blank."""
    deleted: str
    """The deleted phrase; `left` + `deleted` + `right` is the sentence."""
    right: str
    """Raw text after the blank."""
    tokens: QuestionTokens
    """The tokens of the question."""
    name: str
    """The deleted person's name, within `deleted`."""


class PassageLine(msgspec.Struct, frozen=True):
    """The passage, in the JSONL export."""

    id: str
    """Id of the article."""
    date: dt.date
    """Date of the article."""
    source: str
    """Source of the article."""
    title: str
    """Title of the article; not part of the text."""
    text: str
    """The paragraphs, separated by blank lines."""


class ProblemLine(msgspec.Struct, frozen=True):
    """One line of the JSONL export."""

    id: str
    """Id of the problem, and of the question's article; a training alternative adds `~` and its number."""
    date: dt.date
    """Date of the question's article."""
    source: str
    """Source of the question's article."""
    question: QuestionLine
    """The question."""
    passage: PassageLine
    """The passage."""
    choices: tuple[str, ...]
    """The names, by first mention in the passage, or shuffled (`export.choices`)."""
    answer: int
    """Index of the answer in `choices`, from 0."""
    level: str
    """`strict`, `relaxed`, or `alternative` in the training alternatives."""
    event_score: float | None
    """Event score of the passage, from 0 to 1; null if no scorer ran."""
    evidence_score: float | None
    """Evidence score, from 0 to 1: how likely the passage decides for the answer; null if it was not computed."""


COLUMNS = columns_of(ProblemLine)


class JsonlExporter(SplitFileExporter):
    """Writes jsonl/{train,train.relaxed,validation,test}.jsonl, README.md and croissant.json; files of empty splits are empty.

    With `export.alternatives`, also jsonl/train.alternatives.jsonl.
    """

    identity = "jsonl 3"
    files = FILES

    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The line of a problem."""
        return encode_line(problem_line(problem, placed))

    def describe(self, folder: Path, written: dict[str, list[str]]) -> dict[str, list[str]]:
        """See ``write_card``."""
        return write_card(folder, written, self.release)


def write_card(folder: Path, written: dict[str, list[str]], release: ReleaseConfig) -> dict[str, list[str]]:
    """Write the dataset card and the Croissant metadata beside the files; return the ids in each file, theirs included."""
    files = SplitFiles.flat("", ".jsonl")
    sizes = {Path(name).name: FileSize(len(ids), (folder / name).stat().st_size) for name, ids in written.items()}
    (folder / CARD).write_text(dataset_card(files, sizes, COLUMNS, release), encoding="utf-8")
    write_croissant((folder / CARD).parent, files, COLUMNS, release)
    return {**written, CARD: [], METADATA: []}


def encode_line(line: ProblemLine) -> bytes:
    """The bytes of a line, with its newline."""
    return msgspec.json.encode(line) + b"\n"


def problem_line(problem: Problem, placed: SplitAssignment) -> ProblemLine:
    """The fields of a problem's line; Parquet and the keys use the same fields."""
    passage, question = problem.passage, problem.question
    blank = (question.blank.start, question.blank.end)
    return ProblemLine(
        id=problem.id,
        date=problem.date,
        source=question.source,
        question=question_line(question.sentence, blank, question.tokens, question.blank_tokens, question.name.text),
        passage=PassageLine(passage.article, passage.date, passage.source, passage.title, passage.text),
        choices=tuple(choice.name for choice in problem.choices),
        answer=problem.answer,
        level=placed.level,
        event_score=problem.event_score,
        evidence_score=problem.evidence_score,
    )


def question_line(
    sentence: str, blank: TokenSpan, tokens: tuple[str, ...], blank_tokens: TokenSpan, name: str
) -> QuestionLine:
    """The fields of a question. ``blank``: its characters [start, end) of the sentence; ``blank_tokens``: of the tokens."""
    (start, end), (first, last) = blank, blank_tokens
    left, right = sentence[:start], sentence[end:]
    return QuestionLine(
        text=left + BLANK + right,
        left=left,
        deleted=sentence[start:end],
        right=right,
        tokens=QuestionTokens(tokens[:first], tokens[first:last], tokens[last:]),
        name=name,
    )
