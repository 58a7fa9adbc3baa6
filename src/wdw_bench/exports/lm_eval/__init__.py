"""Writes tasks for EleutherAI's lm-evaluation-harness: JSON lines, task YAML and a README.

The tasks share the JSON lines: with and without the passage, the choice as a continuation (also divided by its likelihood
alone), filled into the sentence, as a letter, and as a generated answer, also to an instruction.

The canary is a hash of the problems, so that the same problems give the same bytes.

The YAML and the README are in ``templates``. The harness registers every file named ``*.yaml`` as a task or a group; the
settings that the tasks share are therefore in ``common_yaml``, which they include. Texts reach a prompt as values of Jinja
templates, and are never parsed as templates.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template

import msgspec

from wdw_build.api import SplitFiles, WithRelease, hash_order
from wdw_build.reading import answers
from wdw_build.reading.prompt import chat_prompt
from wdw_build.records import Problem, SplitAssignment

BLANK = "____"
# A list of the choices, in the language of the harness's templates.
_SHOWN = "{% for at in shown %}\n- {{ choices[at] }}{% endfor %}"
_FOLDER = "lm-eval"
_FILES = SplitFiles.flat(f"{_FOLDER}/", ".jsonl")
_TEMPLATES = Path(__file__).with_name("templates")
_CODE = (*(Path(__file__).with_name(name) for name in ("loader.py", "predictions.py")), Path(answers.__file__))


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
    shown: tuple[int, ...]
    """The order in which prompts list the choices: their indexes, shuffled by hash."""


@dataclass
class _Figures:
    """Figures about the strict problems of a split; ``chance`` is the sum of 1 / choices over the problems."""

    problems: int = 0
    chance: float = 0.0
    first: dt.date = dt.date.max
    last: dt.date = dt.date.min
    longest: int = 0

    def add(self, problem: Problem) -> None:
        """Count a problem."""
        self.problems += 1
        self.chance += 1 / len(problem.choices)
        self.first, self.last = min(self.first, problem.date), max(self.last, problem.date)
        self.longest = max(self.longest, len(problem.passage.text.split()))

    def row(self, split: str) -> str:
        """The row of the table in the README."""
        if not self.problems:
            return f"| {split} | 0 | | | |"
        chance = f"{self.chance / self.problems:.3f}"
        return f"| {split} | {self.problems} | {chance} | {self.first} to {self.last} | {self.longest} |"


class LmEvalExporter(WithRelease):
    """Writes lm-eval/ with four files of JSON lines, the tasks' YAML, README.md and three Python files."""

    identity = "lm-eval 3"

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files, reading the problems once; return the ids in each file.

        Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
        """
        content_hash = hashlib.sha256()
        splits = {split: _Figures() for split in ("train", "validation", "test")}

        def lines() -> Iterator[tuple[SplitAssignment, bytes]]:
            for problem, placed in problems:
                line = msgspec.json.encode(lm_eval_line(problem)) + b"\n"
                content_hash.update(f"{placed.level} {placed.split} ".encode() + line)
                if placed.level == "strict" and placed.split in splits:
                    splits[placed.split].add(problem)
                yield placed, line

        written = _FILES.write(folder, lines())
        # A string that occurs in no other text: a hash of all lines, levels and splits, in the form of a GUID.
        canary = f"wdw-build canary {uuid.UUID(bytes=content_hash.digest()[:16])}"
        for name in _FILES.names:
            _stamp(folder / name, canary)
        values = {
            "canary": canary,
            "rows": "\n".join(figures.row(split) for split, figures in splits.items()),
            **_split_settings([split for split, figures in splits.items() if figures.problems]),
            "chat": _chat_prompt("{{passage}}"),
            "chat_question_only": _chat_prompt(None),
        }
        texts = {path.name: path.read_text(encoding="utf-8") for path in _CODE}
        for path in sorted(_TEMPLATES.iterdir()):
            texts[path.name] = Template(path.read_text(encoding="utf-8")).substitute(values)
        for name, text in texts.items():
            (folder / _FOLDER / name).write_text(text, encoding="utf-8")
        return written | {f"{_FOLDER}/{name}": [] for name in texts} | self.write_release(folder, _FOLDER)


def _chat_prompt(passage: str | None) -> str:
    """The prompt of a chat model as a string of YAML, with the harness's placeholders for the texts of a problem."""
    return json.dumps(chat_prompt(passage, "{{question}}", "one of the names", _SHOWN, BLANK))


def _split_settings(splits: list[str]) -> dict[str, str]:
    """The lines of ``common_yaml`` about the splits with problems; no library loads an empty file."""
    names = {"train": "training_split", "validation": "validation_split", "test": "test_split"}
    lines = [f"{names[split]}: {split}" for split in splits]
    if "train" in splits:
        lines += ["fewshot_config:", "  split: train", "  sampler: default"]
    return {"files": "\n".join(f"    {split}: {split}.jsonl" for split in splits), "splits": "\n".join(lines)}


def lm_eval_line(problem: Problem) -> LmEvalLine:
    """The fields of a problem's line, without the canary."""
    question = problem.question
    names = tuple(_on_one_line(choice.name) for choice in problem.choices)
    return LmEvalLine(
        id=problem.id,
        date=problem.date.isoformat(),
        passage=problem.passage.text,
        question=_on_one_line(question.filled(BLANK)),
        choices=names,
        filled=tuple(_on_one_line(question.filled(name)) for name in names),
        answer=problem.answer,
        shown=tuple(hash_order(0, _FOLDER, [f"{problem.id}\x1f{name}" for name in names])),
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
