"""``collect export`` and ``collect score``: the questions of a collection, and what they are like."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import open_pipeline, print_result
from wdw_study.collection import question_scores
from wdw_study.collection.collection_folder import (
    CollectionFolder,
    export_questions,
    folder_of,
    open_collection,
)
from wdw_study.collection.question_scores import Scored


def opened(options: argparse.Namespace) -> CollectionFolder:
    """The collection of the options."""
    return open_collection(folder_of(open_pipeline(options).run_folder, options.collection))


def export(options: argparse.Namespace) -> int:
    """``collect export``."""
    collection = opened(options)
    folder, state = options.out or collection.folder / "export", collection.counted(options.persons, options.exclude)
    written = export_questions(
        collection,
        folder,
        state,
        confirmed=options.confirmed,
        validations=options.validations,
        replace=options.force,
    )
    table1, files = written.table1, "\n".join(f"  {folder / name}" for name in written.files)
    about = f"{counted(table1.questions, 'question')} about {counted(table1.passages, 'passage')}"
    print_result(options, written, f"{about}\n{files}")
    return 0


def score(options: argparse.Namespace) -> int:
    """``collect score``."""
    collection = opened(options)
    scored = question_scores.score(
        collection.collection.name, collection.counted(options.persons, options.exclude), collection.passages
    )
    lines = [*_table1(scored), *_performances(scored), *_refusals(scored), *_labels(scored)]
    print_result(options, scored, "\n".join(lines))
    return 0


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
