"""Rows, hand-computed; caps; what is said of articles without a chosen alternative."""

import numpy as np
import pytest

from support.offers import NO_LIMITS, terms, without_places
from support.offers import given_offers as offers
from wdw_build.selection.constraints import build_groups, build_rows, cap_reasons
from wdw_build.selection.offers import Limits
from wdw_build.selection.program import excesses

MIXED = offers((0, 2, [1, 0], [0]), (0, 2, [0, 0], [1]), (1, 3, [1, 0], [2]), (2, 3, [0, 1], [0]))
CHOSEN = np.array([0, 2, 3])


def test_chance_for_each_number_of_choices_counts_both_directions():
    """m = 2: system 0 is right once of one (1 - 1/2), system 1 never (1/2 too few). m = 3: system 0 once of two
    and system 1 too (1 - 2/3)."""
    found = excesses(without_places(MIXED), terms(), CHOSEN)
    for system in (0, 1):
        assert found.pop(f"system {system}, 2 choices") == (pytest.approx(1 / 2), 0.5)
        assert found.pop(f"system {system}, 3 choices") == (pytest.approx(1 / 3), 0.5)
    assert not found


def test_a_number_bounds_no_system_below_chance_if_choices_are_apart():
    """m = 2: chance 1/2 is more than 0.4. m = 3: 0.4 is more than 1/3."""
    found = excesses(MIXED, terms(bound=0.4), CHOSEN)
    assert found["system 0, 2 choices"] == (pytest.approx(0.5), 0.5)
    assert found["system 1, 2 choices"] == (pytest.approx(-0.5), 0.5)
    assert found["system 0, 3 choices"] == (pytest.approx(0.2), 0.5)


def test_every_place_of_each_number_of_choices_has_a_row():
    """m = 3: places 2 and 0 are taken once, place 1 never, and 2/3 is expected of each."""
    found = excesses(MIXED, terms(), CHOSEN)
    assert found["ranking 0, 3 choices, place 0"] == (pytest.approx(1 / 3), 1.0)
    assert found["ranking 0, 3 choices, place 1"] == (pytest.approx(2 / 3), 1.0)
    assert found["ranking 0, 2 choices, place 1"] == (pytest.approx(1 / 2), 1.0)
    assert tuple(found) == build_rows(MIXED, terms()).names
    assert len(found) == 2 * 2 + 2 + 3


def test_rows_are_whole_units_and_slacks_are_rounded_down_to_them():
    """With three choices a right answer counts 2 of 3 units, a wrong one -1; half a problem is one unit and a half."""
    rows = build_rows(MIXED, terms())
    number = rows.names.index("system 0, 3 choices")
    assert (rows.unit[number], rows.low[number], rows.high[number]) == (3, -1, 1)
    assert rows.matrix[rows.kind, number].tolist() == [0, 0, 2, -1]
    assert rows.sums(np.array([2, 3]))[number] == 1
    number = rows.names.index("ranking 0, 3 choices, place 1")
    assert (rows.unit[number], rows.low[number], rows.high[number]) == (3, -3, 3)
    assert rows.matrix[rows.kind, number].tolist() == [0, 0, -1, -1]
    pooled = build_rows(MIXED, terms(by_choices=False))
    # Halves and thirds of a problem are whole sixths.
    assert pooled.unit.tolist() == [6, 6]
    assert pooled.matrix[pooled.kind, 1].tolist() == [-3, -3, -2, 4]
    assert (pooled.low.tolist(), pooled.high.tolist()) == ([-np.inf, -np.inf], [3, 3])


def test_alternatives_that_are_equal_in_all_rows_are_of_one_kind():
    alike = offers((0, 2, [1, 0], [0]), (1, 2, [1, 0], [1]), (2, 2, [1, 0], [0]), (3, 2, [1, 1], [0]))
    assert len(set(build_rows(alike, terms()).kind.tolist())) == 3
    assert len(set(build_rows(without_places(alike), terms()).kind.tolist())) == 2


def test_a_number_with_two_places_adds_up_exactly():
    """Thirty problems of three choices at chance: floats would leave a remainder."""
    many = offers(*((number, 3, [int(number % 3 == 0)], [number % 3]) for number in range(30)))
    assert set(excesses(many, terms(), np.arange(30)).values()) == {(0.0, 0.5), (0.0, 1.0)}


ALIKE = [(article, 2, [0], [0]) for article in (0, 1, 1, 2)]


