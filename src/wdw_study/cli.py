"""The functions of the commands. Their signatures declare the options."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import msgspec
from typer import Option

from wdw_build.api import (
    SENTENCE_SPLITTER,
    Backends,
    Config,
    EndpointConfig,
    Progress,
    Run,
    UsageError,
    check_endpoint,
    open_run,
    system_settings,
    training_context,
)
from wdw_build.command import ConfigFile, Host, Json, Overrides, Port, Quiet, Seed
from wdw_build.command.opened import complete_run, open_built, print_result, progress_of
from wdw_build.reading.settings import Condition
from wdw_study import actions
from wdw_study.collecting.collection import CollectionFolder, draw_collection
from wdw_study.collecting.collection import DrawOptions as CollectionDraw
from wdw_study.collecting.questions import READING, Answerer, span_adversary
from wdw_study.collecting.rules import Limits
from wdw_study.folder import StudyFolder
from wdw_study.judging.draw import DrawOptions, draw_sheet
from wdw_study.judging.model_judge import ModelJudge, Prices
from wdw_study.judging.sheets import SheetFolder, Task
from wdw_study.web.server import Listener
from wdw_study.web.serving import Announced, collecting_app, judging_app, serve_study

Sheet = Annotated[
    str, Option("--sheet", metavar="NAME", show_default=False, help="name of the sheet (default: the one with answers)")
]
Collection = Annotated[str, Option("--collection", metavar="NAME", help="name of the collection")]
Problems = Annotated[
    int, Option("--problems", min=1, metavar="N", help="number of problems to sample, or all if fewer")
]
Source = Annotated[
    Literal["train", "train.relaxed", "validation", "test", "before"] | None,
    Option("--from", help="split to sample from; before: also what suppression dropped (default: the dataset)"),
]

InputPrice = Annotated[
    float | None, Option("--input-price", min=0, metavar="X", help="price of a million tokens of the prompts")
]
OutputPrice = Annotated[
    float | None, Option("--output-price", min=0, metavar="X", help="price of a million tokens of the answers")
]


def _announce(announced: Announced, *, as_json: bool) -> None:
    """Print the addresses, after a warning if other machines can reach the page."""
    if announced.warning:
        print(f"warning: {announced.warning}", file=sys.stderr)
    print_result(announced.value, announced.text, as_json=as_json)
    sys.stdout.flush()


def _command(
    kind: type[StudyFolder[Any, Any]], study: inspect.Parameter, action: Callable[..., actions.Done]
) -> Callable[..., None]:
    """The command of an action. Its options find the study and choose the form of the result; then come those of the action.

    ``study``: the option with the study's name.
    """

    def run(
        config: ConfigFile, overrides: Overrides, quiet: Quiet = False, as_json: Json = False, **options: Any
    ) -> None:
        folder = kind.open(open_run(config, overrides).folder, options.pop(study.name))
        print_result(*action(folder, **options), as_json=as_json)

    *shared, _ = inspect.signature(run, eval_str=True).parameters.values()
    _, *added = inspect.signature(action, eval_str=True).parameters.values()
    named = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in (*shared, study, *added)]
    vars(run)["__signature__"] = inspect.Signature(named)
    return run


_SHEET = inspect.Parameter("sheet", inspect.Parameter.KEYWORD_ONLY, default="", annotation=Sheet)
import_answers = _command(SheetFolder, _SHEET, actions.import_answers)
score_sheet = _command(SheetFolder, _SHEET, actions.score_sheet)
export_sheet = _command(SheetFolder, _SHEET, actions.export_sheet)
apply_faults = _command(SheetFolder, _SHEET, actions.apply_faults)
forget_annotator = _command(SheetFolder, _SHEET, actions.forget)

_COLLECTION = inspect.Parameter(
    "collection", inspect.Parameter.KEYWORD_ONLY, default="questions", annotation=Collection
)
export_questions = _command(CollectionFolder, _COLLECTION, actions.export_collection)
score_questions = _command(CollectionFolder, _COLLECTION, actions.score_questions)
forget_writer = _command(CollectionFolder, _COLLECTION, actions.forget)


def annotate(
    config: ConfigFile,
    overrides: Overrides,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = 100,
    seed: Seed = 0,
    source: Source = None,
    condition: Annotated[
        str,
        Option(
            "--condition",
            metavar="NAME",
            help="condition in which people read problems: passage, without, codes, codes-without; with --judge, several with "
            "commas between",
        ),
    ] = "passage",
    task: Annotated[
        Task, Option("--task", help="answer each problem, or label the inference that its answer requires")
    ] = "answer",
    sheet: Sheet = "",
    host: Host = "127.0.0.1",
    port: Port = 0,
    judge: Annotated[
        str,
        Option(
            "--judge",
            metavar="URL",
            show_default=False,
            help="do not serve the sheet: ask a model at this endpoint, with the other settings of bench.settings.api",
        ),
    ] = "",
    model: Annotated[
        str,
        Option(
            "--model", metavar="NAME", show_default=False, help="name of the model (default: bench.settings.api.model)"
        ),
    ] = "",
    dry_run: Annotated[
        bool, Option("--dry-run", help="with --judge: print the number of calls, tokens and cost")
    ] = False,
    input_price: InputPrice = None,
    output_price: OutputPrice = None,
) -> None:
    """``annotate serve``: a sheet that does not exist is drawn; ``--sheet`` continues an earlier one."""
    options = DrawOptions(problems=problems, seed=seed, source=source or "", task=task)
    draws = [msgspec.structs.replace(options, condition=cast(Condition, name.strip())) for name in condition.split(",")]
    if judge:
        pipeline = open_built(config, overrides, quiet=quiet)
        model_judge = _judge(pipeline.config, judge, model, pipeline.progress)
        folders = _sheets(config, overrides, draws, sheet, writes=not dry_run)
        prices = Prices(input_price, output_price)
        print_result(
            *actions.judge_sheets(folders, model_judge, prices, pipeline.progress, dry_run=dry_run), as_json=as_json
        )
        return
    if len(draws) > 1:
        raise UsageError("people read problems in one condition", hint="serve a sheet for each condition")
    progress, listener = progress_of(quiet=quiet), Listener(host, port)
    (folder,) = _sheets(config, overrides, draws, sheet)
    announce = functools.partial(_announce, as_json=as_json)
    serve_study(folder, lambda access: judging_app(folder, access, listener), listener, announce)
    progress.say(f"annotate: stopped; the answers are in {folder.path}; wdw-build annotate score scores them")


def _sheets(
    config: Path, overrides: list[str], draws: Sequence[DrawOptions], sheet: str, *, writes: bool = True
) -> list[SheetFolder]:
    """The sheet with a name, or those of the draws, which are written if they do not exist."""
    run = open_run(config, overrides)
    if sheet:
        return [SheetFolder.open(run.folder, sheet)]
    run = complete_run(open_built(config, overrides, quiet=True))
    drawn = [draw_sheet(run, options) for options in draws]
    make = SheetFolder.create if writes else SheetFolder.unwritten
    return [make(run.folder, head, problems) for head, problems in drawn]


def _judge(config: Config, url: str, model: str, progress: Progress) -> ModelJudge:
    """The model at an endpoint, with the other settings of the system ``api`` and its stored answers."""
    endpoint = cast(EndpointConfig, system_settings("api", config.bench))
    settings = msgspec.structs.replace(endpoint, url=url, model=model or endpoint.model)
    check_endpoint(settings)
    return ModelJudge(settings, training_context(config).answers, progress)


def collect(
    config: ConfigFile,
    overrides: Overrides,
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
    """``collect serve``: a collection that does not exist is drawn; one that exists continues as it was drawn."""
    pipeline, listener = open_built(config, overrides, quiet=quiet), Listener(host, port)
    backends = Backends(pipeline.config)
    if (pipeline.run_folder / CollectionFolder.KIND / collection).exists():
        opened = CollectionFolder.open(pipeline.run_folder, collection)
        pipeline.progress.say(f"{collection!r} continues as it was drawn; --collection NAME draws another one")
    else:
        same = " with the same --set" if overrides else ""
        outputs = pipeline.ready(["ingest"], remedy=f"wdw-build run ingest -c {config}{same}")
        run = Run(pipeline.run_folder, outputs)
        limits = Limits(adversary=max_f1)
        draw = CollectionDraw(passages=passages, seed=seed, max_words=max_words, limits=limits, adversary=adversary)
        opened = draw_collection(run, collection, draw, backends.get(SENTENCE_SPLITTER), pipeline.progress)
    model = span_adversary(opened.head.adversary, backends)
    if model is not None:
        pipeline.progress.say(f"loading the adversary {opened.head.adversary}")
        model.answer(opened.items[0].text, READING)
    answerer = Answerer(model, pipeline.progress.say)
    announce = functools.partial(_announce, as_json=as_json)
    serve_study(opened, lambda access: collecting_app(opened, answerer, access, listener), listener, announce)
    pipeline.progress.say(
        f"collect: stopped; the questions are in {opened.path}; wdw-build collect export exports them"
    )


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
    pipeline = open_built(config, overrides, quiet=quiet)
    draw = DrawOptions(problems=problems, seed=seed, source=source or "", task="phenomena")
    estimate = actions.estimate_phenomena(complete_run(pipeline), draw, Backends(pipeline.config), pipeline.progress)
    print_result(*estimate, as_json=as_json)
