"""The forms without a server: nothing of the key is on them, answers are refused or become events, and none is lost."""

import html
import json
import re
from html.parser import HTMLParser

import msgspec
import pytest

from support.sheets import NAMES, sheet_folder, sheet_problem
from wdw_build.errors import UsageError
from wdw_build.views.sheet import page
from wdw_study.offline_forms import (
    Answer,
    SavedAnswers,
    SheetLine,
    import_answers,
    read_answers,
    sheet_lines,
    write_lines,
)
from wdw_study.people import SignedIn, canonical_name
from wdw_study.sheet_folder import read_judged
from wdw_study.sheets import CANNOT_TELL, FAULTS


@pytest.fixture
def folder(tmp_path):
    return sheet_folder(tmp_path, 3)


def saved(*answers, faults=(), remarks=""):
    """What the page saves: the same faults and remarks for every answer."""
    return SavedAnswers("abc", tuple(Answer(number, given, faults, remarks) for number, given in enumerate(answers, 1)))


# ---- lines -----------------------------------------------------------------------------------------------------------


def test_the_lines_show_question_passage_and_choices_and_nothing_of_the_key(folder):
    for line, problem in zip(sheet_lines(folder), folder.problems, strict=True):
        assert (line.sheet, line.number) == ("abc", problem.number)
        assert (line.question, line.passage) == (problem.question, problem.passage)
        assert sorted(line.choices) == sorted(problem.choices)
        assert (line.answer, line.faults, line.remarks) == (None, (), "")
        assert not re.search(r"\bq\d", msgspec.json.encode(line).decode())


def test_the_order_of_the_choices_tells_nothing(tmp_path):
    problems = [sheet_problem(number, choices=NAMES) for number in range(1, 20)]
    lines = sheet_lines(sheet_folder(tmp_path, problems=problems))
    assert {line.choices.index("Ann Ames") for line in lines} == {0, 1, 2, 3}


def test_lines_are_written_again_until_one_holds_answers(folder):
    path = write_lines(folder)
    first = json.loads(path.read_text().splitlines()[0])
    assert list(first) == ["sheet", "number", "question", "passage", "choices", "answer", "faults", "remarks"]
    content = path.read_bytes()
    assert write_lines(folder).read_bytes() == content
    for spoil in ('"answer":"Ann Ames"', '"answer":'):
        path.write_text(content.decode().replace('"answer":null', spoil, 1))
        with pytest.raises(UsageError, match="not overwritten"):
            write_lines(folder)


def test_a_sheet_whose_forms_were_given_away_is_not_drawn_again(folder, tmp_path):
    write_lines(folder)
    with pytest.raises(UsageError, match="its offline forms were written") as refused:
        sheet_folder(tmp_path, 3, hash="other")
    assert "delete" in refused.value.hint


def test_phenomena_have_no_offline_form(tmp_path):
    with pytest.raises(UsageError, match="only sheets of the task answer"):
        sheet_lines(sheet_folder(tmp_path, 2, task="phenomena"))


# ---- import ----------------------------------------------------------------------------------------------------------


def test_an_import_gives_the_judgements_of_a_person_without_times(folder):
    import_answers(folder, saved("Ann Ames", CANNOT_TELL, "Bob Beck", faults=("two-answers",), remarks="odd"), "Eve")
    found = read_judged(folder.path).judgements
    assert [(one.problem, one.answer, one.answered) for one in found] == [
        ("q1", 0, True),
        ("q2", None, True),
        ("q3", 1, True),
    ]
    assert {(one.person, one.faults, one.note, one.seconds) for one in found} == {
        ("Eve", ("two-answers",), "odd", None)
    }


def test_a_second_import_replaces_the_first_by_new_events_and_the_same_again_adds_none(folder):
    import_answers(folder, saved("Ann Ames", "Ann Ames", "Ann Ames", faults=("two-answers",)), "Eve")
    before = folder.log.events()
    assert import_answers(folder, saved("Ann Ames", "Ann Ames", "Ann Ames", faults=("two-answers",)), "eve") == 0
    assert folder.log.events() == before
    assert import_answers(folder, saved("Ann Ames", "Bob Beck", "Ann Ames"), "EVE") == 4
    assert folder.log.events()[: len(before)] == before
    assert [(one.person, one.answer, one.faults) for one in read_judged(folder.path).judgements] == [
        ("Eve", 0, ()),
        ("Eve", 1, ()),
        ("Eve", 0, ()),
    ]


def test_names_differ_by_more_than_case_and_spaces(folder):
    folder.log.append("Eve Eden", "signed-in", value=SignedIn())
    assert canonical_name(folder.log.events(), "  eve   EDEN ") == "Eve Eden"
    assert canonical_name(folder.log.events(), "Eve") == "Eve"
    assert canonical_name(folder.log.events(), "Ｅve Eden") == "Eve Eden"
    for name in ("a\tb\x00", "(all)", "-"):
        with pytest.raises(UsageError, match="1 to 40 printable"):
            import_answers(folder, saved("Ann Ames", "Ann Ames", "Ann Ames"), name)


