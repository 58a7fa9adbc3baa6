"""questions: every reason for which a first sentence gives no question, each undone by its own switch."""

import pytest

from support import fakes, make, stage_runs
from wdw_build.records import Question
from wdw_build.stages.questions import STAGE

NAMES = ["Ann Ames", "Bob Beck"]
THREE = [*NAMES, "Cleo Cole"]
# "Ann Ames and friends" can never be deleted (the paper's rule), so that the last person alone decides.
AMES, BECK = "(NP (NNP Ann) (NNP Ames))", "(NP (NNP Bob) (NNP Beck))"
FIRST = f"(NP {AMES} (CC and) (NNS friends))"


def run(tmp_path, articles, annotator, **settings):
    section = STAGE.config(**{"min_tokens": 3, "min_persons": 2, **settings})
    inputs = stage_runs.tagged(tmp_path, articles, annotator)
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, annotator=annotator)


def ask(tmp_path, tree, names=NAMES, **settings):
    """The question or rejection of one sentence, given by its tree."""
    sentence = fakes.leaves(tree)
    annotator = fakes.RuleAnnotator(names, {sentence: tree})
    ran = run(tmp_path, [make.article("a", f"{sentence}\n\nMore text.")], annotator, **settings)
    return (ran.records or ran.rejections)["a"]


def sentence(last, first=FIRST, after=""):
    return f"(ROOT (S {first} (VP (VBD met) {last}) {after} (. .)))"


def test_the_token_spans_of_a_question_spell_its_tokens(tmp_path):
    question = ask(tmp_path, sentence("(NP (DT the) (NN poet) (NNP Bob) (NNP Beck))"))
    assert tuple(question.sentence[start:end] for start, end in question.token_spans) == question.tokens
    assert question.token_range(question.name) == (question.tokens.index("Bob"), question.tokens.index("Beck") + 1)


LONG = "(DT the) (JJ old) (JJ tall) (JJ thin) (JJ keen) (JJ poor) (JJ lame) (JJ deaf) (NN poet)"
SWITCHED = {
    "modifies-noun": (sentence("(NP (DT the) (NNP Bob) (NNP Beck) (NN inquiry))"), {"refuse_modifier": False}),
    "and-beside": (sentence(f"{BECK}", after="(CC and) (VP (VBD left))"), {"refuse_and_beside": False}),
    "finite-verb": (sentence("(NP (NN actor) (VBD won) (NNP Bob) (NNP Beck))"), {"refuse_finite_verb": False}),
    "phrase-too-long": (sentence(f"(NP {LONG} (NNP Bob) (NNP Beck))"), {"refuse_long_phrase": False}),
    "name-outside": (sentence(BECK, after="(PP (IN in) (NP (NNP Beck) (NNP Hall)))"), {"refuse_name_outside": False}),
}


def test_a_name_set_off_after_another_name_is_refused(tmp_path):
    tree = "(ROOT (S (NP (NP (NNP Ann) (NNP Ames)) (, ,) (NP (NNP Bob) (NNP Beck)) {comma}) (VP (VBD left)) (. .)))"
    found = ask(tmp_path, tree.format(comma="(, ,)"))
    assert ("Bob Beck", "coordinated") in [(one.name, one.rule) for one in found.refused]
    assert ask(tmp_path / "one", tree.format(comma="")).name.text == "Bob Beck"


def test_with_titles_kept_the_question_shows_the_title_and_the_person_in_it(tmp_path):
    tree = sentence("(NP (NP (NNP Cleo) (NNP Cole) (POS 's)) (NN lawyer) (NNP Sir) (NNP Bob) (NNP Beck))")
    assert ask(tmp_path, tree, THREE).blanked == "Ann Ames and friends met XXX ."
    found = ask(tmp_path / "keep", tree, THREE, titles="keep")
    assert found.blanked == "Ann Ames and friends met Cleo Cole 's lawyer XXX ."
    assert found.blank.text == "Sir Bob Beck"
    assert found.token_range(found.blank) == found.blank_tokens
    assert [one.text for one in found.others] == ["Ann Ames", "Cleo Cole"]


@pytest.mark.parametrize("reason", SWITCHED)
def test_a_rule_with_a_switch_refuses_and_lets_pass_when_it_is_off(tmp_path, reason):
    tree, off = SWITCHED[reason]
    found = ask(tmp_path / "on", tree)
    assert found.reason == reason
    assert [one.rule for one in found.refused] == [reason, "coordinated"]
    assert [one.name for one in found.refused] == ["Bob Beck", "Ann Ames"]
    assert ask(tmp_path / "off", tree, **off).name.text == "Bob Beck"


ALWAYS_REFUSED = [
    ("coordinated", f"(NP {BECK} (CC and) (NP (NNS friends)))"),
    ("coordinated", f"(NP {BECK} (PP (IN of) (NP (NNP Hull) (CC and) (NNP York))))"),
    ("name-cut", "(NP (NNP Bob)) (NP (NNP Beck))"),
]


