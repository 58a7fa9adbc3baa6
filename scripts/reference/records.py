"""The pages of records and of reports, from the structs and the strings below their fields."""

from __future__ import annotations

import typing
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType

import msgspec

from reference.tables import page, prose, table, values
from wdw_build import records as declared
from wdw_build.adapters.exports import jsonl, key_lines
from wdw_build.annotation import offline_forms, score_records, sheets
from wdw_build.bench import results as bench_results
from wdw_build.core.field_docs import field_docs
from wdw_build.core.store import causes
from wdw_build.core.store.manifest import Timing
from wdw_build.dataset.yield_limits import OtherValue, YieldLimit
from wdw_build.estimate import projection
from wdw_build.pipeline import STAGES
from wdw_build.views import diff, people, summary
from wdw_build.views.card import audit_results
from wdw_build.views.trace import records as trace_records

Struct = type[msgspec.Struct]

RECORDS = """Every stage writes JSON lines. To look at the records of a stage:

```console
$ wdw-build inspect questions --json -n 1 -c configs/sample.yaml
$ wdw-build inspect questions --schema -c configs/sample.yaml
```

One record is one line of UTF-8, with the fields in the order below. Dates are ISO 8601 (`2014-03-04`). Offsets are
characters (Unicode code points), half open: `start` is included, `end` is not. Indices count from 0. A field in
brackets, such as [integer, integer], is a list of that length. A line that is not such a record is an error that names
its place."""

REPORTS = """Fields of what commands print with `--json`, of the exported files, and of the sheets for readers. For
example:

```console
$ wdw-build summary --json -c configs/sample.yaml
```"""

GROUPS: Sequence[tuple[str, str, ModuleType]] = (
    ("Exported problems", "`jsonl/*.jsonl`, written by the format `jsonl`.", jsonl),
    (
        "Keys",
        "`keys/`, written by the format `keys`: [Publish without the texts](../howto/publish-without-texts.md).",
        key_lines,
    ),
    ("The summary", "`wdw-build summary --json`.", summary),
    ("The estimate", "`wdw-build all --dry-run --json` prints it as `estimate` beside `plan`.", projection),
    ("The audit", "`wdw-build card --json`. [The audit](../explanation/audit.md) explains the figures.", audit_results),
    (
        "The table of systems",
        "`wdw-build bench --json` prints [BenchResults](#benchresults), and stores it as `bench.json` in the run's folder; "
        "`wdw-build card --json` has it in `systems`.",
        bench_results,
    ),
    (
        "Differences",
        "`wdw-build diff --json` prints JSON lines: first every `difference`, in the order of the ids, then every `stage`. "
        "The field `type` says which it is. [Compare two runs](../howto/compare-runs.md#why) explains the causes.",
        diff,
    ),
    (
        "Causes",
        "`typed_causes` of `wdw-build status --json` and `wdw-build diff --json`. The field `cause` says which it is.",
        causes,
    ),
    (
        "The trace",
        "`wdw-build trace --json`. [Trace one record](../howto/trace-a-record.md#what-a-trace-shows) explains the parts.",
        trace_records,
    ),
    (
        "Human performance",
        "`people` of `wdw-build card --json`: the sheets of the run that were scored.",
        people,
    ),
    (
        "The score of a sheet",
        "`wdw-build annotate score --json` prints [SheetScore](#sheetscore), and stores it as `score.json` in the folder of "
        "the sheet. [Human performance](../explanation/human-performance.md) explains the figures.",
        score_records,
    ),
    (
        "Sheets for readers",
        "`runs/<run>/annotate/<sheet>/` has [Sheet](#sheet) as `sheet.json` and a [SheetProblem](#sheetproblem) in each line of "
        "`problems.jsonl`: [Let people judge problems](../howto/judge-problems.md).",
        sheets,
    ),
    (
        "Offline forms",
        "`wdw-build annotate sheet` writes [SheetLine](#sheetline); `wdw-build annotate import` reads it, or what the page saved.",
        offline_forms,
    ),
)


def records() -> str:
    """Every record: outputs of stages, their parts, and what readers and annotators yield."""
    structs = [kind for kind in _structs(declared) if kind is not declared.Record]
    written = [stage.writes for stage in STAGES] + [declared.Rejection]
    parts = {part for kind in written for part in _parts(kind)}
    groups: dict[str, list[Struct]] = {
        "Outputs of stages": list(dict.fromkeys(written)),
        "Parts of records": [kind for kind in structs if kind in parts and kind not in written],
        "From readers and annotators": [kind for kind in structs if kind not in parts and kind not in written],
    }
    return page("Records", RECORDS, *(_group(heading, "", kinds) for heading, kinds in groups.items()))


def reports() -> str:
    """Everything that is written or printed as JSON and is not a record."""
    groups = []
    for heading, text, module in GROUPS:
        kinds = list(reversed(_structs(module)))
        if module is summary:
            kinds += [Timing, YieldLimit, OtherValue]
        groups.append(_group(heading, text, kinds))
    faults = _labels("a fault of the problem", sheets.FAULTS)
    phenomena = _labels("what finding the answer takes", sheets.PHENOMENA)
    labels = f"## Labels of faults\n\n{faults}", f"## Labels of phenomena\n\n{phenomena}"
    return page("Reports as JSON", REPORTS, *groups, *labels)


def _labels(head: str, labels: Mapping[str, str]) -> str:
    return table(("label", head), [(f"`{label}`", meaning) for label, meaning in labels.items()])


def _group(heading: str, text: str, kinds: Sequence[Struct]) -> str:
    return "\n\n".join(filter(None, [f"## {heading}", text, *map(_struct, kinds)]))


def _struct(kind: Struct) -> str:
    stages = [f"`{stage.name}`" for stage in STAGES if stage.writes is kind]
    written = f" Written by {' and '.join(stages)}." if stages else ""
    hints = typing.get_type_hints(kind)
    rows = [
        (f"`{field.encode_name}`", values(hints[field.name]), prose(field_docs(kind)[field.name]))
        for field in msgspec.structs.fields(kind)
    ]
    return f"### {kind.__name__}\n\n{prose(kind.__doc__)}{written}\n\n{table(('field', 'type', 'meaning'), rows)}"


def _structs(module: ModuleType) -> list[Struct]:
    """The public structs that a module declares, without bases that have no fields."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    public = [kind for kind in kinds if kind.__module__ == module.__name__ and not kind.__name__.startswith("_")]
    return [kind for kind in public if kind.__struct_fields__ or not kind.__subclasses__()]


def _parts(kind: Struct) -> Iterator[Struct]:
    """The structs that a struct contains, at any depth."""
    for hint in typing.get_type_hints(kind).values():
        for inside in [hint, *typing.get_args(hint)]:
            if isinstance(inside, type) and issubclass(inside, msgspec.Struct):
                yield inside
                yield from _parts(inside)
