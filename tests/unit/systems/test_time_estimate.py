"""What a training says of the time that is left."""

import pytest

from wdw_bench.systems.torch_training import TimeEstimate
from wdw_build.core.progress import Progress


@pytest.mark.parametrize(("total", "left"), [(1000, "40 minutes"), (10000, "6.7 hours")])
def test_the_time_left_is_said_once_when_it_can_be_estimated(capsys, total, left):
    times = iter([0.0, 6.0, 24.0, 48.0])
    estimate = TimeEstimate("reader", total, Progress("lines"), lambda: next(times))
    for _ in range(3):
        estimate.advance(5)
    assert capsys.readouterr().err.splitlines() == [
        f"reader: about {left} left if it trains all epochs; it may stop earlier"
    ]
