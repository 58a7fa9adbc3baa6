"""The gold set: first sentences with their persons and the span that a careful editor would delete.

``tests/gold/sentences.jsonl`` holds one sentence a line. Offsets are characters, half open; ``blank`` is null where no
question should be made, and ``reason`` is then the rejection reason of the stage ``questions``.
"""

from __future__ import annotations

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


class Gold(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence and what is right about it.

    ``persons``: every mention of a person, without title. ``name``: the name inside the blank.
    """

    id: str
    sentence: str
    persons: tuple[Mention, ...]
    blank: Mention | None
    name: Mention | None
    reason: str
    tags: tuple[str, ...]


class Recorded(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The figures last recorded, and of which models."""

    annotator: str
    sentences: int
    figures: dict[str, float]


def read_gold(path: Path = SENTENCES) -> list[Gold]:
    """Every sentence of the set, in order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [msgspec.json.decode(line, type=Gold) for line in lines]


def read_recorded(path: Path = RECORDED) -> Recorded:
    """The figures last recorded."""
    return msgspec.json.decode(path.read_bytes(), type=Recorded)
