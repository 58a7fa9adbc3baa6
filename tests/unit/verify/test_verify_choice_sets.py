"""Several sets of choices among the persons of a passage."""

import hashlib

import pytest

from support.consistent_run import named_span, problem
from support.run_alternatives import put
from wdw_build.core.config.settings import SuppressConfig

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


def with_sets(selected):
    """Select five of the persons of problem 8 in these ways."""

    def stages(outputs):
        every = outputs["dedup"][0][8]["passages"][0]["persons"]
        right = outputs["dedup"][0][8]["alternatives"][0]["answer"]
        made = []
        for name in ORDERS:
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
        put(outputs, 8, made, selected)

    return stages


# Problem 8 is relaxed only, and has no bound to break.
FREE = SuppressConfig(relaxed=1.0)


@pytest.mark.parametrize("selected", [0, 1, 2])
def test_choices_selected_as_stated_pass(failing, selected):
    assert failing(problems={8: many_persons()}, stages=with_sets(selected=selected), suppress=FREE) == []


def test_too_many_choices_fail_choices_count(failing):
    assert failing(problems={8: many_persons()}, suppress=FREE) == ["choices-count"]


def no_such_person(alternative):
    alternative["eligible"].append(99)


def no_such_passage(alternative):
    alternative["passage"] = 1


def no_such_blank(alternative):
    alternative["blank"] = 1


@pytest.mark.parametrize("change", [no_such_person, no_such_passage, no_such_blank])
def test_a_selected_alternative_that_lacks_a_part_fails_carried(failing, change):
    def stages(outputs):
        with_sets(selected=2)(outputs)
        for name in ("choices", "dedup"):
            change(outputs[name][0][8]["alternatives"][2])

    assert failing(problems={8: many_persons()}, stages=stages, suppress=FREE) == ["carried"]
