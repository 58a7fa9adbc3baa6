"""What bounds, caps and adversaries cost, worked out by hand."""

import pytest

from support import fakes
from support.offers import given_offers, random_offers, terms
from wdw_build.selection import program
from wdw_build.selection.levels import costs, strict_terms
from wdw_build.selection.offers import Offered
from wdw_build.selection.program import choose, relaxed_number
from wdw_build.selection.settings import AdversaryConfig, SuppressConfig

SOLVER = fakes.ScipySolver()
# The paper's program without bounds: only what a test adds limits the selection.
NO_CAPS = {"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0, "shared_articles": "allow"}
NOTHING = NO_CAPS | {"strict": 1.0, "relaxed": 1.0, "bounds": "pooled", "event_weight": 0.0}


def found(solved, systems=("ngram",), **settings):
    """The costs as (key, value, other value, kept, kept with the other value); one alternative per article, two choices.

    ``solved``: for each article, whether each system is right.
    """
    columns = {name: settings.pop(name) for name in ("passage", "person", "traits") if name in settings}
    adversaries = settings.pop("adversaries", AdversaryConfig())
    lines = [(number, 2, right, [number % 2, number % 2]) for number, right in enumerate(solved)]
    offers = given_offers(*lines, **columns)
    section = SuppressConfig(**NOTHING | settings)
    asked = strict_terms(offers.day, section, None)
    kept = int((choose(offers, asked, SOLVER) >= 0).sum())
    ids, alternatives = list(map(str, range(len(lines)))), [(number, 0) for number in range(len(lines))]
    offered = Offered(ids, alternatives, systems, offers)
    return [
        (cost.key, cost.value, cost.other, cost.kept, cost.other_kept)
        for cost in costs(offered, section, adversaries, asked, kept, SOLVER)
    ]


def test_a_bound_costs_the_problems_that_it_excludes():
    """One wrong answer balances one right answer, and the slack of half a problem admits another one: 3 of 5."""
    assert found([[1], [1], [1], [1], [0]], strict="chance") == [("suppress.strict", "chance", "1", 3, 5)]


def test_pooled_bounds_admit_a_system_that_is_always_wrong():
    """A bound for each number of choices is a lower bound, too: of four wrong answers, the slack admits one."""
    strict, bounds = found([[0], [0], [0], [0]], strict="chance", bounds="by_choices", relaxed="chance")
    assert strict == ("suppress.strict", "chance", "1", 1, 4)
    assert bounds == ("suppress.bounds", "by_choices", "pooled", 1, 4)


CAPS = [
    ("max_per_passage", 1, "1", "0", {"passage": [7, 7, 7]}),
    ("max_per_event", 1, "1", "0", {"passage": [7, 7, 7], "person": [5, 5, 5]}),
    ("max_per_answer", 1.0, "1", "0", {"person": [5, 5, 5]}),
    ("shared_articles", "forbid", "forbid", "allow", {"passage": [1, 2, 0]}),
]


@pytest.mark.parametrize(("key", "value", "shown", "other", "columns"), CAPS)
def test_a_cap_costs_all_problems_except_one(key, value, shown, other, columns):
    assert found([[0]] * 3, **{key: value}, **columns) == [(f"suppress.{key}", shown, other, 1, 3)]


def test_a_bound_on_traits_costs_the_problems_that_it_excludes():
    """The system solves all 20 problems of the one kind. Half of the problems may be of the other, as before suppression."""
    solved, kinds = [[1]] * 20 + [[0]] * 20, [[0]] * 20 + [[1]] * 20
    asked = {"strict": 0.25, "relaxed": 1.0, "max_enrichment": 1.0, "traits": kinds}
    # Relaxed: of N problems, N/2 + 1/2 may be wrong and N/4 + 1/2 right, so N is 4; without the bound, it is 20 + 22/3.
    assert found(solved, **asked)[1] == ("suppress.max_enrichment", "1", "null", 3, 3 + 23)


def test_the_rounds_of_an_adversary_and_all_adversaries_have_a_cost():
    """The second round is right in all four problems, of which the slack admits one; without it, two are wrong."""
    solved, systems = [[0, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 1]], ("ngram", "shallow", "shallow-2")
    several = AdversaryConfig(systems=("shallow",), rounds=3)
    _, rounds, every = found(solved, systems, adversaries=several, strict="chance")
    assert rounds == ("adversary.rounds", "3", "1", 1, 4)
    assert every == ("adversary.systems", "[shallow]", "[]", 1, 4)


def test_a_selection_without_costs_has_none():
    assert found([[1], [0]], strict="chance") == []


def test_of_many_parts_at_most_five_stand_for_all(monkeypatch):
    offers, asked, sizes = random_offers(700, 3, most=4), terms(), []
    relax = SOLVER.relax
    monkeypatch.setattr(SOLVER, "relax", lambda program: sizes.append(len(program.objective)) or relax(program))
    whole = relaxed_number(offers, asked, SOLVER)
    assert len(sizes) == 1
    monkeypatch.setattr(program, "PART", 80)
    assert relaxed_number(offers, asked, SOLVER) == pytest.approx(whole, rel=0.1)
    # Of seven parts, every other one.
    assert len(sizes) == 1 + 4
    assert relaxed_number(random_offers(3, 0, most=0), asked, SOLVER) == 0.0
