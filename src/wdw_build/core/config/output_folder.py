"""Refuses an ``output_dir`` that lies in the corpus: the reader would take the files of the store for articles."""

from __future__ import annotations

import fnmatch
import os
from pathlib import Path

from wdw_build.core.config.settings import Config
from wdw_build.errors import ConfigError

# The folders in output_dir.
_CONTENT = ("store", "runs")


def refuse_output_in_corpus(config: Config) -> None:
    """Raise ``ConfigError`` if a search of ``corpus.path``, a folder or a glob, would enter ``output_dir``.

    Both paths are absolute. A search enters no hidden folder.
    """
    if config.corpus.path == "-":
        return
    parts = Path(config.corpus.path).parts
    plain = next((number for number, part in enumerate(parts) if any(sign in part for sign in "*?[")), len(parts))
    root, output = (Path(os.path.realpath(path)) for path in (Path(*parts[:plain]), config.output_dir))
    if not output.is_relative_to(root):
        return
    folders = output.relative_to(root).parts
    if not any(folder.startswith(".") for folder in folders) and _enters(folders, parts[plain:] or ("**",)):
        raise ConfigError(
            f"output_dir ({config.output_dir}) lies in the corpus ({config.corpus.path}), so its files would be read as articles",
            hint="set output_dir to a folder outside corpus.path",
        )


def _enters(folders: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a glob may match a file below the content of the folder."""
    for folder, part in zip(folders, pattern, strict=False):
        if part == "**":
            return True
        if not fnmatch.fnmatchcase(folder, part):
            return False
    rest = pattern[len(folders) :]
    return rest[:1] == ("**",) or (len(rest) > 1 and any(fnmatch.fnmatchcase(name, rest[0]) for name in _CONTENT))
