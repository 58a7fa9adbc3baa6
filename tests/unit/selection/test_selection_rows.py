"""Rows, hand-computed; caps; what is said of articles without a chosen alternative."""

import numpy as np
import pytest

from support.offers import NO_LIMITS, terms
from wdw_build.selection.instance import build_rows
from wdw_build.selection.offers import Limits, Offers, Terms, cap_reasons
from wdw_build.selection.program import excesses


def offers(*lines, articles=None, **columns):
    """Offers of (article, choices, solved, places)."""
    article = np.array([line[0] for line in lines], dtype=np.int64)
    size = articles or len(set(article.tolist()))
    filled = {
        "event": np.zeros(len(lines)),
        "draw": np.linspace(0.1, 0.9, size),
        "passage": 100 + np.arange(len(lines)),
        "question": article,
        "person": np.arange(len(lines)),
    }
    return Offers(
        article=article,
        choices=np.array([line[1] for line in lines], dtype=np.int64),
        solved=np.array([line[2] for line in lines], dtype=np.int8),
        ranks=np.array([line[3] for line in lines], dtype=np.int8),
        **filled | {name: np.array(values) for name, values in columns.items()},
    )


MIXED = offers((0, 2, [1, 0], [0]), (0, 2, [0, 0], [1]), (1, 3, [1, -1], [2]), (2, 3, [0, 1], [0]))
CHOSEN = np.array([0, 2, 3])


def test_chance_for_each_number_of_choices_counts_both_directions():
    """m = 2: system 0 is right once of one (1 - 1/2), system 1 never (1/2 too few). m = 3: system 0 once of two
    (1 - 2/3); system 1 is right on the one that counts (1 - 1/3)."""
    found = excesses(MIXED, terms(uniform_ranks=False), CHOSEN)
    assert found == {
        "system 0, 2 choices": (pytest.approx(1 / 2), 0.5),
        "system 0, 3 choices": (pytest.approx(1 / 3), 0.5),
        "system 1, 2 choices": (pytest.approx(1 / 2), 0.5),
        "system 1, 3 choices": (pytest.approx(2 / 3), 0.5),
    }


def test_chance_over_all_numbers_of_choices_counts_from_above():
    """System 0: 2 - (1/2 + 1/3 + 1/3). System 1: 1 - (1/2 + 1/3)."""
    found = excesses(MIXED, terms(by_choices=False, uniform_ranks=False), CHOSEN)
    assert found == {"system 0": (pytest.approx(5 / 6), 0.5), "system 1": (pytest.approx(1 / 6), 0.5)}


def test_a_number_bounds_no_system_below_chance_if_choices_are_apart():
    """m = 2: chance 1/2 is more than 0.4. m = 3: 0.4 is more than 1/3."""
    found = excesses(MIXED, terms(bound=0.4, uniform_ranks=False), CHOSEN)
    assert found["system 0, 2 choices"] == (pytest.approx(0.5), 0.5)
    assert found["system 1, 2 choices"] == (pytest.approx(-0.5), 0.5)
    assert found["system 0, 3 choices"] == (pytest.approx(0.2), 0.5)


def test_a_number_over_all_numbers_of_choices_is_the_number():
    found = excesses(MIXED, terms(bound=0.4, by_choices=False, uniform_ranks=False), CHOSEN)
    assert found["system 0"] == (pytest.approx(2 - 1.2), 0.5)


def test_every_place_of_each_number_of_choices_has_a_row():
    """m = 3: places 2 and 0 are taken once, place 1 never, and 2/3 is expected of each."""
    found = excesses(MIXED, terms(), CHOSEN)
    assert found["ranking 0, 3 choices, place 0"] == (pytest.approx(1 / 3), 1.0)
    assert found["ranking 0, 3 choices, place 1"] == (pytest.approx(2 / 3), 1.0)
    assert found["ranking 0, 2 choices, place 1"] == (pytest.approx(1 / 2), 1.0)
    assert tuple(found) == build_rows(MIXED, terms()).names
    assert len(found) == 2 * 2 + 2 + 3


def test_terms_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="uniform_ranks needs"):
        Terms(0.3, by_choices=True, uniform_ranks=True, event_weight=0.0, limits=NO_LIMITS)
    with pytest.raises(ValueError, match="'chance' or a number"):
        Terms("luck", by_choices=True, uniform_ranks=False, event_weight=0.0, limits=NO_LIMITS)


SOLVED = [0]
ALIKE = [(0, 2, SOLVED, [0]), (1, 2, SOLVED, [0]), (1, 2, SOLVED, [0]), (2, 2, SOLVED, [0])]


def reasons(limits, chosen, **columns):
    return cap_reasons(offers(*ALIKE, **columns), terms(limits=limits), np.array(chosen))


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
    limits = Limits(1, 0, 1.0, 0)
    columns = {"passage": [7, 7, 8, 9], "person": [3, 4, 3, 3]}
    assert reasons(limits, [0, -1, -1], **columns) == {1: "passage-cap", 2: "answer-cap"}


def test_a_share_of_answers_has_a_floor():
    limits = Limits(0, 0, 0.1, 2)
    assert reasons(limits, [0, -1, -1], person=[3, 3, 3, 3]) == {}
    assert reasons(limits, [0, 1, -1], person=[3, 3, 3, 3]) == {2: "answer-cap"}
