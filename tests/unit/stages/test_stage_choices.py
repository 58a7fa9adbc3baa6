"""choices: every rule that refuses a passage, choices without the persons the question still names, and the rounds.

A passage with too many persons is refused here, as in the paper, but where a test says ``above_max="draw"``.
"""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import fakes, make, stage_runs
from support.make import article, question
from wdw_build.adapters.kept_results import AnnotationStore, KeptResults
from wdw_build.records import Candidate, Rejection, Retrieval, unpack_spans
from wdw_build.stages.choices import STAGE
from wdw_build.stages.choices.rules import in_question

LEAD = "Ann Ames told Bob Beck that the old bridge must close ."
FAMILIES = "Dora Beck, Bob Beck, Beck, Ann Ames, Carl Ames, Ames, Cleo Cole, Cole".split(", ")
NAMES = [*FAMILIES, "Dora Dunn", "Emil Eck", "Fay Frost", "Gus Gall", "Hal Hill", "Grey Bank"]
GOOD = "Ann Ames met Cleo Cole . Ames left . Bob Beck waited for Dora Dunn ."


def ask(sentence=LEAD, person="Ann Ames", other="Bob Beck", name="q"):
    return question(name, sentence, person, others=[other])


def candidates(articles, rule="", blank=0):
    for rank, one in enumerate(articles, 1):
        yield Candidate(article=one, date=make.DAY, window=1, rank=rank, score=9.0 - rank, rule=rule, blank=blank)


def retrieval(name, *valid, refused=()):
    return Retrieval(id=name, candidates=(*candidates(valid), *candidates(refused, "reprint")))


def choose(tmp_path, texts, questions=None, retrievals=None, annotations=None, seed=0, own="", articles=(), **settings):
    """Run the stage on passages p1, p2 ... that one question tries in that order; ``own`` is the text of its article."""
    passages = [*articles, *(article(f"p{at}", text) for at, text in enumerate(texts, 1))]
    questions = questions or [ask()]
    every = [*(article(one.id, own or one.sentence) for one in questions), *passages]
    inputs = {
        "retrieve": retrievals or [retrieval("q", *(one.id for one in passages))],
        "questions": questions,
        "ingest": every,
        "names": stage_runs.table_of_names(),
        "index": stage_runs.indexed(tmp_path / "indexed", every),
    }
    annotations = annotations or fakes.MemoryAnnotations(fakes.RuleAnnotator(NAMES))
    section = STAGE.config(**({"above_max": "refuse", "min_evidence": 0.0} | settings))
    models = {"annotations": annotations, "sentence_encoder": fakes.FakeEncoder()}
    return stage_runs.run_stage(STAGE, tmp_path, inputs, section=section, seed=seed, **models)


def only(ran):
    """The first alternative of the only question, or its rejection."""
    return ran.records["q"].outline(0) if ran.records else ran.rejections["q"]


def names_of(found):
    return [choice.name for choice in found.choices]


def choices(*arguments, **settings):
    """The names of the choices of the first alternative."""
    return names_of(only(choose(*arguments, **settings)))


# The fake tagger takes words in capitals for page text; the first look doubts the last line.
PAGE = f"{GOOD} READ MORE ABOUT TARN here . Share this on Facebook"


def test_a_passage_with_page_text_is_refused_with_these_words_and_the_next_one_is_tried(tmp_path):
    (refused,) = only(choose(tmp_path, [PAGE, GOOD])).refused
    assert (refused.article, refused.detail) == ("p1", "1.00: READ MORE ABOUT TARN here .")


def test_a_question_with_page_text_is_rejected(tmp_path):
    rejection = only(choose(tmp_path, [GOOD], [ask(f"{LEAD[:-2]} TOP STORIES OF TARN .")]))
    assert (rejection.reason, rejection.detail) == ("page-text-in-question", "1.00: TOP STORIES OF TARN .")


def test_page_text_is_not_looked_for_in_wires(tmp_path):
    wire = msgspec.structs.replace(article("p1", PAGE), profile="wire")
    assert choose(tmp_path, [], articles=[wire]).records["q"].passages


def test_a_relative_of_a_person_of_the_question_stays_a_choice(tmp_path):
    text = "Ann Ames met Cleo Cole and Dora Beck ."
    assert choices(tmp_path / "on", [text]) == ["Ann Ames", "Cleo Cole", "Dora Beck"]
    assert choices(tmp_path / "off", [text], keep_namesakes=False) == ["Ann Ames", "Cleo Cole"]


