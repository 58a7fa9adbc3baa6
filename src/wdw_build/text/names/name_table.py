"""The table of names as a file: written by ``names``, read by the stages that decide who is a person.

One line for each row of ``NameEvidence.rows``, with tabs between the fields. Rows hold folded words, which contain neither
tabs nor line ends.
"""

from __future__ import annotations

import functools
from pathlib import Path

from wdw_build.text.names.evidence import NameEvidence

FILE = "name_counts.tsv"


def write_names(folder: Path, evidence: NameEvidence) -> None:
    """Write the table into ``folder``."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines("\t".join(row) + "\n" for row in evidence.rows())


@functools.lru_cache(maxsize=2)
def read_names(folder: Path) -> NameEvidence:
    """Read the table of ``folder``; each process reads it once."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        return NameEvidence.from_rows(tuple(line.rstrip("\n").split("\t")) for line in stream)
