"""Tells relatives apart: a given name before a surname may be that of another person with the same surname.

The tagger leaves given names out: in "Chelsea [Clinton]", the mention passes for one of Bill Clinton, if he is in the
problem.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import Span
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.matching import BEFORE_A_NAME, PARTICLES, are_namesakes, fold
from wdw_build.text.names.word_lists import GIVEN_NAMES
from wdw_build.text.pseudonyms.checks import COMMON_WORDS
from wdw_build.text.pseudonyms.find import Found
from wdw_build.text.pseudonyms.people import PASSAGE, QUESTION, TITLE, Person, name_sequence
from wdw_build.text.pseudonyms.pool import NamePool

_LOOK_BACK = 40
_WORD_BEFORE = re.compile(
    r"(?:(?P<before>[\w.]+) )?(?<![^\W\d_])(?P<given>[^\W\d_a-z][^\W\d_]+(?:-[^\W\d_a-z][^\W\d_]+)*) $"
)
# Words of the lists of given names that mostly are titles or places in newswire, and words that begin places.
_NO_GIVEN_NAMES = BEFORE_A_NAME | COMMON_WORDS | PARTICLES | frozenset({"pastor", "texas"})
_BEGIN_PLACES = frozenset("north south east west new port san santa saint st fort lake mount".split())


def given_name_before(text: str, name: Found, is_headline: bool, pool: NamePool, evidence: NameEvidence) -> str:
    """The given name directly before a surname; empty if there is none.

    A given name is a frequent one, one of the pool, or one that the corpus tags with the surname more than once. In a
    headline, where other words have a capital too, the pool does not count.
    """
    match = _WORD_BEFORE.search(text[max(0, name.start - _LOOK_BACK) : name.start])
    if match is None or fold(match["before"] or "") in _BEGIN_PLACES or fold(match["given"]) in _NO_GIVEN_NAMES:
        return ""
    given, folded = match["given"], fold(match["given"])
    listed = folded in GIVEN_NAMES or (not is_headline and (folded in pool.female or folded in pool.male))
    return given if listed or evidence.leaning(f"{given} {name.pieces[-1].word}") > 1 else ""


def add_relatives(
    persons: list[Person],
    places: Sequence[tuple[str, Sequence[Found]]],
    pool: NamePool,
    evidence: NameEvidence,
    answer: Span,
) -> None:
    """Give each surname in passage, question and title the given name directly before it, with its bearer.

    ``places`` are the three texts with the names in them. ``answer``: the mention of the question that is its answer, and
    stays the answer's.
    """
    owners = tuple(persons)
    for place, (text, names) in enumerate(places):
        for name, before in zip(names, (None, *names), strict=False):
            owner = owners[name.person]
            given = given_name_before(text, name, place == TITLE, pool, evidence) if _is_surname(name, owner) else ""
            start = name.start - len(given) - 1
            is_free = before is None or before.end <= start
            if not given or not (is_free or (before is not None and before.kind == "word")):
                continue
            longer = f"{given} {text[name.pieces[0].start : name.pieces[-1].end]}"
            bearer = owner if _stays(owner, name, place, answer) else _bearer(persons, owner, longer, is_free)
            if bearer is not None:
                bearer.add_name(longer.title() if longer.isupper() else longer)
                _move(owner.mentions[place], bearer.mentions[place], name, start)


def _bearer(persons: list[Person], owner: Person, longer: str, is_free: bool) -> Person | None:
    """The bearer of a given name before a surname of ``owner``: who has this name in the problem, or else the owner.

    If the problem shows another given name of the owner, the bearer is a new person; but None if the given name already
    belongs to somebody (``is_free`` is false).
    """
    known = next((person for person in (owner, *persons) if _may_be(person, longer)), None)
    if known is not None or not is_free:
        return known
    if not any(len(name_sequence(name)) > 1 for name in owner.names):
        return owner
    persons.append(Person([]))
    return persons[-1]


def _stays(owner: Person, name: Found, place: int, answer: Span) -> bool:
    """Whether a name stays its owner's: the question's answer, and the last mention of a choice."""
    if place == QUESTION:
        return _overlap(answer, name)
    others = [span for span in owner.mentions[PASSAGE] if not _overlap(span, name)]
    return place == PASSAGE and owner.choice is not None and not others


def _is_surname(name: Found, person: Person) -> bool:
    """Whether a name ends like a full name of the person, or is the person's only word, and lacks the given name."""
    words = tuple(piece.word for piece in name.pieces)
    sequences = [name_sequence(form) for form in person.names]
    if any(piece.suffix or piece.is_web for piece in name.pieces):
        return False
    if any(len(sequence) > 1 and sequence[0] == words[0] for sequence in sequences):
        return False
    return any(sequence[-1:] == words[-1:] for sequence in sequences)


def _may_be(person: Person, name: str) -> bool:
    """Whether a person has a full name with the surname of ``name``, and a given name that may be the same."""
    surname = name_sequence(name)[-1]
    full = [form for form in person.names if len(name_sequence(form)) > 1]
    return any(name_sequence(form)[-1] == surname and not are_namesakes(form, name) for form in full)


def _move(owners: list[Span], bearers: list[Span], name: Found, start: int) -> None:
    """Move the mention that contains a name to its bearer, and extend it to the given name at ``start``."""
    for span in [span for span in owners if _overlap(span, name)]:
        owners.remove(span)
        bearers.append(Span(start=min(start, span.start), end=span.end))
        bearers.sort(key=lambda each: each.start)


def _overlap(span: Span, name: Found) -> bool:
    return span.start < name.end and name.start < span.end
