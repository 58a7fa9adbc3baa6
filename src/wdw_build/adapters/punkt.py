"""Sentences of raw text, by NLTK's Punkt (Kiss & Strunk 2006) with a fixed list of abbreviations instead of a trained model.

``import nltk`` also imports SciPy and scikit-learn, which takes about five seconds of CPU time in every process.
Punkt needs neither, so ``_load_punkt`` imports its module without the rest of NLTK.

Punkt asks at each stop whether it ends a sentence, and most of its time goes into calls around this question. ``_cut`` and
``_closed`` give the same sentences as its ``tokenize`` with fewer calls, and ask once for all words that Punkt treats alike.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import itertools
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from wdw_build.core.installed import installed_version
from wdw_build.text.sentences.boundaries import ABBREVIATIONS

_PACKAGE = "nltk"
_CACHED = 1 << 16
_WITHOUT_STOP = re.compile(r"[^\s.?!][^.?!]*")
# The characters besides the space that Punkt takes for the end of a word.
_BLANKS = "\n\t\r\x0b\x0c"
_Span = tuple[int, int]
_lock = threading.Lock()


class PunktSplitter:
    """``SentenceSplitter`` by NLTK's ``PunktSentenceTokenizer``."""

    @property
    def identity(self) -> str:
        """The library and its version. Raises ``MissingResourceError`` if NLTK is not installed."""
        return f"punkt, nltk {installed_version(_PACKAGE, 'the sentence splitter')}"

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        _punkt()

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; the end of a paragraph (a blank line) ends a sentence."""
        return [
            sentence
            for paragraph in text.split("\n\n")
            if paragraph.strip()
            for sentence in _closed(paragraph, _cut(paragraph))
            if sentence
        ]


class _Punkt(NamedTuple):
    """The parts of Punkt's tokenizer.

    ``stops`` finds the full stops, question and exclamation marks that may end a sentence, each with what follows.
    ``contains_end`` decides by the word before a stop, the stop and what follows. ``closing`` matches closing quotation marks
    and brackets after a stop.
    """

    stops: Any
    contains_end: Callable[[str], bool]
    closing: Any


@functools.cache
def _punkt() -> _Punkt:
    punkt = _load_punkt()
    parameters, language = punkt.PunktParameters(), punkt.PunktLanguageVars()
    parameters.abbrev_types = set(ABBREVIATIONS)
    tokenizer = punkt.PunktSentenceTokenizer(parameters, lang_vars=language)
    contains_end = functools.lru_cache(_CACHED)(tokenizer.text_contains_sentbreak)
    return _Punkt(language.period_context_re(), contains_end, language.re_boundary_realignment)


def _ends_sentence(word: str, stop: Any) -> bool:
    """Whether a sentence ends at a stop, a match of ``_Punkt.stops`` after ``word``."""
    # Without a trained model, Punkt knows of a word of letters only whether it is an abbreviation, does not distinguish
    # whole numbers, and sees only the first character of what follows, unless this contains a stop, too.
    if word.isdecimal():
        word = "0"
    elif len(word) > 1 and word.isalpha() and word.lower() not in ABBREVIATIONS:
        word = "word"
    following = stop["next_tok"] or stop["after_tok"]
    after = f" {following[0]}" if _WITHOUT_STOP.fullmatch(following) else stop["after_tok"]
    return _punkt().contains_end(word + stop[0] + after)


def _stops(text: str) -> Iterator[tuple[int, Any]]:
    """Yield the match of each stop that may end a sentence, after the start of the word before it.

    Of the stops between two blanks only the last may, unless the first is not after a word.
    """
    blanks = functools.reduce(lambda replaced, blank: replaced.replace(blank, " "), _BLANKS, text)
    start = end = 0
    last: Any = None
    for match in _punkt().stops.finditer(text):
        blank = blanks.rfind(" ", end, match.start())
        next_start = blank + 1 if blank > 0 else start
        if last and end <= next_start:
            yield start, last
        start, end, last = next_start, match.start(), match
    if last:
        yield start, last


def _cut(text: str) -> list[_Span]:
    """The spans of a paragraph between the stops that end a sentence."""
    spans: list[_Span] = []
    start = 0
    for word_start, stop in _stops(text):
        if _ends_sentence(text[word_start : stop.start()], stop):
            spans.append((start, stop.end()))
            start = stop.start("next_tok") if stop["next_tok"] else stop.end()
    return [*spans, (start, len(text.rstrip()))]


def _closed(text: str, spans: Sequence[_Span]) -> Iterator[str]:
    """Yield the text of spans; marks that close a sentence go from the start of the next span to the end of the sentence."""
    start = 0
    for (_, end), (next_start, next_end) in itertools.pairwise(spans):
        # Most sentences begin with a letter, which is no such mark.
        is_word = text[next_start : next_start + 1].isalnum()
        if not is_word and (marks := _punkt().closing.match(text, next_start, next_end)):
            yield text[start : next_start + len(marks[0].rstrip())]
            start = marks.end()
        else:
            yield text[start:end]
            start = next_start
    yield text[start : spans[-1][1]]


def _load_punkt() -> ModuleType:
    """The module ``nltk.tokenize.punkt``, imported below empty packages in place of ``nltk`` and ``nltk.tokenize``.

    Leaves ``sys.modules`` as it was, so that ``import nltk`` still works elsewhere.
    """
    name = f"{_PACKAGE}.tokenize.punkt"
    with _lock:
        if _PACKAGE in sys.modules:
            return importlib.import_module(name)
        spec = importlib.util.find_spec(_PACKAGE)
        if spec is None or spec.origin is None:
            raise ImportError(f"{_PACKAGE} is not installed")
        folder = Path(spec.origin).parent
        try:
            for package, path in ((_PACKAGE, folder), (f"{_PACKAGE}.tokenize", folder / "tokenize")):
                empty = sys.modules[package] = ModuleType(package)
                empty.__path__ = [str(path)]
            return importlib.import_module(name)
        finally:
            for loaded in [key for key in sys.modules if key.partition(".")[0] == _PACKAGE]:
                del sys.modules[loaded]