@pytest.mark.parametrize(("reason", "last"), ALWAYS_REFUSED)
def test_a_rule_without_a_switch_always_refuses(tmp_path, reason, last):
    everything_off = {key: value for _, off in SWITCHED.values() for key, value in off.items()}
    assert ask(tmp_path / "on", sentence(last)).reason == reason
    assert ask(tmp_path / "off", sentence(last), **everything_off).reason == reason


def flat(tmp_path, text, names=NAMES, **settings):
    ran = run(tmp_path, [make.article("a", text)], fakes.RuleAnnotator(names), **settings)
    return (ran.records or ran.rejections)["a"]


MET = "Ann Ames met Bob Beck today ."
SHARES = "Ann Ames met Grey Bank shares today ."
LONG_NAME = "Anna Maria Luisa Beck"
MET_LONG = f"Ann Ames met {LONG_NAME} today ."


REJECTED = [
    (MET, NAMES, "sentence-too-short", {"min_tokens": 8}, {"min_tokens": 7}),
    (MET, NAMES, "sentence-too-long", {"max_tokens": 6}, {"max_tokens": 7}),
    (" \n ", NAMES, "sentence-too-short", {"min_tokens": 1}, None),
    ("Ann Ames met nobody today .", NAMES, "too-few-persons", {}, {"min_persons": 1}),
    ("It rained all day .", NAMES, "too-few-persons", {}, None),
    (SHARES, ["Ann Ames", "Grey Bank"], "mentions-not-persons", {}, {"refuse_non_persons": False}),
    (MET_LONG, ["Ann Ames", LONG_NAME], "persons-not-eligible", {}, {"max_name_words": 4}),
    ("Ann Ames met Bob Ames today .", ["Ann Ames", "Bob Ames"], "persons-not-eligible", {}, None),
]


@pytest.mark.parametrize(("text", "names", "reason", "on", "off"), REJECTED)
def test_a_sentence_without_two_persons_of_a_good_length_is_rejected(tmp_path, text, names, reason, on, off):
    rejection = flat(tmp_path / "on", text, names, **on)
    assert rejection.reason == reason
    assert rejection.detail.endswith(f": {text.strip()}"), "the rejection shows the sentence"
    if off:
        assert isinstance(flat(tmp_path / "off", text, names, **off), Question)


def test_the_mention_that_is_no_person_is_recorded(tmp_path):
    found = flat(tmp_path, "Ann Ames met Grey Bank shares today .", ["Ann Ames", "Grey Bank"])
    assert [(one.name, one.rule) for one in found.refused] == [("Grey Bank", "not-a-person")]


COLE = "(PP (IN with) (NP (NNP Cleo) (NNP Cole)))"
WITH_COLE = sentence(f"(NP {BECK} {COLE})", first=AMES)


def test_every_person_that_may_be_deleted_is_kept_as_a_blank_the_last_one_first(tmp_path):
    found = ask(tmp_path, WITH_COLE, THREE)
    assert [one.name.text for one in found.each_blank()] == ["Cleo Cole", "Bob Beck", "Ann Ames"]
    assert [one.name.text for one in found.more_blanks] == ["Bob Beck", "Ann Ames"]
    for one in found.each_blank():
        assert one.blank.text == one.name.text
        assert sorted(other.text for other in one.others) == sorted({*THREE} - {one.name.text})
        assert one.left + one.blank.text + one.right == found.sentence
        assert one.tokens[slice(*one.blank_tokens)] == tuple(one.blank.text.split())


def test_with_the_last_person_only_the_question_is_that_of_the_first_blank(tmp_path):
    last = ask(tmp_path / "last", WITH_COLE, THREE, persons="last")
    assert last.more_blanks == ()
    assert last.each_blank() == [last]
    assert ask(tmp_path / "all", WITH_COLE, THREE).with_blank(0) == last


def test_a_person_that_may_not_be_deleted_is_refused_and_the_persons_around_it_are_blanks(tmp_path):
    tree = sentence(f"(NP (DT the) (NNP Bob) (NNP Beck) (NN inquiry)) {COLE}", first=AMES)
    found = ask(tmp_path / "all", tree, THREE)
    assert [one.name.text for one in found.each_blank()] == ["Cleo Cole", "Ann Ames"]
    assert [(one.name, one.rule) for one in found.refused] == [("Bob Beck", "modifies-noun")]
    assert "Bob Beck" in [one.text for one in found.others]
    assert ask(tmp_path / "last", tree, THREE, persons="last").refused == ()


def test_the_other_persons_of_the_sentence_are_recorded_and_those_within_the_blank_are_not(tmp_path):
    found = ask(tmp_path, sentence(f"(NP {BECK} (PP (IN of) (NP (NNP Cleo) (NNP Cole))))", first=AMES), THREE)
    assert found.blank.text == "Cleo Cole"
    assert all(found.sentence[one.start : one.end] == one.text for one in found.others)
    assert "Ann Ames" in [one.text for one in found.others]
    assert all(one.end <= found.blank.start or one.start >= found.blank.end for one in found.others)


