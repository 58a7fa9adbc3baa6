"""Judgements as files: the table is read again as it was written, and Label Studio's tasks fit its configuration."""

import csv
import json
from xml.etree import ElementTree

import pytest

from support.sheets import sheet_folder
from wdw_build.errors import UsageError
from wdw_study.judging.exchange import TABLE, export_judgements, import_judgements
from wdw_study.judging.judgements import ANSWERED, FAULTS_MARKED, LABELLED, NOTED
from wdw_study.judging.sheets import SheetFolder, judged_of

STUDIES = pytest.mark.parametrize("drawn", [{}, {"condition": "without"}, {"task": "phenomena"}], ids=str)


def answered(run_folder, **drawn):
    """A sheet of three problems; Ada answers two and marks the third, Ben cannot tell the first."""
    folder = sheet_folder(run_folder, count=3, **drawn)
    answer, value = (LABELLED, ["named"]) if drawn.get("task") == "phenomena" else (ANSWERED, 1)
    for problem in ("q1", "q2"):
        folder.log.append("Ada", answer, problem, value)
    folder.log.append("Ada", FAULTS_MARKED, "q3", ["wrong-span", "broken-text"])
    folder.log.append("Ben", answer, "q1", None if answer == ANSWERED else ["named", "nominal"])
    folder.log.append("Ben", NOTED, "q1", "=hm <b> & so on")
    return folder


def exported(tmp_path, **drawn):
    count, files = export_judgements(judged_of(answered(tmp_path, **drawn)), tmp_path / "export", replace=False)
    assert count == 4
    assert set(files) == set((tmp_path / "export").iterdir())
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    return tmp_path / "export"


def tasks(folder):
    return json.loads((folder / "label-studio.json").read_bytes())


# ---- the table -------------------------------------------------------------------------------------------------------


def test_a_row_says_what_a_person_said_and_no_cell_is_a_formula(tmp_path):
    with (exported(tmp_path) / TABLE).open(newline="") as lines:
        first, _, third, last = csv.DictReader(lines)
    assert (first["number"], first["person"], first["answer"], first["right"]) == ("1", "Ada", "Bob Beck", "false")
    assert (third["answer"], third["right"], third["faults"]) == ("", "", "wrong-span broken-text")
    assert (last["answer"], last["right"], last["note"]) == ("cannot tell", "false", "'=hm <b> & so on")


@STUDIES
def test_an_imported_table_is_what_was_exported_and_a_second_import_changes_nothing(tmp_path, drawn):
    table = exported(tmp_path, **drawn) / TABLE
    empty = sheet_folder(tmp_path / "other", count=3, **drawn)
    assert import_judgements(empty, table) > 0
    assert import_judgements(empty, table) == 0
    assert judged_of(empty).judgements == judged_of(SheetFolder.open(tmp_path)).judgements


WRONG_TABLES = [
    ("number,person,answer\n9,Cy,Ann Ames\n", "row 2: the sheet has no problem 9"),
    ("number,person,answer\n1,Cy,Nobody\n", "row 2: 'Nobody' is no choice"),
    ("number,person,faults\n1,Cy,ugly\n", "unknown label 'ugly'"),
    ("person,b\n1,2\n", "there is no column number; columns: person, b"),
    ("PK\x03\x04 and more", "cannot read .*in.csv: it is a ZIP archive or an Excel workbook"),
    ("number;person\n1;Ada;Ann Ames\n", "in.csv:2: 3 fields, but 2 columns"),
    ('number;person\n1;"Ada\n', "in.csv:2: bad row"),
]


@pytest.mark.parametrize(("content", "message"), WRONG_TABLES)
def test_a_table_with_a_wrong_row_or_that_cannot_be_read_is_named_with_the_reason_and_changes_nothing(
    tmp_path, content, message
):
    folder, table = sheet_folder(tmp_path), tmp_path / "in.csv"
    with pytest.raises(UsageError, match=r"there is no file or folder .*in\.csv"):
        import_judgements(folder, table)
    table.write_text(content)
    with pytest.raises(UsageError, match=message) as caught:
        import_judgements(folder, table)
    assert ("columns number and person" in caught.value.hint) == ("no column" in message)
    assert folder.log.events() == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
@pytest.mark.parametrize(("delimiter", "before"), [(";", ""), (";", "sep=;\r\n"), ("\t", ""), ("|", ""), (",", "")])
def test_a_table_from_a_spreadsheet_program_is_read_whatever_its_delimiter_and_encoding(
    tmp_path, delimiter, before, encoding
):
    folder, table = sheet_folder(tmp_path), tmp_path / "in.csv"
    header = " number , person , answer , faults , note "
    first = "1,Zo\u00eb,Ann Ames,wrong-span broken-text,\u00e0 la carte"
    rows = (header, first, "", "2,Zo\u00eb,cannot tell", ",,,,")
    saved = before + "".join(row.replace(",", delimiter) + "\r\n" for row in rows)
    table.write_bytes(saved.encode(encoding))
    assert import_judgements(folder, table) == 4
    judgements = judged_of(folder).judgements
    assert [(each.person, each.answer) for each in judgements] == [("Zo\u00eb", 0), ("Zo\u00eb", None)]
    assert judgements[0].faults == ("wrong-span", "broken-text")
    assert judgements[0].note == "\u00e0 la carte"


# ---- Label Studio ----------------------------------------------------------------------------------------------------


def test_each_judgement_is_an_annotation_with_its_person_and_the_key_is_not_given(tmp_path):
    first, _, third = tasks(exported(tmp_path))
    assert first["data"] == {
        "id": "q1",
        "number": 1,
        "question": "XXX told Bob Bell that bridge 1 must close.",
        "passage": "Bridge 1 is old.\n\nAnn Ames said so, and Bob Beck came.",
        "choices": [{"value": name} for name in ("Ann Ames", "Bob Beck", "Cy Cole", "cannot tell")],
    }
    annotations = first["annotations"] + third["annotations"]
    assert [{one["from_name"]: one["value"] for one in each["result"]} for each in annotations] == [
        {"person": {"text": ["Ada"]}, "answer": {"choices": ["Bob Beck"]}},
        {"person": {"text": ["Ben"]}, "note": {"text": ["=hm <b> & so on"]}, "answer": {"choices": ["cannot tell"]}},
        {"person": {"text": ["Ada"]}, "faults": {"choices": ["wrong-span", "broken-text"]}},
    ]


@STUDIES
def test_every_value_of_an_annotation_belongs_to_a_control_of_the_configuration(tmp_path, drawn):
    folder = exported(tmp_path, **drawn)
    view = ElementTree.parse(folder / "label-studio.xml").getroot()
    controls = {one.get("name"): one for one in view if one.get("toName")}
    for task in tasks(folder):
        for one in (one for annotation in task["annotations"] for one in annotation["result"]):
            control = controls[one["from_name"]]
            assert control.tag.lower() == one["type"]
            assert control.get("toName") == one["to_name"]
            fixed = {choice.get("value") for choice in control} or {each["value"] for each in task["data"]["choices"]}
            assert one["type"] == "textarea" or set(one["value"]["choices"]) <= fixed


@STUDIES
def test_label_studio_accepts_configuration_and_annotations(tmp_path, drawn):
    interfaces = pytest.importorskip("label_studio_sdk.label_interface")
    folder = exported(tmp_path, **drawn)
    interface = interfaces.LabelInterface((folder / "label-studio.xml").read_text())
    interface.validate()
    for task in tasks(folder):
        loaded = interface.load_task(task["data"])
        for annotation in task["annotations"]:
            assert loaded.validate_annotation(annotation)
