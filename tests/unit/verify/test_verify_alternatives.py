"""Articles with several blanks, passages and sets of choices."""

import copy
import datetime as dt
import hashlib

import pytest

from support.consistent_run import (
    BASELINES,
    candidate,
    date,
    first_sentence,
    mention,
    named_span,
    problem,
    record_of,
    reject,
)
from wdw_build.core.config.settings import ChoicesConfig, QuestionsConfig, SuppressConfig

OTHERS = ["Abel Umber", "Boris Vogel", "Casper Wendt", "Dieter Yates", "Edgar Zorn", "Fabio Aalto"]


# --- sets of choices ------------------------------------------------------------------------------------------------------


def hashed(name):
    key = f"0\x1fchoices\x1fq8\x1f{name}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")


def many_persons():
    """Problem 8 with eight persons; the last ones are named most often."""
    extra = " ".join(f"Then came {name}." for name in OTHERS) + " " + " ".join(f"Here is {name}." for name in OTHERS[3:])
    one = problem(8, extra=extra)
    text = one["passage"]["text"]
    for name in OTHERS:
        spans = [named_span(text, name)]
        if name in OTHERS[3:]:
            at = text.index(name, spans[0]["end"])
            spans.append({"start": at, "end": at + len(name)})
        one["choices"].append({"name": name, "mentions": spans})
    return one


ORDERS = {
    "drawn": lambda person: hashed(person["name"]),
    "most-named": lambda person: (-len(person["mentions"]), person["mentions"][0]["start"]),
    "first-named": lambda person: person["mentions"][0]["start"],
}


def with_sets(names=("drawn", "most-named", "first-named"), selected=0, spoil=None):
    """Select five of the persons of problem 8 in these ways; ``spoil`` changes an alternative's selection."""

    def stages(outputs):
        every = outputs["dedup"][0][8]["passages"][0]["persons"]
        right = outputs["dedup"][0][8]["alternatives"][0]["answer"]
        made = []
        for name in names:
            others = sorted((at for at in range(len(every)) if at != right), key=lambda at: ORDERS[name](every[at]))
            choices = sorted([right, *others[:4]])
            made.append(
                {
                    "blank": 0,
                    "passage": 0,
                    "choice_set": name,
                    "choices": choices,
                    "answer": choices.index(right),
                    "eligible": list(range(len(every))),
                }
            )
        if spoil:
            spoil(made)
        put(outputs, 8, made, selected)

    return stages


def put(outputs, number, alternatives, selected=0):
    """Give an article these alternatives, with the predictions that follow, and select one of them."""
    for name in ("choices", "dedup"):
        outputs[name][0][number]["alternatives"] = copy.deepcopy(alternatives)
    record = outputs["dedup"][0][number]
    predicted = [predictions(record, alternative) for alternative in alternatives]
    for name in ("baselines", "adversary"):
        outputs[name][0][number] |= {**predicted[0], "others": predicted[1:]}
    chosen = predicted[selected]
    outputs["suppress"][0][number] |= {
        "choices": chosen["choices"],
        "cell": "".join(str(int(guess == chosen["answer"])) for guess in chosen["guesses"].values()),
        "alternative": selected,
        "alternatives": len(alternatives),
    }
    alternative = alternatives[selected]
    every = record["passages"][alternative["passage"]]["persons"]
    outputs["problems"][0][number] |= {
        "choices": [every[at] for at in alternative["choices"]],
        "answer": alternative["answer"],
        "persons": [every[at] for at in alternative["eligible"]],
        "alternative": selected,
    }


def predictions(record, alternative):
    chosen = [record["passages"][alternative["passage"]]["persons"][at] for at in alternative["choices"]]
    scores = {
        "first-person": [-float(person["mentions"][0]["start"]) for person in chosen],
        "most-frequent": [float(len(person["mentions"])) for person in chosen],
        "ngram": [1.0] * len(chosen),
        "unigram": [1.0] * len(chosen),
    }
    guesses = {name: scores[name].index(max(scores[name])) for name in BASELINES}
    return {"choices": len(chosen), "answer": alternative["answer"], "guesses": guesses, "scores": scores}


