"""The gold set and the witness set: first sentences with their persons and the span that a careful editor would delete.

``tests/gold/sentences.jsonl`` (gold) and ``tests/gold/witness.jsonl`` hold one sentence a line. Offsets are characters,
half open; ``blank`` is null where no question should be made, and ``reason`` is then the rejection reason of the stage
``questions``.

The gold set is read while rules are written. The witness set is not: nobody looks at its single errors, so that its
figures stay figures on unseen text. It was written without knowledge of the rules. Its tags name the kind of source. Its
reasons are the editor's and are not measured, only whether a question is made; some are no reasons of the stage.
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
WITNESS_KINDS = frozenset(
    "web-politics gossip tech sports asian-names arabic-african-names latin-american dialogue live-blog datelines "
    "old-wire new-wire taiwan-wire".split()
)
WITNESS_REASONS = frozenset({"introduces-something-else", "no-main-clause", "joined-sentences", "broken-text"})


@dataclass(frozen=True)
class GoldSet:
    """A set's files. ``unseen``: its errors are not shown one by one."""

    sentences: Path
    recorded: Path
    unseen: bool = False


SETS = {
    "gold": GoldSet(SENTENCES, RECORDED),
    "witness": GoldSet(FOLDER / "witness.jsonl", FOLDER / "witness_recorded.json", unseen=True),
}


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
