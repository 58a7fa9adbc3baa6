"""The JSONL export: one line for each problem, the relaxed training set, and the files of all splits."""

import datetime as dt
import json

import msgspec

from wdw_build.adapters.exports.jsonl import JsonlExporter
from wdw_build.records import Choice, Mention, Passage, Problem, Question, SplitAssignment

SENTENCE = "Then President George Bush 's visit <began>."
FILES = ["jsonl/train.jsonl", "jsonl/train.relaxed.jsonl", "jsonl/validation.jsonl", "jsonl/test.jsonl"]

CARD = "jsonl/README.md"


def mention(text, start):
    return Mention(text=text, start=start, end=start + len(text))


def problem(name="p1"):
    question = Question(
        id=name,
        date=dt.date(2003, 4, 1),
        source="AFP",
        sentence=SENTENCE,
        tokens=("Then", "President", "George", "Bush", "'s", "visit", "<began>", "."),
        blank_tokens=(1, 4),
        blank=mention("President George Bush", 5),
        name=mention("George Bush", 15),
        others=(),
        tree="(S)",
    )
    passage = Passage(
        article="HP_1", date=dt.date(2003, 4, 2), source="HP", title="T", text='Bush & "Blair"\n\nmet.', tokens=6
    )
    choices = (Choice(name="Tony Blair", mentions=()), Choice(name="George W. Bush", mentions=()))
    return Problem(id=name, question=question, passage=passage, choices=choices, answer=1, window=1, score=2.5)


def placed(name, level, split):
    return problem(name), SplitAssignment(id=name, date=dt.date(2003, 4, 1), level=level, split=split)


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def test_a_line_holds_the_problem_under_the_published_keys(tmp_path):
    JsonlExporter().write(tmp_path, [placed("p1", "strict", "test")])
    assert lines(tmp_path, "jsonl/test.jsonl") == [
        {
            "id": "p1",
            "date": "2003-04-01",
            "source": "AFP",
            "question": {
                "text": "Then XXX 's visit <began>.",
                "left": "Then ",
                "deleted": "President George Bush",
                "right": " 's visit <began>.",
                "tokens": {
                    "left": ["Then"],
                    "blank": ["President", "George", "Bush"],
                    "right": ["'s", "visit", "<began>", "."],
                },
                "name": "George Bush",
            },
            "passage": {
                "id": "HP_1",
                "date": "2003-04-02",
                "source": "HP",
                "title": "T",
                "text": 'Bush & "Blair"\n\nmet.',
            },
            "choices": ["Tony Blair", "George W. Bush"],
            "answer": 1,
            "level": "strict",
            "event_score": None,
        }
    ]


def test_relaxed_training_holds_the_strict_problems_too_in_the_order_given(tmp_path):
    given = [placed("a", "relaxed", "train"), placed("b", "strict", "train"), placed("c", "strict", "validation")]
    written = JsonlExporter().write(tmp_path, iter([*given, placed("d", "relaxed", "train")]))
    assert written == dict(zip([*FILES, CARD], [["b"], ["a", "b", "d"], ["c"], [], []], strict=True))
    for name, ids in list(written.items())[:-1]:
        assert [line["id"] for line in lines(tmp_path, name)] == ids
    assert [line["level"] for line in lines(tmp_path, FILES[1])] == ["relaxed", "strict", "relaxed"]


def test_line_separators_within_a_text_do_not_end_a_line(tmp_path):
    given, place = placed("a", "strict", "test")
    question = msgspec.structs.replace(
        given.question, sentence="One\u2028two\nthree\U0001f600", blank=mention("two", 4)
    )
    JsonlExporter().write(tmp_path, [(msgspec.structs.replace(given, question=question), place)])
    (line,) = (tmp_path / "jsonl/test.jsonl").read_bytes().splitlines()
    assert json.loads(line)["question"]["text"] == "One\u2028XXX\nthree\U0001f600"


def test_problems_are_written_as_they_come(tmp_path):
    sizes = []

    def problems():
        for number in range(3):
            yield placed(str(number) * 20_000, "strict", "test")
            sizes.append((tmp_path / "jsonl/test.jsonl").stat().st_size)

    JsonlExporter().write(tmp_path, problems())
    assert sizes[0] > 0
    assert sizes == sorted(sizes)
