"""The functions of the commands. Their signatures declare the options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from wdw_build.api import SENTENCE_SPLITTER, STAGES, Backends, Run, open_run
from wdw_build.cli.base import complete_run, open_pipeline, print_result, progress_of
from wdw_build.cli.options import ConfigFile, Force, Host, Json, Overrides, Port, Quiet, Seed
from wdw_study import actions
from wdw_study.collecting.adversary import READING, Answerer, span_adversary
from wdw_study.collecting.collection import CollectionFolder, draw_collection
from wdw_study.collecting.collection import DrawOptions as CollectionDraw
from wdw_study.judging.draw import DrawOptions, draw_sheet
from wdw_study.judging.exchange import import_judgements
from wdw_study.judging.sheets import Condition, SheetFolder, Task
from wdw_study.web.server import Listener
from wdw_study.web.serving import Announced, serve_study


def _names(flag: str, help: str) -> Any:
    return Option(flag, metavar="NAME", default_factory=list, show_default=False, help=f"{help} (may be repeated)")


Persons = Annotated[list[str], _names("--persons", "count only this person's work")]
Exclude = Annotated[list[str], _names("--exclude", "do not count this person's work")]
Invite = Annotated[list[str], _names("--invite", "print a personal link (URL) for this person")]
Person = Annotated[str, Argument(metavar="NAME", help="name of the person")]
Delete = Annotated[bool, Option("--delete", help="delete the person's work; stop the server first")]
Sheet = Annotated[
    str, Option("--sheet", metavar="NAME", show_default=False, help="name of the sheet (default: the one with answers)")
]
Collection = Annotated[str, Option("--collection", metavar="NAME", help="name of the collection")]
Out = Annotated[Path | None, Option("-o", "--out", metavar="PATH", help="where to write (default: in the study)")]
Problems = Annotated[
    int, Option("--problems", min=1, metavar="N", help="number of problems to sample, or all if fewer")
]
Source = Annotated[
    Literal["train", "train.relaxed", "validation", "test", "before"] | None,
    Option("--from", help="split to sample from; before: all problems before suppression (default: the dataset)"),
]


def _announce(as_json: bool) -> Callable[[Announced], None]:
    """Prints the addresses, after a warning if other machines can reach the page."""

    def say(announced: Announced) -> None:
        if announced.warning:
            print(f"warning: {announced.warning}", file=sys.stderr)
        print_result(announced.value, announced.text, as_json=as_json)
        sys.stdout.flush()

    return say


# ---- annotate --------------------------------------------------------------------------------------------------------


def annotate(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = 100,
    seed: Seed = 0,
    source: Source = None,
    condition: Annotated[Condition, Option("--condition", help="condition in which people read problems")] = "passage",
    task: Annotated[
        Task, Option("--task", help="answer each problem, or label the inference that its answer requires")
    ] = "answer",
    sheet: Sheet = "",
    host: Host = "127.0.0.1",
    port: Port = 0,
) -> None:
    """``annotate serve``: a sheet that does not exist is drawn; ``--sheet`` goes on with an earlier one."""
    progress, listener = progress_of(quiet=quiet), Listener(host, port)
    run = open_run(config, STAGES, overrides)
    if sheet:
        folder = SheetFolder.open(run.folder, sheet)
    else:
        # A run's folder is taken as it is; the run of a configuration must have been made with it.
        is_run = config.is_dir()
        run = run.require_complete() if is_run else complete_run(open_pipeline(config, overrides, quiet=True))
        draw = DrawOptions(problems=problems, seed=seed, source=source or "", condition=condition, task=task)
        folder = SheetFolder.create(run.folder, *draw_sheet(run, draw))
    serve_study(folder, listener, invite, _announce(as_json))
    progress.say(f"annotate: stopped; the answers are in {folder.path}; wdw-build annotate score scores them")


def _sheet(config: Path, overrides: list[str], name: str) -> SheetFolder:
    return SheetFolder.open(open_run(config, STAGES, overrides).folder, name)


def import_answers(
    config: ConfigFile,
    overrides: Overrides,
    answers: Annotated[Path, Argument(metavar="FILE", help="the table (CSV)")],
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: Sheet = "",
) -> None:
    """``annotate import``."""
    folder = _sheet(config, overrides, sheet)
    changes = import_judgements(folder, answers)
    text = f"sheet {folder.head.name}: {changes or 'no'} changes from {answers}"
    print_result({"sheet": folder.head.name, "changes": changes}, text, as_json=as_json)


def score_sheet(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: Sheet = "",
) -> None:
    """``annotate score``."""
    print_result(*actions.score_sheet(_sheet(config, overrides, sheet), persons, exclude), as_json=as_json)


def export_sheet(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: Sheet = "",
    out: Out = None,
    force: Force = False,
) -> None:
    """``annotate export``."""
    folder = _sheet(config, overrides, sheet)
    print_result(*actions.export_sheet(folder, persons, exclude, out=out, force=force), as_json=as_json)


def apply_faults(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: Sheet = "",
    out: Out = None,
    force: Force = False,
) -> None:
    """``annotate apply``."""
    folder = _sheet(config, overrides, sheet)
    print_result(*actions.apply_faults(folder, persons, exclude, out=out, force=force), as_json=as_json)


def forget_annotator(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: Sheet = "",
    is_deleting: Delete = False,
) -> None:
    """``annotate forget``."""
    print_result(*actions.forget(_sheet(config, overrides, sheet), person, is_deleting=is_deleting), as_json=as_json)


# ---- collect ---------------------------------------------------------------------------------------------------------


def collect(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    collection: Collection = "questions",
    passages: Annotated[int, Option("--passages", min=1, metavar="N", help="number of passages to sample")] = 30,
    seed: Seed = 0,
    max_words: Annotated[int, Option("--max-words", min=1, metavar="N", help="most words in a passage")] = 400,
    adversary: Annotated[
        str, Option("--adversary", metavar="NAME", help="model that answers questions: shallow, qa-model or none")
    ] = "shallow",
    max_f1: Annotated[
        float, Option("--max-f1", min=0, max=1, metavar="X", help="refuse a question if the F1 of its answer exceeds X")
    ] = 0.5,
    host: Host = "127.0.0.1",
    port: Port = 0,
) -> None:
    """``collect serve``: a collection that does not exist is drawn; one that exists goes on as it was drawn."""
    pipeline, listener = open_pipeline(config, overrides, quiet=quiet), Listener(host, port)
    if (pipeline.run_folder / CollectionFolder.KIND / collection).exists():
        opened = CollectionFolder.open(pipeline.run_folder, collection)
        pipeline.progress.say(f"{collection!r} goes on as it was drawn; --collection NAME draws another one")
    else:
        same = " with the same --set" if overrides else ""
        outputs = pipeline.ready(["ingest"], remedy=f"wdw-build run ingest -c {config}{same}")
        run = Run(pipeline.run_folder, STAGES, outputs)
        draw = CollectionDraw(passages=passages, seed=seed, max_words=max_words, max_f1=max_f1, adversary=adversary)
        splitter = pipeline.ports.get
        opened = draw_collection(run, collection, draw, lambda: splitter(SENTENCE_SPLITTER), pipeline.progress)
    model = span_adversary(opened.head.adversary, Backends(pipeline.config))
    if model is not None:
        pipeline.progress.say(f"loading the adversary {opened.head.adversary}")
        model.answer(opened.items[0].text, READING)
    serve_study(opened, listener, invite, _announce(as_json), Answerer(model, pipeline.progress.say))
    pipeline.progress.say(
        f"collect: stopped; the questions are in {opened.path}; wdw-build collect export exports them"
    )


def _collection(config: Path, overrides: list[str], name: str) -> CollectionFolder:
    return CollectionFolder.open(open_pipeline(config, overrides, quiet=True).run_folder, name)


def export_questions(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    collection: Collection = "questions",
    confirmed: Annotated[
        bool, Option("--confirmed", help="write only questions that a second person confirmed")
    ] = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """``collect export``."""
    opened = _collection(config, overrides, collection)
    done = actions.export_collection(opened, persons, exclude, out=out, is_confirmed=confirmed, force=force)
    print_result(*done, as_json=as_json)


def score_questions(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    collection: Collection = "questions",
) -> None:
    """``collect score``."""
    print_result(
        *actions.score_questions(_collection(config, overrides, collection), persons, exclude), as_json=as_json
    )


def forget_writer(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    collection: Collection = "questions",
    is_deleting: Delete = False,
) -> None:
    """``collect forget``."""
    opened = _collection(config, overrides, collection)
    print_result(*actions.forget(opened, person, is_deleting=is_deleting), as_json=as_json)


# ---- quality ---------------------------------------------------------------------------------------------------------


def phenomena(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = 100,
    seed: Seed = 0,
    source: Source = None,
) -> None:
    """``quality phenomena``: writes the estimates of the drawn problems into the run's folder and prints the shares."""
    pipeline = open_pipeline(config, overrides, quiet=quiet)
    draw = DrawOptions(problems=problems, seed=seed, source=source or "", task="phenomena")
    estimate = actions.estimate_phenomena(complete_run(pipeline), draw, Backends(pipeline.config), pipeline.progress)
    print_result(*estimate, as_json=as_json)
