"""The audit counts bounds, caps, shared articles, split dates and leaks on the stored records."""

import datetime as dt
from types import SimpleNamespace

import msgspec
import pytest

from support import toy_pipeline as toy
from support.forged_run import failing, forge, set_field
from wdw_build.selection.recount import Recount, Selected, TraitCounts
from wdw_build.selection.settings import SplitConfig, SuppressConfig
from wdw_build.verify import selection
from wdw_build.verify.audited_run import Recorder

# ---- bounds ----------------------------------------------------------------------------------------------------------------


def solved(cell, choices, *places):
    return Selected("q", True, cell, choices, places, "p", "answer")


def checked(problems, further=(), **settings):
    """The checks of bounds that fail for these strict problems and further relaxed ones."""
    every = [*problems, *(one._replace(strict=False) for one in further)]
    recount = Recount(SuppressConfig(**settings), ("reader",), every)
    run, failed = SimpleNamespace(selected=every, recount=recount), []
    for check in (selection.strict_bound, selection.relaxed_bound, selection.answer_places):
        recorder = Recorder()
        check(run, recorder)
        failed += [check.__name__] * bool(recorder.failures)
    return failed


def test_the_share_of_a_trait_may_exceed_the_bound_by_half_a_problem():
    """Half of 40 problems before suppression are captions; at a factor of 1.2, six of ten strict problems may be captions."""

    def fails(captions, **settings):
        every = [solved("0", 2, 0, 0)._replace(id=str(number)) for number in range(10)]
        kinds = {str(number): {"kind": "caption" if number < captions else "rare"} for number in range(10)}
        counts = TraitCounts(40, {("kind", "caption"): 20, ("kind", "rare"): 10}, kinds)
        recount = Recount(SuppressConfig(**settings), ("reader",), every, trait_counts=counts)
        recorder = Recorder()
        selection.enrichment(SimpleNamespace(selected=every, recount=recount), recorder)
        return bool(recorder.failures)

    assert not fails(6, max_enrichment=1.2)
    assert fails(7, max_enrichment=1.2)
    assert not fails(7, max_enrichment=1.4)
    # Too few problems are rare, and a null bounds nothing.
    assert not fails(0, max_enrichment=1.0)
    assert not fails(10)


def row(right, wrong):
    """So many solved and unsolved problems, half of them with the answer in each place."""
    return [solved(cell, 2, at % 2, 1 - at % 2) for at, cell in enumerate("1" * right + "0" * wrong)]


def test_the_strict_bound_allows_half_a_problem_above_chance_and_no_more():
    assert checked(row(4, 4), relaxed=1.0) == []
    assert checked(row(6, 4), relaxed=1.0) == ["strict_bound"]
    assert checked([*row(4, 4), solved("1", 2, 0, 0)], relaxed=1.0) == []


def test_a_bound_at_chance_holds_from_below_only_for_each_number_of_choices():
    assert checked(row(2, 6)) == ["strict_bound"]
    assert checked(row(2, 6), bounds="pooled") == []
    assert checked(row(2, 6), strict=0.5) == []


def test_each_number_of_choices_has_its_own_bound():
    two = [solved("1", 2, place, place) for place in (0, 1)]
    three = [solved("0", 3, place, place) for place in (0, 1, 2)]
    assert checked(two + three, relaxed=1.0) == ["strict_bound"]
    assert checked(two + three, relaxed=1.0, bounds="pooled") == []


def test_the_relaxed_bound_may_be_exceeded_as_far_as_on_the_strict_problems():
    assert checked(row(4, 4), row(2, 0), relaxed=0.5) == ["relaxed_bound"]
    assert checked(row(4, 4), row(2, 2), bounds="pooled", relaxed=0.2) == ["relaxed_bound"]
    assert checked(row(4, 4), row(0, 4), bounds="pooled", relaxed=0.2) == []


@pytest.mark.parametrize("ranking", [0, 1])
def test_a_place_with_too_many_answers_is_found(ranking):
    def of(places):
        pairs = [(place, number % 2) for number, place in enumerate(places)]
        return [solved("01"[pair[1]], 2, *(pair if ranking == 0 else reversed(pair))) for pair in pairs]

    assert checked(of([0, 0, 0, 1])) == []
    assert checked(of([0, 0, 0, 0])) == ["answer_places"]
    assert checked(of([0, 0, 0, 0]), strict=0.5) == []


def test_a_bound_is_counted_on_the_stored_predictions(run):
    def solve(records):
        for record in records:
            for one in (record, *record["others"]):
                one["guesses"]["ngram"] = one["answer"]

    config = SuppressConfig(strict=0.6, relaxed=1.0, min_kept=1)
    assert failing(run, suppress=config)[1] == ["chain"]
    forge(run, "adversary", solve)
    assert failing(run, suppress=config)[1] == ["chain", "cells", "strict-bound"]
    forge(run, "suppress", lambda records: [one.update(cell="0010") for one in records])
    assert failing(run, suppress=config)[1] == ["chain", "strict-bound"]


# ---- caps and shared articles ----------------------------------------------------------------------------------------------


def one(name, passage, person):
    return Selected(name, True, "0", 2, (0, 0), passage, person)


def audited(check, selected, placed=(), **sections):
    """The examples of a check on these selected problems; ``placed``: id -> split."""
    config = msgspec.structs.replace(toy.config("unused"), **sections)
    split = {name: SimpleNamespace(id=name, split=value) for name, value in dict(placed).items()}
    recorder = Recorder()
    check(SimpleNamespace(selected=selected, config=config, placed=split), recorder)
    return recorder.examples


