"""What the commands ``annotate``, ``collect`` and ``quality`` do: each action gives a value, and the same as text."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wdw_build.api import (
    SENTENCE_ENCODER,
    SENTENCE_SPLITTER,
    Backends,
    Progress,
    Run,
    UsageError,
    cosines_with,
    jsonl,
    printable,
    replace_file,
)
from wdw_study import people
from wdw_study.collecting.collection import CollectionFolder, export_questions
from wdw_study.collecting.scores import score as score_collection
from wdw_study.collecting.scores import score_tables as collection_tables
from wdw_study.folder import EXPORT, FILE_MODE, SCORE, StudyFolder
from wdw_study.judging import estimate as estimates
from wdw_study.judging.draw import DrawOptions
from wdw_study.judging.exchange import export_judgements
from wdw_study.judging.faults import confirmed
from wdw_study.judging.score import score, score_tables
from wdw_study.judging.sheets import Judged, SheetFolder, judged_of
from wdw_study.tables import ScoreTable, agreed, as_text, shown

FAULTY = "faulty.jsonl"
_LIMITS = (
    "The rules call nearly every answer named, and often wrongly; the intervals cover the draw of the problems alone, not "
    "mistakes of the rules."
)


class Done(NamedTuple):
    """What an action did: a value for programs, and a text for people."""

    value: Any
    text: str


def counted(count: int, what: str) -> str:
    """The count with its noun, in the plural unless it is one."""
    return f"{count:,} {what if count == 1 else f'{what}s'}"


# ---- judging ---------------------------------------------------------------------------------------------------------


def answered(folder: SheetFolder, persons: Sequence[str], exclude: Sequence[str]) -> Judged:
    """The judgements that count. Raises ``UsageError`` if there are none."""
    judged = judged_of(folder, persons, exclude)
    if not judged.judgements:
        raise UsageError(
            f"nobody {'who counts ' if judged.left_out else ''}has answered a problem of sheet {folder.head.name}",
            hint="wdw-build annotate -c FILE serves its pages",
        )
    return judged


def score_sheet(folder: SheetFolder, persons: Sequence[str] = (), exclude: Sequence[str] = ()) -> Done:
    """Score a sheet, and store the score in its folder."""
    scored = score(answered(folder, persons, exclude))
    sheet, place = scored.sheet, folder.path / SCORE
    replace_file(place, jsonl.document(scored), mode=FILE_MODE)
    head = f"sheet {sheet.name}: {sheet.problems:,} problems; people read: {sheet.condition}; task: {sheet.task}"
    parts = [
        "\n".join([head, *(f"note: {note}" for note in scored.notes)]),
        as_text(score_tables(scored)),
        "\n".join(["To adjudicate:", *(f"  {name}: {', '.join(why)}" for name, why in scored.to_adjudicate.items())]),
        f"score: {place}",
    ]
    return Done(scored, "\n\n".join(filter(None, map(_printable, parts))))


def _printable(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def export_sheet(
    folder: SheetFolder, persons: Sequence[str] = (), exclude: Sequence[str] = (), *, out: Path | None, force: bool
) -> Done:
    """Write what each person answered."""
    judged = answered(folder, persons, exclude)
    count, paths = export_judgements(judged, out or folder.path / EXPORT, replace=force)
    files = list(map(str, paths))
    text = "\n  ".join([f"{counted(count, 'judgement')} of sheet {folder.head.name}", *files])
    return Done({"sheet": folder.head.name, "judgements": count, "files": files}, text)


def apply_faults(
    folder: SheetFolder, persons: Sequence[str] = (), exclude: Sequence[str] = (), *, out: Path | None, force: bool
) -> Done:
    """Write the problems with confirmed faults. Raises ``UsageError`` if the file has other problems, without ``force``."""
    faulty, undecided = confirmed(answered(folder, persons, exclude))
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
    lines.append("to leave the faulty problems out, add the file to corpus.faulty_problems, and build again")
    value = {"sheet": folder.head.name, "faulty": faulty, "undecided": undecided, "file": str(path)}
    return Done(value, "\n".join(lines))


# ---- collecting ------------------------------------------------------------------------------------------------------


def score_questions(opened: CollectionFolder, persons: Sequence[str] = (), exclude: Sequence[str] = ()) -> Done:
    """Score a collection."""
    scored = score_collection(opened.head.name, opened.counted(persons, exclude), opened.items)
    return Done(scored, _printable(as_text(collection_tables(scored))))


def export_collection(
    opened: CollectionFolder,
    persons: Sequence[str] = (),
    exclude: Sequence[str] = (),
    *,
    out: Path | None,
    is_confirmed: bool,
    force: bool,
) -> Done:
    """Write the questions of a collection in QUOREF's form."""
    state, place = opened.counted(persons, exclude), out or opened.path / EXPORT
    written = export_questions(opened, place, state, confirmed=is_confirmed, replace=force)
    about = f"{counted(written.questions, 'question')} about {counted(written.passages, 'passage')}"
    return Done(written, f"{about}\n  {written.file}")


# ---- both ------------------------------------------------------------------------------------------------------------


def forget(folder: StudyFolder[Any, Any], person: str, *, is_deleting: bool) -> Done:
    """Count the events of a person, or delete them. Raises ``UsageError`` if nobody has the name."""
    name, events = people.count_events(folder.log, person)
    if is_deleting:
        people.forget(folder.log, name)
    copies = [str(path) for path in (folder.path / SCORE, folder.path / EXPORT) if path.exists()]
    what = f"{counted(events, 'event')} of {printable(name)} in {folder.path}"
    lines = [f"deleted: {what}"] if is_deleting else [what, "to delete them, stop the server, and add --delete"]
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
    tables += [_agreement_table(each) for each in agreements]
    text = "\n\n".join([as_text(tables), _LIMITS, f"estimates of each problem: {path}"])
    return Done({"estimate": estimate, "agreement": agreements, "file": str(path)}, _printable(text))


def _agreements(run: Run, readers: estimates.Readers, progress: Progress) -> Iterator[estimates.PhenomenaAgreement]:
    """The agreement on every sheet of the task ``phenomena`` that somebody has labelled."""
    for folder in SheetFolder.all(run.folder):
        if folder.head.task == "phenomena" and folder.is_worked_on:
            ids = [problem.id for problem in folder.items]
            yield estimates.agreement_on(judged_of(folder), estimates.estimate_problems(run, ids, readers, progress))


def _agreement_table(agreement: estimates.PhenomenaAgreement) -> ScoreTable:
    rows = [(f"estimate, {person}", str(each.units), *agreed(each)) for person, each in agreement.with_estimate.items()]
    rows.append(("people", str(agreement.people.units), *agreed(agreement.people)))
    return ScoreTable(f"Sheet {agreement.sheet}: needs coreference", ("", "problems", "same", "alpha"), rows)
