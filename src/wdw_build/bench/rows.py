"""The rows that ``bench`` keeps in ``runs/<run>/bench-rows``, and the tables of them in ``bench.json``, which grow with every call.

The first line of a row's file describes the row; each other line has the answers to one problem. A row is replaced by a later
row of the same system, setting, condition and evaluation on the same data.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.bench.populations import EvaluatedProblems
from wdw_build.bench.results import (
    ADVERSARY,
    BASELINE,
    GIVEN,
    RESULTS,
    BenchResults,
    ConditionTable,
    HiddenRow,
    RowHead,
    read_results,
)
from wdw_build.bench.table import Answered, Row, comparisons, condition_table, disagreements
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.reading import Prediction
from wdw_build.reading.conditions import PASSAGE
from wdw_build.registry import system_names

FOLDER = "bench-rows"
_GROUPS = (BASELINE, ADVERSARY, "probe", "table 4", "today", GIVEN)
S = TypeVar("S", bound=msgspec.Struct)


class ProblemAnswers(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a row's file: what each training answered to one problem. ``answer``: index of the right choice."""

    id: str
    population: str
    choices: tuple[str, ...]
    answer: int
    scores: tuple[tuple[float, ...], ...]
    spans: tuple[tuple[str, ...] | None, ...] = ()


def write_row(folder: Path, row: Row, evaluated: EvaluatedProblems) -> None:
    """Write a row. A row that is the same as the one of an earlier call keeps that call's date."""
    head, path = row.head, folder / FOLDER / row.head.file
    lines = [jsonl.encode(line) for line in _lines(row, evaluated)]
    if path.exists():
        with path.open("rb") as stream:
            first, others = stream.readline(), stream.readlines()
        former = _decode(first, RowHead, path)
        dated = msgspec.structs.replace(head.result, measured=former.result.measured)
        if others == lines and msgspec.structs.replace(head, result=dated) == former:
            return
    path.parent.mkdir(exist_ok=True)
    replace_file(path, b"".join((jsonl.encode(head), *lines)))


def _lines(row: Row, evaluated: EvaluatedProblems) -> Iterator[ProblemAnswers]:
    for population in evaluated.populations:
        seeds = [seed[population].predictions for seed in row.seeds]
        for name in seeds[0]:
            made, problem = [seed[name] for seed in seeds], evaluated.problems[name]
            yield ProblemAnswers(
                id=name,
                population=population,
                choices=problem.choices,
                answer=problem.answer,
                scores=tuple(prediction.scores for prediction in made),
                spans=tuple(prediction.spans for prediction in made) if made[0].spans is not None else (),
            )


def heads(folder: Path) -> Iterator[tuple[Path, RowHead]]:
    """The files of all rows with their first lines, in a fixed order. Raises ``UsageError`` for an unreadable file."""
    for path in sorted((folder / FOLDER).glob("*.jsonl")):
        with path.open("rb") as stream:
            yield path, _decode(stream.readline(), RowHead, path)


def read_row(path: Path, head: RowHead) -> Row:
    """A whole row. Raises ``UsageError`` if its file is unreadable."""
    lines = list(answers(path))
    count = max((len(line.scores) for line in lines), default=1)
    seeds = [{name: Answered({}, predictions={}) for name in head.accuracies} for _ in range(count)]
    for line in lines:
        draw = uniform_hash(head.seed, "bench-tie", line.id)
        for number, scores in enumerate(line.scores):
            prediction = Prediction(scores, line.spans[number] if line.spans else None)
            credits, _, _, predictions = seeds[number][line.population]
            credits[line.id], predictions[line.id] = prediction.credit(line.answer, draw), prediction
    return Row(head, seeds)


def answers(path: Path) -> Iterator[ProblemAnswers]:
    """The answers of a row's file. Raises ``UsageError`` if it is unreadable."""
    with path.open("rb") as stream:
        stream.readline()
        for line in stream:
            yield _decode(line, ProblemAnswers, path)


def answers_to(folder: Path, problem: str) -> Iterator[tuple[RowHead, ProblemAnswers]]:
    """What every kept row answered to a problem."""
    for path, head in heads(folder):
        yield from ((head, line) for line in answers(path) if line.id == problem)


def write_results(folder: Path, results: BenchResults) -> BenchResults:
    """Fill the tables of ``results`` with the kept rows of their data, and write them to ``bench.json``."""
    known = list(heads(folder))
    shown = [
        read_row(path, head)
        for path, head in known
        if _is_in_table(head, results) or _is_under_condition(head, results.conditions)
    ]
    shown.sort(key=lambda row: table_order(row.head))
    main = [row for row in shown if _is_in_table(row.head, results)]
    under = [row for row in shown if _is_under_condition(row.head, results.conditions)]
    hidden = {head.file for _, head in known} - {row.head.file for row in shown}
    results = msgspec.structs.replace(
        results,
        systems=tuple(row.result for row in main),
        comparisons=comparisons(main),
        disagreements=disagreements(main),
        hidden=tuple(
            _hidden(head) for _, head in known if head.file in hidden and head.result.group not in (BASELINE, ADVERSARY)
        ),
        conditions=condition_table(results.conditions, under) if results.conditions is not None else None,
    )
    replace_file(folder / RESULTS, jsonl.document(results))
    return results


def forget(run: Run, systems: Collection[str]) -> list[str]:
    """Delete the kept rows of some systems, named as in the table or without their setting, and return the rows' names.

    Without systems all rows are deleted. Raises ``UsageError`` if a system has no row.
    """
    known = [(path, head.result) for path, head in heads(run.folder)] if systems else []
    for system in systems:
        if not any(system in (result.name, result.system) for _, result in known):
            hint = f"systems: {', '.join(dict.fromkeys(result.name for _, result in known)) or 'none'}"
            raise UsageError(f"--forget: no row of {system!r} is kept", hint=hint)
    results = read_results(run)
    if not systems or results is None:
        (run.folder / RESULTS).unlink(missing_ok=True)
    if not systems:
        names = [path.stem for path in (run.folder / FOLDER).glob("*.jsonl")]
        shutil.rmtree(run.folder / FOLDER, ignore_errors=True)
        return names
    forgotten = [(path, result.name) for path, result in known if {result.name, result.system} & set(systems)]
    for path, _ in forgotten:
        path.unlink()
    if results is not None:
        write_results(run.folder, results)
    return [name for _, name in forgotten]


def _is_in_table(head: RowHead, results: BenchResults) -> bool:
    return head.folds is None and head.condition == PASSAGE and head.data == results.data


def _is_under_condition(head: RowHead, table: ConditionTable | None) -> bool:
    if table is None or (head.folds, head.data) != (table.folds, table.data):
        return False
    return not head.pseudonyms or head.pseudonyms == table.pseudonyms


def table_order(head: RowHead) -> tuple[int, int, str]:
    """The order of the rows: by group, then the order of all systems, then name."""
    result, names = head.result, system_names()
    place = names.index(result.system) if result.system in names else len(names)
    return (_GROUPS.index(result.group) if result.group in _GROUPS else len(_GROUPS)), place, result.name


def _hidden(head: RowHead) -> HiddenRow:
    result = head.result
    return HiddenRow(
        name=result.name, condition=head.condition, folds=head.folds, measured=result.measured, data=head.data
    )


def _decode(line: bytes, kind: type[S], path: Path) -> S:
    try:
        decoded: S = msgspec.json.decode(line, type=kind)
        return decoded
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", hint="wdw-build bench --forget deletes all rows") from error
