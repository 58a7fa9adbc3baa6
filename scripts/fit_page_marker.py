#!/usr/bin/env python3
"""Trains what finds page text, and measures it on the sources that it was not trained on.

    python scripts/fit_page_marker.py --corpus CORPUS=FILE [--corpus …] [--train [--start MODEL]] [--mean MODEL …]
        [--lines] [--sources]

``--train`` writes the tagger's model first, in 40 minutes or more of two cores; ``--start``: from the weights of a model on.
``--mean`` writes the mean of the weights of several models, which were trained one from the other; one may be named twice.
``--lines`` writes the weights of the first look at lines; the tagger reads a thousand other articles of each corpus for it.
A FILE has the articles of a corpus of data/labels/page_segments.jsonl, as JSON lines with id, title, text and source.

The labelled articles of the test sources are cleaned as ``ingest`` does it. A whole segment is found if 60% of its characters are
marked; a mixed one, if 60% of what does not belong to it and under 40% of the rest are. A segment of the story is lost if over 40%
are. What another paragraph repeats is not lost.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tqdm import tqdm

from training.bundle import record
from training.labelled_pages import (
    PageArticle,
    Segment,
    cleaned_page,
    corpus_files,
    counted,
    raw_articles,
    read_labelled,
)
from training.minilm_weights import mean, write
from training.page_lines import by_labels, by_tagger, fit_lines
from training.page_marker import train
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import Mark
from wdw_build.text.pages.exact_forms import spoken
from wdw_build.text.pages.marks import DATELINE

MODEL, LINES = BUNDLED / "page_text" / "model.pt", BUNDLED / "page_text" / "lines.bin"
TRAINED_ON = ["the second tagger of names, trained further", "the labelled segments of data/labels"]
FOUND, LOST = 0.6, 0.4
# Articles of each corpus that the tagger reads for the first look.
READ = 1000


def unlabelled_texts(corpus: str, file: Path, labelled: Sequence[PageArticle]) -> Iterator[Sequence[str]]:
    """What the finders leave of articles of a corpus that have no label, and whose source is not kept for the test."""
    known = {one.id for one in labelled if one.corpus == corpus}
    kept = {one.source for one in labelled if one.corpus == corpus and one.is_test}
    raws = list(raw_articles(file))
    drawn = (raw for raw in raws if raw.id not in known and raw.source not in kept)
    for raw in sorted(drawn, key=lambda raw: uniform_hash(0, "first look", raw.id))[:READ]:
        yield cleaned_page(raw, frozenset(), tagger=None).paragraphs


def tally(article: PageArticle, marks: Sequence[Mark]) -> Counter[str]:
    """How many segments there are of each kind (whole, mixed, story), and how many of them are found (of the story: lost)."""
    covered = defaultdict[int, set[int]](set)
    datelines = defaultdict[int, set[int]](set)
    for mark in marks:
        (datelines if mark.kind == DATELINE else covered)[mark.paragraph].update(range(mark.start, mark.end))
    counts = Counter[str]()
    for segment in article.segments:
        text = article.paragraphs[segment.paragraph]
        places = [at for at in range(segment.start, segment.end) if not text[at].isspace()]
        cut = covered[segment.paragraph] | (datelines[segment.paragraph] if segment.kind != "S" else set())
        if not places:
            continue
        if segment.kind == "M":
            kind, foreign = "mixed", [at for at in places if _is_foreign(segment, at)]
            own = [at for at in places if not _is_foreign(segment, at)]
            is_kept = _share(own, cut) < LOST or _is_repeated(article, segment, own)
            is_found = _share(foreign, cut) > FOUND and is_kept
        else:
            kind = "story" if segment.kind == "S" else "whole"
            is_found = _share(places, cut) > (LOST if kind == "story" else FOUND)
            if kind == "story" and _is_repeated(article, segment, places):
                is_found = False
        counts[kind] += 1
        counts[f"{kind} found"] += is_found
    return counts


def _is_repeated(article: PageArticle, segment: Segment, places: Sequence[int]) -> bool:
    """Whether another paragraph has the words of these places of a segment: a highlighted quotation, which may be cut."""
    text = article.paragraphs[segment.paragraph]
    words = spoken(text[min(places) : max(places) + 1]) if places else ""
    others = (other for number, other in enumerate(article.paragraphs) if number != segment.paragraph)
    return bool(words.strip()) and any(words in spoken(other) for other in others)


def _is_foreign(segment: Segment, at: int) -> bool:
    return any(start <= at - segment.start < end for start, end in segment.spans)


def _share(places: Sequence[int], cut: set[int]) -> float:
    return sum(at in cut for at in places) / max(1, len(places))


def _print(name: str, total: Mapping[str, int]) -> None:
    cells = (
        f"{kind} {total.get(f'{kind} found', 0):4} of {total.get(kind, 0):5}" for kind in ("whole", "mixed", "story")
    )
    print(f"{name:40}  {'  '.join(cells)}")


def main() -> None:
    """Print a line for the finders without and with the tagger; with --sources, lines for each source."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", required=True, metavar="CORPUS=FILE")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--mean", type=Path, nargs="+", metavar="MODEL")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--sources", action="store_true")
    options = parser.parse_args()
    files = corpus_files(options.corpus)
    articles = read_labelled(files)
    if not any(one.is_test for one in articles):
        parser.error("the files have no labelled article of a source that is kept for the test")
    if options.train:
        train(articles, MODEL, options.start)
    if options.mean:
        write(mean(options.mean), MODEL)
    tagger = PageTagger()
    if options.lines:
        texts = [text for corpus, file in files.items() for text in unlabelled_texts(corpus, file, articles)]
        taught = by_tagger(tqdm(texts, desc="read by the tagger"), tagger)
        fit_lines([*by_labels(one for one in articles if not one.is_test), *taught], LINES)
    if options.train or options.mean or options.lines:
        record(BUNDLED, [MODEL, LINES], "page_text", TRAINED_ON)
    totals = defaultdict[str, Counter[str]](Counter)
    for corpus, file in files.items():
        test = {one.id: one for one in articles if one.corpus == corpus and one.is_test}
        if not test:
            continue
        raws = list(raw_articles(file))
        sources = counted(raws)
        for raw in tqdm([raw for raw in raws if raw.id in test], leave=False):
            article, repeated = test[raw.id], sources.repeated(raw.source)
            for name, used in (("finders", None), ("finders and tagger", tagger)):
                counts = tally(article, cleaned_page(raw, repeated, used).marks)
                totals[name] += counts
                totals[f"{corpus} {article.source}: {name}"] += counts
    for name, total in sorted(totals.items()):
        if options.sources or name.startswith("finders"):
            _print(name, total)


if __name__ == "__main__":
    main()
