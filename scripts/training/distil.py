"""distil-encoder: trains an encoder of three layers to give the vectors of one of six layers.

The student starts with some of its teacher's layers and keeps the teacher's embeddings of word pieces. It is trained in
bfloat16, on text without labels.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel

from training.bundle import record
from training.layout import Workplace, read_text
from training.minilm_weights import Trainable, body, quantised, write
from wdw_build.adapters.devices import by_length
from wdw_build.adapters.minilm import open_tokenizer, padded
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.adapters.sentence_models import PIECES
from wdw_build.text.passages.same_event import LEAD_SENTENCES

TRAINED_ON = (
    "all-MiniLM-L6-v2 by sentence-transformers",
    "texts of lk2024, of English worldwide newswire (Stanford NLP), WikiGold, EWT and GUM",
)
KEPT = (0, 2, 5)
STEPS, RATE, WARM_UP, BATCH_PIECES, POOL = 3000, 2.5e-4, 100, 1024, 4096
# Letters read of an article, sentences drawn from it, and the fewest and most letters of one.
LETTERS, DRAWN, SHORTEST, LONGEST = 6000, 3, 25, 500
# Weights in the loss.
OF_VECTORS, OF_SIMILARITIES = 10.0, 100.0


def _train(student: Trainable, lengths: Sequence[int], loss: Callable[[list[int]], Tensor], place: Workplace) -> None:
    """Train on batches of texts of similar length, by their numbers."""
    steps = place.steps or STEPS
    optimiser = torch.optim.AdamW(student.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / WARM_UP) * (1 - step / steps)
    )
    for step, batch in enumerate(itertools.islice(_batches(lengths, random.Random(place.seed)), steps)):
        # The other kernel for attention is slow in training.
        with torch.autocast("cpu", torch.bfloat16), sdpa_kernel(SDPBackend.MATH):
            value = loss(batch)
        value.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        nn.utils.clip_grad_norm_(student.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        if step % 100 == 0:
            print(f"{step} {value.item():.4f}", flush=True)


def _batches(lengths: Sequence[int], draw: random.Random) -> Iterator[list[int]]:
    order = list(range(len(lengths)))
    while True:
        draw.shuffle(order)
        for pool in (order[at : at + POOL] for at in range(0, len(order), POOL)):
            batches = by_length([lengths[number] for number in pool], BATCH_PIECES)
            draw.shuffle(batches)
            yield from ([pool[place] for place in batch] for batch in batches)


def _texts(place: Workplace, corpus: Path) -> list[str]:
    """The leads of articles, and single sentences of the corpora."""
    draw, split, texts = random.Random(place.seed), PunktSplitter().sentences, list[str]()
    for article in map(json.loads, filter(None, read_text(corpus).split("\n"))):
        sentences = split(article["text"][:LETTERS])
        usable = [sentence for sentence in sentences if SHORTEST <= len(sentence) <= LONGEST]
        texts += [
            " ".join([article["title"], *sentences[:LEAD_SENTENCES]]),
            *draw.sample(usable, min(DRAWN, len(usable))),
        ]
    for name in ("ewn_train", "wikigold"):
        joined = (" ".join(token["text"] for token in sentence) for sentence in place.ner(name))
        texts += (re.sub(r" (?=[.,;:?!)]|'s|n't)", "", sentence) for sentence in joined)
    for paragraph in place.text("ud/ewt_train.tok.txt", "ud/gum_train.tok.txt").split("\n\n"):
        texts += (sentence for sentence in split(" ".join(paragraph.split())) if len(sentence) >= SHORTEST)
    return list(dict.fromkeys(texts))


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    return functional.normalize((states.float() * mask[..., None]).sum(1), dim=1)


def encoder(place: Workplace, folder: Path, models: Path, corpus: Path) -> None:
    """Write a student of the encoder in ``folder``, which transformers loads, and its tokenizer into the package's models."""
    from transformers import AutoModel

    files = [models / "encoder" / name for name in ("model.pt", "tokenizer.json")]
    write(quantised(body(AutoModel.from_pretrained(folder).state_dict(), PIECES)), place.model("encoder"))
    shutil.copyfile(folder / "tokenizer.json", files[1])
    tokenizer = open_tokenizer(files[1])
    tokenizer.enable_truncation(PIECES)
    read = [encoding.ids for encoding in tokenizer.encode_batch(_texts(place, corpus))]
    teacher, student = Trainable(place.model("encoder")), Trainable(place.model("encoder"), KEPT)

    def loss(batch: list[int]) -> Tensor:
        pieces, mask = padded([read[number] for number in batch])
        mask = torch.ones_like(pieces, dtype=torch.bool) if mask is None else mask
        with torch.no_grad():
            wanted = teacher.states(pieces, mask)[-1]
        states = student.states(pieces, mask)[-1]
        goal, vectors = _mean(wanted, mask), _mean(states, mask)
        similarities = (goal @ goal.T - vectors @ vectors.T).square().mean()
        of_pieces = (wanted.float() - states.float()).square().mean(-1)[mask].mean()
        return OF_VECTORS * (1 - (goal * vectors).sum(1)).mean() + OF_SIMILARITIES * similarities + of_pieces

    _train(student, list(map(len, read)), loss, place)
    write(quantised(student.weights), files[0])
    record(models, files, "encoder", list(TRAINED_ON))
