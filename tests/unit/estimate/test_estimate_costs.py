"""The arithmetic of an estimate: what is divided among workers, what is not, and how counts are extrapolated."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_build.estimate.costs import (
    MODELS,
    BackendLoad,
    Machine,
    StageWork,
    costs,
    in_pool,
    mean_candidates,
    record_seconds,
    share_found,
    total,
)
from wdw_build.estimate.density import density_ratio

LOADS = {MODELS: BackendLoad(seconds=10.0, mb=600)}
MAPPED = StageWork("questions", 10_240, 0.01, 512, (MODELS,))
WHOLE = StageWork("index", 10_240, 0.01, 0, ())


def machine(workers, cores=64):
    return Machine(workers, cores, 2048)


WORKS = st.builds(
    StageWork, st.just("a"), st.integers(0, 10**6), st.floats(0, 1), st.sampled_from([0, 64, 512]), st.just((MODELS,))
)


@given(WORKS, st.integers(1, 32), st.integers(1, 32))
def test_no_worker_makes_a_stage_slower_and_none_does_more_than_its_share(work, workers, cores):
    alone = record_seconds(work, machine(1))
    found = record_seconds(work, machine(workers, cores))
    assert found <= alone * (1 + 1e-9) or workers > cores
    assert found >= alone / workers * (1 - 1e-9)


@given(WORKS, st.integers(1, 32))
def test_more_workers_than_cores_do_not_make_it_faster(work, cores):
    assert record_seconds(work, machine(4 * cores, cores)) >= record_seconds(work, machine(1)) / cores * (1 - 1e-9)


def test_a_set_stage_and_a_stage_of_one_shard_run_in_one_process():
    assert not in_pool(WHOLE, machine(4))
    assert not in_pool(StageWork("questions", 259, 0.01, 512, ()), machine(4))
    assert in_pool(MAPPED, machine(4))
    assert not in_pool(MAPPED, machine(1))
    assert record_seconds(WHOLE, machine(4)) == pytest.approx(102.4)


def test_the_busiest_worker_decides():
    # 10,240 records are 10 shards of 1,024: with four workers one of them has three.
    assert record_seconds(MAPPED, machine(4)) == pytest.approx(3 * 1024 * 0.01)


def test_a_process_loads_its_models_once():
    again = StageWork("choices", 10_240, 0.01, 64, (MODELS,))
    found = costs([MAPPED, again], LOADS, machine(1), 50)
    assert found["questions"].seconds == pytest.approx(112.4)
    assert found["choices"].seconds == pytest.approx(102.4)


def test_models_that_the_main_process_loaded_are_loaded_again_by_the_workers():
    small = StageWork("questions", 259, 0.01, 512, (MODELS,))
    large = StageWork("choices", 193, 0.1, 64, (MODELS,))
    found = costs([small, large], LOADS, machine(2), 50)
    assert found["questions"].seconds == pytest.approx(12.59)
    assert found["choices"].seconds > 10 + 0.1 * 128
    assert found["choices"].mb == 3 * 50 + 3 * 600


def test_the_total_is_the_sum_of_the_stages():
    works = [WHOLE, MAPPED]
    assert total(works, LOADS, machine(2)) == sum(cost.seconds for cost in costs(works, LOADS, machine(2), 0).values())


@given(st.floats(0, 1), st.floats(1, 1000))
def test_more_articles_never_lower_the_share_of_questions_with_a_passage(share, times):
    assert share - 1e-9 <= share_found(share, times) <= 1


def test_the_share_stays_the_same_if_the_whole_corpus_was_searched():
    assert share_found(0.25, 1.0) == pytest.approx(0.25)


@given(st.floats(0, 100), st.floats(1, 1000), st.integers(1, 100))
def test_no_more_candidates_are_looked_at_than_the_configuration_allows(mean, times, most):
    assert mean_candidates(mean, times, most) <= most


DAY = dt.date(2014, 3, 1)


def days(*numbers):
    return [DAY + dt.timedelta(days=number) for number in numbers]


def test_a_corpus_that_was_sampled_whole_is_as_dense_as_the_sample():
    assert density_ratio(days(0, 1, 2), 1, 3, 14) == 1.0


def test_one_run_of_ten_days_stands_for_a_corpus_of_a_hundred():
    # Ten articles a day; within three days of a day in the middle are 70 articles of the run; the whole corpus has no more.
    run = [day for day in days(*range(10)) for _ in range(10)]
    assert density_ratio(run, 1, 1000, 3) == pytest.approx(70 / 58, rel=0.01)


def test_a_run_shorter_than_the_window_has_fewer_neighbours_than_the_corpus():
    assert density_ratio([DAY] * 50, 1, 10_000, 7) == pytest.approx(15)


def test_sources_side_by_side_are_counted_by_the_days_that_they_cover():
    # Two runs, a year apart, of a corpus with many sources a day.
    assert density_ratio([DAY] * 10 + days(*[365] * 10), 2, 366_000, 1) == pytest.approx(1000 * 3 / 10, rel=0.01)


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=40), st.integers(1, 5), st.integers(0, 10**6), st.integers(1, 30)
)
def test_the_corpus_is_never_less_dense_than_the_sample(numbers, runs, articles, window):
    assert density_ratio(days(*numbers), runs, articles, window) >= 1.0
