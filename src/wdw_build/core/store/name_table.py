"""The table of names in a file: written by ``names``, read by the stages that decide who is a person.

One line for each row of ``NameEvidence.rows``, its fields parted by tabs. Rows hold folded words, which have neither tabs
nor line ends.
"""

from __future__ import annotations

import functools
from pathlib import Path

from wdw_build.text.names.evidence import NameEvidence

FILE = "name_counts.tsv"


def write_names(folder: Path, evidence: NameEvidence) -> None:
    """Write the file."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines("\t".join(row) + "\n" for row in evidence.rows())


@functools.lru_cache(maxsize=2)
def read_names(folder: Path) -> NameEvidence:
    """Read the file, once for each process."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        return NameEvidence.from_rows(tuple(line.rstrip("\n").split("\t")) for line in stream)
