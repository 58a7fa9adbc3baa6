"""The faster forms of the shipped models give the same results as Stanza's own processors."""

import itertools

import numpy as np
import pytest
import torch
from stanza.models.common.crf import viterbi_decode
from torch.nn.utils.rnn import pack_padded_sequence

from wdw_build.adapters.devices import CPU
from wdw_build.adapters.stanza import pipeline as stanza_pipeline
from wdw_build.adapters.stanza.dense_lstm import DenseLstm
from wdw_build.adapters.stanza.models import find_models
from wdw_build.adapters.stanza.name_tagger import NameTagger, best_paths
from wdw_build.adapters.stanza.tokenizer import Tokenizer

pytestmark = pytest.mark.real
LEADS = [
    "Governor Thomas Whitfield met Maria Lopez in Ottawa on Monday to discuss the new dam.",
    "U.S. Judge Helen Marsh sentenced banker Robert Crane, 61, to six years; he wasn't present.",
    "It rained.",
]
TEXTS = [
    LEADS[0],
    "  Two   spaces,\ttabs and\na line break.  Another sentence (in brackets) follows.",
    "\n\n".join(LEADS) + "\n\n \n\nWrite to desk@example.com or see http://www.example.com/a.b?c=d for more. Bye.",
    "",
    "caf\u00e9 \u0085 na\u00efve \ud83d\ude42 \u201cquoted\u201d text\u2014with dashes.",
    "x" * 1500 + " and then nothing.",
    " ".join(LEADS * 12),
    " ".join("word" for _ in range(400)),
    "a" * 999,
    "b" * 1000 + "\n\n" + "c" * 1001,
]


@pytest.fixture(scope="module")
def loaded():
    return stanza_pipeline._load(find_models("bundled"), CPU)


@pytest.fixture(scope="module")
def quick():
    return stanza_pipeline.StanzaPipeline(find_models("bundled"), CPU)


@pytest.fixture(scope="module")
def slow(loaded):
    return stanza_pipeline._StanzaTokenizer(loaded["tokenize"]), stanza_pipeline._StanzaTagger(loaded["ner"])


def test_the_shipped_models_take_the_quick_way(loaded, quick):
    assert Tokenizer.fits(loaded["tokenize"])
    assert NameTagger.fits(loaded["ner"])
    assert isinstance(quick._tokenizer, Tokenizer)
    assert isinstance(quick._tagger, NameTagger)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_tokens_are_those_that_stanza_gives_the_text_alone(quick, slow, text):
    assert quick.tokenize([text]) == (slow[0].tokenize([text]) if text.strip() else [[]])


def test_texts_that_share_a_pass_do_not_change_each_other(quick):
    assert quick.tokenize(TEXTS) == [quick.tokenize([text])[0] for text in TEXTS]


def test_names_equal_those_of_stanza(quick, slow):
    sentences = [[word.text for word in one] for text in quick.tokenize(TEXTS) for one in text]
    found = quick.name_spans(sentences)
    assert found == slow[1].names(sentences)
    assert [kind for kind, *_ in found[0]].count("PERSON") == 2
    assert quick.name_spans([]) == []


@pytest.mark.parametrize(("layers", "both"), [(1, True), (1, False), (2, True)])
def test_a_dense_network_gives_what_the_packed_one_gives(layers, both):
    torch.manual_seed(1)
    lengths = [9, 9, 7, 4, 1]
    lstm = torch.nn.LSTM(3, 4, layers, batch_first=True, bidirectional=both).eval()
    packed = pack_padded_sequence(torch.randn(5, 9, 3), lengths, batch_first=True)
    first = tuple(torch.randn(layers * (1 + both), 5, 4) for _ in range(2))
    with torch.inference_mode():
        for hx in (None, first):
            (expected, (last, _)), (found, (own_last, _)) = lstm(packed, hx), DenseLstm(lstm)(packed, hx)
            assert torch.allclose(found.data, expected.data, atol=1e-6)
            assert torch.equal(found.batch_sizes, expected.batch_sizes)
            assert torch.allclose(own_last, last, atol=1e-6)


def test_the_best_paths_equal_those_of_stanzas_viterbi():
    random = np.random.default_rng(3)
    lengths = np.array([8, 8, 5, 2, 1])
    own = [random.integers(0, 4, (length, 5)).astype(np.float32) for length in lengths]  # whole numbers: ties happen
    transitions = random.integers(0, 3, (5, 5)).astype(np.float32)
    steps = np.array([(lengths > step).sum() for step in range(8)])
    scores = np.concatenate([[one[step] for one in own if len(one) > step] for step in range(8)])
    found = best_paths(scores, steps, transitions, lengths)
    assert [path.tolist() for path, _ in found] == [list(map(int, viterbi_decode(one, transitions)[0])) for one in own]
    for one, (_, lead) in zip(own[2:], found[2:], strict=True):
        paths = itertools.product(range(5), repeat=len(one))
        within = [sum(transitions[pair] for pair in itertools.pairwise(path)) for path in paths]
        second, best = sorted(np.add(within, [sum(scores) for scores in itertools.product(*one)]))[-2:]
        assert lead == best - second
