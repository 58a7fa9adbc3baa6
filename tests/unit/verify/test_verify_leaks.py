"""Leaks between held-out problems; problems 4 to 7 are held out."""

import pytest

from support.consistent_run import mention, problem, reject, shared_passage
from wdw_build.core.config.settings import SplitConfig
from wdw_build.text.passages import told_answers
from wdw_build.verify.checks import leaks

ONE = SplitConfig(max_share=0.5, one_per_group=True)


def names(found):
    return [name for name in found if name in ("held-out-leaks", "split-rejections", "split-sizes", "split-dates")]


def out(name, detail):
    """The held-out problem is rejected; another one changes sides if the halves would differ."""

    def stages(outputs):
        records, rejections = outputs["split"]
        records[:] = [one for one in records if one["id"] != name]
        rejections.append(reject(name, "in-leaking-group", detail))

    return stages


def test_a_run_without_leaks_passes_and_all_held_out_problems_are_checked(failing):
    assert failing(split=ONE) == []
    assert {check.name: check.checked for check in failing.report.checks}["held-out-leaks"] == 4


def test_a_shared_passage_fails_only_with_the_switch_and_only_among_held_out_problems(failing):
    assert names(failing(split=ONE, problems=shared_passage(4, 5))) == ["held-out-leaks"]
    assert names(failing(problems=shared_passage(4, 5))) == []
    assert names(failing(split=ONE, problems=shared_passage(2, 4))) == []
    assert names(failing(split=ONE, problems=shared_passage(2, 3))) == []


def test_the_article_of_a_question_as_passage_of_another_fails(failing):
    made = problem(4)
    made["passage"]["article"] = "q6"
    assert names(failing(split=ONE, problems={4: made})) == ["held-out-leaks"]


@pytest.mark.parametrize(
    ("sentence", "fails"),
    [
        ("Carl Reed6 told Mayor Ruth Lomax about t6a t6b.", True),
        # Seven of nine words are the question's, less than 78 %.
        ("Carl Reed6 told Mayor Ruth Lomax about x1 x2.", False),
        ("Carl Reed6 told Mayor Lomax. t6a about the t6b.", False),
        ("Carl Reed6 told the Mayor about t6a t6b.", False),
    ],
)
def test_a_passage_with_the_question_sentence_and_the_deleted_name_fails(failing, sentence, fails):
    found = names(failing(split=ONE, problems={4: problem(4, extra=sentence)}))
    assert found == (["held-out-leaks"] if fails else [])


def telling(tail, other="Ruth Lomax"):
    """Problem 7 also names a person, and the person beside the answer of problem 6."""
    made = problem(7, other="Carl Reed", tail=f" with {other}{tail}")
    made["question"]["others"].append(mention(made["question"]["sentence"], other))
    return {6: problem(6, other="Carl Reed", tail=tail), 7: made}


def test_a_question_that_names_the_answer_fails_if_the_event_is_the_same(failing):
    near = SplitConfig(max_share=0.5, one_per_group=True, event_days=2)
    tail = " near shipyard7 warehouse"
    assert names(failing(split=near, problems=telling(tail))) == ["held-out-leaks"]
    assert names(failing(split=ONE, problems=telling(tail))) == []
    assert names(failing(split=near, problems=telling(" near warehouse"))) == []
    assert names(failing(split=near, problems=telling(" although president"))) == []
    assert names(failing(split=near, problems=telling(tail, other="Rita Lomax"))) == []


def test_a_left_out_problem_names_the_kept_problem_and_a_relation_that_holds(failing):
    shared = shared_passage(4, 5)
    assert names(failing(split=ONE, problems=shared, stages=out("q4", "q5: shared-passage: p5"))) == []
    for detail in ("q6: shared-passage: p5", "q5: answer-told: x", "q2: shared-passage: p5", "nonsense", ""):
        assert names(failing(split=ONE, problems=shared, stages=out("q4", detail))) == ["split-rejections"], detail
    assert "split-rejections" in names(failing(problems=shared, stages=out("q4", "q5: shared-passage: p5")))


def test_a_left_out_problem_may_lead_to_the_kept_problem_through_another_one(failing):
    problems = shared_passage(4, 5) | {5: problem(5), 6: problem(6)}
    problems[6]["passage"]["article"] = "q5"

    def stages(outputs):
        out("q4", "q6 through q5: shared-passage: p5")(outputs)
        out("q5", "q6: question-in-passage: the passage is the article q5")(outputs)

    assert names(failing(split=ONE, problems=problems, stages=stages)) == []

    def circle(outputs):
        out("q4", "q6 through q5: shared-passage: p5")(outputs)
        out("q5", "q6 through q4: shared-passage: p5")(outputs)

    assert names(failing(split=ONE, problems=problems, stages=circle)) == ["split-rejections"]


def test_a_training_problem_that_is_left_out_for_a_leak_fails_split_sizes(failing):
    assert names(failing(split=ONE, stages=out("q3", "q5: shared-passage: p5"))) == ["split-sizes", "split-rejections"]


def test_the_certain_reading_counts_no_word_that_the_pipeline_leaves_out():
    long = {word for word in told_answers.NO_CONTENT if len(word) >= 8}
    assert long <= leaks.MAYBE_EMPTY
