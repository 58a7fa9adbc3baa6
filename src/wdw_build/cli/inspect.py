"""``inspect``: records and rejections of a stage, readable or as JSON lines; read as they are printed, never all at once."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterable, Iterator

import msgspec

from wdw_build.cli import render
from wdw_build.core.run.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.core.store import rejection_index as rejected
from wdw_build.core.store.output import Output
from wdw_build.errors import UsageError
from wdw_build.pipeline import Pipeline, stage_named
from wdw_build.records import Record, Rejection
from wdw_build.views.inspect.query import where
from wdw_build.views.trace.terminal import terminal


def drawn(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """``count`` records drawn without keeping the others (Vitter 1985, algorithm R), in the order of the stage."""
    chooser = random.Random(seed)  # noqa: S311 (a draw to look at, not a secret)
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if number < count:
            kept.append((number, record))
        elif (place := chooser.randrange(number + 1)) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def _one(output: Output, stage: str, record_id: str) -> list[Record]:
    record = output.find(record_id)
    found = [*([record] if record else []), *rejected.find(output.folder, record_id)]
    if not found:
        raise UsageError(f"{stage} has no record or rejection {record_id!r}")
    return found


def _kind(options: argparse.Namespace) -> type[Record]:
    return Rejection if options.rejected is not None else stage_named(options.stage).writes


def _check_reason(stage: str, reason: str) -> None:
    known = stage_named(stage).reasons
    if reason and reason not in known:
        raise UsageError(f"{stage} has no rejection reason {reason!r}", hint=f"reasons: {', '.join(known) or 'none'}")


def _all(options: argparse.Namespace, output: Output) -> Iterator[Record]:
    if options.rejected is None:
        return output.records()
    return (rejection for rejection in output.rejections() if options.rejected in ("", rejection.reason))


def _matching(options: argparse.Namespace, pipeline: Pipeline, output: Output) -> Iterator[Record]:
    """What the conditions leave, with a bar where nothing else is printed meanwhile."""
    holds = where(_kind(options), options.where) if options.where is not None else None
    total = output.manifest.written if options.rejected is None else output.manifest.rejected
    progress = pipeline.progress if options.sample or options.count else Progress("quiet")
    with progress.bar("inspect", total, "records") as bar:
        for record in _all(options, output):
            bar.advance(1)
            if holds is None or holds(record):
                yield record


def _chosen(options: argparse.Namespace, pipeline: Pipeline, output: Output) -> Iterable[Record]:
    if options.id is not None:
        return _one(output, options.stage, options.id)
    records = _matching(options, pipeline, output)
    if options.sample is not None:
        return drawn(records, options.sample, options.seed)
    return itertools.islice(records, options.skip, options.skip + options.limit if options.limit else None)


def _count(options: argparse.Namespace, pipeline: Pipeline, output: Output) -> int:
    made = output.manifest
    if options.where is not None:
        return sum(1 for _ in _matching(options, pipeline, output))
    if options.rejected is None:
        return made.written
    return made.reasons.get(options.rejected, 0) if options.rejected else made.rejected


def _check(options: argparse.Namespace) -> None:
    if options.id is not None and (options.where is not None or options.sample is not None or options.count):
        raise UsageError("--id names one record: --where, --sample and --count mean nothing with it")
    if options.count and options.sample is not None:
        raise UsageError("give --count or --sample, not both")
    _check_reason(options.stage, options.rejected or "")


def _write_json(value: object) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")


def inspect(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print what was asked for."""
    _check(options)
    if options.schema:
        _write_json(msgspec.json.schema(_kind(options)))
        return 0
    output = pipeline.output(options.stage)
    if options.count:
        count = _count(options, pipeline, output)
        if options.json:
            _write_json({"count": count})
        else:
            print(count)
        return 0
    shown, out = 0, terminal()
    for shown, record in enumerate(_chosen(options, pipeline, output), 1):  # noqa: B007 (looked at after the loop)
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(record))
        else:
            print(render.record(record, out) + "\n")
    if not options.json and not shown:
        print("nothing")
    return 0
