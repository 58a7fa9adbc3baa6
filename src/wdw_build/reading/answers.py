"""Which choice a generated answer names: by the name, by the surname, or by a letter.

The export lm-eval holds a copy of this file, so it imports only the standard library: it folds names by itself, and not as
``text.names`` does. Hyphens, apostrophes and the spaces and stops of initials count as little here as there.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

# Marks before and after a model's reasoning.
_REASONING = re.compile(r"<(?:\w+:)?think(?:ing)?>|\[THINK\]|<\|channel\|>analysis")
_END_OF_REASONING = re.compile(r"</(?:\w+:)?think(?:ing)?>|\[/THINK\]|<\|channel\|>final<\|message\|>")
_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W_]+)*")
# "JR" of "JR Toller": initials without stops.
_JOINED_INITIALS = re.compile(r"\b(?!(?:II|III|IV)\b)[A-Z]{2,3}(?= [A-Z][a-z])")
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv"}
# Letters that have no form with a separate mark.
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def letters(count: int) -> list[str]:
    """The letters of ``count`` choices: A to Z, then AA to ZZ, and so on."""
    return [string.ascii_uppercase[at % 26] * (at // 26 + 1) for at in range(count)]


def named_choice(answer: str, names: Sequence[str]) -> int | None:
    """Index of the one choice that the answer names, within any text; None for no choice or several.

    Case and marks (é, ø) do not count. A surname that only one choice has is enough.
    """
    words, parts = _words(final_answer(answer)), [_words(name) for name in names]
    surnames = [_surname(part) for part in parts]
    # "Pike Jr." names Harlan Pike Jr., and nobody else.
    forms = [(part, part[-2:] if part and part[-1] in _SUFFIXES else part) for part in parts]
    named: set[int] = set()
    place = 0
    while place < len(words):
        # The longest name that begins here.
        whole = [
            (len(form), at)
            for at, both in enumerate(forms)
            for form in both
            if form and words[place : place + len(form)] == form
        ]
        longest = max((length for length, _ in whole), default=1)
        by_surname = [at for at, surname in enumerate(surnames) if surname == words[place]]
        if whole:
            named |= {at for length, at in whole if length == longest}
        elif len(by_surname) == 1:
            named.add(by_surname[0])
        place += longest
    return named.pop() if len(named) == 1 else None


def lettered_choice(answer: str, names: Sequence[str]) -> int | None:
    """Index of the one choice whose letter or name the answer gives; None for no choice or several."""
    text, known = final_answer(answer), letters(len(names))
    alone = re.fullmatch(r"\W*([A-Za-z]+)\W*", text)
    first = re.match(r"\W*([A-Z]+)\s*(?:[.):*]|$)", text, re.MULTILINE)
    for match in (alone, first):
        if match and match[1].upper() in known:
            return known.index(match[1].upper())
    by_name = named_choice(text, names)
    if by_name is not None:
        return by_name
    # "A" and "I" before another word are words of a sentence.
    within = {
        letter
        for letter in re.findall(r"(?<![\w'’])([A-Z]+)(?![\w'’]|\s+(?!(?:or|and|is)\b)[a-z])", text)
        if letter in known
    }
    return known.index(within.pop()) if len(within) == 1 else None


def final_answer(answer: str) -> str:
    """The answer after a model's reasoning; empty if the reasoning has no end."""
    final = _END_OF_REASONING.split(answer)[-1].strip()
    return "" if _REASONING.search(final) else final


def _words(text: str) -> list[str]:
    """Words in lower case without marks and without 's at the end."""
    # Answers in JSON may escape letters.
    text = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    text = _JOINED_INITIALS.sub(lambda match: " ".join(match[0]), text)
    plain = unicodedata.normalize("NFKD", text.casefold().translate(_PLAIN))
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return [re.sub(r"['’ʼ]s$", "", word).replace("’", "'").replace("ʼ", "'") for word in _WORD.findall(plain)]


def _surname(words: Sequence[str]) -> str:
    """The last word that is not a suffix such as Jr; empty for a name of one word, which is a whole name."""
    surnames = [word for word in words if word not in _SUFFIXES]
    return surnames[-1] if len(surnames) > 1 else ""
