"""A sample of a corpus, read within a few seconds from blocks all over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic

from wdw_build.ports import Block, CorpusReader
from wdw_build.records import RawArticle, Unreadable

# A block that was begun is read to its end, unless it takes this long.
_SECONDS, _SECONDS_OF_A_BLOCK = 4.0, 12.0
# Blocks that are read first, and runs of neighbouring entries that are kept: at equal distances.
_SPREAD = 8
# Entries read between two readings of the clock.
_CLOCK_EVERY = 64


@dataclass
class CorpusSample:
    """The part of a corpus that was read: the entries kept for trials, and the share of the corpus's bytes."""

    kept: list[RawArticle | Unreadable] = field(default_factory=list)
    ended: list[Unreadable] = field(default_factory=list)
    """The entries of files whose rest cannot be read, whether kept or not."""
    read: int = 0
    seconds: float = 0.0
    share: float = 1.0
    is_whole: bool = True

    @property
    def has_all(self) -> bool:
        """Whether every entry of the corpus was read and kept."""
        return self.is_whole and self.read == len(self.kept)

    @property
    def in_words(self) -> str:
        """How many records were kept, and whether they are a sample."""
        return f"{len(self.kept):,} {'records' if self.has_all else 'sampled records'}"

    @property
    def total(self) -> int:
        """Entries of the whole corpus: counted if all of it was read, else extrapolated from the share of the bytes."""
        return round(self.read / self.share) if self.share else self.read


def sample_corpus(reader: CorpusReader, keep: int) -> CorpusSample:
    """Read blocks of a corpus until four seconds are over, and keep about ``keep`` entries.

    A block that takes too long is not read to its end, and counts with the bytes of its texts.
    """
    blocks = reader.blocks()
    spread = sorted({number * len(blocks) // _SPREAD for number in range(_SPREAD)} if blocks else ())
    sample, begun, bytes_read = CorpusSample(), monotonic(), 0
    entries: dict[int, list[RawArticle | Unreadable]] = {}
    for number in [*spread, *(number for number in range(len(blocks)) if number not in spread)]:
        if entries and monotonic() - begun > _SECONDS:
            sample.is_whole = False
            break
        entries[number], text_bytes = _read_block(reader, blocks[number])
        size = blocks[number].size or reader.size()
        bytes_read += size if text_bytes is None else min(size, text_bytes)
        sample.is_whole = sample.is_whole and text_bytes is None
    sample.seconds = monotonic() - begun
    in_order = [entry for number in sorted(entries) for entry in entries[number]]
    sample.read, sample.kept = len(in_order), _runs(in_order, keep)
    sample.ended = [entry for entry in in_order if isinstance(entry, Unreadable) and entry.ends_file]
    all_bytes = sum(block.size for block in blocks) or reader.size()
    sample.share = 1.0 if sample.is_whole or not all_bytes else max(1, bytes_read) / all_bytes
    return sample


def _read_block(reader: CorpusReader, block: Block) -> tuple[list[RawArticle | Unreadable], int | None]:
    """The entries of a block; if it was not read to its end, also the bytes of their texts."""
    begun, entries = monotonic(), []
    for number, entry in enumerate(reader.read(block), 1):
        entries.append(entry)
        if number % _CLOCK_EVERY == 0 and monotonic() - begun > _SECONDS_OF_A_BLOCK:
            texts = (text for article in entries if isinstance(article, RawArticle) for text in article.paragraphs)
            return entries, sum(len(text.encode("utf-8", "replace")) for text in texts)
    return entries, None


def _runs(entries: list[RawArticle | Unreadable], keep: int) -> list[RawArticle | Unreadable]:
    """About ``keep`` entries: runs of neighbours at equal distances; all entries if there are no more."""
    if len(entries) <= keep:
        return entries
    starts = (number * len(entries) // _SPREAD for number in range(_SPREAD))
    return [entry for start in starts for entry in entries[start : start + keep // _SPREAD]]
