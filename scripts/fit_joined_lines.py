#!/usr/bin/env python3
"""Fits the model of headlines and captions that run into a sentence, and measures it on sources that it was not fitted to.

    python scripts/fit_joined_lines.py --corpus CORPUS=FILE [--corpus …] [--fit] [--errors]

A FILE has the articles of a corpus of data/labels/joined_lines.jsonl, as JSON lines with id, title, text and source. All of them
teach what recurs and how often the openings of a source run on. The labelled articles are cleaned as ``ingest`` does it. A line
of another text than the readers saw, or of a source whose openings are not read, is left out.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from fit_page_marker import boilerplate_of, cleaned_page
from quality import event_fits
from training.page_marker import corpus_files, raw_articles
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.text.sentences import joined_lines
from wdw_build.text.sentences.joined_lines import Features, JoinedLine, judge
from wdw_build.text.sentences.page_marks import lines_of

LABELS = Path(__file__).parents[1] / "data" / "labels" / "joined_lines.jsonl"
WEIGHTS = Path(joined_lines.__file__).with_suffix(".toml")
PENALTY = 1.0


class Label(msgspec.Struct):
    """Where a reader saw the story go on in a line of an article: ``story`` is an offset in the line, 0 if nothing is before it."""

    corpus: str
    id: str
    source: str
    paragraph: int
    start: int
    length: int
    story: int
    test: bool = False


class Labelled(NamedTuple):
    """A labelled line: its text, and the offsets in it at which the story may go on."""

    label: Label
    text: str
    candidates: list[tuple[int, Features]]

    @property
    def cut(self) -> int:
        """Where the model in the package lets the story go on."""
        score, start = max(((judge(features), start) for start, features in self.candidates), default=(0.0, 0))
        return start if score >= joined_lines.LEAST else 0


def read(labels: Iterable[Label], file: Path, tagger: PageTagger) -> Iterator[Labelled]:
    """The labelled lines of a corpus."""
    raws = {raw.id: raw for raw in raw_articles(file)}
    boilerplate = boilerplate_of(raws.values())
    for (article, source), of_article in itertools.groupby(labels, key=lambda label: (label.id, label.source)):
        cleaned = cleaned_page(raws[article], boilerplate, tagger)
        # After a dateline the story begins, and nothing runs on.
        paragraphs = () if cleaned.dateline else cleaned.paragraphs
        lines = {(line.paragraph, line.start): line for line in lines_of(paragraphs)}
        share = boilerplate.joined_share(source)
        for label in of_article:
            line = lines.get((label.paragraph, label.start))
            if share and line and line.end - line.start == label.length:
                text = paragraphs[line.paragraph]
                joined = JoinedLine(text, line, share)
                (starts,), (kinds,) = tagger.starts([joined.words]), tagger.probabilities([joined.text])
                found = joined.candidates(starts, kinds)
                candidates = [(start - line.start, features) for start, features in found]
                yield Labelled(label, text[line.start : line.end], candidates)


def fit(lines: Iterable[Labelled]) -> dict[str, float]:
    """The weights of the features, from all places at which the story may go on."""
    rows = [(features, start == one.label.story) for one in lines for start, features in one.candidates]
    names = list(rows[0][0])
    x = np.array([[features[name] for name in names] for features, _ in rows])
    y = np.array([float(right) for _, right in rows])
    fitted = event_fits.fit(x, y, np.ones(len(rows)), PENALTY)
    return {name: round(weight, 3) for name, weight in zip(("intercept", *names), fitted.tolist(), strict=True)}


def tally(one: Labelled) -> str:
    """What the model makes of a line."""
    if not one.label.story:
        return "whole, cut" if one.cut else "whole"
    if one.cut == one.label.story:
        return "joined, cut"
    return "joined, cut elsewhere" if one.cut else "joined"


def report(lines: Iterable[Labelled], errors: bool) -> None:
    """Print how many lines of each source are cut rightly, of openings and inside stories."""
    counts = defaultdict[tuple[bool, bool, str, str], Counter[str]](Counter)
    for one in lines:
        label = one.label
        is_inside = bool(label.paragraph or label.start)
        for source in (label.source, ""):
            counts[label.test, is_inside, label.corpus if source else "all", source][tally(one)] += 1
        if errors and label.test and one.cut not in (0, label.story):
            print(f"{label.corpus} {label.id}: {one.text[: one.cut]!r} | {one.text[one.cut : one.cut + 60]!r}")
    for (test, is_inside, corpus, source), of_source in sorted(counts.items()):
        place = f"{'test' if test else 'fit':5}{'inside' if is_inside else 'opening':9}"
        print(f"{place}{corpus:12}{source:32}{_line(of_source)}")


def _line(counts: Mapping[str, int]) -> str:
    joined = sum(count for what, count in counts.items() if what.startswith("joined"))
    whole = sum(counts.values()) - joined
    right, elsewhere, wrong = (counts.get(what, 0) for what in ("joined, cut", "joined, cut elsewhere", "whole, cut"))
    return (
        f"cut rightly {right:3} of {joined:3}, elsewhere {elsewhere:2}; cut {wrong:2} of {whole:3} that do not run on"
    )


def main() -> None:
    """Fit, if asked, and print the measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", required=True, metavar="CORPUS=FILE")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    files = corpus_files(options.corpus)
    labels = [msgspec.json.decode(line, type=Label) for line in LABELS.read_bytes().splitlines()]
    tagger = PageTagger()
    lines = [
        one
        for corpus, file in files.items()
        for one in read([label for label in labels if label.corpus == corpus], file, tagger)
    ]
    if options.fit:
        weights = fit(one for one in lines if not one.label.test)
        comment = "The weights of the features of a place; written by scripts/fit_joined_lines.py."
        event_fits.write_weights(WEIGHTS, comment, {"weights": weights})
        joined_lines._weights.cache_clear()
    report(lines, options.errors)


if __name__ == "__main__":
    main()
