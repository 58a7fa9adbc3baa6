"""Laws of replaced names: all else in a problem stays, and every offset fits the new texts."""

import dataclasses

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from support import make
from support.fakes import tokenise
from wdw_build.records import Choice, Mention, NameReplacement, Pseudonyms, RenamedPerson, Span, pack_spans
from wdw_build.text.pseudonyms.apply import Replacement, RewrittenText, renamed

# (person, name, code); persons 0 and 1 are choices, person 2 is not.
FORMS = [
    (0, "Ann Ames", "@entity7"),
    (0, "Ames", "@entity7"),
    (1, "Bo", "@entity12"),
    (1, "Bo Cole's", "@entity12's"),
    (2, "Dunn", "@entity1"),
]
PERSONS = (
    RenamedPerson(name="Ann Ames", choice=0, code="@entity7"),
    RenamedPerson(name="Bo Cole", choice=1, code="@entity12"),
    RenamedPerson(name="Dunn", choice=None, code="@entity1"),
)
OUTSIDE = st.text(alphabet="ab .-'\n@é", max_size=6)


@dataclasses.dataclass
class Made:
    """A text with names in it, the replacements of these names, and random tokens."""

    text: str
    replacements: tuple[NameReplacement, ...]
    spans: list[tuple[int, int]]


@st.composite
def texts(draw, required=None):
    parts = draw(st.lists(st.tuples(OUTSIDE, st.sampled_from(FORMS)), max_size=6))
    if required is not None:
        parts.insert(draw(st.integers(0, len(parts))), (draw(OUTSIDE), required))
    text, replacements = "", []
    for outside, (person, name, code) in parts:
        start = len(text) + len(outside)
        text += outside + name
        replacements.append(NameReplacement(start=start, end=len(text), person=person, kind="mention", code=code))
    text += draw(OUTSIDE)
    spans = []
    for start, end in tokenise(text).spans:
        cuts = sorted(draw(st.sets(st.integers(start + 1, end - 1), max_size=1))) if end - start > 1 else []
        spans += zip([start, *cuts], [*cuts, end], strict=True)
    return Made(text, tuple(replacements), spans)


@st.composite
def problems(draw):
    asked, passage, title = draw(texts(required=FORMS[0])), draw(texts()), draw(texts())
    blank, *others = sorted(asked.replacements, key=lambda one: one.person != 0)
    mention, *mentions = (
        Mention(start=one.start, end=one.end, text=asked.text[one.start : one.end])
        for one in (blank, *(one for one in others if one.person))
    )
    tokens = tuple(asked.text[start:end] for start, end in asked.spans)
    told = {"sentence": asked.text, "tokens": tokens, "token_layout": pack_spans(asked.spans)}
    names = {"blank_tokens": (0, 1), "blank": mention, "name": mention, "others": tuple(mentions)}
    question = msgspec.structs.replace(make.question("p", "Ann", "Ann"), **told, **names)
    made = make.problem("p", question, passage.text, [person.name for person in PERSONS[:2]], 0)

    def mentions_of(person):
        return tuple(Span(start=one.start, end=one.end) for one in passage.replacements if one.person == person)

    choices = tuple(Choice(name=one.name, mentions=mentions_of(at)) for at, one in enumerate(made.choices))
    layout = {"tokens": len(passage.spans), "token_layout": pack_spans(passage.spans)}
    text = msgspec.structs.replace(made.passage, title=title.text, **layout)
    replacements = {"passage": passage.replacements, "question": asked.replacements, "title": title.replacements}
    pseudonyms = Pseudonyms(id="p", persons=PERSONS, **replacements)
    return msgspec.structs.replace(made, passage=text, choices=choices), pseudonyms


def forms_of(person):
    return {code for index, _, code in FORMS if index == person}


def rewritten(made):
    return RewrittenText(made.text, [Replacement(one.start, one.end, one.code) for one in made.replacements])


@given(problems())
def test_every_mention_of_a_choice_is_a_form_of_its_new_name(pair):
    problem, pseudonyms = pair
    changed = renamed(problem, pseudonyms)
    for index, (choice, old) in enumerate(zip(changed.choices, problem.choices, strict=True)):
        assert choice.name == (PERSONS[index].code)
        assert len(choice.mentions) == len(old.mentions)
        for mention in choice.mentions:
            assert changed.passage.text[mention.start : mention.end] in forms_of(index)


@given(problems())
def test_the_parts_of_the_question_fit_the_new_sentence(pair):
    problem, pseudonyms = pair
    question = renamed(problem, pseudonyms).question
    for mention in (question.blank, question.name, *question.others):
        assert question.sentence[mention.start : mention.end] == mention.text
    assert question.blank.text in forms_of(0)
    spans = question.token_spans
    assert question.tokens == tuple(question.sentence[start:end] for start, end in spans)
    first, last = question.blank_tokens
    assert spans[first][0] <= question.blank.start
    assert spans[last - 1][1] >= question.blank.end
    assert (question.tree, question.refused) == ("", ())


@given(texts())
def test_tokens_are_in_order_and_those_outside_of_replacements_stay(made):
    changed = rewritten(made)
    moved = list(changed.tokens(made.spans))
    position = 0
    for (start, end), _ in moved:
        assert position <= start < end <= len(changed.text)
        position = end
    untouched = [
        index
        for index, (start, end) in enumerate(made.spans)
        if not any(start < one.end and one.start < end for one in made.replacements)
    ]
    assert [old for _, old in moved if old is not None] == untouched
    for (start, end), old in moved:
        if old is not None:
            assert changed.text[start:end] == made.text[slice(*made.spans[old])]


@given(texts())
def test_tokens_cover_all_characters_that_are_no_space(made):
    changed = rewritten(made)
    covered = {place for (start, end), _ in changed.tokens(made.spans) for place in range(start, end)}
    assert {place for place, character in enumerate(changed.text) if not character.isspace()} <= covered


@given(texts())
def test_the_inverse_replacements_give_the_old_text(made):
    changed = rewritten(made)
    back = [Replacement(*changed.span(one.start, one.end), made.text[one.start : one.end]) for one in made.replacements]
    assert RewrittenText(changed.text, back).text == made.text
