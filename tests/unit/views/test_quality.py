"""quality: the same seed draws the same blind sheet, nothing of the key is on it, and answers are scored or refused."""

import html
import json
import re
from html.parser import HTMLParser

import msgspec
import pytest

from support import make, stage_runs
from support.make import day
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES
from wdw_build.records import AdversaryPredictions, Problem, SplitAssignment
from wdw_build.views.quality import CANNOT_TELL, FAULTS, draw_sheet, find_key, read_answers, score, write_sheet
from wdw_build.views.quality.judgements import Answer, KeyLine, SavedAnswers, SheetLine
from wdw_build.views.quality.page import page
from wdw_build.views.quality.score import wilson

NAMES = ["Ann Ames", "Bob Beck", "Cy Cole", "Dan Dorn"]
LEAD = "Mayor Ann Ames told Bob Bell on Monday that bridge {} must close ."
SPLITS = ["train", "train", "train", "train", "train", "validation", "test", "test"]


def made(number):
    asked = make.question(f"q{number}", LEAD.format(number), "Mayor Ann Ames", others=["Bob Bell"], person="Ann Ames")
    choices = NAMES[: 2 + number % 3]
    passage = f"Passage {number}. " + " ".join(f"{name} came." for name in choices)
    return make.problem(f"q{number}", asked, passage, choices, 0)


@pytest.fixture
def run(tmp_path):
    problems = [made(number) for number in range(len(SPLITS))]
    placed = [
        SplitAssignment(id=f"q{n}", date=day(n), level="relaxed" if n == 0 else "strict", split=split)
        for n, split in enumerate(SPLITS)
    ]
    guesses = [
        AdversaryPredictions(
            id=one.id,
            date=one.date,
            choices=len(one.choices),
            answer=0,
            scores={},
            guesses={"first-person": 0, "unigram": len(one.choices) - 1},
        )
        for one in problems
    ]
    outputs = {
        "split": stage_runs.stored(tmp_path / "split", SplitAssignment, placed),
        "dedup": stage_runs.stored(tmp_path / "dedup", Problem, problems),
        "adversary": stage_runs.stored(tmp_path / "adversary", AdversaryPredictions, guesses),
    }
    return Run(tmp_path, STAGES, outputs)


def with_problems(run, folder, problems):
    """The run with other problems after deduplication."""
    return Run(run.folder, run.stages, {**run.outputs, "dedup": stage_runs.stored(folder, Problem, problems)})


# ---- drawing ---------------------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_sheet_and_another_seed_another(run):
    assert draw_sheet(run, 5, 1) == draw_sheet(run, 5, 1)
    orders = {tuple(key.id for key in draw_sheet(run, 8, seed)[1]) for seed in range(4)}
    assert len(orders) == 4


def test_a_larger_sheet_begins_with_the_smaller_one_but_is_another_sheet(run):
    few, many = draw_sheet(run, 3, 1)[0], draw_sheet(run, 5, 1)[0]
    assert [line.question for line in many[:3]] == [line.question for line in few]
    assert few[0].sheet != many[0].sheet


def test_a_sheet_shows_question_passage_and_choices_and_nothing_that_tells_the_answer(run):
    lines, key = draw_sheet(run, 8, 1)
    assert [line.number for line in lines] == list(range(1, 9))
    for line, kept in zip(lines, key, strict=True):
        problem = run.distinct_problems.find(kept.id)
        assert line.question == f"XXX{problem.question.right}"
        assert line.passage == problem.passage.text
        assert sorted(line.choices) == sorted(choice.name for choice in problem.choices)
        assert (line.answer, line.faults, line.remarks) == (None, (), "")
        assert kept.choices == line.choices
        assert kept.choices[kept.answer] == problem.choices[problem.answer].name
        assert [problem.choices[at].name for at in kept.order] == list(kept.choices)
        assert kept.choices[kept.guesses["first-person"]] == problem.choices[0].name
        assert not re.search(r"\bq\d", msgspec.json.encode(line).decode())
    assert {kept.answer for kept in key} != {0}, "the order of the choices is the dataset's"


@pytest.mark.parametrize(
    ("split", "ids"),
    [("", 8), ("train", 4), ("train.relaxed", 5), ("validation", 1), ("test", 2)],
)
def test_a_split_is_drawn_from_as_it_is_exported(run, split, ids):
    drawn = {key.id for key in draw_sheet(run, ids, 0, split)[1]}
    assert len(drawn) == ids
    assert ("q0" in drawn) == (split in ("", "train.relaxed"))
    with pytest.raises(UsageError, match=f"has {ids} problems, fewer than the {ids + 1} asked for"):
        draw_sheet(run, ids + 1, 0, split)


def test_the_hash_changes_with_what_is_on_the_sheet(run, tmp_path):
    before = draw_sheet(run, 8, 1)[0][0].sheet
    changed = [msgspec.structs.replace(one, answer=1) for one in run.distinct_problems]
    same = with_problems(run, tmp_path / "b", changed)
    assert draw_sheet(same, 8, 1)[0][0].sheet == before, "the key is no part of it"
    other = [
        msgspec.structs.replace(one, passage=msgspec.structs.replace(one.passage, text=f"{one.passage.text} More."))
        for one in changed
    ]
    assert draw_sheet(with_problems(run, tmp_path / "c", other), 8, 1)[0][0].sheet != before


# ---- files -----------------------------------------------------------------------------------------------------------


