"""Trains the marker of page text, the first layers of the second tagger with a layer for kinds of page text.

Windows of about 160 words with marks of paragraphs are read, of labelled articles (data/labels/page_segments.jsonl) and of made
ones: articles without page text into which titles of other articles and page text of the labelled ones are put, as
paragraphs and between sentences, with and without a stop. A source is either trained on or kept for the test.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from training.labelled_pages import PageArticle, Segment
from training.minilm_weights import body, quantised, restored, write
from training.person_tagger import padded
from wdw_build.adapters.minilm import LAYERS, open_tokenizer
from wdw_build.adapters.sentence_models import MOST_PIECES, cut
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.text.pages.doubt import GATE_OF_DOUBT
from wdw_build.text.pages.first_look import judged, lines_of
from wdw_build.text.pages.tagged_lines import (
    GATE,
    KINDS,
    PARAGRAPH,
    SIZE,
    WORD,
    marks_of_lines,
    parts,
    words_to_read,
)

# The number of the class of words in page text whose kind is not labelled.
_SOME_KIND = len(KINDS)
STEP = 120
# A batch has so many windows of labelled articles and so many made ones.
SEED, STEPS, REAL, MADE, RATE, HEAD_RATE, WARM_UP, DROPOUT = 1, 5000, 5, 3, 1e-4, 1e-3, 60, 0.1
_LABELS_BEFORE = ("READ ALSO: ", "Also Read: ", "Related: ", "READ MORE: ", "See also ", "WATCH: ", "More: ")

Labelled = list[tuple[str, int]]  # words and the numbers of their classes


# The class of the marks of lines, of which nothing is learned; and that of a paragraph with it.
MARK = -100
_PARAGRAPH = (PARAGRAPH, MARK)
_NUMBERS = {"S": 0, "P": 1, "C": 2, "B": 3, "H": 4}


def words_of(article: PageArticle) -> Labelled:
    """The words of an article with their classes, and marks before its lines as the tagger reads them; -100 for a mark."""
    return [word for _, words in _by_segment(article) for word in words]


def _by_segment(article: PageArticle) -> Iterator[tuple[Segment, Labelled]]:
    """The segments of an article with their words, and the marks of lines that begin in them."""
    lines = list(lines_of(article.paragraphs))
    marked = list(zip(lines, marks_of_lines(article.paragraphs, lines, article.title), strict=True))[::-1]
    for segment in article.segments:
        words: Labelled = []
        for word in WORD.finditer(article.paragraphs[segment.paragraph], segment.start, segment.end):
            while marked and (marked[-1][0].paragraph, marked[-1][0].start) <= (segment.paragraph, word.start()):
                words += [(mark, MARK) for mark in marked.pop()[1]]
            words.append((word[0], _kind(segment, word.start() - segment.start)))
        yield segment, words


def _kind(segment: Segment, at: int) -> int:
    """The class of the word at an offset in a segment."""
    if segment.kind != "M":
        return _NUMBERS[segment.kind]
    return _SOME_KIND if any(start <= at < end for start, end in segment.spans) else 0


def read_words(article: PageArticle, gate: float) -> Iterator[Labelled]:
    """The words of the parts of an article that the tagger reads, as ``words_of``."""
    lines = judged(article.paragraphs)
    is_read = [line.odds > gate for line in lines]
    known = {
        (segment.paragraph, word.start()): _kind(segment, word.start() - segment.start)
        for segment in article.segments
        for word in WORD.finditer(article.paragraphs[segment.paragraph], segment.start, segment.end)
    }
    marks = marks_of_lines(article.paragraphs, lines, article.title)
    for part in parts(is_read):
        words = words_to_read(article.paragraphs, lines, marks, part, is_read)
        yield [
            (word.text, MARK if word.line < 0 else known.get((lines[word.line].paragraph, word.start), MARK))
            for word in words
        ]


def windows(words: Labelled) -> Iterator[Labelled]:
    """Windows of the words of an article."""
    for at in range(0, max(1, len(words) - SIZE + STEP), STEP):
        yield words[at : at + SIZE]


class Material(NamedTuple):
    """What articles are made of: paragraphs of stories, titles, and page text with its class."""

    stories: list[list[Labelled]]
    titles: list[str]
    others: list[Labelled]


def material(articles: Sequence[PageArticle]) -> Material:
    """Paragraphs of articles without page text, all titles, and page text of the others."""
    stories, others = [], []
    for article in articles:
        clean = [part for part in _paragraphs(words_of(article)) if all(kind in {0, MARK} for _, kind in part)]
        stories.append(clean)
        for segment, words in _by_segment(article):
            if segment.kind == "M":
                text = article.paragraphs[segment.paragraph][segment.start : segment.end]
                others += [[(word, _SOME_KIND) for word in WORD.findall(text[slice(*span)])] for span in segment.spans]
            elif segment.kind != "S":
                others.append([word for word in words if word[0] != PARAGRAPH])
    return Material([one for one in stories if len(one) > 3], [one.title for one in articles if one.title], others)


def _paragraphs(words: Labelled) -> Iterator[Labelled]:
    part: Labelled = []
    for word in [*words, _PARAGRAPH]:
        if word == _PARAGRAPH:
            if part:
                yield part
            part = []
        else:
            part.append(word)


def made(of: Material, draw: random.Random) -> Labelled:
    """A made window: paragraphs of one story with page text between and within them."""
    story = draw.choice(of.stories)
    at = draw.randrange(len(story))
    words: Labelled = []
    for paragraph in story[at : at + 8]:
        words.append(_PARAGRAPH)
        chance = draw.random()
        if chance < 0.25:
            extra = _inserted(of, draw)
            where = draw.random()
            if where < 0.35:
                words += [*extra, _PARAGRAPH, *paragraph]
            elif where < 0.6:
                words += [*extra, *itertools.dropwhile(lambda word: word[1] == MARK, paragraph)]
            elif where < 0.8:
                words += _with_links(paragraph, of, draw)
            else:
                ends = [number + 1 for number, (word, _) in enumerate(paragraph) if word in ".!?”"]
                end = draw.choice(ends or [len(paragraph)])
                words += [*paragraph[:end], *extra, *paragraph[end:]]
        else:
            words += paragraph
    return words[:SIZE]


def _with_links(paragraph: Labelled, of: Material, draw: random.Random) -> Labelled:
    """A paragraph with titles of other articles in a sentence, often glued to a name that is repeated before them."""
    texts = [word for word, _ in paragraph]
    names = [
        (start, start + size)
        for start in range(len(texts))
        for size in (2, 3)
        if start + size <= len(texts) and all(word[0].isupper() for word in texts[start : start + size])
    ]
    if names and draw.random() < 0.8:
        start, end = draw.choice(names)
        name = texts[start:end]
    else:
        end = draw.randrange(1, len(texts) + 1)
        name = []
    titles = " ".join(draw.sample(of.titles, draw.randint(1, 3)))
    glued = "" if draw.random() < 0.7 else " "
    more = draw.choice((" MORE", " Read more", "", ""))
    extra = WORD.findall(f"{' '.join(name)}{glued}{titles}{more}")
    return [*paragraph[:end], *((word, _SOME_KIND) for word in extra), *paragraph[end:]]


def _inserted(of: Material, draw: random.Random) -> Labelled:
    """Page text: of a labelled article, or the title of another one, perhaps after a label or with a stop."""
    if draw.random() < 0.6:
        return draw.choice(of.others)
    title = draw.choice(of.titles)
    label = draw.choice(_LABELS_BEFORE) if draw.random() < 0.3 else ""
    stop = "." if draw.random() < 0.2 and title[-1].isalnum() else ""
    return [(word, _SOME_KIND) for word in WORD.findall(f"{label}{title}{stop}")]


class PageNetwork(nn.Module):
    """Scores of the kinds (windows, pieces, kinds) from piece numbers, mask and shape numbers (windows, pieces)."""

    def __init__(self, layers: int, start: Path | None) -> None:
        from transformers import BertConfig, BertModel

        super().__init__()
        stored = torch.load(BUNDLED / "persons" / "model.pt", weights_only=True)
        if start:
            stored |= torch.load(start, weights_only=True)
        config = BertConfig(hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536)
        self.encoder: Any = BertModel(config, add_pooling_layer=False)
        self.encoder.load_state_dict(restored(stored, self.encoder.state_dict()))
        self.encoder.encoder.layer = self.encoder.encoder.layer[:layers]
        self.encoder.embeddings.requires_grad_(False)
        self.shape = nn.Embedding.from_pretrained(stored["shapes"].float(), freeze=True)  # type: ignore[no-untyped-call]  # torch has no types for it
        self.drop, self.kinds = nn.Dropout(DROPOUT), nn.Linear(384, len(KINDS))
        if start:
            weight = stored["kinds.weight"].float() * stored["kinds.weight.scale"][:, None]
            self.kinds.load_state_dict({"weight": weight, "bias": stored["kinds.bias"]})

    def forward(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> torch.Tensor:
        """Score every piece."""
        scores: torch.Tensor = self.kinds(self.drop(self.states(pieces, mask, shapes)))
        return scores

    def states(self, pieces: torch.Tensor, mask: torch.Tensor, shapes: torch.Tensor) -> torch.Tensor:
        """The last states of every piece."""
        embedded = self.encoder.embeddings.word_embeddings(pieces) + self.shape(shapes)
        states: torch.Tensor = self.encoder(inputs_embeds=embedded, attention_mask=mask).last_hidden_state
        return states


class Optimiser:
    """Steps of AdamW for the layers of a network and a new layer, whose rate is higher: a warm-up, then ever smaller ones."""

    def __init__(self, network: PageNetwork, head: nn.Module, steps: int, warm_up: int) -> None:
        self._weights = [weight for weight in network.encoder.parameters() if weight.requires_grad]
        self._optimiser = torch.optim.AdamW(
            [{"params": self._weights, "lr": RATE}, {"params": list(head.parameters()), "lr": HEAD_RATE}],
            weight_decay=0.01,
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimiser, lambda step: min(1.0, (step + 1) / warm_up) * (1 - step / steps)
        )

    def step(self, loss: torch.Tensor) -> None:
        """Change the weights against a loss."""
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        nn.utils.clip_grad_norm_(self._weights, 1.0)
        self._optimiser.step()
        self._schedule.step()
        self._optimiser.zero_grad()


def _loss(model: PageNetwork, batch: Sequence[Labelled], tokenizer: Any) -> torch.Tensor:
    cuts = [cut([word for word, _ in one], tokenizer) for one in batch]
    # Half the bits: twice as quick on processors that can do it.
    with torch.autocast("cpu", torch.bfloat16):
        scores = model(*padded(cuts))
    scores = scores.float().log_softmax(-1)
    found, gold = list[torch.Tensor](), list[int]()
    for row, (one, words) in enumerate(zip(cuts, batch, strict=True)):
        found.append(scores[row][one.firsts])
        gold += [kind for _, kind in words[: len(one.firsts)]]
    rows, kinds = torch.cat(found), torch.tensor(gold)
    # The score of page text of some kind is that of all kinds together.
    rows = torch.cat([rows, rows[:, 1:].logsumexp(-1, keepdim=True)], -1)
    return nn.functional.nll_loss(rows, kinds)


def train(articles: Sequence[PageArticle], to: Path, start: Path | None = None) -> None:
    """Train on the articles that are not for the test; write the weights.

    ``start``: weights of an earlier training, which is continued.
    """
    torch.manual_seed(SEED)
    draw = random.Random(SEED)
    tokenizer = open_tokenizer(BUNDLED / "encoder" / "tokenizer.json")
    own = [one for one in articles if not one.is_test]
    real = [window for one in own for window in _windows_of(one)]
    of, model = material(own), PageNetwork(LAYERS, start)
    optimiser = Optimiser(model, model.kinds, STEPS, WARM_UP)
    began = time.monotonic()
    print(
        f"{len(own)} articles, {len(real)} windows, {len(of.others)} others, {len(of.titles)} titles",
        flush=True,
    )
    for step in range(STEPS):
        batch = [*draw.sample(real, REAL), *(made(of, draw) for _ in range(MADE))]
        loss = _loss(model, batch, tokenizer)
        optimiser.step(loss)
        if step % 50 == 0:
            print(f"{step} of {STEPS}: loss {loss.item():.4f}, {time.monotonic() - began:.0f} s", flush=True)
    export(model, to)


def _windows_of(article: PageArticle) -> list[Labelled]:
    """The windows of an article: of the whole, and of what is read of it. Those of a rest count twice."""
    parts = [words_of(article), *read_words(article, GATE), *read_words(article, GATE_OF_DOUBT)]
    found = [window for words in parts for window in windows(words)]
    return [window for window in found if any(kind != MARK for _, kind in window)] * (2 if article.is_rest else 1)


def export(model: PageNetwork, to: Path) -> None:
    """Write the layers with 8-bit weights; the embeddings are those of the second tagger."""
    weights = layers_of(model) | {f"kinds.{kind}": getattr(model.kinds, kind) for kind in ("weight", "bias")}
    write(quantised(weights), to)


def layers_of(model: PageNetwork) -> dict[str, torch.Tensor]:
    """The weights of the layers by their names in the package."""
    state = {name.removeprefix("encoder."): tensor for name, tensor in model.state_dict().items()}
    return {
        name: tensor
        for name, tensor in body(state, MOST_PIECES, len(model.encoder.encoder.layer)).items()
        if name[0].isdigit()
    }
