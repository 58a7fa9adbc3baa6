"""The stages in order, with those of other packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wdw_build.core.stage import Stage
from wdw_build.errors import ConfigError, UsageError, meant
from wdw_build.pipeline.config.settings import plugin_stages
from wdw_build.stages import (
    adversary,
    baselines,
    choices,
    dedup,
    export,
    index,
    ingest,
    names,
    problems,
    pseudonyms,
    questions,
    retrieve,
    sentences,
    split,
    suppress,
)

BUILT_IN: tuple[Stage, ...] = tuple(
    module.STAGE
    for module in (
        ingest,
        index,
        sentences,
        names,
        questions,
        retrieve,
        choices,
        dedup,
        baselines,
        adversary,
        suppress,
        problems,
        pseudonyms,
        split,
        export,
    )
)
# The names of the records that stages pass on, in the funnel of ``summary.json``.
FUNNEL: Mapping[str, str] = {
    "ingest": "articles",
    "questions": "questions",
    "retrieve": "with_candidate",
    "choices": "problems",
    "dedup": "after_dedup",
}


def chain(built_in: Sequence[Stage], plugins: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages in order, each plug-in directly after the last stage that it reads.

    Raises ``ConfigError`` if a plug-in has the name of another stage, or reads a stage that does not exist.
    """
    stages, waiting = list(built_in), list(plugins)
    while waiting:
        names = [stage.name for stage in stages]
        ready = next((stage for stage in waiting if set(stage.reads) <= set(names)), None)
        if ready is None:
            missing = sorted({name for stage in waiting for name in stage.reads} - set(names))
            raise ConfigError(
                f"plug-in stage {waiting[0].name!r} reads {', '.join(missing)}, which does not exist",
                hint=f"stages: {', '.join(names)}",
            )
        waiting.remove(ready)
        if ready.name in names:
            raise ConfigError(f"two stages are called {ready.name!r}", hint="uninstall or rename the plug-in stage")
        stages.insert(1 + max(map(names.index, ready.reads), default=-1), ready)
    return tuple(stages)


STAGES: tuple[Stage, ...] = chain(BUILT_IN, plugin_stages())
BY_NAME = {stage.name: stage for stage in STAGES}
_ALWAYS_READ = {name for stage in STAGES for name in stage.reads if name not in stage.conditions}
ON_DEMAND = {name for stage in STAGES for name in stage.reads} - _ALWAYS_READ
"""The names of the stages that others read only with some settings: they run if a stage needs them, or if named."""


def stage_named(name: str) -> Stage:
    """A stage by name. Raises ``UsageError``."""
    if name not in BY_NAME:
        raise UsageError(f"unknown stage {name!r}", hint=f"{meant(name, BY_NAME)}stages: {', '.join(BY_NAME)}")
    return BY_NAME[name]


def needed(names: Sequence[str] | None, stages: Sequence[Stage] = STAGES) -> set[str]:
    """The named stages (default: all but those on demand) and all stages that they read, directly or indirectly."""
    wanted = set(names if names is not None else (stage.name for stage in stages if stage.name not in ON_DEMAND))
    for stage in reversed(stages):
        if stage.name in wanted:
            wanted.update(stage.reads)
    return wanted


def between(first: str | None, last: str | None) -> list[str]:
    """The names of the stages from ``first`` to ``last``, without stages on demand between them. Raises ``UsageError``."""
    order = list(BY_NAME)
    start = order.index(stage_named(first).name) if first else 0
    end = order.index(stage_named(last).name) if last else len(order) - 1
    if start > end:
        raise UsageError(f"{first} comes after {last}", hint=f"order: {', '.join(order)}")
    return [name for name in order[start : end + 1] if name not in ON_DEMAND or name in (first, last)]
