"""Measures how hard a dataset is: trains and evaluates reading-comprehension systems on the splits of runs (Table 4)."""

from __future__ import annotations

import importlib.util

_LIBRARIES = ("safetensors", "transformers")


def require_extra() -> None:
    """Raise ``MissingResourceError`` unless the libraries of the extra ``bench`` are installed."""
    if missing := [name for name in _LIBRARIES if importlib.util.find_spec(name) is None]:
        from wdw_build.api import MissingResourceError

        raise MissingResourceError(
            f"wdw-build bench needs {' and '.join(missing)}", hint="pip install 'wdw-build[bench]'"
        )