ARTICLES = [
    ("Ames spoke . Ann Ames left .", "Ann Ames"),
    ("Ames spoke . Carl Ames left .", "answer-not-a-choice"),
    ("Ames spoke . Carl Ames met Ann Ames .", "ambiguous-answer"),
    ("Ames spoke .", "Ann Ames"),
]


@pytest.mark.parametrize(("own", "expected"), ARTICLES)
def test_a_family_name_is_the_answer_only_where_the_passage_names_the_person_of_the_article(tmp_path, own, expected):
    asked = [ask("Ames told Bob Beck that the old bridge must close .", "Ames")]
    found = only(choose(tmp_path, ["Ann Ames met Cleo Cole and Dora Dunn ."], asked, own=own))
    assert (found.detail if isinstance(found, Rejection) else found.choices[found.answer].name) == expected


def test_the_father_is_not_the_answer_where_the_son_was_deleted(tmp_path):
    asked = [ask("Gus Gall Jr. told Bob Beck that the bridge must close .", "Gus Gall Jr.")]
    assert only(choose(tmp_path, ["Gus Gall met Cleo Cole and Dora Dunn ."], asked)).detail == "answer-not-a-choice"


WRITINGS = ["Zoe O`Dunn-Li", "ZOË O’DUNN LI", "Zoe\u0308 ODunn\u2011Li’s", "Zoe O'Du\xadnn-Li", "Zoe Dunn"]


@pytest.mark.parametrize("shown", WRITINGS)
def test_a_person_whom_the_question_shows_in_another_writing_is_no_choice(shown):
    asked = ask(f"Ann Ames told Bob Beck that {shown} must sail .")
    assert in_question("Zoë O'Dunn-Li", asked, STAGE.config()) is (shown != "Zoe Dunn")


SHOWN = [
    ("Bob Beck", "the Cleo Cole", "Cleo Cole", False),
    ("Bob Beck", "Dora Dunning", "Dora Dunning", False),
    ("Bob Beck", "Dora Dunningr", "Dora Dunning", False),
    ("Bob Beck", "Dunninghas", "Dora Dunning", False),
    ("Bob Beck", "Emil Dunnink", "Dora Dunning", True),
    ("Dmitry Kovtun", "it", "Dmitri Kovtun", False),
]


@pytest.mark.parametrize(("tagged", "shown", "person", "is_choice"), SHOWN)
def test_a_person_whom_the_question_shows_untagged_or_misspelt_is_no_choice(tmp_path, tagged, shown, person, is_choice):
    asked = ask(f"Ann Ames told {tagged} that {shown} must sail .", other=tagged)
    annotations = fakes.MemoryAnnotations(fakes.RuleAnnotator(["Ann Ames", "Gus Gall", person]))
    found = choices(tmp_path, [f"Ann Ames met Gus Gall and {person} ."], [asked], annotations=annotations)
    assert found == ["Ann Ames", "Gus Gall", *[person] * is_choice]


def test_a_family_in_the_plural_is_no_choice_only_if_forms_are_merged(tmp_path):
    asked = [ask("Ann Ames told the Becks that the bridge must sail .", other="Becks")]
    text = "Ann Ames met Cleo Cole and Dora Beck ."
    assert choices(tmp_path / "on", [text], asked) == ["Ann Ames", "Cleo Cole"]
    assert choices(tmp_path / "off", [text], asked, merge_forms=False) == ["Ann Ames", "Cleo Cole", "Dora Beck"]


