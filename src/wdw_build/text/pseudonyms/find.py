"""Finds the names of a problem's persons in a text: tagged mentions, their words elsewhere, and words derived from them.

``pieces`` cuts a text into stretches that are words of names: runs of letters, words joined by hyphens, words with a suffix,
and handles and addresses with a name in them.
``find_names`` joins the pieces of each name and gives it a person.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.records import Span
from wdw_build.text.names.name import fold, fold_text
from wdw_build.text.pseudonyms.persons import NameWords

# A run of letters, with accents that are characters of their own, and with an apostrophe inside ("O'Neill").
LETTERS = r"(?:[^\W\d_][\u0300-\u036f]*)"
_WORD = re.compile(rf"{LETTERS}+(?:['’](?!s\b){LETTERS}+)*", re.IGNORECASE)
_HYPHENS = "-‐‑–"
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,4}$")
_NOT_INITIALS = re.compile(r"(?:\b(?:U\. ?[SNK]|E\. ?[UC]|D\. ?C|[AP]\. ?M)\.(?: ?S\. ?R\.)?\s?)$")
_LOOK_BACK = 24
_RUN_OF_LETTERS = re.compile(r"[^\W\d_]+")
_SEPARATES = re.compile(r"\b(?:and|or)\b|[&,;:/\n]")
_INITIAL = re.compile(r"[^\W\d_a-z]{1,2}|(?:[^\W\d_a-z]\.)+")
_TOKEN = re.compile(
    rf"(?P<address>(?:[@#]|https?://|www\.)[\w./%-]*\w|[\w.@-]+\.(?:com|org|net|gov|edu|co)\b)|{_WORD.pattern}",
    re.IGNORECASE,
)
_IN_CAMEL_CASE = re.compile(r"[^\W\d_a-z]?[^\W\d_A-Z]+|[^\W\d_a-z]+(?![^\W\d_A-Z])")
_LEAST_IN_AN_ADDRESS = 4


class Piece(NamedTuple):
    """A stretch of text that is, or begins with, the word of a name.

    ``word`` is the folded word, ``suffix`` the text after it that belongs to a derived word ("omics"). ``is_address``: a
    handle, a tag or an address with the word in it.
    """

    start: int
    end: int
    word: str
    suffix: str = ""
    is_address: bool = False


def pieces(text: str, words: NameWords) -> Iterator[Piece]:
    """Yield the stretches of the text that are words of names or are derived from one, in order, without overlap.

    Their capitals are not tested.
    """
    tokens = list(_TOKEN.finditer(text))
    index = 0
    while index < len(tokens):
        if address := tokens[index]["address"]:
            if word := _word_in(address, words):
                yield Piece(*tokens[index].span(), word, is_address=True)
            index += 1
            continue
        count = _joined(tokens, index, text, words.bearers)
        start, end = tokens[index].start(), tokens[index + max(count, 1) - 1].end()
        if count:
            yield Piece(start, end, _key(text[start:end]))
        elif derived := _derived(text[start:end], words):
            length, word = derived
            yield Piece(start, start + length, word, text[start + length : end])
        index += max(count, 1)


def _word_in(address: str, words: NameWords) -> str:
    """The longest word of a name in an address, or an empty string."""
    folded = fold_text(address)
    inside = [word for word in words.bearers if len(word) >= _LEAST_IN_AN_ADDRESS and word in folded]
    return max(inside, key=len, default="")


def _key(surface: str) -> str:
    return fold_text("".join("-" if character in _HYPHENS else character for character in surface))


def _joined(tokens: list[re.Match[str]], index: int, text: str, words: Container[str]) -> int:
    """The number of written words from ``index``, joined by hyphens, that form the longest word of ``words``; 0 if none."""
    last = index
    while (
        last + 1 < len(tokens) and last - index < 3 and text[tokens[last].end() : tokens[last + 1].start()] in _HYPHENS
    ):
        last += 1
    for end in range(last, index - 1, -1):
        if _key(text[tokens[index].start() : tokens[end].end()]) in words:
            return end - index + 1
    return 0


def word_left(text: str, words: NameWords) -> str:
    """A word of a name that a text has with a capital or in an address, with its context; empty if there is none."""
    places = [piece.start for piece in pieces(text, words) if piece.is_address or is_capitalised(text, piece)]
    for match in _WORD.finditer(text):
        parts = _IN_CAMEL_CASE.findall(match[0])
        if len(parts) > 1 and any(part[0].isupper() and fold_text(part) in words.bearers for part in parts):
            places.append(match.start())
    return next((text[max(0, place - 30) : place + 40].replace("\n", " ") for place in places), "")


_LEAST_DERIVED_FROM = 4
# After a shorter name, "er" and "ed" make other names and words: "Miller", "Baked".
_LEAST_BEFORE_A_SHORT_SUFFIX = 5
_SUFFIXES = re.compile(
    r"(?:ism|ist|ists|ite|ites|ians?|esque|omics|nomics|onomics|care|gate|mania|i?[sz]ation|i[sz]ed|phobia|phobes?|philes?|"
    r"niks?|istas?|(?P<family>s|es|ies)|(?P<short>ed|ers?|(?<=a)ns?))"
)


def _derived(surface: str, words: NameWords) -> tuple[int, str] | None:
    """The length of the name at the start of a derived word, and its folded form; None for any other word.

    A plural is derived from surnames only: "Roberts" is not the plural of "Robert". A final "e" or "y" may be missing
    ("Gaullist", "Kennedies").
    """
    for length in range(len(surface) - 1, _LEAST_DERIVED_FROM - 2, -1):
        suffix = _SUFFIXES.fullmatch(surface.lower(), length)
        if suffix is None:
            continue
        stem = fold_text(surface[:length])
        least = _LEAST_BEFORE_A_SHORT_SUFFIX if suffix["short"] else _LEAST_DERIVED_FROM
        for word in (stem,) if suffix["short"] else (stem, stem + "e", stem + "y"):
            if len(word) >= least and word in words.bearers and (not suffix["family"] or word in words.families):
                return length, word
    return None


@dataclass(frozen=True)
class FoundName:
    """A name in a text: its span, the person's index, its pieces, and the kind of ``NameReplacement``."""

    start: int
    end: int
    person: int
    pieces: tuple[Piece, ...]
    kind: str


