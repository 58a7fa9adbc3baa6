"""The summary and the tables of the facts: rows, sentences, and what is shown of many values."""

import re

import msgspec
import pytest

from wdw_build.records import SuppressionCost, TraitShare
from wdw_build.views import fact_tables as tables
from wdw_build.views.dataset import WHOLE_NUMBERS
from wdw_build.views.dataset.run_facts import Suppression
from wdw_build.views.dataset.yield_limits import Looser, YieldLimit, YieldLimits
from wdw_build.views.summary import summary


def test_the_summary_has_each_table_that_has_a_row(toy):
    shown = summary(toy.facts)
    for head in ("funnel", "rejected by", "Table 2: accuracy", "Table 3: split", "stage", "yield limited by"):
        assert re.search(rf"^{head} ", shown, re.MULTILINE), head
    assert "rejected by" not in summary(msgspec.structs.replace(toy.facts, rejections={}))


def test_names_from_articles_cannot_control_the_terminal(toy):
    assert "\x1b" not in summary(msgspec.structs.replace(toy.facts, most_common_answer=("Bob \x1b[31m", 0.5)))


def test_the_summary_ends_with_what_suppression_cost(toy):
    def cost(key, more):
        return SuppressionCost(key=key, value="1", other="0", kept=20, other_kept=20 + more, price="anything goes")

    costs = cost("suppress.strict", 20), cost("suppress.max_per_event", 9)
    costly = msgspec.structs.replace(toy.facts, suppression=Suppression(problems=1250, strict=20, costs=costs))
    kept, more = summary(costly).split("\n\n")[-1].split("\n")
    without = "without any bound, it would keep about 40."
    assert kept == f"Suppression kept 20 of 1,250 problems as strict, 1,230 fewer; {without}"
    assert more == "suppress.max_per_event 0 instead of 1: about 9 more, but anything goes"


def share(ratio, differs):
    """The shares of a kind of article of a tenth of the problems."""
    figures = {"strict": round(10 * ratio), "ratio": ratio, "low": ratio - 0.1, "high": ratio + 0.1}
    return TraitShare(trait="kind of the question", value=f"kind {ratio}", problems=100, differs=differs, **figures)


def shares(*ratios, differs=True):
    """The facts of suppression with a kind of article for each ratio of its shares."""
    traits = tuple(share(ratio, differs) for ratio in ratios)
    return Suppression(problems=1000, strict=100, costs=(), traits=traits)


def test_the_traits_that_suppression_prefers_are_shown_and_the_frequent_ones_warned_of(toy):
    preferred = msgspec.structs.replace(toy.facts, suppression=shares(0.5, 2.0, 1.4))
    assert tables.traits(preferred).rows == [
        ("kind of the question", "kind 2.0", "10.0%", "20.0%", "2.00", "1.90 to 2.10"),
        ("kind of the question", "kind 1.4", "10.0%", "14.0%", "1.40", "1.30 to 1.50"),
        ("kind of the question", "kind 0.5", "10.0%", "5.0%", "0.50", "0.40 to 0.60"),
    ]
    head = "WARNING: at least 1.5 times as frequent among the strict problems as before suppression: "
    warning = f"{head}kind of the question kind 2.0 (2.0); suppress.max_enrichment limits this."
    assert warning in summary(preferred).split("\n")
    for suppression in (shares(1.4), shares(2.0, differs=False)):
        assert "max_enrichment" not in summary(msgspec.structs.replace(toy.facts, suppression=suppression))
    assert not tables.traits(msgspec.structs.replace(toy.facts, suppression=shares(2.0, differs=False))).rows


def test_the_limits_of_the_yield_name_the_key_that_helps_with_an_example(toy):
    looser = Looser(key="retrieve.k", value="1", looser="2", tried=7, passed=4, example="Ann Ames \x1b[31m left.")
    helped = YieldLimit(stage="retrieve", rule="r", meaning="", articles=9, looser=looser)
    limits = YieldLimits(rules=(helped, msgspec.structs.replace(helped, rule="s", looser=None)), were_tried=True)
    limited = msgspec.structs.replace(toy.facts, yield_limits=limits)
    first = ("retrieve", "r", "retrieve.k 2 instead of 1", 9, "4 of 7 tried")
    assert tables.limits(limited).rows == [first, ("retrieve", "s", "", 9, "")]
    assert r"r, passes with retrieve.k 2: Ann Ames \x1b[31m left." in summary(limited)


def test_event_scores_are_summed_from_the_highest_band_down(toy):
    scores = {"0.7": {"train": 2, "train.relaxed": 2}, "0.9": {"test": 1}}
    scored = msgspec.structs.replace(toy.facts, distributions={"event score": scores})
    assert tables.scores(scored, "event score").rows == [("from 0.9", 1, 1), ("from 0.8", 0, 1), ("from 0.7", 2, 3)]


def distribution(facts, name, counts):
    """(value, test problems) of each row of a distribution."""
    distributions = {name: {str(value): {"test": count} for value, count in counts.items()}}
    table = tables.distribution(msgspec.structs.replace(facts, distributions=distributions), name)
    return [(row[0], row[-1]) for row in table.rows]


def test_whole_numbers_are_in_bands_in_order_with_the_empty_bands_between_and_an_open_last_one(toy):
    rows = distribution(toy.facts, "passage tokens", {16: 3, 49: 4, 204: 20, 299: 1, 7500: 1, 10_000: 1, 90_007: 2})
    assert (rows[0], rows[-1], len(rows)) == (("15 to 19", 3), ("10,000 or more", 3), 27)
    bands = "15 to 19", "40 to 49", "200 to 249", "250 to 299", "6,000 to 7,999", "10,000 or more"
    assert [row for row in rows if row[1]] == list(zip(bands, (3, 4, 20, 1, 1, 3), strict=True))


@pytest.mark.parametrize("name", WHOLE_NUMBERS)
def test_small_numbers_are_counted_singly_and_negative_bands_mirror_the_positive_ones(toy, name):
    assert distribution(toy.facts, name, {2: 5, 4: 1}) == [("2", 5), ("3", 0), ("4", 1)]
    rows = distribution(toy.facts, name, {-12: 1, -10: 1, -9: 1, 9: 1, 10: 1, 14: 1})
    assert (rows[:2], rows[-2:]) == ([("-14 to -10", 2), ("-9", 1)], [("9", 1), ("10 to 14", 2)])
    assert len(rows) == 21
    assert distribution(toy.facts, name, {-36_525: 1})[0][0] == "-10,000 or less"


def test_more_than_twenty_months_are_shown_as_years_in_order(toy):
    months = {f"{year}-{month:02}": 1 for year in (2014, 2015, 2017) for month in range(1, 13)}
    assert distribution(toy.facts, "month", months) == [("2014", 12), ("2015", 12), ("2017", 12)]
    assert distribution(toy.facts, "month", {"2014-03": 2, "2014-05": 1}) == [("2014-03", 2), ("2014-05", 1)]


def test_of_many_values_the_most_frequent_are_shown_and_the_others_added_up(toy):
    values = {f"s{number:02}": {"train": 30 - number, "train.relaxed": 30 - number} for number in range(25)}
    table = tables.distribution(msgspec.structs.replace(toy.facts, distributions={"source": values}), "source")
    assert len(table.rows) == 21
    assert table.rows[0][:3] == ("s00", 30, 30)
    assert table.rows[-1] == ("5 others", 40, 40, 0, 0)
