"""Read a part of a corpus: runs of neighbouring articles from files all over it, within a few seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wdw_build.core.run.corpus_progress import CorpusProgress
from wdw_build.records import RawArticle, Unreadable

_FILES = 8
Found = RawArticle | Unreadable
Clock = Callable[[], float]


@dataclass
class Draw:
    """What was read. ``share``: of the corpus's bytes. ``runs``: neighbours, kept for the trial."""

    runs: list[list[Found]] = field(default_factory=list)
    places: int = 0
    seconds: float = 0.0
    share: float = 0.0
    files: int = 0
    files_read: int = 0

    @property
    def whole(self) -> bool:
        """Whether all of the corpus was read, so that its places are counted."""
        return self.share >= 1.0

    @property
    def total(self) -> int:
        """Places of the whole corpus."""
        return round(self.places / self.share) if self.share else self.places


def sample_corpus(reader: Any, seconds: float, keep: int, clock: Clock = time.monotonic) -> Draw:
    """Read for about so many seconds and keep at most so many articles (``CorpusReader``).

    A reader that does not tell its files is read from the beginning; how far that is then follows from the bytes of
    the texts and the reader's ``size``.
    """
    begun = clock()
    drawn = Draw()
    if hasattr(reader, "read_file") and getattr(reader, "files", None):
        _from_files(reader, drawn, seconds, keep, clock)
    else:
        _from_start(reader, drawn, (seconds, keep), clock)
    drawn.seconds = clock() - begun
    return drawn


def _from_files(reader: Any, drawn: Draw, seconds: float, keep: int, clock: Clock) -> None:
    reading = CorpusProgress(reader)
    count = len(reader.files)
    chosen = sorted({at * count // min(count, _FILES) for at in range(min(count, _FILES))})
    drawn.files = count
    bytes_read = 0
    # What is left of the time when the chosen ones are read goes to the others: a small corpus is counted.
    for at in [*chosen, *(at for at in range(count) if at not in chosen)]:
        left = len(chosen) - drawn.files_read
        if left <= 0 and drawn.seconds >= seconds:
            break
        allowed = (seconds - drawn.seconds) / max(1, left)
        bytes_read += _file(reader, reading, at, drawn, (allowed, keep // len(chosen)), clock)
        drawn.files_read += 1
    drawn.share = min(1.0, bytes_read / reading.total) if reading.total else 1.0


def _file(reader: Any, reading: CorpusProgress, at: int, drawn: Draw, limits: tuple[float, int], clock: Clock) -> int:
    """Read one file and return the bytes of it that were read."""
    allowed, keep = limits
    file, begun = reader.files[at], clock()
    run: list[Found] = []
    size = reading.size_of(at)
    bytes_read = size
    for found in reader.read_file(file, reader.place(file)):
        drawn.places += 1
        if len(run) < keep:
            run.append(found)
        # A file whose bytes are all in memory has little left to read, and how much is not known: to its end.
        if drawn.places % 64 == 0 and clock() - begun > allowed and 0 < (within := reading.within(at) or 0) < size:
            bytes_read = within
            break
    drawn.runs.append(run)
    drawn.seconds += clock() - begun
    return bytes_read


def _from_start(reader: Any, drawn: Draw, limits: tuple[float, int], clock: Clock) -> None:
    seconds, keep = limits
    begun, text = clock(), 0
    run: list[Found] = []
    drawn.runs.append(run)
    drawn.share = 1.0
    for found in reader.read():
        drawn.places += 1
        if isinstance(found, RawArticle):
            text += sum(len(paragraph.encode("utf-8", "replace")) for paragraph in found.paragraphs)
        if len(run) < keep:
            run.append(found)
        if clock() - begun > seconds:
            drawn.share = min(0.99, text / max(1, reader.size()))
            return
