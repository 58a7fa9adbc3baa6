#!/usr/bin/env python3
"""Compares ``ingest`` over the blocks of a corpus with ``ingest`` over the whole corpus, in CPU seconds of one process.

    scripts/benchmarks/corpus_blocks.py gigaword corpus.sgml.gz

Prints both times, their ratio, and the longest block's share: the bound of the speed-up by more workers.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from wdw_build.adapters.corpora.reading.base import BLOCK_BYTES
from wdw_build.core.stage import Context
from wdw_build.registry import READERS, _find
from wdw_build.stages.ingest import STAGE


def _seconds(entries: Iterator[Any], folder: str) -> float:
    begun = time.process_time()
    context = cast(Context, argparse.Namespace(folder=Path(folder)))
    for _ in STAGE.run(entries, STAGE.config(), context):
        pass
    return time.process_time() - begun


def main() -> None:
    """Parse the arguments and print the figures as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("reader", choices=sorted(READERS))
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--block-bytes", type=int, default=BLOCK_BYTES)
    options = parser.parse_args()
    reader = _find("reader", options.reader, READERS)(options.corpus, {})
    reader.block_bytes = options.block_bytes
    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        blocks = reader.blocks()
        cut = time.process_time() - begun
        _seconds(reader.read(blocks[0]), folder)  # imports modules and fills caches
        parts = [_seconds(reader.read(block), folder) for block in blocks]
        whole = _seconds(reader.read(), folder)
    figures = {
        "blocks": len(blocks),
        "cut_seconds": round(cut, 2),
        "blocks_seconds": round(sum(parts), 2),
        "whole_seconds": round(whole, 2),
        "overhead": round((cut + sum(parts)) / whole - 1, 3),
        "longest_share": round(max(parts) / sum(parts), 3),
    }
    json.dump(figures, sys.stdout)
    print()


if __name__ == "__main__":
    main()
