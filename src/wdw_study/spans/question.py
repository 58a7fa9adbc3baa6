"""What a question in ordinary words asks for: the type of its answer, the words that name the type, and its role."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from wdw_build.api import STOP_WORDS, lm_tokens
from wdw_build.reading.words import stem

Asked = Literal["who", "where", "when", "number", "organisation", "noun", "what", "how", "why", "other"]
Role = Literal["subject", "object", "copula", "other"]

_LISTED = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
_NOUNS = {cast(Asked, asked): frozenset(nouns.split()) for asked, nouns in _LISTED.items()}
_PLAIN: dict[str, Asked] = {"who": "who", "whom": "who", "whose": "who", "where": "where", "when": "when", "why": "why"}
_OTHER_WORDS = frozenset("what which how".split())
_MEASURES = frozenset("many much long old far tall big large often high deep fast".split())
_SUPPORT = frozenset("do does did".split())
_COPULA = frozenset("is are was were 's".split())
_AUXILIARIES = frozenset("has have had can could will would should may might must".split())
_PLURAL_WORDS = frozenset("people men women two three four five both all are were".split())
_DETERMINERS = frozenset("a an the".split())


@dataclass(frozen=True)
class AskedFor:
    """An analysed question. ``focus``: the words that name the type of the answer ("city" in "which city"), or none."""

    text: str
    asked: Asked
    role: Role
    focus: str
    plural: bool
    stems: frozenset[str]
    """Stems of the content words."""


def analyse(text: str) -> AskedFor:
    """What a question asks for. A question without a question word asks for anything (`other`)."""
    words = [word.casefold() for word in lm_tokens(text)]
    place = next((number for number, word in enumerate(words) if word in _PLAIN or word in _OTHER_WORDS), None)
    content = frozenset(stem(word) for word in words if word[0].isalnum() and word not in STOP_WORDS)
    if place is None:
        return AskedFor(text, "other", "other", "", False, content)
    after = words[place + 1 :]
    focus = _focus(words[place], after)
    asked = _asked(words[place], focus, after)
    beside = {*focus[-1:], *after[:1]} if words[place] in ("who", "whom") else set(focus)
    plural = bool(beside & _PLURAL_WORDS) or any(
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) for word in focus
    )
    return AskedFor(text, asked, _role(after[len(focus) :]), " ".join(focus), plural, content)


def _focus(question_word: str, after: list[str]) -> list[str]:
    """The nouns after `what` or `which`; after `what is the`, the nouns that follow."""
    if question_word not in ("what", "which"):
        return []
    start = 0
    if after and after[0] in _COPULA and len(after) > 1 and after[1] in _DETERMINERS:
        start = 2
    nouns: list[str] = []
    for word in after[start : start + 4]:
        if word in STOP_WORDS or not word[0].isalnum():
            break
        nouns.append(word)
    return nouns if nouns and start + len(nouns) < len(after) else []


def _asked(question_word: str, focus: list[str], after: list[str]) -> Asked:
    if question_word in _PLAIN:
        return _PLAIN[question_word]
    if question_word == "how":
        return "number" if after and after[0] in _MEASURES else "how"
    for word in reversed(focus):
        singular = word.removesuffix("s")
        for asked, nouns in _NOUNS.items():
            if word in nouns or singular in nouns:
                return asked
    return "noun" if focus else "what"


def _role(rest: list[str]) -> Role:
    """The role of the answer in the sentence, from the word after the question word and its nouns."""
    first = rest[0] if rest else ""
    if first in _COPULA:
        return "copula"
    if first in _SUPPORT:
        return "object"
    if first in _AUXILIARIES:
        return "other"
    return "subject"
