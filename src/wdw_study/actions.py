"""What the commands ``annotate``, ``collect`` and ``quality`` do with a study. Each action gives a value, and the same as text.

The parameters of an action after the first are the options of its command.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from typer import Argument, Option

from wdw_build.api import (
    SENTENCE_ENCODER,
    SENTENCE_SPLITTER,
    Backends,
    Progress,
    ReportSection,
    Run,
    UsageError,
    cosines_with,
    jsonl,
    leave_section,
    printable,
    replace_file,
)
from wdw_build.command import Force
from wdw_study import people
from wdw_study.collecting.collection import CollectionFolder, export_questions
from wdw_study.collecting.scores import score as score_collection
from wdw_study.collecting.scores import score_tables as collection_tables
from wdw_study.figures import ScoreTable, agreed, as_text, shown
from wdw_study.folder import EXPORT, FILE_MODE, SCORE, StudyFolder
from wdw_study.judging import estimate as estimates
from wdw_study.judging.draw import DrawOptions
from wdw_study.judging.exchange import confirmed, export_judgements, import_judgements
from wdw_study.judging.model_judge import ModelJudge, Prices
from wdw_study.judging.score import MODEL_HEADS, model_cells, score, score_tables
from wdw_study.judging.sheets import Judged, SheetFolder, judged_of

FAULTY = "faulty.jsonl"
_LIMITS = (
    "The rules call nearly every answer named, and often wrongly; the intervals cover the draw of the problems alone, not "
    "mistakes of the rules."
)
_JUDGED = (
    "Language models answered the questions that annotators are asked, and marked faults. They are not counted as annotators. A "
    "sheet has problems of the dataset as it was when the sheet was drawn."
)
Out = Annotated[Path | None, Option("-o", "--out", metavar="PATH", help="where to write (default: in the study)")]


class Done(NamedTuple):
    """The result of an action: a value for programs, and a text for people."""

    value: Any
    text: str


def counted(count: int, noun: str) -> str:
    """The count with its noun, in the plural unless the count is 1."""
    return f"{count:,} {noun if count == 1 else f'{noun}s'}"


# ---- judging ---------------------------------------------------------------------------------------------------------


def answered(folder: SheetFolder) -> Judged:
    """The judgements that count, and those of models. Raises ``UsageError`` if there are none."""
    judged = judged_of(folder)
    if not (judged.judgements or judged.models):
        raise UsageError(
            f"nobody {'who counts ' if judged.left_out else ''}has answered a problem of sheet {folder.head.name}",
            hint="wdw-build annotate -c FILE serves its pages",
        )
    return judged


def import_answers(
    folder: SheetFolder, answers: Annotated[Path, Argument(metavar="FILE", help="the table (CSV)")]
) -> Done:
    """Add the answers of a table to a sheet."""
    changes = import_judgements(folder, answers)
    text = f"sheet {folder.head.name}: {changes or 'no'} changes from {answers}"
    return Done({"sheet": folder.head.name, "changes": changes}, text)


def score_sheet(folder: SheetFolder) -> Done:
    """Score a sheet, and store the score in its folder."""
    scored = score(answered(folder))
    sheet, path = scored.sheet, folder.path / SCORE
    replace_file(path, jsonl.document(scored), mode=FILE_MODE)
    _describe_models(folder.path.parents[1])
    head = f"sheet {sheet.name}: {sheet.problems:,} problems; people read: {sheet.condition}; task: {sheet.task}"
    parts = [
        "\n".join([head, *(f"note: {printable(note)}" for note in scored.notes)]),
        as_text(score_tables(scored)),
        "\n".join(f"to adjudicate: {printable(name)}: {', '.join(why)}" for name, why in scored.to_adjudicate.items()),
        f"score: {path}",
    ]
    return Done(scored, "\n\n".join(filter(None, parts)))


def judge_sheets(
    folders: Sequence[SheetFolder], judge: ModelJudge, prices: Prices, progress: Progress, *, dry_run: bool
) -> Done:
    """Let a model answer sheets, after the estimate of its cost; with ``dry_run``, only estimate."""
    estimate = judge.estimate(folders, prices)
    if dry_run:
        return Done({"model": judge.name, "estimate": estimate}, f"{judge.name}: {estimate.text}")
    progress.say(f"judge: {judge.name}: {estimate.text}")
    scores = []
    for folder in folders:
        judge.judge(folder)
        scores.append(
            next(model for model in score(judged_of(folder, counts_all=True)).models if model.person == judge.name)
        )
    _describe_models(folders[0].path.parents[1])
    names = [folder.head.name for folder in folders]
    rows = [(name, *model_cells(model)) for name, model in zip(names, scores, strict=True)]
    text = as_text([ScoreTable(judge.name, ("sheet", *MODEL_HEADS), rows)])
    value = {"model": judge.name, "estimate": estimate, "sheets": dict(zip(names, scores, strict=True))}
    return Done(value, f"{text}\n\nto see all figures: wdw-build annotate score -c FILE --sheet NAME")


def _describe_models(run_folder: Path) -> None:
    """Leave a section of the datasheet and the report about what models answered on the sheets of a run, if any did."""
    rows = [
        (folder.head.name, model.person, *model_cells(model))
        for folder in SheetFolder.all(run_folder)
        if folder.is_worked_on
        for model in score(judged_of(folder)).models
    ]
    if rows:
        section = ReportSection(
            title="Problems judged by language models",
            fingerprint="",
            head=("sheet", "model", *MODEL_HEADS),
            rows=tuple(rows),
            notes=(_JUDGED,),
        )
        leave_section(run_folder, "annotate", section)


def export_sheet(folder: SheetFolder, out: Out = None, force: Force = False) -> Done:
    """Write what each person answered."""
    judged = answered(folder)
    count, paths = export_judgements(judged, out or folder.path / EXPORT, replace=force)
    files = list(map(str, paths))
    text = "\n  ".join([f"{counted(count, 'judgement')} of sheet {folder.head.name}", *files])
    return Done({"sheet": folder.head.name, "judgements": count, "files": files}, text)


def apply_faults(
    folder: SheetFolder,
    model: Annotated[
        str, Option("--model", metavar="NAME", help="also write problems that only this model marked as faulty")
    ] = "",
    out: Out = None,
    force: Force = False,
) -> Done:
    """Write the problems with confirmed faults. Raises ``UsageError`` if the file has other problems, without ``force``."""
    faulty, undecided = confirmed(answered(folder), model and people.model_participant(model))
    path = (out or folder.path / FAULTY).absolute()
    content = b"".join(map(jsonl.encode, faulty))
    if path.exists() and path.read_bytes() != content and not force:
        raise UsageError(f"{path} has other problems", hint="--force replaces it; --out names another file")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content, mode=FILE_MODE)
    lines = [f"{counted(len(faulty), 'faulty problem')} of sheet {folder.head.name}: {path}"]
    lines += [f"  {printable(problem.id)}: {problem.reason}" for problem in faulty]
    if undecided:
        lines.append(f"{undecided:,} problems to adjudicate are undecided, and remain in the dataset")
    lines.append(
        "to leave them out and keep all other problems, add the file to corpus.omitted_problems, and build again"
    )
    lines.append("to select all problems anew without their articles, add it to corpus.faulty_problems instead")
    value = {"sheet": folder.head.name, "faulty": faulty, "undecided": undecided, "file": str(path)}
    return Done(value, "\n".join(lines))


# ---- collecting ------------------------------------------------------------------------------------------------------


def score_questions(folder: CollectionFolder) -> Done:
    """Score a collection."""
    scored = score_collection(folder.head.name, folder.counted(), folder.items)
    return Done(scored, as_text(collection_tables(scored)))


def export_collection(
    folder: CollectionFolder,
    only_confirmed: Annotated[
        bool, Option("--confirmed", help="write only questions that a second person confirmed")
    ] = False,
    out: Out = None,
    force: Force = False,
) -> Done:
    """Write the questions of a collection in QUOREF's format."""
    written = export_questions(
        folder, out or folder.path / EXPORT, folder.counted(), confirmed=only_confirmed, replace=force
    )
    about = f"{counted(written.questions, 'question')} about {counted(written.passages, 'passage')}"
    return Done(written, f"{about}\n  {written.file}")


