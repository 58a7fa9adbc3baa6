"""persons: trains the second tagger of names, the shipped sentence encoder with a layer for BIO tags.

The encoder is uncased; an embedding of each word's shape, added to those of its pieces, tells capitals from small letters.
A word's tag is read at its first piece. Trained in bfloat16, four epochs take about 40 minutes of one core.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from training import wire_text
from training.layout import Sentence, Workplace
from training.minilm_weights import Trainable, body, quantised, write
from training.ner_text import augment
from training.scoring import Score, score_persons
from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import KINDS, MOST_PIECES, SHAPES, TAGS, Pieces, cut

WEB_TEMPLATES = Path(__file__).with_name("web_templates.txt")
WEB_SENTENCES = 4000
PRESS_TEMPLATES = Path(__file__).with_name("press_templates.txt")
PRESS_SENTENCES = 9000
EPOCHS, BATCH, POOL = 4, 32, 3200
ENCODER_RATE, HEAD_RATE, WARM_UP = 1.5e-4, 1e-3, 300
SHARE_CAPITALS, SHARE_REPEATED = 0.02, 0.3
# The weights that the encoder lacks.
HEAD = ("shapes", "tags.weight", "tags.bias")
AT_ONCE = 64

Tagged = tuple[list[str], list[int]]


class PersonTagger(Trainable):
    """The network of a tagger, or of an encoder with new weights for tags."""

    def __init__(self, path: Path, layers: Sequence[int] | None = None, words: bool = False) -> None:
        super().__init__(path, layers, words)
        if "shapes" not in self.weights:
            width = self.weights["positions"].shape[1]
            scores = nn.Linear(width, len(TAGS))
            self.add("shapes", torch.randn(SHAPES, width) * 0.02)
            self.add("tags.weight", scores.weight.detach())
            self.add("tags.bias", scores.bias.detach())

    def read(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> list[torch.Tensor]:
        """The states of every piece after each layer (sentences, pieces, width); the embeddings come first."""
        return self.states(pieces, mask > 0, self.weights["shapes"][shapes])

    def scores(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> torch.Tensor:
        """Scores of the tags (sentences, pieces, tags) from piece numbers, mask and shape numbers (sentences, pieces)."""
        return self.linear(self.drop(self.read(pieces, mask, shapes)[-1]), "tags")


def _number(tag: str) -> int:
    place, _, kind = tag.partition("-")
    if not kind:
        return 0
    kind = kind if kind in KINDS else "PERSON" if kind == "PER" else "MISC"
    return TAGS.index(("B-" if place in "BS" else "I-") + kind)


def _tagged(sentences: Iterable[Sentence]) -> list[Tagged]:
    return [([token["text"] for token in one], [_number(token["ner"]) for token in one]) for one in sentences if one]


def padded(cuts: Sequence[Pieces]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The piece numbers, mask and shape numbers of sentences (sentences, pieces), filled up with zeros."""
    width = max(len(one.pieces) for one in cuts)
    pieces, mask, shapes = (torch.zeros(len(cuts), width, dtype=torch.long) for _ in range(3))
    for row, one in enumerate(cuts):
        size = len(one.pieces)
        pieces[row, :size], shapes[row, :size] = torch.tensor(one.pieces), torch.tensor(one.shapes)
        mask[row, :size] = 1
    return pieces, mask, shapes


def batches_by_length(sentences: Sequence[list[str]], tokenizer: Any) -> Iterator[tuple[list[int], list[Pieces]]]:
    """Yield the numbers and the pieces of sentences of about the same length."""
    cuts = [cut(words, tokenizer) for words in sentences]
    order = sorted(range(len(cuts)), key=lambda number: len(cuts[number].pieces))
    for at in range(0, len(order), AT_ONCE):
        chosen = order[at : at + AT_ONCE]
        yield chosen, [cuts[number] for number in chosen]


def _batches(train: list[Tagged], draw: random.Random) -> list[list[Tagged]]:
    """The sentences in batches of similar length, in random order."""
    draw.shuffle(train)
    pools = (sorted(train[at : at + POOL], key=lambda one: len(one[0])) for at in range(0, len(train), POOL))
    batches = [pool[at : at + BATCH] for pool in pools for at in range(0, len(pool), BATCH)]
    draw.shuffle(batches)
    return batches


def _loss(model: PersonTagger, batch: list[Tagged], tokenizer: Any) -> torch.Tensor:
    cuts = [cut(words, tokenizer) for words, _ in batch]
    pieces, mask, shapes = padded(cuts)
    gold = torch.full(pieces.shape, -100)
    for row, (one, (_, tags)) in enumerate(zip(cuts, batch, strict=True)):
        for first, tag in zip(one.firsts, tags, strict=False):
            gold[row, first] = tag
    with torch.autocast("cpu", torch.bfloat16):
        scores = model.scores(pieces, mask, shapes)
    return nn.functional.cross_entropy(scores.float().flatten(0, 1), gold.flatten())


