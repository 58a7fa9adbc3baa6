"""What judgements become outside the study: a table, tasks of Label Studio, and the faulty problems that the build omits.

The table is written and read again. Label Studio's tasks do not have the key (https://labelstud.io/guide/task_format); the
import there makes one annotation of each judgement, with the person in the control ``person``, and one prediction of each
judgement of a model.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.api import FaultyProblem, UsageError, atomic_output, html_environment, jsonl, read_table
from wdw_build.reading.prompt import who_is
from wdw_study.folder import FILE_MODE
from wdw_study.judging.judgements import (
    ANSWERED,
    FAULTS_MARKED,
    LABELLED,
    NOTED,
    Judgement,
    append_changes,
    by_problem,
    person_judgements,
)
from wdw_study.judging.score import Case, cases
from wdw_study.judging.sheets import CANNOT_TELL, FAULTS, PHENOMENA, Judged, SheetFolder, SheetProblem
from wdw_study.people import is_model, sign_in_once

TABLE, _TASKS, _CONTROLS = "judgements.csv", "label-studio.json", "label-studio.xml"
# A spreadsheet program takes a cell that begins with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NEEDED = ("number", "person")
_TEMPLATE = Path(__file__).parent / "templates" / "label-studio.xml.j2"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one problem: a row of ``judgements.csv``. Several labels have a space between."""

    number: str
    """Place of the problem on the sheet, from 1."""
    problem: str = ""
    """Id of the problem."""
    person: str
    """Name of the person; that of a model begins with `(model)`."""
    answer: str = ""
    """The name that the person chose, or `cannot tell`; empty without an answer, and for the task `phenomena`."""
    right: str = ""
    """`true` or `false`: whether the answer is that of the key; empty without one. The import ignores it."""
    faults: str = ""
    """Labels of faults."""
    phenomena: str = ""
    """Labels of the task `phenomena`."""
    note: str = ""
    """Free text."""


# ---- export ----------------------------------------------------------------------------------------------------------


def export_judgements(judged: Judged, folder: Path, *, replace: bool) -> tuple[int, list[Path]]:
    """Write the judgements into a folder, in both forms. Returns their number and the files.

    Raises ``UsageError`` if the folder has earlier output and ``replace`` is false.
    """
    rows = list(exported(judged))
    files = {TABLE: _table(rows), **_tool_files(judged)}
    with atomic_output(folder, replace=replace) as staging:
        for name, content in files.items():
            (staging / name).touch(FILE_MODE)
            (staging / name).write_bytes(content)
    return len(rows), [folder / name for name in files]


def exported(judged: Judged) -> Iterator[Row]:
    """The judgements by person, then in the order of the sheet; those of models come last."""
    problems = {problem.id: problem for problem in judged.problems}
    for judgement in (*judged.judgements, *judged.models):
        problem = problems[judgement.problem]
        answer = _answer(judgement, judged, problem)
        yield Row(
            number=str(problem.number),
            problem=problem.id,
            person=judgement.person,
            answer=answer,
            right=str(judgement.answer == problem.answer).lower() if answer else "",
            faults=" ".join(judgement.faults),
            phenomena=" ".join(judgement.phenomena),
            note=judgement.note,
        )


def _answer(judgement: Judgement, judged: Judged, problem: SheetProblem) -> str:
    """The answer as a choice, or ``cannot tell``; empty without an answer."""
    if not judgement.answered or judged.sheet.task != "answer":
        return ""
    return CANNOT_TELL if judgement.answer is None else problem.choices[judgement.answer]


def _table(rows: Iterable[Row]) -> bytes:
    """The rows as CSV (RFC 4180) with a head. Text that a spreadsheet program would compute gets an apostrophe before it."""
    lines = io.StringIO(newline="")
    table = csv.writer(lines)
    table.writerow(Row.__struct_fields__)
    for row in rows:
        table.writerow(f"'{cell}" if cell.startswith(_FORMULA) else cell for cell in msgspec.structs.astuple(row))
    return lines.getvalue().encode("utf-8", "replace")


# ---- Label Studio ----------------------------------------------------------------------------------------------------


def _tool_files(judged: Judged) -> dict[str, bytes]:
    """The tasks with people's judgements and models' predictions, and the labelling configuration."""
    of_problem = by_problem((*judged.judgements, *judged.models))
    tasks = [_task(problem, of_problem.get(problem.id, ()), judged) for problem in judged.problems]
    return {_TASKS: jsonl.document(tasks), _CONTROLS: _controls(judged)}


def _task(problem: SheetProblem, judgements: Sequence[Judgement], judged: Judged) -> dict[str, Any]:
    return {
        "data": {
            "id": problem.id,
            "number": problem.number,
            "question": problem.question,
            "passage": "\n\n".join(filter(None, [problem.title, problem.date, problem.passage])),
            "choices": [{"value": name} for name in (*problem.choices, CANNOT_TELL)],
        },
        "annotations": [
            _annotation(judgement, problem, judged) for judgement in judgements if not is_model(judgement.person)
        ],
        "predictions": [
            _annotation(judgement, problem, judged) for judgement in judgements if is_model(judgement.person)
        ],
    }


def _annotation(judgement: Judgement, problem: SheetProblem, judged: Judged) -> dict[str, Any]:
    chosen = {
        "answer": list(filter(None, [_answer(judgement, judged, problem)])),
        "phenomena": judgement.phenomena,
        "faults": judgement.faults,
    }
    typed = {"person": judgement.person, "note": judgement.note}
    results = [_result(name, "textarea", "text", [text]) for name, text in typed.items() if text]
    results += [_result(name, "choices", "choices", list(labels)) for name, labels in chosen.items() if labels]
    return {"result": results} | ({"model_version": judgement.person} if is_model(judgement.person) else {})