def reasons(limits, chosen, apart_from=None, **columns):
    given, asked = offers(*ALIKE, **columns), terms(limits=limits, apart_from=apart_from)
    return cap_reasons(given, asked, np.array(chosen))


def test_an_article_is_over_a_cap_if_all_of_its_alternatives_are():
    limits = Limits(1, 0, 0.0, 0)
    assert reasons(limits, [0, -1, -1], passage=[7, 7, 7, 8]) == {1: "passage-cap"}
    assert reasons(limits, [0, -1, -1], passage=[7, 7, 8, 9]) == {}


def test_an_event_is_a_person_with_an_article_as_question_or_as_passage():
    limits = Limits(0, 1, 0.0, 0)
    # The passage of article 1's problems is article 0, whose question has the same answer.
    assert reasons(limits, [0, -1, -1], passage=[50, 0, 0, 60], person=[5, 5, 5, 5]) == {1: "event-cap"}
    assert reasons(limits, [0, -1, -1], passage=[50, 0, 0, 60], person=[5, 6, 6, 5]) == {}


def test_the_cap_of_the_first_alternative_is_named():
    found = reasons(Limits(1, 0, 1.0, 0), [0, -1, -1], passage=[7, 7, 8, 9], person=[3, 4, 3, 3])
    assert found == {1: "passage-cap", 2: "answer-cap"}


def test_a_share_of_answers_has_a_floor():
    limits = Limits(0, 0, 0.1, 2)
    assert reasons(limits, [0, -1, -1], person=[3, 3, 3, 3]) == {}
    assert reasons(limits, [0, 1, -1], person=[3, 3, 3, 3]) == {2: "answer-cap"}


# ---- articles that two problems share --------------------------------------------------------------------------------


def shared(apart_from, **columns):
    """The articles of each pair of problems that may not be chosen together."""
    given = offers(*ALIKE, **columns)
    groups = build_groups(given, terms(apart_from=apart_from))
    articles = [groups.members[:, [number]].nonzero()[0] for number in range(len(groups.limit))]
    return [given.article[rows].tolist() for rows, reason in zip(articles, groups.reason, strict=True) if reason]


# The passage of the second alternative of article 1 is the article of question 0, of day 5; article 1 is of day 7.
PASSAGES, DAYS = [50, 60, 0, 70], [5, 7, 9]


def test_two_problems_share_an_article_if_the_passage_of_one_is_the_question_s_article_of_the_other():
    assert shared(None, passage=PASSAGES, day=DAYS) == []
    assert shared(0, passage=PASSAGES, day=DAYS) == [[0, 1]]
    # A common passage is no shared article, nor is a passage without a question.
    assert shared(0, passage=[50, 50, 60, 60], day=DAYS) == []


@pytest.mark.parametrize(("apart_from", "pairs"), [(7, 1), (6, 1), (8, 0)])
def test_the_later_question_of_a_pair_decides_whether_its_day_is_apart(apart_from, pairs):
    assert len(shared(apart_from, passage=PASSAGES, day=DAYS)) == pairs
    assert len(shared(apart_from, passage=PASSAGES, day=DAYS[::-1])) == 1


def test_all_alternatives_of_the_one_article_and_those_with_this_passage_of_the_other_are_apart():
    """Article 2 reads article 1, which has two alternatives; and article 1 reads article 0 in one of them."""
    assert shared(0, passage=[50, 60, 0, 1], day=DAYS) == [[0, 1], [1, 1, 2]]


def test_an_article_that_shares_an_article_with_a_chosen_problem_says_so():
    columns = {"passage": [50, 0, 0, 70], "day": DAYS}
    assert reasons(NO_LIMITS, [0, -1, -1], apart_from=7, **columns) == {1: "shared-article"}
    assert reasons(NO_LIMITS, [0, -1, -1], apart_from=8, **columns) == {}
    assert reasons(NO_LIMITS, [-1, 1, -1], apart_from=0, **columns) == {0: "shared-article"}
    # The other alternative has another passage, so that only the bounds exclude it.
    assert reasons(NO_LIMITS, [0, -1, -1], apart_from=7, passage=PASSAGES, day=DAYS) == {}


def test_a_cap_is_named_before_a_shared_article():
    found = reasons(Limits(1, 0, 0.0, 0), [0, -1, -1], apart_from=0, passage=[0, 0, 0, 70], day=DAYS)
    assert found == {1: "passage-cap"}
