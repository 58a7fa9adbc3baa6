"""The score of a sheet, against figures computed by hand."""

import math
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.sheets import NAMES, sheet, sheet_problem
from wdw_build.core.dataset_size import wilson
from wdw_study.figures import clustered_share, share
from wdw_study.judging.judgements import Judgement
from wdw_study.judging.score import ANY_FAULT, score
from wdw_study.judging.sheets import PHENOMENA, Judged

# Of each problem: number of choices, key, what the two baselines chose.
PROBLEMS = ((2, 0, 0, 1), (2, 1, 0, 1), (4, 2, 2, 2), (4, 3, 0, 0))


def a_problem(number, choices, key, first, second):
    guesses = {"first-person": first, "unigram": second}
    return sheet_problem(number, id=f"p{number}", choices=NAMES[:choices], answer=key, guesses=guesses)


def judged(answers, task="answer", **given):
    """A sheet that persons answered: ``3`` is the fourth choice, ``?`` cannot tell, ``.`` no answer; with further judgements."""
    judgements = [
        Judgement(person=person, problem=f"p{number}", answer=None if said == "?" else int(said), answered=True)
        for person, row in answers.items()
        for number, said in enumerate(row, 1)
        if said != "."
    ]
    problems = [a_problem(number, *described) for number, described in enumerate(PROBLEMS, 1)]
    return Judged(sheet(problems, task=task), problems, judgements, **given)


def with_faults(of, **faults):
    """The sheet with faults of some judgements, by ``person_problem``."""
    changed = [
        msgspec.structs.replace(each, faults=faults.get(f"{each.person}_{each.problem}", ())) for each in of.judgements
    ]
    return replace(of, judgements=changed)


def test_chance_and_baselines_are_of_the_answered_problems_as_people_are():
    answers = score(judged({"ida": "01.."})).answers
    assert (answers.chance, answers.accuracy.whole) == (0.5, 2)
    baseline = answers.baselines["first-person"]
    assert (baseline.part, baseline.whole) == (1, 2)


# ---- persons ---------------------------------------------------------------------------------------------------------


def test_cannot_tell_is_wrong_but_not_a_decision():
    (person,) = score(judged({"ida": "01?2"})).persons
    assert (person.answered, person.complete, person.cannot_tell) == (4, True, 1)
    assert (person.accuracy.part, person.accuracy.whole, person.accuracy.share) == (2, 4, 0.5)
    assert person.accuracy.interval == tuple(round(limit, 4) for limit in wilson(2, 4))


def test_a_person_who_has_not_finished_is_scored_on_the_answered_problems_and_named():
    scored = score(judged({"ida": "0123", "jon": "00.."}))
    assert [person.complete for person in scored.persons] == [True, False]
    assert scored.persons[1].accuracy.share == 0.5
    assert scored.notes == ("jon answered 2 of 4 problems and is scored on these",)


def test_a_fault_on_a_problem_without_an_answer_counts_as_a_fault_alone():
    ticked = Judgement(person="ida", problem="p1", faults=("two-answers",))
    scored = score(replace(judged({}), judgements=[ticked]))
    assert (scored.persons, scored.answers) == ((), None)
    assert scored.faults["two-answers"].problems == 1
    assert scored.notes == ("nobody has answered a problem of this sheet",)


# ---- all persons -----------------------------------------------------------------------------------------------------


def test_the_interval_of_one_person_is_wilsons_and_two_persons_who_always_agree_are_worth_one():
    assert clustered_share([(1, 1), (0, 1), (1, 1)]) == share(2, 3)
    twice = clustered_share([(2, 2), (0, 2), (2, 2)])
    assert (twice.part, twice.whole, twice.interval) == (4, 6, share(2, 3).interval)


def test_the_effective_number_of_judgements_is_that_of_the_formula():
    # Right of judged: 2/2, 2/2, 1/2, 0/2. p = 5/8; sum (x - p m)^2 = 2 * .75^2 + .25^2 + 1.25^2 = 2.75; v = 2.75 / 64;
    # n = p (1 - p) / v = (15 / 64) / (2.75 / 64) = 15 / 2.75.
    n, p, z = 15 / 2.75, 5 / 8, 1.959964
    centre = (p + z * z / 2 / n) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + (z / 2 / n) ** 2)
    found = clustered_share([(2, 2), (2, 2), (1, 2), (0, 2)])
    assert found.interval == pytest.approx((centre - half, centre + half), abs=1e-4)


def test_persons_who_are_always_right_have_the_interval_of_the_problems_and_opposite_answers_that_of_their_number():
    assert clustered_share([(2, 2)] * 5).interval == share(5, 5).interval
    assert clustered_share([(1, 2)] * 5).interval == share(5, 10).interval


@given(st.lists(st.integers(0, 3).flatmap(lambda judges: st.tuples(st.integers(0, judges), st.just(judges)))))
def test_the_interval_holds_the_share_and_is_never_narrower_than_that_of_independent_judgements(counts):
    found = clustered_share(counts)
    low, high = found.interval
    assert 0 <= low <= high <= 1
    if found.share is not None:
        independent = share(found.part, found.whole).interval
        assert low <= found.share <= high
        assert low <= independent[0]
        assert independent[1] <= high


