"""Sentences of raw text, by NLTK's Punkt (Kiss & Strunk 2006) with a fixed list of abbreviations instead of a trained model.

``import nltk`` also imports SciPy and scikit-learn, which takes about five seconds of CPU time in every process.
Punkt needs neither, so ``_load_punkt`` imports its module without the rest of NLTK.

NLTK decides whether a sentence ends at a full stop; ``_Boundaries`` finds the full stops as NLTK's tokenizer does, in about
a fifth of its time. The results are those of ``PunktSentenceTokenizer.tokenize``.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from wdw_build.core.installed import installed_version
from wdw_build.text.sentences.boundaries import ABBREVIATIONS

_PACKAGE = "nltk"
_CACHED = 1 << 16
_lock = threading.Lock()


class PunktSplitter:
    """``SentenceSplitter`` by NLTK's ``PunktSentenceTokenizer``."""

    @property
    def identity(self) -> str:
        """The library and its version. Raises ``MissingResourceError`` if NLTK is not installed."""
        return f"punkt, nltk {installed_version(_PACKAGE, 'the sentence splitter')}"

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        _boundaries()

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; the end of a paragraph (a blank line) ends a sentence."""
        boundaries = _boundaries()
        return [
            sentence
            for paragraph in text.split("\n\n")
            if paragraph.strip()
            for sentence in boundaries.sentences(paragraph)
        ]


# White space as NLTK's regular expressions see it: Python's, without the four separators of ASCII.
_SPACE, _NO_SPACE = r"[^\S\x1c-\x1f]", r"[\S\x1c-\x1f]"
_CLOSING = "\"')]}\u2018\u2019\u201c\u201d\xab\xbb"
# A possible end of a sentence, with the punctuation after it, or with the white space and the token after it.
_CANDIDATE = re.compile(rf"[.?!](?=([{re.escape(_CLOSING)};*:@({{\[?!])|({_SPACE}+)({_NO_SPACE}+))")
_ASCII_SPACE = " \n\t\r\v\f"


class _Candidate(NamedTuple):
    """A possible end of a sentence: its match, and where the word before it begins."""

    match: re.Match[str]
    word: int


class _Boundaries:
    """Finds the sentences of a paragraph."""

    def __init__(self, tokenizer: Any) -> None:
        self._ends_sentence: Callable[[str], bool] = functools.lru_cache(_CACHED)(tokenizer.text_contains_sentbreak)
        self._closing = tokenizer._lang_vars.re_boundary_realignment.match

    def sentences(self, text: str) -> list[str]:
        """The sentences of a paragraph that is not blank; closing quotes and brackets belong to the sentence before them."""
        if _CANDIDATE.search(text) is None:
            return [text.rstrip()]
        found, moved = [], 0
        slices = self._slices(text)
        for number, (start, stop) in enumerate(slices, 1):
            start += moved
            moved = 0
            if number < len(slices):
                following, end = slices[number]
                if text[following : following + 1] in _CLOSING and (match := self._closing(text[following:end])):
                    found.append(text[start : following + len(match.group().rstrip())])
                    moved = match.end()
                    continue
            if start < stop:
                found.append(text[start:stop])
        return found

    def _slices(self, text: str) -> list[tuple[int, int]]:
        """The sentences as [start, stop), cut at the full stops."""
        start, slices = 0, []
        for match, word in _candidates(text):
            if self._is_end(text[word : match.start()], match):
                slices.append((start, match.end()))
                start = match.end() if match[1] else match.start(3)
        slices.append((start, len(text.rstrip())))
        return slices

    def _is_end(self, word: str, match: re.Match[str]) -> bool:
        following = match[3]
        if following and following.isascii() and following.isalpha() and word.isascii() and word.isprintable():
            # Without collocations, frequent sentence starters and orthographic contexts, only the case of the first letter
            # of the following word counts, and nothing of it after a word of several letters.
            if match[0] == "." and len(word) > 1 and word.isalpha():
                return word.lower() not in ABBREVIATIONS
            return self._ends_sentence(f"{word}{match[0]} {'A' if following[0].isupper() else 'a'}")
        return self._ends_sentence(f"{word}{match[0]}{match[1] or match[2] + following}")


def _candidates(text: str) -> Iterator[_Candidate]:
    """The possible ends of sentences; of those that share the word before them, the last one."""
    spaces = [space for space in _ASCII_SPACE if space in text]
    before: _Candidate | None = None
    word = stop = 0
    for match in _CANDIDATE.finditer(text):
        last_space = max((text.rfind(space, stop + 1, match.start()) for space in spaces), default=-1)
        word = last_space + 1 if last_space >= 0 else word
        if before is not None and stop <= word:
            yield before
        before, stop = _Candidate(match, word), match.start()
    if before is not None:
        yield before


@functools.cache
def _boundaries() -> _Boundaries:
    punkt = _load_punkt()
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    return _Boundaries(punkt.PunktSentenceTokenizer(parameters))


def _load_punkt() -> ModuleType:
    """The module ``nltk.tokenize.punkt``. Leaves ``sys.modules`` as it was, so that ``import nltk`` still works elsewhere."""
    name = f"{_PACKAGE}.tokenize.punkt"
    with _lock:
        if _PACKAGE in sys.modules:
            return importlib.import_module(name)
        try:
            _add_empty_packages(name.split(".")[:-1])
            return importlib.import_module(name)
        finally:
            for loaded in [key for key in sys.modules if key.partition(".")[0] == _PACKAGE]:
                del sys.modules[loaded]


def _add_empty_packages(packages: list[str]) -> None:
    """Put an empty package with the same search path in place of each package that the module is in."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ImportError(f"{_PACKAGE} is not installed")
    folder = Path(spec.origin).parent
    for depth in range(1, len(packages) + 1):
        empty = ModuleType(".".join(packages[:depth]))
        empty.__path__ = [str(folder.joinpath(*packages[1:depth]))]
        sys.modules[empty.__name__] = empty
