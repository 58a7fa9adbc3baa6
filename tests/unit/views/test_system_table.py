"""The table of systems in the report and in the datasheet: the numbers of bench.json, notes, warnings, escaped names."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import msgspec
import pytest

from support import bench_tables
from support.bench_tables import text
from wdw_bench.results import BASELINE, RESULTS, Disagreement, content_of, stored_results
from wdw_build.dataset import Run

COMMAND = "wdw-build bench -c CONFIG"


@pytest.fixture
def run(pages_of_toy):
    return pages_of_toy.run


@pytest.fixture
def chapter(pages_of_toy):
    """Make the report's chapter of stored results."""

    def made(stored):
        return pages_of_toy.report(systems=stored).partition('<h2 id="systems">')[2].partition("<h2 ")[0]

    return made


@pytest.fixture
def sheet(pages_of_toy):
    """Make the datasheet of a run with stored results."""
    return lambda stored: pages_of_toy.datasheet(systems=stored)


def section(text, heading):
    return text.partition(f"## {heading}\n")[2].partition("\n## ")[0]


class Tables(HTMLParser):
    """Collects the cells of each table, row by row."""

    def __init__(self, html):
        super().__init__()
        self.tables, self.in_cell = [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
            self.in_cell = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.in_cell = False

    def handle_data(self, data):
        if self.in_cell:
            self.tables[-1][-1][-1] += data


def figures(results):
    """The cells that each row must have, computed here from the numbers of bench.json."""

    def short(value):
        return "-" if value is None else f"{value:.3f}".removeprefix("0")

    for row in msgspec.to_builtins(results)["systems"]:
        test, over_seeds = row["test"], row["test"]["seed_interval"]
        yield [
            row["name"],
            short(row["validation"] and row["validation"]["accuracy"]),
            short(test["accuracy"]),
            "-".join(map(short, test["interval"])),
            "-" if row["group"] in ("suppressed baseline", "adversary") else short(test["tied"]),
            "-" if over_seeds is None else "-".join(map(short, over_seeds)),
            short(test["em"]),
            short(test["f1"]),
            "-" if row["parameters"] is None else f"{row['parameters']:,}",
            *("-" if row[name] is None else f"{row[name]:.1f}" for name in ("fit_seconds", "choose_seconds")),
            short(row["paper"]),
        ]


# ---- numbers ---------------------------------------------------------------------------------------------------------


def test_report_datasheet_and_terminal_show_the_numbers_of_the_table(chapter, sheet):
    results = bench_tables.typical()
    expected = list(figures(results))
    assert expected[2] == "as-reader .412 .613 .431-.772 .000 .553-.673 .321 .444 1,234,567 61.2 2.5 .570".split()
    rows = Tables(chapter(bench_tables.stored(results))).tables[0]
    assert [row for row in rows[2:] if len(row) > 1] == expected
    assert rows[1][:3] == ["chance", ".251", ".262"]
    lines = section(sheet(bench_tables.stored(results)), "Systems (Table 4)").splitlines()
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines if line.startswith("| ")]
    assert [[row[0], *row[2:]] for row in cells[3:]] == expected
    printed = [line.split() for line in text(results).splitlines()]
    assert [row for row in printed if row and row[0] in {row[0] for row in expected}] == expected


def test_groups_are_headed_in_the_order_of_the_table(chapter):
    rows = Tables(chapter(bench_tables.stored(bench_tables.typical()))).tables[0]
    assert [row[0] for row in rows if len(row) == 1] == [BASELINE, "probe", "table 4", "given predictions"]


def test_the_chart_draws_accuracies_intervals_and_chance_to_scale(chapter):
    results = bench_tables.typical()
    (picture,) = re.findall(r"<svg.*?</svg>", chapter(bench_tables.stored(results)), re.DOTALL)
    chart = ElementTree.fromstring(picture)
    assert ".262" in chart.attrib["aria-label"]
    zero, one = (float(chart.findall("line[@class='grid']")[at].attrib["x1"]) for at in (0, -1))

    def scaled(x):
        return pytest.approx((float(x) - zero) / (one - zero), abs=2e-4)

    for row, bar in zip(results.systems, chart.findall("rect"), strict=True):
        assert row.test.accuracy == scaled(float(bar.attrib["x"]) + float(bar.attrib["width"]))
        assert bar.find("title").text.startswith(f"{row.name}: ")
    whiskers = [
        line.attrib for line in chart.findall("line[@class='interval']") if line.attrib["y1"] == line.attrib["y2"]
    ]
    for row, whisker in zip(results.systems, whiskers, strict=True):
        assert (row.test.interval.low, row.test.interval.high) == (scaled(whisker["x1"]), scaled(whisker["x2"]))
    (chance,) = chart.findall("line[@class='chance']")
    assert results.chance["test"] == scaled(chance.attrib["x1"])
    assert chance.attrib["x1"] == chance.attrib["x2"]


def test_every_pair_has_its_p_value_and_pairs_without_a_common_problem_an_empty_cell(chapter):
    html = chapter(bench_tables.stored(bench_tables.typical()))
    rows = Tables(html).tables[1]
    assert rows[0] == ["system", "1", "2", "3"]
    assert rows[1:] == [
        ["1 ngram", "", "", ""],
        ["2 question-only", ".013", "", ""],
        ["3 as-reader", "<.001", ".405", ""],
        ["4 oracle", "", "", ".001"],
    ]
    assert re.findall("<b>([^<]*)</b>", html.partition("Pairs of systems")[2]) == [".013", "&lt;.001", ".001"]
    assert 'title="only ngram solves 3, only question-only solves 14"' in html


