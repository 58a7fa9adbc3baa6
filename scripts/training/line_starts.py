"""Trains the finder of starts: where a sentence starts within a line although the text before it ends without a stop.

The first layers of the tagger of page text are trained further, with a layer over the states of a word and of the word before it.
It reads made lines, two in five of them a headline, a caption, a heading or a sentence without its full stop before a sentence of
an article, the others a sentence alone; and every fifth line was labelled by readers (data/labels/joined_lines.jsonl).
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from training.labelled_pages import PageArticle
from training.minilm_weights import quantised, write
from training.page_marker import Optimiser, PageNetwork, layers_of
from training.person_tagger import padded
from wdw_build.adapters.minilm import open_tokenizer
from wdw_build.adapters.sentence_models import Pieces, cut
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.records import RawArticle
from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.pages.first_look import lines_of
from wdw_build.text.pages.joined_lines import MOST_WORDS
from wdw_build.text.pages.tagged_lines import WORD
from wdw_build.text.sentences.boundaries import LOST_END, STARTERS, is_start

LAYERS, STEPS, BATCH, BATCHES_SORTED = 3, 6000, 32, 20
SEED, WARM_UP = 1, 100
# Of all lines, those that were labelled; half of these have a start. Of the others, pairs; and of pairs, those with a third text.
SHARE_LABELLED, SHARE_PAIRS, SHARE_THREE = 0.2, 0.4, 0.2
SHARE_FIRST = 0.4
FEWEST_WORDS, LONGEST_SENTENCE, FEWEST_SENTENCES, ARTICLES = 5, 44, 4, 4000
FEWEST_BEFORE, LONGEST_PIECE, SHORTEST_CUT, LONGEST_CUT = 3, 30, 3, 12
# How often a sentence is drawn again that begins with a word that often starts sentences: names are harder.
DRAWS = 3
_ENDED = re.compile(r"[.!?][\"”’']*$")

# The words of a line, and the numbers of those that start a sentence without a stop before it.
Line = tuple[list[str], set[int]]


class Material(NamedTuple):
    """What lines are made of: articles as their titles and sentences; captions, headings and page text."""

    articles: list[tuple[list[str], list[list[str]]]]
    captions: list[list[str]]
    headings: list[list[str]]
    others: list[list[str]]


def sentences_of(raw: RawArticle) -> Iterator[list[str]]:
    """The sentences of an article that end in a full stop, and in which none was lost before a word that starts sentences."""
    for line in lines_of(raw.paragraphs):
        text = raw.paragraphs[line.paragraph][line.start : line.end]
        words = WORD.findall(text)
        is_sentence = text[:1].isupper() and _ENDED.search(text) and any(map(str.islower, words))
        if is_sentence and FEWEST_WORDS <= len(words) <= LONGEST_SENTENCE and not LOST_END.search(text):
            yield words


def material(raws: Sequence[RawArticle], labelled: Sequence[PageArticle]) -> Material:
    """What lines are made of, from articles, and from the labelled segments of others."""
    articles = [(WORD.findall(raw.title), list(sentences_of(raw))) for raw in raws]
    pieces: dict[str, list[list[str]]] = {"C": [], "H": [], "P": []}
    for article in labelled:
        for segment in article.segments:
            words = WORD.findall(article.paragraphs[segment.paragraph][segment.start : segment.end])
            if segment.kind in pieces and len(words) <= LONGEST_PIECE:
                pieces[segment.kind].append(words)
    return Material([one for one in articles if len(one[1]) >= FEWEST_SENTENCES], *pieces.values())


def made(of: Material, draw: random.Random) -> Line:
    """A made line: a sentence, perhaps after one or two texts without a stop."""
    article = draw.choice(of.articles)
    _, sentences = article
    sentence = sentences[0] if draw.random() < SHARE_FIRST else draw.choice(sentences)
    before: list[str] = []
    starts: set[int] = set()
    if draw.random() < SHARE_PAIRS:
        for _ in range(DRAWS):
            if sentence[0].casefold() in STARTERS:
                sentence = draw.choice(sentences)
        for _ in range(1 + (draw.random() < SHARE_THREE)):
            piece = _without_stop(_piece(article, of, draw))
            if len(piece) >= FEWEST_BEFORE:
                before += piece
                starts.add(len(before))
    words = [*before, *sentence][:MOST_WORDS]
    return words, {start for start in starts if start < len(words) and is_start(words, start)}


def _piece(article: tuple[list[str], list[list[str]]], of: Material, draw: random.Random) -> list[str]:
    """A text that a page may put before a sentence of an article."""
    title, sentences = article
    other_title, others = draw.choice(of.articles)
    choices: tuple[tuple[float, Callable[[], list[str]]], ...] = (
        (0.18, lambda: title),
        (0.24, lambda: draw.choice(sentences)),
        (0.15, lambda: _cut_short(draw.choice(sentences), draw)),
        (0.10, lambda: draw.choice(others)),
        (0.05, lambda: other_title),
        (0.16, lambda: draw.choice(of.captions)),
        (0.07, lambda: draw.choice(of.headings)),
        (0.05, lambda: draw.choice(of.others)),
    )
    (chosen,) = draw.choices([make for _, make in choices], [share for share, _ in choices])
    return chosen()


def _cut_short(sentence: list[str], draw: random.Random) -> list[str]:
    """The first words of a sentence, as of a headline, which ends in no function word."""
    end = draw.randint(SHORTEST_CUT, LONGEST_CUT)
    while end < len(sentence) and (sentence[end - 1].casefold() in STOP_WORDS or not sentence[end - 1][0].isalpha()):
        end += 1
    return sentence[:end]


def _without_stop(words: Sequence[str]) -> list[str]:
    end = len(words)
    while end and not words[end - 1][0].isalnum() and words[end - 1] not in {")", "%"}:
        end -= 1
    return list(words[:end])


class StartNetwork(PageNetwork):
    """Scores of starts from the states of the first layers of the tagger of page text, trained further."""

    def __init__(self, start: Path) -> None:
        super().__init__(LAYERS, start)
        self.score = nn.Linear(2 * self.kinds.in_features, 1)

    def starts(self, cuts: Sequence[Pieces]) -> list[torch.Tensor]:
        """The log odds of a start at each word of each line."""
        states = self.drop(self.states(*padded(cuts)))
        both = (
            torch.cat([states[row, one.firsts], states[row, [0, *one.firsts][: len(one.firsts)]]], -1)
            for row, one in enumerate(cuts)
        )
        return [self.score(of_line)[:, 0] for of_line in both]


def _batches(
    of: Material, labelled: Sequence[Line], draw: random.Random, tokenizer: Any
) -> Iterator[list[tuple[Pieces, Line]]]:
    """Batches of lines of about the same length, without end."""
    joined, whole = ([line for line in labelled if bool(line[1]) is kind] for kind in (True, False))
    while True:
        lines = [
            draw.choice(joined if draw.random() < 0.5 else whole) if draw.random() < SHARE_LABELLED else made(of, draw)
            for _ in range(BATCH * BATCHES_SORTED)
        ]
        read = sorted(((cut(line[0], tokenizer), line) for line in lines), key=lambda one: len(one[0].pieces))
        batches = [read[at : at + BATCH] for at in range(0, len(read), BATCH)]
        draw.shuffle(batches)
        yield from batches


def _loss(model: StartNetwork, batch: Sequence[tuple[Pieces, Line]]) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        scores = model.starts([pieces for pieces, _ in batch])
    found, gold = list[torch.Tensor](), list[float]()
    for of_line, (_, (words, starts)) in zip(scores, batch, strict=True):
        tried = [number for number in range(len(of_line)) if is_start(words, number)]
        found.append(of_line[tried])
        gold += [float(number in starts) for number in tried]
    return nn.functional.binary_cross_entropy_with_logits(torch.cat(found).float(), torch.tensor(gold))


def train(of: Material, labelled: Sequence[Line], to: Path) -> None:
    """Train on made and labelled lines; write the weights. It takes about 20 minutes on two cores."""
    torch.manual_seed(SEED)
    draw = random.Random(SEED)
    tokenizer = open_tokenizer(BUNDLED / "encoder" / "tokenizer.json")
    model = StartNetwork(BUNDLED / "page_text" / "model.pt")
    optimiser = Optimiser(model, model.score, STEPS, WARM_UP)
    print(f"{len(of.articles)} articles, {len(labelled)} labelled lines", flush=True)
    began, total = time.monotonic(), 0.0
    for step, batch in zip(range(1, STEPS + 1), _batches(of, labelled, draw, tokenizer), strict=False):
        loss = _loss(model, batch)
        total += loss.item()
        optimiser.step(loss)
        if step % 100 == 0:
            print(f"{step} of {STEPS}: loss {total / 100:.4f}, {time.monotonic() - began:.0f} s", flush=True)
            total = 0.0
    export(model, to)


def export(model: StartNetwork, to: Path) -> None:
    """Write the layers with 8-bit weights; the embeddings are those of the second tagger."""
    weights = layers_of(model) | {f"starts.{kind}": getattr(model.score, kind) for kind in ("weight", "bias")}
    write(quantised(weights), to)