def predict(model: PersonTagger, sentences: Sequence[list[str]], tokenizer: Any) -> list[list[str]]:
    """The best tag of each word of each sentence."""
    model.is_training = False
    tags = [["O"] * len(words) for words in sentences]
    with torch.no_grad():
        for chosen, cuts in batches_by_length(sentences, tokenizer):
            best = model.scores(*padded(cuts)).argmax(-1)
            for row, number in enumerate(chosen):
                for word, first in enumerate(cuts[row].firsts):
                    tags[number][word] = TAGS[int(best[row, first])]
    return tags


def score(model: PersonTagger, sentences: Sequence[Sentence], tokenizer: Any) -> Score:
    """Score the PERSON spans."""
    return score_persons(sentences, predict(model, [[token["text"] for token in one] for one in sentences], tokenizer))


def _training_set(place: Workplace, draw: random.Random, share: float) -> list[Tagged]:
    """Sentences of the press templates, and a share of the prepared ones and of the web templates; some in capitals."""
    prepared: list[Sentence] = json.loads(place.prepared("ner_train.json", "prepare-ner").read_text(encoding="utf-8"))
    web = wire_text.sentences(WEB_SENTENCES, place.seed, WEB_TEMPLATES)
    press = wire_text.sentences(PRESS_SENTENCES, place.seed, PRESS_TEMPLATES)
    known = [one for one in [*prepared, *augment(web, place.seed)] if draw.random() < share]
    tagged = _tagged([*known, *augment(press, place.seed)])
    return [
        ([word.upper() for word in words] if draw.random() < SHARE_CAPITALS else words, tags) for words, tags in tagged
    ]


def _optimiser(model: PersonTagger, steps: int) -> tuple[torch.optim.Optimizer, Any]:
    head = [weight for name, weight in model.weights.items() if name in HEAD]
    encoder = [weight for name, weight in model.weights.items() if name not in HEAD and weight.requires_grad]
    groups = [{"params": encoder, "lr": ENCODER_RATE}, {"params": head, "lr": HEAD_RATE}]
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, step / WARM_UP) * max(0.0, 1 - step / steps)
    )
    return optimiser, schedule


def _epochs(
    model: PersonTagger, train: list[Tagged], tokenizer: Any, draw: random.Random, epochs: int
) -> Iterator[int]:
    """Train; yield after every epoch."""
    steps = epochs * -(-len(train) // BATCH)
    optimiser, schedule = _optimiser(model, steps)
    began = time.monotonic()
    for epoch in range(epochs):
        model.is_training = True
        for number, batch in enumerate(_batches(train, draw)):
            loss = _loss(model, batch, tokenizer)
            loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            optimiser.zero_grad()
            if number % 100 == 0:
                print(f"{epoch} {number} {loss.item():.4f} {time.monotonic() - began:.0f} s", flush=True)
        yield epoch


def train(place: Workplace, encoder: Path, start: Path | None) -> None:
    """Train on the output of prepare-ner over the encoder in ``encoder``; write ``persons.pt``.

    ``start``: an exported tagger to train further, on the press templates and a share of the sentences that it knows. The
    result is the mean of the weights before and after, which loses less on other press than the weights after.
    """
    torch.manual_seed(place.seed)
    draw = random.Random(place.seed)
    tokenizer = open_tokenizer(encoder / "tokenizer.json")
    if not start:
        from transformers import AutoModel

        state = AutoModel.from_pretrained(encoder, local_files_only=True).state_dict()
        write(quantised(body(state, MOST_PIECES)), place.model("persons"))
    model = PersonTagger(start or place.model("persons"), words=not start)
    before = {name: tensor.detach().clone() for name, tensor in model.weights.items()}
    dev = place.ner("ewn_dev")
    sentences = _training_set(place, draw, SHARE_REPEATED if start else 1)
    for epoch in _epochs(model, sentences, tokenizer, draw, place.steps or EPOCHS):
        found = score(model, dev, tokenizer)
        print(f"epoch {epoch}: ewn_dev P {found.precision:.4f} R {found.recall:.4f} F1 {found.f1:.4f}", flush=True)
        write(quantised(model.weights), place.model("persons"))
    if start:
        means = {name: (before[name] + after) / 2 for name, after in model.weights.items()}
        write(quantised(means), place.model("persons"))
