#!/usr/bin/env python3
"""Compares the candidate lists of ``retrieve`` on an index that was joined from shards and on an index of one writer.

    scripts/benchmarks/scaling/joined_index.py --kept W/100000 [--questions N] [--event-score]

``W/100000`` is a run that ``pipeline.py --articles 100000 --to questions --work W --keep`` left; its index was joined. The
command writes all articles into a second index with one writer, runs ``retrieve`` on both for every question, and compares
the records (ids, ranks, scores, refusals) and the word frequencies. The exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # scripts/
from benchmarks.scaling.pipeline import kept_run
from benchmarks.setting import context, stored
from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.store.output import Output
from wdw_build.pipeline import Pipeline
from wdw_build.ports import INDEX, INDEX_FOLDER
from wdw_build.records import IndexedArticle, Question
from wdw_build.stages import retrieve
from wdw_build.text.dates import day_number
from wdw_build.text.passages.passage_text import capitalised_words
from wdw_build.text.passages.word_frequencies import FILE, FrequencyCounter, write_frequencies
from wdw_build.text.tokens import words


def write_with_one_writer(pipeline: Pipeline, folder: Path) -> Output:
    """Index all articles of a run in ``folder`` without shards."""
    counter = FrequencyCounter()
    with pipeline.ports.get(INDEX).writer(folder / INDEX_FOLDER) as add:
        for article in stored(pipeline, "ingest"):
            add(article.id, day_number(article.date), article.text, capitalised_words(article.text))
            counter.add(words(article.text))
    write_frequencies(folder, counter.result())
    return Output(folder, IndexedArticle)


def retrieved(pipeline: Pipeline, index: Output, questions: Iterator[Question], config: RetrieveConfig) -> list[Any]:
    """The records and rejections of ``retrieve`` with this index."""
    inputs = {"index": index, "ingest": pipeline.output("ingest")}
    return list(retrieve.run(questions, config, context(pipeline, inputs)))


def compare(pipeline: Pipeline, most: int | None, config: RetrieveConfig) -> int:
    """Compare both indexes and print the result. Returns the number of differences."""
    joined, begun = pipeline.output("index"), time.process_time()
    with tempfile.TemporaryDirectory(dir=pipeline.root) as folder:
        whole = write_with_one_writer(pipeline, Path(folder))
        print(f"one writer: {joined.manifest.written} articles, {time.process_time() - begun:.0f} CPU s", flush=True)
        same_words = (whole.folder / FILE).read_bytes() == (joined.folder / FILE).read_bytes()
        found = []
        for index in (joined, whole):
            begun, questions = time.process_time(), itertools.islice(stored(pipeline, "questions"), most)
            found.append(retrieved(pipeline, index, questions, config))
            print(f"retrieve: {len(found[-1]) / (time.process_time() - begun):.0f} questions a CPU s", flush=True)
    different = [ours.id for ours, theirs in zip(*found, strict=True) if ours != theirs]
    candidates = sum(len(record.candidates) for record in found[0])
    print(f"{len(found[0])} questions, {candidates} candidates: {len(different)} lists differ {different[:5]}")
    print(f"word frequencies {'are equal' if same_words else 'differ'}")
    return len(different) + (not same_words)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--kept", type=Path, required=True, metavar="FOLDER", help="a run of scaling/pipeline.py --keep"
    )
    parser.add_argument("--questions", type=int, metavar="N", help="the first N questions (default: all)")
    parser.add_argument("--event-score", action="store_true", help="with the event scores of the default preset; slow")
    options = parser.parse_args()
    pipeline = kept_run(options.kept)
    config = pipeline.config.retrieve
    if not options.event_score:
        config = msgspec.structs.replace(config, rank_by="bm25", min_event_score=0.0)
    sys.exit(1 if compare(pipeline, options.questions, config) else 0)


if __name__ == "__main__":
    main()
