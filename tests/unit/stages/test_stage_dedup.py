"""dedup: of near-duplicates the earliest by (date, id) stays; exact, whatever the order of the input."""

from support import make, stage_runs
from wdw_build.adapters.faulty_problems import FaultyProblemFiles
from wdw_build.core.progress import Progress
from wdw_build.stages.dedup import STAGE

TEN = "Ann Ames told Bob Beck that the old bridge closed ."


def made(name, sentence=TEN, number=0):
    asked = make.question(name, sentence, "Ann Ames", others=["Bob Beck"], date=make.day(number))
    return make.alternatives(make.problem(name, asked, "Ann Ames met Cleo Cole.", ["Ann Ames", "Cleo Cole"], 0))


def dedup(tmp_path, *problems, threshold=0.8, **given):
    section = STAGE.config(threshold=threshold)
    return stage_runs.run_stage(STAGE, tmp_path, {"choices": list(problems)}, section=section, **given)


def outcome(ran):
    return {one.id: (one.reason, one.detail) for one in ran.rejections.values()}


def test_the_earliest_question_is_kept_and_the_rejection_names_it(tmp_path):
    ran = dedup(tmp_path, made("late", number=2), made("first", number=0), made("middle", number=1))
    assert [*ran.records] == ["first"]
    assert outcome(ran) == dict.fromkeys(("late", "middle"), ("duplicate-question", "first"))


def test_of_one_day_the_first_id_is_kept(tmp_path):
    assert [*dedup(tmp_path, made("b"), made("a")).records] == ["a"]


def test_eight_of_ten_words_are_a_duplicate_and_seven_are_not(tmp_path):
    eight = "Ann Ames told Bob Beck that the old ferry sank ."
    seven = "Ann Ames told Bob Beck that the new ferry sank ."
    assert dedup(tmp_path / "eight", made("a"), made("b", eight)).reasons == {"b": "duplicate-question"}
    assert dedup(tmp_path / "seven", made("a"), made("b", seven)).reasons == {}
    assert dedup(tmp_path / "lower", made("a"), made("b", seven), threshold=0.7).reasons == {"b": "duplicate-question"}
    assert dedup(tmp_path / "off", made("a"), made("b", eight), threshold=1.0).reasons == {}


def test_a_question_is_compared_once_whatever_its_blanks_and_passages_are(tmp_path):
    first = make.question("a", TEN, "Ann Ames", others=["Bob Beck"])
    last = make.question("a", TEN, "Bob Beck", others=["Ann Ames"])
    both = make.alternatives(
        make.problem("a", last, "Bob Beck met Cleo Cole.", ["Bob Beck", "Cleo Cole"], 0, article_id="p1"),
        make.problem("a", first, "Ann Ames met Cleo Cole.", ["Ann Ames", "Cleo Cole"], 0, article_id="p2"),
    )
    ran = dedup(tmp_path, both, made("b", number=1))
    assert ran.records == {"a": both}
    assert ran.reasons == {"b": "duplicate-question"}


def test_a_faulty_problem_is_rejected_with_its_fault_and_its_duplicates_stay_out(tmp_path, capsys):
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_text('{"id": "first", "reason": "wrong-span"}\n{"id": "gone\\u001b[31m", "reason": "no-story"}\n')
    other = made("other", "Ann Ames sold Bob Beck a house near some river .")
    given = {"faulty_problems": FaultyProblemFiles([faulty]), "progress": Progress("lines")}
    ran = dedup(tmp_path, made("first"), made("late", number=1), other, **given)
    assert [*ran.records] == ["other"]
    assert outcome(ran) == {"first": ("faulty", "wrong-span"), "late": ("duplicate-question", "first")}
    assert "1 of 2 faulty problems do not occur, such as gone\\x1b[31m" in capsys.readouterr().err


def test_without_faulty_problems_nothing_is_said_of_them(tmp_path, capsys):
    assert dedup(tmp_path, made("a"), progress=Progress("lines")).reasons == {}
    assert "faulty" not in capsys.readouterr().err