MANY = "Ann Ames met Cleo Cole , Dora Dunn , Emil Eck , Fay Frost and Gus Gall ."
RULES = {
    "too-few-choices": ("Ann Ames met Bob Beck .", {"min_choices": 1}),
    "too-many-choices": (MANY, {"max_choices": 6}),
    "answer-not-a-choice": ("Cleo Cole met Dora Dunn .", None),
    "ambiguous-answer": ("Ann Ames met Carl Ames and Cleo Cole .", {"keep_namesakes": True}),
    "undecided": (GOOD, {"min_evidence": 0.001}),
    "page-text": (PAGE, {"max_page_text": 1.0}),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_refuses_a_passage_with_its_name(tmp_path, rule):
    text, off = RULES[rule]
    on = {"undecided": {"min_evidence": 1.0}, "ambiguous-answer": {"keep_namesakes": False}}.get(rule, {})
    found = only(choose(tmp_path / "on", [text], **on))
    assert (found.reason, found.detail) == ("no-usable-passage", rule)
    assert [(one.article, one.rule) for one in found.candidates] == [("p1", rule)]
    if off:
        assert only(choose(tmp_path / "off", [text], **off)).passage.article == "p1"


def test_with_more_persons_than_choices_the_answer_and_others_are_drawn_and_everybody_is_kept(tmp_path):
    found = only(choose(tmp_path, [MANY], above_max="draw", max_choices=3))
    everybody = ["Ann Ames", "Cleo Cole", "Dora Dunn", "Emil Eck", "Fay Frost", "Gus Gall"]
    assert [person.name for person in found.persons] == everybody
    assert len(found.choices) == 3
    assert names_of(found)[found.answer] == "Ann Ames"
    # In the order of the passage.
    assert names_of(found) == [name for name in everybody if name in names_of(found)]
    assert all(choice in found.persons for choice in found.choices)


def test_nothing_is_drawn_where_the_persons_are_few_enough(tmp_path):
    assert only(choose(tmp_path / "few", [GOOD], above_max="draw")).persons == ()
    assert only(choose(tmp_path / "all", [MANY], above_max="draw", max_choices=6)).persons == ()


def drawn(tmp_path, ids, seed=0):
    """The choices of each question, all about one passage."""
    asked, retrievals = [ask(name=name) for name in ids], [retrieval(name, "p1") for name in ids]
    ran = choose(tmp_path, [MANY], asked, retrievals, seed=seed, above_max="draw", max_choices=3)
    return {name: names_of(found.outline(0)) for name, found in ran.records.items()}


def test_a_draw_depends_on_seed_and_problem_and_not_on_other_problems(tmp_path):
    every = [f"q{number}" for number in range(12)]
    together = drawn(tmp_path / "together", every)
    assert drawn(tmp_path / "alone", ["q7"]) == {"q7": together["q7"]}
    assert len(set(map(tuple, together.values()))) > 3
    assert drawn(tmp_path / "seed", every, seed=1) != together


def test_a_person_s_draw_does_not_depend_on_who_else_is_there(tmp_path):
    """With one person less, nobody is drawn anew but who takes that place."""
    first = choices(tmp_path / "all", [MANY], above_max="draw", max_choices=4)
    second = choices(tmp_path / "fewer", [MANY.replace(" , Emil Eck", "")], above_max="draw", max_choices=4)
    assert set(first) - {"Emil Eck"} <= set(second)


def test_the_draw_is_made_after_the_other_rules(tmp_path):
    many = "Ann Ames met Carl Ames , Cleo Cole , Dora Dunn , Emil Eck , Fay Frost and Gus Gall ."
    assert only(choose(tmp_path, [many], above_max="draw", keep_namesakes=False)).detail == "ambiguous-answer"


def test_choices_are_the_persons_in_order_without_those_the_question_still_names(tmp_path):
    found = only(choose(tmp_path, [GOOD]))
    assert names_of(found) == ["Ann Ames", "Cleo Cole", "Dora Dunn"]
    assert found.answer == 0
    assert [GOOD[one.start : one.end] for one in found.choices[0].mentions] == ["Ann Ames", "Ames"]


def test_the_answer_may_be_a_shorter_form_of_the_deleted_name(tmp_path):
    asked = [ask("Ann B. Ames told Bob Beck that the old bridge must close .", "Ann B. Ames")]
    found = only(choose(tmp_path, ["Cleo Cole met Ann Ames ."], asked))
    assert names_of(found)[found.answer] == "Ann Ames"


def test_a_tagged_name_that_is_no_person_is_dropped_unless_switched_off(tmp_path):
    text = "Ann Ames met Cleo Cole near Grey Bank shares ."
    assert choices(tmp_path / "on", [text]) == ["Ann Ames", "Cleo Cole"]
    assert choices(tmp_path / "off", [text], refuse_non_persons=False) == ["Ann Ames", "Cleo Cole", "Grey Bank"]


def test_the_next_candidate_is_tried_when_one_is_refused_and_the_refused_are_kept(tmp_path):
    found = only(choose(tmp_path, [RULES["too-few-choices"][0], MANY, GOOD, GOOD]))
    assert found.passage.article == "p3"
    assert [(one.article, one.rule) for one in found.refused] == [("p1", "too-few-choices"), ("p2", "too-many-choices")]
    assert (found.window, found.score) == (1, 6.0)


def test_a_candidate_that_retrieve_refused_is_not_tried(tmp_path):
    found = only(choose(tmp_path, [GOOD, GOOD], retrievals=[retrieval("q", "p2", refused=["p1"])]))
    assert found.passage.article == "p2"


THREE = [ask(name=name) for name in ("q1", "q2", "q3")]


def test_rounds_annotate_no_article_twice_and_none_that_nobody_needs(tmp_path):
    annotator = fakes.RuleAnnotator(NAMES)
    annotations = AnnotationStore(KeptResults(tmp_path / "annotations"), annotator)
    texts = [RULES["too-few-choices"][0], GOOD, MANY, GOOD]
    # p1 is the first of two questions; p2 the second of one and the first of another; nobody gets as far as p4.
    retrievals = [retrieval("q1", "p1", "p2", "p4"), retrieval("q2", "p2"), retrieval("q3", "p1", "p3", "p2", "p4")]
    ran = choose(tmp_path, texts, THREE, retrievals, annotations, max_alternatives=1)
    passages = {name: [one.article for one in found.passages] for name, found in ran.records.items()}
    assert passages == {"q1": ["p2"], "q2": ["p2"], "q3": ["p2"]}
    assert annotator.annotated == {"p1": 1, "p2": 1, "p3": 1}


def test_problems_come_in_the_order_of_the_questions_not_of_the_rounds(tmp_path):
    retrievals = [retrieval("q1", "p1", "p2"), retrieval("q2", "p2"), retrieval("q3", "p1")]
    ran = choose(tmp_path, [MANY, GOOD], THREE, retrievals)
    assert [*ran.records] == ["q1", "q2"]
    assert ran.reasons == {"q3": "no-usable-passage"}


# --- alternatives -----------------------------------------------------------------------------------------------------

LAST_FIRST = make.with_blanks(ask(LEAD, "Bob Beck", "Ann Ames"), ask())
BOTH = "Ann Ames met Cleo Cole . Bob Beck waited for Dora Dunn ."
ONLY_ANN = "Ann Ames met Cleo Cole and Dora Dunn ."


def of_blanks(*valid):
    """A retrieval; ``valid``: the articles of each blank, in rank order."""
    found = (one for blank, articles in enumerate(valid) for one in candidates(articles, blank=blank))
    return Retrieval(id="q", candidates=tuple(found))


def alternatives_of(tmp_path, texts, *valid, asked=LAST_FIRST, **settings):
    """The record of a question with several blanks, or its rejection."""
    found = choose(tmp_path, texts, [asked], [of_blanks(*valid)], **({"above_max": "draw"} | settings))
    return (found.records or found.rejections)["q"]


def described(record):
    """Blank, article, kind of choices and answer of each alternative."""
    return [
        (one.blank, record.passages[one.passage].article, one.choice_set, found.choices[found.answer].name)
        for one, found in zip(record.alternatives, record.outlines(), strict=True)
    ]


def test_every_usable_passage_gives_an_alternative_for_each_blank_those_of_the_last_person_first(tmp_path):
    record = alternatives_of(tmp_path, [BOTH, ONLY_ANN, BOTH], ["p1", "p3"], ["p1", "p2", "p3"])
    last = [(0, article, "all", "Bob Beck") for article in ("p1", "p3")]
    assert described(record) == [*last, *((1, article, "all", "Ann Ames") for article in ("p1", "p2", "p3"))]
    assert sorted(one.article for one in record.passages) == ["p1", "p2", "p3"]
    assert record.question == LAST_FIRST


def test_an_alternative_asks_for_its_blank_without_the_persons_that_this_blank_leaves_in_the_question(tmp_path):
    last, first = alternatives_of(tmp_path, [BOTH], ["p1"], ["p1"]).outlines()
    assert (last.question, names_of(last)) == (LAST_FIRST.with_blank(0), ["Cleo Cole", "Bob Beck", "Dora Dunn"])
    assert (first.question, names_of(first)) == (LAST_FIRST.with_blank(1), ["Ann Ames", "Cleo Cole", "Dora Dunn"])
    assert [one.alternative for one in (last, first)] == [0, 1]


def test_a_passage_is_refused_for_each_blank_by_itself(tmp_path):
    record = alternatives_of(tmp_path, [ONLY_ANN], ["p1"], ["p1"])
    assert described(record) == [(1, "p1", "all", "Ann Ames")]
    assert [(one.article, one.blank, one.rule) for one in record.refused] == [("p1", 0, "answer-not-a-choice")]
    assert record.outline(0).refused == ()
    refused = alternatives_of(tmp_path / "none", ["Cleo Cole left ."], ["p1"], ["p1"])
    assert refused.reason == "no-usable-passage"
    assert [one.blank for one in refused.candidates] == [0, 1]


def test_a_passage_with_too_many_persons_has_several_sets_of_choices_that_all_contain_the_answer(tmp_path):
    # Hal Hill and Cleo Cole are named last and most often.
    text = "Dora Dunn met Emil Eck , Fay Frost , Bob Beck , Hal Hill and Cleo Cole . Cole left . Hal Hill left ."
    record = alternatives_of(tmp_path, [text], ["p1"], max_choices=3)
    assert [one.choice_set for one in record.alternatives] == ["drawn", "most-named", "first-named"]
    sets = {one.choice_set: names_of(found) for one, found in zip(record.alternatives, record.outlines(), strict=True)}
    assert sets["most-named"] == ["Bob Beck", "Hal Hill", "Cleo Cole"]
    assert sets["first-named"] == ["Dora Dunn", "Emil Eck", "Bob Beck"]
    people = ["Dora Dunn", "Emil Eck", "Fay Frost", "Bob Beck", "Hal Hill", "Cleo Cole"]
    for found in record.outlines():
        assert found.choices[found.answer].name == "Bob Beck"
        assert [one.name for one in found.persons] == people
        assert names_of(found) == [name for name in people if name in names_of(found)]


def test_no_text_of_a_passage_is_stored(tmp_path):
    record = alternatives_of(tmp_path, [BOTH], ["p1"], ["p1"])
    assert b"waited for" not in msgspec.json.encode(record)
    (passage,) = record.passages
    assert [BOTH[slice(*span)] for span in unpack_spans(passage.token_layout)] == BOTH.split()


MANY_LAST = f"{MANY} Bob Beck spoke ."
KINDS = {"both": BOTH, "ann": ONLY_ANN, "many": MANY_LAST, "nobody": "Cleo Cole met Dora Dunn ."}


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_all_alternatives_or_the_most_asked_for_are_kept_and_the_first_is_that_of_the_paper(tmp_path_factory, data):
    kinds = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=5))
    ranks = [data.draw(st.permutations([f"p{at}" for at, _ in enumerate(kinds, 1)])) for _ in range(2)]
    valid = [order[: data.draw(st.integers(0, len(order)))] for order in ranks]
    if not any(valid):
        return
    most = data.draw(st.integers(1, 8))

    def made(articles=valid, **settings):
        folder = tmp_path_factory.mktemp("law")
        return alternatives_of(folder, [KINDS[kind] for kind in kinds], *articles, max_choices=4, **settings)

    everything, limited = made(max_alternatives=1000), made(max_alternatives=most)
    if isinstance(everything, Rejection):
        assert limited == everything
        return
    keys = [(one.blank, one.passage, one.choices) for one in everything.alternatives]
    assert len(set(keys)) == len(keys)
    usable = {
        (blank, article)
        for blank, articles in enumerate(valid)
        for article in articles
        if kinds[int(article[1:]) - 1] in ({"both", "many"} if blank == 0 else {"both", "many", "ann"})
    }
    assert {(blank, everything.passages[passage].article) for blank, passage, _ in keys} == usable
    assert len(limited.alternatives) == min(most, len(keys))
    assert {one.passage for one in limited.alternatives} == set(range(len(limited.passages)))
    if all(blank == 1 for blank, _ in usable):
        return
    paper = made(valid[:1], asked=LAST_FIRST.with_blank(0), max_alternatives=1)
    for record in (everything, limited):
        first, expected = (msgspec.structs.replace(one.outline(0), refused=()) for one in (record, paper))
        assert first == expected


def test_evidence_is_scored_for_each_alternative_and_the_next_passage_is_tried_where_it_is_too_low(tmp_path):
    weak = "Cleo Cole met Dora Dunn . Cole and Dunn told Hal Hill that the old bridge must close . Ann Ames ate ."
    scored = choose(tmp_path / "scored", [weak, GOOD], min_evidence=0.001, above_max="draw").records["q"]
    low, high = (one.evidence_score for one in scored.alternatives)
    assert low < high
    kept = choose(tmp_path / "kept", [weak, GOOD], min_evidence=high, above_max="draw").records["q"]
    assert [one.article for one in kept.passages] == ["p2"]
    assert [(one.article, one.rule, one.detail) for one in kept.refused] == [("p1", "undecided", f"{low:.3f}")]
    assert only(choose(tmp_path / "off", [weak, GOOD])).evidence_score is None
