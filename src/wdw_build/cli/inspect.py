"""``inspect``: prints the records or rejections of a stage. Records are streamed."""

from __future__ import annotations

import heapq
import itertools
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from typer import Argument, Option

from wdw_build.cli.base import open_built, print_json
from wdw_build.cli.options import ConfigFile, Json, Overrides, Quiet, Seed, stage_names
from wdw_build.core.field_docs import schema
from wdw_build.core.progress import Progress
from wdw_build.core.stage import Stage
from wdw_build.core.store import jsonl
from wdw_build.dataset import Run, Table, open_run
from wdw_build.errors import UsageError, meant
from wdw_build.records import Exported, Record, Rejection, SplitAssignment
from wdw_build.stage_order import STAGES, stage_named
from wdw_build.views.blocks import Terminal, terminal
from wdw_build.views.record_lines import short_text
from wdw_build.views.record_page import body_text, record_text

AnyTable = Table[Any, Any]


def inspect(
    config: ConfigFile,
    overrides: Overrides,
    name: Annotated[str, Argument(metavar="STAGE", help="stage to inspect", autocompletion=stage_names)],
    reason: Annotated[
        str, Argument(metavar="REASON", show_default=False, help="with --rejected: only rejections for this reason")
    ] = "",
    quiet: Quiet = False,
    as_json: Json = False,
    id: Annotated[str | None, Option("--id", metavar="ID", help="print the record or rejection with this id")] = None,
    sample: Annotated[
        int | None, Option("--sample", min=1, metavar="N", help="print N randomly sampled records")
    ] = None,
    seed: Seed = 0,
    rejected: Annotated[bool, Option("--rejected", help="print rejections instead of records")] = False,
    full: Annotated[
        bool, Option("--full", help="print whole records, not six lines of each (default with --id)")
    ] = False,
    wants_schema: Annotated[bool, Option("--schema", help="print the JSON schema of the record or rejection")] = False,
    limit: Annotated[int, Option("-n", "--limit", min=0, metavar="N", help="print at most N records (0: all)")] = 10,
) -> None:
    """``inspect``."""
    pipeline = open_built(config, overrides, quiet=quiet)
    stage = stage_named(name)
    _check(stage, id, sample, reason, rejected=rejected)
    if wants_schema:
        print_json(schema(Rejection if rejected else stage.writes))
        return
    table: AnyTable = Table(pipeline.config.run, stage, pipeline.output(stage.name))
    if id is not None:
        records = _with_id(table, id)
    elif sample is not None:
        records = random_sample(_records(table, reason, pipeline.progress, rejected=rejected), sample, seed)
    else:
        found = _records(table, reason, Progress("quiet"), rejected=rejected)
        records = itertools.islice(found, limit or None)
    if as_json:
        sys.stdout.buffer.writelines(map(jsonl.encode, records))
        return
    _print(records, open_run(config, STAGES, overrides), stage.name, full=full or id is not None)


def _check(stage: Stage, id: str | None, sample: int | None, reason: str, *, rejected: bool) -> None:
    if id is not None and sample is not None:
        raise UsageError("--id names one record and cannot be combined with --sample")
    if reason and not rejected:
        raise UsageError("a reason needs --rejected", hint=f"wdw-build inspect {stage.name} --rejected {reason}")
    if reason and reason not in stage.reasons:
        raise UsageError(
            f"{stage.name} has no rejection reason {reason!r}",
            hint=f"{meant(reason, stage.reasons)}reasons: {', '.join(stage.reasons) or 'none'}",
        )


def _print(records: Iterable[Record], run: Run, stage: str, *, full: bool) -> None:
    out, is_empty = terminal(), True
    for record in records:
        is_empty = False
        print(f"{_whole(record, out, run, stage) if full else short_text(record, out, run, stage)}\n")
    if is_empty:
        print("no records")


def _whole(record: Record, out: Terminal, run: Run, stage: str) -> str:
    """A record as text; those that have the split of a problem and not its text are followed by the problem."""
    problem = run.distinct_problems.find(record.id) if isinstance(record, SplitAssignment | Exported) else None
    body = f"\n{body_text(problem, out, run)}" if problem else ""
    return record_text(record, out, run, stage) + body


def _with_id(table: AnyTable, id: str) -> Iterable[Record]:
    """The records and rejections with an id. Raises ``UsageError`` if there are none."""
    records: Iterable[Record] = table.all_of(id)
    if not records:
        raise UsageError(
            f"{table.name} has no record or rejection {id!r}", hint=f"wdw-build inspect {table.name} -c FILE  lists ids"
        )
    return records


def _records(table: AnyTable, reason: str, progress: Progress, *, rejected: bool) -> Iterator[Record]:
    """All records, or all rejections for a reason (empty: for any)."""
    total = table.manifest.rejected if rejected else table.manifest.written
    with progress.bar("inspect", total, "records") as bar:
        for record in table.rejections(reason) if rejected else table:
            bar.advance(1)
            yield record


def random_sample(records: Iterable[Record], count: int, seed: int) -> list[Record]:
    """``count`` records in the order of the stage, each set of that size equally likely.

    Rejections of one stage can share an id, so a hash sample of ids would not work.
    """
    generator = random.Random(seed)  # noqa: S311 (a sample to look at, not a secret)
    drawn = ((generator.random(), number, record) for number, record in enumerate(records))
    lowest = heapq.nsmallest(count, drawn, key=lambda each: each[:2])
    return [record for _, _, record in sorted(lowest, key=lambda each: each[1])]
