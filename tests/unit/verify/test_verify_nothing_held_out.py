"""A dataset without validation and test sets: only where the configuration cannot hold two problems out."""

import pytest

from support.consistent_run import problem
from wdw_build.core.config.settings import SplitConfig

BY_EVENT = SplitConfig(max_share=0.5, by_event=True)
ONE_PER_GROUP = SplitConfig(max_share=0.5, one_per_group=True)


def all_training(outputs):
    for assignment in outputs["split"][0]:
        assignment["split"] = "train"


def one_passage():
    """Problems 4 to 7, which would be held out, with one passage."""
    problems = {number: problem(number) for number in range(4, 8)}
    for made in problems.values():
        made["passage"]["article"] = "p4"
    return problems


@pytest.mark.parametrize("split", [SplitConfig(max_share=0.2), SplitConfig(max_share=0.01)])
def test_all_problems_are_training_if_fewer_than_two_can_be_held_out(failing, split):
    assert "split-sizes" not in failing(stages=all_training, split=split)


def test_split_sizes_find_that_problems_could_have_been_held_out(failing):
    assert "split-sizes" in failing(stages=all_training, split=SplitConfig(max_share=0.5))


@pytest.mark.parametrize("split", [BY_EVENT, ONE_PER_GROUP])
def test_problems_of_one_event_or_group_cannot_be_held_out(failing, split):
    assert "split-sizes" not in failing(stages=all_training, split=split, problems=one_passage())
    assert "split-sizes" in failing(stages=all_training, problems=one_passage())


def test_a_third_is_left_for_training(failing):
    # Six of the ten problems may be held out, but four are.
    assert "split-sizes" in failing(split=SplitConfig(max_share=0.99))
