"""Problems as systems read them: tokens, sentences, mentions, and the answer apart."""

import pytest
from msgspec.structs import replace

from support import make
from support.fakes import tokenise
from wdw_build.reading.problems import reading_problem
from wdw_build.records import pack_spans

SENTENCE = "Mayor Ann Fox met Bo Lee, Ann's aide Cy."
TOKENS = ("Mayor", "Ann", "Fox", "met", "Bo", "Lee", ",", "Ann", "'s", "aide", "Cy", ".")
TEXT = 'Bo Lee ran. "He won," Ann Fox said.\n\nFox left.'
PASSAGE_TOKENS = ("Bo", "Lee", "ran", ".", '"', "He", "won", ",", '"', "Ann", "Fox", "said", ".", "Fox", "left", ".")


@pytest.fixture
def made():
    asked = make.question("q", SENTENCE, "Mayor Ann Fox", person="Ann Fox", others=["Bo Lee", "Cy"])
    problem = make.problem("q", asked, TEXT, ["Bo Lee", ("Ann Fox", "Fox")], 1)
    passage = replace(problem.passage, token_layout=pack_spans(tokenise(TEXT).spans))
    sentences = ["Bo Lee ran.", '"He won," Ann Fox said.', "Fox left."]
    return reading_problem(replace(problem, passage=passage), sentences)


def test_the_deleted_phrase_is_one_token_and_later_persons_move_with_it(made):
    assert made.question == "XXX met Bo Lee, Ann's aide Cy."
    assert made.question_tokens == ("XXX", *TOKENS[3:])
    assert made.blank == 0
    assert [made.question_tokens[first:last] for first, last in made.question_persons] == [("Bo", "Lee"), ("Cy",)]


def test_mentions_are_ranges_of_passage_tokens(made):
    tokens = made.passage_tokens
    assert tokens == PASSAGE_TOKENS
    mentions = [[tokens[first:last] for first, last in choice.mentions] for choice in made.choices]
    assert mentions == [[("Bo", "Lee")], [("Ann", "Fox"), ("Fox",)]]
    assert [choice.tokens for choice in made.choices] == [("Bo", "Lee"), ("Ann", "Fox")]


def test_sentences_begin_at_the_tokens_where_the_splitter_began_them(made):
    sentences = [" ".join(made.passage_tokens[first:last]) for first, last in made.sentences()]
    assert sentences == ["Bo Lee ran .", '" He won , " Ann Fox said .', "Fox left ."]


def test_the_answer_and_the_deleted_name_are_not_in_what_a_system_reads(made):
    assert "Ann Fox" not in made.question
    assert not hasattr(made, "answer")
