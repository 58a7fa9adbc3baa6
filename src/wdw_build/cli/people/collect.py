"""``collect``: serves the pages on which people write questions, exports the questions, and scores them."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from wdw_build.cli import INTERRUPTED
from wdw_build.cli.base import open_pipeline, print_json, serve_to_people
from wdw_build.core.config_file import load_config
from wdw_build.dataset import Run
from wdw_build.dataset.run import stored_config
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline import STAGES, Pipeline
from wdw_build.ports import SENTENCE_SPLITTER

if TYPE_CHECKING:
    from wdw_build.annotation.collection.collection_folder import CollectionFolder
    from wdw_build.annotation.collection.question_scores import Scored
    from wdw_build.core.config.settings import Config
    from wdw_build.ports import SpanAdversary


def collect(options: argparse.Namespace) -> int:
    """``collect serve|export|score|forget``."""
    return {"serve": _serve, "export": _export, "score": _score, "forget": _forget}[options.action](options)


# ---- serve ---------------------------------------------------------------------------------------------------------------


def _serve(options: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from wdw_build.annotation.collection.adversary_worker import Answerer
    from wdw_build.annotation.private_files import make_private
    from wdw_build.web.base import Listener
    from wdw_build.web.collect import collect_app

    pipeline, listener = open_pipeline(options), Listener(options.host, options.port)
    name, adversary = _adversary(options, pipeline)
    opened = _opened_or_drawn(options, pipeline, name)
    make_private(opened.folder)
    if adversary is not None and not _is_loaded(adversary, opened, name, pipeline):
        return INTERRUPTED
    answerer, collection = Answerer(adversary, pipeline.progress.say), opened.collection
    try:
        serve_to_people(
            options,
            listener,
            lambda access, listener: collect_app(opened, answerer, access, listener),
            pipeline.progress,
            secrets=opened.secrets,
            facts={"collection": collection.name, "folder": str(opened.folder)},
            title=f"collection {collection.name}: {_counted(collection.passages, 'passage')}",
            people="writers",
            shown="all answers",
        )
    finally:
        answerer.close()
    questions = len(opened.state().questions)
    pipeline.progress.say(
        f"{_counted(questions, 'question')} in {opened.folder}; to export: wdw-build collect export -c {options.config} "
        f"--collection {collection.name}"
    )
    return 0


def _opened_or_drawn(options: argparse.Namespace, pipeline: Pipeline, adversary: str) -> CollectionFolder:
    from wdw_build.annotation.collection.collection_folder import folder_of, open_or_draw

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
    from wdw_build.annotation.collection.collection_folder import adversary_of, folder_of
    from wdw_build.registry import span_adversary

    name = options.adversary or adversary_of(folder_of(pipeline.run_folder, options.collection))
    config = _with_model(options, name, pipeline)
    try:
        return name, None if name == "none" else span_adversary(config, name)
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
    from wdw_build.annotation.collection.adversary_worker import READING

    pipeline.progress.say(f"loading the adversary {name}")
    try:
        adversary.answer(opened.passages[0].text, READING)
    except KeyboardInterrupt:
        pipeline.progress.say("collect: stopped")
        return False
    return True


# ---- export and score ----------------------------------------------------------------------------------------------------


def _opened(options: argparse.Namespace) -> CollectionFolder:
    from wdw_build.annotation.collection.collection_folder import folder_of, open_collection

    return open_collection(folder_of(open_pipeline(options).run_folder, options.collection))


def _export(options: argparse.Namespace) -> int:
    from wdw_build.annotation.collection.collection_folder import export_questions

    opened = _opened(options)
    folder, state = options.out or opened.folder / "export", opened.counted(options.persons, options.exclude)
    written = export_questions(
        opened,
        folder,
        state,
        confirmed=options.confirmed,
        validations=options.validations,
        replace=options.force,
    )
    if options.json:
        print_json(written)
    else:
        table1 = written.table1
        files = "\n".join(f"  {folder / name}" for name in written.files)
        print(f"{_counted(table1.questions, 'question')} about {_counted(table1.passages, 'passage')}\n{files}")
    return 0


def _score(options: argparse.Namespace) -> int:
    from wdw_build.annotation.collection.question_scores import score

    opened = _opened(options)
    scored = score(opened.collection.name, opened.counted(options.persons, options.exclude), opened.passages)
    if options.json:
        print_json(scored)
    else:
        print("\n".join([*_table1(scored), *_performances(scored), *_refusals(scored), *_labels(scored)]))
    return 0


def _forget(options: argparse.Namespace) -> int:
    from wdw_build.cli.people.forgotten import print_forgotten

    opened = _opened(options)
    print_forgotten(options, opened.log, f"collection {opened.collection.name}")
    return 0


def _table1(scored: Scored) -> list[str]:
    table1 = scored.table1
    rows = [
        ("questions", f"{table1.questions:,}"),
        ("passages with questions", f"{table1.passages:,}"),
        ("tokens of a passage", f"{table1.passage_tokens:.1f} ± {table1.passage_tokens_deviation:.1f}"),
        ("tokens of a question", f"{table1.question_tokens:.1f} ± {table1.question_tokens_deviation:.1f}"),
        ("vocabulary of passages", f"{table1.passage_vocabulary:,}"),
        ("vocabulary of questions", f"{table1.question_vocabulary:,}"),
        ("questions with several spans", _percent(table1.multi_span)),
        ("confirmed by a second person", f"{scored.confirmed:,}"),
        ("not checked by an adversary", f"{scored.unchecked:,}"),
    ]
    return [f"Collection {scored.collection}", *(f"  {name:<30} {value:>16}" for name, value in rows)]


def _performances(scored: Scored) -> list[str]:
    lines = [f"\n{'':<32} {'answers':>7}  {'EM':>6} {'95 % interval':>16}  {'F1':>6} {'95 % interval':>16}"]
    for title, found in (("Second persons", scored.people), ("Adversary, accepted questions", scored.adversary)):
        lines.append(title if found else f"{title}: none")
        for name, each in found.items():
            exact_match = f"{_percent(each.exact_match):>6} {_interval(each.exact_match_interval):>16}"
            f1 = f"{_percent(each.f1):>6} {_interval(each.f1_interval):>16}"
            lines.append(f"  {name[:30]:<30} {each.answers:>7}  {exact_match}  {f1}")
    return lines


def _refusals(scored: Scored) -> list[str]:
    refused = scored.attempts - scored.accepted
    return [
        f"\n{refused} of {_counted(scored.attempts, 'attempt')} refused",
        *(f"  {rule:<30} {n:>7}" for rule, n in scored.refused.items()),
    ]


def _labels(scored: Scored) -> list[str]:
    if not scored.labelled:
        return ["\nNo question is labelled yet (page Label)"]
    title = f"{_counted(scored.labelled, 'question')} labelled"
    rows = [f"\n{title:<32} {'share':>7}  {'alpha':>6}"]
    for label, share in scored.phenomena.items():
        alpha = scored.agreement[label]
        rows.append(f"  {label:<30} {_percent(share):>7}  {'-' if alpha is None else f'{alpha:.2f}':>6}")
    return rows


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what if count == 1 else f'{what}s'}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _interval(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f}"
