"""Single modules of NLTK, without the rest of it: ``import nltk`` takes SciPy and scikit-learn in, which take seconds.

NLTK's packages are stood in for by empty ones with the same search path while a module of it is loaded; afterwards
everything is as before, so that ``import nltk`` elsewhere gets the whole.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import threading
from pathlib import Path
from types import ModuleType

_ROOT = "nltk"
_lock = threading.Lock()


@functools.cache
def load(name: str) -> ModuleType:
    """A module such as ``nltk.tokenize.punkt``. Raises ``ImportError`` if it is not there."""
    with _lock:
        if _ROOT in sys.modules:
            return importlib.import_module(name)
        try:
            _stand_in(name.split(".")[:-1])
            return importlib.import_module(name)
        finally:
            for loaded in [key for key in sys.modules if key.partition(".")[0] == _ROOT]:
                del sys.modules[loaded]


def _stand_in(packages: list[str]) -> None:
    """Put an empty package in place of each that the module is in."""
    spec = importlib.util.find_spec(_ROOT)
    if spec is None or spec.origin is None:
        raise ImportError(f"{_ROOT} is not installed")
    folder = Path(spec.origin).parent
    for depth in range(1, len(packages) + 1):
        empty = ModuleType(".".join(packages[:depth]))
        empty.__path__ = [str(folder.joinpath(*packages[1:depth]))]
        sys.modules[empty.__name__] = empty
