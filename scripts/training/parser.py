"""retag, constituency: trains the parser on trees with the tags of the POS model.

Stanza's trainer scores the development set with Java CoreNLP, which would need a download; this module computes the same
score. ``retag`` replaces the tags first, so the trainer needs no tagging pipeline. The option --no_retag must not be used:
with it, the parser learns no tags.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.layout import Workplace
from training.scoring import score_trees, tags_of

TREES = ("gum_train", "gum_dev")
TREES_AN_EPOCH = 5000


@dataclass(frozen=True)
class Phase:
    """A phase of training, which starts with a new optimizer from the best model of the phase before."""

    epochs: int
    rate: float


# The shipped model saw 30,000, 10,000 and 30,000 trees. At a rate of 0.002, the score oscillates after 35,000 trees.
PHASES = (Phase(6, 0.002), Phase(2, 0.002), Phase(6, 0.0006))


def _pos_pipeline(place: Workplace) -> Any:
    """A pipeline with only the POS model. Stanza requires a resources.json, whatever its content."""
    import stanza

    folder = place.work / "resources"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "resources.json").write_text(json.dumps({"en": {"packages": {}, "tokenize": {}}}), encoding="utf-8")
    return stanza.Pipeline(
        "en",
        dir=str(folder),
        package=None,
        processors="tokenize,pos",
        tokenize_pretokenized=True,
        tokenize_model_path="none",
        pos_model_path=str(place.need("pos")),
        pos_pretrain_path=str(place.need("pretrain")),
        download_method=None,
        use_gpu=False,
        allow_unknown_language=True,
        logging_level="WARN",
    )


def retag(place: Workplace, extra: list[str]) -> None:
    """Write the trees in ``trees/`` with predicted tags; ``extra`` names more sets."""
    from stanza.models.constituency import tree_reader
    from stanza.models.constituency.utils import retag_trees

    pipeline = _pos_pipeline(place)
    for name in (*TREES, *extra):
        trees = tree_reader.read_trees(place.text(f"trees/{name}.mrg"), use_tqdm=False)
        tagged = retag_trees(trees, [pipeline], xpos=True)
        place.write(f"{name}.mrg", "".join(f"{tree}\n" for tree in tagged))
        old, new = ([tag for tree in part for tag in tags_of(tree)] for part in (trees, tagged))
        agree = sum(a == b for a, b in zip(old, new, strict=True)) / len(old)
        print(f"retag: {name} {len(trees)} trees, {agree:.4f} of the tags agree")


@dataclass
class _Response:
    """The result of an evaluation, with the names that the trainer expects."""

    f1: float
    treeF1: list[float] = field(default_factory=list)
    kbestF1: None = None

    def HasField(self, name: str) -> bool:
        """False: there is no k-best score."""
        return False


class _BracketScorer:
    """Replaces Stanza's EvaluateParser."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def __enter__(self) -> _BracketScorer:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def process(self, results: list[Any]) -> _Response:
        """Score the best tree for each sentence."""
        gold = [result.gold for result in results]
        return _Response(score_trees(gold, [result.predictions[0].tree for result in results]).f1)


def _arguments(place: Workplace, phase: Phase, train: Path, dev: Path, save: Path, load: Path | None) -> list[str]:
    trees = min(place.steps or TREES_AN_EPOCH, TREES_AN_EPOCH)
    epochs = math.ceil(place.steps / TREES_AN_EPOCH) if place.steps else phase.epochs
    return [
        *("--mode", "train", "--lang", "en", "--shorthand", "en_wdw", "--cpu", "--seed", str(place.seed)),
        *("--train_file", str(train), "--eval_file", str(dev), "--retag_method", "xpos"),
        *("--wordvec_pretrain_file", str(place.need("pretrain"))),
        *("--save_dir", str(save.parent), "--save_name", save.name, "--no_checkpoint"),
        *("--epochs", str(epochs), "--epoch_size", str(trees), "--no_multistage"),
        *("--no_strict_check_constituents", "--no_check_valid_states"),
        *("--hidden_size", "200", "--delta_embedding_dim", "50", "--tag_embedding_dim", "20"),
        *("--train_batch_size", "20", "--eval_batch_size", "64", "--optim", "adamw"),
        *("--learning_rate", str(phase.rate), "--learning_weight_decay", "0.01", "--learning_rate_patience", "2"),
        *("--learning_rate_cooldown", "0", "--learning_rate_factor", "0.5"),
        *(("--finetune", "--load_name", str(load)) if load else ()),
    ]


def train_parser(place: Workplace) -> None:
    """Train the parser in three phases; --steps limits the trees of each."""
    from stanza.models import constituency_parser
    from stanza.models.common import utils
    from stanza.models.constituency import parser_training

    parser_training.EvaluateParser = _BracketScorer
    train, dev = (place.prepared(f"{name}.mrg", "retag") for name in TREES)
    previous: Path | None = None
    for number, phase in enumerate(PHASES, 1):
        save = place.work / f"constituency_{number}.pt"
        if previous:
            # The trainer writes a model only if it beats the score of the one that it started from, and continues from that.
            save.write_bytes(previous.read_bytes())
        else:
            save.unlink(missing_ok=True)
        arguments = constituency_parser.parse_args(_arguments(place, phase, train, dev, save, previous))
        utils.set_random_seed(arguments["seed"])
        parser_training.train(arguments, arguments["load_name"] or arguments["save_name"], None)
        previous = save
        print(f"constituency: phase {number} of {len(PHASES)} done")
    place.model("constituency").write_bytes(save.read_bytes())
