"""``annotate export`` for Label Studio and Argilla: what the files say, and that the tools read them if they are installed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock
from xml.etree import ElementTree

import pytest

from support.sheets import sheet_folder
from wdw_study.judgement_export import export_judgements
from wdw_study.judgements import ANSWERED, FAULTS_MARKED, LABELLED, NOTED
from wdw_study.sheet_folder import read_judged


def exported(tmp_path: Path, **drawn: Any) -> Path:
    """The export of a sheet of three problems; Ada answers two and marks the third, Ben cannot tell the first."""
    folder = sheet_folder(tmp_path, count=3, **drawn)
    answer, value = (LABELLED, ["named"]) if drawn.get("task") == "phenomena" else (ANSWERED, 1)
    for problem in ("q1", "q2"):
        folder.log.append("Ada", answer, problem, value)
    folder.log.append("Ada", FAULTS_MARKED, "q3", ["wrong-span", "broken-text"])
    folder.log.append("Ben", answer, "q1", None if answer == ANSWERED else ["named", "nominal"])
    folder.log.append("Ben", NOTED, "q1", "hm <b> & so on")
    count, files = export_judgements(read_judged(folder.path), tmp_path / "export", replace=False)
    assert count == 4
    assert {path.relative_to(tmp_path / "export") for path in files} == {
        path.relative_to(tmp_path / "export") for path in (tmp_path / "export").rglob("*") if path.is_file()
    }
    return tmp_path / "export"


def tasks(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "label-studio.json").read_bytes())


def test_each_judgement_is_an_annotation_with_its_person_and_the_key_is_not_given(tmp_path: Path) -> None:
    folder = exported(tmp_path)
    first, _, third = tasks(folder)
    assert first["data"] == {
        "id": "q1",
        "number": 1,
        "question": "XXX told Bob Bell that bridge 1 must close.",
        "passage": "Bridge 1 is old.\n\nAnn Ames said so, and Bob Beck came.",
        "choices": [{"value": name} for name in ("Ann Ames", "Bob Beck", "Cy Cole", "cannot tell")],
    }
    said = [
        {one["from_name"]: one["value"] for one in annotation["result"]}
        for annotation in first["annotations"] + third["annotations"]
    ]
    assert said == [
        {"person": {"text": ["Ada"]}, "answer": {"choices": ["Bob Beck"]}},
        {"person": {"text": ["Ben"]}, "answer": {"choices": ["cannot tell"]}, "note": {"text": ["hm <b> & so on"]}},
        {"person": {"text": ["Ada"]}, "faults": {"choices": ["wrong-span", "broken-text"]}},
    ]


def test_every_value_of_an_annotation_belongs_to_a_control_of_the_configuration(tmp_path: Path) -> None:
    folder = exported(tmp_path)
    view = ElementTree.fromstring((folder / "label-studio.xml").read_bytes())
    controls = {one.get("name"): one for one in view if one.get("toName")}
    for task in tasks(folder):
        for one in (one for annotation in task["annotations"] for one in annotation["result"]):
            control = controls[one["from_name"]]
            assert control.tag.lower() == one["type"]
            assert control.get("toName") == one["to_name"]
            fixed = {choice.get("value") for choice in control} or {each["value"] for each in task["data"]["choices"]}
            assert one["type"] == "textarea" or set(one["value"]["choices"]) <= fixed


def test_argilla_records_answer_by_number_for_users_that_are_listed(tmp_path: Path) -> None:
    folder = exported(tmp_path) / "argilla"
    users = {user["username"]: user["id"] for user in json.loads((folder / "users.json").read_bytes())}
    assert [*users] == ["Ada", "Ben"]
    first, _, third = json.loads((folder / "records.json").read_bytes())
    ada, ben = ({"user_id": users[name], "status": "submitted"} for name in users)
    assert first["responses"]["answer"] == [{"value": "2", **ada}, {"value": "cannot tell", **ben}]
    assert first["fields"]["choices"] == "1. Ann Ames\n2. Bob Beck\n3. Cy Cole"
    assert third["responses"] == {"faults": [{"value": ["wrong-span", "broken-text"], **ada, "status": "draft"}]}


@pytest.mark.parametrize("drawn", [{}, {"condition": "without"}, {"task": "phenomena"}])
def test_label_studio_accepts_configuration_and_annotations(tmp_path: Path, drawn: dict[str, str]) -> None:
    interfaces = pytest.importorskip("label_studio_sdk.label_interface")
    folder = exported(tmp_path, **drawn)
    interface = interfaces.LabelInterface((folder / "label-studio.xml").read_text())
    interface.validate()
    for task in tasks(folder):
        loaded = interface.load_task(task["data"])
        for annotation in task["annotations"]:
            assert loaded.validate_annotation(annotation)


@pytest.mark.parametrize("drawn", [{}, {"condition": "without"}, {"task": "phenomena"}])
def test_argilla_loads_settings_and_records(
    tmp_path: Path, drawn: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    argilla = pytest.importorskip("argilla")
    # Argilla asks its server when it makes settings; no server is needed to read the files.
    monkeypatch.setattr(argilla.Argilla, "_get_default", classmethod(lambda cls: MagicMock()))
    folder = exported(tmp_path, **drawn) / "argilla"
    settings = argilla.Settings.from_json(folder / ".argilla" / "settings.json")
    settings.validate()
    dataset = argilla.Dataset("toy", settings=settings)
    questions = {question.name: question for question in settings.questions}
    for line in json.loads((folder / "records.json").read_bytes()):
        record = argilla.Record.from_dict(line, dataset=dataset)
        assert record.api_model().external_id == line["id"]
        for response in record.responses:
            values = response.value if isinstance(response.value, list) else [response.value]
            labels = getattr(questions[response.question_name], "labels", values)
            assert set(values) <= set(labels)