def test_the_three_files_are_written_and_written_again_until_one_holds_answers(run, tmp_path):
    lines, key = draw_sheet(run, 3, 1)
    written = write_sheet(tmp_path / "quality" / "1-3", lines, key)
    assert written.problems == 3
    folder = tmp_path / "quality" / "1-3"
    assert sorted(path.name for path in folder.iterdir()) == ["key.jsonl", "sheet.html", "sheet.jsonl"]
    first = json.loads((folder / "sheet.jsonl").read_text().splitlines()[0])
    assert list(first) == ["sheet", "number", "question", "passage", "choices", "answer", "faults", "remarks"]
    assert write_sheet(folder, lines, key) == written
    for spoil in ('"answer":"Ann Ames"', '"answer":'):
        (folder / "sheet.jsonl").write_text((folder / "sheet.jsonl").read_text().replace('"answer":null', spoil, 1))
        with pytest.raises(UsageError, match="not overwritten"):
            write_sheet(folder, lines, key)


def test_the_key_of_an_earlier_sheet_is_kept_for_the_answers_that_its_page_saved(run, tmp_path):
    folder = tmp_path / "quality" / "1-3"
    (lines, key), (others, other_key) = draw_sheet(run, 3, 1), draw_sheet(run, 3, 2)
    write_sheet(folder, lines, key)
    write_sheet(folder, others, other_key)
    assert find_key(tmp_path / "quality", lines[0].sheet) == key
    assert find_key(tmp_path / "quality", others[0].sheet) == other_key
    assert len(list(folder.iterdir())) == 4


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


# ---- answers and score -----------------------------------------------------------------------------------------------


def key_line(number, answer=0, sheet="abc", choices=("Ann", "Bob"), **guesses):
    return KeyLine(
        sheet=sheet,
        number=number,
        id=f"q{number}",
        split="test",
        level="strict",
        choices=choices,
        order=tuple(range(len(choices))),
        answer=answer,
        guesses=guesses or {"unigram": 0},
    )


def saved(*answers):
    return SavedAnswers("abc", tuple(Answer(number, given) for number, given in enumerate(answers, 1)))


def test_the_score_counts_right_wrong_and_untold_beside_chance_and_baselines():
    key = [
        key_line(1, unigram=0, ngram=1),
        key_line(2, 1, unigram=0, ngram=1),
        key_line(3, unigram=1, ngram=0),
        key_line(4, choices=("Ann", "Bob", "Cy", "Dan"), unigram=3, ngram=0),
    ]
    found = score(saved("Ann", "Bob", "Bob", CANNOT_TELL), key)
    assert (found.problems, found.answered, found.right, found.cannot_tell) == (4, 3, 2, 1)
    assert (found.accuracy, found.accuracy_of_answered) == (0.5, 0.6667)
    assert found.interval == wilson(2, 4)
    assert found.chance == 0.4375
    assert (found.baselines["unigram"].accuracy, found.baselines["unigram"].agreement) == (0.25, 0.6667)
    assert (found.baselines["ngram"].accuracy, found.baselines["ngram"].agreement) == (0.75, 0.3333)
    assert [(miss.id, miss.given, miss.answer) for miss in found.missed] == [
        ("q3", "Bob", "Ann"),
        ("q4", CANNOT_TELL, "Ann"),
    ]


def test_faults_are_counted_by_label_once_a_problem():
    answers = SavedAnswers(
        "abc",
        (
            Answer(1, "Ann", ("wrong-span", "wrong-span", "two-answers")),
            Answer(2, "Bob", ("two-answers",), "odd"),
        ),
    )
    found = score(answers, [key_line(1), key_line(2)])
    assert found.faults == {"wrong-span": 1, "two-answers": 2}
    assert found.missed[0].remarks == "odd"


def test_the_interval_is_wilsons():
    assert wilson(84, 100) == (0.7558, 0.8990)  # R: prop.test(84, 100, correct = FALSE)
    assert wilson(0, 10) == (0.0, 0.2775)
    assert wilson(10, 10) == (0.7225, 1.0)
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (saved("Ann"), "not answered: 2"),
        (saved("Ann", None), "not answered: 2"),
        (saved("Ann", "Bob", "Ann"), "no such problem on the sheet: 3"),
        (SavedAnswers("abc", (Answer(1, "Ann"), Answer(1, "Ann"), Answer(2, "Ann"))), "answered twice: 1"),
        (saved("Ann", "Cy"), "problem 2 has no choice 'Cy'"),
        (SavedAnswers("abc", (Answer(1, "Ann"), Answer(2, "Ann", ("bad",)))), "problem 2: unknown fault 'bad'"),
    ],
)
def test_answers_that_do_not_fit_the_sheet_are_refused(answers, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        score(answers, [key_line(1), key_line(2)])


def test_a_key_is_found_by_its_sheet_and_another_sheet_is_named(tmp_path):
    for sheet in ("abc", "def"):
        (tmp_path / sheet).mkdir()
        (tmp_path / sheet / "key.jsonl").write_bytes(msgspec.json.encode(key_line(1, sheet=sheet)) + b"\n")
    assert find_key(tmp_path, "def")[0].sheet == "def"
    with pytest.raises(UsageError, match=r"sheet 'xyz', which this run does not have \(sheets: abc, def\)"):
        find_key(tmp_path, "xyz")
    with pytest.raises(UsageError, match="sheets: none"):
        find_key(tmp_path / "nothing", "abc")


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
    assert score(lines, [key_line(1), key_line(2)]) == score(page_file, [key_line(1), key_line(2)])
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


def test_a_missing_file_and_a_damaged_key_are_said(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        read_answers(tmp_path / "a")
    (tmp_path / "1-3").mkdir()
    (tmp_path / "1-3" / "key.jsonl").write_text("{")
    with pytest.raises(UsageError, match="is not a key"):
        find_key(tmp_path, "abc")
