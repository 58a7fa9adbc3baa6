"""How far a corpus has been read, told from outside the reader: by the file that a place names, and where it is open.

A corpus does not say how many articles it holds. The share of its bytes that was read does, nearly: progress bars and
the estimate of a run's time extrapolate from it.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_OWN_FILES = Path("/proc/self/fd")


class CorpusProgress:
    """The bytes of a reader's files that lie behind a place. A reader without ``files`` and ``place`` tells nothing."""

    def __init__(self, reader: Any) -> None:
        files: Sequence[Path] = getattr(reader, "files", ()) if hasattr(reader, "place") else ()
        self._places = {str(reader.place(file)): at for at, file in enumerate(files)}
        self._files = [os.path.realpath(file) for file in files]
        self._before = [0, *itertools.accumulate(Path(file).stat().st_size for file in self._files)]

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return self._before[-1]

    def size_of(self, at: int) -> int:
        """Bytes of one file."""
        return self._before[at + 1] - self._before[at]

    def file_at(self, place: str) -> int | None:
        """Which file a place is in: a place is the file's, and what follows a colon."""
        while place and place not in self._places:
            place = place.rpartition(":")[0]
        return self._places.get(place)

    def within(self, at: int) -> int | None:
        """The bytes of a file that were read, if it is open now and the system tells (Linux)."""
        try:
            for link in _OWN_FILES.iterdir():
                if os.path.realpath(link) == self._files[at]:
                    lines = Path("/proc/self/fdinfo", link.name).read_text().splitlines()
                    return int(lines[0].split()[1])
        except (OSError, ValueError, IndexError):
            return None
        return None

    def behind(self, place: str) -> int | None:
        """The bytes behind a place, of a file that is no longer open none; None if that cannot be told."""
        at = self.file_at(place)
        if at is None:
            return None
        return self._before[at] + (self.within(at) or 0)
