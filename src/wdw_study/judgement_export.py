"""The judgements of a sheet as files for other programs: JSON lines, a table, and the forms of Label Studio and Argilla.

The forms do not have the key. Label Studio: https://labelstud.io/guide/task_format; the import makes one annotation of each
judgement, with the person in the control ``person``. Argilla (2.5 or later): the files of ``Dataset.to_disk``; a response
needs the id of a user, so ``users.json`` has an id for each person, with which the users are created first.
"""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec

from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import atomic_output
from wdw_study.private_files import FILE_MODE
from wdw_study.sheets import CANNOT_TELL, PHENOMENA, Judged, Judgement, SheetProblem

JUDGEMENTS, TABLE = "judgements.jsonl", "judgements.csv"
# A spreadsheet program takes a cell that begins with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class ExportedJudgement(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one problem: a line of ``judgements.jsonl``, a row of ``judgements.csv``."""

    sheet: str
    """Name of the sheet."""
    number: int
    """Place of the problem on the sheet, from 1."""
    problem: str
    """Id of the problem."""
    person: str
    """Name of the person."""
    answer: str | None
    """The name that the person chose, or `cannot tell`; null without an answer, and for the task `phenomena`."""
    answer_index: int | None
    """Index of `answer` in the choices of the problem, from 0; null if it is no choice."""
    right: bool | None
    """Whether the answer is that of the key (`cannot tell` is not); null if `answer` is."""
    faults: tuple[str, ...]
    """Labels of faults."""
    phenomena: tuple[str, ...]
    """Labels of the task `phenomena`."""
    note: str
    """Free text."""
    seconds: float | None
    """Time that the page of the problem was open and visible until the last answer; null if unknown."""


def export_judgements(judged: Judged, folder: Path, *, replace: bool) -> tuple[int, list[Path]]:
    """Write the judgements into a folder, in all forms. Returns their number and the files.

    Raises ``UsageError`` if the folder has earlier output and ``replace`` is false.
    """
    rows = list(exported(judged))
    files = {JUDGEMENTS: b"".join(map(jsonl.encode, rows)), TABLE: _table(rows), **tool_files(judged)}
    with atomic_output(folder, replace=replace) as staging:
        for name, content in files.items():
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).touch(FILE_MODE)
            (staging / name).write_bytes(content)
    return len(rows), [folder / name for name in files]


def exported(judged: Judged) -> Iterator[ExportedJudgement]:
    """The judgements by person, then in the order of the sheet."""
    problems = {problem.id: problem for problem in judged.problems}
    for judgement in judged.judgements:
        problem = problems[judgement.problem]
        yield ExportedJudgement(
            sheet=judged.sheet.name,
            number=problem.number,
            problem=problem.id,
            person=judgement.person,
            answer=_answer(judgement, judged, problem.choices) or None,
            answer_index=judgement.answer,
            right=judgement.answer == problem.answer if _has_answer(judgement, judged) else None,
            faults=judgement.faults,
            phenomena=judgement.phenomena,
            note=judgement.note,
            seconds=judgement.seconds,
        )


def _has_answer(judgement: Judgement, judged: Judged) -> bool:
    return judgement.answered and judged.sheet.task == "answer"


def _answer(judgement: Judgement, judged: Judged, choices: Sequence[str]) -> str:
    """The answer as one of ``choices``, or ``cannot tell``; empty without an answer."""
    if not _has_answer(judgement, judged):
        return ""
    return CANNOT_TELL if judgement.answer is None else choices[judgement.answer]


def _table(rows: list[ExportedJudgement]) -> bytes:
    """The rows as CSV (RFC 4180) with a head; labels are separated by spaces, and null is an empty cell."""
    lines = io.StringIO(newline="")
    table = csv.writer(lines)
    table.writerow(ExportedJudgement.__struct_fields__)
    for row in rows:
        table.writerow(map(_cell, msgspec.structs.astuple(row)))
    return lines.getvalue().encode("utf-8", "replace")


def _cell(value: object) -> object:
    """A value as a cell. Text that a spreadsheet program would compute gets an apostrophe before it."""
    if isinstance(value, tuple):
        return " ".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


_TASKS, _CONTROLS = "label-studio.json", "label-studio.xml"
_ARGILLA = "argilla"
_TEXTS = ("question", "passage")
_HEADS = {"answer": "Who is XXX?", "phenomena": "What does finding the answer take?"}


def tool_files(judged: Judged) -> dict[str, bytes]:
    """Path of a file within the export -> its content."""
    persons = sorted({judgement.person for judgement in judged.judgements})
    users = {person: str(uuid.uuid5(uuid.NAMESPACE_URL, f"{judged.sheet.hash}/{person}")) for person in persons}
    by_problem: dict[str, list[Judgement]] = {problem.id: [] for problem in judged.problems}
    for judgement in judged.judgements:
        by_problem[judgement.problem].append(judgement)
    return {
        _TASKS: jsonl.document([_task(problem, by_problem[problem.id], judged) for problem in judged.problems]),
        _CONTROLS: _controls(judged),
        f"{_ARGILLA}/records.json": jsonl.document(
            [_record(problem, by_problem[problem.id], judged, users) for problem in judged.problems]
        ),
        f"{_ARGILLA}/.argilla/settings.json": jsonl.document(_settings(judged)),
        f"{_ARGILLA}/.argilla/dataset.json": jsonl.document({"name": judged.sheet.name}),
        f"{_ARGILLA}/users.json": jsonl.document([{"username": name, "id": user} for name, user in users.items()]),
    }


