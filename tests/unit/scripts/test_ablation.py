"""Rules are switched off one at a time, in every module that uses them, and on again."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

from quality.ablation import Remembered, rules, without
from wdw_build.text.names import article_names, matching, settle


def test_lists_patterns_and_tests_are_rules_and_what_makes_names_is_none():
    found = rules()
    assert {"names.matching:TITLES", "names.settle:_NICKNAME", "names.not_persons:_is_ordinary"} <= set(found)
    assert "names.evidence:NameEvidence" not in found
    assert len(found) == len(set(found))


def test_a_list_is_empty_in_all_modules_and_comes_back():
    before = matching.PARTICLES
    assert "van" in before
    with without("names.matching:PARTICLES"):
        assert article_names.PARTICLES == matching.PARTICLES == frozenset()
    assert article_names.PARTICLES is matching.PARTICLES is before


def test_a_function_of_a_class_refuses_nothing_and_comes_back():
    before = settle._Names._is_given
    with without("names.settle:_Names._is_given"):
        assert settle._Names._is_given("self", "Ann") is False
    assert settle._Names._is_given is before


def test_results_of_the_other_rule_are_not_remembered():
    assert matching.is_identifying("van") is False
    with without("names.matching:PARTICLES"):
        assert matching.is_identifying("van") is True
    assert matching.is_identifying("van") is False


def test_a_model_is_asked_once_for_each_input():
    asked = []

    class Model:
        def double(self, inputs):
            asked.extend(inputs)
            return [2 * one for one in inputs]

    model = Remembered(Model(), ("double",))
    assert model.double([1, 2]) == [2, 4]
    assert model.double([2, 3]) == [4, 6]
    assert asked == [1, 2, 3]
