"""Without validation and test sets, bench says so, and cross-fitting works."""

import pytest

from support.toy_pipeline import begun
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.selection.settings import SplitConfig
from wdw_build.stage_order import STAGES


@pytest.fixture(scope="module")
def all_training(tmp_path_factory):
    built = begun(tmp_path_factory.mktemp("all"), split=SplitConfig(max_share=0.01))
    built.run()
    return Run(built.run_folder, STAGES, built.ready())


def test_bench_says_that_there_is_nothing_to_measure_on(bench, all_training):
    with pytest.raises(UsageError, match="no validation or test set") as caught:
        bench("first", runs=[all_training])
    assert "--cross-fit" in caught.value.hint


def test_cross_fitting_needs_no_held_out_problems(bench, all_training):
    results = bench("first", runs=[all_training], evaluation="cross-fitted", folds=2)
    assert results.conditions is not None
