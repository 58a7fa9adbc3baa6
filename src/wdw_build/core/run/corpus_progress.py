"""Progress through a corpus in bytes, from the place of the last entry and the offset of the open file.

The number of articles in a corpus is unknown before it is read. Progress bars and ``estimate`` extrapolate it from the
share of the bytes that was read.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_OPEN_FILES = Path("/proc/self/fd")


class CorpusProgress:
    """Converts places of a reader's entries to positions in bytes.

    All positions are unknown for a reader without the attributes ``files`` and ``place``.
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
        """The number of the file in which a place is, or None. A place is the file's own, or that with a suffix after a colon."""
        while place and place not in self._numbers:
            place = place.rpartition(":")[0]
        return self._numbers.get(place)

    def offset_in(self, number: int) -> int | None:
        """Bytes read of an open file; None if the file is closed, or on systems other than Linux."""
        try:
            for link in _OPEN_FILES.iterdir():
                if os.path.realpath(link) == self._files[number]:
                    lines = Path("/proc/self/fdinfo", link.name).read_text().splitlines()
                    return int(lines[0].split()[1])
        except (OSError, ValueError, IndexError):
            return None
        return None

    def bytes_before(self, place: str) -> int | None:
        """Bytes of the corpus read up to this place, or up to the start of its file if the file is closed; None if unknown."""
        number = self._file_of(place)
        if number is None:
            return None
        return self._starts[number] + (self.offset_in(number) or 0)
