"""The SQuAD and QUOREF exports: every answer is in the context at its offset, and names the right person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config
from wdw_build.errors import CheckError
from wdw_build.records import Problem, Pseudonyms, SplitAssignment
from wdw_build.verify.files import RecordsById, RunFiles
from wdw_build.verify.report import Recorders
from wdw_build.verify.words import is_subsequence, name_words

FORMATS = ("squad", "quoref")
_FILES = ("train.json", "train.relaxed.json", "validation.json", "test.json")


def check(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Check every answer of both formats, if they are exported."""
    problems = RecordsById(files, "problems", Problem, placed)
    renamed = None if config.export.names == "original" else RecordsById(files, "pseudonyms", Pseudonyms, placed)
    recorder = recorders["export-spans"]
    for path in (
        f"{files.exports}/{form}/{name}" for form in FORMATS if form in config.export.formats for name in _FILES
    ):
        if not (files.folder / path).is_file():
            recorder.fail(path, "is missing")
            continue
        for context, question in _questions(files.folder / path):
            recorder.count()
            problem_id = str(question["id"])
            problem = problems.find(problem_id)
            pseudonyms = renamed.find(problem_id) if renamed else None
            if problem is None or (renamed and pseudonyms is None):
                recorder.fail(problem_id, f"does not belong in {path}")
                continue
            for fault in _faults(context, question["answers"], _answer(problem, pseudonyms, config.export.names)):
                recorder.fail(problem_id, f"{path}: {fault}")


def _questions(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The context and the question of each entry. Raises ``CheckError``; a file has an entry a line between two others."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.startswith(b'{"title"'):
                continue
            try:
                entry: dict[str, Any] = msgspec.json.decode(line.rstrip(b",\n"))
                for paragraph in entry["paragraphs"]:
                    yield from ((paragraph["context"], question) for question in paragraph["qas"])
            except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError) as error:
                raise CheckError(f"{path}:{number}: not an entry of the export: {error!r}") from error


def _answer(problem: Problem, pseudonyms: Pseudonyms | None, names: str) -> str:
    if pseudonyms is None:
        return problem.choices[problem.answer].name
    person = next(person for person in pseudonyms.persons if person.choice == problem.answer)
    return person.code if names == "codes" else person.surrogate


def _faults(context: str, answers: list[dict[str, Any]], name: str) -> Iterator[str]:
    if not answers:
        yield "has no answer"
    for answer in answers:
        start, text = answer["answer_start"], answer["text"]
        if context[start : start + len(text)] != text:
            yield f"the context has {context[start : start + len(text)]!r} at {start}, not {text!r}"
        if not is_subsequence(name_words(name), name_words(text)):
            yield f"{text!r} is not the name of the answer, {name!r}"