def test_only_sentences_of_the_right_form_that_survive_the_persons_are_parsed(tmp_path):
    annotator = fakes.RuleAnnotator(NAMES)
    texts = {"a": MET, "b": "Ann Ames met nobody today .", "c": "It rained .", "d": "Bob Beck met Ann Ames there ."}
    texts["e"] = "Here is what Ann Ames told Bob Beck :"
    ran = run(tmp_path, [make.article(name, text) for name, text in texts.items()], annotator)
    assert annotator.parsed == [texts["a"], texts["d"]]
    assert [*ran.records] == ["a", "d"]


def test_results_come_in_the_order_of_the_sentences(tmp_path):
    texts = [MET, "It rained all day .", MET.replace("today", "there"), "No ."] * 3
    articles = [make.article(f"a{at:02d}", text) for at, text in enumerate(texts)]
    ran = run(tmp_path, articles, fakes.RuleAnnotator(NAMES))
    assert [*ran.records] == [one.id for one in articles if "met" in one.text]
    assert [*ran.rejections] == [one.id for one in articles if "met" not in one.text]


LEADS = [
    (f"It rained all day . {MET}\n\nMore .", 2, MET),
    (f"It rained all day .\n\nIt snowed .\n\n{MET}", 3, MET),
    (f"It rained all day .\n\nIt snowed .\n\n{MET}", 2, None),
    (f"{MET} Bob Beck met Ann Ames there .", 2, MET),
    ("It rained all day .", 3, None),
]


@pytest.mark.parametrize(("text", "most", "asked"), LEADS)
def test_the_first_sentence_of_the_lead_that_gives_a_question_becomes_it(tmp_path, text, most, asked):
    found = flat(tmp_path, text, lead_sentences=most)
    if asked:
        assert found.sentence == asked
    else:
        assert found.detail.endswith("It rained all day ."), "the rejection is that of the first sentence"


FORMS = {
    "introduces-text": ("Here is what Ann Ames told Bob Beck :", "refuse_introductions"),
    "addresses-reader": ("You know that Ann Ames met Bob Beck .", "refuse_reader_address"),
    "joins-sentences": ("BECK : Ann Ames met Bob Beck today .", "refuse_joined_sentences"),
    "embedded-post": ("Ann Ames met Bob Beck pic.twitter.com/abc today .", "refuse_embedded_posts"),
    "broken-text": ("Ann Ames met Bob Beck s friends today .", "refuse_broken_text"),
    "no-main-clause": ("By Ann Ames Two friends met Bob Beck today .", "refuse_fragments"),
}


@pytest.mark.parametrize("reason", FORMS)
def test_a_sentence_of_the_wrong_form_is_rejected_unless_the_rule_is_off(tmp_path, reason):
    text, switch = FORMS[reason]
    assert flat(tmp_path / "on", text).reason == reason
    assert isinstance(flat(tmp_path / "off", text, **{switch: False}), Question)


def test_a_sentence_that_gives_a_full_name_twice_is_rejected_unless_the_rule_is_off(tmp_path):
    last = f"{BECK} (PP (IN with) (NP (NNP Ann) (NNP Ames)))"
    assert ask(tmp_path / "on", sentence(last)).reason == "joins-sentences"
    assert ask(tmp_path / "off", sentence(last), refuse_joined_sentences=False).name.text == "Bob Beck"


def test_a_sentence_whose_tree_has_no_main_clause_is_rejected_unless_the_rule_is_off(tmp_path):
    tree = "(ROOT (NP (NP (NNP Ann) (NNP Ames)) (PP (IN with) (NP (NNP Bob) (NNP Beck))) (. .)))"
    assert ask(tmp_path / "on", tree).reason == "no-main-clause"
    assert ask(tmp_path / "off", tree, refuse_fragments=False).blank.text == "Bob Beck"


CAUSES = [
    (["Ann Ames", LONG_NAME], f"4 words: {LONG_NAME}: "),
    (["Ann Ames", "Bob Ames"], "names share a word: Ann Ames; Bob Ames: "),
    (["Ann Maria Luisa Ames", "Bob Maria Luisa Ames"], "names share a word: "),
]


@pytest.mark.parametrize(("names", "cause"), CAUSES)
def test_the_rejection_of_two_persons_names_the_length_to_allow_or_the_names_that_share_a_word(tmp_path, names, cause):
    rejection = flat(tmp_path, f"{names[0]} met {names[1]} today .", names)
    assert (rejection.reason, rejection.detail[: len(cause)]) == ("persons-not-eligible", cause)


def test_a_rejection_for_the_form_says_the_words_the_sentence_and_the_refused_mentions(tmp_path):
    text = "You know that Ann Ames met Bob Beck ."
    rejection = flat(tmp_path, text)
    assert rejection.detail == f"You: {text}"
    assert rejection.refused == ()
    long = f"You know that Ann Ames met Bob Beck {'and then met them again ' * 15}."
    assert flat(tmp_path / "long", long).detail == f"You: {long[:300]}"
