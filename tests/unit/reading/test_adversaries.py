"""The backend of the port ``adversaries``: its identity, cross-fitted scores, and answers from files."""

import json

import pytest

from support.reading import short_problems
from wdw_build.core.progress import Progress
from wdw_build.core.section import Section
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.reading import Prediction, SystemEntry, TrainingContext
from wdw_build.reading.adversaries import SystemAdversaries

PROBLEMS = short_problems(4)


class First:
    parameters = 0

    def fit(self, training, validation, workspace):
        self.seed = workspace.seed

    def choose(self, problems):
        return (Prediction((1.0, 0.0)) for _ in problems)


def missing(settings, workspace):
    raise MissingResourceError("no weights", hint="get some")


def adversaries(folder, given=None, **entry):
    described = {"name": "first", "title": "First", "source": "", "group": "probe", "make": lambda settings: First()}
    systems = {"first": (SystemEntry(**described | entry), Section())}
    return SystemAdversaries(systems, given or {}, folder, TrainingContext(), pick_device=lambda: "cpu")


def scores(backend, name):
    return backend.scores(name, PROBLEMS, "content", {one.id: None for one in PROBLEMS}, 0, Progress("quiet"))


def answers(path, *choices):
    path.write_text("".join(json.dumps({"id": f"p{at}", "choice": name}) + "\n" for at, name in enumerate(choices)))
    return path


def test_a_system_scores_every_problem(tmp_path):
    assert scores(adversaries(tmp_path), "first") == {one.id: (1.0, 0.0) for one in PROBLEMS}


def test_a_file_gives_its_choice_the_highest_score(tmp_path):
    path = answers(tmp_path / "a.jsonl", "Bo Lee", "Ann Fox", "Bo Lee", "Bo Lee")
    found = scores(adversaries(tmp_path, {"model": path}), "model")
    assert [found[one.id] for one in PROBLEMS] == [(0.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.0, 1.0)]


def test_a_file_that_lacks_a_problem_is_refused_with_the_problem(tmp_path):
    path = answers(tmp_path / "a.jsonl", "Bo Lee", "Ann Fox")
    with pytest.raises(UsageError, match="2 of 4 problems have no answer, such as 'p2'"):
        scores(adversaries(tmp_path, {"model": path}), "model")


def test_a_missing_file_and_missing_weights_are_told_by_the_identity(tmp_path):
    with pytest.raises(MissingResourceError, match=r"bench.predictions.model: there is no file"):
        _ = adversaries(tmp_path, {"model": tmp_path / "none"}).identity
    with pytest.raises(MissingResourceError, match="no weights"):
        _ = adversaries(tmp_path, backends=missing).identity


def test_the_identity_changes_with_the_version_and_with_the_answers(tmp_path):
    path = answers(tmp_path / "a.jsonl", "Bo Lee")
    before = adversaries(tmp_path, {"model": path}).identity
    assert adversaries(tmp_path, {"model": path}).identity == before
    assert adversaries(tmp_path, {"model": path}, version=2).identity != before
    answers(path, "Ann Fox")
    assert adversaries(tmp_path, {"model": path}).identity != before
