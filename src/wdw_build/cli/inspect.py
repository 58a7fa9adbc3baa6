"""``inspect``: prints or counts the records or rejections of a stage. Records are streamed."""

from __future__ import annotations

import argparse
import functools
import itertools
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.cli.record_text import Selections, problem_text, record_text
from wdw_build.core.field_docs import schema
from wdw_build.core.progress import Progress
from wdw_build.core.store import jsonl
from wdw_build.dataset import Table, open_run
from wdw_build.errors import UsageError, meant
from wdw_build.pipeline import STAGES, Pipeline, stage_named
from wdw_build.records import Exported, Problem, ProblemAlternatives, Record, Rejection, SplitAssignment
from wdw_build.views.trace.selection import selection
from wdw_build.views.trace.terminal import terminal
from wdw_build.views.where import where


def inspect(options: argparse.Namespace) -> int:
    """``inspect``."""
    pipeline = open_pipeline(options)
    stage = stage_named(options.stage)
    _check(options)
    if options.schema:
        print_json(schema(_kind(options)))
        return 0
    table: Table[Any, Any] = Table(pipeline.config.run, stage, pipeline.output(stage.name))
    if options.count:
        count = _count(options, pipeline, table)
        print_result(options, {"count": count}, str(count))
        return 0
    selections = None
    if table.exists and table.stage.writes is ProblemAlternatives:
        # Later stages of the run say what became of the alternatives.
        selections = functools.partial(selection, open_run(options.config, STAGES, options.overrides))
    problem_of = None
    if stage.writes in (SplitAssignment, Exported):
        # Their records say where a problem is, and not what it is.
        problem_of = pipeline.output("problems").find
    _print(options, _chosen(options, pipeline, table), selections, problem_of)
    return 0


def _check(options: argparse.Namespace) -> None:
    if options.id is not None and (options.where is not None or options.sample is not None or options.count):
        raise UsageError("--id names one record and cannot be combined with --where, --sample or --count")
    if options.count and options.sample is not None:
        raise UsageError("give --count or --sample, not both")
    known = stage_named(options.stage).reasons
    if options.rejected and options.rejected not in known:
        raise UsageError(
            f"{options.stage} has no rejection reason {options.rejected!r}",
            hint=f"{meant(options.rejected, known)}reasons: {', '.join(known) or 'none'}",
        )


def _kind(options: argparse.Namespace) -> type[Record]:
    return Rejection if options.rejected is not None else stage_named(options.stage).writes


def _print(
    options: argparse.Namespace,
    records: Iterable[Record],
    selections: Selections | None,
    problem_of: Callable[[str], Record | None] | None,
) -> None:
    count, out = 0, terminal()
    for count, record in enumerate(records, 1):  # noqa: B007 (the last number is used after the loop)
        if options.json:
            sys.stdout.buffer.write(jsonl.encode(record))
        else:
            lines = [record_text(record, out, selections)]
            problem = problem_of(record.id) if problem_of else None
            if isinstance(problem, Problem):
                lines.append(problem_text(problem, out))
            print("\n".join(lines) + "\n")
    if not options.json and not count:
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
    matching = _matching(options, pipeline, table)
    if options.sample is not None:
        return reservoir_sample(matching, options.sample, options.seed)
    return itertools.islice(matching, options.skip, options.skip + options.limit if options.limit else None)


def _matching(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> Iterator[Record]:
    """The records or rejections that meet the condition; shows a progress bar if nothing is printed during reading."""
    holds = where(_kind(options), options.where) if options.where is not None else None
    records = iter(table) if options.rejected is None else table.rejections(options.rejected)
    total = table.manifest.written if options.rejected is None else table.manifest.rejected
    progress = pipeline.progress if options.sample or options.count else Progress("quiet")
    with progress.bar("inspect", total, "records") as bar:
        for record in records:
            bar.advance(1)
            if holds is None or holds(record):
                yield record


def _count(options: argparse.Namespace, pipeline: Pipeline, table: Table[Any, Any]) -> int:
    if options.where is not None:
        return sum(1 for _ in _matching(options, pipeline, table))
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
