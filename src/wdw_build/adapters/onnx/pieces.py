"""Word pieces of a sentence's words, as the second tagger reads them, in training and in use.

The encoder's vocabulary is uncased. The shape of a word, read with each of its pieces, tells capitals from small letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

# Pieces of one pass, with the two at its ends; the encoder has places for 512.
MOST_PIECES = 256
_PIECES_A_WORD = 8
_OPEN, _CLOSE, _UNKNOWN = 101, 102, 100
SHAPES = 7
_EDGE, _CAPITALS, _CAPITAL, _DIGIT, _SYMBOL, _CAPITAL_INSIDE, _SMALL = range(SHAPES)


class Pieces(NamedTuple):
    """A sentence's pieces, with the word's shape for each piece, and the place of the first piece of each word read.

    ``before`` has, for each piece, the place of the first piece of the word before.
    """

    pieces: list[int]
    shapes: list[int]
    firsts: list[int]
    before: list[int]


def shape(word: str) -> int:
    """The number of the word's shape: how it uses capitals, digits and symbols."""
    if word.isupper() and len(word) > 1:
        return _CAPITALS
    if word[:1].isupper():
        return _CAPITAL
    if any(letter.isdigit() for letter in word):
        return _DIGIT
    if not any(letter.isalnum() for letter in word):
        return _SYMBOL
    return _CAPITAL_INSIDE if any(letter.isupper() for letter in word) else _SMALL


def cut(words: Sequence[str], tokenizer: Any) -> Pieces:
    """The pieces of a sentence up to ``MOST_PIECES``; words that do not fit are left out."""
    # The tokenizer reads UTF-8, which cannot hold lone surrogates.
    encodable = [word.encode("utf-8", "replace").decode("utf-8") for word in words[:MOST_PIECES]]
    encoding = tokenizer.encode(encodable, is_pretokenized=True, add_special_tokens=False)
    by_word: list[list[int]] = [[] for _ in encodable]
    for piece, word in zip(encoding.ids, encoding.word_ids, strict=True):
        if len(by_word[word]) < _PIECES_A_WORD:
            by_word[word].append(piece)
    pieces, shapes, firsts, before = [_OPEN], [_EDGE], [0], [0]
    for text, own in zip(encodable, by_word, strict=True):
        own = own or [_UNKNOWN]
        if len(pieces) + len(own) >= MOST_PIECES:
            break
        before += [firsts[-1]] * len(own)
        firsts.append(len(pieces))
        pieces += own
        shapes += [shape(text)] * len(own)
    return Pieces([*pieces, _CLOSE], [*shapes, _EDGE], firsts[1:], [*before, firsts[-1]])
