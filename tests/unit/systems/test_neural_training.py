"""Training of the neural readers: what they learn, and that runs agree."""

import weakref

import msgspec
import pytest
import torch

from support.reader_problems import verb_problems
from wdw_bench.systems.neural import (
    AttentionSumConfig,
    AttentiveConfig,
    GatedAttentionConfig,
    StanfordConfig,
)
from wdw_bench.systems.neural.reader import NeuralReader
from wdw_bench.systems.torch_training import Training
from wdw_build.errors import CorpusError
from wdw_build.reading import ReadingProblem, TrainingContext
from wdw_build.registry import system_entry

PROBLEMS = verb_problems(50)
TINY = {"hidden": 8, "vector_size": 16, "dropout": 0.0, "batch": 10, "optimiser": "adam"}
READERS = {
    "attentive": AttentiveConfig(**TINY, rate=0.03),
    "stanford": StanfordConfig(**TINY, rate=0.05),
    "attention sum": AttentionSumConfig(**TINY, rate=0.01),
    "gated attention": GatedAttentionConfig(**TINY, rate=0.01, hops=2, character_hidden=4, train_vectors=True),
}
every_reader = pytest.mark.parametrize("name", READERS)


def fitted(name, training=PROBLEMS[:20], validation=PROBLEMS[20:30], seed=0, **changes):
    system = NeuralReader(name, msgspec.structs.replace(READERS[name], **changes))
    system.fit(training, validation, TrainingContext(seed=seed))
    return system


def predictions(system, problems=PROBLEMS[:10]):
    return list(system.choose(labelled.problem for labelled in problems))


@pytest.mark.parametrize(
    ("name", "changes", "epochs"),
    [
        ("attentive", {"rate": 0.06}, 25),
        ("attentive", {"rate": 0.06, "names": "raw"}, 20),
        ("stanford", {}, 30),
        ("attention sum", {"rate": 0.02}, 14),
        ("attention sum", {"rate": 0.02, "names": "anonymised"}, 14),
        ("gated attention", {}, 6),
    ],
)
def test_a_reader_learns_twenty_problems_by_heart_with_either_kind_of_names(name, changes, epochs):
    problems = PROBLEMS[:20]
    system = fitted(name, problems, problems, epochs=epochs, patience=epochs, batch=5, **changes)
    pairs = zip(predictions(system, problems), problems, strict=True)
    # A fit follows the processor's last digits, so a few may be missed.
    assert sum(prediction.first_choice == labelled.answer for prediction, labelled in pairs) >= 18


def test_a_reader_solves_new_problems_of_the_kind_that_it_was_trained_on():
    system = fitted("gated attention", PROBLEMS[:30], PROBLEMS[30:35], epochs=6, patience=6, batch=5)
    test = PROBLEMS[35:]
    pairs = zip(predictions(system, test), test, strict=True)
    assert sum(prediction.first_choice == labelled.answer for prediction, labelled in pairs) >= 12


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


def vectors_file(folder, words):
    path = folder / "vectors.txt"
    path.write_text("".join(f"{word} {number % 3} {number % 5} {number % 7} 1\n" for number, word in enumerate(words)))
    return path


FIXED = {"vector_size": 0, "train_vectors": False, "fold_case": True}


def fixed_reader(folder, words, **changes):
    settings = msgspec.structs.replace(READERS["attention sum"], **FIXED, epochs=1, **changes)
    workspace = TrainingContext(vectors=vectors_file(folder, words))
    system = NeuralReader("fixed", settings)
    system.fit(PROBLEMS[:20], PROBLEMS[20:30], workspace)
    return system, workspace


def renamed(labelled, old, new):
    """The problem with one word replaced by another of the same length."""
    problem = labelled.problem
    words = tuple(new if word == old else word for word in problem.question_tokens)
    return msgspec.structs.replace(problem, question_tokens=words, passage=problem.passage.replace(old, new))


def test_a_word_unseen_in_training_has_its_fixed_vector(tmp_path):
    words = ["met", "fox", "lee", "sue"]
    system, _ = fixed_reader(tmp_path, [*words, "gel"])
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
def test_the_weights_of_the_epoch_with_the_most_and_then_the_most_probable_right_answers_are_kept(
    monkeypatch, results, best
):
    ends = [predictions(fitted("attention sum", validation=[], epochs=1 + number)) for number in range(len(results))]
    left = list(results)
    monkeypatch.setattr(Training, "evaluate", lambda *_: left.pop(0))
    kept = predictions(fitted("attention sum", epochs=len(results)))
    assert [end == kept for end in ends] == [number == best for number in range(1, 1 + len(results))]


def test_the_rate_is_halved_from_the_given_epoch_on(monkeypatch):
    rates, step = [], torch.optim.Adam.step
    monkeypatch.setattr(
        torch.optim.Adam, "step", lambda optimiser: rates.append(optimiser.param_groups[0]["lr"]) or step(optimiser)
    )
    fitted("attention sum", PROBLEMS[:10], [], epochs=4, halve_from=3)
    assert rates == [0.01, 0.01, 0.005, 0.0025]


def test_problems_whose_answer_is_not_mentioned_are_not_trained_on():
    def without_mentions(labelled):
        choices = tuple(msgspec.structs.replace(choice, mentions=()) for choice in labelled.problem.choices)
        return msgspec.structs.replace(labelled, problem=msgspec.structs.replace(labelled.problem, choices=choices))

    lost = [without_mentions(labelled) for labelled in PROBLEMS[:20]]
    mixed = fitted("attention sum", PROBLEMS[20:40] + lost, epochs=1)
    assert all(len(prediction.scores) == 3 for prediction in predictions(mixed, lost))
    with pytest.raises(CorpusError, match="no training problem"):
        fitted("attention sum", lost)


class WatchedProblem(ReadingProblem, frozen=True, kw_only=True, weakref=True):
    """A problem whose end can be noticed."""


class CountedProblems:
    """A stream of problems that knows how many of them were alive at once."""

    def __init__(self, problems):
        self._problems, self._alive, self.most = problems, 0, 0

    def __len__(self):
        return len(self._problems)

    def __iter__(self):
        for labelled in self._problems:
            problem = WatchedProblem(**msgspec.structs.asdict(labelled.problem))
            self._alive += 1
            self.most = max(self.most, self._alive)
            weakref.finalize(problem, self._gone)
            yield msgspec.structs.replace(labelled, problem=problem)
            del problem

    def _gone(self):
        self._alive -= 1


def test_training_keeps_no_texts():
    training, validation = CountedProblems(PROBLEMS), CountedProblems(PROBLEMS)
    fitted("gated attention", training, validation, epochs=1)
    assert max(training.most, validation.most) <= 2


def test_choosing_reads_some_batches_ahead():
    system = fitted("attention sum", epochs=1, batch=2)
    read = []
    chosen = system.choose(read.append(labelled) or labelled.problem for labelled in PROBLEMS)
    next(chosen)
    assert len(read) <= 16


@pytest.mark.parametrize("name", ["attentive-reader", "stanford-reader", "as-reader", "ga-reader"])
def test_every_reader_is_registered_with_what_decides_its_predictions(name):
    entry = system_entry(name)
    settings = entry.settings()
    assert entry.name == name
    assert isinstance(entry.make(settings), NeuralReader)
    backends = entry.backends(settings, TrainingContext())
    assert ("word vectors" in backends) == (settings.vector_size == 0)