def _result(name: str, kind: str, form: str, values: list[str]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "question", "type": kind, "value": {form: values}}


def _controls(judged: Judged) -> bytes:
    """The labelling configuration of the tasks."""
    template = html_environment(_TEMPLATE.parent).get_template(_TEMPLATE.name)
    return template.render(sheet=judged.sheet, asked=who_is(), phenomena=PHENOMENA).encode()


# ---- import ----------------------------------------------------------------------------------------------------------


def import_judgements(folder: SheetFolder, path: Path) -> int:
    """Append what a table says to the log and return the number of changes: none if all were there.

    Raises ``UsageError``, and appends nothing, if a row names a problem, an answer or a label that the sheet does not have.
    """
    rows = [(row, _values(row, folder, f"{path}, row {at}")) for at, row in enumerate(_rows(path), 2)]
    changes = 0
    for person in dict.fromkeys(row.person for row, _ in rows):
        name = sign_in_once(folder.log, person)
        known = person_judgements(name, folder.log.events(name))
        for problem, values in (values for row, values in rows if row.person == person):
            judgement = known.get(problem) or Judgement(person=name, problem=problem)
            changes += append_changes(folder.log, judgement, values)
    return changes


def _rows(path: Path) -> list[Row]:
    rows = list(read_table(path))
    if missing := [name for name in _NEEDED if rows and name not in rows[0]]:
        raise UsageError(
            f"{path}: there is no column {' and '.join(missing)}; columns: {', '.join(rows[0])}",
            hint=f"a table needs the columns {' and '.join(_NEEDED)}",
        )
    return [Row(**{name: _text(row.get(name, "")) for name in Row.__struct_fields__}) for row in rows]


def _text(cell: str) -> str:
    """A cell without the apostrophe that the export put before it."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_FORMULA) else cell


def _values(row: Row, folder: SheetFolder, place: str) -> tuple[str, dict[str, Any]]:
    """The id of a row's problem, and the values of its changes by kind."""
    problem = next((item for item in folder.items if str(item.number) == row.number), None)
    if problem is None or row.problem not in ("", problem.id):
        raise UsageError(f"{place}: the sheet has no problem {row.number} {row.problem}", hint="import its own table")
    values: dict[str, Any] = {}
    if folder.head.task == "phenomena":
        values[LABELLED] = _labels(row.phenomena, PHENOMENA, place)
    elif row.answer:
        choices = {CANNOT_TELL: None, **{name: index for index, name in enumerate(problem.choices)}}
        if row.answer not in choices:
            raise UsageError(f"{place}: {row.answer[:80]!r} is no choice", hint=f"choices: {', '.join(choices)}")
        values[ANSWERED] = choices[row.answer]
    return problem.id, values | {FAULTS_MARKED: _labels(row.faults, folder.head.faults, place), NOTED: row.note}


def _labels(text: str, known: Mapping[str, str], place: str) -> tuple[str, ...]:
    unknown = sorted(set(text.split()) - known.keys())
    if unknown:
        raise UsageError(f"{place}: unknown label {unknown[0][:80]!r}", hint=f"labels: {', '.join(known)}")
    return tuple(label for label in known if label in text.split())


# ---- faulty problems -------------------------------------------------------------------------------------------------

# Reasons besides the labels of ``FAULTS``: the adjudicator's answer is not the marked one, or there is none.
WRONG_ANSWER, NO_ANSWER = "wrong-answer", "no-answer"
_SEVERAL = 2


def confirmed(judged: Judged, model: str = "") -> tuple[list[FaultyProblem], int]:
    """The faulty problems in the order of the sheet, and how many problems to adjudicate are left undecided.

    The adjudicator's decision counts. Without one, a fault that two or more people marked is confirmed, and otherwise the
    faults that ``model`` marked, a participant's name. Raises ``UsageError`` if the model answered no problem.
    """
    answered = len(judged.answered_by_models.get(model, ()))
    if model and not answered:
        raise UsageError(
            f"{model} answered no problem of sheet {judged.sheet.name}",
            hint=f"models: {', '.join(judged.answered_by_models) or 'none'}",
        )
    # Without a passage, an answer that cannot be told is no fault of the problem.
    counts_answers = judged.sheet.task == "answer" and judged.sheet.has_passage
    faulty: list[FaultyProblem] = []
    undecided = 0
    for case in cases(judged):
        labels, is_models = _marked(case, model)
        decided = case.decided
        if decided and counts_answers and decided.answer != case.problem.answer:
            labels.append(NO_ANSWER if decided.answer is None else WRONG_ANSWER)
        undecided += not (decided or labels)
        if labels:
            found_by = f", marked by {model} ({answered:,} problems judged)" if is_models else ""
            faulty.append(FaultyProblem(id=case.problem.id, reason=", ".join(labels) + found_by))
    return faulty, undecided


def _marked(case: Case, model: str) -> tuple[list[str], bool]:
    """The faults of a problem, and whether the model alone marked them."""
    people = (judgement for judgement in case.judgements if not is_model(judgement.person))
    marks = Counter(fault for judgement in people for fault in set(judgement.faults))
    several = [fault for fault, count in marks.items() if count >= _SEVERAL]
    by_model = {fault for judgement in case.judgements if judgement.person == model for fault in judgement.faults}
    faults = case.decided.faults if case.decided else several or by_model
    return sorted(faults, key=[*FAULTS].index), faults is by_model and bool(by_model)
