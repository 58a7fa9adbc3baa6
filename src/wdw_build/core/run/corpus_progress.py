"""How far a corpus has been read, in bytes: observed from outside the reader, by places and open files.

A corpus does not say how many articles it holds. Progress bars and ``estimate`` extrapolate from the share of its bytes
that was read.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_OWN_FILES = Path("/proc/self/fd")


class CorpusProgress:
    """The position of a place among the bytes of a reader's files.

    Without the reader's attributes ``files`` and ``place`` no position is known.
    """

    def __init__(self, reader: Any) -> None:
        files: Sequence[Path] = getattr(reader, "files", ()) if hasattr(reader, "place") else ()
        self._numbers = {str(reader.place(file)): number for number, file in enumerate(files)}
        self._files = [os.path.realpath(file) for file in files]
        self._starts = [0, *itertools.accumulate(Path(file).stat().st_size for file in self._files)]

    @property
    def total(self) -> int:
        """Bytes of all files."""
        return self._starts[-1]

    def size_of(self, number: int) -> int:
        """Bytes of one file."""
        return self._starts[number + 1] - self._starts[number]

    def _file_of(self, place: str) -> int | None:
        """The number of the file of a place, which is the place of the file itself or that and a suffix after a colon."""
        while place and place not in self._numbers:
            place = place.rpartition(":")[0]
        return self._numbers.get(place)

    def offset_in(self, number: int) -> int | None:
        """The offset up to which a file was read; None if it is closed or the system does not say (only Linux does)."""
        try:
            for link in _OWN_FILES.iterdir():
                if os.path.realpath(link) == self._files[number]:
                    lines = Path("/proc/self/fdinfo", link.name).read_text().splitlines()
                    return int(lines[0].split()[1])
        except (OSError, ValueError, IndexError):
            return None
        return None

    def bytes_before(self, place: str) -> int | None:
        """Bytes read before this place, without those of its own file if it is closed; None if the place is unknown."""
        number = self._file_of(place)
        if number is None:
            return None
        return self._starts[number] + (self.offset_in(number) or 0)