def _said(judgement: Judgement, answer: str) -> dict[str, Any]:
    """What a judgement says, by question; without questions that it leaves open. ``answer``: its answer, or empty."""
    said = {
        "answer": answer,
        "phenomena": list(judgement.phenomena),
        "faults": list(judgement.faults),
        "note": judgement.note,
    }
    return {name: value for name, value in said.items() if value}


def _labels(judged: Judged) -> dict[str, Mapping[str, str]]:
    """The questions with fixed labels -> label and meaning."""
    tasks = {"phenomena": PHENOMENA} if judged.sheet.task == "phenomena" else {}
    return {**tasks, "faults": judged.sheet.faults}


# ---- Label Studio ----------------------------------------------------------------------------------------------------


def _task(problem: SheetProblem, judgements: Iterable[Judgement], judged: Judged) -> dict[str, Any]:
    return {
        "data": {
            "id": problem.id,
            "number": problem.number,
            "question": problem.question,
            "passage": problem.passage,
            "choices": [{"value": name} for name in (*problem.choices, CANNOT_TELL)],
        },
        "annotations": [_annotation(judgement, problem, judged) for judgement in judgements],
    }


def _annotation(judgement: Judgement, problem: SheetProblem, judged: Judged) -> dict[str, Any]:
    said = {"person": judgement.person, **_said(judgement, _answer(judgement, judged, problem.choices))}
    results = []
    for name, value in said.items():
        kind, form = ("textarea", "text") if name in ("person", "note") else ("choices", "choices")
        values = value if isinstance(value, list) else [value]
        results.append({"from_name": name, "to_name": "question", "type": kind, "value": {form: values}})
    timed = {} if judgement.seconds is None else {"lead_time": judgement.seconds}
    return {"result": results, **timed}


def _controls(judged: Judged) -> bytes:
    """The labelling configuration of the tasks."""
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value=_HEADS[judged.sheet.task])
    for name in _TEXTS:
        ElementTree.SubElement(view, "Text", name=name, value=f"${name}")
    if judged.sheet.task == "answer":
        ElementTree.SubElement(view, "Choices", name="answer", toName="question", value="$choices", required="true")
    for name, labels in _labels(judged).items():
        choices = ElementTree.SubElement(view, "Choices", name=name, toName="question", choice="multiple")
        for label, meaning in labels.items():
            ElementTree.SubElement(choices, "Choice", value=label, hint=meaning)
    for name in ("note", "person"):
        ElementTree.SubElement(view, "TextArea", name=name, toName="question", placeholder=name)
    ElementTree.indent(view)
    return ElementTree.tostring(view) + b"\n"


# ---- Argilla ---------------------------------------------------------------------------------------------------------


def _record(
    problem: SheetProblem, judgements: Iterable[Judgement], judged: Judged, users: Mapping[str, str]
) -> dict[str, Any]:
    numbers = [str(number) for number, _ in enumerate(problem.choices, 1)]
    listed = "\n".join(f"{number}. {name}" for number, name in zip(numbers, problem.choices, strict=True))
    texts = {"question": problem.question, "passage": problem.passage, "choices": listed}
    responses: dict[str, list[dict[str, str]]] = {}
    for judgement in judgements:
        status = "submitted" if judgement.answered else "draft"
        for name, value in _said(judgement, _answer(judgement, judged, numbers)).items():
            given = {"value": value, "user_id": users[judgement.person], "status": status}
            responses.setdefault(name, []).append(given)
    return {
        "id": problem.id,
        "fields": {name: text for name, text in texts.items() if text},
        "metadata": {"number": problem.number},
        "responses": responses,
    }


def _settings(judged: Judged) -> dict[str, Any]:
    """The settings of the dataset. All records of a dataset have the same labels, so an answer is the number of a choice."""
    most = max((len(problem.choices) for problem in judged.problems), default=0)
    answers = {name: name for name in (*map(str, range(1, most + 1)), CANNOT_TELL)}
    text = {"type": "text", "use_markdown": False}
    questions = [_labelled("answer", answers, multiple=False, required=True)] if judged.sheet.task == "answer" else []
    for name, labels in _labels(judged).items():
        questions.append(_labelled(name, labels, multiple=True, required=name == "phenomena"))
    questions.append(_named("note", text, required=False))
    number = {"type": "integer", "visible_for_annotators": True}
    return {
        "guidelines": _HEADS[judged.sheet.task],
        "fields": [_named(name, text, required=name != "passage") for name in (*_TEXTS, "choices")],
        "questions": questions,
        "metadata": [{"name": "number", "title": "number", "settings": number, "visible_for_annotators": True}],
        "vectors": [],
        "allow_extra_metadata": False,
    }


def _labelled(name: str, labels: Mapping[str, str], *, multiple: bool, required: bool) -> dict[str, Any]:
    options = [{"value": label, "text": meaning} for label, meaning in labels.items()]
    kind = "multi_label_selection" if multiple else "label_selection"
    return _named(name, {"type": kind, "options": options, "visible_options": len(options)}, required=required)


def _named(name: str, settings: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    return {"name": name, "title": name, "required": required, "settings": settings}
