"""Fits the first look at lines (``wdw_build.text.pages.first_look``), a logistic regression over hashed features.

A line counts as page text if a label says so, or if it holds words that do not belong to the story. In articles without labels, it
does if the tagger, which the first look serves, takes four words in a row for page text.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import torch

from training.labelled_pages import PageArticle
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.text.pages.doubt import Doubt, doubts_of_lines
from wdw_build.text.pages.first_look import LINE_WEIGHTS, SCALE, Line, features, lines_of
from wdw_build.text.pages.tagged_lines import Reading

STEPS, RATE, L2 = 120, 0.02, 2e-5
# The probability from which on a line that the tagger read counts as page text, and the weight of such lines.
DOUBTFUL, SHARE = 0.35, 0.3


class Taught(NamedTuple):
    """The lines of a text, and whether each has page text in it, by the labels or the tagger."""

    paragraphs: Sequence[str]
    lines: Sequence[Line]
    gold: Sequence[bool]
    weight: float


def by_labels(articles: Iterable[PageArticle]) -> list[Taught]:
    """The lines of labelled articles."""
    read = ((article, list(lines_of(article.paragraphs))) for article in articles)
    return [
        Taught(article.paragraphs, lines, [_is_page_text(article, line) for line in lines], 1.0)
        for article, lines in read
    ]


def by_tagger(texts: Iterable[Sequence[str]], tagger: PageTagger) -> list[Taught]:
    """The lines of texts without labels, given as paragraphs."""
    taught = []
    for paragraphs in texts:
        reading = Reading(paragraphs, title="", gate=-math.inf)
        found = doubts_of_lines(reading, tagger.probabilities(reading.texts))
        gold = [found.get(number, Doubt()).probability >= DOUBTFUL for number in range(len(reading.lines))]
        taught.append(Taught(paragraphs, reading.lines, gold, SHARE))
    return taught


def _is_page_text(article: PageArticle, line: Line) -> bool:
    for segment in article.segments:
        if segment.paragraph != line.paragraph or segment.start >= line.end or segment.end <= line.start:
            continue
        if segment.kind == "M":
            places = ((segment.start + start, segment.start + end) for start, end in segment.spans)
            if any(start < line.end and end > line.start for start, end in places):
                return True
        elif segment.kind != "S":
            return True
    return False


def fit_lines(texts: Sequence[Taught], to: Path) -> None:
    """Write the weights."""
    rows = [keys for text in texts for keys in features(text.paragraphs, text.lines)]
    wanted = torch.tensor([float(is_page_text) for text in texts for is_page_text in text.gold])
    shares = torch.tensor([text.weight for text in texts for _ in text.lines])
    starts = torch.tensor([0, *map(len, rows)][:-1]).cumsum(0)
    keys = torch.tensor([key for row in rows for key in row])
    weights, constant = torch.nn.EmbeddingBag(LINE_WEIGHTS, 1, mode="sum"), torch.zeros(1, requires_grad=True)
    torch.nn.init.zeros_(weights.weight)
    optimiser = torch.optim.Adam([weights.weight, constant], lr=RATE)
    for _ in range(STEPS):
        optimiser.zero_grad()
        odds = weights(keys, starts)[:, 0] + constant
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, wanted, weight=shares)
        (loss + L2 * weights.weight.square().sum()).backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        optimiser.step()
    whole = torch.cat([weights.weight[:, 0], constant]).detach() * SCALE
    to.write_bytes(array("h", whole.round().clamp(-32768, 32767).short().tolist()).tobytes())
