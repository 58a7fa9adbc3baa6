"""All annotators: offsets point at the words, and a result depends only on its own text."""

import functools

import pytest

from support import fakes
from wdw_build.adapters.stanza.annotator import StanzaAnnotator
from wdw_build.adapters.stanza.models import NlpConfig, find_models
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.records import PERSON, unpack_spans

LEADS = [
    "Governor Thomas Whitfield met Maria Lopez in Ottawa on Monday to discuss the new dam.",
    "Judge Helen Marsh sentenced banker Robert Crane to six years in prison on Friday.",
    "It rained all day on Monday in the north of the country.",
    "The president of the union, Walter Hughes, said the talks with Daniel Foster had failed after nine long hours.",
]
PERSONS = [["Thomas Whitfield", "Maria Lopez"], ["Robert Crane"], [], ["Walter Hughes", "Daniel Foster"]]
TEXT = "\n\n".join([f"{LEADS[0]} Whitfield said the work would begin in May.", LEADS[1], "Nobody else spoke."])


def new_stanza():
    return StanzaAnnotator(find_models("bundled"), NlpConfig(), ExecutionConfig())


stanza = functools.cache(new_stanza)


@pytest.fixture(scope="module", params=[fakes.RuleAnnotator, pytest.param(stanza, marks=pytest.mark.real)])
def annotator(request):
    return request.param()


# Stanza's tokenizer replaces longer words by <UNK>.
LONGEST = 1000


def words_at(tokens):
    found = ["".join(tokens.text[low:high].split()) for low, high in tokens.spans]
    pairs = zip(found, tokens.words, strict=True)
    return ["<UNK>" if len(word) > LONGEST and own == "<UNK>" else word for word, own in pairs]


def test_token_offsets_point_at_the_words(annotator):
    for lead, tokens in zip(LEADS, annotator.first_sentences(LEADS), strict=True):
        assert tokens.text == lead
        assert words_at(tokens) == list(tokens.words)
        assert "".join(tokens.words) == lead.replace(" ", "")


def test_the_first_sentence_ends_before_the_second_and_its_offsets_count_from_its_own_start(annotator):
    (tokens,) = annotator.first_sentences([f"  {LEADS[0]} {LEADS[1]}"])
    assert tokens.text == LEADS[0]
    assert words_at(tokens) == list(tokens.words)


def test_names_are_spans_of_tokens_in_order_and_persons_have_their_kind(annotator):
    tokens = annotator.first_sentences(LEADS)
    found = annotator.names(tokens)
    for one, names, wanted in zip(tokens, found, PERSONS, strict=True):
        assert [name.start for name in names] == sorted(name.start for name in names)
        persons = [" ".join(one.words[name.start : name.end]) for name in names if name.kind == PERSON]
        assert all(any(person.endswith(name) for person in persons) for name in wanted)
    assert [name for name in found[2] if name.kind == PERSON] == []


def test_a_tree_has_one_leaf_a_token_in_order(annotator):
    tokens = annotator.first_sentences(LEADS)
    for one, tree in zip(tokens, annotator.trees(tokens), strict=True):
        assert fakes.leaves(tree).split() == list(one.words)


def test_a_result_does_not_depend_on_its_neighbours_in_the_batch(annotator):
    alone = [annotator.first_sentences([lead])[0] for lead in LEADS]
    assert annotator.first_sentences(LEADS[::-1])[::-1] == alone
    assert annotator.names(alone) == [annotator.names([one])[0] for one in alone]
    assert annotator.trees(alone[::-1])[::-1] == [annotator.trees([one])[0] for one in alone]
    long = " ".join(LEADS * 20)
    assert annotator.annotate([("b", long), ("a", TEXT)])[1] == annotator.annotate([("a", TEXT)])[0]


def test_an_empty_batch_gives_no_results(annotator):
    assert annotator.first_sentences([]) == annotator.names([]) == annotator.trees([]) == annotator.annotate([]) == []


