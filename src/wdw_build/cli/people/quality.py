"""``quality phenomena``: estimates whether answers need coreference, and compares the estimate with people's labels."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import msgspec

from wdw_build.annotation import phenomena_estimate as estimates
from wdw_build.annotation.sheet_folder import read_judged, sheet_folders
from wdw_build.cli.base import complete_run, open_pipeline, print_result
from wdw_build.cli.options import ConfigFile, Json, Overrides, Quiet, Seed
from wdw_build.cli.people.annotate import Problems, Source, drawn_as, say_if_all
from wdw_build.core.progress import printable
from wdw_build.core.store import jsonl
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.dataset import Run
from wdw_build.pipeline import Pipeline
from wdw_build.ports import SENTENCE_ENCODER, SENTENCE_SPLITTER
from wdw_build.similarity.cosines import cosines_with
from wdw_build.views.table import columns as table

_LIMITS = (
    "The rules call nearly every answer named, and often wrongly; the intervals cover the draw of the problems alone, not "
    "mistakes of the rules."
)


def phenomena(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = None,
    seed: Seed = 0,
    source: Source = None,
) -> None:
    """``quality phenomena``: writes the estimates of all problems into the run's folder and prints the shares."""
    pipeline = open_pipeline(config, overrides, quiet=quiet)
    run = complete_run(pipeline)
    cosines = functools.partial(cosines_with, pipeline.ports.get(SENTENCE_ENCODER))
    readers = estimates.Readers(pipeline.ports.get(SENTENCE_SPLITTER), cosines)
    drawn = drawn_as(problems, seed, source, task="phenomena")
    estimate = estimates.estimate_phenomena(run, drawn, readers, pipeline.progress)
    say_if_all("the sample", estimate.problems, drawn, pipeline.progress)
    drawn = msgspec.structs.replace(drawn, problems=estimate.problems)
    agreements = list(_agreements(pipeline, run, readers))
    path = run.folder / "quality" / f"{drawn.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, jsonl.document(estimate))
    text = "\n\n".join([_text(estimate), *map(_agreement_text, agreements), f"estimates: {path}"])
    print_result({"estimate": estimate, "agreement": agreements, "file": str(path)}, text, as_json=as_json)


def _agreements(pipeline: Pipeline, run: Run, readers: estimates.Readers) -> Iterator[estimates.PhenomenaAgreement]:
    """The agreement on every sheet of the task ``phenomena`` that somebody has labelled."""
    for folder in sheet_folders(run.folder):
        judged = read_judged(folder.path) if folder.sheet.task == "phenomena" else None
        if judged is not None and any(judgement.answered for judgement in judged.judgements):
            ids = [problem.id for problem in judged.problems]
            yield estimates.agreement_on(judged, estimates.estimate_problems(run, ids, readers, pipeline.progress))


def _text(estimate: estimates.PhenomenaEstimate) -> str:
    """The shares and the examples for the terminal."""
    rows = [("estimate", "problems", "share", "95%", "meaning")]
    for name, meaning in estimates.MEANINGS.items():
        share = estimate.shares[name]
        low, high = share.interval
        rows.append((name, str(share.part), f"{share.share or 0:.3f}", f"{low:.3f}-{high:.3f}", meaning))
    shown = "\n".join(map(_example, estimates.examples(estimate.estimates)))
    return f"{estimate.problems} problems of {printable(estimate.run)}\n\n{table(rows)}\n{_LIMITS}\n\n{shown}"


def _example(one: estimates.Estimated) -> str:
    lines = [
        f"{one.phenomenon}{f' ({one.reason})' if one.reason else ''}: {one.answer} [{one.id}]",
        f"  question: {one.question}",
        f"  sentence: {one.sentence or '-'}",
    ]
    return "\n".join(map(printable, lines))


def _agreement_text(agreement: estimates.PhenomenaAgreement) -> str:
    rows = [(f"sheet {printable(agreement.sheet)}: needs coreference", "problems", "same", "kappa")]
    for pair in (*agreement.with_estimate, *agreement.people.pairs):
        kappa = pair.undefined if pair.kappa is None else f"{pair.kappa:.3f}"
        names = f"  {printable(pair.first)}, {printable(pair.second)}"
        rows.append((names, str(pair.problems), f"{pair.same or 0:.3f}", kappa))
    labels = sorted({label for row in agreement.confusion.values() for label in row})
    counts = [("estimate \\ people", *labels)]
    counts += [(name, *(str(row.get(label, 0)) for label in labels)) for name, row in agreement.confusion.items()]
    return f"{table(rows)}\n\n{table(counts)}"
