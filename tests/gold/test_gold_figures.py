"""The product's quality does not fall: figures on the gold set against those last recorded.

After a change that raises them: ``python scripts/measure_gold.py --record``.
"""

import pytest

from quality.figures import figures, outcomes
from quality.gold import read_gold
from support.recorded_gold import read_recorded
from wdw_build.api import annotator

TOLERANCE = 0.001


@pytest.fixture(scope="module")
def measured():
    return figures(outcomes(read_gold(), annotator()))


def test_every_recorded_figure_is_still_measured():
    assert read_recorded().figures.keys() == figures([]).keys()


@pytest.mark.real
@pytest.mark.parametrize("name", sorted(figures([])))
def test_no_figure_falls_under_the_recorded_one(measured, name):
    recorded = read_recorded().figures[name]
    assert measured[name] >= recorded - TOLERANCE, f"{name}: {measured[name]} is under the recorded {recorded}"
