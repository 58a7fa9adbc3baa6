"""The JSONL export: each file holds the problems of its split, and each line equals the problem in the output of problems.

Memory holds only short hashes of the expected fields of each problem; the files are streamed.
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
from wdw_build.verify.files import RunFiles
from wdw_build.verify.hashing import uniform_hash
from wdw_build.verify.report import CheckRecorder, Recorders

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
BLANK = "XXX"
FIELDS = ("id", "date", "source", "question", "passage", "choices", "answer", "level", "event_score")
_HASH_BYTES = 8


def expected_files(place: SplitAssignment, formats: tuple[str, ...]) -> set[str]:
    """The files that a problem belongs in."""
    jsonl = JSONL.get((place.level, place.split), ())
    return {name for name in jsonl if "jsonl" in formats} | {XML_OF[name] for name in jsonl if "wdw-xml" in formats}


def without_low_scores(
    files: RunFiles, placed: dict[str, SplitAssignment], config: ExportConfig
) -> dict[str, SplitAssignment]:
    """The placements of the problems with an event score of at least ``export.min_event_score``."""
    if not config.min_event_score:
        return placed
    low = {
        problem.id
        for problem in files.records("problems", Problem)
        if problem.event_score is None or problem.event_score < config.min_event_score
    }
    return {name: place for name, place in placed.items() if name not in low}


def ordered(problem: Problem, config: Config) -> Problem:
    """The problem with its choices in the order of the export."""
    if config.export.choices == "passage":
        return problem
    answer = problem.choices[problem.answer]
    # The sort is stable: choices with equal hashes keep their order.
    drawn = sorted(
        problem.choices, key=lambda choice: uniform_hash(config.seed, "export", f"{problem.id}\x1f{choice.name}")
    )
    return msgspec.structs.replace(problem, choices=tuple(drawn), answer=drawn.index(answer))


def expected_line(problem: Problem, level: str) -> dict[str, Any]:
    """The line that the export writes for a problem."""
    question, passage = problem.question, problem.passage
    first, last = question.blank_tokens
    left = question.sentence[: question.blank.start]
    right = question.sentence[question.blank.end :]
    return {
        "id": problem.id,
        "date": question.date.isoformat(),
        "source": question.source,
        "question": {
            "text": f"{left}{BLANK}{right}",
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
        for field in FIELDS
    )


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of an exported file. Raises ``CheckError`` if a line is not a JSON object."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                fields: dict[str, Any] = msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise CheckError(f"{path}:{number}: not a line of the export: {error}") from error
            yield fields


def check_jsonl(files: RunFiles, placed: dict[str, SplitAssignment], config: Config, recorders: Recorders) -> None:
    """Compare every line of every file with its problem."""
    expected = {
        problem.id: b"".join(_hashes(expected_line(ordered(problem, config), placed[problem.id].level)))
        for problem in files.records("problems", Problem)
        if problem.id in placed
    }
    for name in XML_OF:
        seen: set[str] = set()
        for line in read_lines(files.exported(name)):
            seen.add(seen_once(line.get("id"), seen, name, recorders["export-files"]))
            _compare_line(line, expected, name, recorders["export-jsonl"])
        compare_ids(seen, name, placed, recorders["export-files"])


def seen_once(name: Any, seen: set[str], file: str, recorder: CheckRecorder) -> str:
    """The id of a line as text; records a failure if the file holds the id before."""
    if name in seen:
        recorder.fail(str(name), f"is twice in {file}")
    return str(name)


def compare_ids(seen: set[str], file: str, placed: dict[str, SplitAssignment], recorder: CheckRecorder) -> None:
    """Compare the ids in a file with those that belong in it."""
    formats = ("jsonl", "wdw-xml")
    wanted = {name for name, place in placed.items() if file in expected_files(place, formats)}
    recorder.count(len(wanted))
    for name in sorted(wanted - seen):
        recorder.fail(name, f"is missing from {file}")
    for name in sorted(seen - wanted):
        recorder.fail(name, f"does not belong in {file}")


def _compare_line(line: dict[str, Any], expected: dict[str, bytes], file: str, recorder: CheckRecorder) -> None:
    recorder.count()
    name = str(line.get("id"))
    if name not in expected:
        return
    for index, field_hash in enumerate(_hashes(line)):
        if field_hash != expected[name][index * _HASH_BYTES : (index + 1) * _HASH_BYTES]:
            recorder.fail(name, f"the field {FIELDS[index]} in {file} differs from the problem")
    if extra := sorted(line.keys() - set(FIELDS)):
        recorder.fail(name, f"{file} has the undocumented fields {extra}")


def check_records(
    files: RunFiles, placed: dict[str, SplitAssignment], formats: tuple[str, ...], recorders: Recorders
) -> None:
    """Compare the files that the export stage records for each problem with those that it belongs in.

    For formats other than jsonl and wdw-xml, check only that the recorded files exist.
    """
    recorder = recorders["export-files"]
    for record in files.records("export", Exported):
        if record.id not in placed:
            continue
        wanted = expected_files(placed[record.id], formats)
        read = [name for name in record.files if name.startswith(("jsonl/", "wdw-xml/"))]
        if set(read) != wanted or len(read) != len(wanted):
            recorder.fail(record.id, f"is recorded in {read}, but belongs in {sorted(wanted)}")
        for name in set(record.files) - set(read):
            if not (files.folder / "export" / name).is_file():
                recorder.fail(record.id, f"is recorded in {name}, which does not exist")
