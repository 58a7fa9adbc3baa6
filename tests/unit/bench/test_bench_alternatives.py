"""``bench`` with ``train: alternatives``: what systems train on, what stays comparable, and where it is refused."""

import pytest

from support import toy_pipeline
from support.systems import Counting
from wdw_bench import rendering
from wdw_bench.predictions import read_predictions
from wdw_bench.problems import FOLDER
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.progress import Progress
from wdw_build.errors import UsageError
from wdw_build.views.dataset import TEST, VALIDATION, training_alternatives

NAME = "counting [train=alternatives]"


def of_run(*runs):
    return training_alternatives(runs, PunktSplitter().sentences, Progress("quiet"))


def test_systems_train_on_the_training_alternatives_and_answer_the_same_problems(bench, run):
    relaxed, results = bench("counting", train="relaxed"), bench("counting", train="alternatives")
    (alternatives,) = of_run(run)
    assert [training for _, training, _ in Counting.fits] == [relaxed.problems["train.relaxed"], len(alternatives)]
    assert results.problems == relaxed.problems | {"train.alternatives": len(alternatives)}
    assert results.left_out_alternatives == alternatives.left_out
    assert [row.name for row in results.systems if row.system == "counting"] == [NAME, "counting [train=relaxed]"]
    for split in (VALIDATION, TEST):
        assert len({getattr(row, split).problems for row in results.systems}) == 1


def test_the_lines_before_the_table_say_what_each_test_leaves_out(bench, run):
    (alternatives,) = of_run(run)
    for conditions in (("passage",), ("without",), ("passage", "without")):
        text = rendering.rendered(bench("counting", train="alternatives", conditions=conditions))
        assert text.splitlines()[1].startswith(f"{len(alternatives):,} training alternatives; left out: ")
    assert "training alternatives" not in rendering.rendered(bench("counting"))


def test_a_second_call_trains_nothing_and_the_predictions_know_what_they_were_made_from(bench, run):
    first = bench("first", "counting", train="alternatives")
    assert bench("first", "counting", train="alternatives") == first
    assert len(Counting.fits) == 1
    bench("first", "counting", train="relaxed")
    (folder,) = (run.folder / FOLDER).iterdir()
    known = {file.head.name: file.head.made_from for file in read_predictions(folder / "predictions")}
    assert known[NAME] != known["counting [train=relaxed]"]
    assert sorted(known) == sorted([NAME, "counting [train=relaxed]", "first"])


def test_a_share_of_the_alternatives_is_part_of_a_larger_one(bench, run):
    for share in (0.4, 1):
        bench("counting", train="alternatives", train_share=share)
    (alternatives,) = of_run(run)
    sizes = [training for _, training, _ in Counting.fits]
    assert 0 < sizes[0] < sizes[1] == len(alternatives)


def test_pooled_runs_share_their_held_out_problems(bench, run, tmp_path):
    ((alone,), (other,)) = of_run(run), of_run(toy_pipeline.run_of(tmp_path / "other"))
    assert [len(one) for one in of_run(run, run)] == [len(alone), len(alone)]
    assert len(other) == len(alone)


def test_the_condition_without_the_passage_shows_the_alternatives_so(bench, run):
    bench("counting", train="alternatives", conditions=("without",))
    (folder,) = (run.folder / FOLDER).iterdir()
    (file,) = folder.glob("alternatives-without-*.jsonl")
    assert b" ; " in file.read_bytes()


def test_conditions_with_codes_and_cross_fitting_are_refused_before_anything_is_trained(bench):
    with pytest.raises(UsageError, match="alternatives have no codes"):
        bench("counting", train="alternatives", conditions=("passage", "codes"))
    with pytest.raises(UsageError, match="--cross-fit answers others") as caught:
        bench("counting", train="alternatives", folds=3)
    assert caught.value.hint.startswith("omit --cross-fit")
    assert Counting.fits == []
