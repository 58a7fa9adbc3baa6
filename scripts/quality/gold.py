"""Reads the gold set and the witness set: first sentences with their persons and the span that an editor would delete.

``tests/gold/sentences.jsonl`` (gold) and ``tests/gold/witness.jsonl`` hold one sentence a line. Spans are half-open, in
characters. ``blank`` is null if no question should be made; ``reason`` is then the rejection reason of the stage
``questions``.

Authors of rules read the gold set. Nobody looks at single errors on the witness set, which was written without knowledge
of the rules, so its figures hold for unseen text. Its tags name the kind of source. Its reasons are the editor's own and
are not measured; only the decision is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from wdw_build.records import Mention

FOLDER = Path(__file__).parents[2] / "tests" / "gold"
SENTENCES = FOLDER / "sentences.jsonl"
RECORDED = FOLDER / "recorded.json"
TAGS = frozenset(
    "titles apposition-before apposition-after possessives nested-names coordination relative-clauses former-who sports "
    "markets ages quotes nicknames initials particles asian-names organisations places laws weekdays of-titles "
    "party-state all-caps title-surname same-surname modifiers name-outside".split()
)


@dataclass(frozen=True)
class GoldSet:
    """The files of a set. With ``unseen``, single errors are never shown."""

    sentences: Path
    recorded: Path
    unseen: bool = False


SETS = {
    "gold": GoldSet(SENTENCES, RECORDED),
    "witness": GoldSet(FOLDER / "witness.jsonl", FOLDER / "witness_recorded.json", unseen=True),
}


class Gold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence and its annotation.

    ``persons`` holds every mention of a person, without titles; ``name`` is the name inside the blank.
    """

    id: str
    sentence: str
    persons: tuple[Mention, ...]
    blank: Mention | None
    name: Mention | None
    reason: str
    tags: tuple[str, ...]


def read_gold(path: Path = SENTENCES) -> list[Gold]:
    """All sentences of the set, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Gold) for line in lines]
