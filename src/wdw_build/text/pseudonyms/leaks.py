"""Lists what still tells who a person of a problem is, or is told by more than a plain mention of the name."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from wdw_build.records import NameReplacement
from wdw_build.text.names.matching import are_namesakes, fold_text, shares_word
from wdw_build.text.pseudonyms.people import Person, name_sequence
from wdw_build.text.pseudonyms.words import NameWords

_LEAST_IN_LOWER_CASE = 4
_LEAST_INITIALS = 3
# "the Thatcher years", "Clinton Foundation", "Trump-style".
_NAMED_AFTER = "era|years|administration|campaign|government|cabinet|doctrine|plan|law|bill|act|family"
_THING = re.compile(rf"(?: (?!\w+day\b)[A-Z][a-z]{{2,}}\b| (?:{_NAMED_AFTER})\b|-[a-z]{{3,}}\b)")
_WORD = re.compile(r"[^\W\d_]+")


def leaks(
    texts: Sequence[str], replaced: Sequence[Sequence[NameReplacement]], persons: Sequence[Person], words: NameWords
) -> tuple[str, ...]:
    """Each leak once, as ``kind: text``, in the order of passage, question and title.

    The kinds: ``title`` (a name in the passage's title), ``derived`` (a word derived from a name), ``thing`` (a law, a firm
    or a time that is named after a person); the name in these is replaced. ``lower-case`` (a word of a name in lower
    case) and ``initials`` (the initials of a full name as one word) stay in the text. ``two-codes`` (two persons who may be
    one, because no given names tell them apart) comes last.
    """
    passage, question, title = range(3)
    initials = {_initials(person.name) for person in persons}
    listed: list[str] = []
    for place in (passage, question, title):
        text = texts[place]
        starts = {replacement.start for replacement in replaced[place]}
        for replacement in replaced[place]:
            written = text[replacement.start : replacement.end]
            thing = _THING.match(text, replacement.end)
            if replacement.kind == "derived":
                listed.append(f"derived: {written}")
            elif replacement.kind == "word" and thing and place != title and thing.start() + 1 not in starts:
                listed.append(f"thing: {written}{thing[0]}")
            if place == title:
                listed.append(f"title: {written}")
        listed += _left_in(text, replaced[place], words, initials)
    listed += _may_be_one(persons)
    return tuple(dict.fromkeys(listed))


def _left_in(text: str, replacements: Sequence[NameReplacement], words: NameWords, initials: set[str]) -> Iterator[str]:
    covered = iter([*replacements, None])
    current = next(covered)
    for match in _WORD.finditer(text):
        while current is not None and current.end <= match.start():
            current = next(covered)
        if current is not None and current.start <= match.start():
            continue
        word = match[0]
        if word.islower() and len(word) >= _LEAST_IN_LOWER_CASE and fold_text(word) in words.stands_for:
            yield f"lower-case: {word}"
        elif word in initials:
            yield f"initials: {word}"


def _may_be_one(persons: Sequence[Person]) -> Iterator[str]:
    """Yield the pairs of persons whose names share a word, without full names of different persons."""
    for one, other in itertools.combinations(persons, 2):
        forms = itertools.product(one.names, other.names)
        if shares_word(one.name, other.name) and not any(itertools.starmap(are_namesakes, forms)):
            yield f"two-codes: {one.name} | {other.name}"


def _initials(name: str) -> str:
    """The initials of a full name of three words or more ("JFK"); empty for shorter names."""
    letters = [word[0].upper() for word in re.split(r"[\s-]+", name) if word[:1].isalpha()]
    return "".join(letters) if len(letters) >= _LEAST_INITIALS and len(name_sequence(name)) > 1 else ""
