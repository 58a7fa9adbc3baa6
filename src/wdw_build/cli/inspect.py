"""``inspect``: prints or counts the records or rejections of a stage. Records are streamed."""

from __future__ import annotations

import argparse
import itertools
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.core.field_docs import schema
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.dataset import Run, Table, open_run
from wdw_build.errors import UsageError, meant
from wdw_build.pipeline import STAGES, Pipeline, stage_named
from wdw_build.records import Exported, Record, Rejection, SplitAssignment
from wdw_build.views.blocks import terminal
from wdw_build.views.record_page import body_text, record_text


def inspect(options: argparse.Namespace) -> int:
    """``inspect``."""
    pipeline = open_pipeline(options)
    stage = stage_named(options.stage)
    _check(options)
    if options.schema:
        print_json(schema(Rejection if options.rejected is not None else stage.writes))
        return 0
    table: Table[Any, Any] = Table(pipeline.config.run, stage, pipeline.output(stage.name))
    if options.count:
        count = _count(options, table)
        print_result(options, {"count": count}, str(count))
        return 0
    chosen = _chosen(options, pipeline, table)
    if options.json:
        sys.stdout.buffer.writelines(map(jsonl.encode, chosen))
    else:
        _print(chosen, open_run(options.config, STAGES, options.overrides), table)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.id is not None and (options.sample is not None or options.count):
        raise UsageError("--id names one record and cannot be combined with --sample or --count")
    if options.count and options.sample is not None:
        raise UsageError("give --count or --sample, not both")
    known = stage_named(options.stage).reasons
    if options.rejected and options.rejected not in known:
        raise UsageError(
            f"{options.stage} has no rejection reason {options.rejected!r}",
            hint=f"{meant(options.rejected, known)}reasons: {', '.join(known) or 'none'}",
        )


def _print(records: Iterable[Record], run: Run, table: Table[Any, Any]) -> None:
    out, is_empty = terminal(), True
    for record in records:
        is_empty = False
        lines = [record_text(record, out, run, table.name)]
        # These records say where a problem is, and not what it is.
        problem = run.distinct_problems.find(record.id) if isinstance(record, SplitAssignment | Exported) else None
        if problem is not None:
            lines.append(body_text(problem, out, run))
        print("\n".join(lines) + "\n")
    if is_empty:
        print("no records")


def _chosen(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> Iterable[Record]:
    if options.id is not None:
        records = table.all_of(options.id)
        if not records:
            raise UsageError(
                f"{table.name} has no record or rejection {options.id!r}",
                hint=f"wdw-build inspect {table.name} -c FILE  lists ids",
            )
        return records
    every = _every(options, pipeline, table)
    if options.sample is not None:
        return reservoir_sample(every, options.sample, options.seed)
    return itertools.islice(every, options.skip, options.skip + options.limit if options.limit else None)


def _every(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> Iterator[Record]:
    """The records or rejections; shows a progress bar if nothing is printed during reading."""
    records = iter(table) if options.rejected is None else table.rejections(options.rejected)
    total = table.manifest.written if options.rejected is None else table.manifest.rejected
    progress = pipeline.progress if options.sample else Progress("quiet")
    with progress.bar("inspect", total, "records") as bar:
        for record in records:
            bar.advance(1)
            yield record


def _count(options: argparse.Namespace, table: Table[Any, Any]) -> int:
    if options.rejected is None:
        return table.manifest.written
    return table.manifest.reasons.get(options.rejected, 0) if options.rejected else table.manifest.rejected


def reservoir_sample(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """``count`` records in the order of the stage, each set of that size equally likely (Vitter 1985, algorithm R).

    Rejections of one stage can share an id, so a hash sample of ids would not work.
    """
    generator = random.Random(seed)  # noqa: S311 (a sample to look at, not a secret)
    kept: list[tuple[int, Record]] = []
    for number, record in enumerate(records):
        if number < count:
            kept.append((number, record))
        elif (index := generator.randrange(number + 1)) < count:
            kept[index] = (number, record)
    return [record for _, record in sorted(kept, key=lambda pair: pair[0])]
