"""The first look at a text: how likely each line, about a sentence, is page text, by a linear model of its form.

The model weighs words, shapes of words, length and place of a line, under hashes. It is quick, and clears most lines; a trained
tagger reads the others (``tagged_lines``). ``scripts/fit_page_marker.py`` fits its weights.
"""

from __future__ import annotations

import functools
import itertools
import re
import zlib
from array import array
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

from wdw_build.text.sentences.boundaries import goes_on, last_word, next_word

# The number of weights of the first look; a feature has the one of its hash. A weight is a whole number, so that sums are exact.
LINE_WEIGHTS, SCALE = 1 << 14, 1000
_WORD = re.compile(r"\w+|[^\w\s]")
_SENTENCE_GAP = re.compile(
    # Quick pre-test: most characters are no white space.
    r"(?=\s)(?<!\b[A-Z]\.)(?:(?<=[.!?])|(?<=[.!?][\"”’)])|(?<=[.!?][\"”’)]{2}))\s+(?=[\"“‘(]?[A-Z0-9])"
)
# Words of a line that have features, and lines at the start and the end of a text.
_FIRST, _LAST, _PAIRS = 15, 8, 12
_OUTER, _START = 3, 4
# What links leave within a sentence: words without a space between them ("TrumpFive"), and names that are said again.
_GLUED = re.compile(r"(?<!\bMc)(?<!\bMac)(?<=[a-z])[A-Z][a-z]|[a-z]MORE\b")
_AGAIN = re.compile(r"\b([A-Z]\w+)(?: [A-Z][\w.()]*){1,3} \1")
_MOST_LENGTHS, _LENGTH_STEP, _SHARES = 6, 4, 5
# How many words with a capital follow others, at most, and in ten words.
_MOST_JOINTS, _MOST_JOINTS_OF_TEN, _TEN = 6, 5, 10
_BEFORE_JOINT = '"”’)'


class Line(NamedTuple):
    """About a sentence of a text: its place, and the log odds that it is page text."""

    paragraph: int
    start: int
    end: int
    odds: float = 0.0


def lines_of(paragraphs: Sequence[str]) -> Iterator[Line]:
    """The lines of a text, in its order."""
    for number, paragraph in enumerate(paragraphs):
        start = 0
        for gap in _SENTENCE_GAP.finditer(paragraph):
            if not goes_on(last_word(paragraph[start : gap.start()]), next_word(paragraph, gap.end())):
                yield Line(number, start, gap.start())
                start = gap.end()
        if paragraph[start:].strip():
            yield Line(number, start, len(paragraph))


def judged(paragraphs: Sequence[str]) -> list[Line]:
    """The lines of a text with their log odds, rounded to thousandths."""
    lines, weights = list(lines_of(paragraphs)), _weights()
    return [
        line._replace(odds=(weights[LINE_WEIGHTS] + sum(weights[key] for key in keys)) / SCALE)
        for line, keys in zip(lines, features(paragraphs, lines), strict=True)
    ]


def features(paragraphs: Sequence[str], lines: Sequence[Line]) -> Iterator[list[int]]:
    """The hashes of the features of each line."""
    for number, line in enumerate(lines):
        paragraph = paragraphs[line.paragraph]
        of_line = _of_text(paragraph[line.start : line.end], is_whole=line.end - line.start == len(paragraph))
        if number < _START:
            of_line |= {"at start", f"at {number}"}
        if number >= len(lines) - _OUTER:
            of_line.add("at end")
        yield [zlib.crc32(feature.encode(errors="replace")) % LINE_WEIGHTS for feature in of_line]


def _of_text(text: str, *, is_whole: bool) -> set[str]:
    """The features of a line besides its place. ``is_whole``: it is the whole paragraph."""
    words = _WORD.findall(text)
    if not words:
        return {"empty"}
    lower = ["0" if word.isdigit() else word.lower() for word in words]
    shapes = list(map(_shape, words))
    length = f"length {min(_MOST_LENGTHS, len(words) // _LENGTH_STEP)}"
    capitals = sum(shape in "AX" for shape in shapes) * _SHARES // len(shapes)
    return {
        *(f"word {word}" for word in (*lower[:_FIRST], *lower[-_LAST:])),
        *(f"{place} {word}" for place, word in zip(("first", "second", "third"), lower, strict=False)),
        *(f"{place} {word}" for place, word in zip(("last", "last but one"), reversed(lower), strict=False)),
        *(" ".join(pair) for pair in itertools.pairwise(lower[:_PAIRS])),
        *("".join(three) for three in zip(shapes, shapes[1:_PAIRS], shapes[2:_PAIRS], strict=False)),
        *_joints(words),
        *(["glued"] if _GLUED.search(text) else []),
        *(["again"] if _AGAIN.search(text) else []),
        f"begins {shapes[0]}",
        f"ends {shapes[-1]}",
        f"capitals {capitals}",
        length,
        *((f"whole {length}", f"whole ends {shapes[-1]}", "whole") if is_whole else ()),
    }


def _joints(words: Sequence[str]) -> Iterator[str]:
    """The words with a capital within a line, where a headline or a caption may end before them, and how many there are."""
    joints = [
        word.lower()
        for before, word in itertools.pairwise(words)
        if word[0].isupper() and (before.islower() or before.isdigit() or before in _BEFORE_JOINT)
    ]
    yield from (f"joint {word}" for word in joints)
    yield f"joints {min(len(joints), _MOST_JOINTS)}"
    yield f"joints of ten {min(_TEN * len(joints) // len(words), _MOST_JOINTS_OF_TEN)}"


@functools.lru_cache(maxsize=1 << 16)
def _shape(word: str) -> str:
    if word.isupper() and len(word) > 1:
        return "A"
    if word[0].isupper():
        return "X"
    if word.isdigit():
        return "0"
    return "x" if word.isalpha() else word[0]


@functools.cache
def _weights() -> array[int]:
    """The weights, and the constant after them."""
    weights = array("h")
    weights.frombytes((files("wdw_build") / "models" / "page_text" / "lines.bin").read_bytes())
    return weights
