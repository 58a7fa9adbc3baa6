r"""Sentence boundaries by the rules of Punkt (Kiss & Strunk 2006), with a fixed list of abbreviations.

Punkt decides at every ".", "?" and "!" from the word before the mark and the token after it. The rules that need a trained
model (collocations, frequent sentence starters, how often a word is written with a capital) are left out. The result is
that of ``PunktSentenceTokenizer`` in NLTK 3.10 with the same abbreviations; a test compares the two. NLTK itself is not
imported: it takes SciPy and scikit-learn in, about five seconds of CPU time in every process. The regular expressions
are NLTK's (see NOTICE).
"""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Iterator
from itertools import pairwise

ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sen rep gov gen lt col maj capt cmdr adm sgt cpl pvt rev hon st jr sr vs inc corp co ltd bros "
    "jan feb mar apr jun jul aug sept sep oct nov dec mon tue wed thu fri sat sun no nos vol dept univ assn ave blvd "
    "u.s u.n u.k e.u a.m p.m d.c i.e e.g etc ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn "
    "miss mo mont neb nev okla ore pa tenn tex va vt wash wis wyo messrs supt insp det mgr fr sra srta".split()
)
_NON_WORD = r"""[)";}\]*:@'({\[‘’“”«»?!]"""
_MULTIPLE = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
# A mark that may end a sentence: punctuation or another token follows it.
_MARK = re.compile(rf"[.?!](?=(?P<after>{_NON_WORD}|\s+(?P<next>\S+)))")
_TOKEN = re.compile(
    rf"{_MULTIPLE}"
    r"""|(?=[^("`{\[:;&\#*@)}\]\-,])\S+?"""
    rf"(?=\s|$|{_NON_WORD}|{_MULTIPLE}|,(?=$|\s|{_NON_WORD}|{_MULTIPLE}))"
    r"|\S"
)
# Closing quotes and brackets after the mark still belong to the sentence.
_CLOSING = re.compile(r"""["')\]}‘’“”«»]+?(?:\s+|(?=--)|$)""", re.MULTILINE)
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*\.?$")
_INITIAL = re.compile(r"[^\W\d]\.$")
_PUNCTUATION = frozenset(";:,.!?")
_CACHED = 1 << 16


def split_sentences(text: str) -> list[str]:
    """The sentences of a paragraph, without the white space between them."""
    return [text[start:end] for start, end in _with_closing_quotes(text, list(_spans(text)))]


def _spans(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for mark, context in _candidates(text):
        if _holds_boundary(context):
            yield start, mark.end()
            start = mark.start("next") if mark["next"] else mark.end()
    yield start, len(text.rstrip())


def _candidates(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each mark that may end a sentence, with its context: "Corp. Chairman". Of several on one word ("What?!") the last."""
    candidate: re.Match[str] | None = None
    start = end = 0  # of the word before the candidate
    for mark in _MARK.finditer(text):
        before = text[end : mark.start()]
        space = max(map(before.rfind, string.whitespace))
        word = end + space + 1 if space > 0 else start
        if candidate and end <= word:
            yield candidate, text[start : candidate.end()] + candidate["after"]
        candidate, start, end = mark, word, mark.start()
    if candidate:
        yield candidate, text[start : candidate.end()] + candidate["after"]


@functools.lru_cache(_CACHED)
def _holds_boundary(context: str) -> bool:
    tokens = [token for line in context.split("\n") for token in _TOKEN.findall(line)]
    return any(_ends_sentence(before, after) for before, after in pairwise(tokens))


def _ends_sentence(before: str, after: str) -> bool:
    """Whether a sentence ends between two tokens."""
    if before in {"?", "!"}:
        return True
    if not before.endswith(".") or before.endswith(".."):
        return False
    word = before[:-1].lower()
    if word in ABBREVIATIONS or word.split("-")[-1] in ABBREVIATIONS:
        return False
    initial = _INITIAL.match(before)
    if initial or _NUMBER.match(before):
        continues = after in _PUNCTUATION or after[0].islower()
        return not continues and not (initial and after[0].isupper())
    return True


def _with_closing_quotes(text: str, spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans, each extended over the closing quotes and brackets that the next one begins with."""
    moved = 0
    for (start, end), (low, high) in pairwise([*spans, (len(text), len(text))]):
        start += moved
        closing = _CLOSING.match(text[low:high])
        moved = closing.end() if closing else 0
        if closing:
            end = low + len(closing[0].rstrip())
        if closing or start < end:
            yield start, end
