"""The text behind the annotations of Annotated Gigaword (LDC2012T21; Napoles, Gormley & Van Durme 2012).

Tokens are set together again by their character offsets, and the brackets and quotation marks of the treebank are made
plain. The annotated edition has lost the paragraphs: every sentence is one. Headlines and datelines are trees.
"""

from __future__ import annotations

import re

from wdw_build.adapters.corpora.reading.markup import tidy, unescape

_SENTENCE = re.compile(r"<sentence\b[^>]*>(.*?)</sentence>", re.DOTALL)
_TOKEN = re.compile(r"<token\b[^>]*>(.*?)</token>", re.DOTALL)
_PART = re.compile(r"<(word|CharacterOffsetBegin|CharacterOffsetEnd)>\s*(.*?)\s*</\1>", re.DOTALL)
_LEAF = re.compile(r"\([^\s()]+ ([^\s()]+)\)")
_TREEBANK = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    "``": '"',
    "''": '"',
    "`": "'",
}


def sentences(block: str) -> tuple[str, ...]:
    """The text of every sentence of a document."""
    body, _, _ = block.partition("<sentences>")[2].partition("</sentences>")
    return tuple(filter(None, (_sentence(found[1]) for found in _SENTENCE.finditer(body))))


def headline(text: str) -> str:
    """The words of a headline or dateline; one that is no tree is left as it is."""
    leaves = _LEAF.findall(text) if text.startswith("(") else []
    return " ".join(map(_plain, leaves)) if leaves else text


def _sentence(text: str) -> str:
    """The words of a sentence; two that touch in the original, by their offsets, stand without a space."""
    pieces: list[str] = []
    last = ""
    for token in _TOKEN.finditer(text):
        part = dict(_PART.findall(token[1]))
        if pieces and (not last or part.get("CharacterOffsetBegin") != last):
            pieces.append(" ")
        pieces.append(_plain(unescape(part.get("word", ""))))
        last = part.get("CharacterOffsetEnd", "")
    return tidy("".join(pieces))


def _plain(word: str) -> str:
    return _TREEBANK.get(word, word.replace("\\/", "/").replace("\\*", "*"))
