"""Stored records as text: one line for each fact, the selected alternative, and why there is none."""

import msgspec
import pytest

from support.stage_runs import stored
from support.toy_pipeline import ListReader, events_with_easy_answers, ports, run_of
from wdw_build.cli.inspect import short_text
from wdw_build.records import Refusal, Rejection, Retrieval
from wdw_build.selection.settings import SuppressConfig
from wdw_build.views.blocks import Terminal
from wdw_build.views.record_page import page_text, record_page, record_text

WIDE = Terminal(False, 400)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run in which the bounds leave no place for some articles."""
    capped = SuppressConfig(strict=0.1, relaxed=0.1, bounds="pooled")
    backends = ports(reader=ListReader(events_with_easy_answers()))
    return run_of(tmp_path_factory.mktemp("toy"), backends, suppress=capped)


@pytest.fixture(scope="module")
def kept(run):
    """An article of which suppression selected an alternative, with all its records."""
    return run.alternatives[next(iter(run.decisions)).id]


@pytest.fixture(scope="module")
def rejected(run):
    """An article of which suppression selected no alternative."""
    return run.alternatives[next(iter(run.decisions.rejections())).id]


def text_of(record, run, stage=""):
    return record_text(record, WIDE, run, stage)


def alternatives_of(record, run):
    return [line for line in text_of(record, run).splitlines() if " in " in line and "{1" in line]


def test_a_question_marks_its_blank_and_the_deleted_part_of_its_tree(run, kept):
    shown = text_of(kept.question, run)
    assert f"[{kept.question.blank.text}]" in shown
    assert f"{{{kept.question.others[0].text}}}" in shown
    for blank in kept.question.more_blanks:
        assert f"{{{blank.name.text}}}  may be deleted, too, in the phrase {blank.blank.text!r}" in shown


def test_a_candidate_has_the_rule_that_refused_it_in_words_with_the_evidence(run, kept):
    first, *others = run.retrievals[kept.id].candidates
    refused = msgspec.structs.replace(first, rule="reprint", detail="0.91")
    shown = text_of(Retrieval(id=kept.id, candidates=(refused, *others)), run)
    assert "refused: reprint (0.91)" in shown
    assert f"reprint: {run.meaning('reprint')}" in shown
    assert run.articles[refused.article].title in shown
    assert shown.count("BM25") == 1 + len(others)


def test_a_candidate_that_is_the_same_for_every_blank_is_shown_once_and_another_one_names_the_deleted_person(run, kept):
    (first, other), (candidate, *_) = run.questions[kept.id].each_blank(), run.retrievals[kept.id].candidates
    rules = {("both", 0, 1): "", ("differs", 0, 2): "", ("only", 0, 3): "", ("both", 1, 1): ""}
    found = [
        msgspec.structs.replace(candidate, article=article, blank=blank, rank=rank, rule=rule)
        for (article, blank, rank), rule in (rules | {("differs", 1, 2): "other-event"}).items()
    ]
    lines = text_of(Retrieval(id=kept.id, candidates=tuple(found)), run).splitlines()
    assert [line.strip().partition(f"  {candidate.date}")[0] for line in lines if "BM25" in line] == [
        "1. both",
        f"2. differs  if {first.name.text} is deleted",
        f"3. only  if {first.name.text} is deleted",
        f"2. differs  if {other.name.text} is deleted",
    ]
    nothing_stored = text_of(Retrieval(id=kept.id, candidates=tuple(found[1:])), type(run)(run.folder, {}))
    assert "2. differs  if blank 1 is deleted" in nothing_stored


def test_a_trace_shows_a_candidate_that_choices_refused_once(run, kept, tmp_path):
    valid = next(candidate for candidate in run.retrievals[kept.id].candidates if not candidate.rule)
    refused = msgspec.structs.replace(valid, rule="too-few-choices", detail="two persons")
    choices = stored(tmp_path / "choices", type(kept), [msgspec.structs.replace(kept, refused=(refused,))])
    changed = type(run)(run.folder, {**run.outputs, "choices": choices})
    shown = page_text(record_page(changed, kept.id), WIDE, changed)
    assert shown.count("refused: too-few-choices (two persons)") == 1
    assert shown.count(f"too-few-choices: {run.meaning('too-few-choices')}") == 1


def test_an_article_has_one_line_per_alternative_with_the_outcome(run, kept):
    lines, number = alternatives_of(kept, run), run.decisions[kept.id].alternative
    assert len(lines) == len(kept.alternatives) > 1
    assert [line.split()[0].endswith("*") for line in lines] == [at == number for at in range(len(lines))]
    assert "selected: strict" in lines[number]
    assert all(line.endswith("not selected") for at, line in enumerate(lines) if at != number)
    for line, problem in zip(lines, kept.outlines(), strict=True):
        assert f"{problem.question.name.text} in {problem.passage.article}" in line
        assert all(choice.name in line for choice in problem.choices)


def test_an_article_without_a_selected_alternative_names_the_reason(run, rejected):
    (rejection,) = run.decisions.rejections_of(rejected.id)
    reason = f"{rejection.reason}: {run.meaning(rejection.reason)}"
    assert f"no alternative was selected: suppress: {reason}" in text_of(rejected, run)
    assert all(line.endswith("not selected") for line in alternatives_of(rejected, run))


def test_predictions_for_another_list_of_alternatives_are_ignored(run, kept):
    assert "solved by" not in text_of(msgspec.structs.replace(kept, alternatives=kept.alternatives[:1]), run)


def test_a_problem_has_its_passage_with_every_mention_of_a_choice_and_the_choices(run):
    problem = next(iter(run.distinct_problems))
    shown = text_of(problem, run)
    for number, choice in enumerate(problem.choices):
        label = f"{number + 1}{'*' * (number == problem.answer)}"
        assert shown.count(f"{{{label} ") == len(choice.mentions) + 1, "each mention, and the list of choices"


@pytest.mark.parametrize("width", [60, 120])
def test_the_short_form_of_every_record_has_at_most_six_lines(run, width):
    for name, table in run.tables.items():
        for record in (*table, *table.rejections()) if table.exists else ():
            lines = short_text(record, Terminal(False, width), run, name).splitlines()
            assert len(lines) <= 6
            assert max(map(len, lines)) <= width


def test_the_short_form_of_a_problem_has_question_choices_answer_scores_and_passage(run, kept):
    problem = run.distinct_problems[kept.id]
    shown = short_text(run.decisions[kept.id], WIDE, run, "suppress")
    assert f"{kept.id}  {problem.date}  strict" in shown
    assert " choices, solved by " in shown
    assert f"[{problem.question.blank.text}]" in shown
    for number, choice in enumerate(problem.choices):
        assert f"{{{number + 1}{'*' * (number == problem.answer)} {choice.name}}}" in shown
    assert run.articles[problem.passage.article].title in shown


def test_a_duplicate_is_shown_with_the_question_that_was_kept(run, kept, rejected):
    shown = text_of(Rejection(id=kept.id, reason="duplicate-question", detail=rejected.id), run, "dedup")
    assert f"[{run.questions[kept.id].blank.text}]" in shown
    assert f"kept: {rejected.id}" in shown


def test_a_rejected_sentence_marks_the_names_that_rules_refused(run, kept):
    name = kept.question.name.text
    refusal = Refusal(name=name, rule="coordinated", detail="and")
    shown = text_of(Rejection(id=kept.id, reason="coordinated", refused=(refusal,)), run, "questions")
    assert f"rejected: coordinated: {run.meaning('coordinated')}" in shown
    assert shown.count(f"~{name}~") == 2, "in the sentence, and in the list of refused names"
