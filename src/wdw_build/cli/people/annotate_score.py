"""``annotate score`` stores and prints the score of a sheet; ``annotate export`` writes what each person answered.

``annotate apply`` writes the problems with confirmed faults.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from typer import Option

from wdw_bench.rendering import number
from wdw_build.annotation import score_records as scores
from wdw_build.annotation.confirmed_faults import confirmed
from wdw_build.annotation.judgement_export import export_judgements
from wdw_build.annotation.private_files import write_private
from wdw_build.annotation.sheet_folder import (
    EXPORT,
    FAULTY,
    SCORE,
    SheetFolder,
    first_names,
    open_sheet,
    read_judged,
    sheet_folders,
)
from wdw_build.annotation.sheet_score import pattern_legend, score
from wdw_build.annotation.sheets import Judged
from wdw_build.cli.base import print_json, print_result
from wdw_build.cli.options import ConfigFile, Force, Json, Overrides, Quiet
from wdw_build.cli.render import clock
from wdw_build.core.progress import printable
from wdw_build.core.store import jsonl
from wdw_build.dataset import open_run
from wdw_build.errors import UsageError
from wdw_build.pipeline import STAGES
from wdw_build.views.table import columns as table

_SOURCES = {"": "the dataset", "before": "the dataset and what suppression dropped"}
_ACCURACY = ("right", "cannot tell", "accuracy", "95%", "of decided")
# Disagreements below their heading are indented by this.
_INDENT = "  "


SheetName = Annotated[
    str,
    Option(
        "--sheet", metavar="NAME", show_default=False, help="name of the sheet (default: the only sheet with answers)"
    ),
]
Persons = Annotated[
    list[str],
    Option(
        "--persons",
        metavar="NAME",
        default_factory=list,
        show_default=False,
        help="count only this person's work (may be repeated; default: everyone not excluded by the owner)",
    ),
]
Exclude = Annotated[
    list[str],
    Option(
        "--exclude",
        metavar="NAME",
        default_factory=list,
        show_default=False,
        help="do not count this person's work (may be repeated)",
    ),
]


def annotate_score(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
) -> None:
    """``annotate score``. Raises ``UsageError`` if it is not clear which sheet is meant, or if nobody answered it."""
    folder, judged = _judged(config, overrides, sheet, persons, exclude)
    scored = score(judged)
    print_result(scored, text(scored), as_json=as_json)
    try:
        write_private(folder.path / SCORE, jsonl.document(scored))
    except OSError as error:
        # The folder of a published run can often only be read.
        print(f"warning: the score is not stored: {folder.path / SCORE}: {error.strerror}", file=sys.stderr)
        return
    if not as_json:
        print(f"\nscore: {folder.path / SCORE}")


def annotate_export(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="DIR", help="folder to write into (default: export in the sheet)")
    ] = None,
    force: Force = False,
) -> None:
    """``annotate export``. Raises ``UsageError`` as ``annotate score`` does, and if there is an earlier export."""
    folder, judged = _judged(config, overrides, sheet, persons, exclude)
    count, paths = export_judgements(judged, out or folder.path / EXPORT, replace=force)
    files = list(map(str, paths))
    written = {"sheet": folder.sheet.name, "judgements": count, "files": files}
    text = "\n  ".join([f"{count:,} judgements of sheet {printable(folder.sheet.name)}", *files])
    print_result(written, text, as_json=as_json)


def annotate_apply(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
    out: Annotated[
        Path | None, Option("-o", "--out", metavar="FILE", help="file to write (default: faulty.jsonl in the sheet)")
    ] = None,
    force: Annotated[bool, Option("--force", help="replace the file if it lists different problems")] = False,
) -> None:
    """``annotate apply``. Raises ``UsageError`` as ``annotate score`` does, and if the file has other problems."""
    folder, judged = _judged(config, overrides, sheet, persons, exclude)
    faulty, undecided = confirmed(judged)
    path = (out or folder.path / FAULTY).absolute()
    content = b"".join(map(jsonl.encode, faulty))
    if path.exists() and path.read_bytes() != content and not force:
        raise UsageError(f"{path} has other problems", hint="--force replaces it; --out names another file")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_private(path, content)
    if as_json:
        print_json({"sheet": folder.sheet.name, "faulty": faulty, "undecided": undecided, "file": str(path)})
        return
    print(f"{len(faulty):,} faulty problems of sheet {printable(folder.sheet.name)}: {path}")
    for problem in faulty:
        print(f"{_INDENT}{printable(problem.id)}: {problem.reason}")
    if undecided:
        print(f"{undecided:,} problems to adjudicate are undecided, and remain in the dataset")
    print(f"to leave the faulty problems out, add the file to corpus.faulty_problems, then: wdw-build all -c {config}")


def _judged(
    config: Path, overrides: Sequence[str], sheet: str, persons: Sequence[str], exclude: Sequence[str]
) -> tuple[SheetFolder, Judged]:
    """A sheet and the judgements that count."""
    folder = answered_sheet(open_run(config, STAGES, overrides).folder, sheet)
    judged = read_judged(folder.path, persons, exclude)
    if not judged.judgements:
        raise UsageError(
            f"nobody {'who counts ' if judged.left_out else ''}has answered a problem of sheet {folder.path.name}",
            hint=f"wdw-build annotate -c {config} --sheet {folder.path.name} serves its pages",
        )
    return folder, judged


def answered_sheet(run_folder: Path, name: str) -> SheetFolder:
    """The sheet with a name; without one, the only sheet that was answered, or the only sheet."""
    folders = sheet_folders(run_folder)
    if any(folder.path.name == name for folder in folders):
        return open_sheet(run_folder, name)
    answered = [folder for folder in folders if folder.has_events and read_judged(folder.path).judgements]
    if not answered:
        return open_sheet(run_folder, name)
    if len(answered) == 1 and not name:
        return answered[0]
    fault = f"there is no sheet {name!r}" if name else f"{len(answered)} sheets were answered: which one?"
    raise UsageError(fault, hint=f"--sheet with one of: {first_names([folder.path.name for folder in answered])}")


def text(scored: scores.SheetScore) -> str:
    """The score for the terminal."""
    parts = [_head(scored), _persons(scored.persons)]
    if scored.answers is not None:
        parts += [*_answers(scored.answers), _agreement(scored.answers.agreement)]
    parts += [_phenomena(scored.phenomena), _faults(scored.faults)]
    if scored.adjudication is not None:
        parts.append(_adjudication(scored.adjudication))
    disagreements = list(map(_disagreement, scored.disagreements))
    title = "Disagreements, to adjudicate" if disagreements else "Disagreements: none"
    parts.append("\n".join([title, *disagreements]))
    return "\n\n".join(filter(None, parts))


def _head(scored: scores.SheetScore) -> str:
    sheet = scored.sheet
    source = _SOURCES.get(sheet.source, sheet.source)
    of = f"{scored.problems:,} problems of {source}; people read: {sheet.condition}; task: {sheet.task}"
    return "\n".join([f"sheet {printable(sheet.name)}: {of}", *(f"note: {printable(note)}" for note in scored.notes)])


def _persons(persons: Sequence[scores.PersonScore]) -> str:
    head = ("Persons", "answered", *_ACCURACY, "median s", "quartiles", "total")
    rows = [
        head,
        *([printable(each.person), str(each.answered), *_person_accuracy(each), *_times(each)] for each in persons),
    ]
    if all(person.accuracy is None for person in persons):
        # The task has no right answers.
        rows = [[*row[:2], *row[2 + len(_ACCURACY) :]] for row in rows]
    return table(rows) if persons else ""


def _person_accuracy(person: scores.PersonScore) -> list[str]:
    """The cells below ``_ACCURACY``."""
    accuracy, decided = person.accuracy, person.accuracy_of_decided
    if accuracy is None or decided is None:
        return [""] * len(_ACCURACY)
    counts = [str(accuracy.part), str(person.cannot_tell)]
    return [*counts, number(accuracy.share), _interval(accuracy), number(decided.share)]


def _times(person: scores.PersonScore) -> list[str]:
    """Median, quartiles and sum of the seconds by problem."""
    times = person.seconds
    if times is None:
        return ["-", "-", "-"]
    return [f"{times.median:.0f}", f"{times.lower_quartile:.0f}-{times.upper_quartile:.0f}", clock(times.total)]


def _answers(answers: scores.AnswerScore) -> Iterator[str]:
    majority = _share(answers.majority) if answers.majority.whole else "- (only one person answered)"
    undecided = f"; no majority on {answers.no_majority:,}" if answers.no_majority else ""
    rows = [
        ("human performance", _share(answers.accuracy)),
        ("majority answer", f"{majority}{undecided}"),
        ("chance", number(answers.chance)),
    ]
    yield "\n".join(f"{name:<17}  {value}" for name, value in rows)
    baselines = [
        (printable(name), number(each.accuracy.share), _interval(each.accuracy), number(each.agreement.share))
        for name, each in answers.baselines.items()
    ]
    if baselines:
        yield table([("Same problems", "accuracy", "95%", "same as people"), *baselines])
    groups = [("Accuracy by", "problems", "accuracy", "95%", "chance")]
    for group in answers.groups:
        name = f"{group.field} {printable(group.value) or '-'}"
        accuracy = number(group.accuracy.share), _interval(group.accuracy), number(group.chance)
        groups.append((name, f"{group.problems:,}", *accuracy))
    yield "\n".join(filter(None, [table(groups), printable(pattern_legend(answers))]))


def _agreement(agreement: scores.Agreement) -> str:
    if not agreement.problems:
        return f"Agreement: -, because {agreement.undefined}"
    rows = [
        (
            f"{printable(pair.first)}, {printable(pair.second)}",
            f"{pair.problems:,}",
            number(pair.same),
            number(pair.kappa),
        )
        for pair in agreement.pairs
    ]
    lines = [table([("Agreement", "problems", "same", "Cohen's kappa"), *rows])]
    lines.append(f"Krippendorff's alpha of all: {number(agreement.alpha)}")
    reasons = {agreement.undefined, *(pair.undefined for pair in agreement.pairs)} - {""}
    return "\n".join([*lines, *(f"-: {reason}" for reason in sorted(reasons))])


def _phenomena(phenomena: Mapping[str, scores.PhenomenonScore]) -> str:
    rows = [
        (
            label,
            number(each.share.share),
            _interval(each.share),
            f"{each.majority.part:,}",
            f"{each.adjudicated.part:,}" if each.adjudicated.whole else "-",
            *_agreed(each.agreement),
        )
        for label, each in phenomena.items()
    ]
    if not rows:
        return ""
    agreement = next(iter(phenomena.values())).agreement
    return table([("Phenomena", "share", "95%", "majority", "adjudicated", *_agreement_heads(agreement)), *rows])


def _faults(faults: Mapping[str, scores.FaultScore]) -> str:
    rows = [
        (label, f"{fault.problems:,}", f"{fault.by_several:,}", *_agreed(fault.agreement))
        for label, fault in faults.items()
    ]
    if not rows:
        return "Faults: none"
    heads = _agreement_heads(next(iter(faults.values())).agreement)
    return table([("Faults", "problems", "by several", *heads), *rows])


def _agreement_heads(agreement: scores.Agreement) -> tuple[str, ...]:
    """The heads of the cells of ``_agreed``."""
    kappas = (f"kappa {printable(pair.first)}, {printable(pair.second)}" for pair in agreement.pairs)
    return "same", "alpha", *kappas


def _agreed(agreement: scores.Agreement) -> tuple[str, ...]:
    """Share of equal labels, alpha, and the kappa of each pair."""
    return number(agreement.same), number(agreement.alpha), *(number(pair.kappa) for pair in agreement.pairs)


def _adjudication(adjudication: scores.AdjudicationScore) -> str:
    rows = [
        ("key right", adjudication.key_right),
        ("key wrong", adjudication.key_wrong),
        ("undecidable", adjudication.undecidable),
        ("accuracy by the adjudicated key", adjudication.accuracy),
        *((f"  {printable(person)}", share) for person, share in adjudication.by_person.items()),
    ]
    width = max(len(name) for name, _ in rows)
    return "\n".join(["Adjudicated problems", *(f"{name:<{width}}  {_share(share)}" for name, share in rows)])


def _disagreement(problem: scores.Disagreement) -> str:
    lines = [
        f"{_INDENT}{problem.number}. {printable(problem.id)}; {', '.join(problem.reasons)}; key: {printable(problem.key)}"
    ]
    if problem.adjudicated is not None:
        lines[0] += f"; adjudicated: {printable(problem.adjudicated)}"
    for person in sorted({*problem.answers, *problem.faults, *problem.notes}):
        said = [
            problem.answers.get(person, "-"),
            " ".join(problem.faults.get(person, ())),
            problem.notes.get(person, ""),
        ]
        lines.append(f"{_INDENT * 2}{printable(person)}: {'  '.join(printable(part) for part in said if part)}")
    return "\n".join(lines)


def _share(share: scores.Share) -> str:
    """A share with its interval and counts."""
    if share.share is None:
        return "-"
    return f"{number(share.share)} (95% {_interval(share)}; {share.part:,} of {share.whole:,})"


def _interval(share: scores.Share) -> str:
    return f"{number(share.interval[0])}-{number(share.interval[1])}" if share.whole else "-"
