"""Human performance beside the systems: rows of sheets drawn from a split, sentences for all sheets, and stale sheets."""

import msgspec
import pytest

from support import bench_tables, make, stage_runs
from support.bench_tables import conditions_text, text
from support.make import day
from wdw_bench.rendering import paired_tests
from wdw_build.annotation.judgements import ANSWERED, FAULTS_MARKED
from wdw_build.annotation.sheet_draw import DrawOptions, draw_sheet
from wdw_build.annotation.sheet_folder import open_or_draw
from wdw_build.dataset import Run
from wdw_build.pipeline import STAGES
from wdw_build.records import Problem, SplitAssignment
from wdw_build.views import people
from wdw_build.views.report.charts import accuracies

NAMES = ["Ann Ames", "Bob Beck", "Cy Cole", "Dan Dorn"]
LEAD = "Mayor Ann Ames told Bob Bell on Monday that bridge {} must close ."
# Four problems with four choices in test, four in train; the last is relaxed.
SPLITS = ["test"] * 4 + ["train"] * 4


def made(number, passage="Passage"):
    asked = make.question(f"q{number}", LEAD.format(number), "Mayor Ann Ames", others=["Bob Bell"], person="Ann Ames")
    return make.problem(
        f"q{number}", asked, f"{passage} {number}. " + " ".join(f"{name} came." for name in NAMES), NAMES, 0
    )


@pytest.fixture
def run(tmp_path):
    placed = [
        SplitAssignment(id=f"q{n}", date=day(n), level="relaxed" if n == 7 else "strict", split=split)
        for n, split in enumerate(SPLITS)
    ]
    outputs = {
        "split": stage_runs.stored(tmp_path / "split", SplitAssignment, placed),
        "problems": stage_runs.stored(tmp_path / "problems", Problem, [made(n) for n in range(len(SPLITS))]),
    }
    (tmp_path / "toy").mkdir()
    return Run(tmp_path / "toy", STAGES, outputs)


@pytest.fixture
def read(run):
    """Make a sheet: how many of its problems each person answers right, and then wrong."""

    def reading(persons, **options):
        drawn = DrawOptions(**options)
        folder = open_or_draw(run.folder, drawn.name, lambda: draw_sheet(run, drawn))
        for person, (right, wrong) in persons.items():
            for place, problem in enumerate(folder.problems[: right + wrong]):
                folder.log.append(person, ANSWERED, problem.id, 0 if place < right else 1)
        folder.log.append(next(iter(persons)), FAULTS_MARKED, folder.problems[0].id, ["given-away"])
        return folder

    return reading


@pytest.fixture
def chapter(pages_of_toy):
    """Make the datasheet's chapter on people's results."""

    def made(results):
        return pages_of_toy.datasheet(people=results).partition("## Human performance\n")[2].partition("\n## ")[0]

    return made


def changed(run, folder):
    """The run whose first problem has another passage."""
    problems = [made(0, "Another passage"), *(made(n) for n in range(1, len(SPLITS)))]
    return Run(run.folder, STAGES, {**run.outputs, "problems": stage_runs.stored(folder, Problem, problems)})


def row(table):
    (found,) = [row for row in table.systems if row.group == people.HUMAN]
    return found


def test_a_sheet_of_test_is_a_row_with_the_test_accuracy_beside_the_papers(run, read):
    read({"ida": (3, 1), "jon": (4, 0)}, problems=4, source="test")
    human = row(people.joined(bench_tables.typical(), people.read_people(run)))
    assert (human.validation, human.paper) == (None, 0.84)
    assert (human.test.accuracy, human.test.problems, human.test.chance) == (0.875, 4, 0.25)
    assert human.test.interval.low < 0.875 < human.test.interval.high
    (line,) = (
        line
        for line in text(people.joined(bench_tables.typical(), people.read_people(run))).splitlines()
        if "people" in line
    )
    assert line.split()[:3] == ["people", "-", ".875"]
    assert line.split()[-1] == ".840"


def test_a_sheet_of_all_splits_has_a_line_but_no_test_accuracy(run, read):
    read({"ida": (6, 2), "jon": (6, 2)}, problems=8)
    results = people.read_people(run)
    human = row(people.joined(bench_tables.typical(), results))
    assert (human.validation, human.test) == (None, None)
    (line,) = map(people.line, results)
    assert "2 persons, 8 problems (all splits), passage: .750 (95% " in line
    assert "kappa 1.000; not in the table of conditions, with fewer than 30 problems: after (7)" in line


