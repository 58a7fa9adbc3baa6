"""``qa-model`` scores as computed by hand on a tiny model, and says before it runs what is missing."""

import pytest

from support.reading import reading_problem
from support.tiny_encoder import make_tiny_encoder
from wdw_bench.systems.pretrained import QA_MODEL, QaModelConfig
from wdw_bench.systems.pretrained.qa_model import QaModelAdversary
from wdw_build.errors import MissingResourceError
from wdw_build.reading import TrainingContext

PASSAGE = "Ann Fox ran. Bo Lee slept while Fox won. Nobody saw Lee."
PROBLEM = reading_problem("Then XXX won the race .", PASSAGE, [("Ann Fox", "Fox"), ("Bo Lee", "Lee")])
WORDS = "ann fox ran bo lee slept while won nobody saw then the race who which person".split()


@pytest.fixture(scope="module")
def qa_model(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("qa"), WORDS, kind="BertForQuestionAnswering")


def scores(settings, problem=PROBLEM):
    (prediction,) = QA_MODEL.make(settings).choose([problem])
    return prediction.scores


def qa_scores(folder, question, settings):
    """P(start) P(end) of the best mention by a plain forward pass; the passage fits into one window."""
    import torch
    from tokenizers import Tokenizer
    from transformers import BertForQuestionAnswering

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoding = tokenizer.encode(question, PASSAGE)
    model = BertForQuestionAnswering.from_pretrained(folder).eval()
    with torch.inference_mode():
        found = model(torch.tensor([encoding.ids]), token_type_ids=torch.tensor([encoding.type_ids]))
    inside = [at for at, side in enumerate(encoding.sequence_ids) if side == 1]
    start, end = (values[0][inside].double().softmax(dim=0) for values in (found.start_logits, found.end_logits))
    # Word pieces of the passage: ann 0, fox 1, ran 2, . 3, bo 4, lee 5, slept 6, while 7, fox 8, won 9, . 10, nobody, saw, lee 13
    mentions = [[(0, 1), (8, 8)], [(4, 5), (13, 13)]]
    return [max(float(start[first] * end[last]) for first, last in spans) for spans in mentions]


@pytest.mark.parametrize(("blank", "shown"), [("who", "who"), ("which person", "which person"), ("", "[MASK]")])
def test_a_choice_scores_the_probability_of_its_best_mention(qa_model, blank, shown):
    settings = QaModelConfig(model=str(qa_model), max_tokens=64, blank=blank)
    expected = qa_scores(qa_model, f"Then {shown} won the race .", settings)
    assert scores(settings) == pytest.approx(expected, rel=1e-4)


def test_windows_cover_a_passage_that_is_longer_than_the_model(qa_model):
    long = reading_problem("XXX won .", "Nobody slept. " * 30 + "Ann Fox ran. Bo Lee saw.", ["Ann Fox", "Bo Lee"])
    (prediction,) = QA_MODEL.make(QaModelConfig(model=str(qa_model), max_tokens=32, stride=8)).choose([long])
    assert min(prediction.scores) > 0
    assert prediction.spans[0] in long.passage


def test_a_choice_that_is_not_in_the_windows_has_no_probability(qa_model):
    names = ["Ann Fox", "Bo Lee", "Cy Ray"]
    problem = reading_problem("XXX won .", f"Ann Fox ran. {'won ' * 200}Bo Lee ran.", names)
    first, *others = scores(QaModelConfig(model=str(qa_model), max_tokens=32, stride=4, max_windows=2), problem)
    assert first > 0
    assert others == [0.0, 0.0]


def backends(settings):
    return QA_MODEL.backends(settings, TrainingContext())


def test_a_system_without_a_model_says_which_setting_is_missing():
    assert not QA_MODEL.configured(QaModelConfig())
    with pytest.raises(MissingResourceError) as caught:
        backends(QaModelConfig())
    assert "bench.settings.qa-model.model" in caught.value.hint


def test_a_folder_without_weights_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(MissingResourceError, match=r"config\.json, tokenizer\.json, model\.safetensors"):
        backends(QaModelConfig(model=str(tmp_path)))


def test_other_weights_give_other_backends(qa_model, tmp_path):
    other = make_tiny_encoder(tmp_path, WORDS, kind="BertForQuestionAnswering", vocab_size=200)
    first, second = (backends(QaModelConfig(model=str(folder), max_tokens=64)) for folder in (qa_model, other))
    assert first["model"] != second["model"]
    assert first | {"model": ""} == second | {"model": ""}


def test_a_model_without_a_trained_head_is_refused(tmp_path):
    settings = QaModelConfig(model=str(make_tiny_encoder(tmp_path, WORDS)), max_tokens=64)
    with pytest.raises(MissingResourceError, match="qa_outputs"):
        scores(settings)


def test_a_free_question_gets_the_most_probable_span_in_whole_tokens(qa_model):
    adversary = QaModelAdversary(QaModelConfig(model=str(qa_model), max_tokens=32, stride=4))
    answer = adversary.answer(PASSAGE, "who won ?")
    assert answer.spans[0] in PASSAGE
    assert 0 < answer.score <= 1
    assert adversary.answer("", "who won ?") == ((), 0.0)
