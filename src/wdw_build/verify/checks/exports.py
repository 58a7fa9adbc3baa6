"""The JSONL export: each file holds its split's problems, and a line says the same as the problem in dedup's output.

Of every problem only short hashes of its expected fields are kept, so that the files can be streamed in any order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.settings import Config, ExportConfig
from wdw_build.errors import CheckError
from wdw_build.records import Exported, Problem, SplitAssignment
from wdw_build.verify.checks.suppression import draw
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book, Ledger

JSONL = {
    ("strict", "train"): ("jsonl/train.jsonl", "jsonl/train.relaxed.jsonl"),
    ("relaxed", "train"): ("jsonl/train.relaxed.jsonl",),
    ("strict", "validation"): ("jsonl/validation.jsonl",),
    ("strict", "test"): ("jsonl/test.jsonl",),
}
XML_OF = {
    "jsonl/train.jsonl": "wdw-xml/Strict/train.xml",
    "jsonl/train.relaxed.jsonl": "wdw-xml/Relaxed/train.xml",
    "jsonl/validation.jsonl": "wdw-xml/Strict/val.xml",
    "jsonl/test.jsonl": "wdw-xml/Strict/test.xml",
}
_BLANK = "XXX"
_FIELDS = ("id", "date", "source", "question", "passage", "choices", "answer", "level", "event_score")
_HASH_BYTES = 8


def expected_files(place: SplitAssignment, formats: tuple[str, ...]) -> set[str]:
    """The files that a problem must stand in."""
    jsonl = JSONL.get((place.level, place.split), ())
    return {name for name in jsonl if "jsonl" in formats} | {XML_OF[name] for name in jsonl if "wdw-xml" in formats}


def without_low_scores(
    files: RunFiles, placed: dict[str, SplitAssignment], config: ExportConfig
) -> dict[str, SplitAssignment]:
    """The placed problems that the export must hold."""
    if not config.min_event_score:
        return placed
    low = {
        problem.id
        for problem in files.records("dedup", Problem)
        if problem.event_score is None or problem.event_score < config.min_event_score
    }
    return {name: place for name, place in placed.items() if name not in low}


def ordered(problem: Problem, config: Config) -> Problem:
    """The problem with its choices in the order of the export."""
    if config.export.choices == "passage":
        return problem
    answer = problem.choices[problem.answer]
    # A stable sort: choices with the same draw stay in their order.
    drawn = sorted(problem.choices, key=lambda choice: draw(config.seed, "export", f"{problem.id}\x1f{choice.name}"))
    return msgspec.structs.replace(problem, choices=tuple(drawn), answer=drawn.index(answer))


def expected_line(problem: Problem, level: str) -> dict[str, Any]:
    """What a line must say of a problem."""
    question, passage = problem.question, problem.passage
    first, last = question.blank_tokens
    left = question.sentence[: question.blank.start]
    right = question.sentence[question.blank.end :]
    return {
        "id": problem.id,
        "date": question.date.isoformat(),
        "source": question.source,
        "question": {
            "text": f"{left}{_BLANK}{right}",
            "left": left,
            "deleted": question.blank.text,
            "right": right,
            "tokens": {
                "left": question.tokens[:first],
                "blank": question.tokens[first:last],
                "right": question.tokens[last:],
            },
            "name": question.name.text,
        },
        "passage": {
            "id": passage.article,
            "date": passage.date.isoformat(),
            "source": passage.source,
            "title": passage.title,
            "text": passage.text,
        },
        "choices": [choice.name for choice in problem.choices],
        "answer": problem.answer,
        "level": level,
        "event_score": problem.event_score,
    }


def _hashes(line: dict[str, Any]) -> tuple[bytes, ...]:
    return tuple(
        hashlib.blake2b(msgspec.json.encode(line.get(field), order="sorted"), digest_size=_HASH_BYTES).digest()
        for field in _FIELDS
    )


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of an exported file. Raises ``CheckError`` if one is no JSON object with an id."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                found: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise CheckError(f"{path}:{number}: not a line of the export: {error}") from error
            yield found


def check_jsonl(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, book: Book) -> None:
    """Compare the lines of every file with the problems."""
    expected = {
        problem.id: b"".join(_hashes(expected_line(ordered(problem, config), placed[problem.id].level)))
        for problem in files.records("dedup", Problem)
        if problem.id in placed
    }
    for name in XML_OF:
        seen: set[str] = set()
        for line in read_lines(files.file(f"export/{name}")):
            seen.add(_once(line.get("id"), seen, name, book["export-files"]))
            _compare_line(line, expected, name, book["export-jsonl"])
        compare_ids(seen, name, placed, book["export-files"])


def _once(name: Any, seen: set[str], file: str, ledger: Ledger) -> str:
    if name in seen:
        ledger.fail(str(name), f"stands twice in {file}")
    return str(name)


def compare_ids(seen: set[str], file: str, placed: dict[str, SplitAssignment], ledger: Ledger) -> None:
    """Compare the ids in a file with those that are placed there."""
    formats = ("jsonl", "wdw-xml")
    wanted = {name for name, place in placed.items() if file in expected_files(place, formats)}
    ledger.tried(len(wanted))
    for name in sorted(wanted - seen):
        ledger.fail(name, f"is missing in {file}")
    for name in sorted(seen - wanted):
        ledger.fail(name, f"does not belong in {file}")


def _compare_line(line: dict[str, Any], expected: dict[str, bytes], file: str, ledger: Ledger) -> None:
    ledger.tried()
    name = str(line.get("id"))
    if name not in expected:
        return
    for at, found in enumerate(_hashes(line)):
        if found != expected[name][at * _HASH_BYTES : (at + 1) * _HASH_BYTES]:
            ledger.fail(name, f"{_FIELDS[at]} in {file} is not the problem's")
    if extra := sorted(line.keys() - set(_FIELDS)):
        ledger.fail(name, f"{file} has the fields {extra} besides")


def check_records(files: RunFiles, placed: dict[str, SplitAssignment], formats: tuple[str, ...], book: Book) -> None:
    """Compare what the export stage says of each problem with where it must stand.

    Of the formats that are not read here, only that the files which are named are there.
    """
    ledger = book["export-files"]
    for record in files.records("export", Exported):
        if record.id not in placed:
            continue
        wanted = expected_files(placed[record.id], formats)
        read = [name for name in record.files if name.startswith(("jsonl/", "wdw-xml/"))]
        if set(read) != wanted or len(read) != len(wanted):
            ledger.fail(record.id, f"is said to stand in {read}, not in {sorted(wanted)}")
        for name in set(record.files) - set(read):
            if not (files.folder / "export" / name).is_file():
                ledger.fail(record.id, f"is said to stand in {name}, which is not there")
