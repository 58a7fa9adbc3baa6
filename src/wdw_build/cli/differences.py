"""``diff``: what two runs have different, by stage, as text or as JSON lines."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import msgspec

from wdw_build.cli.render import table
from wdw_build.core.run.progress import Progress, choose_mode, printable
from wdw_build.core.store import jsonl
from wdw_build.pipeline import BY_NAME
from wdw_build.views.diff import Comparison, Difference, StageDifference, open_run

SIGNS = {"added": "+", "removed": "-", "changed": "~", "rejected-otherwise": "!"}


def diff(options: argparse.Namespace) -> int:
    """Compare two runs and print the differences."""
    old, new = (open_run(path, BY_NAME.values()) for path in (options.old, options.new))
    comparison = Comparison(old, new, BY_NAME)
    progress = Progress(choose_mode(options.quiet))
    groups = comparison.groups(progress)
    if options.json:
        for group in groups:
            sys.stdout.buffer.writelines(map(jsonl.encode, group))
        sys.stdout.buffer.writelines(map(jsonl.encode, comparison.stages()))
        return 0
    # By stage, though they come by id: each stage's differences wait in a file of their own.
    with tempfile.TemporaryDirectory(prefix="wdw-diff-") as folder:
        _sort_out(groups, Path(folder))
        _show(comparison, Path(folder), options.limit)
    return 0


def _waiting(folder: Path, stage: str) -> Path:
    return folder / f"differences-{stage}.jsonl"


def _sort_out(groups: Iterator[list[Difference]], folder: Path) -> None:
    with ExitStack() as stack:
        files = {stage: stack.enter_context(_waiting(folder, stage).open("wb")) for stage in BY_NAME}
        for group in groups:
            for one in group:
                files[one.stage].write(jsonl.encode(one))


def _show(comparison: Comparison, folder: Path, limit: int) -> None:
    stages = comparison.stages()
    print(f"from {comparison.old.folder}\nto   {comparison.new.folder}\n")
    head = ["stage", "before", "after", "added", "removed", "changed", "rejected otherwise"]
    print(table([head, *([one.stage, *map(str, (one.before, one.after, *one.changes.values()))] for one in stages)]))
    for stage in stages:
        if not stage.same or stage.causes:
            print(f"\n{_head(stage)}")
            for line in _lines(_waiting(folder, stage.stage), limit):
                print(line)


def _head(stage: StageDifference) -> str:
    causes = "; ".join(cause.removeprefix(f"{stage.stage}: ") for cause in stage.causes)
    lines = [f"{stage.stage}: {printable(causes) or 'nothing that is recorded'}"]
    if stage.same:
        lines.append("  the same records and rejections came of it")
    lines += [f"  {count:>8}  because {printable(cause)}" for cause, count in stage.why.items()]
    return "\n".join(lines)


def _lines(path: Path, limit: int) -> Iterator[str]:
    """The differences of one stage, at most ``limit`` of each kind (0: all)."""
    shown: Counter[str] = Counter()
    with path.open("rb") as stream:
        for line in stream:
            one = msgspec.json.decode(line, type=Difference)
            shown[one.change] += 1
            if not limit or shown[one.change] <= limit:
                yield _line(one)
    for change, count in shown.items():
        if limit and count > limit:
            yield f"  {SIGNS[change]} … and {count - limit} more {change.replace('-', ' ')}"


def _line(one: Difference) -> str:
    what = f"{one.before} -> {one.after}"
    if one.change == "changed":
        what = ", ".join(one.fields)
    told = any(cause.startswith((f"{one.begins}: ", f"config {one.begins}.")) for cause in one.why)
    since = f"since {one.begins}: " if one.begins != one.stage and not told else ""
    return printable(f"  {SIGNS[one.change]} {one.id}  {what}  [{since}{'; '.join(one.why)}]")
