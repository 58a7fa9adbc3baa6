"""One call of ``bench``: which systems it measures, with which settings, and what all trainings may use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from wdw_bench.conditions import CONDITIONS, PASSAGE
from wdw_bench.systems import ordered_systems
from wdw_build.api import (
    BenchConfig,
    Config,
    Progress,
    Run,
    Section,
    derived_seed,
    pick_device,
    system_entry,
    system_settings,
    training_context,
)
from wdw_build.reading import Group, SystemEntry, TrainingContext
from wdw_build.reading.settings import Condition

ALL, BUT = "all", "all but "
# Systems with random training, which take long; the other groups are those of the table.
NEURAL = "neural"
# More folds train each system on more problems, and take longer.
_FOLDS = 5
# Settings that are files or folders.
_PATHS = ("model", "vectors", "encoder")


def wanted_systems(items: Sequence[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of the wanted systems, and those of them that an item names itself, in place of its group.

    An item is a system, or a group: ``all``, ``probes``, ``table 4``, ``today`` or ``neural``. After ``all but``, the items are
    those to omit. Raises ``ConfigError`` for an unknown name.
    """
    if items and items[0].startswith(BUT):
        omitted = set(_expanded((items[0].removeprefix(BUT), *items[1:])))
        return tuple(name for name in ordered_systems() if name not in omitted), frozenset()
    return tuple(dict.fromkeys(_expanded(items or (ALL,)))), frozenset(items) & frozenset(ordered_systems())


def _expanded(items: Iterable[str]) -> Iterable[str]:
    for item in items:
        members = () if item in ordered_systems() else _group_members(item)
        yield from members or (item,)


def _group_members(group: str) -> tuple[str, ...]:
    """The systems of a group; empty for an unknown group."""
    if group == ALL:
        return ordered_systems()
    if group != NEURAL and group.removesuffix("s") not in get_args(Group):
        return ()
    entries = {name: system_entry(name) for name in ordered_systems()}
    return tuple(
        name
        for name, entry in entries.items()
        if group.removesuffix("s") == entry.group or (group == NEURAL and entry.seeded)
    )


@dataclass(frozen=True)
class Call:
    """One call of ``bench``."""

    config: Config
    runs: Sequence[Run]
    progress: Progress
    asked_folds: int | None = None
    """Folds of the cross-fitted evaluation; None: what the configuration asks for."""

    @property
    def settings(self) -> BenchConfig:
        """The section ``bench``."""
        return self.config.bench

    @property
    def folds(self) -> int | None:
        """Folds of the cross-fitted evaluation; None for the held-out one."""
        return self.asked_folds or (_FOLDS if self.settings.evaluation == "cross-fitted" else None)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The reading conditions, each once, in the order of the tables."""
        return tuple(condition for condition in CONDITIONS if condition in self.settings.conditions)

    @property
    def has_main_table(self) -> bool:
        """Whether this call makes the table of validation and test."""
        return PASSAGE in self.conditions and self.folds is None

    @property
    def has_condition_table(self) -> bool:
        """Whether this call makes the table of reading conditions."""
        return self.folds is not None or self.conditions != (PASSAGE,)

    @cached_property
    def entries(self) -> dict[str, SystemEntry]:
        """The descriptor of each system. Raises ``ConfigError`` for an unknown system.

        Of groups, systems are left out that need a model which is not configured; the log names them.
        """
        names, named = wanted_systems(self.settings.systems)
        entries = {name: system_entry(name) for name in names}
        missing = [
            name
            for name, entry in entries.items()
            if name not in named and not entry.configured(system_settings(name, self.settings))
        ]
        if missing:
            self.progress.say(f"left out, because no model is set in bench.settings: {', '.join(missing)}")
        return {name: entry for name, entry in entries.items() if name not in missing}

    @cached_property
    def system_settings(self) -> dict[str, Section]:
        """The settings of each system. Raises ``ConfigError`` for an unknown key or a wrong value."""
        return {name: system_settings(name, self.settings) for name in self.entries}

    @cached_property
    def workspace(self) -> TrainingContext:
        """What every training may use; ``folder`` and ``seed`` are set later."""
        # Torch is asked for a GPU only if a system may use one.
        uses_device = any(entry.uses_device for entry in self.entries.values())
        context = training_context(self.config)
        return replace(context, device=pick_device(self.config)) if uses_device else context

    def seeds(self, name: str) -> list[int]:
        """A seed for each training of a system; systems with random training are trained with several seeds."""
        numbers = range(self.settings.seeds if self.entries[name].seeded else 1)
        return [derived_seed(self.config.seed, "bench", number) for number in numbers]

    @cached_property
    def backends(self) -> dict[str, dict[str, str]]:
        """System -> what decides its predictions besides settings, problems and seed.

        Raises ``MissingResourceError`` if a system lacks a model or a library.
        """
        return {
            name: entry.backends(self.system_settings[name], self.workspace) for name, entry in self.entries.items()
        }

    def setting(self, name: str) -> str:
        """What differs from the defaults of a system, as in ``hidden=64, train=relaxed``; empty if nothing does."""
        settings, entry = self.system_settings[name], self.entries[name]
        defaults = entry.deciding(type(settings)())
        changed = {key: value for key, value in entry.deciding(settings).items() if value != defaults[key]}
        if entry.trained and self.settings.train != "strict":
            changed["train"] = self.settings.train
        if entry.trained and self.settings.train_share != 1:
            changed["train_share"] = self.settings.train_share
        for key, backend in (("vectors", "vectors"), ("vectors", "word vectors"), ("encoder", "encoder")):
            if backend in self.backends[name] and getattr(self.settings, key):
                changed[key] = getattr(self.settings, key)
        # Paths of this machine are in no published table. The name of a model at an endpoint is not a path.
        paths = {key: Path(changed[key]) for key in _PATHS if key in changed}
        differences = changed | {key: path.name for key, path in paths.items() if path.is_absolute()}
        return ", ".join(f"{key}={value}" for key, value in differences.items())

    def described(self, name: str) -> dict[str, Any]:
        """The fields of a row that say what the system is. The name has the setting in brackets, if it is not the default."""
        entry, setting = self.entries[name], self.setting(name)
        strict, relaxed = entry.paper
        return {
            "name": f"{name} [{setting}]" if setting else name,
            "title": entry.title,
            "source": entry.source,
            "group": entry.group,
            "system": name,
            "setting": setting,
            "paper": relaxed if self.settings.train == "relaxed" and relaxed is not None else strict,
        }