# Problem 8 is relaxed only, and has no bound to break.
FREE = SuppressConfig(relaxed=1.0)


@pytest.mark.parametrize("selected", [0, 1, 2])
def test_choices_selected_as_stated_pass(failing, selected):
    assert failing(problems={8: many_persons()}, stages=with_sets(selected=selected), suppress=FREE) == []


def test_the_persons_of_the_sets_differ():
    """Otherwise the tests below would compare equal sets."""
    outputs = {name: ([{}] * 8 + [{}], []) for name in ("baselines", "adversary", "suppress", "problems")}
    record = record_of(many_persons())
    outputs |= {name: ([None] * 8 + [copy.deepcopy(record)], []) for name in ("choices", "dedup")}
    with_sets()(outputs)
    sets = [tuple(one["choices"]) for one in outputs["dedup"][0][8]["alternatives"]]
    assert len(set(sets)) == 3


def wrong_person(made):
    out = next(at for at in range(8) if at not in made[0]["choices"])
    right = made[0]["choices"][made[0]["answer"]]
    into = next(at for at in made[0]["choices"] if at != right)
    made[0]["choices"] = sorted([out, *(at for at in made[0]["choices"] if at != into)])
    made[0]["answer"] = made[0]["choices"].index(right)


def too_few(made):
    right = made[0]["choices"][made[0]["answer"]]
    made[0]["choices"].remove(next(at for at in made[0]["choices"] if at != right))
    made[0]["answer"] = made[0]["choices"].index(right)


def other_name(made):
    made[1]["choice_set"] = "first-named"


def without_eligible(made):
    made[0]["eligible"] = list(made[0]["choices"])


def answer_not_eligible(made):
    made[0]["eligible"].remove(made[0]["choices"][made[0]["answer"]])


def all_of_some(made):
    made[0]["choice_set"] = "all"


@pytest.mark.parametrize("spoil", [wrong_person, too_few, other_name, without_eligible, answer_not_eligible, all_of_some])
def test_choices_other_than_those_stated_fail_choice_sets(failing, spoil):
    found = failing(problems={8: many_persons()}, stages=with_sets(spoil=spoil), suppress=FREE)
    assert found == ["choice-sets"]


def test_a_missing_set_fails_choice_sets_unless_the_alternatives_are_full(failing):
    two = with_sets(("drawn", "first-named"))
    assert failing(problems={8: many_persons()}, stages=two, suppress=FREE) == ["choice-sets"]
    full = ChoicesConfig(max_alternatives=2)
    assert failing(problems={8: many_persons()}, stages=two, suppress=FREE, choices=full) == []


def test_selected_choices_where_passages_with_more_persons_are_refused_fail_choice_sets(failing):
    refuse = ChoicesConfig(above_max="refuse")
    found = failing(problems={8: many_persons()}, stages=with_sets(), suppress=FREE, choices=refuse)
    assert found == ["choice-sets"]


def test_too_many_choices_fail_choices_count(failing):
    assert failing(problems={8: many_persons()}, suppress=FREE) == ["choices-count"]


# --- alternatives ---------------------------------------------------------------------------------------------------------


def spoiled(change, number=8):
    """A change of the alternatives of an article, which ``choices`` and ``dedup`` write alike."""

    def stages(outputs):
        with_sets()(outputs)
        for name in ("choices", "dedup"):
            change(outputs[name][0][number])

    return stages


def equal(record):
    record["alternatives"][1]["choices"] = record["alternatives"][0]["choices"]


def no_such_person(record):
    record["alternatives"][2]["eligible"].append(99)


def no_such_passage(record):
    record["alternatives"][2]["passage"] = 1


def no_such_blank(record):
    record["alternatives"][2]["blank"] = 1


