"""``annotate``: serves the pages of a sheet, writes its offline forms, and imports answers.

``quality phenomena`` estimates whether answers need coreference, and compares the estimate with people's labels.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from wdw_build.cli.base import complete_run, json_of, open_pipeline, print_json, serve_to_people
from wdw_build.core.progress import Progress, choose_mode, printable
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import open_run
from wdw_build.pipeline import STAGES
from wdw_build.views.table import columns as table

if TYPE_CHECKING:
    from wdw_build.annotation.phenomena_estimate import Estimated, PhenomenaAgreement, PhenomenaEstimate, Readers
    from wdw_build.annotation.sheet_draw import DrawOptions
    from wdw_build.annotation.sheet_folder import SheetFolder
    from wdw_build.annotation.sheets import Sheet
    from wdw_build.dataset import Run
    from wdw_build.pipeline import Pipeline


def annotate(options: argparse.Namespace) -> int:
    """``annotate serve|sheet|import|score|export|apply|forget``."""
    from wdw_build.cli.people.annotate_score import annotate_apply, annotate_export, annotate_forget, annotate_score

    actions = {
        "serve": _serve,
        "sheet": _sheet,
        "import": _import,
        "score": annotate_score,
        "export": annotate_export,
        "apply": annotate_apply,
        "forget": annotate_forget,
    }
    return actions[options.action](options)


def _serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C, then say where the answers are."""
    from wdw_build.annotation.private_files import make_private
    from wdw_build.annotation.sheet_folder import count_answers
    from wdw_build.annotation.study import read_study
    from wdw_build.web.annotate import annotate_app
    from wdw_build.web.base import Listener

    study = read_study(options.study) if options.study else None
    folder, progress = _folder(options)
    if study is not None:
        folder.keep_study(study)
    make_private(folder.path)
    serve_to_people(
        options,
        Listener(options.host, options.port),
        lambda access, listener: annotate_app(folder, access, listener),
        progress,
        secrets=folder.secrets,
        facts={"sheet": folder.sheet.name, "folder": str(folder.path)},
        title=_title(folder.sheet),
        people="annotators",
        shown="the key",
    )
    persons, answers = count_answers(folder)
    progress.say(
        f"{answers} answers (people: {persons}) are in {folder.path}; to score them: "
        f"wdw-build annotate score -c {options.config} --sheet {folder.sheet.name}"
    )
    return 0


def _sheet(options: argparse.Namespace) -> int:
    from wdw_build.annotation.offline_forms import sheet_lines, write_lines
    from wdw_build.annotation.private_files import write_private
    from wdw_build.annotation.sheet_folder import PAGE
    from wdw_build.views.sheet import page

    folder, _ = _folder(options)
    lines = write_lines(folder)
    write_private(folder.path / PAGE, page(sheet_lines(folder)).encode())
    written = {"sheet": folder.sheet.name, "page": str(folder.path / PAGE), "lines": str(lines)}
    if options.json:
        print_json(written)
    else:
        print(f"{_title(folder.sheet)}\nfor readers:  {written['page']}\nfor programs: {written['lines']}")
    return 0


def _import(options: argparse.Namespace) -> int:
    from wdw_build.annotation.offline_forms import import_answers, read_answers
    from wdw_build.annotation.sheet_folder import sheet_with_hash

    saved = read_answers(options.answers)
    folder = sheet_with_hash(open_run(options.config, STAGES, options.overrides).folder, saved.sheet)
    changes = import_answers(folder, saved, options.person)
    if options.json:
        print_json({"sheet": folder.sheet.name, "person": options.person, "changes": changes})
    else:
        what = f"{changes} changes" if changes else "nothing new"
        print(f"sheet {folder.sheet.name}: {what} from {options.answers}")
    return 0


def _folder(options: argparse.Namespace) -> tuple[SheetFolder, Progress]:
    """The sheet of the options, drawn if it does not exist."""
    from wdw_build.adapters.punkt import PunktSplitter
    from wdw_build.annotation.sheet_draw import draw_sheet
    from wdw_build.annotation.sheet_folder import open_or_draw, open_sheet

    progress = Progress(choose_mode(options.quiet))
    run = open_run(options.config, STAGES, options.overrides)
    if options.sheet:
        return open_sheet(run.folder, options.sheet), progress
    draw = msgspec.structs.replace(
        drawn_as(options),
        strata=tuple(filter(None, map(str.strip, options.strata.split(",")))),
        condition=options.condition,
        task=options.task,
    )
    # A run's folder is taken as it is; the run of a configuration must have been made with it.
    run = run.require_complete() if options.config.is_dir() else complete_run(open_pipeline(options))
    sheet, problems = draw_sheet(run, draw, PunktSplitter().sentences)
    say_if_all("the sheet", sheet.problems, draw, progress)
    return open_or_draw(run.folder, sheet.name, lambda: (sheet, problems)), progress


