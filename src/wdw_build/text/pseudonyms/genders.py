"""Tells the gender of a person from titles, pronouns near the mentions, and the given name."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from wdw_build.records import Span
from wdw_build.text.names.matching import fold

FEMALE, MALE = "female", "male"
_TITLES = {
    FEMALE: frozenset(
        "mrs ms miss dame lady queen princess duchess countess baroness empress madame señora senora frau actress "
        "congresswoman spokeswoman chairwoman businesswoman councilwoman policewoman sister mother wife daughter widow "
        "mom girlfriend aunt grandmother heiress comedienne first-lady".split()
    ),
    MALE: frozenset(
        "mr sir lord king prince duke count baron emperor señor senor herr monsieur actor congressman spokesman chairman "
        "businessman councilman policeman father brother husband son widower dad boyfriend uncle grandfather pope "
        "cardinal".split()
    ),
}
_PRONOUN = re.compile(r"\b(?:(she|her|hers|herself)|he|him|his|himself)\b", re.IGNORECASE)
_TITLE_BEFORE = re.compile(r"([\w-]+)\.?,?\s+$")
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})[.!?][\"”’']?\s|\n")
_REACH = 160
# A given name that mostly women or mostly men bear outweighs pronouns, which may be another person's.
_TITLE_WEIGHT, _GIVEN_NAME_WEIGHT, _MOST_PRONOUNS = 4, 5, 4
# The surplus that decides where nothing else tells and every mention counts.
_LEAST_OF_ALL_PRONOUNS = 3


def gender_of(
    texts: Sequence[tuple[str, Sequence[Span], Sequence[int]]],
    given_names: Sequence[str],
    female: Container[str],
    male: Container[str],
) -> str:
    """``female``, ``male``, or an empty string if nothing tells.

    ``texts`` has the person's mentions in each text, with the starts of all persons' mentions in that text.
    ``given_names`` are the folded words of the name before the last one; ``female`` and ``male`` are lists of given names.
    """
    score = _GIVEN_NAME_WEIGHT * sum((name in female) - (name in male) for name in given_names[:1])
    titles = [_by_title(text, mention) for text, mentions, _ in texts for mention in mentions]
    score += _TITLE_WEIGHT * _sign(sum(titles)) + max(-_MOST_PRONOUNS, min(_MOST_PRONOUNS, _pronouns(texts, True)))
    all_pronouns = 0 if score else _pronouns(texts, False)
    if abs(all_pronouns) >= _LEAST_OF_ALL_PRONOUNS:
        score = all_pronouns
    return FEMALE if score > 0 else MALE if score < 0 else ""


def _pronouns(texts: Sequence[tuple[str, Sequence[Span], Sequence[int]]], first_only: bool) -> int:
    """The number of mentions that a pronoun of a woman follows, minus those that a pronoun of a man follows."""
    return sum(
        _by_pronoun(text, mention, starts, first_only) for text, mentions, starts in texts for mention in mentions
    )


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _by_title(text: str, mention: Span) -> int:
    """1 for a title of women before or at the start of a mention, -1 for one of men, else 0."""
    before = _TITLE_BEFORE.search(text[max(0, mention.start - 30) : mention.start])
    first, _, rest = text[mention.start : mention.end].partition(" ")
    for word in ([before[1]] if before else []) + ([first] if rest else []):
        folded = fold(word)
        if folded in _TITLES[FEMALE] or folded in _TITLES[MALE]:
            return 1 if folded in _TITLES[FEMALE] else -1
    return 0


def _by_pronoun(text: str, mention: Span, starts: Sequence[int], first_only: bool) -> int:
    """1 if the first pronoun between a mention and the next name is of a woman, -1 if it is of a man, else 0.

    ``first_only``: 0 also for a person who is not the first of the sentence, and so hardly its subject.
    """
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, mention.start)] if first_only else []
    if first_only and any((ends[-1] if ends else 0) <= start < mention.start for start in starts):
        return 0
    limit = min([start for start in starts if start >= mention.end] + [mention.end + _REACH, len(text)])
    pronoun = _PRONOUN.search(text, mention.end, limit)
    return 0 if pronoun is None else 1 if pronoun[1] else -1
