"""The table of reading conditions in the terminal: cells, warnings, differences, names."""

import msgspec

from support.bench_tables import conditions, measurement
from wdw_bench import rendering as tables
from wdw_bench.results import ADVERSARY, BASELINE, Difference
from wdw_build.views.table import text_of

FIGURES = {"first_only": 12, "second_only": 2, "problems": 40, "gain": 0.25, "p": 0.0129}
DIFFERENCE = Difference(system="<b>llm", population="after", first="codes", second="codes-without", **FIGURES)
TABLE = conditions(
    measurement("ngram (adversary)", "passage", "all", (0.5, 0.35, 0.65), ADVERSARY),
    measurement("<b>llm", "passage", "after", (0.3, 0.2, 0.4)),
    measurement("<b>llm", "codes-without", "all", (0.9, 0.8, 0.95)),
    measurement("<b>llm", "codes-without", "after", (0.45, 0.26, 0.6)),
    differences=(DIFFERENCE, msgspec.structs.replace(DIFFERENCE, population="all")),
    left_out=3,
)


def cells(table):
    return [row if isinstance(row, str) else list(map(text_of, row)) for row in table.rows]


def test_a_star_marks_what_lies_above_chance_and_a_dash_what_was_not_measured():
    assert cells(tables.conditions(TABLE)) == [
        ADVERSARY,
        ["ngram (adversary)", ".50*", "-", "-", "-", "-", "-"],
        "probe",
        ["<b>llm", "-", ".30 ", "-", ".90*", ".45*", "-"],
    ]


def test_only_the_kept_problems_are_warned_of_and_compared():
    (said,) = tables.condition_warnings(TABLE)
    assert said == "the dataset can be answered without reading by <b>llm (.450) (after, codes-without, chance is .250)"
    assert tables.differences(TABLE).head == ("difference", "codes - codes-without")
    assert cells(tables.differences(TABLE)) == [["<b>llm", "+.25 (.013)"]]
    below = conditions(measurement("llm", "codes-without", "after", (0.4, 0.25, 0.6)))
    assert tables.condition_warnings(below) == []


def test_with_a_passage_only_probes_baselines_and_adversaries_are_warned_of():
    above = ("passage", "after", (0.4, 0.26, 0.6))
    probe, baseline = measurement("shallow", *above), measurement("ngram", *above, BASELINE)
    (warning,) = tables.condition_warnings(conditions(probe, baseline, measurement("reader", *above, "table 4")))
    assert warning == "the dataset gives answers away to shallow (.400), ngram (.400) (after, passage, chance is .250)"
