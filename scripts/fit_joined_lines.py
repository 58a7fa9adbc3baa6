#!/usr/bin/env python3
"""Trains what finds headlines and captions that run into a sentence, and measures it on sources that it was not trained on.

    python scripts/fit_joined_lines.py --corpus CORPUS=FILE [--corpus …] [--train] [--fit] [--errors]

A FILE has the articles of a corpus of data/labels/joined_lines.jsonl, as JSON lines with id, title, text and source. All of them
show how often the texts of a source run on. The labelled articles are cleaned as ``ingest`` does it. A line of
another text than the readers saw is left out. ``--train`` trains the network on the lines of the part "network" and on made ones,
20 minutes on two cores; ``--fit`` fits the weights of the decision to those of the part "weights".
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from quality import event_fits
from training import line_starts
from training.bundle import record
from training.labelled_lines import FIT, NETWORK, TEST, Label, Labelled, labels_of_lines, read
from training.labelled_pages import corpus_files, counted, raw_articles, read_labelled
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import RawArticle
from wdw_build.text.pages import joined_lines
from wdw_build.text.pages.profile import OFTEN_JOINED, Sources

MODEL = BUNDLED / "page_text" / "starts.pt"
TRAINED_ON = [
    "the tagger of page text, trained further",
    "the labelled lines of data/labels",
    "sentences of the articles of the corpora that are fitted to",
]
WEIGHTS = Path(joined_lines.__file__).with_suffix(".toml")
PENALTY = 1.0


def weighed(lines: Sequence[Labelled], tagger: PageTagger) -> list[Labelled]:
    """The lines with the features of their candidates."""
    starts = tagger.starts([one.line.words for one in lines])
    kinds = tagger.probabilities([one.line.text for one in lines])
    return [
        one._replace(candidates=one.line.candidates(of_starts, of_kinds))
        for one, of_starts, of_kinds in zip(lines, starts, kinds, strict=True)
    ]


def plain_articles(labels: Sequence[Label], raws: Sequence[RawArticle], sources: Sources) -> list[RawArticle]:
    """Articles of sources that are not kept for the test and whose texts hardly ever run on."""
    kept = {label.source for label in labels if label.part == TEST}
    plain = (
        raw for raw in raws if raw.source not in kept and sources.joined_shares(raw.source).articles < OFTEN_JOINED
    )
    return sorted(plain, key=lambda raw: uniform_hash(0, "starts", raw.id))[: line_starts.ARTICLES]


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
    counts = defaultdict[tuple[str, str, str, str], Counter[str]](Counter)
    for one in lines:
        label = one.label
        place = "not read" if not one.is_read else "inside" if one.line.is_inside else "opening"
        for source in (label.source, ""):
            counts[label.part, place, label.corpus if source else "all", source][tally(one)] += 1
        if errors and one.is_read and label.part == TEST and one.cut not in (0, label.story):
            words, at = one.line.words, one.line.offsets.index(one.cut)
            print(f"{label.corpus} {label.id}: {' '.join(words[:at])!r} | {' '.join(words[at : at + 12])!r}")
    for (part, place, corpus, source), of_source in sorted(counts.items()):
        print(f"{part:8}{place:9}{corpus:12}{source:32}{_line(of_source)}")


def _line(counts: Mapping[str, int]) -> str:
    joined = sum(count for what, count in counts.items() if what.startswith("joined"))
    whole = sum(counts.values()) - joined
    right, elsewhere, wrong = (counts.get(what, 0) for what in ("joined, cut", "joined, cut elsewhere", "whole, cut"))
    return (
        f"cut rightly {right:3} of {joined:3}, elsewhere {elsewhere:2}; cut {wrong:2} of {whole:3} that do not run on"
    )


def main() -> None:
    """Train and fit, if asked, and print the measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", required=True, metavar="CORPUS=FILE")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--errors", action="store_true")
    options = parser.parse_args()
    files = corpus_files(options.corpus)
    labels = labels_of_lines()
    tagger, lines, plain = PageTagger(), list[Labelled](), list[RawArticle]()
    for corpus, file in files.items():
        raws = list(raw_articles(file))
        sources = counted(raws)
        own = [label for label in labels if label.corpus == corpus]
        lines += read(own, raws, sources, tagger)
        plain += plain_articles(own, raws, sources) if options.train else []
    if options.train:
        train(files, labels, lines, plain)
    lines = weighed(lines, tagger)
    if options.fit:
        weights = fit(one for one in lines if one.label.part == FIT)
        comment = "The weights of the features of a place; written by scripts/fit_joined_lines.py."
        event_fits.write_weights(WEIGHTS, comment, {"weights": weights})
        joined_lines._weights.cache_clear()
    report(lines, options.errors)


def train(
    files: Mapping[str, Path], labels: Sequence[Label], lines: Sequence[Labelled], plain: Sequence[RawArticle]
) -> None:
    """Train the network, and write it and its hash."""
    kept = {(label.corpus, label.source) for label in labels if label.part == TEST}
    pages = [one for one in read_labelled(dict(files)) if not one.is_test and (one.corpus, one.source) not in kept]
    own = [(one.line.words, one.starts) for one in lines if one.label.part == NETWORK]
    line_starts.train(line_starts.material(plain, pages), own, MODEL)
    record(BUNDLED, [MODEL], "page_text (starts)", TRAINED_ON)


if __name__ == "__main__":
    main()
