"""export: the dataset in each configured format."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from wdw_build.core.settings import ExportConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.ports import Exporter
from wdw_build.records import Exported, Placed, Problem, Record, Rejection


def _problems(context: Context) -> Iterator[tuple[Problem, Placed]]:
    for placed in context.read("split"):
        yield context.find("dedup", placed.id), placed


def run(inputs: Iterator[Placed], config: ExportConfig, context: Context) -> Iterator[Record | Rejection]:
    """Write the files and yield, for every problem, those it stands in."""
    exporters: Mapping[str, Exporter] = context.port("exporters")
    files: defaultdict[str, list[str]] = defaultdict(list)
    for name in config.formats:
        for file, ids in exporters[name].write(context.folder, _problems(context)).items():
            for problem_id in ids:
                files[problem_id].append(file)
    for placed in inputs:
        yield Exported(id=placed.id, files=tuple(files[placed.id]))


STAGE = Stage(
    name="export",
    version=1,
    reads=("split", "dedup"),
    writes=Exported,
    config=ExportConfig,
    run=run,
    ports=("exporters",),
    scope="set",
    unit="problems",
    opaque=True,
    summary="Write the dataset.",
)
