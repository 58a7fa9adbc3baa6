"""suppress: what is kept by hand, no bound broken by more than half a problem, and strict within relaxed."""

import random

import pytest

from support import fakes, stage_runs
from support.make import day
from wdw_build.core.hashing import uniform_hash
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.records import AdversaryPredictions
from wdw_build.stages.suppress import STAGE

NAMES = ("first-person", "most-frequent", "ngram", "unigram")


def guesses(name, solved, choices=2):
    """A problem with that many choices that the baselines with a 1 in ``solved`` solve."""
    chosen = {baseline: int(digit == "0") for baseline, digit in zip(NAMES, solved, strict=False)}
    return AdversaryPredictions(id=name, date=day(0), choices=choices, answer=0, guesses=chosen, scores={})


def many(**cells):
    """``many(a10_2=5)``: five problems of two choices, of the cell 10."""
    found = []
    for cell, count in cells.items():
        solved, choices = cell[1:].split("_")
        found += [guesses(f"{cell}-{number:03d}", solved, int(choices)) for number in range(count)]
    return found


def suppress(tmp_path, problems, seed=0, **settings):
    section = STAGE.config(**{"min_kept": 1, **settings})
    return stage_runs.run_stage(
        STAGE, tmp_path, {"adversary": problems}, section=section, seed=seed, solver=fakes.FractionSolver()
    )


def excess(problems, ids, bound):
    """By how many problems the most successful baseline is over its bound."""
    chosen = [one for one in problems if one.id in ids]
    allowed = sum(1 / one.choices if bound == "chance" else bound for one in chosen)
    return max(sum(one.guesses[name] == one.answer for one in chosen) - allowed for name in chosen[0].guesses)


def strict_ids(ran):
    return {one.id for one in ran.records.values() if one.strict}


def test_chance_by_hand(tmp_path):
    """30 solved, 10 unsolved, two choices each: ten solved balance ten unsolved; half a problem of slack lets in one."""
    problems = many(a1_2=30, a0_2=10)
    ran = suppress(tmp_path, problems, relaxed=0.5)
    kept = strict_ids(ran)
    assert sum(one.startswith("a0") for one in kept) == 10
    assert sum(one.startswith("a1") for one in kept) == 11
    assert all(one.strict_rate == pytest.approx(1 / 3) for one in ran.records.values() if one.cell == "1")
    assert {one.strict_rate for one in ran.records.values() if one.cell == "0"} == {1.0}


def test_a_number_as_the_bound_by_hand(tmp_path):
    """Bound 1/4: 3 solved for every 9 unsolved, 4 - 13 / 4 = 0.75 is too much."""
    kept = strict_ids(suppress(tmp_path, many(a1_2=30, a0_2=9), strict=0.25))
    assert (sum(one.startswith("a1") for one in kept), sum(one.startswith("a0") for one in kept)) == (3, 9)


def test_what_is_suppressed_is_rejected_and_a_bound_of_one_suppresses_nothing(tmp_path):
    problems = many(a1_2=30, a0_2=10)
    ran = suppress(tmp_path / "on", problems, strict="chance", relaxed=0.5)
    assert set(ran.reasons.values()) == {"suppressed"}
    assert len(ran.rejections) == 19
    assert next(iter(ran.rejections.values())).detail == "1, 2 choices"
    off = suppress(tmp_path / "off", problems, strict=1.0, relaxed=1.0)
    assert (len(off.records), off.rejections) == (40, {})


@pytest.mark.parametrize(("strict", "relaxed"), [("chance", 0.5), ("chance", "chance"), (0.25, 0.4), (0.4, 0.4)])
@pytest.mark.parametrize("seed", range(3))
def test_no_bound_is_broken_by_more_than_half_a_problem_and_strict_lies_within_relaxed(tmp_path, seed, strict, relaxed):
    chance = random.Random(seed)
    problems = [
        guesses(f"p{at:03d}", "".join(chance.choices("01", (6, 4), k=2)), chance.randint(2, 4)) for at in range(150)
    ]
    ran = suppress(tmp_path, problems, seed=seed, strict=strict, relaxed=relaxed)
    inner, outer = strict_ids(ran), set(ran.records)
    assert inner <= outer
    assert excess(problems, inner, strict) <= 0.5 + 1e-9
    assert excess(problems, outer, relaxed) <= 0.5 + 1e-9
    assert all(one.strict_rate <= one.relaxed_rate for one in ran.records.values())


