"""The systems on models from disk score as computed by hand on tiny models, and say before they run what is missing."""

import msgspec
import pytest

from support.reading import reading_problem
from support.tiny_encoder import make_tiny_encoder
from support.tiny_language_model import make_tiny_language_model
from wdw_bench.systems.pretrained import (
    CLOSED_BOOK,
    OPEN_BOOK,
    QA_MODEL,
    ClosedBookConfig,
    OpenBookConfig,
    QaModelConfig,
)
from wdw_bench.systems.pretrained.qa_model import QaModelAdversary
from wdw_build.errors import MissingResourceError
from wdw_build.reading import TrainingContext

PROBLEM = reading_problem(
    "Then XXX won the race .",
    "Ann Fox ran. Bo Lee slept while Fox won. Nobody saw Lee.",
    [("Ann Fox", "Fox"), ("Bo Lee", "Lee")],
)
WORDS = "ann fox ran bo lee slept while won nobody saw then the race who which person".split()


@pytest.fixture(scope="module")
def language_model(tmp_path_factory):
    return make_tiny_language_model(tmp_path_factory.mktemp("language-model"))


@pytest.fixture(scope="module")
def qa_model(tmp_path_factory):
    return make_tiny_encoder(tmp_path_factory.mktemp("qa"), WORDS, kind="BertForQuestionAnswering")


def scores(entry, settings, problem=PROBLEM):
    (prediction,) = entry.make(settings).choose([problem])
    return prediction.scores


def closed_book(folder, problem=PROBLEM, **settings):
    return scores(CLOSED_BOOK, ClosedBookConfig(model=str(folder), **settings), problem)


def log_probability(folder, context, text):
    """The sum of log P(byte | start, all bytes before it) over the bytes of the text."""
    import torch
    from tokenizers import Tokenizer
    from transformers import GPT2LMHeadModel

    model, tokenizer = (
        GPT2LMHeadModel.from_pretrained(folder).eval(),
        Tokenizer.from_file(str(folder / "tokenizer.json")),
    )
    before, ids = [0, *tokenizer.encode(context).ids], tokenizer.encode(text).ids
    with torch.inference_mode():
        logs = model(torch.tensor([before + ids])).logits[0].double().log_softmax(dim=1)
    return sum(float(logs[len(before) - 1 + at, token]) for at, token in enumerate(ids))


def test_the_score_is_the_log_probability_of_the_filled_sentence(language_model):
    sentences = ["Then Ann Fox won the race .", "Then Bo Lee won the race ."]
    expected = [log_probability(language_model, "News: ", sentence) for sentence in sentences]
    assert closed_book(language_model, prompt="News: ") == pytest.approx(expected, rel=1e-5)
    per_token = [total / len(sentence) for total, sentence in zip(expected, sentences, strict=True)]
    assert closed_book(language_model, prompt="News: ", normalisation="token") == pytest.approx(per_token, rel=1e-5)


def test_contrast_subtracts_the_log_probability_of_the_name_after_the_neutral_prompt(language_model):
    plain = closed_book(language_model)
    names = [log_probability(language_model, "It is", name) for name in (" Ann Fox", " Bo Lee")]
    expected = [score - name for score, name in zip(plain, names, strict=True)]
    assert closed_book(language_model, contrast=True, neutral="It is") == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("batch", [1, 2])
def test_the_scores_do_not_depend_on_the_batch(language_model, batch):
    assert closed_book(language_model, batch=batch) == pytest.approx(closed_book(language_model), rel=1e-5)


def test_the_passage_is_never_read(language_model):
    other = reading_problem(PROBLEM.question, "Ann Fox and Bo Lee met.", ["Ann Fox", "Bo Lee"])
    assert closed_book(language_model, other) == closed_book(language_model)


def test_the_end_of_a_question_that_is_too_long_is_not_scored(language_model):
    # 127 bytes fit after the start token.
    long = reading_problem("XXX " + "then " * 40, "Ann Fox met Bo Lee.", ["Ann Fox", "Bo Lee"])
    expected = [log_probability(language_model, "", f"{name} {'then ' * 40}"[:127]) for name in ("Ann Fox", "Bo Lee")]
    assert closed_book(language_model, long) == pytest.approx(expected, rel=1e-4)


def qa_scores(folder, question, settings):
    """P(start) P(end) of the best mention by a plain forward pass; the passage fits into one window."""
    import torch
    from tokenizers import Tokenizer
    from transformers import BertForQuestionAnswering

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    encoding = tokenizer.encode(question, PROBLEM.passage)
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
    assert scores(QA_MODEL, settings) == pytest.approx(expected, rel=1e-4)


