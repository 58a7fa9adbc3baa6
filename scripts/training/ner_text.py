"""prepare-ner: adapts the free NER corpora to newswire, with titles, capitals, other names and wire sentences.

"Mr" and a separate full stop become "Mr."; some full titles before a person are abbreviated; some persons get a title,
always outside the name; three in a hundred sentences are put in capitals, like slugs. Three in ten of the sentences with
names are repeated with other names, so that the tagger learns the context rather than the names. Templates add kinds of
sentences that the free corpora lack (``wire_text``).
"""

from __future__ import annotations

import json
import random

from training import wire_text
from training.layout import Sentence, Workplace, by_weight, word_lists
from training.person_names import draw_name
from training.scoring import spans

TRAIN = ("ewn_train", "wikigold", "uner_dev")
DEV = "ewn_dev"
DEV_SENTENCES = 1500

_LISTS = word_lists("titles")
SHORT_FORMS: dict[str, str] = _LISTS["short_forms"]
TITLES = by_weight(_LISTS["by_weight"])
TITLE_WORDS = {*SHORT_FORMS, *SHORT_FORMS.values(), *_LISTS["words"]}

SHARE_SHORTENED, SHARE_TITLED, SHARE_CAPITALS = 0.60, 0.10, 0.03
LONGEST_IN_CAPITALS = 24
SHARE_RENAMED, SHARE_FAMILY_NAME_ALONE = 0.30, 0.20
SHARE_OTHERS_RENAMED = 0.7
WIRE_SENTENCES = 4500


def join_full_stops(sentence: Sentence) -> Sentence:
    """Join "Mr" and the "." after it into one token, as the newswire tokenizer does."""
    joined: Sentence = []
    for token in sentence:
        last = joined[-1] if joined else None
        if token["text"] == "." and last and SHORT_FORMS.get(last["text"]) == last["text"] + ".":
            joined[-1] = {"text": last["text"] + ".", "ner": last["ner"]}
        else:
            joined.append(token)
    return joined


def retitle(sentence: Sentence, draw: random.Random) -> Sentence:
    """Abbreviate some titles before persons, and add titles to some persons without one."""
    out: Sentence = []
    for position, token in enumerate(sentence):
        text, label = token["text"], token["ner"]
        following = sentence[position + 1]["ner"] if position + 1 < len(sentence) else "O"
        titled = bool(out) and (out[-1]["text"] in TITLE_WORDS or out[-1]["text"].lower() in TITLE_WORDS)
        if text in SHORT_FORMS and label == "O" and following == "B-PERSON" and draw.random() < SHARE_SHORTENED:
            text = SHORT_FORMS[text]
        if label == "B-PERSON" and not titled and draw.random() < SHARE_TITLED:
            out.extend({"text": word, "ner": "O"} for word in draw.choice(TITLES).split())
        out.append({"text": text, "ner": label})
    return out


def _other_name(kind: str, length: int, alone: bool, draw: random.Random) -> list[str]:
    """Draw a name of a kind; None for MISC, which has no list."""
    if kind == "PERSON":
        name = draw_name(draw)
        return list(name.family if length == 1 or alone else name.full)
    return wire_text.draw_organisation(draw) if kind == "ORG" else wire_text.draw_city(draw).split()


def rename(sentence: Sentence, draw: random.Random) -> Sentence:
    """Replace the names in a sentence by others of their kind; some full names of persons, by a family name.

    Organisations and places also get new names, or the tagger would learn that every unknown word is a person.
    """
    tags = [token["ner"] for token in sentence]
    ends = {span: kind for kind in ("PERSON", "ORG", "LOC") for span in spans(tags, kind)}
    starts = {start: (end, kind) for (start, end), kind in ends.items()}
    out: Sentence = []
    position = 0
    while position < len(sentence):
        end, kind = starts.get(position, (position + 1, ""))
        if kind == "PERSON" or (kind and draw.random() < SHARE_OTHERS_RENAMED):
            alone = draw.random() < SHARE_FAMILY_NAME_ALONE
            words = _other_name(kind, end - position, alone, draw)
            out += [{"text": word, "ner": ("I-" if place else "B-") + kind} for place, word in enumerate(words)]
        else:
            out += sentence[position:end]
        position = end
    return out


def renamed(sentences: list[Sentence], draw: random.Random) -> list[Sentence]:
    """The repeated sentences, with other names."""
    named = [sentence for sentence in sentences if any(token["ner"] != "O" for token in sentence)]
    return [rename(sentence, draw) for sentence in named if draw.random() < SHARE_RENAMED]


def augment(sentences: list[Sentence], seed: int) -> list[Sentence]:
    """Apply the changes to a training set. The same seed gives the same set."""
    draw = random.Random(seed)
    out = []
    for sentence in sentences:
        changed = retitle(join_full_stops(sentence), draw)
        if draw.random() < SHARE_CAPITALS and len(changed) <= LONGEST_IN_CAPITALS:
            changed = [{"text": token["text"].upper(), "ner": token["ner"]} for token in changed]
        out.append(changed)
    return out


def prepare(place: Workplace, extra: list[str]) -> None:
    """Write the training and development sets of the NER model; ``extra`` names more sets in ``ner/``."""
    train = [sentence for name in (*TRAIN, *extra) for sentence in place.ner(name)]
    dev = [join_full_stops(sentence) for sentence in place.ner(DEV)[:DEV_SENTENCES]]
    train += renamed(train, random.Random(place.seed))
    written = wire_text.sentences(WIRE_SENTENCES, place.seed)
    place.write("ner_train.json", json.dumps(augment(train, place.seed) + written))
    place.write("ner_dev.json", json.dumps(dev))
    print(f"ner: {len(train)} + {len(written)} sentences for training, {len(dev)} for development")
