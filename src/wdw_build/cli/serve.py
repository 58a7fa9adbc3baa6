"""The commands that serve pages until Ctrl-C: ``annotate serve`` and ``collect serve``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer
from typer import Option

from wdw_build import registry
from wdw_build.annotation.collection.adversary_worker import READING, Answerer
from wdw_build.annotation.collection.collection_folder import CollectionFolder, adversary_of, folder_of, open_or_draw
from wdw_build.annotation.people import checked_name
from wdw_build.annotation.private_files import make_private
from wdw_build.annotation.sheet_folder import count_answers
from wdw_build.annotation.sheets import Task
from wdw_build.annotation.study import read_study
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.base import open_pipeline, print_json, progress_of
from wdw_build.cli.options import ConfigFile, Host, Json, Overrides, Port, Quiet, Seed
from wdw_build.cli.people.annotate import Problems, Source, drawn_as, open_or_draw_sheet, title_of
from wdw_build.cli.people.collect import Collection, counted
from wdw_build.core.config.bench_settings import Condition
from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run
from wdw_build.dataset.run import stored_config
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.ports import SENTENCE_SPLITTER, SpanAdversary
from wdw_build.web import base
from wdw_build.web.annotate import annotate_app
from wdw_build.web.base import Access, Application, Listener
from wdw_build.web.collect import collect_app

Invite = Annotated[
    list[str],
    Option(
        "--invite",
        metavar="NAME",
        default_factory=list,
        show_default=False,
        help="print a personal link (URL) for this person (may be repeated)",
    ),
]
TokenFile = Annotated[
    Path | None,
    Option(
        "--token-file",
        metavar="FILE",
        help="file with the token that opens the pages (default: a random token, kept for later calls)",
    ),
]


def annotate(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    problems: Problems = None,
    seed: Seed = 0,
    source: Source = None,
    strata: Annotated[
        str,
        Option(
            "--strata",
            metavar="FIELDS",
            help="sample in proportion to these fields, separated by commas: part, choices, pattern, source, window",
        ),
    ] = "part",
    condition: Annotated[Condition, Option("--condition", help="condition in which people read problems")] = "passage",
    task: Annotated[
        Task, Option("--task", help="answer each problem, or label the inference that its answer requires")
    ] = "answer",
    sheet: Annotated[
        str,
        Option(
            "--sheet",
            metavar="NAME",
            show_default=False,
            help="continue with an earlier sheet; options for a new sheet are ignored",
        ),
    ] = "",
    host: Host = "127.0.0.1",
    port: Port = 0,
    token_file: TokenFile = None,
    study: Annotated[
        Path | None,
        Option(
            "--study",
            metavar="FILE",
            help="YAML file that describes the study (default: the file given in an earlier call)",
        ),
    ] = None,
) -> None:
    """``annotate serve``: serves, then says where the answers are."""
    described, progress = read_study(study) if study else None, progress_of(quiet=quiet)
    draw = drawn_as(problems, seed, source, strata=strata, condition=condition, task=task)
    folder = open_or_draw_sheet(config, overrides, sheet, draw, progress)
    if described is not None:
        folder.keep_study(described)
    make_private(folder.path)
    _serve_to_people(
        Pages("annotate", title_of(folder.sheet), "annotators", "the key"),
        Listener(host, port),
        partial(annotate_app, folder),
        _kept_access(folder.secrets, token_file),
        progress,
        facts={"sheet": folder.sheet.name, "folder": str(folder.path)},
        invite=invite,
        as_json=as_json,
    )
    persons, answers = count_answers(folder)
    progress.say(
        f"{answers} answers (people: {persons}) are in {folder.path}; to score them: "
        f"wdw-build annotate score -c {config} --sheet {folder.sheet.name}"
    )


# ---- collect ---------------------------------------------------------------------------------------------------------


def collect(
    config: ConfigFile,
    overrides: Overrides,
    invite: Invite,
    quiet: Quiet = False,
    as_json: Json = False,
    collection: Collection = "questions",
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
        Literal["shallow", "qa-model", "none"] | None,
        Option("--adversary", help="model that answers questions while people write them (default: shallow)"),
    ] = None,
    model: Annotated[
        Path | None,
        Option(
            "--model", metavar="DIR", help="model folder for --adversary qa-model (default: from the configuration)"
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
    token_file: TokenFile = None,
) -> None:
    """``collect serve``: draws passages if the collection does not exist."""
    pipeline, listener = open_pipeline(config, overrides, quiet=quiet), Listener(host, port)
    name = adversary or adversary_of(folder_of(pipeline.run_folder, collection))
    span_adversary = _adversary(name, model, _with_model(config, overrides, model, name, pipeline))
    given = {"passages": passages, "seed": seed, "max_words": max_words, "max_f1": max_f1}
    opened = open_or_draw(
        folder_of(pipeline.run_folder, collection),
        lambda: _articles(pipeline, config, overrides),
        {key: value for key, value in given.items() if value is not None} | {"adversary": name},
        lambda: pipeline.ports.get(SENTENCE_SPLITTER),
        pipeline.progress,
    )
    make_private(opened.folder)
    if span_adversary is not None and not _is_loaded(span_adversary, opened, name, pipeline):
        raise typer.Exit(INTERRUPTED)
    answerer, drawn = Answerer(span_adversary, pipeline.progress.say), opened.collection
    title = f"collection {drawn.name}: {counted(drawn.passages, 'passage')}"
    try:
        _serve_to_people(
            Pages("collect", title, "writers", "all answers"),
            listener,
            partial(collect_app, opened, answerer),
            _kept_access(opened.secrets, token_file),
            pipeline.progress,
            facts={"collection": drawn.name, "folder": str(opened.folder)},
            invite=invite,
            as_json=as_json,
        )
    finally:
        answerer.close()
    questions = len(opened.state().questions)
    pipeline.progress.say(
        f"{counted(questions, 'question')} in {opened.folder}; to export: wdw-build collect export -c {config} "
        f"--collection {drawn.name}"
    )


def _articles(pipeline: Pipeline, config: Path, overrides: Sequence[str]) -> Run:
    """The run with its articles. Raises ``UsageError`` unless ``ingest`` is up to date; later stages do not matter."""
    same = " with the same --set" if overrides else ""
    outputs = pipeline.ready(["ingest"], remedy=f"wdw-build run ingest -c {config}{same}")
    return Run(pipeline.run_folder, STAGES, outputs)


def _adversary(name: str, model: Path | None, config: Config) -> SpanAdversary | None:
    """The adversary with a name; None for ``none``."""
    try:
        return None if name == "none" else registry.span_adversary(config, name)
    except MissingResourceError as error:
        if name != "qa-model" or model is not None:
            raise
        raise MissingResourceError(error.message, hint="--model DIR, the folder of a model") from error


def _with_model(
    config: Path, overrides: Sequence[str], model: Path | None, adversary: str, pipeline: Pipeline
) -> Config:
    """The configuration with ``--model``. Raises ``UsageError`` if ``--model`` is not for ``qa-model``."""
    if model is None:
        return pipeline.config
    if adversary != "qa-model":
        raise UsageError("--model works only with --adversary qa-model", hint="--adversary qa-model --model DIR")
    key = f"bench.settings.qa-model.model={json.dumps(str(model.resolve()))}"
    return load_config(stored_config(config), [*overrides, key])


def _is_loaded(adversary: SpanAdversary, opened: CollectionFolder, name: str, pipeline: Pipeline) -> bool:
    """Load the adversary by a first question. False if Ctrl-C stopped it."""
    pipeline.progress.say(f"loading the adversary {name}")
    try:
        adversary.answer(opened.passages[0].text, READING)
    except KeyboardInterrupt:
        pipeline.progress.say("collect: stopped")
        return False
    return True


# ---- serving ---------------------------------------------------------------------------------------------------------


class Pages(NamedTuple):
    """Pages that people and their owner open by different addresses."""

    command: str
    title: str
    people: str
    """Those who get the first address."""
    shown: str
    """What only the owner may see."""


def _serve_to_people(
    pages: Pages,
    listener: Listener,
    app_of: Callable[[Access, Listener], Application],
    access: Access,
    progress: Progress,
    *,
    facts: dict[str, Any],
    invite: Sequence[str],
    as_json: bool,
) -> None:
    """Serve until Ctrl-C. ``--json`` prints ``facts`` with the addresses, else the title precedes them.

    With ``--invite``, each named person gets an address instead of the common one.
    """
    invited = {name: listener.address(access.personal(name)) for name in map(checked_name, invite)}
    readers, owner = invited or {pages.people: listener.address(access.reader)}, listener.address(access.owner)

    def ready() -> None:
        if as_json:
            print_json({**facts, **({"invited": invited} if invited else readers), "owner": owner})
            return
        rows = [*readers.items(), ("owner", owner)]
        width = max(len(name) for name, _ in rows) + 1
        whose = "each person the address beside the name" if invited else f"the first address to the {pages.people}"
        print("\n".join([pages.title, *(f"{name + ':':<{width}} {address}" for name, address in rows)]))
        print(
            f"Give {whose}. Keep the {'last' if invited else 'second'}: it shows {pages.shown}. Ctrl-C stops the server."
        )

    _serve(pages.command, app_of(access, listener), listener, progress, ready)


def _kept_access(secrets: Path, token_file: Path | None) -> Access:
    """The tokens kept in ``secrets``; with a file, its content is the readers' token. Raises ``UsageError`` for a bad one."""
    access = Access.kept(secrets)
    if token_file is None:
        return access
    try:
        return access.with_reader(token_file.read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{token_file}: {error}", hint="give a text file that contains only the token") from error


def _serve(name: str, app: Application, listener: Listener, progress: Progress, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C. ``ready`` prints the addresses; a warning precedes it if other machines can reach the page."""

    def announce() -> None:
        if listener.warning:
            print(f"warning: {listener.warning}", file=sys.stderr)
        ready()
        sys.stdout.flush()

    base.serve(app, listener, announce)
    progress.say(f"{name}: stopped")
