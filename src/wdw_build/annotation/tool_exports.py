"""A sheet and its judgements in the forms that Label Studio and Argilla import. They do not have the key.

Label Studio: https://labelstud.io/guide/task_format; the import makes one annotation of each judgement, with the person in
the control ``person``. Argilla (2.5 or later): the files of ``Dataset.to_disk``; a response needs the id of a user, so
``users.json`` has an id for each person, with which the users are created first.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree

from wdw_build.annotation.sheets import CANNOT_TELL, PHENOMENA, Judged, Judgement, SheetProblem
from wdw_build.core.store import jsonl

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


def _answer(judgement: Judgement, judged: Judged, choices: Iterable[str]) -> str:
    if judged.sheet.task != "answer" or not judgement.answered:
        return ""
    return CANNOT_TELL if judgement.answer is None else tuple(choices)[judgement.answer]


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
    questions = [_labelled("faults", judged.sheet.faults, multiple=True, required=False)]
    if judged.sheet.task == "phenomena":
        questions.insert(0, _labelled("phenomena", PHENOMENA, multiple=True, required=True))
    else:
        questions.insert(0, _labelled("answer", answers, multiple=False, required=True))
    questions.append(_named("note", {"type": "text", "use_markdown": False}, required=False))
    text = {"type": "text", "use_markdown": False}
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
