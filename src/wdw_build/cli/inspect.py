"""``inspect``: records and rejections of a stage, readable or as JSON lines."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from wdw_build.cli import render
from wdw_build.core import jsonl
from wdw_build.core.store import Output
from wdw_build.errors import FixCommand
from wdw_build.pipeline import Pipeline, stage_named
from wdw_build.records import Record, Rejection


def _drawn(records: Iterator[Record], count: int, seed: int) -> list[Record]:
    """``count`` records drawn without keeping the others (Vitter 1985, algorithm R), in the order of the stage."""
    chooser = random.Random(seed)  # noqa: S311 (a draw to look at, not a secret)
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if number < count:
            kept.append((number, record))
        elif (place := chooser.randrange(number + 1)) < count:
            kept[place] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]


def _one(output: Output, record_id: str) -> Iterator[Record]:
    found = output.find(record_id)
    if found is not None:
        yield found
    yield from (rejection for rejection in output.rejections() if rejection.id == record_id)


def _chosen(options: argparse.Namespace, output: Output) -> Iterator[Record]:
    if options.id is not None:
        found = list(_one(output, options.id))
        if not found:
            raise FixCommand(f"{options.stage} has no record or rejection {options.id!r}")
        return iter(found)
    records: Iterator[Record] = output.records()
    if options.rejected is not None:
        records = _rejections(output, options.stage, options.rejected)
    if options.sample is not None:
        return iter(_drawn(records, options.sample, options.seed))
    return (record for number, record in enumerate(records) if not options.limit or number < options.limit)


def _rejections(output: Output, stage: str, reason: str) -> Iterator[Rejection]:
    known = stage_named(stage).reasons
    if reason and reason not in known:
        raise FixCommand(f"{stage} has no rejection reason {reason!r}", hint=f"reasons: {', '.join(known) or 'none'}")
    return (rejection for rejection in output.rejections() if reason in ("", rejection.reason))


def inspect(options: argparse.Namespace, pipeline: Pipeline) -> int:
    """Print what was asked for."""
    output = pipeline.output(options.stage)
    shown = 0
    for record in _chosen(options, output):
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(record))
        else:
            print(render.record(record) + "\n")
        shown += 1
        if options.limit and shown >= options.limit and options.sample is None and options.id is None:
            break
    if not options.json and shown == 0:
        print("nothing")
    return 0
