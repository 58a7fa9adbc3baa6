"""Tied choices, worked out by hand: accuracy, the share of ties, the draw of paired tests, and the rule of suppression."""

import hashlib
from pathlib import Path

import pytest

from support import make, stage_runs
from support.fakes import BigramModel
from support.labelled import labelled
from wdw_bench.populations import EvaluatedProblems
from wdw_bench.predictions import PredictionFile, PredictionHead
from wdw_bench.results import BASELINE
from wdw_bench.table import baseline_rows, comparisons, system_row
from wdw_build.pipeline.config.file import decode_config
from wdw_build.reading import Prediction
from wdw_build.stages import baselines
from wdw_build.views.dataset import TEST, VALIDATION

NAMES = ("Ann Fox", "Bo Lee", "Cy Day", "Di Eve")


def held_out(answers, seed=0):
    """Test problems q0, q1, … of four choices with these answers; v is the only problem of validation, answered by 0."""
    evaluated = EvaluatedProblems((VALIDATION, TEST), seed=seed)
    evaluated.add(labelled("v", NAMES, 0), frozenset({VALIDATION}))
    for number, answer in enumerate(answers):
        evaluated.add(labelled(f"q{number}", NAMES, answer), frozenset({TEST}))
    return evaluated


def row(name, scores, evaluated):
    """The row of a system with these scores on q0, q1, …."""
    predictions = {f"q{number}": Prediction(tuple(map(float, one))) for number, one in enumerate(scores)}
    head = PredictionHead(name=name, title="", source="", group="today", system=name, condition="passage", problems="")
    answers = {TEST: predictions, VALIDATION: {"v": Prediction((1.0, 0.0, 0.0, 0.0))}}
    return system_row([PredictionFile(head, answers)], evaluated)


def test_the_answer_counts_one_kth_if_k_choices_tie_and_ties_are_counted_as_a_share():
    evaluated = held_out([0, 1, 2, 3, 0])
    scores = [
        (9, 1, 1, 1),  # right: 1. The equal scores are not the highest.
        (5, 5, 0, 0),  # one of two: 1/2
        (7, 7, 7, 0),  # one of three, the last: 1/3
        (2, 2, 0, 1),  # two tie, the answer is not among them: 0
        (0, 0, 0, 0),  # one of four: 1/4
    ]
    test = row("a", scores, evaluated).result.test
    assert test.accuracy == pytest.approx((1 + 1 / 2 + 1 / 3 + 0 + 1 / 4) / 5)
    assert test.tied == pytest.approx(4 / 5)


def drawn(seed, name, choices):
    """The choice that is drawn among all of so many: the first 56 bits of SHA-256, as a fraction of the choices."""
    digest = hashlib.sha256(f"{seed}\x1fbench-tie\x1f{name}".encode()).digest()
    return int.from_bytes(digest[:7], "big") * choices >> 56


@pytest.mark.parametrize("seed", [0, 1])
def test_paired_tests_draw_among_tied_choices_by_a_hash_of_seed_and_id(seed):
    answers = [number % 4 for number in range(40)]
    evaluated = held_out(answers, seed)
    undecided = row("undecided", [(0, 0, 0, 0)] * 40, evaluated)
    wrong = row("wrong", [[choice == (answer + 1) % 4 for choice in range(4)] for answer in answers], evaluated)
    expected = {f"q{number}" for number, answer in enumerate(answers) if drawn(seed, f"q{number}", 4) == answer}
    solved = undecided.seeds[0][TEST].solved
    assert {name for name, is_right in solved.items() if is_right} == expected
    (test,) = comparisons([undecided, wrong])
    assert (test.first_only, test.second_only) == (len(expected), 0)
    assert 0 < len(expected) < 40


@pytest.mark.parametrize("preset", ["paper", "careful"])
def test_under_each_preset_the_four_baselines_choose_the_first_of_tied_choices(tmp_path, preset):
    keys = {"run": "r", "output_dir": "out", "corpus": {"reader": "jsonl", "path": "c"}, "preset": preset}
    section = decode_config(keys, Path(), Path()).baselines
    asked = make.question("q", "Ann Ames told Bob Beck that the old bridge must close .", "Ann Ames")
    # Nobody is named in the text of the model: the scores of ngram, unigram and most-frequent are equal.
    choices = ["Cleo Cole", "Ann Ames", "Dora Dunn"]
    problem = make.problem("q", asked, "Cleo Cole met Ann Ames and Dora Dunn.", choices, 1)
    articles = [make.article("x", "Nobody slept on the boat that night.")]
    inputs = {"dedup": [make.alternatives(problem)], "ingest": articles}
    ran = stage_runs.run_stage(baselines.STAGE, tmp_path, inputs, section=section, language_model=BigramModel())
    found = ran.records["q"]
    tied = {name for name, scores in found.scores.items() if len(set(scores)) == 1}
    assert tied == {"most-frequent", "ngram", "unigram"}
    assert found.guesses == dict.fromkeys(["first-person", "most-frequent", "ngram", "unigram"], 0)


def test_rows_of_suppressed_baselines_show_the_first_choice_as_suppression_counted_it():
    rows = {made.result.name: made.result for made in baseline_rows(held_out([0, 1, 1, 1]), ())}
    # In ``labelled``, ngram chooses 0 and unigram the answer.
    assert (rows["ngram"].test.accuracy, rows["unigram"].test.accuracy) == (0.25, 1.0)
    assert {one.group for one in rows.values()} == {BASELINE}
    assert {one.test.tied for one in rows.values()} == {0.0}
