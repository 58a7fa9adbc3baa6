"""Which person a family name alone may name, by the honorifics and titles before it, the order of the text, and the corpus."""

from __future__ import annotations

import re

from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import fold, identifying_sequence, is_title, last_name
from wdw_build.text.names.occurrences import ArticleWords, is_personal_title
from wdw_build.text.names.unmarked import given_name_before
from wdw_build.text.names.word_lists import ALSO_WORDS, are_one_given_name

FEMALE, MALE = "female", "male"
_HONORIFIC = re.compile(r"\b(?:(?P<female>Mrs|Ms|Miss|Lady|Dame)|Mr|Sir|Lord)\b\.? ")
_LONGEST_HONORIFIC = len("Miss. ")
_SIDE = 60
_GIVEN_NAMES = {FEMALE: word_list("feminine_names"), MALE: word_list("masculine_names")}
_CLAUSE_END = '.!?:;,"“‘”’)'


def sex_by_honorific(text: str, start: int, end: int) -> str:
    """The sex that an honorific shows, directly before a mention or at its start; empty without one."""
    found = _HONORIFIC.search(text, max(0, start - _LONGEST_HONORIFIC), end)
    return "" if found is None or found.end() < start else FEMALE if found["female"] else MALE


def sex_of(name: str, text: str) -> str:
    """The sex that an honorific before a full name or else a given name surely shows; empty if neither does."""
    given, *family = identifying_sequence(name) or ("",)
    start = text.find(name)
    if family and start >= 0 and (sex := sex_by_honorific(text, start, start)):
        return sex
    sexes = [sex for sex, names in _GIVEN_NAMES.items() if family and given in names - ALSO_WORDS]
    return sexes[0] if len(sexes) == 1 else ""


def is_of_another(name: str, text: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether the family name alone is hardly that of the person with this full name, although the text names no other in full.

    Honorifics before it contradict each other or the given name ("Mrs. Ames" and Bill Ames), or the corpus has a far more
    frequent bearer who is named before any full name, or with an office ("President Obama" and Michelle Obama).
    """
    words, alone, full, others = identifying_sequence(name), list[tuple[int, str]](), list[int](), set[str]()
    for start in ArticleWords(text).find(last_name(name)) if len(words) > 1 else ():
        before = text[max(0, start - _SIDE) : start].split() if text[start - 1 : start].isspace() else []
        word = before[-1] if before else ""
        given = given_name_before(text, start, words[-1], evidence)
        if fold(word) in words or given:
            full.append(start)
            others |= {fold(given.split()[0])} - set(words) if given else set()
        elif not word[:1].isupper() or is_title(fold(word)) or word[-1] in _CLAUSE_END or fold(word) in STOP_WORDS:
            alone.append((start, word))
    own, sexes = sex_of(name, text), {sex for start, _ in alone if (sex := sex_by_honorific(text, start, start))}
    if not others and sexes - {own} and (own or len(sexes) > 1):
        return True
    chief, is_titled = evidence.chief_bearer(name)
    if not (chief and alone and full) or own in sexes or any(are_one_given_name(chief, given) for given in others):
        return False
    has_office = any(is_personal_title(word) and not _HONORIFIC.match(f"{word} ") for _, word in alone)
    return alone[0][0] < full[0] or (is_titled and has_office)
