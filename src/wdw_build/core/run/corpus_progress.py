"""The number of entries in a corpus, which is unknown before the corpus is read, as extrapolated from finished blocks."""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.core.tasks.shards import Shard


class ExpectedEntries:
    """Assumes that the corpus has as many entries a byte as the blocks that are finished."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._sizes = {shard.name: getattr(shard, "size", 0) for shard in shards}
        self._all_bytes = sum(self._sizes.values())
        self._bytes = self._entries = 0

    def add(self, shard: Shard, entries: int) -> None:
        """Add a finished block."""
        self._bytes += self._sizes[shard.name]
        self._entries += entries

    @property
    def total(self) -> int:
        """Entries of the whole corpus; 0 while unknown, and for shards that are not blocks with a size."""
        return round(self._entries * self._all_bytes / self._bytes) if self._bytes else 0
