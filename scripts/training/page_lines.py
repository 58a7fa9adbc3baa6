"""Fits the first look at lines (``wdw_build.text.sentences.page_marks``), a logistic regression over hashed features.

A line counts as page text if a label says so, or if it holds words that do not belong to the story.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import torch

from training.page_marker import PageArticle
from wdw_build.text.sentences.page_marks import LINE_WEIGHTS, SCALE, Line, features, lines_of

STEPS, RATE, L2 = 120, 0.02, 2e-5


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


def fit_lines(articles: Sequence[PageArticle], to: Path) -> None:
    """Write the weights."""
    rows, gold = list[list[int]](), list[float]()
    for article in articles:
        lines = list(lines_of(article.paragraphs))
        rows += features(article.paragraphs, lines)
        gold += [float(_is_page_text(article, line)) for line in lines]
    starts = torch.tensor([0, *map(len, rows)][:-1]).cumsum(0)
    keys, wanted = torch.tensor([key for row in rows for key in row]), torch.tensor(gold)
    weights, constant = torch.nn.EmbeddingBag(LINE_WEIGHTS, 1, mode="sum"), torch.zeros(1, requires_grad=True)
    torch.nn.init.zeros_(weights.weight)
    optimiser = torch.optim.Adam([weights.weight, constant], lr=RATE)
    for _ in range(STEPS):
        optimiser.zero_grad()
        odds = weights(keys, starts)[:, 0] + constant
        loss = torch.nn.functional.binary_cross_entropy_with_logits(odds, wanted)
        (loss + L2 * weights.weight.square().sum()).backward()  # type: ignore[no-untyped-call]  # torch has no types for it
        optimiser.step()
    whole = torch.cat([weights.weight[:, 0], constant]).detach() * SCALE
    to.write_bytes(array("h", whole.round().clamp(-32768, 32767).short().tolist()).tobytes())
