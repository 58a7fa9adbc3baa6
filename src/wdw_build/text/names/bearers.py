"""Which person a family name alone may name, by the honorifics and titles before it, the order of the text, and the corpus."""

from __future__ import annotations

import re

from wdw_build.text.lexicon import word_list
from wdw_build.text.names.beside import is_personal_title, words_of
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import fold, is_title, parse
from wdw_build.text.names.spellings import are_one_given_name
from wdw_build.text.names.unmarked import given_name_before
from wdw_build.text.names.word_lists import ALSO_WORDS

_HONORIFIC = re.compile(r"\b(?:(?P<female>Mrs|Ms|Miss|Lady|Dame)|Mr|Sir|Lord)\b\.? ")
_LONGEST_HONORIFIC, _SIDE = len("Miss. "), 60
_SEXES = {given: sex for sex in ("feminine", "masculine") for given in word_list(f"{sex}_names") - ALSO_WORDS}


def sex_by_honorific(text: str, start: int, end: int) -> str:
    """The sex that an honorific shows, directly before a mention or at its start; empty without one."""
    found = _HONORIFIC.search(text, max(0, start - _LONGEST_HONORIFIC), end)
    return "" if found is None or found.end() < start else "feminine" if found["female"] else "masculine"


def sex_of(name: str, text: str) -> str:
    """The sex that an honorific before a full name or else a given name surely shows; empty if neither does."""
    words, start = parse(name).core, text.find(name)
    return "" if len(words) < 2 else sex_by_honorific(text, start, start) or _SEXES.get(words[0], "")


def _occurrences(name: str, text: str, evidence: NameEvidence) -> tuple[dict[int, str], dict[int, str]]:
    """Where a text has the family name of a full name: alone, with the word before it; and in full names, with the given name."""
    words, alone, full = parse(name).core, dict[int, str](), dict[int, str]()
    for start in words_of(text).find(parse(name).last) if len(words) > 1 else ():
        word = "".join(text[max(0, start - _SIDE) : start].split()[-1:]) if text[start - 1 : start].isspace() else ""
        given = fold(given_name_before(text, start, words[-1], evidence).partition(" ")[0])
        if given or fold(word) in words:
            full[start] = given or words[0]
        elif not word[:1].isupper() or is_title(fold(word)):
            alone[start] = word
    return alone, full


def is_of_another(name: str, text: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether the family name alone is hardly that of the person with this full name, although the text names no other in full.

    Honorifics before it contradict each other or the given name ("Mrs. Ames" and Bill Ames), or the corpus has a far more
    frequent bearer who is named before any full name, or with an office ("President Obama" and Michelle Obama).
    """
    words, (alone, full) = parse(name).core, _occurrences(name, text, evidence)
    own, sexes = sex_of(name, text), {start: sex_by_honorific(text, start, start) for start in alone}
    shown = set(sexes.values()) - {""}
    is_only = not set(full.values()).difference(words)
    if is_only and shown - {own} and (own or len(shown) > 1):
        return True
    # The bearer whom the corpus knows best may be meant where no honorific shows this person's sex.
    unsure = [start for start, sex in sexes.items() if not sex or sex != own]
    chief = evidence.chief_bearer(words[0], words[-1]) if unsure and full else ""
    if not chief or any(are_one_given_name(chief, given) for given in full.values()):
        return False
    is_first = unsure[0] < min(*full, *(sexes.keys() - unsure), len(text))
    titled, titled_chief = (evidence.titled.get(f"{given} {words[-1]}", 0) for given in (words[0], chief))
    has_office = any(is_personal_title(word) and not _HONORIFIC.match(f"{word} ") for word in alone.values())
    return is_first or (has_office and titled < titled_chief)
