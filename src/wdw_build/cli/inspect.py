"""``inspect``: records and rejections of a stage as text or JSON lines, streamed."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from wdw_build.cli import render
from wdw_build.core.run.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.dataset import Table
from wdw_build.errors import UsageError
from wdw_build.pipeline import Pipeline, stage_named
from wdw_build.records import Record, Rejection
from wdw_build.views.inspect.query import where
from wdw_build.views.trace.terminal import terminal


def reservoir_sample(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """Reservoir sampling (Vitter 1985, algorithm R): ``count`` records in the order of the stage; no others are kept."""
    chooser = random.Random(seed)  # noqa: S311 (a draw to look at, not a secret)
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if number < count:
            kept.append((number, record))
        elif (place := chooser.randrange(number + 1)) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def _by_id(table: Table[Any, Any], record_id: str) -> list[Record]:
    found = table.all_of(record_id)
    if not found:
        raise UsageError(f"{table.name} has no record or rejection {record_id!r}")
    return found


def _kind(options: argparse.Namespace) -> type[Record]:
    return Rejection if options.rejected is not None else stage_named(options.stage).writes


def _check_reason(stage: str, reason: str) -> None:
    known = stage_named(stage).reasons
    if reason and reason not in known:
        raise UsageError(f"{stage} has no rejection reason {reason!r}", hint=f"reasons: {', '.join(known) or 'none'}")


def _matching(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> Iterator[Record]:
    """The records that meet the conditions. A bar shows progress where nothing is printed meanwhile."""
    holds = where(_kind(options), options.where) if options.where is not None else None
    records: Iterable[Record] = table if options.rejected is None else table.rejections(options.rejected)
    total = table.manifest.written if options.rejected is None else table.manifest.rejected
    progress = pipeline.progress if options.sample or options.count else Progress("quiet")
    with progress.bar("inspect", total, "records") as bar:
        for record in records:
            bar.advance(1)
            if holds is None or holds(record):
                yield record


def _chosen(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> Iterable[Record]:
    if options.id is not None:
        return _by_id(table, options.id)
    records = _matching(options, pipeline, table)
    if options.sample is not None:
        return reservoir_sample(records, options.sample, options.seed)
    return itertools.islice(records, options.skip, options.skip + options.limit if options.limit else None)


def _count(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> int:
    manifest = table.manifest
    if options.where is not None:
        return sum(1 for _ in _matching(options, pipeline, table))
    if options.rejected is None:
        return manifest.written
    return manifest.reasons.get(options.rejected, 0) if options.rejected else manifest.rejected


def _check(options: argparse.Namespace) -> None:
    if options.id is not None and (options.where is not None or options.sample is not None or options.count):
        raise UsageError("--id names one record: --where, --sample and --count mean nothing with it")
    if options.count and options.sample is not None:
        raise UsageError("give --count or --sample, not both")
    _check_reason(options.stage, options.rejected or "")


def _write_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def inspect(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print the records that the options choose."""
    _check(options)
    if options.schema:
        _write_json(msgspec.json.schema(_kind(options)))
        return 0
    table: Table[Any, Any] = Table(pipeline.config.run, stage_named(options.stage), pipeline.output(options.stage))
    if options.count:
        count = _count(options, pipeline, table)
        if options.json:
            _write_json({"count": count})
        else:
            print(count)
        return 0
    shown, out = 0, terminal()
    for shown, record in enumerate(_chosen(options, pipeline, table), 1):  # noqa: B007 (looked at after the loop)
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(record))
        else:
            print(render.record(record, out) + "\n")
    if not options.json and not shown:
        print("nothing")
    return 0
