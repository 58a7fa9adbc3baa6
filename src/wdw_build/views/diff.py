"""``diff``: what differs between two runs, stage by stage and id by id, and what the stages were made from.

Two runs are compared by their stored outputs alone. Neither corpus nor models are needed, so runs from other machines and
from earlier versions can be compared, too. Memory holds the ids of one stage at a time. Files other than records (index,
model, exports) are not compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple, cast

import msgspec

from wdw_build.core.progress import Progress
from wdw_build.core.store.manifest import Cause
from wdw_build.core.store.output import Output
from wdw_build.views.dataset import Run

WRITTEN, ABSENT = "written", "not there"


class Difference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="difference"):
    """One id whose outcome in one stage differs between the runs."""

    stage: str
    """Name of the stage."""
    id: str
    """Id that the stage read."""
    before: str
    """Outcome in the earlier run: `written`, `rejected: REASON`, or `not there`."""
    after: str
    """Outcome in the later run."""
    fields: tuple[str, ...] = ()
    """Names of the fields that differ, if both runs wrote a record, or both rejected the id."""


class StageDifference(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="stage"):
    """What a stage was made from in two runs."""

    stage: str
    """Name of the stage."""
    same: bool
    """Whether records and rejections are the same, byte by byte."""
    causes: tuple[str, ...]
    """The settings, versions, inputs and backends that differ."""
    typed_causes: tuple[Cause, ...]
    """The causes of `causes` as data."""


class _Outcome(NamedTuple):
    name: str
    content: dict[str, Any]


def stages(old: Run, new: Run) -> list[StageDifference]:
    """The stages that have an output in both runs. Raises ``UsageError`` if a run is incomplete."""
    old.require_complete()
    new.require_complete()
    differences = []
    for name in (name for name in new.outputs if name in old.outputs):
        before, after = old.outputs[name].manifest, new.outputs[name].manifest
        causes = tuple(after.ingredients.differences(before.ingredients))
        same = [(manifest.rejections_sha256, [part.sha256 for part in manifest.parts]) for manifest in (before, after)]
        words = tuple(cause.with_stage for cause in causes)
        differences.append(StageDifference(stage=name, same=same[0] == same[1], causes=words, typed_causes=causes))
    return differences


def differences(stage: StageDifference, old: Run, new: Run, progress: Progress) -> Iterator[Difference]:
    """Every id of a stage whose outcome differs. An id that one run rejected and the other does not have is none."""
    if stage.same:
        return
    # Records are compared as plain data: an earlier version of the program may have written other fields.
    before, after = (Output(run.outputs[stage.stage].folder, cast(Any, dict)) for run in (old, new))
    ids = dict.fromkeys(chain(_ids(before), _ids(after)))
    with progress.bar(f"compare {stage.stage}", len(ids), "records") as bar:
        for record_id in ids:
            bar.advance()
            was, now = _outcome(before, record_id), _outcome(after, record_id)
            if was != now and (WRITTEN in (was.name, now.name) or ABSENT not in (was.name, now.name)):
                yield Difference(
                    stage=stage.stage,
                    id=record_id,
                    before=was.name,
                    after=now.name,
                    fields=_changed_fields(was, now),
                )


def _ids(output: Output) -> Iterator[str]:
    for record in output.records():
        yield cast(Any, record)["id"]
    for rejection in output.rejections():
        yield rejection.id


def _outcome(output: Output, record_id: str) -> _Outcome:
    """What a stage made of an id; of several rejections, the first."""
    record = output.find(record_id)
    if record is not None:
        return _Outcome(WRITTEN, cast(Any, record))
    for rejection in output.rejections_of(record_id):
        return _Outcome(f"rejected: {rejection.reason}", msgspec.to_builtins(rejection))
    return _Outcome(ABSENT, {})


def _changed_fields(was: _Outcome, now: _Outcome) -> tuple[str, ...]:
    if WRITTEN in (was.name, now.name) and was.name != now.name:
        return ()
    names = {**was.content, **now.content}
    return tuple(name for name in names if was.content.get(name) != now.content.get(name))
