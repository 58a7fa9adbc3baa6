"""The commands of ``collect``: a collection of passages that people write questions about."""

from __future__ import annotations

import argparse

from wdw_build.cli.base import open_pipeline, print_result
from wdw_build.cli.people.serve import announce
from wdw_build.dataset import Run
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.registry import Backends
from wdw_study import actions
from wdw_study.collecting.adversary import READING, Answerer, span_adversary
from wdw_study.collecting.collection import CollectionFolder, DrawOptions, draw_collection


def serve(options: argparse.Namespace) -> int:
    """``collect serve``: draws passages if the collection does not exist."""
    from wdw_study.web.server import Listener
    from wdw_study.web.serving import serve_study

    pipeline, listener = open_pipeline(options), Listener(options.host, options.port)
    opened = _open_or_draw(options, pipeline)
    adversary = span_adversary(opened.head.adversary, Backends(pipeline.config))
    if adversary is not None:
        pipeline.progress.say(f"loading the adversary {opened.head.adversary}")
        adversary.answer(opened.items[0].text, READING)
    answerer = Answerer(adversary, pipeline.progress.say)
    serve_study(opened, listener, options.invite, announce(options), answerer)
    pipeline.progress.say(
        f"collect: stopped; {actions.counted(len(opened.state().questions), 'question')} in {opened.path}"
    )
    return 0


def _open_or_draw(options: argparse.Namespace, pipeline: Pipeline) -> CollectionFolder:
    """The collection of the options. With options of a draw it is drawn, unless people worked on another draw."""
    given = {name: getattr(options, name) for name in DrawOptions.__struct_fields__}
    given = {name: value for name, value in given.items() if value is not None}
    if not given and (pipeline.run_folder / CollectionFolder.KIND / options.collection).exists():
        return _opened(options, pipeline)
    same = " with the same --set" if options.overrides else ""
    outputs = pipeline.ready(["ingest"], remedy=f"wdw-build run ingest -c {options.config}{same}")
    run = Run(pipeline.run_folder, STAGES, outputs)
    draw, splitter = DrawOptions(**given), lambda: pipeline.ports.get(SENTENCE_SPLITTER)
    return draw_collection(run, options.collection, draw, splitter, pipeline.progress)


def _opened(options: argparse.Namespace, pipeline: Pipeline | None = None) -> CollectionFolder:
    folder = (pipeline or open_pipeline(options)).run_folder
    return CollectionFolder.open(folder, options.collection)


def export(options: argparse.Namespace) -> int:
    """``collect export``."""
    who, how = (options.persons, options.exclude), {"is_confirmed": options.confirmed, "force": options.force}
    print_result(options, *actions.export_collection(_opened(options), *who, out=options.out, **how))
    return 0


def score(options: argparse.Namespace) -> int:
    """``collect score``."""
    print_result(options, *actions.score_questions(_opened(options), options.persons, options.exclude))
    return 0


def forget(options: argparse.Namespace) -> int:
    """``collect forget``."""
    print_result(options, *actions.forget(_opened(options), options.person, is_deleting=options.delete))
    return 0
