"""A sample of a corpus, read within a few seconds: runs of neighbouring entries from files all over it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.records import RawArticle, Unreadable

_OPEN_FILES = Path("/proc/self/fd")
_FILES = 8
# Entries read between two readings of the clock.
_CLOCK_EVERY = 64
CorpusEntry = RawArticle | Unreadable
Clock = Callable[[], float]


@dataclass
class CorpusSample:
    """The part of a corpus that was read. ``share``: its share of the bytes. ``runs``: neighbouring entries, for the trial."""

    runs: list[list[CorpusEntry]] = field(default_factory=list)
    entries: int = 0
    seconds: float = 0.0
    share: float = 0.0
    files: int = 0
    files_read: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the whole corpus was read, so that its entries are counted."""
        return self.share >= 1.0

    @property
    def total(self) -> int:
        """Entries of the whole corpus: counted, or extrapolated from the share of the bytes."""
        return round(self.entries / self.share) if self.share else self.entries


def sample_corpus(reader: Any, seconds: float, keep: int, clock: Clock = time.monotonic) -> CorpusSample:
    """Read a ``CorpusReader`` for about ``seconds`` and keep at most ``keep`` entries.

    A reader that does not list its files is read from the beginning; the share read is then estimated from the bytes of
    the texts and the reader's ``size``.
    """
    begun = clock()
    sample = CorpusSample()
    if hasattr(reader, "read_file") and getattr(reader, "files", None):
        _read_files(reader, sample, seconds, keep, clock)
    else:
        _read_from_start(reader, sample, seconds, keep, clock)
    sample.seconds = clock() - begun
    return sample


def _read_files(reader: Any, sample: CorpusSample, seconds: float, keep: int, clock: Clock) -> None:
    sizes = [Path(file).stat().st_size for file in reader.files]
    count = len(reader.files)
    spread = sorted({number * count // min(count, _FILES) for number in range(min(count, _FILES))})
    sample.files = count
    bytes_read = 0
    # The files of ``spread`` come first. The others get the time that is left, so a small corpus is read as a whole.
    for number in [*spread, *(number for number in range(count) if number not in spread)]:
        files_left = len(spread) - sample.files_read
        if files_left <= 0 and sample.seconds >= seconds:
            break
        allowed = (seconds - sample.seconds) / max(1, files_left)
        bytes_read += _read_file(reader, sizes[number], number, sample, allowed, keep // len(spread), clock)
        sample.files_read += 1
    sample.share = min(1.0, bytes_read / sum(sizes)) if any(sizes) else 1.0


def _read_file(
    reader: Any, size: int, number: int, sample: CorpusSample, seconds: float, keep: int, clock: Clock
) -> int:
    """Read a file for at most ``seconds`` and return how many of its bytes were read."""
    file, begun = reader.files[number], clock()
    run: list[CorpusEntry] = []
    bytes_read = size
    for entry in reader.read_file(file, reader.place(file)):
        sample.entries += 1
        if len(run) < keep:
            run.append(entry)
        # A file whose bytes are all in memory already is read to its end: how many of them were used is unknown.
        if sample.entries % _CLOCK_EVERY == 0 and clock() - begun > seconds:
            offset = _bytes_read(file)
            if 0 < offset < size:
                bytes_read = offset
                break
    sample.runs.append(run)
    sample.seconds += clock() - begun
    return bytes_read


def _bytes_read(file: Path) -> int:
    """Bytes that this process has read of a file that it has open; 0 on systems other than Linux."""
    try:
        for link in _OPEN_FILES.iterdir():
            if os.path.realpath(link) == os.path.realpath(file):
                return int(Path("/proc/self/fdinfo", link.name).read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return 0


def _read_from_start(reader: Any, sample: CorpusSample, seconds: float, keep: int, clock: Clock) -> None:
    begun, text_bytes = clock(), 0
    run: list[CorpusEntry] = []
    sample.runs.append(run)
    sample.share = 1.0
    for entry in reader.read():
        sample.entries += 1
        if isinstance(entry, RawArticle):
            text_bytes += sum(len(paragraph.encode("utf-8", "replace")) for paragraph in entry.paragraphs)
        if len(run) < keep:
            run.append(entry)
        if clock() - begun > seconds:
            sample.share = min(0.99, text_bytes / max(1, reader.size()))
            return
