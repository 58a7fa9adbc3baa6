"""Without validation and test sets, bench says so, and cross-fitting works."""

import pytest

from support import toy_pipeline
from wdw_build.errors import UsageError
from wdw_build.selection.settings import SplitConfig


def test_bench_says_that_there_is_nothing_to_measure_on_and_cross_fitting_needs_no_held_out_problems(bench, tmp_path):
    all_training = toy_pipeline.run_of(tmp_path / "all", split=SplitConfig(max_share=0.01))
    with pytest.raises(UsageError, match="no validation or test set") as caught:
        bench("first", runs=[all_training])
    assert "--cross-fit" in caught.value.hint
    assert bench("first", runs=[all_training], evaluation="cross-fitted", folds=2).conditions is not None