# ---- both ------------------------------------------------------------------------------------------------------------


def forget(
    folder: StudyFolder[Any, Any],
    person: Annotated[str, Argument(metavar="NAME", help="name of the person")],
    is_deleting: Annotated[bool, Option("--delete", help="delete the person's work; stop the server first")] = False,
) -> Done:
    """Count the events of a person, or delete them. Raises ``UsageError`` if nobody has the name."""
    name, events = people.count_events(folder.log, person)
    if is_deleting:
        people.forget(folder.log, name)
    copies = [str(path) for path in (folder.path / SCORE, folder.path / EXPORT) if path.exists()]
    work = f"{counted(events, 'event')} of {printable(name)} in {folder.path}"
    lines = [f"deleted: {work}"] if is_deleting else [work, "to delete them, stop the server, and add --delete"]
    if copies:
        lines.append(f"these files may hold them, too: {', '.join(copies)}")
    return Done({"person": name, "events": events, "deleted": is_deleting, "copies": copies}, "\n".join(lines))


# ---- phenomena -------------------------------------------------------------------------------------------------------


def estimate_phenomena(run: Run, draw: DrawOptions, backends: Backends, progress: Progress) -> Done:
    """Estimate whether answers need coreference, compare with people's labels, and store the estimates in the run's folder."""
    cosines = functools.partial(cosines_with, backends.get(SENTENCE_ENCODER))
    readers = estimates.Readers(backends.get(SENTENCE_SPLITTER), cosines)
    estimate = estimates.estimate_phenomena(run, draw, readers, progress)
    agreements = list(_agreements(run, readers, progress))
    path = run.folder / "quality" / f"{draw.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, jsonl.document(estimate))
    rows = [(name, shown(estimate.shares[name]), meaning) for name, meaning in estimates.MEANINGS.items()]
    tables = [ScoreTable(f"{estimate.problems} problems of {run.name}", ("estimate", "share (95%)", "meaning"), rows)]
    tables += [_agreement_table(agreement) for agreement in agreements]
    text = "\n\n".join([as_text(tables), _LIMITS, f"estimates of each problem: {path}"])
    return Done({"estimate": estimate, "agreement": agreements, "file": str(path)}, text)


def _agreements(run: Run, readers: estimates.Readers, progress: Progress) -> Iterator[estimates.PhenomenaAgreement]:
    """The agreement on every sheet of the task ``phenomena`` that somebody has labelled."""
    for folder in SheetFolder.all(run.folder):
        if folder.head.task == "phenomena" and folder.is_worked_on:
            ids = [problem.id for problem in folder.items]
            yield estimates.agreement_on(judged_of(folder), estimates.estimate_problems(run, ids, readers, progress))


def _agreement_table(agreement: estimates.PhenomenaAgreement) -> ScoreTable:
    rows = [
        (f"estimate, {person}", str(with_person.units), *agreed(with_person))
        for person, with_person in agreement.with_estimate.items()
    ]
    rows.append(("people", str(agreement.people.units), *agreed(agreement.people)))
    return ScoreTable(f"Sheet {agreement.sheet}: needs coreference", ("", "problems", "same", "alpha"), rows)