@dataclass(frozen=True)
class Mentions:
    """The tagged mentions of a text in order, each with the index of its person."""

    spans: Sequence[tuple[int, int, int]]

    @staticmethod
    def of(mentions: Sequence[tuple[Span, int]]) -> Mentions:
        """Mentions from spans and persons; a mention that overlaps an earlier one is dropped."""
        spans: list[tuple[int, int, int]] = []
        for span, person in sorted(mentions, key=lambda pair: (pair[0].start, -pair[0].end)):
            if not spans or span.start >= spans[-1][1]:
                spans.append((span.start, span.end, person))
        return Mentions(spans)

    def around(self, piece: Piece) -> int | None:
        """The index of the mention that contains a piece; None if there is none."""
        index = bisect.bisect_right(self.spans, (piece.start, piece.end + (1 << 40), 0)) - 1
        inside = index >= 0 and self.spans[index][0] <= piece.start and piece.end <= self.spans[index][1]
        return index if inside else None

    def last_before(self, persons: Sequence[int], offset: int) -> int:
        """The person of ``persons`` who is mentioned last before the offset, or else the first of ``persons``."""
        before = [person for start, _, person in self.spans if start < offset and person in persons]
        return before[-1] if before else persons[0]


def is_capitalised(text: str, piece: Piece) -> bool:
    """Whether a piece is written with a capital."""
    return any(character.isupper() for character in text[piece.start : piece.end])


def find_names(
    text: str, words: NameWords, mentions: Mentions, preferred: Callable[[Sequence[int]], Sequence[int]]
) -> Iterator[FoundName]:
    """Yield the names in a text in order, without overlap.

    ``preferred`` orders the persons that an untagged name may belong to, if none of them is mentioned before the name.
    """
    end = 0
    for run in _runs(text, words, mentions):
        mention = mentions.around(run[-1])
        if mention is not None:
            person = mentions.spans[mention][2]
        else:
            person = mentions.last_before(preferred(_owners(run, words)), run[0].start)
        start = _extended(text, run[0], words, end)
        end = run[-1].end + len(run[-1].suffix)
        yield FoundName(start, end, person, tuple(run), _kind(run, mention))


def _kind(run: Sequence[Piece], mention: int | None) -> str:
    if any(piece.suffix for piece in run):
        return "derived"
    return "word" if mention is None else "mention"


def _runs(text: str, words: NameWords, mentions: Mentions) -> Iterator[list[Piece]]:
    """Yield the pieces of each name together: a name ends where another mention or another person's words begin."""
    run: list[Piece] = []
    for piece in pieces(text, words):
        if not (piece.is_address or is_capitalised(text, piece) or mentions.around(piece) is not None):
            continue
        if run and not _continues(text, run, piece, words, mentions):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _continues(text: str, run: list[Piece], piece: Piece, words: NameWords, mentions: Mentions) -> bool:
    """Whether a piece belongs to the name that the run begins.

    A name is not continued after a suffix, an address, a mention, "and" or a comma. Outside of the mentions, only initials and
    particles stand between the words of a name; a given name that the tagger left out is joined to the mention after it.
    """
    gap, before, inside = text[run[-1].end : piece.start], mentions.around(run[-1]), mentions.around(piece)
    if run[-1].suffix or run[-1].is_address or piece.is_address or _SEPARATES.search(gap):
        return False
    if before is not None:
        return before == inside
    joins = gap in {" ", "-"} or (
        gap[:1] == " " and all(_INITIAL.fullmatch(word) or fold(word) in words.particles for word in gap.split())
    )
    if not joins or piece.word in {other.word for other in run}:
        return False
    owners = _owners([*run, piece], words)
    return bool(owners) and (inside is None or mentions.spans[inside][2] in owners)


def _owners(run: Sequence[Piece], words: NameWords) -> list[int]:
    """The persons whose names have all words of a run."""
    owners = [set(words.bearers[piece.word]) for piece in run]
    return sorted(set.intersection(*owners)) or (sorted(owners[-1]) if len(run) == 1 else [])


def _extended(text: str, first: Piece, words: NameWords, least: int) -> int:
    """The start of a name with the initials and the particles directly before its first word, not before ``least``."""
    start = first.start
    while True:
        before = text[max(least, start - _LOOK_BACK) : start]
        particle = next((word for word in _last_word(before) if fold(word) in words.particles), "")
        initials = _INITIALS.search(before)
        if particle and before[-1:] in {" ", "-"}:
            start -= len(particle) + 1
        elif initials and not _NOT_INITIALS.search(before) and not before[: initials.start()][-1:].isalnum():
            start -= len(initials[0])
        else:
            return start


def _last_word(before: str) -> list[str]:
    """The last word of a text that ends with a space or hyphen, in a list; empty if there is none."""
    words = _RUN_OF_LETTERS.findall(before)
    return words[-1:] if words and before[:-1].endswith(words[-1]) else []
