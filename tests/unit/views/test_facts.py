"""facts: one count of a run, checked by hand; the file that keeps the facts."""

from collections import Counter

import msgspec
import pytest

from support import make, stage_runs, toy_pipeline
from support.fakes import FakeAdversaries
from support.make import day
from support.toy_pipeline import ListReader, events, ports, run_of
from wdw_build.records import Problem, SuppressionCost
from wdw_build.selection.settings import AdversaryConfig, adversary_round
from wdw_build.similarity.leaks import overlaps
from wdw_build.stages import suppress
from wdw_build.views.dataset import SPLITS, facts, open_run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A whole run in which suppression rejects some articles."""
    settings = suppress.STAGE.config(bounds="pooled", strict=0.3, relaxed=0.4, min_kept=1)
    return run_of(tmp_path_factory.mktemp("store"), ports(reader=ListReader(events(), "facts")), suppress=settings)


@pytest.fixture(scope="module")
def counted(run):
    return facts(run)


# ---- counts ----------------------------------------------------------------------------------------------------------


def test_the_funnel_and_the_losses_are_those_of_the_outputs(run, counted):
    assert counted.funnel["articles"] == len(run.articles)
    strict = sum(decision.strict for decision in run.decisions)
    assert counted.funnel["after_suppression"] == {"strict": strict, "relaxed": len(run.decisions)}
    reasons = {name: output.manifest.reasons for name, output in run.outputs.items()}
    assert counted.rejections == {name: counts for name, counts in reasons.items() if counts}
    refused = Counter(one.rule for record in run.retrievals for one in record.candidates if one.rule)
    refused.update(one.rule for rejection in run.retrievals.rejections() for one in rejection.candidates if one.rule)
    assert counted.refused["retrieve"] == refused
    names = {name for by in (counted.rejections, counted.refused) for names in by.values() for name in names}
    assert set(counted.meanings) == names
    assert all(counted.meanings.values())


def test_the_rows_of_the_splits_and_every_distribution_count_each_problem_once(run, counted):
    for name in SPLITS:
        problems = [joined.problem for joined in run.problems(name)]
        row = counted.table3[name]
        assert row.problems == len(problems) == counted.funnel["splits"][name]
        assert row.average_choices == round(sum(len(problem.choices) for problem in problems) / len(problems), 3)
        assert (row.first_day, row.last_day) == (min(p.date for p in problems), max(p.date for p in problems))
        tokens = sorted(problem.passage.tokens for problem in problems)
        assert row.average_passage_tokens == round(sum(tokens) / len(tokens), 1)
        assert row.median_passage_tokens == tokens[(len(tokens) - 1) // 2]
        for bound, share in ((row.low_passage_tokens, 0.05), (row.high_passage_tokens, 0.95)):
            assert sum(one < bound for one in tokens) / len(tokens) < share
            assert sum(one <= bound for one in tokens) / len(tokens) >= share
        assert (row.min_passage_tokens, row.max_passage_tokens) == (tokens[0], tokens[-1])
        for values in counted.distributions.values():
            assert sum(by_split.get(name, 0) for by_split in values.values()) == len(problems)
        lengths = Counter(str(len(problem.choices)) for problem in problems)
        assert {value: by.get(name, 0) for value, by in counted.distributions["choices"].items()} == lengths


def test_accuracies_before_suppression_are_of_first_alternatives_and_after_it_of_selected_ones(run, counted):
    joined = list(run.joined_problems())
    for name, row in counted.table2.baselines.items():
        first = [one.first_predictions for one in joined]
        assert row.before == round(sum(each.guesses[name] == each.answer for each in first) / len(first), 4)
        strict = [name in one.solved_by for one in joined if one.suppression and one.suppression.strict]
        assert row.after.strict == round(sum(strict) / len(strict), 4)
    chance = sum(1 / one.first_predictions.choices for one in joined) / len(joined)
    assert counted.table2.chance.before == round(chance, 4)


def test_provenance_has_every_stage_backend_and_exported_file(run, counted):
    assert list(counted.outputs) == list(run.outputs)
    for name, made_of in counted.outputs.items():
        manifest = run.outputs[name].manifest
        assert (made_of.sha256, made_of.read) == (manifest.content_hash, made_of.written + made_of.rejected)
    assert set(counted.backends) == {port for o in run.outputs.values() for port in o.manifest.ingredients.backends}
    folder = run.exported.output.folder
    assert all((folder / name).stat().st_size == file.bytes for name, file in counted.files.items())
    assert counted.files


# ---- adversaries -----------------------------------------------------------------------------------------------------

LAST = AdversaryConfig(systems=("last",), min_problems=1, folds=3, rounds=1)


def test_an_adversary_has_its_accuracy_and_chance_before_suppression(tmp_path):
    toy_pipeline.begun(tmp_path, ports(adversaries=FakeAdversaries("last")), adversary=LAST).run()
    run = open_run(tmp_path / "runs/toy")
    table = facts(run).table2
    assert list(table.baselines) == ["first-person", "most-frequent", "ngram", "unigram"]
    row, first = table.adversaries["last"], [one.of(0) for one in run.predictions]
    solved = sum(one.answer == one.choices - 1 for one in first) / len(first)
    chance = sum(1 / one.choices for one in first) / len(first)
    found = (row.problems, row.accuracy.before, row.chance.before)
    assert found == (len(first), round(solved, 4), round(chance, 4))


def test_the_rounds_of_an_adversary_are_adversaries():
    names = ("first-person", "shallow", "shallow-2", "shallow-x", "other-2")
    assert [adversary_round(name, ("shallow",)) for name in names] == [0, 1, 2, 0, 0]


# ---- what suppression cost --------------------------------------------------------------------------------------------


def test_what_suppression_costs_is_what_it_stored(run, counted):
    stored = (run.decisions.output.folder / "costs.json").read_bytes()
    assert counted.suppression.costs == msgspec.json.decode(stored, type=tuple[SuppressionCost, ...])
    assert counted.suppression.problems == run.decisions.manifest.read


# ---- overlap ---------------------------------------------------------------------------------------------------------


def problem(name, number, choices, passage=""):
    """A problem whose answer is the first choice; its question names another person."""
    return make.met(name, choices, date=day(number), article_id=passage)


def kinds(problems, split_of):
    found = overlaps(lambda: iter(problems), split_of, lambda text: text.split(". "), 3)
    return {(each.kind, each.split, each.other): (each.problems, each.example) for each in found}


def test_shared_passages_and_connected_problems_are_counted_by_split_with_an_example():
    problems = [
        problem("a", 0, ["Al Ames", "Bo Beck"], "p"),
        problem("b", 1, ["Cy Cole", "Di Dorn"], "p"),
        problem("c", 2, ["Ed East", "Fy Foss"]),
    ]
    assert kinds(problems, {"a": "train.relaxed", "b": "test", "c": "test"}) == {
        ("passage", "train.relaxed", "test"): (1, ("a", "b")),
        ("passage", "test", "train.relaxed"): (1, ("b", "a")),
        ("connected", "train.relaxed", "test"): (1, ("a", "b")),
        ("connected", "test", "train.relaxed"): (1, ("b", "a")),
    }


def test_a_passage_that_is_the_article_of_another_question_reveals_its_answer():
    problems = [problem("a", 0, ["Al Ames", "Bo Beck"]), problem("b", 30, ["Cy Cole", "Di Dorn"], "a")]
    found = kinds(problems, {"a": "test", "b": "train.relaxed"})
    assert found["question-in-passage", "test", "train.relaxed"] == (1, ("a", "b"))
    assert ("question-in-passage", "train.relaxed", "test") not in found


# ---- the file --------------------------------------------------------------------------------------------------------


def test_facts_are_read_from_their_file_unless_it_is_torn_or_of_other_outputs(run, counted, tmp_path):
    path = run.folder / "summary.json"
    assert msgspec.json.decode(path.read_bytes(), type=type(counted)) == counted
    path.write_text('{"torn')
    assert facts(run) == counted
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(counted, fingerprint="other", run="other")))
    assert facts(run) == counted


def test_a_dataset_without_problems_has_facts(run, tmp_path):
    empty = {"problems": stage_runs.stored(tmp_path / "problems", Problem, [])}
    counted = facts(type(run)(tmp_path, {**run.outputs, **empty}))
    assert counted.most_common_answer == ("", 0.0)
    assert all(row.problems == 0 and row.first_day is None for row in counted.table3.values())