NO_CAPS = {"max_per_passage": 0, "max_per_event": 0, "max_per_answer": 0.0}


CAPPED = [
    ([one("a", "p", "x"), one("b", "p", "y")], {"max_per_passage": 1}, False),
    ([one("a", "p", "x"), one("b", "p", "y")], {"max_per_passage": 2}, True),
    ([one("a", "p", "x"), one("b", "r", "x")], {"max_per_answer": 1}, False),
    ([one(f"a{n}", f"p{n}", "x") for n in range(12)], {"max_per_answer": 0.5}, False),
    ([one(f"a{n}", f"p{n}", "x") for n in range(10)], {"max_per_answer": 0.5}, True),
    ([one("a", "p", "x"), one("b", "p", "x")], {"max_per_event": 1}, False),
    ([one("a", "p", "x"), one("p", "r", "x")], {"max_per_event": 1}, False),
    ([one("a", "p", "x"), one("b", "p", "y")], {"max_per_event": 1}, True),
    ([one("a", "p", "x"), one("b", "p", "x")], {}, True),
]


@pytest.mark.parametrize(("selected", "limit", "is_met"), CAPPED)
def test_more_problems_than_a_cap_allows_are_found(selected, limit, is_met):
    assert (audited(selection.caps, selected, suppress=SuppressConfig(**NO_CAPS | limit)) == []) == is_met


def test_answers_in_two_forms_of_one_name_count_together(run):
    def rename(names):
        """Give the answers of the first problems these names, as the stages before it would have stored them."""

        def problems(records):
            for record, name in zip(records, names, strict=False):
                record["choices"][record["answer"]]["name"] = name

        def alternatives(records):
            for record, name in zip(records, names, strict=False):
                for one in record["alternatives"]:
                    record["passages"][one["passage"]]["persons"][one["choices"][one["answer"]]]["name"] = name

        forge(run, "problems", problems)
        forge(run, "dedup", alternatives)
        return "caps" in failing(run, suppress=SuppressConfig(max_per_answer=1, max_per_event=0))[1]

    assert not rename(["Dmitry Koval", "Ida Moss"])
    assert rename(["Dmitry Koval", "Dmitri P. Koval"])


SHARED = [
    ("within-split", ("train", "train"), True),
    ("within-split", ("train", "test"), False),
    ("within-split", ("test", "test"), False),
    ("forbid", ("train", "train"), False),
    ("allow", ("train", "test"), True),
]


@pytest.mark.parametrize(("shared", "splits", "is_met"), SHARED)
def test_a_passage_that_is_another_problem_s_article_is_found(shared, splits, is_met):
    selected, placed = [one("a", "b", "x"), one("b", "p", "y")], zip("ab", splits, strict=True)
    config = SuppressConfig(shared_articles=shared)
    assert (audited(selection.shared_articles, selected, placed, suppress=config) == []) == is_met
    if shared == "within-split":
        assert audited(selection.shared_articles, selected, {"a": "train"}, suppress=config) == []


# ---- splits ----------------------------------------------------------------------------------------------------------------
# Problems q00 to q05 are training, q06 to q11 are held out; they are three days apart.


def test_another_level_date_or_split_than_suppress_recorded_is_found(run):
    forge(run, "split", set_field("q00", level="relaxed"))
    forge(run, "split", set_field("q01", date="2014-03-05"))
    forge(run, "split", set_field("q02", split="dev"))
    (found,) = (check for check in failing(run)[0].checks if check.name == "placement")
    assert [example.split(":")[0] for example in found.examples] == ["q00", "q01", "q02"]


def test_a_relaxed_problem_in_held_out_data_is_found(run):
    forge(run, "suppress", set_field("q07", strict=False))
    forge(run, "split", set_field("q07", level="relaxed"))
    assert "placement" in failing(run)[1]


def test_training_at_or_after_the_first_held_out_day_and_within_the_gap_is_found(run):
    forge(run, "split", set_field("q08", split="train"))
    assert failing(run)[1] == ["split-dates", "exports"]
    forge(run, "split", set_field("q08", split="test"))
    assert failing(run)[1] == []
    assert failing(run, split=SplitConfig(max_share=0.5, gap_days=3))[1] == ["chain"]
    assert failing(run, split=SplitConfig(max_share=0.5, gap_days=4))[1] == ["chain", "split-dates"]


def test_a_problem_in_the_split_of_another_period_is_found(run):
    by_date = SplitConfig(test_from=dt.date(2014, 3, 19))
    assert "split-periods" in failing(run, split=by_date)[1]

    forge(run, "split", lambda records: [one.update(split="test") for one in records if one["split"] != "train"])
    assert failing(run, split=by_date)[1] == ["chain", "exports"]


LEAKS = [
    ({"by_event": True}, 3, "p07", True),
    ({"by_event": True}, 3, "q07", True),
    ({"by_event": True}, 3, "p04", False),
    ({"by_event": True}, 6, "p07", False),
    ({"one_per_group": True}, 6, "p07", True),
    ({"one_per_group": True}, 6, "q08", True),
    ({"one_per_group": True}, 3, "p07", False),
    ({}, 3, "p07", False),
]


@pytest.mark.parametrize(("split", "number", "article", "is_found"), LEAKS)
def test_an_article_in_problems_of_two_splits_or_two_held_out_problems_is_found(run, split, number, article, is_found):
    forge(run, "problems", lambda records: records[number]["passage"].update(article=article))
    assert ("leaks" in failing(run, split=SplitConfig(max_share=0.5, **split))[1]) == is_found
