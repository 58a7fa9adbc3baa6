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
# Punkt looks for ends of sentences only here; in most paragraphs of newswire there is none before the last full stop.
_POSSIBLE_END = re.compile(r"[.?!]\W")
_lock = threading.Lock()


class PunktSplitter:
    """``SentenceSplitter`` by NLTK's ``PunktSentenceTokenizer``."""

    @property
    def identity(self) -> str:
        """The library and its version. Raises ``MissingResourceError`` if NLTK is not installed."""
        return f"punkt, nltk {installed_version(_PACKAGE, 'the sentence splitter')}"

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text; the end of a paragraph (a blank line) ends a sentence."""
        tokenizer = _tokenizer()
        sentences: list[str] = []
        for paragraph in text.split("\n\n"):
            if _POSSIBLE_END.search(paragraph):
                sentences += tokenizer.tokenize(paragraph)
            elif stripped := paragraph.rstrip():
                sentences.append(stripped)
        return sentences


@functools.cache
def _tokenizer() -> Any:
    punkt = _load_punkt()
    parameters = punkt.PunktParameters()
    parameters.abbrev_types = set(ABBREVIATIONS)
    tokenizer = punkt.PunktSentenceTokenizer(parameters)
    # Whether a sentence ends at a full stop depends only on the words around it, and these recur.
    tokenizer.text_contains_sentbreak = functools.lru_cache(_CACHED)(tokenizer.text_contains_sentbreak)
    return tokenizer


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
