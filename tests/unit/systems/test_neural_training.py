"""Training of the neural readers: what they learn, and that runs agree."""

import weakref

import msgspec
import pytest
import torch

from support.reader_problems import verb_problems
from wdw_bench.systems.neural import AttentionSumConfig, AttentiveConfig, GatedAttentionConfig, StanfordConfig
from wdw_bench.systems.neural.reader import NeuralReader
from wdw_bench.systems.torch_training import Training
from wdw_build.errors import CorpusError
from wdw_build.pipeline.registry import system_entry
from wdw_build.reading import ReadingProblem, TrainingContext

PROBLEMS = verb_problems(50)
TINY = {"hidden": 8, "vector_size": 16, "dropout": 0.0, "batch": 10, "optimiser": "adam"}
READERS = {
    "attentive": AttentiveConfig(**TINY, rate=0.03),
    "stanford": StanfordConfig(**TINY, rate=0.05),
    "attention sum": AttentionSumConfig(**TINY, rate=0.01),
    "gated attention": GatedAttentionConfig(**TINY, rate=0.01, hops=2, character_hidden=4, train_vectors=True),
}
every_reader = pytest.mark.parametrize("name", READERS)


def fitted(name, training=PROBLEMS[:20], validation=PROBLEMS[20:30], seed=0, vectors=None, **changes):
    system = NeuralReader(name, msgspec.structs.replace(READERS[name], **changes))
    system.fit(training, validation, TrainingContext(seed=seed, vectors=vectors))
    return system


def predictions(system, problems=PROBLEMS[:10]):
    return list(system.choose(labelled.problem for labelled in problems))


def right(system, problems):
    pairs = zip(predictions(system, problems), problems, strict=True)
    return sum(prediction.first_choice == labelled.answer for prediction, labelled in pairs)


LEARNERS = [
    ("attentive", {"rate": 0.06}, 25),
    ("attentive", {"rate": 0.06, "names": "raw"}, 20),
    ("stanford", {}, 30),
    ("attention sum", {"rate": 0.02}, 14),
    ("attention sum", {"rate": 0.02, "names": "anonymised"}, 14),
    ("gated attention", {}, 6),
]


@pytest.mark.parametrize(("name", "changes", "epochs"), LEARNERS)
def test_a_reader_learns_twenty_problems_by_heart_with_either_kind_of_names(name, changes, epochs):
    problems = PROBLEMS[:20]
    system = fitted(name, problems, problems, epochs=epochs, patience=epochs, batch=5, **changes)
    # A fit follows the processor's last digits, so a few may be missed.
    assert right(system, problems) >= 18


def test_a_reader_solves_new_problems_of_the_kind_that_it_was_trained_on():
    system = fitted("gated attention", PROBLEMS[:30], PROBLEMS[30:35], epochs=6, patience=6, batch=5)
    assert right(system, PROBLEMS[35:]) >= 12


@every_reader
def test_a_problem_alone_has_the_probabilities_that_it_has_among_others(name):
    system = fitted(name, epochs=1)
    for together, problem in zip(predictions(system), PROBLEMS, strict=False):
        (alone,) = predictions(system, [problem])
        assert alone.scores == pytest.approx(together.scores, abs=1e-5)
        assert (len(alone.scores), sum(alone.scores)) == (3, pytest.approx(1))


@every_reader
def test_the_same_seed_gives_the_same_predictions_and_another_seed_others(name):
    first, again, other = (predictions(fitted(name, seed=seed, epochs=1, dropout=0.3)) for seed in (7, 7, 8))
    assert first == again
    assert first != other


def renamed(labelled, old, new):
    """The problem with one word replaced by another of the same length."""
    problem = labelled.problem
    words = tuple(new if word == old else word for word in problem.question_tokens)
    return msgspec.structs.replace(problem, question_tokens=words, passage=problem.passage.replace(old, new))


