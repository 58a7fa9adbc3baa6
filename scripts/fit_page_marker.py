#!/usr/bin/env python3
"""Trains a marker of page text, and measures it on the sources that it was not trained on. No stage uses the marker yet.

    python scripts/fit_page_marker.py MODEL --corpus CORPUS=FILE [--corpus …] [--train] [--sources]

With ``--train``, MODEL is written first, in 25 minutes of two cores.

A FILE has the articles of a corpus of data/labels/page_segments.jsonl, as JSON lines with id, title, text and source. A whole
segment counts as found if the mean score of its words exceeds the threshold. A mixed one counts if the scores of most words that
do not belong to it do, and those of few others.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from training.page_marker import PageArticle, Segment, held_out, read_labelled, train
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.text.sentences.page_marks import PARAGRAPH, SIZE, WORD

THRESHOLDS = (0.3, 0.5, 0.7)
# The share of the words of page text in a mixed segment that has to be found, and that of its other words that has to stay.
MOST = 0.6
# Words that are read before and after those whose scores count.
_OVERLAP = 20

Scores = list[tuple[Segment, list[tuple[int, float]]]]  # of each segment, the places of its words and their scores


def scores_of(article: PageArticle, tagger: PageTagger) -> Scores:
    """The segments of an article, with a score for each word."""
    words, places = list[str](), list[tuple[int, int]]()
    for number, segment in enumerate(article.segments):
        if not number or segment.paragraph != article.segments[number - 1].paragraph:
            words.append(PARAGRAPH)
            places.append((-1, 0))
        for match in WORD.finditer(article.paragraphs[segment.paragraph][segment.start : segment.end]):
            words.append(match[0])
            places.append((number, match.start()))
    step = SIZE - 2 * _OVERLAP
    starts = range(0, max(1, len(words) - 2 * _OVERLAP), step)
    read = tagger.probabilities([words[start : start + SIZE] for start in starts])
    found: Scores = [(segment, []) for segment in article.segments]
    for number, (place, offset) in enumerate(places):
        window = min(max(0, number - _OVERLAP) // step, len(read) - 1)
        if place >= 0:
            found[place][1].append((offset, 1 - read[window][number - window * step][0]))
    return found


def tally(found: Scores, threshold: float) -> Counter[str]:
    """How many segments there are of each kind (whole, mixed, story), and how many of them count as page text."""
    counts = Counter[str]()
    for segment, words in found:
        if not words:
            continue
        kind = {"M": "mixed", "S": "story"}.get(segment.kind, "whole")
        if kind == "mixed":
            foreign = [score > threshold for at, score in words if any(low <= at < high for low, high in segment.spans)]
            own = [score > threshold for at, score in words if not any(low <= at < high for low, high in segment.spans)]
            is_found = sum(foreign) > MOST * len(foreign) and sum(own) < (1 - MOST) * max(1, len(own))
        else:
            is_found = sum(score for _, score in words) / len(words) > threshold
        counts[kind] += 1
        counts[f"{kind} found"] += is_found
    return counts


def _print(name: str, found: Sequence[Scores]) -> None:
    for threshold in THRESHOLDS:
        total = sum((tally(one, threshold) for one in found), Counter[str]())
        cells = (f"{kind} {total[f'{kind} found']:4} of {total[kind]:5}" for kind in ("whole", "mixed", "story"))
        print(f"{name:32} {threshold}  {'  '.join(cells)}")


def main() -> None:
    """Print a line for each threshold; with --sources, lines for each source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--corpus", action="append", required=True, metavar="CORPUS=FILE")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--sources", action="store_true")
    options = parser.parse_args()
    files = {name: Path(file) for name, _, file in (one.partition("=") for one in options.corpus)}
    articles = read_labelled(files)
    if options.train:
        train(articles, options.model)
    kept, tagger = held_out((one.corpus, one.source) for one in articles), PageTagger(options.model)
    by_source: dict[str, list[Scores]] = {}
    for article in tqdm([one for one in articles if (one.corpus, one.source) in kept], leave=False):
        by_source.setdefault(f"{article.corpus} {article.source}", []).append(scores_of(article, tagger))
    for source, found in sorted(by_source.items()) if options.sources else ():
        _print(source, found)
    _print("all", [one for found in by_source.values() for one in found])


if __name__ == "__main__":
    main()
