"""Draws surrogate words and codes, by hashes of seed, problem and word, and writes them in the form of the name they replace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from wdw_build.text.names.matching import PARTICLES, fold, fold_text
from wdw_build.text.pseudonyms.find import Found, Piece, is_initial
from wdw_build.text.pseudonyms.genders import FEMALE, MALE
from wdw_build.text.pseudonyms.people import NameWords, Person, name_sequence
from wdw_build.text.pseudonyms.pool import FreeNames, Origin

# A number in [0, 1) that depends on run, problem and the text alone.
Draw = Callable[[str], float]
_ALPHABET = "ABCDEFGHIJKLMNOPRSTVWZ"
_LEAST_WITHIN = 4
_SMALLEST_ALL_CAPITALS = 2
_LETTER = re.compile(r"[^\W\d_]")
# A possessive apostrophe after a name that ends with s; a closing quotation mark does not stand before a lower-case word
# unless the quotation was opened with one.
_BARE_POSSESSIVE = re.compile(r"['’](?= [^\W\d_])")
_ENDS_LIKE_A_PLURAL = ("s", "z", "x")


def surrogate_initial(words: Mapping[str, str], number: int, person: Person, letter: str, draw: Draw) -> str:
    """The initial of the surrogate given name that stands for a given name with this letter, or else a drawn letter.

    ``words``: see ``draw_surrogates``; ``number`` is that of the person.
    """
    for word in person.words:
        if word.startswith(fold_text(letter)):
            return words[word][:1].upper()
    others = _ALPHABET.replace(letter.upper(), "")
    return others[int(draw(f"initial\x1f{number}\x1f{letter}") * len(others))]


def codes(count: int, draw: Draw) -> list[str]:
    """The codes ``@entity0`` to ``@entityN`` of the persons, permuted."""
    order = sorted(range(count), key=lambda number: (draw(f"code\x1f{number}"), number))
    ranks = {number: rank for rank, number in enumerate(order)}
    return [f"@entity{ranks[number]}" for number in range(count)]


def draw_surrogates(
    persons: Sequence[Person], genders: Sequence[str], words: NameWords, free: FreeNames, taken: Set[str], draw: Draw
) -> dict[str, str] | None:
    """A surrogate for every word of the persons' names; None if the pool has too few names.

    ``taken`` are the folded words of the problem's texts. No two words share a surrogate unless one stands for the other,
    and no surrogate contains a real word of four or more letters.
    """
    drawn: dict[str, str] = {}
    used = set(taken)
    long_words = [word for word in words.stands_for if len(word) >= _LEAST_WITHIN]
    for word in words.drawn:
        bearer = words.bearers[word][0]
        candidates = _candidates(word, persons[bearer], genders[bearer], words, free, draw)
        for name in candidates:
            folded = fold_text(name)
            if folded not in used and not any(real in folded for real in long_words):
                drawn[word] = name
                used.add(folded)
                break
        else:
            return None
    return {word: drawn[whole] for word, whole in words.stands_for.items()}


def _candidates(word: str, person: Person, gender: str, words: NameWords, free: FreeNames, draw: Draw) -> Iterator[str]:
    """Yield names for a word: of a drawn origin first, then of the others, and blends at last.

    The given name has the origin of the person's surname, which is drawn independently of the real name.
    """
    surname = next((name[-1] for name in map(name_sequence, person.names) if len(name) > 1), word)
    first = int(draw(f"origin\x1f{words.stands_for.get(surname, surname)}") * len(free.origins))
    is_family = word in words.families
    if not gender:
        gender = FEMALE if draw(f"gender\x1f{person.name}") < 1 / 2 else MALE
    for origin in (*free.origins[first:], *free.origins[:first]):
        yield from _from(_names(origin, is_family, gender), draw(f"{origin.name}\x1f{word}"))
    yield from _from(free.blends, draw(f"blend\x1f{word}"))


def _names(origin: Origin, is_family: bool, gender: str) -> tuple[str, ...]:
    if is_family:
        return origin.family
    return origin.female if gender == FEMALE else origin.male


def _from(names: Sequence[str], place: float) -> Iterator[str]:
    """Yield the names from a place in [0, 1) on, around the end."""
    start = int(place * len(names))
    yield from names[start:]
    yield from names[:start]


def in_shape_of(surface: str, surrogate: str) -> str:
    """A surrogate word with the capitals of the word that it replaces: "OBAMA" gives "KELLMER", "mccain" "kellmer"."""
    letters = [character for character in surface if character.isalpha()]
    upper = sum(character.isupper() for character in letters)
    if len(letters) >= _SMALLEST_ALL_CAPITALS and upper > len(letters) / 2 and surface[-1:].isupper():
        return surrogate.upper()
    return surrogate.lower() if not upper else surrogate


def surrogate_text(text: str, found: Found, surrogates: Mapping[str, str], initial: Callable[[str], str]) -> str:
    """The text of a name with surrogates for its words. ``initial`` gives the initial for a letter of the real name."""
    parts = [_between(text[found.start : found.pieces[0].start], initial)]
    for piece, following in zip(found.pieces, (*found.pieces[1:], None), strict=True):
        parts.append(_with_suffix(text, piece, surrogates[piece.word]))
        if following is not None:
            parts.append(_between(text[piece.end : following.start], initial))
    return "".join(parts)


def _with_suffix(text: str, piece: Piece, surrogate: str) -> str:
    word = in_shape_of(text[piece.start : piece.end], surrogate)
    suffix = piece.suffix
    if suffix.lower() == "ies":
        suffix = "S" if suffix.isupper() else "s"
    return word + suffix


def _between(gap: str, initial: Callable[[str], str]) -> str:
    """The text between two words of a name: initials become those of the surrogate, particles are dropped."""
    if not any(_LETTER.search(word) for word in gap.split()):
        return gap
    kept = [_initials(word, initial) for word in re.split(r"(\s+)", gap) if not _is_particle(word)]
    joined = re.sub(r"\s+", " ", "".join(kept))
    return joined if gap[0].isspace() else joined.lstrip()


def _initials(word: str, initial: Callable[[str], str]) -> str:
    return _LETTER.sub(lambda match: initial(match[0]), word) if is_initial(word.rstrip("- ")) else word


def _is_particle(word: str) -> bool:
    return bool(word.strip()) and fold(word.rstrip("-")) in PARTICLES


def bare_possessive(text: str, end: int) -> bool:
    """Whether a name that ends at ``end`` with s is followed by a possessive apostrophe alone ("Jones' car")."""
    if not text[:end].lower().endswith(_ENDS_LIKE_A_PLURAL) or not _BARE_POSSESSIVE.match(text, end):
        return False
    paragraph = text[text.rfind("\n", 0, end) + 1 : end]
    return not re.search(r"(?:^|[\s(—-])['‘]", paragraph)