def test_the_majority_shares_ties_on_the_problems_of_two_persons():
    def majority(**answers):
        found = score(judged(answers)).answers.majority
        return found.part, found.whole

    # p4 has three answers.
    assert majority(ida="0120", jon="0021", kim="01?3") == (pytest.approx(3 + 1 / 3), 4)
    # Two persons: p2 and p3 are tied, the latter with "cannot tell"; nobody is right on p4.
    assert majority(ida="0120", jon="00?0") == (pytest.approx(1 + 1 / 2 + 1 / 2), 4)
    assert majority(ida="0123", jon="01..") == (2, 2)


def test_cannot_tell_is_a_label_of_its_own_for_agreement():
    agreement = score(judged({"ida": "?1?0", "jon": "?1?1"})).answers.agreement
    # Coincidences: ?? 4, 11 2, so D_o = 2/8; labels 4, 3, 1, so D_e = (64 - 26) / 56; alpha = 1 - 14 / 38.
    assert (agreement.units, agreement.same, agreement.alpha) == (4, 0.75, round(1 - 14 / 38, 4))


def test_without_a_second_person_agreement_is_undefined_and_without_adjudication_the_key_has_no_score():
    scored = score(judged({"ida": "0123"}))
    assert scored.answers.agreement.alpha is None
    assert scored.answers.agreement.undefined
    assert scored.adjudication is None


# ---- faults ----------------------------------------------------------------------------------------------------------


def test_faults_are_counted_by_problem():
    marks = {"ida_p1": ("two-answers", "wrong-span"), "jon_p1": ("two-answers",), "jon_p2": ("wrong-span",)}
    faults = score(with_faults(judged({"ida": "0123", "jon": "0123"}), **marks)).faults
    assert list(faults) == [ANY_FAULT, "wrong-span", "two-answers"]
    assert (faults[ANY_FAULT].problems, faults[ANY_FAULT].by_several) == (2, 1)
    assert (faults["wrong-span"].problems, faults["wrong-span"].by_several) == (2, 0)


# ---- disagreements and adjudication ----------------------------------------------------------------------------------


def test_problems_on_which_people_differ_or_nobody_chose_the_key_or_with_a_fault_are_listed():
    marked = with_faults(judged({"ida": "0?20", "jon": "0120"}), jon_p1=("two-answers",), ida_p2=("two-answers",))
    assert score(marked).to_adjudicate == {
        "p1": ("marked as faulty",),
        "p2": ("people differ", "marked as faulty"),
        "p4": ("nobody chose the key",),
    }


def test_after_adjudication_persons_are_scored_by_the_new_key_without_undecidable_problems():
    decided = [
        Judgement(person="lee", problem=problem, answer=answer, answered=True)
        for problem, answer in (("p1", 0), ("p2", None), ("p4", 0))
    ]
    scored = score(judged({"ida": "0020", "jon": "1123"}, adjudicated=decided))
    adjudication = scored.adjudication
    parts = [share.part for share in (adjudication.key_right, adjudication.key_wrong, adjudication.undecidable)]
    assert (parts, adjudication.key_right.whole) == ([1, 1, 1], 3)
    # Keys are now 0, none, 2, 0: ida has all three, jon the third problem's.
    assert (adjudication.accuracy.part, adjudication.accuracy.whole) == (4, 6)
    assert scored.to_adjudicate == {}


# ---- phenomena -------------------------------------------------------------------------------------------------------


def test_each_label_of_phenomena_has_share_majority_and_agreement():
    labels = {
        "ida": (("named",), ("pronominal",), ("pronominal", "multiple")),
        "jon": (("named",), ("nominal",), ("pronominal",)),
    }
    judgements = [
        Judgement(person=person, problem=f"p{number}", answered=True, phenomena=chosen)
        for person, rows in labels.items()
        for number, chosen in enumerate(rows, 1)
    ]
    scored = score(replace(judged({}, "phenomena"), judgements=judgements))
    assert scored.answers is None
    assert list(scored.phenomena) == list(PHENOMENA)
    pronominal = scored.phenomena["pronominal"]
    assert (pronominal.share.part, pronominal.share.whole, pronominal.majority.part) == (3, 6, 1.5)
    # ida: no, yes, yes; jon: no, no, yes: labels 3 and 3, D_o = 2/6, D_e = 18/30; alpha = 1 - 10/18.
    assert pronominal.agreement.alpha == round(1 - 10 / 18, 4)
    assert scored.phenomena["commonsense"].agreement.alpha is None
    assert list(scored.to_adjudicate) == ["p2", "p3"]
    assert scored.persons[0].accuracy is None


# ---- the whole -------------------------------------------------------------------------------------------------------


@given(st.permutations(range(8)))
def test_the_score_does_not_depend_on_the_order_of_the_judgements(order):
    given = judged({"ida": "01?0", "jon": "0013"})
    assert score(replace(given, judgements=[given.judgements[place] for place in order])) == score(given)
