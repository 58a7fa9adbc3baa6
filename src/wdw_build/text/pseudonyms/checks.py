"""Tests of replaced names: words that may not name a person, which refuse a problem, and leaks, which the record lists."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence, Set

from wdw_build.records import NameReplacement
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.matching import BEFORE_A_NAME, are_namesakes, fold, fold_text, shares_word
from wdw_build.text.pseudonyms.find import Found
from wdw_build.text.pseudonyms.people import NameWords, Person, name_sequence

_LEAST_IN_LOWER_CASE = 4
_LEAST_INITIALS = 3
# "the Thatcher years", "Clinton Foundation", "Trump-style".
_NAMED_AFTER = "era|years|administration|campaign|government|cabinet|doctrine|plan|law|bill|act|family"
_THING = re.compile(rf"(?: (?!\w+day\b)[A-Z][a-z]{{2,}}\b| (?:{_NAMED_AFTER})\b|-[a-z]{{3,}}\b)")
_WORD = re.compile(r"[^\W\d_]+")
COMMON_WORDS = word_list("common_words")
_THINGS_BEGIN = COMMON_WORDS | word_list("words_that_begin_things")
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?:…]['\"”’)]*\s+|\n\s*|[\"“]|[-•*–—]\s+)$")
_WORD_AFTER = re.compile(r"[ -]([^\W\d_a-z][^\W\d_]+)")
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w.]*) $")
_LOOK = 30


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


def other_meaning(
    text: str, found: Found, evidence: NameEvidence, lower_case: Set[str], sole_names: Set[str], is_headline: bool
) -> str:
    """Why a name outside of the tagged names may not name the person, or an empty string.

    ``lower_case`` are the words that the problem's texts also write in lower case, ``sole_names`` the words that are a
    person's whole name; ``is_headline``: most words of the text have a capital, so that a capital tells nothing. A name of
    several words, a word of a handle, and a person's whole name are the person's.
    """
    piece = found.pieces[0]
    if len(found.pieces) > 1 or piece.is_web:
        return ""
    surface = text[piece.start : piece.end] + piece.suffix
    if piece.word not in sole_names and (thing := _known_thing(text, found, evidence)):
        return f"{thing} names something else in the corpus"
    is_word = piece.word in COMMON_WORDS or (piece.word in lower_case and not evidence.is_known_alone(piece.word))
    starts = bool(_STARTS_SENTENCE.search(text[max(0, piece.start - _LOOK) : piece.start]))
    if is_word and not piece.suffix and (is_headline or starts):
        return f"{surface} may be an ordinary word"
    return ""


def _known_thing(text: str, found: Found, evidence: NameEvidence) -> str:
    """The name of a place or organisation that contains the word by the counts of the corpus, or an empty string.

    A lone word must be tagged as something else more often than as a person; "Trump Tower" and other names that begin
    with a surname are named after a person, unless the surname is an ordinary word ("White House").
    """
    piece = found.pieces[0]
    surface = text[piece.start : piece.end]
    if evidence.other.get(piece.word, 0) > max(1, evidence.person.get(piece.word, 0)):
        return surface
    after = _WORD_AFTER.match(text, piece.end)
    before = _WORD_BEFORE.search(text, max(0, piece.start - _LOOK), piece.start)
    is_titled = before is not None and fold(before[1]) in BEFORE_A_NAME
    around = ([f"{surface} {after[1]}"] if after and piece.word in _THINGS_BEGIN else []) + (
        [f"{before[1]} {surface}"] if before and not is_titled else []
    )
    return next((name for name in around if evidence.is_something_else(name)), "")
