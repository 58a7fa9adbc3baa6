"""The systems that ``bench.systems`` names: single ones, groups, or all but some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from wdw_build.reading import Group
from wdw_build.registry import system_entry, system_names

ALL, BUT = "all", "all but "
# Systems with random training, which take long; the other groups are those of the table.
NEURAL = "neural"


def wanted_systems(items: Sequence[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of the wanted systems, and those of them that an item names itself, in place of its group.

    An item is a system, or a group: ``all``, ``probes``, ``table 4``, ``today`` or ``neural``. After ``all but``, the items are
    those to omit. Raises ``ConfigError`` for an unknown name.
    """
    if items and items[0].startswith(BUT):
        omitted = set(_expanded((items[0].removeprefix(BUT), *items[1:])))
        return tuple(name for name in system_names() if name not in omitted), frozenset()
    return tuple(dict.fromkeys(_expanded(items or (ALL,)))), frozenset(items) & frozenset(system_names())


def _expanded(items: Iterable[str]) -> Iterable[str]:
    for item in items:
        members = () if item in system_names() else _members(item)
        yield from members or (item,)


def _members(group: str) -> tuple[str, ...]:
    """The systems of a group; empty for an unknown group."""
    if group == ALL:
        return system_names()
    if group != NEURAL and group.removesuffix("s") not in get_args(Group):
        return ()
    entries = {name: system_entry(name) for name in system_names()}
    return tuple(
        name
        for name, entry in entries.items()
        if group.removesuffix("s") == entry.group or (group == NEURAL and entry.seeded)
    )
