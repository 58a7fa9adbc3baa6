"""Problems as systems read them: tokens, sentences, mentions, and the answer apart."""

import datetime as dt

from wdw_build.reading.problems import reading_problem
from wdw_build.records import Choice, Mention, Passage, Problem, Question, Span, pack_spans

SENTENCE = "Mayor Ann Fox met Bo Lee, Ann's aide Cy."
TOKENS = ("Mayor", "Ann", "Fox", "met", "Bo", "Lee", ",", "Ann", "'s", "aide", "Cy", ".")
TEXT = 'Bo Lee ran. "He won," Ann Fox said.\n\nFox left.'
PASSAGE_TOKENS = ("Bo", "Lee", "ran", ".", '"', "He", "won", ",", '"', "Ann", "Fox", "said", ".", "Fox", "left", ".")


def spans_of(text, tokens):
    spans, offset = [], 0
    for token in tokens:
        start = text.index(token, offset)
        offset = start + len(token)
        spans.append((start, offset))
    return spans


def mention(text, name, start=0):
    at = text.index(name, start)
    return Mention(start=at, end=at + len(name), text=name)


def span(text, name, start=0):
    found = mention(text, name, start)
    return Span(start=found.start, end=found.end)


def problem():
    question = Question(
        id="q",
        date=dt.date(2014, 3, 1),
        source="s",
        sentence=SENTENCE,
        tokens=TOKENS,
        blank_tokens=(0, 3),
        blank=mention(SENTENCE, "Mayor Ann Fox"),
        name=mention(SENTENCE, "Ann Fox"),
        others=(mention(SENTENCE, "Bo Lee"), mention(SENTENCE, "Cy")),
        tree="(S)",
        token_layout=pack_spans(spans_of(SENTENCE, TOKENS)),
    )
    passage = Passage(
        article="p",
        date=dt.date(2014, 3, 1),
        source="s",
        title="t",
        text=TEXT,
        tokens=len(PASSAGE_TOKENS),
        token_layout=pack_spans(spans_of(TEXT, PASSAGE_TOKENS)),
    )
    fox = Choice(name="Ann Fox", mentions=(span(TEXT, "Ann Fox"), span(TEXT, "Fox", 30)))
    lee = Choice(name="Bo Lee", mentions=(span(TEXT, "Bo Lee"),))
    return Problem(id="q", question=question, passage=passage, choices=(lee, fox), answer=1, window=1, score=1.0)


SENTENCES = ["Bo Lee ran.", '"He won," Ann Fox said.', "Fox left."]


def test_the_deleted_phrase_is_one_token_and_later_persons_move_with_it():
    made = reading_problem(problem(), SENTENCES)
    assert made.question == "XXX met Bo Lee, Ann's aide Cy."
    assert made.question_tokens == ("XXX", *TOKENS[3:])
    assert made.blank == 0
    assert [made.question_tokens[first:last] for first, last in made.question_persons] == [("Bo", "Lee"), ("Cy",)]


def test_mentions_are_ranges_of_passage_tokens():
    made = reading_problem(problem(), SENTENCES)
    tokens = made.passage_tokens
    assert tokens == PASSAGE_TOKENS
    assert [[tokens[first:last] for first, last in choice.mentions] for choice in made.choices] == [
        [("Bo", "Lee")],
        [("Ann", "Fox"), ("Fox",)],
    ]
    assert [choice.tokens for choice in made.choices] == [("Bo", "Lee"), ("Ann", "Fox")]


def test_sentences_begin_at_the_tokens_where_the_splitter_began_them():
    made = reading_problem(problem(), SENTENCES)
    assert [" ".join(made.passage_tokens[first:last]) for first, last in made.sentences()] == [
        "Bo Lee ran .",
        '" He won , " Ann Fox said .',
        "Fox left .",
    ]


def test_the_answer_and_the_deleted_name_are_not_in_what_a_system_reads():
    made = reading_problem(problem(), SENTENCES)
    assert "Ann Fox" not in made.question
    assert not hasattr(made, "answer")
