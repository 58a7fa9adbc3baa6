"""The commands ``annotate``, ``collect`` and ``quality``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from typer import Argument, Option

from wdw_build.api import SENTENCE_SPLITTER, Backends, Progress
from wdw_build.cli.base import complete_run, open_pipeline, print_result, progress_of, run_of
from wdw_build.cli.options import ConfigFile, Force, Host, Json, Overrides, Port, Quiet, Seed
from wdw_study import actions
from wdw_study.collecting.adversary import READING, Answerer, span_adversary
from wdw_study.collecting.collection import CollectionFolder, draw_collection
from wdw_study.collecting.collection import DrawOptions as Passages
from wdw_study.judging.draw import DrawOptions, draw_sheet
from wdw_study.judging.exchange import import_judgements
from wdw_study.judging.sheets import Condition, SheetFolder, Task

if TYPE_CHECKING:
    from wdw_study.web.serving import Announced


def _names(option: str, help: str) -> Any:
    """An option that may be repeated, each time with a person's name."""
    return Option(option, metavar="NAME", default_factory=list, show_default=False, help=f"{help} (may be repeated)")


Persons = Annotated[
    list[str], _names("--persons", "count only this person's work; default: all not excluded by the owner")
]
Exclude = Annotated[list[str], _names("--exclude", "do not count this person's work")]
Invite = Annotated[list[str], _names("--invite", "print a personal link (URL) for this person")]
Person = Annotated[str, Argument(metavar="NAME", help="name of the person")]
Delete = Annotated[bool, Option("--delete", help="delete the person's work; stop the server first")]
Out = Annotated[
    Path | None, Option("-o", "--out", metavar="PATH", help="place to write to (default: beside the answers)")
]
Problems = Annotated[
    int | None,
    Option("--problems", min=1, metavar="N", help="problems to sample (default: 100, or all if there are fewer)"),
]
Source = Annotated[
    Literal["train", "train.relaxed", "validation", "test", "before"] | None,
    Option("--from", help="split to sample from; before: all problems before suppression (default: the dataset)"),
]
SheetName = Annotated[
    str,
    Option(
        "--sheet", metavar="NAME", show_default=False, help="name of the sheet (default: the only sheet with answers)"
    ),
]
CollectionName = Annotated[str, Option("--collection", metavar="NAME", help="name of the collection")]


def _announce(as_json: bool) -> Callable[[Announced], None]:
    """Prints the addresses, after a warning if other machines can reach the page."""

    def say(announced: Announced) -> None:
        if announced.warning:
            print(f"warning: {announced.warning}", file=sys.stderr)
        print_result(announced.value, announced.text, as_json=as_json)
        sys.stdout.flush()

    return say


# ---- annotate --------------------------------------------------------------------------------------------------------


def serve_sheet(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = None,
    seed: Seed = 0,
    source: Source = None,
    condition: Annotated[Condition, Option("--condition", help="condition in which people read problems")] = "passage",
    task: Annotated[
        Task, Option("--task", help="answer each problem, or label the inference that its answer requires")
    ] = "answer",
    sheet: Annotated[
        str, Option("--sheet", metavar="NAME", show_default=False, help="continue with an earlier sheet")
    ] = "",
    host: Host = "127.0.0.1",
    port: Port = 0,
) -> None:
    """``annotate serve``."""
    from wdw_study.web import serving
    from wdw_study.web.server import Listener

    progress, listener = progress_of(quiet=quiet), Listener(host, port)
    draw = _drawn(problems, seed, source, condition=condition, task=task)
    folder = _open_or_draw_sheet(config, overrides, sheet, draw, progress)
    serving.serve_sheet(folder, listener, invite, _announce(as_json))
    progress.say(f"annotate: stopped; the answers are in {folder.path}; wdw-build annotate score scores them")


def _open_or_draw_sheet(
    config: Path, overrides: Sequence[str], name: str, draw: DrawOptions, progress: Progress
) -> SheetFolder:
    """The sheet with a name; without one, the sheet of the draw, drawn if it does not exist."""
    run = run_of(config, overrides)
    if name:
        return SheetFolder.open(run.folder, name)
    # A run's folder is taken as it is; the run of a configuration must have been made with it.
    is_run = config.is_dir()
    run = run.require_complete() if is_run else complete_run(open_pipeline(config, overrides, quiet=True))
    sheet, problems = draw_sheet(run, draw)
    if sheet.problems < draw.problems:
        progress.say(f"the sheet has all {sheet.problems} problems, because there are fewer than {draw.problems}")
    return SheetFolder.create(run.folder, sheet, problems)


def _drawn(
    problems: int | None, seed: int, source: str | None, *, condition: Condition = "passage", task: Task
) -> DrawOptions:
    """The draw that the options ask for."""
    drawn = DrawOptions(seed=seed, source=source or "", condition=condition, task=task, or_all=problems is None)
    return msgspec.structs.replace(drawn, problems=problems) if problems else drawn


def _sheet(config: Path, overrides: Sequence[str], name: str) -> SheetFolder:
    return SheetFolder.open(run_of(config, overrides).folder, name)


def import_sheet(
    config: ConfigFile,
    overrides: Overrides,
    answers: Annotated[Path, Argument(metavar="FILE", help="the table (CSV)")],
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
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
    sheet: SheetName = "",
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
    sheet: SheetName = "",
    out: Out = None,
    force: Force = False,
) -> None:
    """``annotate export``."""
    folder = _sheet(config, overrides, sheet)
    print_result(*actions.export_sheet(folder, persons, exclude, out=out, force=force), as_json=as_json)


