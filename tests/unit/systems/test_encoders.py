"""The readers on an encoder learn, and are deterministic."""

import msgspec
import pytest

from support.reading import labelled, reading_problem
from support.tiny_encoder import make_tiny_encoder
from wdw_bench.systems import encoders
from wdw_bench.systems.encoders import ChoiceConfig, QuestionConfig
from wdw_build.core.progress import Progress
from wdw_build.errors import ConfigError
from wdw_build.reading import TrainingContext

FIRST, LAST = "ann bo cy dee ed fay gus hal".split(), "fox lee ray moss park stone hill wood".split()
VERBS = "won lost ran sang flew swam".split()
LEARNING = {"max_tokens": 48, "freeze_layers": 0, "epochs": 40, "patience": 10, "rate": 3e-3, "batch": 4}
ENTRIES = {
    "choice": (encoders.CHOICE_ENCODER, ChoiceConfig(**LEARNING)),
    "question": (encoders.QUESTION_ONLY_ENCODER, QuestionConfig(**LEARNING)),
}


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
    return make_tiny_encoder(tmp_path_factory.mktemp("encoder"), [*FIRST, *LAST, *VERBS])


def fitted(kind, workspace, problems=PROBLEMS[:4], **changes):
    entry, settings = ENTRIES[kind]
    system = entry.make(msgspec.structs.replace(settings, **changes))
    system.fit(problems, problems, workspace)
    return system


def predictions(system, problems=PROBLEMS[:4]):
    return list(system.choose(item.problem for item in problems))


def test_the_choice_reader_learns_twelve_problems_by_heart(encoder):
    problems = PROBLEMS[:12]
    given = predictions(fitted("choice", TrainingContext(encoder=encoder), problems), problems)
    assert [prediction.first_choice for prediction in given] == [item.answer for item in problems]


def of_passages(system, question, *passages):
    """The predictions for one question with the choices of the first problem, about several passages."""
    names = [choice.name for choice in PROBLEMS[0].problem.choices]
    return predictions(system, [labelled(reading_problem(question, passage, names), 0) for passage in passages])


def test_the_choice_reader_sees_the_passage_and_the_question_only_reader_does_not(encoder):
    both = [fitted(kind, TrainingContext(encoder=encoder), epochs=1) for kind in ("choice", "question")]
    (one, other), (same, again) = (of_passages(system, "XXX won .", "Bo won.", "Cy lost.") for system in both)
    assert one.scores != pytest.approx(other.scores, abs=1e-6)
    assert same.scores == pytest.approx(again.scores, abs=1e-6)
    assert same.spans is None


@pytest.mark.parametrize("kind", ENTRIES)
def test_the_same_seed_gives_the_same_probabilities_and_another_seed_others(kind, encoder):
    first, again, other = (
        predictions(fitted(kind, TrainingContext(seed=seed, encoder=encoder), epochs=2)) for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other
    assert all(len(one.scores) == 3 and all(0 <= score <= 1 for score in one.scores) for one in first)
    assert all(sum(one.scores) == pytest.approx(1) for one in first)


def test_frozen_layers_are_not_trained_and_not_counted(encoder):
    counts = [
        fitted("choice", TrainingContext(encoder=encoder), epochs=1, freeze_layers=frozen).parameters
        for frozen in (0, 1, 2)
    ]
    # A head has 32 weights and a bias; a layer of 32 units with 64 inner ones has 8,576 weights (by hand: 4 (32 + 1) 32 for
    # attention, (32 + 1) 64 + (64 + 1) 32 for the inner part, 2 x 64 for two normalisations).
    assert counts == [33 + 2 * 8544, 33 + 8544, 33]


def test_the_settings_for_deberta_train_it(tmp_path):
    shape = {"position_buckets": 16, "norm_rel_ebd": "layer_norm", "position_biased_input": False, "type_vocab_size": 0}
    attention = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"]}
    words = [*FIRST, *LAST, *VERBS]
    folder = make_tiny_encoder(
        tmp_path / "deberta", words, positions=512, kind="DebertaV2Model", family="DebertaV2", **shape, **attention
    )
    system = fitted("choice", TrainingContext(encoder=folder), epochs=1, freeze_layers=0, max_tokens=512)
    assert system.parameters > 2 * 8544
    assert len(predictions(system)) == 4


def test_more_frozen_layers_than_the_encoder_has_are_refused(encoder):
    with pytest.raises(ConfigError, match="freeze_layers is 3, and the encoder has 2 layers"):
        fitted("choice", TrainingContext(encoder=encoder), freeze_layers=3)


def test_the_rate_rises_then_falls():
    from wdw_bench.systems.encoders.system import rate_factor

    steps = [rate_factor(step / 10, (step + 1) / 10, 0.2) for step in range(10)]
    assert steps == pytest.approx([1 / 2, 1, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    assert rate_factor(0.0, 0.1, 0.0) == 1.0
    assert rate_factor(0.9, 1.0, 1.0) == 1.0


def test_the_probability_of_spans_is_that_of_an_independent_computation(encoder):
    import numpy as np
    import torch

    from wdw_bench.systems.encoders import load_model
    from wdw_bench.systems.encoders.inputs import SpanInputs, WordPieces
    from wdw_bench.systems.encoders.system import SpanReader, row_inputs

    problem = reading_problem(
        "XXX won .", "Ann Fox won. Bo Lee lost. Then Fox ran. Lee sang.", [("Ann Fox", "Fox"), ("Bo Lee", "Lee")]
    )
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
    powers = np.exp(raw)
    starts, ends = (
        {place: powers[place][side] / sum(powers[other][side] for other in places) for place in places}
        for side in (0, 1)
    )
    spans = [starts[span.row, span.start] * ends[span.row, span.end] for span in encoded.mentions if span.choice == 0]
    assert len(spans) >= 2
    assert answer.scores[0] == pytest.approx(max(spans), rel=1e-4)
    # Spans have one or two pieces.
    best = max(
        (
            (starts[row, at] * ends[row, at + more], row, at, more)
            for row, at in places
            for more in (0, 1)
            if (row, at + more) in ends
        )
    )
    characters, first = encoded.rows[best[1]].characters, encoded.rows[best[1]].first
    assert answer.spans == ((characters[best[2] - first][0], characters[best[2] + best[3] - first][1]),)


def test_training_stops_when_the_validation_result_no_longer_rises(encoder):
    class Counter(Progress):
        trained = 0

        def bar(self, label, total, unit, done=0):
            bar = super().bar(label, total, unit, done)
            if "-encoder" in label:
                bar.advance = self._advance
            return bar

        def _advance(self, count=1):
            self.trained += count

    counter = Counter()
    # With this rate the reader's result never rises above that of an early epoch.
    fitted("choice", TrainingContext(encoder=encoder, progress=counter), epochs=12, patience=2, rate=1e-9)
    assert counter.trained < 12 * 4


def test_without_validation_problems_the_last_epoch_is_kept(encoder):
    entry, settings = ENTRIES["choice"]
    system = entry.make(settings)
    system.fit(PROBLEMS[:4], [], TrainingContext(encoder=encoder))
    assert [prediction.first_choice for prediction in predictions(system)] == [0, 1, 2, 0]


def test_the_weights_of_the_package_load_and_answer():
    entry = encoders.CHOICE_ENCODER
    problem = planted(1)
    system = entry.make(ChoiceConfig(epochs=1, freeze_layers=6, max_tokens=32))
    system.fit([problem], [], TrainingContext())
    (prediction,) = predictions(system, [problem])
    assert len(prediction.scores) == 3
    assert system.parameters == 384 + 1
