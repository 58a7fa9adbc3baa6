#!/usr/bin/env python3
"""Trains, bundles and evaluates the compact Stanza models that the package ships. See docs/development/train-models.md.

    scripts/train_models.py all --data DATA --work out/models        the whole recipe, about 80 minutes on two cores
    scripts/train_models.py ner --data DATA --work out/models        one part
    scripts/train_models.py evaluate --data DATA                     the shipped models on held-out data

Each subcommand reads the files that earlier ones wrote to --work. Stanza's own trainers train the models; the script
prepares their input, sets the options and bundles the results.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

# Two threads on one busy core are many times slower than one. Must be set before torch is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from training import bundle, evaluate, ner_text, parser, person_tagger, taggers, vectors, word_list
from training.layout import Workplace

SHIPPED = Path(__file__).resolve().parents[1] / "src" / "wdw_build" / "models"
Options = argparse.Namespace


def _vectors(place: Workplace, options: Options) -> None:
    vectors.make(place, options.encoder, options.contexts, options.dimensions)


def _bundle(place: Workplace, options: Options) -> None:
    bundle.bundle(place, options.out or place.work / "bundle", options.name, options.ner_pretrain)


def _evaluate(place: Workplace, options: Options) -> None:
    rows = evaluate.evaluate(place, options.models, options.name, options.ner, options.trees)
    print(f"{'measure':12} {'set':12} {'sentences':>9} {'P':>7} {'R':>7} {'F1':>7}")
    for row in rows:
        numbers = f"{row['precision']:7.2f} {row['recall']:7.2f} {row['f1']:7.2f}"
        print(f"{row['measure']:12} {row['set']:12} {row['sentences']:>9} {numbers}")


def _all(place: Workplace, options: Options) -> None:
    order = [
        "prepare-ner",
        "words",
        "vectors",
        "tokenizer",
        "pos",
        "retag",
        "ner",
        "constituency",
        "bundle",
        "evaluate",
    ]
    if options.pretrain:
        order = [name for name in order if name not in ("words", "vectors")]
    options.models = options.out or place.work / "bundle"
    for name in order:
        print(f"== {name}", flush=True)
        COMMANDS[name][0](place, options)


Command = Callable[[Workplace, Options], None]
COMMANDS: dict[str, tuple[Command, str]] = {
    "prepare-ner": (lambda place, options: ner_text.prepare(place, options.add_ner), "augment the NER training set"),
    "words": (lambda place, options: word_list.make(place, options.words), "list the words for the word vectors"),
    "vectors": (_vectors, "make the word vectors from an encoder and from context vectors"),
    "tokenizer": (lambda place, options: taggers.train_tokenizer(place), "train the tokenizer"),
    "pos": (lambda place, options: taggers.train_pos(place), "train the part-of-speech tagger"),
    "retag": (
        lambda place, options: parser.retag(place, options.add_trees),
        "replace the tags of the trees by the tagger's own",
    ),
    "ner": (lambda place, options: taggers.train_ner(place), "train the NER tagger"),
    "constituency": (lambda place, options: parser.train_parser(place), "train the parser"),
    "persons": (
        lambda place, options: person_tagger.train(place, options.encoder, options.start),
        "train the second tagger of names",
    ),
    "export-persons": (
        lambda place, options: person_tagger.export(place, options.encoder, options.into),
        "write the second tagger into the package's models",
    ),
    "bundle": (_bundle, "bundle the models in half precision"),
    "evaluate": (_evaluate, "score a bundle: persons by exact span, trees by labelled brackets"),
    "all": (_all, "everything, in order"),
}


def _add_options(command: argparse.ArgumentParser, name: str) -> None:
    """Add the options of a subcommand; ``all`` has those of all subcommands."""
    add = command.add_argument

    def wanted(*names: str) -> bool:
        return name in (*names, "all")

    add("--data", type=Path, required=True, help="the prepared data: ud/ trees/ ner/")
    add("--work", type=Path, default=Path("out/models"), help="folder for the results (default: %(default)s)")
    add("--seed", type=int, default=1234, help="random seed (default: %(default)s)")
    if wanted("tokenizer", "pos", "ner", "constituency", "persons"):
        add("--steps", type=int, help="train for fewer steps; for the parser, trees in each phase; for persons, epochs")
    if wanted("pos", "retag", "ner", "constituency", "bundle"):
        add("--pretrain", type=Path, help="word vectors in Stanza's format, instead of those of `vectors`")
    if wanted("prepare-ner"):
        add("--add-ner", nargs="*", default=[], metavar="SET", help="further sets of ner/ to train on")
    if wanted("retag"):
        add("--add-trees", nargs="*", default=[], metavar="SET", help="further sets of trees/ to retag")
    if name == "persons":
        add("--start", type=Path, help="an exported tagger to train further, such as the shipped one")
    if name == "export-persons":
        add("--into", type=Path, default=SHIPPED, help="the package's models (default: %(default)s)")
    if wanted("words"):
        add("--words", type=int, default=64_000, help="number of words (default: %(default)s)")
    if wanted("vectors", "persons", "export-persons"):
        add("--encoder", type=Path, help="folder of a sentence encoder that transformers loads (MiniLM)")
    if wanted("vectors"):
        add("--contexts", type=Path, help="folder of a spaCy model with vectors (en_core_web_md)")
        add("--dimensions", type=int, default=100, help="dimensions of the joint vectors (default: %(default)s)")
    if wanted("bundle", "evaluate"):
        add("--name", default="wdw", help="name of the package in the bundle (default: %(default)s)")
    if wanted("bundle"):
        add("--out", type=Path, help="folder of the bundle (default: WORK/bundle)")
        add("--ner-pretrain", type=Path, help="the word vectors of the NER model, if they are not those of the others")
    if wanted("evaluate"):
        add("--models", type=Path, default=SHIPPED, help="folder of a bundle (default: the shipped one)")
        add("--ner", nargs="*", default=["ewn_test", "uner_test"], metavar="SET", help="sets of ner/ to score")
        add("--trees", nargs="*", default=["gum_test"], metavar="SET", help="sets of trees/ to score")


def main(arguments: list[str] | None = None) -> int:
    """Run a subcommand."""
    outer = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = outer.add_subparsers(dest="command", required=True)
    for name, (_, text) in COMMANDS.items():
        _add_options(commands.add_parser(name, help=text, description=text), name)
    options = outer.parse_args(arguments)
    if not options.data.is_dir():
        outer.error(f"--data {options.data} is not a folder")
    for name in ("encoder", "contexts"):
        folder = getattr(options, name, None)
        if (
            hasattr(options, name)
            and not getattr(options, "pretrain", None)
            and (folder is None or not folder.is_dir())
        ):
            outer.error(f"--{name} must name a folder; docs/development/train-models.md says where to get it")
    options.work.mkdir(parents=True, exist_ok=True)
    place = Workplace(
        options.data, options.work, options.seed, getattr(options, "steps", None), getattr(options, "pretrain", None)
    )
    COMMANDS[options.command][0](place, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
