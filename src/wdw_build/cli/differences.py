"""``diff``: prints the differences between two runs by stage, as text or as JSON lines."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.causes import Unrecorded, in_words
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_build.views.diff import Comparison
from wdw_build.views.differences import Difference, StageDifference
from wdw_build.views.table import Row, Table, terminal

SIGNS = {"added": "+", "removed": "-", "changed": "~", "rejected-otherwise": "!"}


def diff(options: argparse.Namespace) -> int:
    """Compare two runs and print the differences."""
    comparison = Comparison(open_run(options.old, STAGES), open_run(options.new, STAGES))
    groups = comparison.groups(Progress(choose_mode(options.quiet)))
    if options.json:
        for group in groups:
            sys.stdout.buffer.writelines(map(jsonl.encode, group))
        sys.stdout.buffer.writelines(map(jsonl.encode, comparison.stages()))
        return 0
    # The comparison yields differences by id, the output is by stage: a temporary file per stage sorts them.
    with tempfile.TemporaryDirectory(prefix="wdw-diff-") as folder:
        files = {stage.name: Path(folder) / f"{stage.name}.jsonl" for stage in STAGES}
        _sort_by_stage(groups, files)
        _show(comparison, files, options.limit)
    return 0


def _sort_by_stage(groups: Iterator[list[Difference]], files: dict[str, Path]) -> None:
    with ExitStack() as stack:
        streams = {stage: stack.enter_context(path.open("wb")) for stage, path in files.items()}
        for group in groups:
            for difference in group:
                streams[difference.stage].write(jsonl.encode(difference))


def _show(comparison: Comparison, files: dict[str, Path], limit: int) -> None:
    stages = comparison.stages()
    print(f"from {comparison.old.folder}\nto   {comparison.new.folder}\n")
    rows: list[Row] = [(stage.stage, stage.before, stage.after, *stage.changes.values()) for stage in stages]
    print(terminal(Table(("stage", "before", "after", "added", "removed", "changed", "rejected otherwise"), rows)))
    for stage in stages:
        if not stage.same or stage.typed_causes:
            print(f"\n{_head(stage)}")
            for line in _lines(files[stage.stage], limit):
                print(line)


def _head(stage: StageDifference) -> str:
    causes = stage.typed_causes or (Unrecorded(stage=stage.stage),)
    lines = [f"{stage.stage}: {printable(in_words(causes))}"]
    if stage.same:
        lines.append("  the records and rejections are the same")
    lines += [f"  {count:>8}  because {printable(cause)}" for cause, count in stage.why.items()]
    return "\n".join(lines)


def _lines(path: Path, limit: int) -> Iterator[str]:
    """The differences of one stage, at most ``limit`` of each kind (0: all)."""
    counts: Counter[str] = Counter()
    with path.open("rb") as stream:
        for line in stream:
            difference = msgspec.json.decode(line, type=Difference)
            counts[difference.change] += 1
            if not limit or counts[difference.change] <= limit:
                yield _line(difference)
    for change, count in counts.items():
        if limit and count > limit:
            yield f"  {SIGNS[change]} … and {count - limit} more {change.replace('-', ' ')}"


def _line(difference: Difference) -> str:
    outcome = f"{difference.before} -> {difference.after}"
    if difference.change == "changed":
        outcome = ", ".join(difference.fields)
    begins_here = difference.begins == difference.stage
    is_named = any(cause.stage == difference.begins for cause in difference.typed_causes)
    origin = "" if begins_here or is_named else f"since {difference.begins}: "
    sign = SIGNS[difference.change]
    return printable(f"  {sign} {difference.id}  {outcome}  [{origin}{'; '.join(difference.why)}]")
