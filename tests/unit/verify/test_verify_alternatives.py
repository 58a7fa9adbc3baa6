"""Articles with several blanks and passages."""

import copy
import datetime as dt

import pytest

from support.consistent_run import candidate, date, first_sentence, mention, named_span, problem, reject
from support.run_alternatives import put
from wdw_build.core.config.settings import ExportConfig, SuppressConfig

# Problem 9 is relaxed only, and has no bound to break.
FREE = SuppressConfig(relaxed=1.0)


def two_blanks_and_passages():
    """Problem 9 as it is, and as the deletion of its first person, whom another article names."""
    one = problem(9)
    sentence, other = one["question"]["sentence"], one["question"]["others"][0]
    one["question"]["more_blanks"] = [
        {
            "blank_tokens": [0, 2],
            "blank": dict(other),
            "name": dict(other),
            "others": [mention(sentence, one["question"]["name"]["text"])],
        }
    ]
    return one


def second_passage():
    """The article with the problem of the second blank."""
    text = "Next, Carl Reed9 spoke of it to Mary Oakley.\n\nThen Udo Zander spoke, and Carl Reed9 left."
    return {
        "id": "x9",
        "date": (date(9) + dt.timedelta(days=1)).isoformat(),
        "source": "XIN",
        "title": "X",
        "kind": "story",
        "dateline": "",
        "paragraphs": text.split("\n\n"),
    }


def second_blank(stages, selected=0):
    """The outputs of all stages with a second alternative of problem 9."""
    article = second_passage()
    text = "\n\n".join(article["paragraphs"])
    stages["ingest"][0].append(article)
    stages["index"][0].append({"id": "x9", "day": 12000, "words": 20})
    stages["sentences"][0].append(first_sentence(article))
    stages["names"][0].append({"id": "x9", "names": 0})
    stages["questions"][1].append(reject("x9", "fewer-than-two-persons"))
    found = candidate(problem(9)) | {"article": "x9", "date": article["date"], "window": 1, "event": 0.5, "blank": 1}
    stages["retrieve"][0][9]["candidates"].append(found)
    first = named_span(text, "Carl Reed9")
    carl = [first, {"start": text.rindex("Carl"), "end": text.rindex("Carl") + len("Carl Reed9")}]
    persons = [
        {"name": "Carl Reed9", "mentions": carl},
        {"name": "Mary Oakley", "mentions": [named_span(text, "Mary Oakley")]},
        {"name": "Udo Zander", "mentions": [named_span(text, "Udo Zander")]},
    ]
    passage = {key: found[key] for key in ("article", "date", "window", "score")}
    passage |= {"event_score": 0.5, "tokens": 20, "persons": persons}
    for name in ("choices", "dedup"):
        stages[name][0][9]["passages"].append(copy.deepcopy(passage))
    other = {"blank": 1, "passage": 1, "choice_set": "all", "choices": [0, 2], "answer": 0, "eligible": []}
    put(stages, 9, [stages["dedup"][0][9]["alternatives"][0], other], selected)
    if selected:
        asked = stages["problems"][0][9]["question"] = copy.deepcopy(stages["problems"][0][9]["question"])
        asked |= asked.pop("more_blanks")[0]
        stages["problems"][0][9] |= {
            "passage": {**{key: article[key] for key in ("date", "source", "title")}, "article": "x9"}
            | {"text": text, "tokens": 20},
            **{key: passage[key] for key in ("window", "score", "event_score")},
        }
    else:
        stages["problems"][0][9]["question"] = stages["problems"][0][9]["question"] | {"more_blanks": []}


@pytest.mark.parametrize("selected", [0, 1])
def test_either_alternative_may_be_selected(failing, selected):
    found = failing(
        problems={9: two_blanks_and_passages()}, stages=lambda stages: second_blank(stages, selected), suppress=FREE
    )
    assert found == []


@pytest.mark.parametrize(("selected", "failed"), [(0, []), (1, ["blank"])])
def test_the_second_alternative_is_checked_if_it_is_selected(failing, selected, failed):
    one = two_blanks_and_passages()
    one["question"]["more_blanks"][0]["blank"] |= {"text": "Carl Reed8"}
    found = failing(
        problems={9: one},
        stages=lambda stages: second_blank(stages, selected),
        suppress=FREE,
        export=ExportConfig(formats=("jsonl",)),
    )
    assert found == failed


def test_a_passage_of_another_blank_fails_carried(failing):
    def stages(outputs):
        second_blank(outputs)
        outputs["retrieve"][0][9]["candidates"][1]["blank"] = 2

    assert "carried" in failing(problems={9: two_blanks_and_passages()}, stages=stages, suppress=FREE)


def test_wrong_scores_of_the_second_alternative_fail_guesses(failing):
    def stages(outputs):
        second_blank(outputs, selected=1)
        for name in ("baselines", "adversary"):
            outputs[name][0][9]["others"][0]["scores"]["first-person"] = [-1.0, -2.0]

    assert failing(problems={9: two_blanks_and_passages()}, stages=stages, suppress=FREE) == ["guesses"]


def test_a_problem_of_another_alternative_than_the_selected_one_fails_carried(failing):
    def stages(outputs):
        second_blank(outputs, selected=1)
        second = outputs["suppress"][0][9]
        cell = "".join(
            str(int(guess == outputs["adversary"][0][9]["answer"]))
            for guess in outputs["adversary"][0][9]["guesses"].values()
        )
        second |= {"alternative": 0, "cell": cell}

    assert failing(problems={9: two_blanks_and_passages()}, stages=stages, suppress=FREE) == ["carried", "cells"]