def apply_sheet(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
    out: Out = None,
    force: Force = False,
) -> None:
    """``annotate apply``."""
    folder = _sheet(config, overrides, sheet)
    print_result(*actions.apply_faults(folder, persons, exclude, out=out, force=force), as_json=as_json)


def forget_sheet(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    sheet: SheetName = "",
    is_deleting: Delete = False,
) -> None:
    """``annotate forget``."""
    folder = _sheet(config, overrides, sheet)
    print_result(*actions.forget(folder, person, is_deleting=is_deleting), as_json=as_json)


# ---- collect ---------------------------------------------------------------------------------------------------------


def serve_collection(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    name: CollectionName = "questions",
    passages: Annotated[
        int | None, Option("--passages", min=1, metavar="N", help="number of passages to sample (default 30)")
    ] = None,
    seed: Annotated[
        int | None, Option("--seed", min=0, metavar="N", help="seed of the random sample (default 0)")
    ] = None,
    max_words: Annotated[
        int | None, Option("--max-words", min=1, metavar="N", help="maximum number of words in a passage (default 400)")
    ] = None,
    adversary: Annotated[
        str | None,
        Option(
            "--adversary",
            metavar="NAME",
            help="model that answers questions before anybody else: shallow, qa-model or none (default: shallow)",
        ),
    ] = None,
    max_f1: Annotated[
        float | None,
        Option(
            "--max-f1",
            min=0,
            max=1,
            metavar="X",
            help="refuse a question if the F1 score of the adversary's answer exceeds X (default 0.5)",
        ),
    ] = None,
    host: Host = "127.0.0.1",
    port: Port = 0,
) -> None:
    """``collect serve``: draws passages if the collection does not exist, or if they are asked for and nobody worked on it."""
    from wdw_study.web import serving
    from wdw_study.web.server import Listener

    pipeline, listener = open_pipeline(config, overrides, quiet=quiet), Listener(host, port)
    asked = {"passages": passages, "seed": seed, "max_words": max_words, "adversary": adversary, "max_f1": max_f1}
    given: dict[str, Any] = {option: value for option, value in asked.items() if value is not None}
    if given or not (pipeline.run_folder / CollectionFolder.KIND / name).exists():
        same = " with the same --set" if overrides else ""
        run = complete_run(pipeline, ["ingest"], remedy=f"wdw-build run ingest -c {config}{same}")
        splitter = lambda: pipeline.ports.get(SENTENCE_SPLITTER)  # noqa: E731 (loads it only if passages are drawn)
        opened = draw_collection(run, name, Passages(**given), splitter, pipeline.progress)
    else:
        opened = CollectionFolder.open(pipeline.run_folder, name)
    model = span_adversary(opened.head.adversary, Backends(pipeline.config))
    if model is not None:
        pipeline.progress.say(f"loading the adversary {opened.head.adversary}")
        model.answer(opened.items[0].text, READING)
    answerer = Answerer(model, pipeline.progress.say)
    serving.serve_collection(opened, answerer, listener, invite, _announce(as_json))
    questions = actions.counted(len(opened.state().questions), "question")
    pipeline.progress.say(f"collect: stopped; {questions} in {opened.path}")


def _collection(config: Path, overrides: Sequence[str], name: str) -> CollectionFolder:
    return CollectionFolder.open(open_pipeline(config, overrides, quiet=True).run_folder, name)


def export_collection(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    name: CollectionName = "questions",
    is_confirmed: Annotated[
        bool, Option("--confirmed", help="write only the questions that a second person confirmed")
    ] = False,
    out: Out = None,
    force: Force = False,
) -> None:
    """``collect export``."""
    opened = _collection(config, overrides, name)
    done = actions.export_collection(opened, persons, exclude, is_confirmed=is_confirmed, out=out, force=force)
    print_result(*done, as_json=as_json)


def score_collection(
    config: ConfigFile,
    overrides: Overrides,
    persons: Persons,
    exclude: Exclude,
    quiet: Quiet = False,
    as_json: Json = False,
    name: CollectionName = "questions",
) -> None:
    """``collect score``."""
    print_result(*actions.score_questions(_collection(config, overrides, name), persons, exclude), as_json=as_json)


def forget_collection(
    config: ConfigFile,
    overrides: Overrides,
    person: Person,
    quiet: Quiet = False,
    as_json: Json = False,
    name: CollectionName = "questions",
    is_deleting: Delete = False,
) -> None:
    """``collect forget``."""
    done = actions.forget(_collection(config, overrides, name), person, is_deleting=is_deleting)
    print_result(*done, as_json=as_json)


# ---- quality ---------------------------------------------------------------------------------------------------------


def phenomena(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = None,
    seed: Seed = 0,
    source: Source = None,
) -> None:
    """``quality phenomena``: writes the estimates of the drawn problems into the run's folder and prints the shares."""
    pipeline = open_pipeline(config, overrides, quiet=quiet)
    draw = _drawn(problems, seed, source, task="phenomena")
    backends = Backends(pipeline.config)
    print_result(
        *actions.estimate_phenomena(complete_run(pipeline), draw, backends, pipeline.progress), as_json=as_json
    )
