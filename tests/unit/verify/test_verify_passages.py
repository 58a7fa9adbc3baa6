"""One problem and its two articles: sources, window and the tests of a passage."""

import pytest

from support.consistent_run import changed, problem
from wdw_build.core.config.settings import RetrieveConfig


def set_article(name, **changes):
    return lambda articles: articles[name].update(changes)


@pytest.mark.parametrize("changes", [{"paragraphs": ["Another text."]}, {"date": "2003-04-04"}, {"source": "NYT"}])
def test_a_question_that_differs_from_its_article_fails_question_source(failing, changes):
    assert failing(articles=set_article("q1", **changes)) == ["question-source"]


@pytest.mark.parametrize("changes", [{"title": "Other"}, {"source": "NYT"}, {"date": "2003-01-01"}])
def test_a_passage_that_differs_from_its_article_fails_passage_source(failing, changes):
    assert failing(articles=set_article("p1", **changes)) == ["passage-source"]


def test_a_problem_with_another_text_than_its_article_fails_passage_source(failing):
    assert failing(articles=set_article("p1", paragraphs=["Another text."])) == ["passage-source"]


def test_a_problem_with_a_passage_that_is_no_article_fails_passage_source(failing):
    def stages(outputs):
        for name in ("index", "sentences", "names", "ingest"):
            outputs[name][0][:] = [one for one in outputs[name][0] if one["id"] != "p1"]
        outputs["questions"][1][:] = [one for one in outputs["questions"][1] if one["id"] != "p1"]

    assert failing(stages=stages) == ["passage-source"]


def test_a_passage_of_another_article_fails_passage_source(failing):
    one = problem(1)
    one["passage"]["article"] = "p2"
    assert failing(problems={1: one}) == ["passage-source"]


def test_a_passage_from_the_article_of_the_question_fails_own_article(failing):
    one = problem(1)
    asked, passage = one["question"], one["passage"]
    passage |= {"article": "q1", "date": asked["date"], "source": asked["source"], "title": "Q"}
    head = f"{asked['sentence']}\n\n"
    passage["text"] = head + passage["text"]
    for choice in one["choices"]:
        choice["mentions"] = [{end: at + len(head) for end, at in span.items()} for span in choice["mentions"]]
    free = RetrieveConfig(max_sentence_overlap=1.0, context_words=0, max_reprint=0.0)
    assert failing(problems={1: one | {"window": 1}}, retrieve=free) == ["own-article"]


@pytest.mark.parametrize("window", [1, 5, 7])
def test_a_window_that_is_not_the_nearest_fails_window(failing, window):
    assert failing(problems=changed(1, window=window)) == ["window"]


@pytest.mark.parametrize(
    "extra",
    ["Mayor about t1a t1c t1e t1f.", "This is what they knew. Mayor about t1a t1c t1e t1f told. More will come of it."],
)
def test_a_passage_sentence_with_the_words_of_the_question_fails_sentence_overlap(failing, extra):
    assert failing(problems={1: problem(1, extra=extra)}) == ["sentence-overlap"]


@pytest.mark.parametrize(
    "extra", ["They asked about t1a t1b t1c t1d and so on.", "Only Carl Reed1 told no one else of it."]
)
def test_the_words_beside_the_blank_in_the_passage_fail_context_runs(failing, extra):
    assert failing(problems={1: problem(1, extra=extra)}) == ["context-runs"]


def test_a_passage_without_another_person_of_the_question_fails_other_person(failing):
    gone = problem(1, named_other="Somebody")
    assert failing(problems={1: gone}) == ["other-person"]
    assert failing(problems={1: gone}, retrieve=RetrieveConfig(require_other_person=False)) == []


def test_a_passage_that_reprints_the_article_of_the_question_fails_reprint(failing):
    def append(articles):
        articles["q1"]["paragraphs"].append(problem(1)["passage"]["text"])

    assert failing(articles=append) == ["reprint"]


def test_an_event_score_below_the_threshold_or_none_fails_event_scores(failing):
    assert failing(retrieve=RetrieveConfig(min_event_score=0.7)) == []
    assert failing(retrieve=RetrieveConfig(min_event_score=0.71)) == ["event-scores"]
    assert failing(problems=changed(1, event_score=None)) == ["event-scores"]


def test_event_scores_that_no_key_asks_for_fail_event_scores(failing):
    bm25 = RetrieveConfig(rank_by="bm25", min_event_score=0.0)
    assert failing(retrieve=bm25) == ["event-scores"]
    unscored = {number: problem(number) | {"event_score": None} for number in range(10)}
    assert failing(problems=unscored, retrieve=bm25) == []
