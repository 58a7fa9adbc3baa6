#!/usr/bin/env python3
"""Writes the corpora of data/labels from checkouts of the public repositories that have them, with the ids of the labels.

    python scripts/labelled_corpora.py CHECKOUTS OUT

CHECKOUTS has a folder for each repository, named as the repository is: masakhane-news, BBC-Dataset-News-Classification,
Article-Bias-Prediction, financial-news-dataset and fake-news-datasets. Of those that are there, OUT gets JSON lines with id,
title, text, source and date.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlparse

Row = dict[str, str]

csv.field_size_limit(10**9)


def _site(address: str) -> str:
    return urlparse(address).netloc.removeprefix("www.")


def _masakhanews(repository: Path) -> Iterator[Row]:
    rows = [
        row
        for part in ("dev", "test")
        for row in csv.DictReader((repository / "data" / "eng" / f"{part}.tsv").open(encoding="utf-8"), delimiter="\t")
    ]
    for number, row in enumerate(rows, start=1):
        yield {"id": f"m{number}", "title": row["headline"], "text": row["text"], "source": "masakha"}


def _bbc2005(repository: Path) -> Iterator[Row]:
    for file in sorted((repository / "dataset" / "data_files").glob("*/*.txt")):
        title, _, text = file.read_text(encoding="latin-1").partition("\n")
        yield {"id": f"{file.parent.name}-{file.stem}", "title": title.strip(), "text": text.strip(), "source": "bbc"}


def _uspress(repository: Path) -> Iterator[Row]:
    for file in sorted((repository / "data" / "jsons").glob("*.json")):
        row = json.loads(file.read_text(encoding="utf-8"))
        text, source = row["content_original"], row["source_url"]
        yield {"id": row["ID"], "title": row["title"], "text": text, "source": source, "date": row["date"]}


def _finance(repository: Path) -> Iterator[Row]:
    number = 0
    for year in (2019, 2020):
        content = lzma.decompress((repository / "data" / f"{year}_processed.json.xz").read_bytes())
        for row in json.loads(content):
            yield {
                "id": f"fin-{year % 100}-{number}",
                "title": row["title"],
                "text": row["maintext"] or "",
                "source": _site(row["url"]),
                "date": (row["date_publish"] or "")[:10],
            }
            number += 1


def _fakenewsnet(repository: Path) -> Iterator[Row]:
    data = repository / "datasets" / "fake_news_net" / "data" / "FakeNewsNet-old-version" / "Data"
    for file in sorted(data.glob("*/*/*-Webpage.json")):
        row = json.loads(file.read_text(encoding="utf-8"))
        address = row.get("url") or row.get("canonical_link") or row.get("source") or ""
        source = _site(address if "//" in address else f"http://{address}")
        yield {
            "id": f"fnn-{file.name.removesuffix('-Webpage.json')}",
            "title": row.get("title") or "",
            "text": row.get("text") or "",
            "source": source,
        }


def _gossip(repository: Path) -> Iterator[Row]:
    datasets = repository / "datasets"
    for source, prefix, pattern in (
        ("celebrity", "celeb", "deception_detection_fake_news/data/celebrityDataset/*/*.txt"),
        ("satire", "satire", "fake_news_vs_satire/data/story_text/*/*/*.txt"),
    ):
        for file in sorted(datasets.glob(pattern)):
            whole = file.read_text(encoding="utf-8", errors="replace").strip()
            title, _, text = whole.partition("\n")
            name = f"{prefix}-{file.parent.name}-{file.stem}"
            # Satire was labelled with title and address before the text, as on a page that was read carelessly.
            own = whole if source == "satire" else text.strip()
            yield {"id": name, "title": title.strip(), "text": own, "source": source}


def _thisjustin(repository: Path) -> Iterator[Row]:
    for folder in sorted((repository / "datasets" / "this_just_in" / "data").glob("*Dataset")):
        for kind in ("Real", "Fake", "Satire"):
            for file in sorted((folder / kind).glob("*")):
                title = folder / f"{kind}_titles" / file.name
                yield {
                    "id": f"tji-{folder.name[0].lower()}{kind[0]}{file.name}",
                    "title": title.read_text(encoding="utf-8", errors="replace").strip() if title.is_file() else "",
                    "text": file.read_text(encoding="utf-8", errors="replace"),
                    "source": f"tji-{kind.lower()}",
                }


CORPORA: dict[str, tuple[str, Callable[[Path], Iterator[Row]]]] = {
    "masakhanews": ("masakhane-news", _masakhanews),
    "bbc2005": ("BBC-Dataset-News-Classification", _bbc2005),
    "uspress": ("Article-Bias-Prediction", _uspress),
    "finance": ("financial-news-dataset", _finance),
    "fakenewsnet": ("fake-news-datasets", _fakenewsnet),
    "gossip": ("fake-news-datasets", _gossip),
    "thisjustin": ("fake-news-datasets", _thisjustin),
}
"""The corpora: the name of the repository, and what reads it."""


def main() -> None:
    """Write every corpus whose repository is there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for corpus, (name, rows) in CORPORA.items():
        if not (options.checkouts / name).is_dir():
            print(f"{corpus}: {options.checkouts / name} is not there")
            continue
        number = 0
        with (options.out / f"{corpus}.jsonl").open("w", encoding="utf-8") as stream:
            for row in rows(options.checkouts / name):
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                number += 1
        print(f"{corpus}: {number} articles")


if __name__ == "__main__":
    main()
