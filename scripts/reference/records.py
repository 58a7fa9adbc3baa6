"""The pages of records and of reports, from the structs and the strings below their fields."""

from __future__ import annotations

import functools
import json
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import msgspec

from reference.tables import IN_SCHEMA, TABLED, page, prose, schema_name, table, values
from wdw_bench import results as bench_results
from wdw_build import estimate
from wdw_build import records as declared
from wdw_build.adapters.exports import jsonl, key_lines
from wdw_build.core.field_docs import contained, field_docs, schema
from wdw_build.core.store import causes
from wdw_build.dataset import Facts
from wdw_build.pipeline import STAGES
from wdw_build.views import diff, record_page, sections
from wdw_study.judging import exchange, score_records, sheets

Struct = type[msgspec.Struct]

RECORDS = """Every stage writes JSON lines. To look at a stage's records:

```console
$ wdw-build inspect questions --json -n 1 -c configs/sample.yaml
$ wdw-build inspect questions --schema -c configs/sample.yaml
```

Each line is one record in UTF-8, with the fields in the order below. The first field of records and rejections is `id`. A
question and its problem have the id of the question's article. Dates are ISO 8601 (`2014-03-04`). Offsets count characters
(Unicode code points); end offsets are exclusive. Indices count from 0."""

OTHERS = """The other records have JSON schemas. `wdw-build inspect STAGE --schema` prints the schema of a stage's records; the
same schemas are linked from [Stages, reasons and rules](stages.md)."""

REPORTS = """This page describes the `jsonl` and `keys` exports, and the output of commands with `--json`:

```console
$ wdw-build summary --json -c configs/sample.yaml
```

In this page's tables, `question/text` is the `text` field of the `question` object."""

TABLES: Sequence[tuple[str, str, Sequence[Struct]]] = (
    ("Exported problems", "", (jsonl.ProblemLine,)),
    (
        "Keys",
        "For the files in `keys/`, see [Publish without the texts](../howto/publish-without-texts.md). Positions in an "
        "article refer to the text from the corpus reader: its paragraphs, separated by blank lines.",
        (key_lines.KeysHeader, key_lines.ProblemKey, key_lines.ArticleKey),
    ),
    (
        "The summary",
        "The [schema](schemas/summary.json) describes the nested objects.",
        (Facts,),
    ),
)

# Name of the schema file -> struct, what has it.
SCHEMAS: Mapping[str, tuple[Struct, str]] = {
    "summary": (Facts, "`wdw-build summary --json`"),
    "problem-key": (key_lines.ProblemKey, "each line of `keys/problems.jsonl`"),
    "estimate": (estimate.Estimate, "`estimate` in `wdw-build all --dry-run --json`"),
    "bench": (bench_results.BenchResults, "`wdw-build bench --json`, and `bench.json` in the run folder"),
    "difference": (diff.Difference, "lines of `wdw-build diff --json` whose `type` is `difference`"),
    "stage-difference": (diff.StageDifference, "lines of `wdw-build diff --json` whose `type` is `stage`"),
    "section": (sections.ReportSection, "files of `runs/<run>/sections`, which `report` and `datasheet` show"),
    "trace": (
        record_page.RecordPage,
        "`wdw-build trace --json` (see [Trace one record](../howto/trace-a-record.md#what-a-trace-shows))",
    ),
    "sheet-score": (
        score_records.SheetScore,
        "`wdw-build annotate score --json`, and `score.json` in the sheet's folder",
    ),
    "sheet": (sheets.Sheet, "`study.json` in the sheet's folder, `runs/<run>/annotate/<sheet>`"),
    "sheet-problem": (sheets.SheetProblem, "each line of `items.jsonl` in the sheet's folder"),
    "judgement": (exchange.Row, "each row of `judgements.csv` from `wdw-build annotate export`"),
}


def records() -> str:
    """Every record: outputs of stages, their parts, and the records that corpus readers yield."""
    structs = [kind for kind in _structs(declared) if kind is not declared.Record]
    written = [kind for kind in _outputs() if kind.__name__ in TABLED]
    parts = {part for kind in written for part in contained(kind)}
    groups: dict[str, list[Struct]] = {
        "Outputs of stages": written,
        "Parts of records": [kind for kind in structs if kind in parts and kind not in written],
        "From corpus readers": [declared.RawArticle, declared.Unreadable],
    }
    return page(
        "Records",
        RECORDS,
        *(_group(heading, "", kinds) for heading, kinds in groups.items()),
        f"## Other outputs of stages\n\n{OTHERS}",
    )


