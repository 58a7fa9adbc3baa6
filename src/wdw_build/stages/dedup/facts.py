"""The facts about problems from which ``dedup`` decides, in arrays that are written for each shard and then joined."""

from __future__ import annotations

from array import array
from pathlib import Path

import msgspec

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import Problem
from wdw_build.similarity.caps import Entries

_KEYS, _RANKS = "keys.json", "ranks"
# Event scores have four decimals; a smaller random term decides between equal scores.
_DRAW_WEIGHT = 1e-5

# The day of a problem (proleptic Gregorian ordinal) and its id, by which problems are ordered.
Key = tuple[int, str]


def rank(problem: Problem) -> float:
    """A sort key: the caps keep problems with a lower rank first.

    The highest event score comes first; a hash of the id decides between equal scores, and problems without a score come
    last. An order by date would remove frequent persons from the last days, which are held out. The hash does not depend
    on the seed, because with another seed the language model of ``baselines`` would have to be estimated again.
    """
    return _DRAW_WEIGHT * uniform_hash(0, "dedup", problem.id) - (problem.event_score or 0.0)


class Facts:
    """Keys, ranks for the caps, and entries of problems, by position in the input."""

    def __init__(self) -> None:
        self.keys: list[Key] = []
        self.ranks = array("d")
        self.entries = Entries()

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        self.keys.append((problem.date.toordinal(), problem.id))
        self.ranks.append(rank(problem))
        self.entries.add(problem)

    def write(self, folder: Path) -> None:
        """Write the facts into a folder."""
        (folder / _KEYS).write_bytes(msgspec.json.encode(self.keys))
        (folder / _RANKS).write_bytes(self.ranks.tobytes())
        self.entries.write(folder)

    def extend(self, folder: Path) -> None:
        """Add the facts of a folder."""
        self.keys.extend(msgspec.json.decode((folder / _KEYS).read_bytes(), type=list[Key]))
        self.ranks.frombytes((folder / _RANKS).read_bytes())
        self.entries.extend(folder)
