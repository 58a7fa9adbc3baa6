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
from training.bundle import record
from training.layout import Sentence, Workplace
from training.minilm_weights import body, quantised, restored, write
from training.ner_text import augment
from training.scoring import Score, score_persons
from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import KINDS, MOST_PIECES, SHAPES, TAGS, Pieces, cut

WEB_TEMPLATES = Path(__file__).with_name("web_templates.txt")
WEB_SENTENCES = 4000
PRESS_TEMPLATES = Path(__file__).with_name("press_templates.txt")
PRESS_SENTENCES = 9000
TRAINED_ON = (
    "all-MiniLM-L6-v2 by sentence-transformers, trained further",
    "English worldwide newswire (Stanford NLP)",
    "WikiGold",
    "UNER English-EWT, development part",
    "sentences made for this project, from templates and drawn names",
)
EPOCHS, BATCH, POOL = 4, 32, 3200
ENCODER_RATE, HEAD_RATE, WARM_UP = 1.5e-4, 1e-3, 300
DROPOUT, SHARE_CAPITALS, SHARE_REPEATED = 0.1, 0.02, 0.3
AT_ONCE = 64

Tagged = tuple[list[str], list[int]]


class PersonTagger(nn.Module):
    """Scores of the tags (sentences, pieces, tags) from piece numbers, mask and shape numbers (sentences, pieces)."""

    def __init__(self, folder: Path) -> None:
        from transformers import AutoModel

        super().__init__()
        self.encoder: Any = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="eager")
        width = self.encoder.config.hidden_size
        self.shape = nn.Embedding(SHAPES, width)
        nn.init.normal_(self.shape.weight, std=0.02)
        self.drop, self.scores = nn.Dropout(DROPOUT), nn.Linear(width, len(TAGS))

    def layers(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The states of every piece after each layer (sentences, pieces, width); the embeddings come first."""
        embedded = self.encoder.embeddings.word_embeddings(pieces) + self.shape(shapes)
        states: tuple[torch.Tensor, ...] = self.encoder(
            inputs_embeds=embedded, attention_mask=mask, output_hidden_states=True
        ).hidden_states
        return states

    def forward(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> torch.Tensor:
        """Score every piece."""
        scores: torch.Tensor = self.scores(self.drop(self.layers(pieces, mask, shapes)[-1]))
        return scores


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
        scores = model(pieces, mask, shapes)
    return nn.functional.cross_entropy(scores.float().flatten(0, 1), gold.flatten())


def predict(model: PersonTagger, sentences: Sequence[list[str]], tokenizer: Any) -> list[list[str]]:
    """The best tag of each word of each sentence."""
    model.eval()
    tags = [["O"] * len(words) for words in sentences]
    with torch.no_grad():
        for chosen, cuts in batches_by_length(sentences, tokenizer):
            best = model(*padded(cuts)).argmax(-1)
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
    head = [*model.shape.parameters(), *model.scores.parameters()]
    groups = [{"params": list(model.encoder.parameters()), "lr": ENCODER_RATE}, {"params": head, "lr": HEAD_RATE}]
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
        model.train()
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


def _start(model: PersonTagger, path: Path) -> None:
    """Set the weights to those of an exported tagger. The embeddings of word pieces stay as they are."""
    stored = torch.load(path, weights_only=True)
    weights = restored(stored, model.encoder.state_dict())
    model.encoder.load_state_dict(weights)
    scores = stored["tags.weight"].float() * stored["tags.weight.scale"][:, None]
    model.scores.load_state_dict({"weight": scores, "bias": stored["tags.bias"]})
    model.shape.load_state_dict({"weight": stored["shapes"]})
    model.encoder.embeddings.requires_grad_(False)


def train(place: Workplace, encoder: Path, start: Path | None) -> None:
    """Train on the output of prepare-ner over the encoder in ``encoder``; write ``persons.pt``.

    ``start``: an exported tagger to train further, on the press templates and a share of the sentences that it knows. The
    result is the mean of the weights before and after, which loses less on other press than the weights after.
    """
    torch.manual_seed(place.seed)
    draw = random.Random(place.seed)
    tokenizer = open_tokenizer(encoder / "tokenizer.json")
    model = PersonTagger(encoder)
    if start:
        _start(model, start)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    dev = place.ner("ewn_dev")
    sentences = _training_set(place, draw, SHARE_REPEATED if start else 1)
    for epoch in _epochs(model, sentences, tokenizer, draw, place.steps or EPOCHS):
        found = score(model, dev, tokenizer)
        print(f"epoch {epoch}: ewn_dev P {found.precision:.4f} R {found.recall:.4f} F1 {found.f1:.4f}", flush=True)
        torch.save(model.state_dict(), place.model("persons"))
    if start:
        after = model.state_dict()
        torch.save({name: (before[name] + after[name]) / 2 for name in after}, place.model("persons"))


def export(place: Workplace, encoder: Path, models: Path) -> None:
    """Write ``persons.pt`` with 8-bit weights into the package's models, and their hash to the manifest."""
    target = models / "persons" / "model.pt"
    tagger = torch.load(place.need("persons"), weights_only=True)
    weights = body({name.removeprefix("encoder."): tensor for name, tensor in tagger.items()}, MOST_PIECES)
    weights["shapes"] = tagger["shape.weight"]
    weights |= {f"tags.{kind}": tagger[f"scores.{kind}"] for kind in ("weight", "bias")}
    write(quantised(weights), target)
    record(models, [target], "persons", list(TRAINED_ON))
    print(f"persons: {target.stat().st_size / 1e6:.2f} MB")
