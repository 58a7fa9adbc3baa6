"""Joins the tokens of a corpus that was published tokenised ("Weitz 's film , `` Twilight . ''"), as they stood in the text.

Such a text has a space before its commas and full stops. Splitters of sentences, taggers and readers expect text as it was
printed, and where they see a full stop between two spaces they miss the end of the sentence. The Penn Treebank's tokens
(Marcus et al. 1993) are joined with certainty. A hyphen or a dash between two spaces stays as it is: it may be either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# Commas and full stops; those that stand alone.
_MARK = re.compile(r"[,.](?=\s|$)")
_LONE_MARK = re.compile(r"(?<=\S)\s[,.](?=\s|$)")
_FEWEST_MARKS = 2
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_BRACKET = re.compile("|".join(_BRACKETS))
_CONTRACTION = re.compile(r"(?<=[\w.]) (?:(n['’]t)|(['’]) ?(s|m|d|re|ll|ve))(?![\w'’])", re.IGNORECASE)
_LEFT = re.compile(r"(?<=\S) (?=(?:[,.;:?!%)\]}…’”]|\.\.\.)(?:\s|$|[)\]}\"'’”]))")
_RIGHT = re.compile(r"(?<![^\s(\[{\"“‘])([(\[{$£€#“‘]) (?=\S)")
# The marks of double and of single quotations; the Treebank has one mark that opens and one that closes.
_QUOTATIONS = ((re.compile(r"(?<!\S)(?:``|''|\")(?!\S)"), '"', "''"), (re.compile(r"(?<!\S)[`'](?!\S)"), "'", ""))


def is_tokenised(texts: Sequence[str]) -> bool:
    """Whether half of the commas and full stops of a text, and two at least, stand between spaces."""
    marks = sum(len(_MARK.findall(text)) for text in texts)
    lone = sum(len(_LONE_MARK.findall(text)) for text in texts)
    return lone >= _FEWEST_MARKS and 2 * lone >= marks


def detokenise(text: str) -> str:
    """A paragraph with its tokens joined."""
    text = _BRACKET.sub(lambda match: _BRACKETS[match[0]], text)
    text = _CONTRACTION.sub(_contracted, text)
    for pattern, mark, closing in _QUOTATIONS:
        text = _with_quotations(text, pattern, mark, closing)
    return _RIGHT.sub(r"\1", _LEFT.sub("", text))


def _contracted(match: re.Match[str]) -> str:
    return match[1] or match[2] + match[3]


def _with_quotations(text: str, pattern: re.Pattern[str], mark: str, closing: str) -> str:
    """Lone quotation marks joined to the words that they enclose; an odd one at the end stays with the word before it."""
    found = list(pattern.finditer(text))
    pieces, last, opened = list[str](), 0, False
    for number, match in enumerate(found, 1):
        opened = not opened and match[0] != closing and number < len(found)
        start, end = match.span()
        if opened:
            end += text[end : end + 1] == " "
        else:
            start -= text[start - 1 : start] == " "
        pieces += [text[last:start], mark]
        last = end
    return "".join((*pieces, text[last:]))