def drawn_as(options: argparse.Namespace) -> DrawOptions:
    """The draw that the options of ``add_draw`` ask for."""
    from wdw_build.annotation.sheet_draw import DrawOptions

    return DrawOptions(
        problems=options.problems or DrawOptions().problems,
        or_all=options.problems is None,
        seed=options.seed,
        source=options.source,
    )


def say_if_all(what: str, problems: int, draw: DrawOptions, progress: Progress) -> None:
    """Log that the sheet or sample has all problems, if there are fewer than the draw asks for."""
    if problems < draw.problems:
        progress.say(f"{what} has all {problems} problems, because there are fewer than {draw.problems}")


def _title(sheet: Sheet) -> str:
    twins = f", {sheet.twins} with a twin on the sheet" if sheet.twins else ""
    return f"sheet {sheet.name}: {sheet.problems} problems{twins}"


# ---- quality phenomena ---------------------------------------------------------------------------------------------

LIMITS = (
    "The rules call nearly every answer named, and often wrongly; the intervals cover the draw of the problems alone, not "
    "mistakes of the rules."
)


def quality(options: argparse.Namespace) -> int:
    """``quality phenomena``: writes the estimates of all problems into the run's folder and prints the shares."""
    from wdw_build.annotation.phenomena_estimate import Readers, estimate_phenomena
    from wdw_build.ports import SENTENCE_ENCODER, SENTENCE_SPLITTER

    pipeline = open_pipeline(options)
    run = complete_run(pipeline)
    readers = Readers(pipeline.ports.get(SENTENCE_SPLITTER), pipeline.ports.get(SENTENCE_ENCODER).vector)
    drawn = msgspec.structs.replace(drawn_as(options), task="phenomena")
    estimate = estimate_phenomena(run, drawn, readers, pipeline.progress)
    say_if_all("the sample", estimate.problems, drawn, pipeline.progress)
    drawn = msgspec.structs.replace(drawn, problems=estimate.problems)
    agreements = list(_agreements(pipeline, run, readers))
    path = run.folder / "quality" / f"{drawn.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, json_of(estimate))
    if options.json:
        print_json({"estimate": estimate, "agreement": agreements, "file": str(path)})
    else:
        print("\n\n".join([text(estimate), *map(_agreement_text, agreements), f"estimates: {path}"]))
    return 0


def _agreements(pipeline: Pipeline, run: Run, readers: Readers) -> Iterator[PhenomenaAgreement]:
    """The agreement on every sheet of the task ``phenomena`` that somebody has labelled."""
    from wdw_build.annotation.phenomena_estimate import agreement_on, estimate_problems
    from wdw_build.annotation.sheet_folder import read_judged, sheet_folders

    for folder in sheet_folders(run.folder):
        judged = read_judged(folder.path) if folder.sheet.task == "phenomena" else None
        if judged is not None and any(judgement.answered for judgement in judged.judgements):
            ids = [problem.id for problem in judged.problems]
            yield agreement_on(judged, estimate_problems(run, ids, readers, pipeline.progress))


def text(estimate: PhenomenaEstimate) -> str:
    """The shares and the examples for the terminal."""
    from wdw_build.annotation.phenomena_estimate import MEANINGS, examples

    rows = [("estimate", "problems", "share", "95 %", "meaning")]
    for name, meaning in MEANINGS.items():
        share = estimate.shares[name]
        low, high = share.interval
        rows.append((name, str(share.part), f"{share.share or 0:.3f}", f"{low:.3f}-{high:.3f}", meaning))
    shown = "\n".join(map(_example, examples(estimate.estimates)))
    return f"{estimate.problems} problems of {printable(estimate.run)}\n\n{table(rows)}\n{LIMITS}\n\n{shown}"


def _example(one: Estimated) -> str:
    lines = [
        f"{one.phenomenon}{f' ({one.reason})' if one.reason else ''}: {one.answer} [{one.id}]",
        f"  question: {one.question}",
        f"  sentence: {one.sentence or '-'}",
    ]
    return "\n".join(map(printable, lines))


def _agreement_text(agreement: PhenomenaAgreement) -> str:
    rows = [(f"sheet {printable(agreement.sheet)}: needs coreference", "problems", "same", "kappa")]
    for pair in (*agreement.with_estimate, *agreement.people.pairs):
        kappa = pair.undefined if pair.kappa is None else f"{pair.kappa:.3f}"
        names = f"  {printable(pair.first)}, {printable(pair.second)}"
        rows.append((names, str(pair.problems), f"{pair.same or 0:.3f}", kappa))
    labels = sorted({label for row in agreement.confusion.values() for label in row})
    counts = [("estimate \\ people", *labels)]
    counts += [(name, *(str(row.get(label, 0)) for label in labels)) for name, row in agreement.confusion.items()]
    return f"{table(rows)}\n\n{table(counts)}"