@pytest.mark.real
@pytest.mark.parametrize("bound", ["chance", 0.3])
def test_two_levels_with_one_bound_can_be_solved_whatever_the_rounding_of_rates(tmp_path, bound):
    """Rates are rounded at the ninth digit, and thousands of problems in a cell make much of that."""
    from wdw_build.adapters.pulp_solver import PulpSolver

    problems = many(a11_3=20011, a10_2=13007, a01_4=9001, a00_3=7919)
    section = STAGE.config(min_kept=1, strict=bound, relaxed=bound)
    ran = stage_runs.run_stage(STAGE, tmp_path, {"adversary": problems}, section=section, solver=PulpSolver())
    assert excess(problems, set(ran.records), bound) <= 0.5 + 1e-6


def test_relaxed_keeps_what_strict_leaves_out(tmp_path):
    problems = many(a1_4=30, a0_4=30)
    ran = suppress(tmp_path, problems, strict="chance", relaxed=0.5)
    assert len(ran.records) == 60
    assert 30 < len(strict_ids(ran)) < 60
    assert excess(problems, strict_ids(ran), "chance") <= 0.5


def test_a_problem_falls_by_its_own_id_and_the_seed_alone(tmp_path):
    problems = many(a1_2=30, a0_2=10)
    one, same = suppress(tmp_path / "1", problems), suppress(tmp_path / "2", problems[::-1])
    assert one.records == same.records
    assert all(found.draw == uniform_hash(0, "suppress", found.id) for found in one.records.values())
    other = suppress(tmp_path / "3", problems, seed=1)
    assert strict_ids(other) != strict_ids(one)
    assert len(strict_ids(other)) == len(strict_ids(one))


def test_the_cell_says_which_baselines_solved_the_problem(tmp_path):
    ran = suppress(tmp_path, [guesses("a", "0110", 3), guesses("b", "0000", 3), guesses("c", "1001", 3)])
    assert {one.id: (one.cell, one.choices) for one in ran.records.values()}["b"] == ("0000", 3)
    assert all(one.cell == {"a": "0110", "b": "0000", "c": "1001"}[one.id] for one in ran.records.values())


def test_too_few_strict_problems_stop_the_stage(tmp_path):
    with pytest.raises(CorpusError, match=r"fewer than suppress\.min_kept = 30"):
        suppress(tmp_path / "on", many(a1_2=30, a0_2=10), min_kept=30)
    assert suppress(tmp_path / "off", many(a1_2=30, a0_2=10), min_kept=20).records


def test_problems_that_every_baseline_solves_leave_nothing(tmp_path):
    with pytest.raises(CorpusError, match="keeps 0 of 20"):
        suppress(tmp_path, many(a11_2=20), min_kept=2)


@pytest.mark.parametrize(("strict", "relaxed"), [(0.5, 0.4), (0.5, "chance")])
def test_a_relaxed_bound_below_the_strict_one_is_refused_before_any_stage_runs(strict, relaxed):
    with pytest.raises(ConfigError, match=r"suppress\.relaxed"):
        STAGE.config(strict=strict, relaxed=relaxed)


def test_as_many_strict_problems_as_the_least_are_enough(tmp_path):
    problems = [guesses(f"p{at}", "0000") for at in range(6)]
    assert len(suppress(tmp_path / "enough", problems, min_kept=6).records) == 6
    with pytest.raises(CorpusError, match=r"keeps 6 of 6 problems, fewer than suppress\.min_kept = 7"):
        suppress(tmp_path / "fewer", problems, min_kept=7)
