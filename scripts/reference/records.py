"""The page of records and reports and the JSON schemas, from the structs and the strings below their fields."""

from __future__ import annotations

import functools
import json
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from reference.tables import page, prose, schema_name, table, values
from wdw_bench import results as bench_results
from wdw_build import records as declared
from wdw_build.adapters.exports import jsonl, key_lines
from wdw_build.core.section import field_docs, schema
from wdw_build.corpus_look import estimate
from wdw_build.pipeline.stage_order import STAGES
from wdw_build.views import diff, record_page, sections
from wdw_build.views.dataset import Facts
from wdw_study.judging import exchange, score_records, sheets

Struct = type[msgspec.Struct]

INTRODUCTION = """Every stage writes JSON lines, and many commands print JSON. To look at a stage's records:

```console
$ wdw-build inspect questions --json -n 1 -c configs/sample.yaml
$ wdw-build inspect questions --schema -c configs/sample.yaml
```

In records, dates are ISO 8601 (`2014-03-04`). Offsets count characters (Unicode code points); end offsets are exclusive.
Indices count from 0. The first field is `id`. A question and its problem have the id of the question's article."""

PROBLEMS = """## Exported problems

The fields of a line of the JSONL export; `question/text` is the `text` field of the `question` object."""

FROM_READERS = """## From corpus readers

A corpus reader yields these two records (see [Add a corpus reader](../howto/add-a-reader.md))."""

OTHERS = """## JSON schemas

[Stages, reasons and rules](stages.md) links to the schema of each stage's records; a [rejection](schemas/rejection.json) gives the
reason and the evidence. These are the other schemas:"""

# Name of the schema file -> struct, what has it.
SCHEMAS: Mapping[str, tuple[Struct, str]] = {
    "summary": (
        Facts,
        "`wdw-build summary --json`, `summary.json` in the run folder, and `wdw_build.api.facts`",
    ),
    "keys-header": (key_lines.KeysHeader, "`keys/keys.json`"),
    "problem-key": (key_lines.ProblemKey, "each line of `keys/problems.jsonl`"),
    "article-key": (key_lines.ArticleKey, "each line of `keys/articles.jsonl`"),
    "estimate": (estimate.Estimate, "`estimate` in `wdw-build all --dry-run --json`"),
    "bench": (bench_results.BenchResults, "`wdw-build bench --json`, and `bench.json` in the run folder"),
    "difference": (diff.Difference, "lines of `wdw-build diff --json` whose `type` is `difference`"),
    "stage-difference": (diff.StageDifference, "lines of `wdw-build diff --json` whose `type` is `stage`"),
    "section": (sections.ReportSection, "files of `runs/<run>/sections`, which `report` and `datasheet` show"),
    "trace": (record_page.RecordPage, "`wdw-build trace --json`"),
    "sheet-score": (
        score_records.SheetScore,
        "`wdw-build annotate score --json`, and `score.json` in the sheet's folder",
    ),
    "sheet": (sheets.Sheet, "`study.json` in the sheet's folder, `runs/<run>/annotate/<sheet>`"),
    "sheet-problem": (sheets.SheetProblem, "each line of `items.jsonl` in the sheet's folder"),
    "judgement": (exchange.Row, "each row of `judgements.csv` from `wdw-build annotate export`"),
}


def records() -> str:
    """Exported problems and what corpus readers yield as tables, everything else as JSON schemas, and the labels of people."""
    rows = [(f"[{kind.__name__}](schemas/{name}.json)", what) for name, (kind, what) in SCHEMAS.items()]
    return page(
        "Records and reports",
        INTRODUCTION,
        f"{PROBLEMS}\n\n{_table(jsonl.ProblemLine)}",
        "\n\n".join([FROM_READERS, _struct(declared.RawArticle), _struct(declared.Unreadable)]),
        f"{OTHERS}\n\n{table(('schema', 'describes'), rows)}",
        f"## Labels of faults\n\n{_labels('fault of the problem', sheets.FAULTS)}",
        f"## Labels of phenomena\n\n{_labels('what finding the answer requires', sheets.PHENOMENA)}",
    )


def schemas() -> Mapping[str, Callable[[], str]]:
    """Path below docs/reference -> its text, for each JSON schema."""

    def text(kind: Struct) -> str:
        return json.dumps(schema(kind), indent=1, ensure_ascii=False) + "\n"

    outputs: list[Struct] = [*(stage.writes for stage in STAGES), declared.Rejection]
    kinds = {schema_name(kind): kind for kind in outputs}
    kinds |= {name: kind for name, (kind, _) in SCHEMAS.items()}
    return {f"schemas/{name}.json": functools.partial(text, kind) for name, kind in kinds.items()}


def _labels(head: str, labels: Mapping[str, str]) -> str:
    return table(("label", head), [(f"`{label}`", meaning) for label, meaning in labels.items()])


def _struct(kind: Struct) -> str:
    return f"### {kind.__name__}\n\n{prose(kind.__doc__)}\n\n{_table(kind)}"


def _table(kind: Struct) -> str:
    return table(("field", "type", "meaning"), list(_flat_rows(kind, "")))


def _flat_rows(kind: Struct, prefix: str) -> Iterator[tuple[str, str, str]]:
    hints = typing.get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        name, hint = f"{prefix}{field.encode_name}", hints[field.name]
        if _is_of(hint, kind):
            yield from _flat_rows(hint, f"{name}/")
        else:
            yield f"`{name}`", values(hint), prose(field_docs(kind)[field.name])


def _is_of(part: Any, kind: Struct) -> bool:
    """Whether this is a struct of the same module."""
    is_struct = isinstance(part, type) and issubclass(part, msgspec.Struct)
    return is_struct and part.__module__ == kind.__module__
