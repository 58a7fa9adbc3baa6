"""The given names before a family name in a text: who bears the family name there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from wdw_build.text.names.article_words import ArticleWords
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.given_names import ALSO_WORDS, GIVEN_NAMES
from wdw_build.text.names.matching import Words, are_relatives, fold, identifying_sequence, is_title, last_name

_SIDE = 60
# A capitalised word, and initials, directly before a family name.
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w-]+)(?: (?:[^\W\d_a-z]\.)+)? \Z")


def given_name_before(text: str, start: int, family: str, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """The given name, with the initials and the space after it, directly before a family name at ``start``; or "".

    It must be a frequent given name, or the corpus must have a person of that full name.
    """
    word = _WORD_BEFORE.search(text[max(0, start - _SIDE) : start])
    folded = fold(word[1]) if word else ""
    if word is None or is_title(folded):
        return ""
    is_frequent = folded in GIVEN_NAMES and folded not in ALSO_WORDS
    return word[0] if is_frequent or evidence.leaning(f"{word[1]} {family}") > 0 else ""


def full_name(name: str, text: str, others: Iterable[str], evidence: NameEvidence = NO_EVIDENCE) -> str:
    """The full name that a text mostly gives the bearer of a family name; the name itself if it is not a family name alone.

    ``others`` are the names of other persons. Empty if the text names two bearers equally often: the family name alone does
    not tell which of them is meant.
    """
    words = identifying_sequence(name)
    if len(words) != 1:
        return name
    family, taken = last_name(name), {identifying_sequence(other) for other in others}
    bearers: defaultdict[Words, list[str]] = defaultdict(list)
    for start in ArticleWords(text).find(family):
        bearer = f"{given_name_before(text, start, family, evidence)}{family}"
        if len(identifying_sequence(bearer)) > 1 and identifying_sequence(bearer) not in taken:
            bearers[identifying_sequence(bearer)].append(bearer)
    if not bearers:
        return name
    most, *less = sorted(bearers.values(), key=len, reverse=True)
    are_two = (less and len(less[0]) == len(most)) or any(are_relatives(one, most[0]) for one in most)
    return "" if are_two else max(most, key=len)