def test_windows_cover_a_passage_that_is_longer_than_the_model(qa_model):
    long = reading_problem("XXX won .", "Nobody slept. " * 30 + "Ann Fox ran. Bo Lee saw.", ["Ann Fox", "Bo Lee"])
    settings = QaModelConfig(model=str(qa_model), max_tokens=32, stride=8)
    (prediction,) = QA_MODEL.make(settings).choose([long])
    assert min(prediction.scores) > 0
    assert prediction.spans[0] in long.passage


def backends(entry, settings):
    return entry.backends(settings, TrainingContext())


@pytest.mark.parametrize("entry", [CLOSED_BOOK, OPEN_BOOK, QA_MODEL], ids=lambda entry: entry.name)
def test_a_system_without_a_model_says_which_setting_is_missing(entry):
    assert not entry.configured(entry.settings())
    with pytest.raises(MissingResourceError) as caught:
        backends(entry, entry.settings())
    assert f"bench.settings.{entry.name}.model" in caught.value.hint


@pytest.mark.parametrize("entry", [CLOSED_BOOK, OPEN_BOOK, QA_MODEL], ids=lambda entry: entry.name)
def test_a_folder_without_weights_is_refused_before_anything_runs(entry, tmp_path):
    with pytest.raises(MissingResourceError, match=r"config\.json, tokenizer\.json, model\.safetensors"):
        backends(entry, msgspec.structs.replace(entry.settings(), model=str(tmp_path)))


def test_other_weights_give_other_backends(language_model, tmp_path):
    other = make_tiny_language_model(tmp_path, positions=64)
    first, second = (backends(CLOSED_BOOK, ClosedBookConfig(model=str(folder))) for folder in (language_model, other))
    assert first["model"] != second["model"]
    assert {name: first[name] for name in first if name != "model"} == {
        name: second[name] for name in second if name != "model"
    }


def test_a_model_without_a_trained_head_is_refused(tmp_path):
    folder = make_tiny_encoder(tmp_path, WORDS)
    with pytest.raises(MissingResourceError, match="qa_outputs"):
        scores(QA_MODEL, QaModelConfig(model=str(folder), max_tokens=64))


def test_a_free_question_gets_the_most_probable_span_in_whole_tokens(qa_model):
    adversary = QaModelAdversary(QaModelConfig(model=str(qa_model), max_tokens=32, stride=4))
    answer = adversary.answer(PROBLEM.passage, "who won ?")
    assert answer.spans[0] in PROBLEM.passage
    assert 0 < answer.score <= 1
    assert adversary.answer("", "who won ?") == ((), 0.0)


def open_book(folder, problem=PROBLEM, **settings):
    return scores(OPEN_BOOK, OpenBookConfig(model=str(folder), **settings), problem)


def test_an_open_book_scores_the_names_or_their_letters_after_passage_and_question(tmp_path):
    folder = make_tiny_language_model(tmp_path, positions=256)
    prompt = f"{PROBLEM.passage}\n\nThen XXX won the race .\n\n"
    names = [log_probability(folder, f"{prompt}The name of XXX:", name) for name in (" Ann Fox", " Bo Lee")]
    assert open_book(folder) == pytest.approx(names, rel=1e-4)
    assert open_book(folder, batch=2) == pytest.approx(names, rel=1e-4)
    mean = [total / len(name) for total, name in zip(names, (" Ann Fox", " Bo Lee"), strict=True)]
    assert open_book(folder, normalisation="token") == pytest.approx(mean, rel=1e-4)
    listed = f"{prompt}A. Ann Fox\nB. Bo Lee\nThe letter of XXX:"
    letters = [log_probability(folder, listed, letter) for letter in (" A", " B")]
    assert open_book(folder, method="letters") == pytest.approx(letters, rel=1e-4)


def test_an_open_book_reads_the_beginning_of_a_passage_that_is_too_long(language_model):
    # 127 bytes fit after the start token; the question and the longer name take their part, the passage has the rest.
    tail = "\n\nThen XXX won the race .\n\nThe name of XXX:"
    room = 127 - len(" Ann Fox") - len(tail)
    long = reading_problem(PROBLEM.question, "Ann Fox met Bo Lee. " * 20, ["Ann Fox", "Bo Lee"])
    context = long.passage[:room] + tail
    expected = [log_probability(language_model, context, name) for name in (" Ann Fox", " Bo Lee")]
    assert open_book(language_model, long) == pytest.approx(expected, rel=1e-4)
    question_alone = reading_problem("word " * 60 + "XXX won .", "Ann Fox met Bo Lee.", ["Ann Fox", "Bo Lee"])
    assert len(set(open_book(language_model, question_alone))) == 2