def test_a_word_unseen_in_training_has_its_fixed_vector(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("met 0 0 0 1\nfox 1 1 1 1\nlee 2 2 2 1\nsue 0 3 3 1\ngel 1 4 4 1\n")
    fixed = {"vector_size": 0, "train_vectors": False, "fold_case": True}
    system = fitted("attention sum", vectors=path, epochs=1, **fixed)
    asked = next(labelled for labelled in PROBLEMS if "met" in labelled.problem.passage_tokens)
    unknown, known = renamed(asked, "met", "zzz"), renamed(asked, "met", "gel")
    scores = [prediction.scores for prediction in system.choose([unknown, known])]
    assert scores[0] != scores[1]
    assert [prediction.scores for prediction in system.choose([known])] == [pytest.approx(scores[1], abs=1e-6)]


# The accuracy after each epoch, and how probable the answers are.
@pytest.mark.parametrize(
    ("results", "patience"),
    [
        ([(0.5, 0.0), (0.7, 0.0), (0.6, 0.0), (0.7, 0.0)], 2),
        ([(0.5, -0.9), (0.4, -0.8), (0.4, -0.7), (0.4, -0.8)], 1),
    ],
)
def test_training_stops_when_answers_become_neither_right_nor_more_probable(monkeypatch, results, patience):
    left = [*results, (0.9, 0.0)]
    monkeypatch.setattr(Training, "evaluate", lambda *_: left.pop(0))
    fitted("attention sum", epochs=9, patience=patience)
    assert left == [(0.9, 0.0)]


@pytest.mark.parametrize(
    ("results", "best"), [([(0.5, 0.0), (0.4, 0.0)], 1), ([(0.5, -0.9), (0.5, -0.8), (0.5, -0.9)], 2)]
)
def test_the_epoch_with_the_most_and_then_the_most_probable_right_answers_is_kept(monkeypatch, results, best):
    ends = [predictions(fitted("attention sum", validation=[], epochs=1 + number)) for number in range(len(results))]
    left = list(results)
    monkeypatch.setattr(Training, "evaluate", lambda *_: left.pop(0))
    kept = predictions(fitted("attention sum", epochs=len(results)))
    assert [end == kept for end in ends] == [number == best for number in range(1, 1 + len(results))]


def test_the_rate_is_halved_from_the_given_epoch_on(monkeypatch):
    adam, step, rates = torch.optim.Adam, torch.optim.Adam.step, []
    monkeypatch.setattr(adam, "step", lambda one: rates.append(one.param_groups[0]["lr"]) or step(one))
    fitted("attention sum", PROBLEMS[:10], [], epochs=4, halve_from=3)
    assert rates == [0.01, 0.01, 0.005, 0.0025]


def test_problems_whose_answer_is_not_mentioned_are_not_trained_on():
    lost = []
    for labelled in PROBLEMS[:20]:
        choices = tuple(msgspec.structs.replace(choice, mentions=()) for choice in labelled.problem.choices)
        problem = msgspec.structs.replace(labelled.problem, choices=choices)
        lost.append(msgspec.structs.replace(labelled, problem=problem))
    mixed = fitted("attention sum", PROBLEMS[20:40] + lost, epochs=1)
    assert all(len(prediction.scores) == 3 for prediction in predictions(mixed, lost))
    with pytest.raises(CorpusError, match="no training problem"):
        fitted("attention sum", lost)


class WatchedProblem(ReadingProblem, frozen=True, kw_only=True, weakref=True):
    """A problem whose end can be noticed."""


class CountedProblems:
    """A stream of problems that knows how many of them were alive at once."""

    def __init__(self, problems):
        self._problems, self._alive, self.most = problems, weakref.WeakSet(), 0

    def __len__(self):
        return len(self._problems)

    def __iter__(self):
        for labelled in self._problems:
            problem = WatchedProblem(**msgspec.structs.asdict(labelled.problem))
            self._alive.add(problem)
            self.most = max(self.most, len(self._alive))
            yield msgspec.structs.replace(labelled, problem=problem)
            del problem


def test_training_keeps_no_texts():
    training, validation = CountedProblems(PROBLEMS), CountedProblems(PROBLEMS)
    fitted("gated attention", training, validation, epochs=1)
    assert max(training.most, validation.most) <= 2


def test_choosing_reads_some_batches_ahead():
    system, read = fitted("attention sum", epochs=1, batch=2), []
    next(system.choose(read.append(labelled) or labelled.problem for labelled in PROBLEMS))
    assert len(read) <= 16


@pytest.mark.parametrize("name", ["attentive-reader", "stanford-reader", "as-reader", "ga-reader"])
def test_every_reader_is_registered_with_what_decides_its_predictions(name):
    entry = system_entry(name)
    settings = entry.settings()
    assert entry.name == name
    assert isinstance(entry.make(settings), NeuralReader)
    assert ("word vectors" in entry.backends(settings, TrainingContext())) == (settings.vector_size == 0)