@pytest.mark.parametrize("empty", ["", "   ", " \n\t "])
def test_a_text_without_words_has_no_first_sentence_and_no_persons(annotator, empty):
    assert annotator.first_sentences([empty, LEADS[0]])[0] is None
    (note,) = annotator.annotate([("a", empty)])
    assert (note.persons, note.tokens, note.sentences) == ((), 0, 0)


def test_mentions_of_an_article_are_slices_of_its_text_in_order(annotator):
    (note,) = annotator.annotate([("a", TEXT)])
    assert note.id == "a"
    assert all(TEXT[one.start : one.end] == one.text for one in note.persons)
    assert [one.start for one in note.persons] == sorted(one.start for one in note.persons)
    assert any("Maria Lopez" in one.text for one in note.persons)
    assert note.sentences == 4
    assert note.tokens > 30


def test_the_token_spans_of_an_article_cover_all_its_characters_but_white_space(annotator):
    text = f"  {TEXT}\n\n\t{LEADS[1]}"
    (note,) = annotator.annotate([("a", text)])
    spans = unpack_spans(note.token_layout)
    assert len(spans) == note.tokens
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())


@pytest.mark.parametrize(
    "odd",
    [chr(0xD800), "caf\udce9", "\x00\x01\x02", "🙂🙂", "\u200b", "؟؟", "a" * 5000, "word " * 3000, "((((", "\ufffd"],
)
def test_odd_characters_stop_nothing_and_shift_no_offset(annotator, odd):
    text = f"{LEADS[0]} He wrote {odd} twice.\n\n{LEADS[1]}"
    (note,) = annotator.annotate([("a", text)])
    assert all(text[one.start : one.end] == one.text for one in note.persons)
    firsts = annotator.first_sentences([f"{odd} and {LEADS[0]}"])
    for one, tree in zip(firsts, annotator.trees(firsts), strict=True):
        assert words_at(one) == list(one.words)
        assert tree
    assert len(annotator.names(firsts)) == 1


@pytest.mark.real
def test_a_long_sentence_is_cut_into_pieces_without_losing_a_person(monkeypatch):
    monkeypatch.setattr("wdw_build.adapters.stanza.annotator.MAX_SENTENCE_TOKENS", 50)
    text = "and then " * 60 + LEADS[0]
    (note,) = new_stanza().annotate([("a", text)])
    assert {"Thomas Whitfield", "Maria Lopez"} <= {one.text for one in note.persons}
    assert all(text[one.start : one.end] == one.text for one in note.persons)


THINGS = [
    ("Paul Ames bribed the police force of Old Tappan, N.J., for years.", "Old Tappan", "LOC"),
    ("Paul Ames met troops at Fort Hood on Monday.", "Fort Hood", "LOC"),
    ("It rained in Lake Charles when Paul Ames came.", "Lake Charles", "LOC"),
    ("Ida Moss met Paul Ames on the Charles Bridge.", "Charles Bridge", "LOC"),
    ("Hurricane Gloria drove Paul Ames from his home.", "Gloria", "MISC"),
    ("Paul Ames led a march in Washington D. C. on Monday.", "Washington D. C.", "LOC"),
    ("Ida Moss and Paul Ames spoke at Executive Yuan.", "Executive Yuan", "ORG"),
    ("Ida Moss praised Shia Islam.", "Shia Islam", "MISC"),
]


@pytest.mark.real
@pytest.mark.parametrize(("sentence", "name", "kind"), THINGS)
def test_a_thing_with_a_personal_looking_name_is_no_person_for_both_taggers_together(sentence, name, kind):
    annotator = stanza()
    tokens = annotator.first_sentences([sentence])[0]
    (names,) = annotator.names([tokens])
    found = {tokens.mention((one.start, one.end)).text: one.kind for one in names}
    assert found[name] == kind
    assert PERSON in found.values()
