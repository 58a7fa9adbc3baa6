"""Sentences of raw text, by NLTK's Punkt (Kiss & Strunk 2006) with a fixed list of abbreviations instead of a trained model.

``import nltk`` also imports SciPy and scikit-learn, which takes about five seconds of CPU time in every process.
Punkt needs neither, so ``_load_punkt`` imports its module without the rest of NLTK.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import re
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from wdw_build.core.installed import installed_version
from wdw_build.text.sentences.boundaries import ABBREVIATIONS

_PACKAGE = "nltk"
_CACHED = 1 << 16
# A word, a stop, blanks, and the next word, which contains no stop.
_CONTEXT = re.compile(r"(\w{2,}|\d)([.?!]\s+[^\s.?!])[^.?!]*")
_lock = threading.Lock()


class PunktSplitter:
    """``SentenceSplitter`` by NLTK's ``PunktSentenceTokenizer``."""

    @property
    def identity(self) -> str:
        """The library and its version. Raises ``MissingResourceError`` if NLTK is not installed."""
        return f"punkt, nltk {installed_version(_PACKAGE, 'the sentence splitter')}"

    def preload(self) -> None:
        """See ``Preloaded.preload``."""
        _tokenizer()

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; the end of a paragraph (a blank line) ends a sentence."""
        tokenize = _tokenizer().tokenize
        return [sentence for paragraph in text.split("\n\n") if paragraph.strip() for sentence in tokenize(paragraph)]


@functools.cache
def _tokenizer() -> Any:
    punkt = _load_punkt()
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    tokenizer = punkt.PunktSentenceTokenizer(parameters)
    # Decides by a word and the next one; articles repeat most of these pairs.
    decide = functools.lru_cache(_CACHED)(tokenizer.text_contains_sentbreak)
    tokenizer.text_contains_sentbreak = lambda context: decide(_as_read(context))
    return tokenizer


def _as_read(context: str) -> str:
    """A context that Punkt cannot tell from the given one.

    Without a trained model, Punkt knows of a word of letters only whether it is an abbreviation, does not distinguish whole
    numbers, and sees only the first character of the next word.
    """
    match = _CONTEXT.fullmatch(context)
    if match is None:
        return context
    if match[1].isdecimal():
        return f"0{match[2]}"
    return f"word{match[2]}" if match[1].isalpha() and match[1].lower() not in ABBREVIATIONS else context


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
