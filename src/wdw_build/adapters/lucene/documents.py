"""The ids and days of the indexed articles, by document number, in three files beside Lucene's.

Lucene would read a stored field from disk for each hit; here, a look-up takes about a microsecond. The numbers are in the
byte order of the machine. The files are memory-mapped, so that processes share them.
"""

from __future__ import annotations

import mmap
import shutil
from array import array
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

_IDS, _ENDS, _DAYS = "documents.ids", "documents.ends", "documents.days"


class DocumentWriter:
    """Appends ids and days to open files."""

    def __init__(self, ids: BinaryIO, ends: BinaryIO, days: BinaryIO) -> None:
        self._ids, self._ends, self._days = ids, ends, days
        self._end = 0

    def add(self, article: str, day: int) -> None:
        """Append the article that becomes the next document."""
        # An id may hold lone surrogates.
        name = article.encode("utf-8", "surrogatepass")
        self._ids.write(name)
        self._end += len(name)
        self._ends.write(array("q", [self._end]).tobytes())
        self._days.write(array("i", [day]).tobytes())

    def append(self, folder: Path) -> None:
        """Append all documents of a folder."""
        start = self._end
        with (folder / _ENDS).open("rb") as stream:
            ends = array("q", stream.read())
        for file, out in ((_IDS, self._ids), (_DAYS, self._days)):
            with (folder / file).open("rb") as stream:
                shutil.copyfileobj(stream, out)
        self._ends.write(array("q", [start + end for end in ends]).tobytes())
        self._end = start + (ends[-1] if ends else 0)


@contextmanager
def write_documents(folder: Path) -> Iterator[DocumentWriter]:
    """Write the files of a new index."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        yield DocumentWriter(*(stack.enter_context((folder / name).open("wb")) for name in (_IDS, _ENDS, _DAYS)))


class Documents:
    """The documents of an index. ``days`` holds the day of each document."""

    def __init__(self, folder: Path) -> None:
        self._ids = _mapped(folder / _IDS)
        self._ends: Sequence[int] = _mapped(folder / _ENDS).cast("q")
        self.days: Sequence[int] = _mapped(folder / _DAYS).cast("i")

    def id(self, number: int) -> str:
        """The id of a document."""
        start = self._ends[number - 1] if number else 0
        return str(self._ids[start : self._ends[number]], "utf-8", "surrogatepass")


def _mapped(path: Path) -> memoryview:
    if not path.stat().st_size:
        return memoryview(b"")
    with path.open("rb") as stream:
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
