"""Cross-fitting: nobody answers what it was trained on, finished folds are kept, and defects name the system."""

from dataclasses import dataclass, field, replace

import pytest

from support.reading import short_problems
from wdw_build.core.section import Section
from wdw_build.errors import StageError
from wdw_build.reading import Prediction, SystemEntry, TrainingContext
from wdw_build.reading.fitting import CrossFit

PROBLEMS = short_problems(8)
FOLDS = {f"p{number}": number % 3 if number < 6 else None for number in range(8)}


@dataclass
class Memory:
    """Scores 1 for each time that it saw the problem in training, or as validation."""

    trained: set = field(default_factory=set)
    validated: set = field(default_factory=set)
    parameters = 0

    def fit(self, training, validation, workspace):
        self.trained = {one.id for one in training}
        self.validated = {one.id for one in validation}

    def choose(self, problems):
        for one in problems:
            yield Prediction((float(one.id in self.trained), float(one.id in self.validated)))


class Counting:
    """An entry's ``make`` that counts the systems it makes, and can break one."""

    def __init__(self, broken=-1):
        self.made = []
        self.broken = broken

    def __call__(self, settings):
        if len(self.made) == self.broken:
            raise ValueError("out of order")
        self.made.append(Memory())
        return self.made[-1]


def cross_fit(folder, make, **entry):
    entry = {"trained": True, "name": "memory", "title": "Memory", "source": "here", "group": "probe", **entry}
    return CrossFit(SystemEntry(make=make, **entry), Section(), folder, TrainingContext())


EVERY = [("p2 p5", "p1 p4"), ("p0 p3", "p2 p5"), ("p1 p4", "p0 p3"), ("p1 p2 p4 p5", "p0 p3")]
SOME = [("p2", "p1"), ("p0", "p2"), ("p1", "p0"), ("p1 p2", "p0")]


@pytest.mark.parametrize(("training", "fits"), [(None, EVERY), (frozenset({"p0", "p1", "p2", "p6"}), SOME)])
def test_no_problem_is_answered_by_a_system_that_saw_it_and_training_is_on_the_given_problems(tmp_path, training, fits):
    make = Counting()
    answers = replace(cross_fit(tmp_path, make), training=training).predictions(PROBLEMS, "c", FOLDS)
    assert sorted(answers) == [one.id for one in PROBLEMS]
    assert {prediction.scores for prediction in answers.values()} == {(0.0, 0.0)}
    assert [tuple(" ".join(sorted(ids)) for ids in (one.trained, one.validated)) for one in make.made] == fits


def test_other_problems_to_train_on_are_another_training_unless_the_system_learns_nothing(tmp_path):
    make = Counting()
    every = cross_fit(tmp_path, make)
    few = replace(every, training=frozenset({"p0", "p1", "p2"}))
    for one in (every, few, every, few, replace(every, training=frozenset(FOLDS))):
        one.predictions(PROBLEMS, "c", FOLDS)
    assert len(make.made) == 3 * 4
    untrained = cross_fit(tmp_path / "untrained", make, trained=False)
    untrained.predictions(PROBLEMS, "c", FOLDS)
    replace(untrained, training=frozenset({"p0"})).predictions(PROBLEMS, "c", FOLDS)
    assert len(make.made) == 3 * 4 + 1


def test_finished_folds_are_not_trained_again_and_give_the_same_answers(tmp_path):
    whole = cross_fit(tmp_path / "a", Counting()).predictions(PROBLEMS, "c", FOLDS)
    with pytest.raises(StageError, match="system memory stopped: ValueError: out of order"):
        cross_fit(tmp_path / "b", Counting(broken=2)).predictions(PROBLEMS, "c", FOLDS)
    second = Counting()
    assert cross_fit(tmp_path / "b", second).predictions(PROBLEMS, "c", FOLDS) == whole
    assert len(second.made) == 2


def test_other_problems_or_folds_are_another_training(tmp_path):
    make = Counting()
    for content, folds in [("c", FOLDS), ("d", FOLDS), ("c", FOLDS | {"p0": 1}), ("c", FOLDS)]:
        cross_fit(tmp_path, make).predictions(PROBLEMS, content, folds)
    assert len(make.made) == 12


def test_a_system_that_learns_nothing_answers_all_problems_at_once(tmp_path):
    make = Counting()
    assert len(cross_fit(tmp_path, make, trained=False).predictions(PROBLEMS, "c", FOLDS)) == 8
    assert len(make.made) == 1
    assert make.made[0].trained == set()


@pytest.mark.parametrize("scores", [(1.0,), (float("nan"), 0.0)])
def test_wrong_scores_are_a_defect_and_are_not_kept(tmp_path, scores):
    class Wrong(Memory):
        def choose(self, problems):
            return (Prediction(scores) for _ in problems)

    with pytest.raises(StageError, match=r"not a finite number for each of the 2 choices of 'p0'"):
        cross_fit(tmp_path, lambda settings: Wrong()).predictions(PROBLEMS, "c", FOLDS)
    assert cross_fit(tmp_path, Counting()).predictions(PROBLEMS, "c", FOLDS)["p0"].scores == (0.0, 0.0)


def test_answers_on_another_device_are_not_taken_for_those_of_this_one(tmp_path):
    make = Counting()
    described = cross_fit(tmp_path, make, trained=False, accelerated=True)
    described.predictions(PROBLEMS, "c", FOLDS)
    replace(described, workspace=replace(described.workspace, device="cuda")).predictions(PROBLEMS, "c", FOLDS)
    assert len(make.made) == 2


def test_a_system_that_learns_nothing_is_told_the_device(tmp_path):
    class OnDevice(Memory):
        def fit(self, training, validation, workspace):
            self.trained = {"p0"} if (workspace.device, *training) == ("cuda",) else set()

    described = cross_fit(tmp_path, lambda settings: OnDevice(), trained=False)
    told = replace(described, workspace=replace(described.workspace, device="cuda"))
    assert told.predictions(PROBLEMS, "content", FOLDS)["p0"].scores == (1.0, 0.0)


def test_several_processes_give_the_answers_of_one(tmp_path):
    alone = cross_fit(tmp_path / "one", Counting()).predictions(PROBLEMS, "c", FOLDS)
    several = replace(cross_fit(tmp_path / "several", Counting()), processes=3).predictions(PROBLEMS, "c", FOLDS)
    assert several == alone
    written = [sorted(path.name for path in (tmp_path / name).rglob("*.jsonl")) for name in ("one", "several")]
    assert written[0] == written[1] == ["0.jsonl", "1.jsonl", "2.jsonl", "others.jsonl"]


def test_the_error_of_a_fold_in_another_process_names_the_system(tmp_path):
    broken = replace(cross_fit(tmp_path, Counting(broken=0)), processes=2)
    with pytest.raises(StageError, match="system memory stopped: ValueError: out of order"):
        broken.predictions(PROBLEMS, "c", FOLDS)


def test_a_system_on_the_device_is_trained_in_this_process(tmp_path):
    make = Counting()
    replace(cross_fit(tmp_path, make, seeded=True), processes=2).predictions(PROBLEMS, "c", FOLDS)
    assert len(make.made) == 4