def _outputs() -> list[Struct]:
    return list(dict.fromkeys([*(stage.writes for stage in STAGES), declared.Rejection]))


def _writers(kind: Struct) -> str:
    return ", ".join(f"`{stage.name}`" for stage in STAGES if stage.writes is kind)


def reports() -> str:
    """Everything that is written or printed as JSON and is not a record; what few people read by hand, as JSON schemas."""
    groups = ["\n\n".join(filter(None, [f"## {heading}", text, *map(_flat, kinds)])) for heading, text, kinds in TABLES]
    tabled = {kind for _, _, kinds in TABLES for kind in kinds}
    rows = [
        (f"[{kind.__name__}](schemas/{name}.json)", what)
        for name, (kind, what) in SCHEMAS.items()
        if kind not in tabled
    ]
    causes_text = (
        "`typed_causes` in `wdw-build status --json` and `wdw-build diff --json` says why a stage runs or differs. Each has "
        "`kind`, `stage`, `name` (of the key, input or port), `old` and `new`:"
    )
    in_words = [(f"`{kind}`", f"`{words}`") for kind, words in causes.WORDS.items()]
    faults = _labels("fault of the problem", sheets.FAULTS)
    phenomena = _labels("what finding the answer requires", sheets.PHENOMENA)
    return page(
        "Reports as JSON",
        REPORTS,
        *groups,
        f"## Other reports\n\nThe JSON schemas describe every field.\n\n{table(('schema', 'describes'), rows)}",
        f"## Causes\n\n{causes_text}\n\n{table(('kind', 'in words'), in_words)}",
        f"## Labels of faults\n\n{faults}",
        f"## Labels of phenomena\n\n{phenomena}",
    )


def schemas() -> Mapping[str, Callable[[], str]]:
    """Path below docs/reference -> its text, for the JSON schema of each report and each record without a table."""

    def text(kind: Struct) -> str:
        return json.dumps(schema(kind), indent=1, ensure_ascii=False) + "\n"

    kinds = {name: kind for name, (kind, _) in SCHEMAS.items()}
    kinds |= {schema_name(kind): kind for kind in _outputs() if kind.__name__ not in TABLED}
    return {f"schemas/{name}.json": functools.partial(text, kind) for name, kind in kinds.items()}


def _labels(head: str, labels: Mapping[str, str]) -> str:
    return table(("label", head), [(f"`{label}`", meaning) for label, meaning in labels.items()])


def _group(heading: str, text: str, kinds: Sequence[Struct]) -> str:
    return "\n\n".join(filter(None, [f"## {heading}", text, *map(_struct, kinds)]))


def _struct(kind: Struct) -> str:
    written = f" Written by {_writers(kind)}." if _writers(kind) else ""
    hints = typing.get_type_hints(kind)
    base: Struct = kind.__bases__[0]
    common = base.__struct_fields__
    inherited = f"\n\nIt has the fields of {values(base)}, and:" if common and base is not declared.Record else ""
    rows = [
        (f"`{field.encode_name}`", values(hints[field.name]), prose(field_docs(kind)[field.name]))
        for field in msgspec.structs.fields(kind)
        if field.name not in common
    ]
    return f"### {kind.__name__}\n\n{prose(kind.__doc__)}{written}{inherited}\n\n{table(('field', 'type', 'meaning'), rows)}"


def _flat(kind: Struct) -> str:
    """The fields of a struct and of the structs of its module within it, in one table."""
    rows = list(_flat_rows(kind, ""))
    return f"### {kind.__name__}\n\n{prose(kind.__doc__)}\n\n{table(('field', 'type', 'meaning'), rows)}"


def _flat_rows(kind: Struct, prefix: str) -> Iterator[tuple[str, str, str]]:
    hints = typing.get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        name, hint = f"{prefix}{field.encode_name}", hints[field.name]
        if _is_of(hint, kind):
            yield from _flat_rows(hint, f"{name}/")
        else:
            yield f"`{name}`", values(hint), prose(field_docs(kind)[field.name])


def _is_of(part: Any, kind: Struct) -> bool:
    """Whether this is a struct of the same module that has no schema. The summary shows only its own fields."""
    is_struct = isinstance(part, type) and issubclass(part, msgspec.Struct) and part.__name__ not in IN_SCHEMA
    return is_struct and part.__module__ == kind.__module__ and kind is not Facts


def _structs(module: ModuleType) -> list[Struct]:
    """The public structs that a module declares, without bases that have no fields."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    public = [kind for kind in kinds if kind.__module__ == module.__name__ and not kind.__name__.startswith("_")]
    return [kind for kind in public if kind.__struct_fields__ or not kind.__subclasses__()]