def unused_passage(record):
    record["passages"].append(record["passages"][0] | {"article": "p7", "date": "2003-04-15"})


def out_of_order(record):
    record["question"]["more_blanks"] = [{key: record["question"][key] for key in BLANK}]
    record["alternatives"][0]["blank"] = 1


BLANK = ("blank_tokens", "blank", "name", "others")


@pytest.mark.parametrize(
    "change", [equal, no_such_person, no_such_passage, no_such_blank, unused_passage, out_of_order]
)
def test_alternatives_that_are_not_in_order_or_lack_a_part_fail_alternatives(failing, change):
    assert "alternatives" in failing(problems={8: many_persons()}, stages=spoiled(change), suppress=FREE)


def test_more_alternatives_than_allowed_fail_alternatives(failing):
    two = ChoicesConfig(max_alternatives=2)
    found = failing(problems={8: many_persons()}, stages=with_sets(), suppress=FREE, choices=two)
    assert found == ["alternatives"]


# --- blanks and passages --------------------------------------------------------------------------------------------------


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


def both(change, **given):
    """Problem 9 with two alternatives and a change of what both stages write of it."""

    def stages(outputs):
        second_blank(outputs)
        for name in ("choices", "dedup"):
            change(outputs[name][0][9])

    return {"problems": {9: two_blanks_and_passages()}, "stages": stages, "suppress": FREE, **given}


def other_window(record):
    record["passages"][1]["window"] = 3


def moved_mention(record):
    record["passages"][1]["persons"][2]["mentions"][0]["start"] += 2


def shown_person(record):
    record["alternatives"][1]["choices"] = [0, 1, 2]


def wrong_answer(record):
    record["alternatives"][1]["answer"] = 1


def other_date(record):
    record["passages"][1]["date"] = "2003-04-02"


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (other_window, "window"),
        (moved_mention, "mentions"),
        (shown_person, "question-persons"),
        (wrong_answer, "answer"),
        (other_date, "passage-source"),
    ],
)
def test_the_second_alternative_is_checked_like_the_first(failing, change, check):
    assert check in failing(**both(change))
    examples = next(one.examples for one in failing.report.checks if one.name == check)
    assert examples[0].startswith("q9, alternative 1: ")


def test_a_wrong_second_blank_fails_blank(failing):
    one = two_blanks_and_passages()
    one["question"]["more_blanks"][0]["blank"] |= {"text": "Carl Reed8"}
    assert failing(problems={9: one}, stages=second_blank, suppress=FREE) == ["blank"]
    examples = next(check.examples for check in failing.report.checks if check.name == "blank")
    assert examples[0].startswith("q9, blank 1: ")


def test_blanks_that_are_not_from_the_last_person_on_fail_blanks(failing):
    one = two_blanks_and_passages()
    first = one["question"]
    (second,) = first["more_blanks"]
    first["more_blanks"] = [{key: first[key] for key in BLANK}]
    first |= second
    assert "blanks" in failing(problems={9: one}, stages=second_blank, suppress=FREE)


def test_a_second_blank_fails_blanks_if_only_the_last_person_is_deleted(failing):
    last = QuestionsConfig(persons="last")
    found = failing(
        problems={9: two_blanks_and_passages()}, stages=second_blank, suppress=FREE, questions=last
    )
    assert found == ["blanks"]


def test_a_passage_of_another_blank_fails_carried(failing):
    def stages(outputs):
        second_blank(outputs)
        outputs["retrieve"][0][9]["candidates"][1]["blank"] = 2

    assert "carried" in failing(problems={9: two_blanks_and_passages()}, stages=stages, suppress=FREE)


def test_wrong_scores_of_the_second_alternative_fail_guesses(failing):
    def stages(outputs):
        second_blank(outputs)
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

    assert failing(problems={9: two_blanks_and_passages()}, stages=stages, suppress=FREE) == ["carried"]
