"""Writes tasks for EleutherAI's lm-evaluation-harness: JSON lines, task YAML and a README.

Five tasks share the JSON lines: with and without the passage, the choice as a continuation or filled into the sentence,
and as a generated answer. The canary is a hash of the problems, so that the same problems give the same bytes.
"""

from __future__ import annotations

import hashlib
import shutil
import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.lm_eval_files import SplitFacts, common_yaml, readme, task_files
from wdw_build.adapters.exports.split_files import SplitFiles
from wdw_build.records import Problem, SplitAssignment

BLANK = "____"
FOLDER = "lm-eval"
_FILES = SplitFiles(
    train=f"{FOLDER}/train.jsonl",
    relaxed=f"{FOLDER}/train.relaxed.jsonl",
    validation=f"{FOLDER}/validation.jsonl",
    test=f"{FOLDER}/test.jsonl",
)


class LmEvalLine(msgspec.Struct, frozen=True):
    """One line of the lm-eval export; on disk, `canary` is its first field. White space in a sentence is one space."""

    id: str
    """Id of the problem."""
    date: str
    """Date of the question's article."""
    passage: str
    """The passage: paragraphs with a blank line between."""
    question: str
    """The sentence with `____` for the deleted phrase."""
    choices: tuple[str, ...]
    """The names, in the order of the export."""
    filled: tuple[str, ...]
    """The sentence with each choice in place of the deleted phrase."""
    answer: int
    """Index of the answer in `choices` and `filled`, from 0."""


class LmEvalExporter:
    """Writes lm-eval/ with four files of JSON lines, the tasks' YAML, loader.py and README.md."""

    identity = "lm-eval 1"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files, reading the problems once; return the ids in each file.

        Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
        """
        survey = _Survey()
        written = _FILES.write(folder, survey.lines(problems))
        canary = survey.canary
        for name in _FILES.names:
            _stamp(folder / name, canary)
        texts = task_files()
        present = {split: facts for split, facts in survey.splits.items() if facts.problems}
        texts["common_yaml"] = common_yaml(list(present), canary)
        texts["README.md"] = readme(survey.splits, canary)
        for name, text in texts.items():
            (folder / FOLDER / name).write_text(text, encoding="utf-8")
        shutil.copyfile(Path(__file__).with_name("lm_eval_loader.py"), folder / FOLDER / "loader.py")
        return {**written, **{f"{FOLDER}/{name}": [] for name in (*texts, "loader.py")}}


class _Survey:
    """Facts about the problems, gathered while their lines pass."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.splits = {split: SplitFacts() for split in ("train", "validation", "test")}

    def lines(self, problems: Iterable[tuple[Problem, SplitAssignment]]) -> Iterator[tuple[SplitAssignment, bytes]]:
        for problem, placed in problems:
            line = msgspec.json.encode(lm_eval_line(problem)) + b"\n"
            self._hash.update(f"{placed.level} {placed.split} ".encode() + line)
            if placed.level == "strict" and placed.split in self.splits:
                self.splits[placed.split].add(problem)
            yield placed, line

    @property
    def canary(self) -> str:
        """A string that occurs in no other text: a hash of all lines, levels and splits, in the form of a GUID."""
        return f"wdw-build canary {uuid.UUID(bytes=self._hash.digest()[:16])}"


def lm_eval_line(problem: Problem) -> LmEvalLine:
    """The fields of a problem's line, without the canary."""
    question = problem.question
    names = tuple(_on_one_line(choice.name) for choice in problem.choices)
    return LmEvalLine(
        id=problem.id,
        date=problem.date.isoformat(),
        passage=problem.passage.text,
        question=_on_one_line(question.left + BLANK + question.right),
        choices=names,
        filled=tuple(_on_one_line(question.left + name + question.right) for name in names),
        answer=problem.answer,
    )


def _on_one_line(text: str) -> str:
    """The text with single spaces for white space: a newline in a sentence would end the part of a prompt."""
    return " ".join(text.split())


def _stamp(path: Path, canary: str) -> None:
    """Put the canary before the fields of each line. It is known only after the last problem has been read."""
    unstamped = path.rename(path.with_name(f"{path.name}.unstamped"))
    head = b'{"canary":' + msgspec.json.encode(canary) + b","
    with unstamped.open("rb") as lines, path.open("wb") as stream:
        stream.writelines(head + line[1:] for line in lines)
    unstamped.unlink()
