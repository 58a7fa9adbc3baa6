"""All language models: log10 probabilities of sentences, with their start and end symbols."""

import pytest

from support import fakes
from wdw_build.adapters import kenlm_model
from wdw_build.errors import StageError
from wdw_build.text.tokens import lm_tokens

TEXT = """\
The mayor said the bridge would open in May .
The mayor said the harbour would close in June .
A judge said the banker had lied .
The banker met the mayor on Monday .
Ann Ames said the bridge was safe .
Nobody said the bridge was safe .
The harbour was closed on Monday .
In May the bridge will open ."""
CORPUS = [lm_tokens(sentence) for sentence in TEXT.splitlines()]


def text_of(sentences):
    """The text of tokenised sentences, in pieces that end within lines."""
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences if sentence).encode(errors="replace")
    return (text[start : start + 7] for start in range(0, len(text), 7))


def kenlm():
    return kenlm_model.KenLm(3, "64M")


@pytest.fixture(scope="module", params=[fakes.BigramModel, pytest.param(kenlm, marks=pytest.mark.real)])
def make(request):
    """Makes the object of a language model."""
    return request.param


@pytest.fixture(scope="module")
def model(make):
    return make()


@pytest.fixture(scope="module")
def folder(model, tmp_path_factory):
    place = tmp_path_factory.mktemp("model") / "model"
    model.estimate(text_of(CORPUS), place)
    return place


def test_what_is_like_the_corpus_is_likelier(model, folder):
    def is_likelier(words, others):
        return model.score(folder, words) > model.score(folder, others)

    assert is_likelier(CORPUS[0], ["May", "the", ".", "open", "bridge", "in", "said", "would", "mayor", "The"])
    assert is_likelier(["The", "banker"], ["banker", "The"])
    # "said" starts no sentence, "The" starts most of them; both are equally rare at the end.
    assert is_likelier(["The"], ["said"])
    # All sentences end in a full stop; after another word, the end is unlikely.
    assert is_likelier(CORPUS[3], CORPUS[3][:-1])
    assert is_likelier(["The", "mayor", "said"], ["The", "zyx", "said"])
    assert is_likelier(["The", "mayor", "."], ["the", "Mayor", "."])


def test_a_score_is_a_log_probability(model, folder):
    for sentence in [*CORPUS, [], ["never", "seen"], ["the"] * 50]:
        assert model.score(folder, sentence) < 0.0


def test_scores_are_the_same_when_asked_again_and_by_another_model_object(make, model, folder):
    first, again, other = ([one.score(folder, words) for words in CORPUS] for one in (model, model, make()))
    assert first == again == other


def test_two_models_do_not_mix(model, folder, tmp_path):
    before = model.score(folder, CORPUS[0])
    model.estimate(text_of([lm_tokens("May the the the bridge bridge .")] * 5), tmp_path / "other")
    assert model.score(tmp_path / "other", CORPUS[0]) != before
    assert model.score(folder, CORPUS[0]) == before


def test_empty_sentences_and_odd_characters_do_not_stop_an_estimate(model, tmp_path):
    odd = [["caf\ud800", "spoke"], ["<s>", "</s>", "<unk>", "in"], ["🙂"], ["\x00"], [], ["a" * 3000]]
    model.estimate(text_of([*CORPUS, *odd]), tmp_path / "odd")
    assert model.score(tmp_path / "odd", CORPUS[0]) > model.score(tmp_path / "odd", CORPUS[0][::-1])
    assert model.score(tmp_path / "odd", ["caf\ud800", "\x00", ""]) < 0.0


@pytest.mark.real
def test_the_probabilities_of_all_continuations_sum_to_one(tmp_path):
    """P(<s> w </s>) over the vocabulary, by the arithmetic of the real model; sums to 1."""
    import kenlm as library

    place = tmp_path / "model"
    kenlm().estimate(text_of(CORPUS), place)
    model = library.Model(str(place / "model.binary"))
    vocabulary = {word for sentence in CORPUS for word in sentence} | {"</s>", "<unk>"}
    state, out = library.State(), library.State()
    model.BeginSentenceWrite(state)
    total = sum(10 ** model.BaseScore(state, word, out) for word in vocabulary)
    assert total == pytest.approx(1.0, abs=1e-3)


@pytest.mark.real
def test_a_large_text_gets_another_kind_of_model_with_the_same_scores(tmp_path, monkeypatch):
    small, large = kenlm(), kenlm()
    small.estimate(text_of(CORPUS), tmp_path / "small")
    monkeypatch.setattr(kenlm_model, "_HASHED_BYTES", 1 << 40)
    large.estimate(text_of(CORPUS), tmp_path / "large")
    files = [(tmp_path / name / "model.binary").read_bytes() for name in ("small", "large")]
    assert files[0] != files[1]
    for one in CORPUS:
        assert small.score(tmp_path / "small", one) == large.score(tmp_path / "large", one)


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Use tools that run these lines of shell in place of KenLM's."""

    def use(**scripts):
        for name, body in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
            (tmp_path / name).chmod(0o755)
        monkeypatch.setenv("WDW_KENLM_BIN", str(tmp_path))

    return use


@pytest.mark.parametrize(
    ("lmplz", "build_binary", "blamed"),
    [
        ("echo no room >&2; exit 3", "cat >/dev/null", r"lmplz failed \(3\): no room"),
        ("cat >/dev/null; echo done; exit 4", "cat >/dev/null; exit 1", r"lmplz failed \(4\)"),
        ("cat >/dev/null; exec yes", "echo disk full >&2; exit 5", r"build_binary failed \(5\): disk full"),
    ],
)
def test_the_tool_that_failed_first_is_blamed(tmp_path, tools, lmplz, build_binary, blamed):
    tools(lmplz=lmplz, build_binary=build_binary)
    many = (f"word{number} said\n".encode() for number in range(100_000))
    with pytest.raises(StageError, match=blamed):
        kenlm().estimate(many, tmp_path / "model")


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("No space left on device in /x while writing 8 bytes", "make room on the disk"),
        ("Cannot allocate memory for 374526656 bytes in malloc", "a smaller execution.lm_memory"),
        ("Vocab hash size estimate 25165824 exceeds total memory 1048576", "a larger execution.lm_memory"),
    ],
)
def test_a_full_disk_and_too_little_memory_are_named_with_what_to_do(tmp_path, tools, message, hint):
    tools(lmplz=f"echo '{message}' >&2; echo ERROR >&2; exit 6", build_binary="cat >/dev/null")
    with pytest.raises(StageError, match=message) as caught:
        kenlm().estimate([b"a word\n"], tmp_path / "model")
    assert hint in caught.value.hint
