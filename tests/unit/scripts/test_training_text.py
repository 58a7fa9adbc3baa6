"""The additional training text of the NER model: sentences from templates, and sentences with other names."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

from training import ner_text, wire_text
from training.person_names import Name
from training.scoring import spans

GRIMM = Name(("Hans", "J."), ("von", "Grimm"))


@pytest.fixture(autouse=True)
def one_name(monkeypatch):
    """Every random person is Hans J. von Grimm and every city is Ulm, so no lists of names are needed."""
    for module in (wire_text, ner_text):
        monkeypatch.setattr(module, "draw_name", lambda draw: GRIMM)
    monkeypatch.setattr(wire_text, "draw_city", lambda draw: "Ulm")
    monkeypatch.setattr(wire_text, "SHARE_HYPHENS_SPLIT", 0)


def shown(sentence):
    return " ".join(token["text"] + ("" if token["ner"] == "O" else "/" + token["ner"]) for token in sentence)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{P} left {L} .", "Hans/B-PERSON J./I-PERSON von/I-PERSON Grimm/I-PERSON left Ulm/B-LOC ."),
        ("{S} lbw", "von/B-PERSON Grimm/I-PERSON lbw"),
        ("{I} 5", "H./B-PERSON von/I-PERSON Grimm/I-PERSON 5"),
        ("the [{S} Prize|MISC]", "the von/B-MISC Grimm/I-MISC Prize/I-MISC"),
        ("! {L} QUIET", "ULM/B-LOC QUIET"),
        ("[Reuter|ORG] said", "Reuter/B-ORG said"),
    ],
)
def test_a_template_is_filled_with_names_and_their_tags(template, expected):
    assert shown(wire_text.fill(template, random.Random(1))) == expected


@pytest.mark.parametrize("templates", [wire_text.TEMPLATES, wire_text.TEMPLATES.with_name("web_templates.txt")])
def test_every_template_can_be_filled_and_leaves_no_slot(templates):
    for sentence in wire_text.sentences(1000, 3, templates):
        assert sentence
        assert not any(ch in token["text"] for token in sentence for ch in "{}|[]"), shown(sentence)


def test_a_numbered_slot_is_one_person_throughout(monkeypatch):
    names = iter([Name(("Ann",), ("Poole",)), Name(("Bo",), ("Li",)), Name(("Cy",), ("Orr",))])
    monkeypatch.setattr(wire_text, "draw_name", lambda draw: next(names))
    assert shown(wire_text.fill("{P1} said {S1} left", random.Random(1))).startswith(
        "Ann/B-PERSON Poole/I-PERSON said Poole/"
    )


def test_the_same_seed_writes_the_same_sentences():
    assert wire_text.sentences(50, seed=1) == wire_text.sentences(50, seed=1)
    assert wire_text.sentences(50, seed=1) != wire_text.sentences(50, seed=2)


def test_hyphens_are_written_as_tokens_for_a_share(monkeypatch):
    monkeypatch.setattr(wire_text, "SHARE_HYPHENS_SPLIT", 1)
    sentence = wire_text.fill("[al-Masri|PERSON] won 6-3 - twice", random.Random(1))
    assert shown(sentence) == "al/B-PERSON -/I-PERSON Masri/I-PERSON won 6 - 3 - twice"


def test_renaming_keeps_the_words_around_the_names():
    words = [("Ann", "B-PERSON"), ("Poole", "I-PERSON"), ("saw", "O"), ("Rome", "B-LOC"), (".", "O")]
    sentence = [{"text": word, "ner": tag} for word, tag in words]
    seen = set()
    for seed in range(40):
        out = ner_text.rename(sentence, random.Random(seed))
        assert [token["text"] for token in out if token["ner"] == "O"] == ["saw", "."]
        assert len(spans((token["ner"] for token in out), "PERSON")) == 1
        assert len(spans((token["ner"] for token in out), "LOC")) == 1
        seen.add(shown(out))
    assert any("Ulm/B-LOC" in text for text in seen)
    assert any("Hans/B-PERSON" in text for text in seen)
    assert any(text.startswith("von/B-PERSON") for text in seen)
