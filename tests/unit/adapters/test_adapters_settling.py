"""``nlp.document_level_names`` makes names consistent over an article, and can be switched off."""

import pytest

from wdw_build.adapters.stanza import annotator as stanza_annotator
from wdw_build.adapters.stanza.annotator import StanzaAnnotator
from wdw_build.adapters.stanza.models import NlpConfig, find_models
from wdw_build.adapters.stanza.tokenizer import Word
from wdw_build.core.engine.execution import ExecutionConfig

TEXT = "Ann Poole spoke .\nThen Poole left .\nANN POOLE RESIGNS"


class Once:
    """Replaces Stanza: a line is a sentence, and names are found only in the first."""

    is_batch_independent = True

    def tokenize(self, texts):
        return [list(self._sentences(text)) for text in texts]

    def _sentences(self, text):
        at = 0
        for line in text.split("\n"):
            words = []
            for word in line.split():
                start = text.index(word, at)
                at = start + len(word)
                words.append(Word(word, start, at))
            yield words

    def name_spans(self, sentences):
        return [[("PERSON", 0, 2)] if words[:2] == ("Ann", "Poole") else [] for words in sentences]


@pytest.mark.parametrize(
    ("settles", "expected"),
    [(True, ["Ann Poole", "Poole", "ANN POOLE"]), (False, ["Ann Poole"])],
)
def test_a_name_found_once_is_found_everywhere_if_names_are_settled(monkeypatch, settles, expected):
    monkeypatch.setattr(stanza_annotator, "loaded_pipeline", lambda *_: Once())
    annotator = StanzaAnnotator(
        find_models("bundled"), NlpConfig(document_level_names=settles), ExecutionConfig(device="cpu")
    )
    (note,) = annotator.annotate([("a", TEXT)])
    assert [one.text for one in note.persons] == expected
    assert all(TEXT[one.start : one.end] == one.text for one in note.persons)


def test_the_switch_is_part_of_the_identity():
    models, execution = find_models("bundled"), ExecutionConfig()
    identities = {
        StanzaAnnotator(models, NlpConfig(document_level_names=on), execution).identity for on in (True, False)
    }
    assert len(identities) == 2
