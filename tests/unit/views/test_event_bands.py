"""Event scores in bands: every score in one band, shares of all, from the threshold up."""

from collections import Counter

from wdw_build.views import summary_tables
from wdw_build.views.summary import event_bands


def test_bands_begin_at_the_threshold_and_contain_their_lower_end():
    before = Counter({0.2: 1, 0.3499: 2, 0.35: 1, 0.7: 2, 0.75: 1, 1.0: 1})
    bands = event_bands(before, Counter({0.75: 3, 0.5: 1}), 0.2)
    assert [(band.least, band.below, band.before, band.after) for band in bands] == [
        (0.2, 0.35, 3, 0),
        (0.35, 0.5, 1, 0),
        (0.5, 0.6, 0, 1),
        (0.6, 0.75, 2, 0),
        (0.75, None, 2, 3),
    ]
    assert [band.before_share for band in bands] == [0.375, 0.125, 0.0, 0.25, 0.25]
    assert [band.after_share for band in bands] == [0.0, 0.0, 0.25, 0.0, 0.75]


def test_a_higher_threshold_has_fewer_bands_and_none_has_all():
    assert [band.least for band in event_bands(Counter({0.9: 1}), Counter(), 0.55)] == [0.55, 0.6, 0.75]
    assert [band.least for band in event_bands(Counter({0.9: 1}), Counter(), 0.0)][:2] == [0.0, 0.2]


def test_without_scores_there_are_no_bands():
    assert event_bands(Counter(), Counter(), 0.5) == ()


def test_rows_begin_with_the_highest_band():
    rows = summary_tables.event_bands(event_bands(Counter({0.8: 3, 0.65: 1}), Counter({0.8: 1}), 0.6)).rows
    assert rows == [
        ("0.75 and over", "3", "75.0%", "1", "100.0%"),
        ("0.6 to 0.75", "1", "25.0%", "0", "0.0%"),
    ]
