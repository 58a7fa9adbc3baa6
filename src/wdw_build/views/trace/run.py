"""The outputs of one run, as its links stand now, and the settings that each was made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.config.loading import rename_keys
from wdw_build.core.stage import Stage
from wdw_build.core.store import rejection_index as rejected
from wdw_build.core.store.manifest import read_manifest
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.records import Record, Rejection
from wdw_build.views.trace.steps import StageOutcome


@dataclass(frozen=True)
class Run:
    """A run: its name, its stages in order, and the outputs of those that were run."""

    name: str
    folder: Path
    stages: tuple[Stage, ...]
    outputs: dict[str, Output]

    def section(self, name: str) -> Any:
        """The settings that a stage's output was made with; the defaults if this version does not know them any more."""
        stage = next(stage for stage in self.stages if stage.name == name)
        section = dict(self.outputs[name].manifest.ingredients.config)
        rename_keys({name: section})
        try:
            return msgspec.convert(section, stage.config)
        except msgspec.ValidationError:
            return stage.config()

    def find(self, stage: str, record_id: str) -> Any:
        """A record by id, or None if there is none or the stage was not run."""
        return self.outputs[stage].find(record_id) if stage in self.outputs else None

    def rejections(self, stage: str, record_id: str) -> list[Rejection]:
        """The rejections of an id."""
        return rejected.find(self.outputs[stage].folder, record_id) if stage in self.outputs else []

    def meaning(self, rule: str) -> str:
        """A reason or rule in words."""
        return next((text for stage in self.stages for text in [_words(stage, rule)] if text), "")

    def stale(self, stage: Stage) -> str:
        """What an output was made from that is not the run's any more."""
        made_from = self.outputs[stage.name].manifest.ingredients.inputs
        changed = [
            name
            for name in stage.reads
            if name not in self.outputs or self.outputs[name].manifest.content != made_from.get(name)
        ]
        return (
            f"made from an older output of {', '.join(changed)}: wdw-build all brings it up to date" if changed else ""
        )


def _words(stage: Stage, rule: str) -> str:
    return stage.reasons.get(rule, "") or stage.rules.get(rule, "")


def open_run(folder: Path, stages: Sequence[Stage]) -> Run:
    """The run in ``runs/<run>``. Raises ``UsageError`` if nothing was run."""
    # Links are followed once: what a later run puts in their place is not mixed in.
    outputs = {
        stage.name: Output((folder / stage.name).resolve(), stage.writes)
        for stage in stages
        if read_manifest(folder / stage.name) is not None
    }
    if stages[0].name not in outputs:
        raise UsageError(f"run {folder.name!r} has no output of {stages[0].name}", hint="wdw-build all -c FILE")
    return Run(folder.name, folder, tuple(stages), outputs)


@dataclass(frozen=True)
class Found:
    """What the stages of a run have of one id."""

    id: str
    records: dict[str, Record]
    rejections: dict[str, list[Rejection]]
    stations: tuple[StageOutcome, ...]

    def rejection(self, stage: str) -> Rejection | None:
        """Why the stage wrote no record of it, or None."""
        return self.rejections[stage][0] if stage not in self.records and self.rejections.get(stage) else None


def follow(run: Run, record_id: str) -> Found:
    """Look an id up in every stage. Raises ``UsageError`` if no stage knows it."""
    records: dict[str, Record] = {}
    rejections: dict[str, list[Rejection]] = {}
    stations = []
    for stage in run.stages:
        if stage.name not in run.outputs:
            stations.append(StageOutcome(stage=stage.name, outcome="not-run"))
            continue
        record = run.find(stage.name, record_id)
        refused = run.rejections(stage.name, record_id)
        if record is not None:
            records[stage.name] = record
        if refused:
            rejections[stage.name] = refused
        stations.append(_station(run, stage, record, refused))
    if not records and not rejections:
        raise UsageError(
            f"no stage of run {run.name!r} knows {record_id!r}",
            hint="wdw-build inspect ingest -c FILE  lists ids; a place that cannot be read is an id, too (file:line)",
        )
    return Found(record_id, records, rejections, tuple(stations))


def _station(run: Run, stage: Stage, record: Record | None, refused: list[Rejection]) -> StageOutcome:
    note = run.stale(stage)
    if record is not None:
        also = "; ".join(f"rejected as {one.reason} a second time ({one.detail})" for one in refused)
        return StageOutcome(stage=stage.name, outcome="written", note="; ".join(filter(None, [also, note])))
    if refused:
        one = refused[0]
        return StageOutcome(
            stage=stage.name,
            outcome="rejected",
            reason=one.reason,
            meaning=run.meaning(one.reason),
            detail=one.detail,
            note=note,
        )
    return StageOutcome(stage=stage.name, outcome="not-reached", note=note)