def test_a_table_without_test_problems_has_neither_chart_nor_pairs(chapter, sheet):
    (row,) = bench_tables.table(bench_tables.system("ngram", BASELINE)).systems
    results = bench_tables.table(msgspec.structs.replace(row, test=None))
    html = chapter(bench_tables.stored(results))
    assert "<svg" not in html
    assert len(Tables(html).tables) == 1
    assert "intervals are up to" not in sheet(bench_tables.stored(results))


# ---- notes -----------------------------------------------------------------------------------------------------------


def test_without_results_one_sentence_names_the_command(chapter, sheet):
    html, markdown = chapter(bench_tables.stored(None)), section(sheet(bench_tables.stored(None)), "Systems (Table 4)")
    assert "No systems have been measured on this dataset." in html
    assert f"<code>{COMMAND}</code>" in html
    assert "<table" not in html
    assert markdown.strip() == f"No systems have been measured on this dataset. Measure systems with `{COMMAND}`."


def test_stale_results_are_called_stale_and_show_no_number(chapter, sheet):
    stale = bench_tables.stored(None, stale=True)
    for shown in (chapter(stale), section(sheet(stale), "Systems (Table 4)")):
        assert "is stale" in shown
        assert COMMAND in shown
        assert "|" not in shown
        assert "<table" not in shown


def test_pooled_runs_are_named(chapter, sheet):
    pooled = bench_tables.stored(bench_tables.table(bench_tables.system("ngram", BASELINE), runs=("toy", "a_b")))
    html, markdown = chapter(pooled), section(sheet(pooled), "Systems (Table 4)")
    assert "runs: toy, a_b;" in html
    assert "runs: toy, a\\_b;" in markdown
    for shown in (html, markdown):
        assert "The table pools the problems of 2 runs" in shown
    assert "pools" not in chapter(bench_tables.stored(bench_tables.typical()))


def test_a_table_in_the_folder_is_missing_current_or_stale(run, tmp_path):
    own = Run(tmp_path / "toy", run.stages, run.outputs)
    own.folder.mkdir()
    assert stored_results(own) == bench_tables.stored(None)
    current = msgspec.structs.replace(bench_tables.typical(), runs={"toy": content_of(run)})
    (own.folder / RESULTS).write_bytes(msgspec.json.encode(current))
    assert stored_results(own) == bench_tables.stored(current)
    assert stored_results(own).exposed == ("question-only",)
    for other in (msgspec.json.encode(bench_tables.typical()), b"[]", b"\xff"):
        (own.folder / RESULTS).write_bytes(other)
        assert stored_results(own) == bench_tables.stored(None, stale=True)


# ---- warnings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "low"),
    [
        *(("probe", low) for low in (0.2, bench_tables.CHANCE["test"], 0.263)),
        *((group, 0.263) for group in (BASELINE, "table 4", "today", "given predictions")),
    ],
)
def test_only_probes_and_baselines_whose_whole_interval_lies_above_chance_are_warned_of(chapter, sheet, group, low):
    results = bench_tables.table(bench_tables.system("first_one", group, (0.4, low, 0.6)))
    stored = bench_tables.stored(results)
    warned = group in ("probe", BASELINE) and low == 0.263
    said = "{} reaches .400 on test (95% interval .263-.600), and chance is .262: the dataset gives answers away"
    plain, escaped = said.format(f"the {group} first_one"), said.format(f"the {group} first\\_one")
    assert (f"Warning:</b> {plain}" in chapter(stored)) == warned
    assert (f"\n- Warning: {escaped}" in section(sheet(stored), "What stands out")) == warned
    assert (f"warning: {plain}" in text(results)) == warned
    if not warned:
        assert "Warning" not in chapter(stored) + sheet(stored)


def test_the_datasheet_prints_the_widest_interval(sheet):
    shown = section(sheet(bench_tables.stored(bench_tables.typical())), "Systems (Table 4)")
    assert "Test has 40 problems, and intervals are up to .341 wide (as-reader: .431-.772)" in shown


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["<script>", '"><img src=x>', "a|b`*c*\x1b[31m"])
def test_names_of_given_predictions_are_text(chapter, sheet, name):
    stored = bench_tables.stored(bench_tables.typical(name))
    html, markdown = chapter(stored), section(sheet(stored), "Systems (Table 4)")
    for shown in (html, markdown):
        assert "<script" not in shown
        assert "<img" not in shown
        assert "\x1b" not in shown
    assert Tables(html).tables[0][-1][0] == name.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
    (row,) = (line for line in markdown.splitlines() if "given predictions" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 14, "no cell ends early"


def test_a_limit_that_hides_answers_is_said_with_both_numbers(chapter, sheet):
    row = bench_tables.system("span-encoder", "today", unread_answers=3, unread_training=17)
    results = bench_tables.table(row, bench_tables.system("qa-model", "today", unread_answers=0))
    said = "span-encoder does not read text past its limit, which makes 3 of 40 answers of test impossible"
    said += " and 17 training problems useless"
    assert said in text(results)
    assert said in chapter(bench_tables.stored(results))
    assert said in sheet(bench_tables.stored(results))
    assert "qa-model does not read" not in text(results)


def test_the_report_has_accuracies_by_number_of_choices_and_problems_of_disagreement(chapter):
    row = bench_tables.system("reader", "today", by_choices={2: 0.75, 3: 0.5})
    divided = Disagreement(id="<q1>", solved=("reader",), missed=("other",))
    results = msgspec.structs.replace(bench_tables.table(row), choices={2: 30, 3: 10}, disagreements=(divided,))
    html = chapter(bench_tables.stored(results))
    tables = Tables(html).tables
    assert ["system", "2 choices (30)", "3 choices (10)"] in [table[0] for table in tables]
    assert ["reader", ".750", ".500"] in tables[1]
    assert ["<q1>", "reader", "other"] in tables[2]
    assert "&lt;q1&gt;" in html
