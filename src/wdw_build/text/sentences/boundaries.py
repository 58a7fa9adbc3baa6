"""Where a sentence really ends: a tokenizer's splits inside company names and after abbreviations are taken back.

Neural splitters trained on web text cut newswire at "Banner Industries | Inc said" and "the U.K. | Government". A split counts
only after closing punctuation, or between paragraphs; after an abbreviation, only before a word that starts sentences.
"""

from __future__ import annotations

import re

from wdw_build.text.sentences.punkt import ABBREVIATIONS

_CLOSING = frozenset("\"'”’)]}") | {"''"}
_FINAL = re.compile(r"[.!?]+$|…$")
_INITIALS = re.compile(r"^(?:[^\W\d_]\.)+$")
_STARTERS = frozenset(
    "the a an this that these those he she it they we i you his her its their our in on at by for from with after before "
    "but and as if when while there here one no what who how meanwhile however last earlier later both some many most "
    "other another all since under according despite among until although".split()
)


def ends_sentence(words: tuple[str, ...], following: str, gap: str) -> bool:
    """Whether a sentence may end after ``words`` when the next word is ``following`` and ``gap`` stands between."""
    if "\n" in gap or not following:
        return True
    kept = list(words)
    while len(kept) > 1 and kept[-1] in _CLOSING:
        kept.pop()
    last = kept[-1]
    if not _FINAL.search(last):
        return False
    if len(last) > 1 and _abbreviated(last):
        return following.casefold() in _STARTERS and following[:1].isupper()
    if last == "." and len(kept) > 1 and kept[-2].casefold() in ABBREVIATIONS:
        return following.casefold() in _STARTERS and following[:1].isupper()
    return not following[:1].islower()


def _abbreviated(word: str) -> bool:
    return bool(_INITIALS.match(word)) or word.casefold().rstrip(".") in ABBREVIATIONS
