"""Exports with replaced names: planted leaks, changed texts and shared names are found."""

import json

import pytest

from support import consistent_run
from support.consistent_run import edit, problem, reject
from wdw_build.core.config.settings import ExportConfig
from wdw_build.verify.name_checks import words_left

CODES = ExportConfig(names="codes", formats=("jsonl",))
FILE = "export/jsonl/validation.jsonl"  # problems 5 and 7; the answer of problem 5 is Nora Kettle


@pytest.mark.parametrize("leak", ["Kettle", "KETTLE", "Kettle's", "pro-Kettle"])
def test_a_name_that_is_left_in_the_passage_is_found(failing, leak):
    extra = {5: problem(5, extra=f"Now {leak} rose.")}
    assert failing(problems=extra, export=CODES) == ["names-left"]


def test_a_name_that_is_left_in_title_question_or_choices_is_found(failing):
    for old, new in (
        ('"title":"T5 & more"', '"title":"Kettle & more"'),
        ("about t5a", "about Kettle"),
        ('"choices":["', '"choices":["Kettle '),
    ):
        assert "names-left" in failing(export=CODES, after=edit(FILE, old, new, 9))


def test_words_in_lower_case_and_titles_are_no_leak(failing):
    extra = {5: problem(5, extra="The kettle of the Mayor boiled over. She was a Mayor @home.")}
    assert failing(problems=extra, export=CODES) == []


@pytest.mark.parametrize("code", ["@entity0", "@entity1", "@entity2"])
def test_a_code_is_no_leak(code):
    assert list(words_left(f"{code}'s and pro-{code} and {code}ism", {"kettle", "entity"})) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kept quiet", "kept loud"),
        ('"title":"T5 & more"', '"title":""'),
        ('"level":"strict"', '"level":"relaxed"'),
        ('"level"', '"more":1,"level"'),
        ("about t5a", "on t5a"),
        ('"blank":["Mayor"', '"blank":["Major"'),
    ],
)
def test_a_line_that_differs_outside_of_the_names_fails_renamed_texts(failing, old, new):
    assert failing(export=CODES, after=edit(FILE, old, new)) == ["renamed-texts"]


def test_a_blank_at_another_place_fails_renamed_texts(failing):
    def after(folder):
        path = folder / FILE
        first, rest = path.read_text(encoding="utf-8").split("\n", 1)
        line = json.loads(first)
        question = line["question"]
        question |= {"left": f"{question['left']}Mayor ", "deleted": question["deleted"].removeprefix("Mayor ")}
        question["text"] = f"{question['left']}XXX{question['right']}"
        question["tokens"]["blank"].remove("Mayor")
        question["tokens"]["left"].append("Mayor")
        path.write_text(f"{json.dumps(line)}\n{rest}", encoding="utf-8")

    assert failing(export=CODES, after=after) == ["renamed-texts"]


def test_the_name_of_another_person_as_a_choice_fails_renamed_persons(failing):
    def after(folder):
        path = folder / FILE
        first, rest = path.read_text(encoding="utf-8").split("\n", 1)
        line = json.loads(first)
        line["choices"].reverse()
        path.write_text(f"{json.dumps(line)}\n{rest}", encoding="utf-8")

    assert failing(export=CODES, after=after) == ["renamed-persons"]


def spoil(number, change):
    """Change the pseudonyms of a problem before they are written."""

    def stages(outputs):
        change(outputs["pseudonyms"][0][number])

    return stages


def test_a_person_may_have_a_shorter_name_than_the_choice(failing):
    shorter = edit("pseudonyms/part-00000.jsonl", '"name":"Nora Kettle"', '"name":"Kettle"')
    # The part was edited after its hash was taken.
    assert failing(export=CODES, after=shorter) == ["files"]


def share_name(pseudonyms):
    pseudonyms["persons"][2] |= {"code": pseudonyms["persons"][0]["code"]}
    for place in ("passage", "question", "title"):
        for one in pseudonyms[place]:
            one["code"] = pseudonyms["persons"][one["person"]]["code"]


def test_two_persons_with_one_code_fail_renamed_persons(failing):
    assert failing(export=CODES, stages=spoil(5, share_name)) == ["renamed-persons"]


def test_a_replacement_by_the_code_of_another_person_fails_renamed_persons(failing):
    def change(pseudonyms):
        pseudonyms["passage"][0]["code"] = pseudonyms["persons"][2]["code"]

    failed = failing(export=CODES, stages=spoil(5, change))
    assert "renamed-persons" in failed


def test_a_mention_that_is_not_replaced_fails_names_left(failing, monkeypatch):
    def change(pseudonyms):
        pseudonyms["passage"] = [one for one in pseudonyms["passage"] if one["person"] != 0]

    # The text of the export has the replacements of the record.
    plain = consistent_run.renamed

    def renamed(line, pseudonyms):
        text = line["passage"]["text"]
        for one in reversed(pseudonyms["passage"]):
            text = text[: one["start"]] + one["code"] + text[one["end"] :]
        made = plain(line, pseudonyms)
        return made | {"passage": made["passage"] | {"text": text}}

    monkeypatch.setattr(consistent_run, "renamed", renamed)
    assert failing(export=CODES) == []
    assert failing(export=CODES, stages=spoil(5, change)) == ["names-left"]


def test_a_problem_without_pseudonyms_must_not_be_exported(failing):
    def stages(outputs):
        outputs["pseudonyms"][1].append(reject(outputs["pseudonyms"][0].pop(5)["id"], "name-left"))

    assert failing(export=CODES, stages=stages) == []
    assert "export-files" not in failing(stages=stages)


# --- answers as spans ------------------------------------------------------------------------------------------------------


def entry(name, answer, start, context="Ivor Ulric spoke. Nora Kettle left."):
    question = {"id": name, "question": "XXX", "answers": [{"text": answer, "answer_start": start}]}
    return json.dumps({"title": "T", "paragraphs": [{"context": context, "qas": [question]}]}, separators=(",", ":"))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (entry("q5", "Nora Kettle", 18), None),
        (entry("q5", "Nora Kettle", 17), "at 17"),
        (entry("q5", "Ivor Ulric", 0), "is not the name"),
        (entry("q99", "Nora Kettle", 18), "does not belong"),
    ],
)
@pytest.mark.parametrize("form", ["squad", "quoref"])
def test_an_answer_must_be_at_its_offset_and_be_the_right_name(failing, line, fault, form):
    def after(folder):
        (folder / "export" / form).mkdir()
        for name in ("train", "train.relaxed", "validation", "test"):
            content = f'{{"version":"1.1","data":[\n{line if name == "validation" else ""}\n]}}\n'
            (folder / f"export/{form}/{name}.json").write_text(content, encoding="utf-8")

    failed = failing(export=ExportConfig(formats=("jsonl", form)), after=after)
    assert failed == (["export-spans"] if fault else [])
    examples = next(check.examples for check in failing.report.checks if check.name == "export-spans")
    assert not fault or fault in examples[0]
