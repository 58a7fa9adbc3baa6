"""Several sets of choices among the persons of a passage."""

import copy
import hashlib

import pytest

from support.consistent_run import named_span, problem, record_of
from support.run_alternatives import put
from wdw_build.core.config.settings import ChoicesConfig, SuppressConfig

OTHERS = ["Abel Umber", "Boris Vogel", "Casper Wendt", "Dieter Yates", "Edgar Zorn", "Fabio Aalto"]


def hashed(name):
    key = f"0\x1fchoices\x1fq8\x1f{name}"
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7], "big")


def many_persons():
    """Problem 8 with eight persons; the last ones are named most often."""
    extra = (
        " ".join(f"Then came {name}." for name in OTHERS) + " " + " ".join(f"Here is {name}." for name in OTHERS[3:])
    )
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


@pytest.mark.parametrize(
    "spoil", [wrong_person, too_few, other_name, without_eligible, answer_not_eligible, all_of_some]
)
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


# --- faults of the list of alternatives ----------------------------------------------------------------------------------


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
