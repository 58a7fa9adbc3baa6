"""The gender of a person in a passage, by titles and nouns before the name and by the pronouns after it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import Span

FEMALE, MALE = "female", "male"
_BEFORE = re.compile(
    r"\b(?:(?P<she>mrs|ms|miss|dame|queen|princess|lady|actress|aunt|daughter|mother|sister|spokeswoman|widow|wife)|"
    r"mr|sir|king|prince|lord|actor|brother|father|husband|son|spokesman|uncle)\.?,? ?$",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\b(?:(?P<she>she|her|hers|herself)|he|him|his|himself)\b", re.IGNORECASE)
# A title outweighs this many pronouns, which may be another person's.
_TITLE_WEIGHT = 3
_LOOK_BACK, _REACH = 30, 160


def gender_of(text: str, mentions: Sequence[Span], others: Sequence[int]) -> str:
    """``female``, ``male``, or an empty string if nothing tells. ``others``: the starts of all persons' mentions."""
    votes = 0
    for mention in mentions:
        title = _BEFORE.search(text[max(0, mention.start - _LOOK_BACK) : mention.start])
        # The first pronoun before the next name is likely to be the person's.
        limit = min([start for start in others if start >= mention.end] + [mention.end + _REACH])
        pronoun = _AFTER.search(text, mention.end, limit)
        votes += _TITLE_WEIGHT * _vote(title) + _vote(pronoun)
    return FEMALE if votes > 0 else MALE if votes < 0 else ""


def _vote(pronoun: re.Match[str] | None) -> int:
    return 0 if pronoun is None else 1 if pronoun["she"] else -1
