"""First sentences: reading part of a long paragraph gives the same sentence as reading all of it."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.adapters.stanza import annotator as stanza_annotator
from wdw_build.adapters.stanza.annotator import StanzaAnnotator
from wdw_build.adapters.stanza.models import NlpConfig
from wdw_build.adapters.stanza.tokenizer import Word
from wdw_build.core.engine.execution import ExecutionConfig
from wdw_build.pipeline.backends import backend
from wdw_build.pipeline.config.settings import Config, CorpusConfig

SAMPLE = Path(__file__).parents[3] / "data" / "sample" / "articles.jsonl"
SHORT, MOST = 600, 4000


class Plain(StanzaAnnotator):
    """Replaces Stanza: splits at white space, and sentences after full stops; records the lengths of its inputs."""

    def __init__(self):
        super().__init__(None, NlpConfig(), ExecutionConfig())
        self.read = []

    def _tokenize(self, texts):
        if texts:
            self.read.append([len(text) for text in texts])
        return [self._cut(text) for text in texts]

    def _cut(self, text):
        sentences = [[]]
        for found in re.finditer(r"[^\s.]+|\.", text):
            sentences[-1].append(Word(found[0], *found.span()))
            if found[0] == ".":
                sentences.append([])
        return [sentence for sentence in sentences if sentence]


def sentence(length):
    """A sentence with this number of characters."""
    return ("The " + "word " * length)[: length - 2].rstrip().ljust(length - 2, "x") + " ."


def firsts(*paragraphs):
    annotator = Plain()
    return annotator.first_sentences(paragraphs), annotator.read


@pytest.mark.parametrize(("length", "lengths_read"), [(200, [[SHORT]]), (900, [[SHORT], [MOST]])])
def test_of_a_long_paragraph_no_more_than_the_beginning_is_read_if_its_first_sentence_ends_there(length, lengths_read):
    (found,), read = firsts(f"{sentence(length)} {sentence(5000)}")
    assert found.text == sentence(length)
    assert read == lengths_read


def test_only_the_paragraphs_that_need_it_are_read_again_and_each_keeps_its_place():
    long, short, blank = f"{sentence(900)} More .", f"{sentence(50)} {sentence(3000)}", " " * 700
    found, read = firsts(short, long, "", blank, f"{blank}Here it is .", "One .")
    texts = [one.text if one else None for one in found]
    assert texts == [sentence(50), sentence(900), None, None, "Here it is .", "One ."]
    assert read == [[SHORT, SHORT, 5], [907, 712]]


@settings(deadline=None)
@given(st.lists(st.lists(st.sampled_from([3, 40, 300, 490, 550, 598, 601, 900, 3990, 4100]), max_size=4), max_size=6))
def test_the_first_sentence_is_the_one_that_reading_all_gives(lengths):
    paragraphs = [" ".join(map(sentence, one)) for one in lengths]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stanza_annotator, "_FIRST_CHARACTERS", MOST)
        expected = firsts(*paragraphs)[0]
    assert firsts(*paragraphs)[0] == expected


@pytest.mark.real
def test_articles_without_paragraphs_give_the_same_first_sentences_as_read_in_full(monkeypatch):
    corpus, execution = CorpusConfig(reader="jsonl", path="unused"), ExecutionConfig(device="cpu")
    annotator = backend(Config(run="r", output_dir="unused", corpus=corpus, execution=execution), "annotator")
    texts = [json.loads(line)["text"].replace("\n\n", " ") for line in SAMPLE.read_text().splitlines()[:60]]
    found = annotator.first_sentences(texts)
    monkeypatch.setattr(stanza_annotator, "_FIRST_CHARACTERS", MOST)
    assert found == annotator.first_sentences(texts)
