"""Finds the names of a problem's persons in a text: tagged mentions, their words elsewhere, and words derived from them."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wdw_build.records import Span
from wdw_build.text.names.matching import fold
from wdw_build.text.pseudonyms.pieces import Piece, pieces
from wdw_build.text.pseudonyms.words import NameWords

INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[ -]?){1,4}$")
_NOT_INITIALS = re.compile(r"(?:\b(?:U\. ?[SNK]|E\. ?[UC]|D\. ?C|[AP]\. ?M)\.(?: ?S\. ?R\.)?\s?)$")
_LOOK_BACK = 24
_WORD = re.compile(r"[^\W\d_]+")
_SEPARATES = re.compile(r"\b(?:and|or)\b|[&,;:/\n]")
_INITIAL = re.compile(r"[^\W\d_a-z]\.?(?:[^\W\d_a-z]\.)*")


@dataclass(frozen=True)
class Found:
    """A name in a text: its span, the person's index, its pieces, and the kind of ``NameReplacement``.

    ``tagged`` is the mention that contains the name, if there is one.
    """

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
        kept: list[tuple[int, int, int]] = []
        for span, person in sorted(mentions, key=lambda pair: (pair[0].start, -pair[0].end)):
            if not kept or span.start >= kept[-1][1]:
                kept.append((span.start, span.end, person))
        return Mentions(kept)

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
    text: str, words: NameWords, mentions: Mentions, preferred: Callable[[Sequence[int]], Sequence[int]] = list
) -> Iterator[Found]:
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
        yield Found(start, end, person, tuple(run), _kind(run, mention))


def _kind(run: Sequence[Piece], mention: int | None) -> str:
    if any(piece.suffix for piece in run):
        return "derived"
    return "word" if mention is None else "mention"


def _runs(text: str, words: NameWords, mentions: Mentions) -> Iterator[list[Piece]]:
    """Yield the pieces of each name together: a name ends where another mention or another person's words begin."""
    run: list[Piece] = []
    for piece in pieces(text, words.stands_for, words.families):
        if not (is_capitalised(text, piece) or piece.is_web or mentions.around(piece) is not None):
            continue
        if run and not _continues(text, run, piece, words, mentions):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _continues(text: str, run: list[Piece], piece: Piece, words: NameWords, mentions: Mentions) -> bool:
    """Whether a piece belongs to the name that the run begins.

    A name is not continued after a suffix, a mention, "and" or a comma. Outside of the mentions, only initials and
    particles stand between the words of a name; a given name that the tagger left out is joined to the mention after it.
    """
    gap, before, inside = text[run[-1].end : piece.start], mentions.around(run[-1]), mentions.around(piece)
    if run[-1].suffix or _SEPARATES.search(gap):
        return False
    if before is not None:
        return before == inside
    joins = gap in {"", " ", "-"} or (
        gap[:1] == " " and all(is_initial(word) or fold(word) in words.particles for word in gap.split())
    )
    if not joins or piece.word in {one.word for one in run}:
        return False
    owners = _owners([*run, piece], words)
    return bool(owners) and (inside is None or mentions.spans[inside][2] in owners)


def _owners(run: Sequence[Piece], words: NameWords) -> list[int]:
    """The persons whose names have all words of a run."""
    owners = [set(words.bearers[piece.word]) for piece in run]
    return sorted(set.intersection(*owners)) or (sorted(owners[-1]) if len(run) == 1 else [])


def is_initial(word: str) -> bool:
    """Whether a written word is an initial, or several ("F.", "J.R.")."""
    return bool(_INITIAL.fullmatch(word))


def _extended(text: str, first: Piece, words: NameWords, least: int) -> int:
    """The start of a name with the initials and the particles directly before its first word, not before ``least``."""
    start = first.start
    while True:
        before = text[max(least, start - _LOOK_BACK) : start]
        particle = next((word for word in _last_word(before) if fold(word) in words.particles), "")
        initials = INITIALS.search(before)
        if particle and before[-1:] in {" ", "-"}:
            start -= len(particle) + 1
        elif initials and not _NOT_INITIALS.search(before) and not before[: initials.start()][-1:].isalnum():
            start -= len(initials[0])
        else:
            return start


def _last_word(before: str) -> list[str]:
    """The last word of a text that ends with a space or hyphen, in a list; empty if there is none."""
    words = _WORD.findall(before)
    return words[-1:] if words and before[:-1].endswith(words[-1]) else []
