#!/usr/bin/env python3
"""Writes an invented newswire corpus of any size, to measure how the pipeline scales (docs/explanation/scaling.md).

The same options give the same bytes. With the same seed and ``--per-day``, a larger corpus starts with the smaller one. The
text is made up (scripts/synthetic) and not usable to train language models.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import json
import sys
from pathlib import Path
from typing import IO, cast

from tqdm import tqdm

sys.path.insert(0, str(Path(__file__).resolve().parent))
from synthetic.wire import LEADS_A_QUESTION, MOST_PER_DAY, Filed, Wire

_LEAST_PER_DAY = 10
_LEAST_DAYS = 60


def per_day(articles: int) -> int:
    """The articles a day: as many as in Gigaword, but few enough to cover two months."""
    return max(_LEAST_PER_DAY, min(MOST_PER_DAY, articles // _LEAST_DAYS))


def _line(article: Filed) -> bytes:
    record = {
        "id": article.id,
        "date": article.date.isoformat(),
        "source": article.source,
        "kind": "story",
        "title": article.title,
        "text": article.text,
    }
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def write(stream: IO[bytes], wire: Wire, articles: int) -> None:
    """Write a number of articles as JSON lines."""
    made = itertools.islice(wire.articles(), articles)
    for article in tqdm(made, total=articles, unit=" articles", disable=None):
        stream.write(_line(article))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, required=True, metavar="N", help="how many")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="default 0")
    parser.add_argument("--per-day", type=int, metavar="N", help="articles a day; default: up to 1600, depending on N")
    parser.add_argument(
        "--one-in",
        type=int,
        default=LEADS_A_QUESTION,
        metavar="N",
        help=f"one first sentence in N names two persons, as a question needs (default {LEADS_A_QUESTION})",
    )
    parser.add_argument("--length", type=int, default=1, metavar="N", help="articles N times as long (default 1)")
    parser.add_argument("--no-paragraphs", action="store_true", help="no blank lines: every article is one paragraph")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=".jsonl or .jsonl.gz")
    options = parser.parse_args()
    least = min(options.articles, options.one_in, options.length)
    if least < 1 or (options.per_day is not None and options.per_day < 1):
        parser.error("--articles, --per-day, --one-in and --length must be 1 or more")
    daily = options.per_day or per_day(options.articles)
    wire = Wire(options.seed, daily, options.one_in, options.length, not options.no_paragraphs)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    # The gzip header has no time and no name, so that the same options give the same bytes.
    with options.out.open("wb") as plain:
        if options.out.suffix == ".gz":
            with gzip.GzipFile("", "wb", 3, plain, mtime=0) as packed:
                write(cast(IO[bytes], packed), wire, options.articles)
        else:
            write(plain, wire, options.articles)


if __name__ == "__main__":
    main()
