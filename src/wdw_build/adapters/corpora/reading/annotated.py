"""Restores the raw text of Annotated Gigaword (LDC2012T21; Napoles, Gormley & Van Durme 2012).

Character offsets say which tokens a space separates; treebank brackets and quotation marks become plain characters.
The annotated edition does not mark paragraphs, so every sentence is read as a paragraph. Headlines and datelines are trees.
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
    return tuple(filter(None, (_sentence(match[1]) for match in _SENTENCE.finditer(body))))


def headline(text: str) -> str:
    """The words of a headline or dateline that is a tree; other text unchanged."""
    leaves = _LEAF.findall(text) if text.startswith("(") else []
    return " ".join(map(_plain, leaves)) if leaves else text


def _sentence(text: str) -> str:
    """The words of a sentence, without a space between two words that touch by their offsets."""
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
