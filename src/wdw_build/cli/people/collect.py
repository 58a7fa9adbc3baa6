"""``collect export`` and ``collect score``: the questions of a collection, and what they are like."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from wdw_build.annotation.collection import question_scores
from wdw_build.annotation.collection.collection_folder import (
    CollectionFolder,
    export_questions,
    folder_of,
    open_collection,
)
from wdw_build.annotation.collection.question_scores import Scored
from wdw_build.cli.base import open_pipeline, print_result
from wdw_build.cli.options import ConfigFile, Force, Json, Overrides, Quiet
from wdw_build.cli.people.annotate_score import Exclude, Persons

Collection = Annotated[str, Option("--collection", metavar="NAME", help="name of the collection")]


def opened(config: Path, overrides: Sequence[str], name: str) -> CollectionFolder:
    """The collection with a name."""
    return open_collection(folder_of(open_pipeline(config, overrides, quiet=True).run_folder, name))


def export(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    name: Collection = "questions",
    confirmed: Annotated[
        bool, Option("--confirmed", help="write only the questions that a second person confirmed")
    ] = False,
    validations: Annotated[
        bool, Option("--validations", help="also write each person's answer and label for each question")
    ] = False,
    out: Annotated[
        Path | None,
        Option("-o", "--out", metavar="DIR", help="folder to write into (default: export in the collection)"),
    ] = None,
    force: Force = False,
) -> None:
    """``collect export``."""
    collection = opened(config, overrides, name)
    folder = out or collection.folder / "export"
    written = export_questions(
        collection,
        folder,
        collection.counted(persons, exclude),
        confirmed=confirmed,
        validations=validations,
        replace=force,
    )
    table1, files = written.table1, "\n".join(f"  {folder / file}" for file in written.files)
    about = f"{counted(table1.questions, 'question')} about {counted(table1.passages, 'passage')}"
    print_result(written, f"{about}\n{files}", as_json=as_json)


def score(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    name: Collection = "questions",
) -> None:
    """``collect score``."""
    collection = opened(config, overrides, name)
    scored = question_scores.score(
        collection.collection.name, collection.counted(persons, exclude), collection.passages
    )
    lines = [*_table1(scored), *_performances(scored), *_refusals(scored), *_labels(scored)]
    print_result(scored, "\n".join(lines), as_json=as_json)


def _table1(scored: Scored) -> list[str]:
    table1 = scored.table1
    rows = [
        ("questions", f"{table1.questions:,}"),
        ("passages with questions", f"{table1.passages:,}"),
        ("tokens of a passage", f"{table1.passage_tokens:.1f} ± {table1.passage_tokens_deviation:.1f}"),
        ("tokens of a question", f"{table1.question_tokens:.1f} ± {table1.question_tokens_deviation:.1f}"),
        ("vocabulary of passages", f"{table1.passage_vocabulary:,}"),
        ("vocabulary of questions", f"{table1.question_vocabulary:,}"),
        ("questions with several spans", _percent(table1.multi_span)),
        ("confirmed by a second person", f"{scored.confirmed:,}"),
        ("not checked by an adversary", f"{scored.unchecked:,}"),
    ]
    return [f"Collection {scored.collection}", *(f"  {name:<30} {value:>16}" for name, value in rows)]


def _performances(scored: Scored) -> list[str]:
    lines = [f"\n{'':<32} {'answers':>7}  {'EM':>6} {'95% interval':>16}  {'F1':>6} {'95% interval':>16}"]
    for title, found in (("Second persons", scored.people), ("Adversary, accepted questions", scored.adversary)):
        lines.append(title if found else f"{title}: none")
        for name, each in found.items():
            exact_match = f"{_percent(each.exact_match):>6} {_interval(each.exact_match_interval):>16}"
            f1 = f"{_percent(each.f1):>6} {_interval(each.f1_interval):>16}"
            lines.append(f"  {name[:30]:<30} {each.answers:>7}  {exact_match}  {f1}")
    return lines


def _refusals(scored: Scored) -> list[str]:
    refused = scored.attempts - scored.accepted
    return [
        f"\n{refused} of {counted(scored.attempts, 'attempt')} refused",
        *(f"  {rule:<30} {n:>7}" for rule, n in scored.refused.items()),
    ]


def _labels(scored: Scored) -> list[str]:
    if not scored.labelled:
        return ["\nNo question is labelled yet (page Label)"]
    title = f"{counted(scored.labelled, 'question')} labelled"
    rows = [f"\n{title:<32} {'share':>7}  {'alpha':>6}"]
    for label, share in scored.phenomena.items():
        alpha = scored.agreement[label]
        rows.append(f"  {label:<30} {_percent(share):>7}  {'-' if alpha is None else f'{alpha:.2f}':>6}")
    return rows


def counted(count: int, what: str) -> str:
    """The count with its noun, in the plural unless it is one."""
    return f"{count:,} {what if count == 1 else f'{what}s'}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def _interval(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
