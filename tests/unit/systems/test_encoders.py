"""The readers on an encoder learn, and are deterministic."""

import numpy as np
import pytest
import torch

from support.reading import labelled, reading_problem
from support.tiny_encoder import make_tiny_encoder
from wdw_bench.systems import encoders
from wdw_bench.systems.encoders import load_model
from wdw_bench.systems.encoders.inputs import SpanInputs, WordPieces
from wdw_bench.systems.encoders.system import SpanReader, rate_factor, row_inputs
from wdw_build.errors import ConfigError
from wdw_build.reading import TrainingContext

FIRST, LAST = "ann bo cy dee ed fay gus hal".split(), "fox lee ray moss park stone hill wood".split()
VERBS = "won lost ran sang flew swam".split()
WORDS = [*FIRST, *LAST, *VERBS]
LEARNING = {"max_tokens": 48, "freeze_layers": 0, "epochs": 40, "patience": 10, "rate": 3e-3, "batch": 4}
CHOICE, QUESTION = encoders.CHOICE_ENCODER, encoders.QUESTION_ONLY_ENCODER


def planted(number):
    """A problem whose passage says of three persons what each of them did, and whose question asks for one of them."""
    names = [f"{FIRST[(number + at) % 8]} {LAST[(number * 3 + at) % 8]}" for at in range(3)]
    deeds = [VERBS[(number + number // 8 + at) % 6] for at in range(3)]
    passage = " ".join(f"{name.title()} {deed}." for name, deed in zip(names, deeds, strict=True))
    answer = number % 3
    problem = reading_problem(f"XXX {deeds[answer]} .", passage, [name.title() for name in names], id=f"p{number}")
    return labelled(problem, answer)


PROBLEMS = [planted(number) for number in range(12)]


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("encoder"), WORDS)


def fitted(entry, encoder, problems=PROBLEMS[:4], validation=None, seed=0, **changes):
    system = entry.make(entry.settings(**LEARNING | changes))
    system.fit(problems, problems if validation is None else validation, TrainingContext(seed=seed, encoder=encoder))
    return system


def predictions(system, problems=PROBLEMS[:4]):
    return list(system.choose(item.problem for item in problems))


def test_the_choice_reader_learns_twelve_problems_by_heart(encoder):
    given = predictions(fitted(CHOICE, encoder, PROBLEMS), PROBLEMS)
    assert [prediction.first_choice for prediction in given] == [item.answer for item in PROBLEMS]


def test_the_choice_reader_sees_the_passage_and_the_question_only_reader_does_not(encoder):
    names = ["Ann Fox", "Bo Lee", "Cy Stone"]
    problems = [labelled(reading_problem("XXX won .", passage, names), 0) for passage in ("Bo won.", "Cy lost.")]
    both = [fitted(entry, encoder, epochs=1) for entry in (CHOICE, QUESTION)]
    (one, other), (same, again) = (predictions(system, problems) for system in both)
    assert one.scores != pytest.approx(other.scores, abs=1e-6)
    assert same.scores == pytest.approx(again.scores, abs=1e-6)
    assert same.spans is None


@pytest.mark.parametrize("entry", [CHOICE, QUESTION], ids=lambda entry: entry.name)
def test_the_same_seed_gives_the_same_probabilities_and_another_seed_others(entry, encoder):
    first, again, other = (predictions(fitted(entry, encoder, seed=seed, epochs=2)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    for one in first:
        assert (len(one.scores), sum(one.scores)) == (3, pytest.approx(1))
        assert all(0 <= score <= 1 for score in one.scores)


def test_frozen_layers_are_not_trained_and_not_counted(encoder):
    counts = [fitted(CHOICE, encoder, epochs=1, freeze_layers=frozen).parameters for frozen in (0, 1, 2)]
    # A head has 32 weights and a bias; a layer of 32 units with 64 inner ones has 8,576 weights (by hand: 4 (32 + 1) 32 for
    # attention, (32 + 1) 64 + (64 + 1) 32 for the inner part, 2 x 64 for two normalisations).
    assert counts == [33 + 2 * 8544, 33 + 8544, 33]


def test_the_settings_for_deberta_train_it(tmp_path):
    names = {"kind": "DebertaV2Model", "family": "DebertaV2"}
    shape = {"position_buckets": 16, "norm_rel_ebd": "layer_norm", "position_biased_input": False, "type_vocab_size": 0}
    attention = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}
    folder = make_tiny_encoder(tmp_path / "deberta", WORDS, positions=512, **names, **shape, **attention)
    system = fitted(CHOICE, folder, epochs=1, freeze_layers=0, max_tokens=512)
    assert system.parameters > 2 * 8544
    assert len(predictions(system)) == 4


def test_more_frozen_layers_than_the_encoder_has_are_refused(encoder):
    with pytest.raises(ConfigError, match="freeze_layers is 3, and the encoder has 2 layers"):
        fitted(CHOICE, encoder, freeze_layers=3)


def test_the_rate_rises_then_falls():
    steps = [rate_factor(step / 10, (step + 1) / 10, 0.2) for step in range(10)]
    assert steps == pytest.approx([1 / 2, 1, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    assert rate_factor(0.0, 0.1, 0.0) == 1.0
    assert rate_factor(0.9, 1.0, 1.0) == 1.0


def test_the_probability_of_spans_is_that_of_an_independent_computation(encoder):
    passage = "Ann Fox won. Bo Lee lost. Then Fox ran. Lee sang."
    problem = reading_problem("XXX won .", passage, [("Ann Fox", "Fox"), ("Bo Lee", "Lee")])
    encoded = SpanInputs(WordPieces(encoder), 16, stride=5, max_windows=9).encode(problem)
    reader = SpanReader(load_model("AutoModelForQuestionAnswering", encoder)[0], max_answer=2).eval()
    with torch.inference_mode():
        head = reader.model.qa_outputs
        torch.nn.init.normal_(head.weight)
        vectors = reader.model.base_model(**row_inputs(encoded.rows, reader.model)).last_hidden_state
        raw = head(vectors).numpy().astype(float)
        (answer,) = reader.answers([encoded])
    assert len(encoded.rows) > 1
    places = [(row, at) for row, window in enumerate(encoded.rows) for at in range(window.first, window.last)]
    powers = {place: np.exp(raw[place]) for place in places}
    shares = {place: power / sum(powers.values()) for place, power in powers.items()}
    starts, ends = ({place: share[side] for place, share in shares.items()} for side in (0, 1))
    spans = [starts[span.row, span.start] * ends[span.row, span.end] for span in encoded.mentions if span.choice == 0]
    assert len(spans) >= 2
    assert answer.scores[0] == pytest.approx(max(spans), rel=1e-4)
    # Spans have one or two pieces.
    pairs = [(row, at, last) for row, at in places for last in (at, at + 1) if (row, last) in ends]
    row, at, last = max(pairs, key=lambda span: starts[span[0], span[1]] * ends[span[0], span[2]])
    characters, first = encoded.rows[row].characters, encoded.rows[row].first
    assert answer.spans == ((characters[at - first][0], characters[last - first][1]),)


def test_training_stops_when_the_validation_result_no_longer_rises(encoder, monkeypatch):
    steps, step = [], torch.optim.AdamW.step
    monkeypatch.setattr(torch.optim.AdamW, "step", lambda optimiser: steps.append(optimiser) or step(optimiser))
    # With this rate the reader's result never rises above that of an early epoch, of one batch.
    fitted(CHOICE, encoder, epochs=12, patience=2, rate=1e-9)
    assert 0 < len(steps) < 12


def test_without_validation_problems_the_last_epoch_is_kept(encoder):
    given = predictions(fitted(CHOICE, encoder, validation=[]))
    assert [prediction.first_choice for prediction in given] == [0, 1, 2, 0]


def test_the_weights_of_the_package_load_and_answer():
    system = fitted(CHOICE, None, [planted(1)], [], epochs=1, freeze_layers=6, max_tokens=32)
    (prediction,) = predictions(system, [planted(1)])
    assert len(prediction.scores) == 3
    assert system.parameters == 384 + 1
