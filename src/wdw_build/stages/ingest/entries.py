"""What became of the entries of a corpus: counts with examples, the error for a corpus without articles, and what is odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from wdw_build.core.progress import printable
from wdw_build.errors import CorpusError
from wdw_build.records import Article, RawArticle, Rejection, Unreadable
from wdw_build.text.documents.shares import KindShares
from wdw_build.text.example_counts import ExampleCounts
from wdw_build.text.oddities import Oddities
from wdw_build.text.sentences.profile import WIRE, wire_lines

# In a smaller corpus a single unreadable entry would exceed the default of max_bad_input.
FEW_ENTRIES = 100
_READ, _UNREADABLE, _REJECTED = "read", "unreadable", "rejected"
# Files with a line of their own; the others are only counted.
_NAMED_FILES = 3


def lost_files(files: Sequence[str]) -> list[str]:
    """A line for each of the first files that cannot be read to their ends, and one with the number of the others.

    ``files``: the place of each, with the reason.
    """
    others = len(files) - _NAMED_FILES
    return [*files[:_NAMED_FILES], *([f"{others:,} more files cannot be read to their ends"] if others > 0 else [])]


class Entries(msgspec.Struct):
    """Counts of a block of the corpus, which can be added up."""

    tally: ExampleCounts = msgspec.field(default_factory=ExampleCounts)
    """All entries, the unreadable ones, and the other rejected ones."""
    oddities: Oddities = msgspec.field(default_factory=Oddities)
    kinds: KindShares = msgspec.field(default_factory=KindShares)
    wires: dict[str, int] = msgspec.field(default_factory=dict)
    """Source -> articles that were read as those of a wire."""
    ended: list[str] = msgspec.field(default_factory=list)
    """The files of which the rest was lost, each with the reason."""

    def count(self, entry: RawArticle | Unreadable, result: Article | Rejection) -> None:
        """Count an entry, and what became of it."""
        self.tally.note(_READ)
        if isinstance(entry, Unreadable):
            self.tally.note(_UNREADABLE, f"{entry.place}: {entry.error}")
            if entry.ends_file:
                self.ended.append(f"{entry.place}: {entry.error}")
            return
        self.kinds.count(result)
        if isinstance(result, Rejection):
            self.tally.note(_REJECTED, f"{result.reason}, {result.detail}")
            return
        self.oddities.count(result)
        if result.profile == WIRE:
            self.wires[result.source] = self.wires.get(result.source, 0) + 1

    def add(self, later: Entries) -> None:
        """Add the counts of a later block."""
        self.tally.add(later.tally)
        self.oddities.add(later.oddities)
        self.kinds.add(later.kinds)
        self.wires = Counter(self.wires) + Counter(later.wires)
        self.ended += later.ended

    def check(self, most: float) -> None:
        """Raise ``CorpusError`` if too many entries were unreadable, or no entry became an article.

        ``most``: the share of unreadable entries that is allowed.
        """
        read, unreadable = self.tally.number(_READ), self.tally.number(_UNREADABLE)
        if unreadable > max(1, most * max(read, FEW_ENTRIES)) or (read and unreadable == read):
            raise CorpusError(
                f"{unreadable} of {read} entries of the corpus are unreadable; the first: "
                f"{self.tally.examples[_UNREADABLE]}",
                hint="correct corpus.reader, corpus.options (such as fields) or the files; ingest.max_bad_input is the highest "
                "share allowed",
            )
        if not read:
            raise CorpusError(
                "no article in the corpus: 0 entries read",
                hint="check corpus.path: its files are empty or contain only a header",
            )
        if not self.oddities.articles:
            raise CorpusError(
                f"no article in the corpus: {read} entries read, none with a date, a text and a kind of ingest.kinds; the first: "
                f"{printable(self.tally.examples.get(_REJECTED, ''))}",
                hint="check corpus.options (field names), ingest.kinds and ingest.date_formats",
            )

    @property
    def lines(self) -> list[str]:
        """What the user should know about the articles: a line for each kind, for the wires, and for each oddity."""
        return [*self.kinds.lines, *wire_lines(self.wires), *self.oddities.lines]