def test_an_adjudicator_may_answer_under_the_same_name_whatever_its_case(folder):
    folder.log.append("Eve", "adjudicated", "q1", {"answer": 1})
    import_answers(folder, saved("Ann Ames", "Ann Ames", "Ann Ames"), "Eve")
    assert canonical_name(folder.log.events(), "EVE") == "Eve"
    judged = read_judged(folder.path)
    assert [one.answer for one in judged.judgements] == [0, 0, 0]
    assert [one.answer for one in judged.adjudicated] == [1]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (saved("Ann Ames", "Ann Ames"), "not answered: 3"),
        (saved("Ann Ames", "Ann Ames", None), "not answered: 3"),
        (saved("Ann Ames", "Ann Ames", "Ann Ames", "Ann Ames"), "no such problem on the sheet: 4"),
        (SavedAnswers("abc", (Answer(1, "Ann Ames"), Answer(1, "Ann Ames"))), "answered twice: 1"),
        (saved("Ann Ames", "Eve", "Ann Ames"), "problem 2 has no choice 'Eve'"),
        (saved("Ann Ames", "Ann Ames", "Ann Ames", faults=("bad",)), "problem 1: unknown fault 'bad'"),
    ],
)
def test_answers_that_do_not_fit_the_sheet_are_refused(folder, answers, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        import_answers(folder, answers, "Eve")
    assert folder.log.events() == []


# ---- the offline page ------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """What a page loads, asks and says."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.append(dict(attrs))


def line(number=1, **more):
    given = {
        "sheet": "abc",
        "number": number,
        "question": "XXX left.",
        "passage": "Ann stayed.",
        "choices": ("Ann", "Bob"),
    }
    return SheetLine(**(given | more))


def test_the_page_asks_every_choice_and_loads_nothing():
    found = Page(page([line(1), line(2)]))
    radios = [one for one in found.attributes if one.get("type") == "radio"]
    assert [one["value"] for one in radios] == ["Ann", "Bob", CANNOT_TELL] * 2
    assert [one["name"] for one in radios] == ["answer-1"] * 3 + ["answer-2"] * 3
    boxes = [one["value"] for one in found.attributes if one.get("type") == "checkbox"]
    assert boxes == [*FAULTS, *FAULTS]
    assert not {"link", "img", "iframe", "object"} & set(found.tags)
    assert not any({"src", "href", "action"} & set(one) for one in found.attributes)
    assert "http://" not in page([line()])
    assert "default-src 'none'" in page([line()])


def test_the_text_of_the_page_is_escaped_and_the_blank_marked():
    nasty = "</script><script>alert(1)</script> \"q\" & 'a' $sheet ${x}\x00\x1b"
    text = page([line(question=f"{nasty} XXX", passage=f"{nasty}\n\nTwo.", choices=(nasty, 'a" checked="'))])
    found = Page(text)
    assert found.tags.count("script") == 1
    assert found.tags.count("mark") == 2
    assert not any("checked" in one for one in found.attributes)
    assert "\x00" not in text
    assert "\x1b" not in text
    assert html.escape("$sheet ${x}") in text
    assert "<p>Two.</p>" in text


# ---- reading answers -------------------------------------------------------------------------------------------------


def test_both_forms_of_answers_are_read(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"".join(msgspec.json.encode(line(number, answer="Ann")) + b"\n" for number in (1, 2)))
    lines = read_answers(path)
    path.write_text(
        json.dumps({"sheet": "abc", "answers": [{"number": n, "answer": "Ann", "faults": []} for n in (1, 2)]})
    )
    page_file = read_answers(path)
    assert lines.sheet == page_file.sheet == "abc"
    assert [(one.number, one.answer) for one in lines.answers] == [
        (one.number, one.answer) for one in page_file.answers
    ]
    path.write_bytes(msgspec.json.encode(line(1, answer="Ann")))
    assert len(read_answers(path).answers) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"hello", "a:1: JSON is malformed"),
        (b"\xff\xfe", "a:1: "),
        (b"{}", "a:1: Object missing required field"),
        (b'{"sheet": "abc", "answers": [{"number": "1"}]}', "Expected `int`, got `str` - at `$.answers[0].number`"),
        (b'{"sheet":"a","number":1,"answer":3}', "a:1: Expected `str | null`, got `int` - at `$.answer`"),
        (b'{"sheet":"a","number":1,"answer":"x"}\n{"sheet":"b","number":1,"answer":"x"}', "several sheets: a, b"),
    ],
)
def test_a_file_that_holds_no_answers_is_refused_with_the_place(tmp_path, content, message):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(UsageError, match=re.escape(message)) as caught:
        read_answers(tmp_path / "a")
    assert caught.value.exit_code == 2


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        read_answers(tmp_path / "a")
