"""The reader of MCTest's files, on an invented story, and how ties count."""

import pytest

from benchmarks import mctest
from wdw_build.reading import Prediction

STORY = (
    "mc160.dev.0\tAuthor: 1\tTom's dog ran.\\newlineIt fell.\\newline\\newlineTom cried.\t"
    + "one: Who ran?\tTom\tthe dog\ta cat\tno one\t"
    + "multiple: Why did he cry?\tit fell\the ran\the slept\the ate\r\n"
)


@pytest.fixture
def questions(tmp_path):
    (tmp_path / "mc160.dev.tsv").write_text(STORY, encoding="utf-8", newline="")
    (tmp_path / "mc160.dev.ans").write_text("B\tA\n", encoding="utf-8")
    return list(mctest.read_questions(tmp_path, "mc160", "dev"))


def test_a_story_becomes_a_problem_for_each_question(questions):
    assert [(question.kind, question.answer) for question in questions] == [("one", 1), ("multiple", 0)]
    problem = questions[1].problem
    assert problem.question_tokens == ("Why", "did", "he", "cry", "?")
    assert problem.blank == -1
    assert [choice.name for choice in problem.choices] == ["it fell", "he ran", "he slept", "he ate"]


def test_the_sentences_of_a_story_hold_all_its_tokens(questions):
    problem = questions[0].problem
    sentences = [" ".join(problem.passage_tokens[first:last]) for first, last in problem.sentences()]
    assert sentences == ["Tom 's dog ran .", "It fell .", "Tom cried ."]


@pytest.mark.parametrize(("answer", "shared"), [(0, 50.0), (1, 50.0), (2, 0.0)])
def test_tied_choices_share_the_point(questions, answer, shared):
    class Tie:
        def choose(self, problems):
            return (Prediction((1.0, 1.0, 0.0, 0.0)) for _ in problems)

    asked = [question._replace(answer=answer) for question in questions]
    assert mctest.accuracies(Tie(), asked) == {"all": shared, "one": shared, "multiple": shared}
