"""Leaks between held-out problems; problems 4 to 7 are held out."""

import pytest

from support.consistent_run import problem, reject, shared_passage
from wdw_build.core.config.settings import SplitConfig

ONE = SplitConfig(max_share=0.5, one_per_group=True)


def names(found):
    return [name for name in found if name in ("held-out-leaks", "split-sizes", "split-dates")]


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


SIXTH = problem(6, tail=" yesterday")["question"]["sentence"]


@pytest.mark.parametrize(
    ("sentence", "fails"),
    [
        (SIXTH, True),
        (f"Nobody knew why. {SIXTH} They left.", True),
        # Some splitter may cut the sentence after "Mr.", or not after "St."
        (f"Mr. Hall said {SIXTH}", False),
        (f"They went to St. {SIXTH}", False),
        (SIXTH.replace("t6b ", ""), False),
    ],
)
def test_a_passage_with_the_question_sentence_and_the_deleted_name_fails(failing, sentence, fails):
    problems = {4: problem(4, extra=sentence), 6: problem(6, tail=" yesterday")}
    found = names(failing(split=ONE, problems=problems))
    assert found == (["held-out-leaks"] if fails else [])


def test_a_left_out_problem_counts_as_held_out(failing):
    assert names(failing(split=ONE, problems=shared_passage(4, 5), stages=out("q4", "q5: shared-passage: p5"))) == []


def test_a_training_problem_that_is_left_out_for_a_leak_fails_split_sizes(failing):
    assert names(failing(split=ONE, stages=out("q3", "q5: shared-passage: p5"))) == ["split-sizes"]
