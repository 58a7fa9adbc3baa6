"""The commands that serve pages until Ctrl-C: ``explore``, ``annotate serve`` and ``collect serve``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wdw_build import registry
from wdw_build.cli import INTERRUPTED
from wdw_build.cli.base import open_pipeline, print_json, print_result
from wdw_build.cli.people.annotate import open_or_draw_sheet, title_of
from wdw_build.cli.people.collect import counted
from wdw_build.core.config.settings import Config
from wdw_build.core.config_file import load_config
from wdw_build.core.progress import Progress
from wdw_build.dataset import Run, open_run
from wdw_build.dataset.run import stored_config
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.ports import SENTENCE_SPLITTER, SpanAdversary
from wdw_build.web.explore import make_app
from wdw_study.collection.adversary_worker import READING, Answerer
from wdw_study.collection.collection_folder import CollectionFolder, adversary_of, folder_of, open_or_draw
from wdw_study.people import checked_name
from wdw_study.private_files import make_private
from wdw_study.sheet_folder import count_answers
from wdw_study.study import read_study
from wdw_study.web import base
from wdw_study.web.annotate import annotate_app
from wdw_study.web.base import Access, Application, Listener
from wdw_study.web.collect import collect_app


def explore(options: argparse.Namespace) -> int:
    """``explore``."""
    pipeline = open_pipeline(options)
    run = open_run(options.config, STAGES, options.overrides)
    listener, access = Listener(options.host, options.port), Access.fresh()
    app = make_app(run, pipeline.progress, access, listener)
    address = listener.address(access.owner)

    def ready() -> None:
        warning = "Keep this address secret: anyone who has it can read the corpus. Ctrl-C stops the server."
        print_result(options, {"url": address}, f"{address}\n{warning}")

    _serve("explore", app, listener, pipeline.progress, ready)
    return 0


def annotate(options: argparse.Namespace) -> int:
    """``annotate serve``: serves, then says where the answers are."""
    study = read_study(options.study) if options.study else None
    folder, progress = open_or_draw_sheet(options)
    if study is not None:
        folder.keep_study(study)
    make_private(folder.path)
    _serve_to_people(
        options,
        Listener(options.host, options.port),
        partial(annotate_app, folder),
        progress,
        secrets=folder.secrets,
        facts={"sheet": folder.sheet.name, "folder": str(folder.path)},
        title=title_of(folder.sheet),
        people="annotators",
        shown="the key",
    )
    persons, answers = count_answers(folder)
    progress.say(
        f"{answers} answers (people: {persons}) are in {folder.path}; to score them: "
        f"wdw-build annotate score -c {options.config} --sheet {folder.sheet.name}"
    )
    return 0


# ---- collect ---------------------------------------------------------------------------------------------------------


def collect(options: argparse.Namespace) -> int:
    """``collect serve``: draws passages if the collection does not exist."""
    pipeline, listener = open_pipeline(options), Listener(options.host, options.port)
    name, adversary = _adversary(options, pipeline)
    opened = _opened_or_drawn(options, pipeline, name)
    make_private(opened.folder)
    if adversary is not None and not _is_loaded(adversary, opened, name, pipeline):
        return INTERRUPTED
    answerer, collection = Answerer(adversary, pipeline.progress.say), opened.collection
    try:
        _serve_to_people(
            options,
            listener,
            partial(collect_app, opened, answerer),
            pipeline.progress,
            secrets=opened.secrets,
            facts={"collection": collection.name, "folder": str(opened.folder)},
            title=f"collection {collection.name}: {counted(collection.passages, 'passage')}",
            people="writers",
            shown="all answers",
        )
    finally:
        answerer.close()
    questions = len(opened.state().questions)
    pipeline.progress.say(
        f"{counted(questions, 'question')} in {opened.folder}; to export: wdw-build collect export -c {options.config} "
        f"--collection {collection.name}"
    )
    return 0


def _opened_or_drawn(options: argparse.Namespace, pipeline: Pipeline, adversary: str) -> CollectionFolder:
    given = {name: getattr(options, name) for name in ("passages", "seed", "max_words", "max_f1")}
    return open_or_draw(
        folder_of(pipeline.run_folder, options.collection),
        lambda: _articles(pipeline, options),
        {name: value for name, value in given.items() if value is not None} | {"adversary": adversary},
        lambda: pipeline.ports.get(SENTENCE_SPLITTER),
        pipeline.progress,
    )


def _articles(pipeline: Pipeline, options: argparse.Namespace) -> Run:
    """The run with its articles. Raises ``UsageError`` unless ``ingest`` is up to date; later stages do not matter."""
    same = " with the same --set" if options.overrides else ""
    outputs = pipeline.ready(["ingest"], remedy=f"wdw-build run ingest -c {options.config}{same}")
    return Run(pipeline.run_folder, STAGES, outputs)


def _adversary(options: argparse.Namespace, pipeline: Pipeline) -> tuple[str, SpanAdversary | None]:
    """Name of the adversary, by default that of the collection, and the adversary; None for ``none``."""
    name = options.adversary or adversary_of(folder_of(pipeline.run_folder, options.collection))
    config = _with_model(options, name, pipeline)
    try:
        return name, None if name == "none" else registry.span_adversary(config, name)
    except MissingResourceError as error:
        if name != "qa-model" or options.model is not None:
            raise
        raise MissingResourceError(error.message, hint="--model DIR, the folder of a model") from error


def _with_model(options: argparse.Namespace, adversary: str, pipeline: Pipeline) -> Config:
    """The configuration with ``--model``. Raises ``UsageError`` if ``--model`` is not for ``qa-model``."""
    if options.model is None:
        return pipeline.config
    if adversary != "qa-model":
        raise UsageError("--model works only with --adversary qa-model", hint="--adversary qa-model --model DIR")
    key = f"bench.settings.qa-model.model={json.dumps(str(options.model.resolve()))}"
    return load_config(stored_config(options.config), [*options.overrides, key])


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


def _serve_to_people(
    options: argparse.Namespace,
    listener: Listener,
    app_of: Callable[[Access, Listener], Application],
    progress: Progress,
    *,
    secrets: Path,
    facts: dict[str, str],
    title: str,
    people: str,
    shown: str,
) -> None:
    """Serve pages that people and their owner open by different addresses, until Ctrl-C.

    ``secrets`` keeps the tokens of the addresses. ``--json`` prints ``facts`` with the addresses, else ``title`` precedes
    them; ``people`` are those who get the first address, and ``shown`` is what only the owner may see. With ``--invite``,
    each named person gets an address instead of the common one.
    """
    access, names = _kept_access(secrets, options.token_file), [*map(checked_name, options.invite)]
    invited = {name: listener.address(access.personal(name)) for name in names}
    owner = listener.address(access.owner)

    def ready() -> None:
        if options.json:
            readers = {"invited": invited} if invited else {people: listener.address(access.reader)}
            print_json({**facts, **readers, "owner": owner})
            return
        rows = [*(invited or {people: listener.address(access.reader)}).items(), ("owner", owner)]
        width = max(len(name) for name, _ in rows) + 1
        whose = "each person the address beside the name" if invited else f"the first address to the {people}"
        print("\n".join([title, *(f"{name + ':':<{width}} {address}" for name, address in rows)]))
        print(f"Give {whose}. Keep the {'last' if invited else 'second'}: it shows {shown}. Ctrl-C stops the server.")

    _serve(options.command, app_of(access, listener), listener, progress, ready)


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
