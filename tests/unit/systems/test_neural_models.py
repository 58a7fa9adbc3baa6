"""The four neural readers: against the papers' equations in NumPy, and the rules that every reader keeps."""

import random

import msgspec
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from support import reference_readers
from support.reader_batches import CHARACTERS, MARKERS, WORDS, batch_of, random_problem
from wdw_bench.systems.neural import AttentionSumConfig, AttentiveConfig, GatedAttentionConfig, StanfordConfig
from wdw_bench.systems.neural.models import make_reader

torch.set_num_threads(1)
SIZES = {"hidden": 4, "dropout": 0.0, "train_vectors": True}
READERS = {
    "attentive": AttentiveConfig(**SIZES),
    "stanford": StanfordConfig(**SIZES),
    "attention_sum": AttentionSumConfig(**SIZES),
    "gated_attention": GatedAttentionConfig(**SIZES, hops=3, character_hidden=3),
    "gated_attention-one-hop": GatedAttentionConfig(**SIZES, hops=1, character_hidden=3),
    "gated_attention-words-only": GatedAttentionConfig(**SIZES, hops=2, character_hidden=0, in_question_feature=False),
}
SHAPES = [(2, 5, 9), (3, 8, 14), (2, 1, 6), (5, 4, 20)]
every_reader = pytest.mark.parametrize("name", READERS)
both_names = pytest.mark.parametrize("markers", [0, MARKERS], ids=["raw", "anonymised"])


def reader(name, markers=0, **changes):
    """A reader with random weights, all of the same size, so that every part of the equations matters."""
    torch.manual_seed(17)
    config = msgspec.structs.replace(READERS[name], **changes)
    model = make_reader(config, torch.randn(WORDS, 6), CHARACTERS, markers)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.6)
    return model.eval()


def problems(markers=0, seed=0):
    return [random_problem(seed + index, markers, *shape) for index, shape in enumerate(SHAPES)]


@both_names
@every_reader
def test_a_reader_computes_the_equations_of_its_paper(name, markers):
    model = reader(name, markers)
    weights = {key: value.numpy().astype(float) for key, value in model.state_dict().items()}
    equations = getattr(reference_readers, name.partition("-")[0])
    with torch.no_grad():
        scores = model(batch_of(problems(markers))).numpy()
    for row, problem in zip(scores, problems(markers), strict=True):
        expected = equations(weights, problem, READERS[name])
        np.testing.assert_allclose(row[: len(expected)], expected, atol=1e-5)
        assert np.ptp(expected) > 0.01, "the choices are told apart, so the comparison means something"


@both_names
@every_reader
def test_padding_does_not_change_the_scores(name, markers):
    model, tight = reader(name, markers), batch_of(problems(markers))
    with torch.no_grad():
        scores, wide = model(tight), model(batch_of(problems(markers), extra=3))
        alone = [model(batch_of([problem]))[0] for problem in problems(markers)]
    torch.testing.assert_close(wide[:, : scores.shape[1]], scores)
    assert wide[:, scores.shape[1] :].isneginf().all()
    for row, single in zip(scores, alone, strict=True):
        torch.testing.assert_close(row[: len(single)], single)


@pytest.mark.parametrize("name", ["attentive", "stanford", "attention_sum", "gated_attention"])
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), markers=st.sampled_from([0, MARKERS]))
def test_permuting_the_choices_permutes_the_scores(name, seed, markers):
    model, problem = reader(name, markers), random_problem(seed, markers, choices=4)
    order = random.Random(seed).sample(range(4), 4)
    fields = ("mentions", "choice_entities", "choice_words")
    permuted = problem | {field: [problem[field][index] for index in order] for field in fields}
    with torch.no_grad():
        torch.testing.assert_close(model(batch_of([permuted]))[0], model(batch_of([problem]))[0, order])


@both_names
@every_reader
def test_the_loss_moves_every_trained_parameter(name, markers):
    model = reader(name, markers).train()
    batch = batch_of(problems(markers) + problems(markers, seed=50))
    torch.nn.functional.nll_loss(model(batch), batch.answer).backward()
    still = [key for key, value in model.named_parameters() if value.grad is None or not value.grad.abs().sum() > 0]
    assert still == []


@every_reader
def test_fixed_vectors_leave_only_blank_unknown_and_markers_to_be_trained(name):
    model = reader(name, MARKERS, train_vectors=False).train()
    batch = batch_of(problems(MARKERS))
    torch.nn.functional.nll_loss(model(batch), batch.answer).backward()
    assert model.words.words.grad is None
    assert model.words.special.grad[1:3].abs().sum(dim=1).all()
    assert (model.words.special.grad[0] == 0).all()


@pytest.mark.parametrize("name", ["attention_sum", "gated_attention"])
def test_a_choice_without_mentions_is_never_chosen_and_its_gradient_is_finite(name):
    problem = random_problem(1)
    problem["mentions"][0] = []
    model = reader(name)
    scores = model(batch_of([problem]))
    assert scores[0].argmax() != 0
    torch.nn.functional.nll_loss(scores, torch.tensor([0])).backward()
    assert all(value.grad.isfinite().all() for value in model.parameters())
