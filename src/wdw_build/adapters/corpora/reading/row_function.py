"""A function of the user's that changes the rows of a corpus before their fields are read."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wdw_build.core.hashing import file_sha256
from wdw_build.errors import ConfigError

NAME = "row"


class RowFunction:
    """The function ``row`` of a Python file, which gets a row as a dictionary and returns it changed.

    The file is executed. Raises ``ConfigError`` if it does not exist, fails, or has no such function.
    """

    def __init__(self, path: Path) -> None:
        self.sha256 = _hash(path)
        spec = importlib.util.spec_from_file_location("wdw_build_row_function", path)
        if spec is None or spec.loader is None:
            raise ConfigError(
                f"corpus.options.row_function: {path} is not a Python file", hint="name a file that ends in .py"
            )
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
            self._function = getattr(module, NAME)
        except Exception as error:
            raise ConfigError(
                f"corpus.options.row_function: {path} gives no function {NAME}: {type(error).__name__}: {error}",
                hint=f"define {NAME}(values), which returns a dictionary",
            ) from error

    def __call__(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The changed row. Raises ``ValueError`` that says what the function raised or returned instead."""
        try:
            changed = self._function(dict(values))
        except Exception as error:
            raise ValueError(f"row_function raised {type(error).__name__}: {error}"[:400]) from error
        if not isinstance(changed, Mapping):
            raise ValueError(f"row_function returned {type(changed).__name__} instead of a dictionary")
        return changed


def _hash(path: Path) -> str:
    try:
        return file_sha256(path)
    except OSError as error:
        raise ConfigError(
            f"corpus.options.row_function: cannot read {path}: {error.strerror}",
            hint="the path is relative to the folder of the corpus",
        ) from error
