"""Stems of words by stripping the regular suffixes of English inflection."""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_LEAST_STEM = 2
# The first suffix that fits is replaced.
_SUFFIXES = (
    ("'s", ""),
    ("’s", ""),
    ("ies", "y"),
    ("ied", "y"),
    *((f"{sound}es", sound) for sound in ("ss", "sh", "ch", "x")),
    ("ing", ""),
    ("ed", ""),
    ("s", ""),
)
_NO_PLURAL = ("ss", "us", "is")
_DOUBLED = frozenset("bdgmnprt")


def stem(word: str) -> str:
    """The stem of a word in lower case: "hopping", "hopped" and "hops" are "hop"; "hoping" and "hopes" are "hop" too.

    The stem keeps two letters and a vowel. A final "e" is removed.
    """
    for suffix, ending in _SUFFIXES:
        base = word[: -len(suffix)]
        if not word.endswith(suffix) or len(base) < _LEAST_STEM or not _VOWELS.intersection(base):
            continue
        if suffix == "s" and word.endswith(_NO_PLURAL):
            return word
        if suffix in ("ing", "ed") and base[-1] == base[-2] and base[-1] in _DOUBLED:
            base = base[:-1]
        return (base + ending).removesuffix("e")
    return word.removesuffix("e") if len(word) > _LEAST_STEM + 1 else word
