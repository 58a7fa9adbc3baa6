"""boundaries: trains the second tagger to see where a sentence starts although the text before it ends without a stop.

A headline or a caption that a page joins to the text leaves such a place. Examples are made from pairs of sentences: the first
one loses its full stop, or its second half as well. The encoder of the trained tagger stays as it is; a small network reads
its states of a word and of the word before it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from training.layout import Workplace
from training.person_tagger import PersonTagger, batches_by_length, padded
from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import START_LAYERS
from wdw_build.text.sentences.boundaries import is_start

SETS = ("ewn_train", "wikigold")
EXAMPLES = 24_000
# Of the examples, pairs, and pairs whose first sentence is cut; the others are single sentences.
SHARE_PAIRS, SHARE_CUT = 0.40, 0.15
FEWEST_WORDS, MOST_WORDS = 5, 38
SHORTEST_CUT, LONGEST_CUT = 4, 12
HIDDEN, DROPOUT, EPOCHS, BATCH, RATE = 64, 0.2, 8, 512, 1e-3
# No headline ends with one of these words.
_NEVER_LAST = frozenset("the a an of in to and for with by at on from , is was that".split())

# The words of a text, and the number of the word that starts a sentence; None in a single sentence.
Example = tuple[list[str], int | None]


class StartsOfSentences(nn.Module):
    """Scores of words from the states (words, layers x width) of each word and of the word before it."""

    def __init__(self, width: int) -> None:
        super().__init__()
        size = 2 * len(START_LAYERS) * width
        self.mean, self.spread = (nn.Parameter(torch.zeros(size), requires_grad=False) for _ in range(2))
        self.net = nn.Sequential(nn.Linear(size, HIDDEN), nn.GELU(), nn.Dropout(DROPOUT), nn.Linear(HIDDEN, 1))

    def forward(self, states: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """The logits of the words."""
        read = (torch.cat([states, before], -1) - self.mean) / self.spread
        scores: torch.Tensor = self.net(read)[..., 0]
        return scores


def _is_usable(words: Sequence[str]) -> bool:
    return (
        FEWEST_WORDS <= len(words) <= MOST_WORDS
        and words[0][:1].isupper()
        and any(word[:1].islower() for word in words[1:])
    )


def _cut_short(words: list[str], draw: random.Random) -> list[str]:
    """The first words of a sentence, as of a headline: not up to a comma or a function word."""
    end = draw.randint(SHORTEST_CUT, min(LONGEST_CUT, len(words)))
    while end < len(words) and (words[end - 1].lower() in _NEVER_LAST or not words[end - 1][:1].isalpha()):
        end += 1
    return words[:end]


def examples(place: Workplace) -> list[Example]:
    """Texts of one or two sentences. The same seed gives the same examples."""
    draw = random.Random(place.seed)
    sentences = [[token["text"] for token in one] for name in SETS for one in place.ner(name)]
    made: list[Example] = []
    for first, second in itertools.pairwise(sentences):
        if len(made) == EXAMPLES:
            break
        if not (_is_usable(first) and _is_usable(second)) or first[-1] != ".":
            continue
        chance, before = draw.random(), first[:-1]
        if chance < SHARE_PAIRS + SHARE_CUT:
            before = before if chance < SHARE_PAIRS else _cut_short(before, draw)
            made.append((before + second, len(before)))
        else:
            made.append((first, None))
    return made


def _states(model: PersonTagger, texts: Sequence[list[str]], tokenizer: Any) -> list[Any]:
    """The states of the words of each text, as an array (words, layers x width)."""
    states: list[Any] = [None] * len(texts)
    with torch.no_grad():
        for chosen, cuts in batches_by_length(texts, tokenizer):
            with torch.autocast("cpu", torch.bfloat16):
                layers = model.layers(*padded(cuts))
            joined = torch.cat([layers[layer] for layer in START_LAYERS], -1).float().numpy()
            for row, number in enumerate(chosen):
                states[number] = joined[row, cuts[row].firsts].astype(np.float16)
    return states


def _cases(model: PersonTagger, made: Sequence[Example], tokenizer: Any) -> tuple[Any, ...]:
    """States of the candidates, states of the words before them, and whether a sentence starts there."""
    here, before, starts = [], [], []
    for (words, start), states in zip(made, _states(model, [words for words, _ in made], tokenizer), strict=True):
        for number in range(1, len(states)):
            if is_start(words, number):
                here.append(states[number])
                before.append(states[number - 1])
                starts.append(number == start)
    as_arrays = (np.array(rows, dtype=np.float32) for rows in (here, before, starts))
    return tuple(torch.from_numpy(rows) for rows in as_arrays)


def train(place: Workplace, encoder: Path) -> None:
    """Train on pairs of sentences over ``persons.pt``; write ``boundaries.pt``. A tenth of the examples is held out."""
    torch.manual_seed(place.seed)
    model = PersonTagger(encoder).eval()
    model.load_state_dict(torch.load(place.need("persons"), weights_only=True))
    made = examples(place)
    here, before, starts = _cases(model, made, open_tokenizer(encoder / "tokenizer.json"))
    size = len(starts) * 9 // 10
    head = StartsOfSentences(here.shape[1] // len(START_LAYERS))
    joined = torch.cat([here[:size], before[:size]], -1)
    head.mean.data, head.spread.data = joined.mean(0), joined.std(0) + 1e-4
    optimiser = torch.optim.AdamW(head.net.parameters(), lr=RATE, weight_decay=0.01)
    for epoch in range(EPOCHS):
        head.train()
        order = torch.randperm(size)
        for rows in (order[at : at + BATCH] for at in range(0, size, BATCH)):
            loss = nn.functional.binary_cross_entropy_with_logits(head(here[rows], before[rows]), starts[rows])
            loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
            optimiser.step()
            optimiser.zero_grad()
        head.eval()
        with torch.no_grad():
            found, gold = torch.sigmoid(head(here[size:], before[size:])) >= 0.9, starts[size:] > 0
        right = int((found & gold).sum())
        print(
            f"epoch {epoch}: held out, at .9: P {right / max(1, int(found.sum())):.3f} R {right / int(gold.sum()):.3f}"
        )
    torch.save(head.state_dict(), place.model("boundaries"))
