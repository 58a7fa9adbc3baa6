"""Cases of hard names: what is wrong with the choices of an answer."""

import json
from types import SimpleNamespace

from measure_name_cases import CASES, outcomes
from wdw_build.records import Mention


def tagged(text, names):
    """An annotation with the first occurrence of each name."""
    mentions = [Mention(start=text.index(name), end=text.index(name) + len(name), text=name) for name in names]
    return SimpleNamespace(persons=tuple(sorted(mentions, key=lambda one: one.start)))


def test_every_case_has_articles_accepted_choices_and_names_that_are_no_choice():
    for case in json.loads(CASES.read_text(encoding="utf-8")).values():
        assert set(case) == {"question_article", "passage_article", "choices_by_answer", "never_a_choice"}
        assert all(len(choices) >= 2 for choices in case["choices_by_answer"].values())


def test_an_answer_has_the_accepted_choices_or_its_fault_is_named():
    case = json.loads(CASES.read_text(encoding="utf-8"))["brothers"]
    asked = tagged(case["question_article"], ["Ivo Kettle", "Simon Tarrant"])
    names = ["Simon Tarrant", "Ivo Kettle", "Osric Kettle", "Hanna Moss"]
    found = list(outcomes("brothers", case, asked, tagged(case["passage_article"], names)))
    assert [(one.answer, one.fault) for one in found] == [("Ivo Kettle", ""), ("Simon Tarrant", "")]
    found = list(outcomes("brothers", case, asked, tagged(case["passage_article"], names[1:])))
    assert [one.fault for one in found] == ["", "answer-not-a-choice: Osric Kettle; Hanna Moss"]
