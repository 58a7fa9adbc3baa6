"""``nlp.document_level_names`` makes names consistent over an article, and can be switched off."""

import re

import pytest

from wdw_build.adapters.stanza import annotator as stanza_annotator
from wdw_build.adapters.stanza.annotator import StanzaAnnotator
from wdw_build.adapters.stanza.models import NlpConfig, find_models
from wdw_build.adapters.stanza.tokenizer import Word
from wdw_build.core.engine.execution import ExecutionConfig

TEXT = "Ann Poole spoke .\nThen Poole left ."


class Once:
    """Replaces Stanza: a line is a sentence, and names are found only in the first."""

    is_batch_independent = True

    def tokenize(self, texts):
        return [[self._words(line) for line in re.finditer(".+", text)] for text in texts]

    def _words(self, line):
        found = re.compile(r"\S+").finditer(line.string, line.start(), line.end())
        return [Word(word[0], word.start(), word.end()) for word in found]

    def name_spans(self, sentences):
        return [[("PERSON", 0, 2)] if words[:2] == ("Ann", "Poole") else [] for words in sentences]


def annotator(settles):
    models, nlp = find_models("bundled"), NlpConfig(document_level_names=settles)
    return StanzaAnnotator(models, nlp, ExecutionConfig(device="cpu"))


@pytest.mark.parametrize(("settles", "expected"), [(True, ["Ann Poole", "Poole"]), (False, ["Ann Poole"])])
def test_a_name_found_once_is_found_everywhere_if_names_are_settled(monkeypatch, settles, expected):
    monkeypatch.setattr(stanza_annotator, "loaded_pipeline", lambda *_: Once())
    (note,) = annotator(settles).annotate([("a", TEXT)])
    assert [one.text for one in note.persons] == expected
    assert all(TEXT[one.start : one.end] == one.text for one in note.persons)


def test_the_switch_is_part_of_the_identity():
    assert annotator(True).identity != annotator(False).identity