def test_a_person_who_has_not_finished_is_told_apart(run, read):
    read({"ida": (4, 0), "jon": (1, 0)}, problems=4, source="test")
    (line,) = map(people.line, people.read_people(run))
    assert "2 persons (1 finished), 4 problems (test)" in line


def test_a_sheet_that_nobody_has_finished_is_left_out(run, read):
    read({"ida": (2, 1)}, problems=4, source="test")
    assert people.read_people(run) == ()


def test_a_sheet_whose_problems_have_changed_is_stale_and_has_no_row(run, read, chapter, tmp_path):
    read({"ida": (4, 0)}, problems=4, source="test")
    results = people.read_people(changed(run, tmp_path / "now"))
    assert people.joined(bench_tables.typical(), results) == bench_tables.typical()
    (line,) = map(people.line, results)
    assert "stale, because 1 of its 4 problems" in line
    assert "stale" in chapter(results)
    assert "given-away" not in chapter(results)


def test_the_figures_are_those_of_all_answers_so_far(run, read):
    folder = read({"ida": (4, 0)}, problems=4, source="test")
    before = people.read_people(run)[0].accuracy.accuracy
    folder.log.append("ida", ANSWERED, folder.problems[0].id, None)
    assert (before, people.read_people(run)[0].accuracy.accuracy) == (1.0, 0.75)


def test_looking_for_scores_leaves_a_sheet_that_nobody_opened_as_it_is(run):
    drawn = DrawOptions(problems=2)
    folder = open_or_draw(run.folder, drawn.name, lambda: draw_sheet(run, drawn))
    assert people.read_people(run) == ()
    assert sorted(path.name for path in folder.path.iterdir()) == ["problems.jsonl", "sheet.json"]


def test_a_table_of_several_runs_has_no_row_because_a_sheet_is_of_one(run, read):
    read({"ida": (4, 0)}, problems=4, source="test")
    pooled = bench_tables.table(bench_tables.system("ngram", "probe"), runs=("toy", "other"))
    assert people.joined(pooled, people.read_people(run)) == pooled


def test_a_population_of_few_problems_is_not_in_the_table_of_conditions(run, read):
    read({"ida": (8, 0)}, problems=8)
    table = bench_tables.conditions(bench_tables.measurement("first", "passage", "after", (0.3, 0.2, 0.4)))
    results = people.joined(msgspec.structs.replace(bench_tables.table(), conditions=table), people.read_people(run))
    assert {measured.system for measured in results.conditions.measurements} == {"first"}


def test_the_strict_problems_of_a_sheet_stand_for_the_dataset_in_the_table_of_conditions(run, read, monkeypatch):
    monkeypatch.setattr(people, "FEWEST_PROBLEMS", 7)
    folder = read({"ida": (8, 0)}, problems=8, condition="without")
    table = bench_tables.conditions(bench_tables.measurement("first", "passage", "after", (0.3, 0.2, 0.4)))
    table = msgspec.structs.replace(table, conditions=("passage", "without"))
    results = people.joined(msgspec.structs.replace(bench_tables.table(), conditions=table), people.read_people(run))
    human = results.conditions.measurements[-1]
    assert (human.system, human.group, human.condition, human.population) == ("people", "human", "without", "after")
    assert human.accuracy.problems == 7 == sum(problem.level == "strict" for problem in folder.problems)
    assert [part for part in conditions_text(results.conditions).splitlines() if "people" in part]
    assert results.systems == ()


def test_the_sheet_with_the_most_problems_is_the_row(run, read):
    read({"ida": (2, 0)}, problems=2, source="test")
    read({"jon": (1, 3)}, problems=4, source="test")
    human = row(people.joined(bench_tables.typical(), people.read_people(run)))
    assert (human.test.accuracy, human.test.problems) == (0.25, 4)


def test_the_report_draws_people_but_compares_only_systems_in_pairs(run, read):
    read({"ida": (4, 0)}, problems=4, source="test")
    table = people.joined(bench_tables.typical(), people.read_people(run))
    assert [row[0].text for row in paired_tests(table).rows] == [
        "1 ngram",
        "2 question-only",
        "3 as-reader",
        "4 oracle",
    ]
    assert people.HUMAN in str(accuracies(table))


def test_the_datasheet_lists_sheets_readers_faults_and_disagreements(run, read, chapter):
    read({"ida": (3, 1), "jon": (4, 0)}, problems=4, source="test")
    text = chapter(people.read_people(run))
    assert "- human, sheet 4-seed-0-passage-test: 2 persons, 4 problems (test), passage: .875" in text
    assert "| 4-seed-0-passage-test | 1 | given-away 1 | 2 |" in text
