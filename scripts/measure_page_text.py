"""Measures how much page text ``ingest`` removes, and how much text of the story, on marked articles.

    python scripts/measure_page_text.py LABELS CORPUS=FILE ...

LABELS is ``data/labels/page_text_test.jsonl``: the spans of page text in the articles of a corpus, as its reader gives them.
FILE is a configuration with which ``ingest`` has run on the corpus. Words are counted. Precision: the marked words among the
removed ones. Recall: the removed words among the marked ones. ``left``: the articles in which marked words remain.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

import msgspec

from wdw_build.config.file import load_config
from wdw_build.core.text_files import read_lines
from wdw_build.dataset import open_run
from wdw_build.records import Article, RawArticle
from wdw_build.registry import make_reader
from wdw_build.stage_order import STAGES
from wdw_build.text.sentences.repair import repair_article


class Marked(msgspec.Struct):
    """The spans of page text in an article, in characters of its paragraphs joined by blank lines."""

    corpus: str
    id: str
    page: list[tuple[int, int]]


def _marked_words(raw: RawArticle, spans: list[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The words of an article, and whether each is marked."""
    offset, text = 0, "\n\n".join(raw.paragraphs)
    for bound in sorted({0, len(text), *(bound for span in spans for bound in span)})[1:]:
        is_marked = any(start <= offset < end for start, end in spans)
        # Repaired, as the cleaned article is.
        part = repair_article(msgspec.structs.replace(raw, paragraphs=(text[offset:bound],)))
        yield from ((word, is_marked) for paragraph in part.paragraphs for word in paragraph.split())
        offset = bound


def tally(raw: RawArticle, cleaned: Article | None, spans: list[tuple[int, int]]) -> Counter[str]:
    """The removed, the marked, and the removed and marked words of an article, and 1 if marked words remain in it."""
    words = list(_marked_words(raw, spans))
    kept = cleaned.text.split() if cleaned else []
    blocks = SequenceMatcher(None, [word for word, _ in words], kept, autojunk=False).get_matching_blocks()
    remaining = {number for block in blocks for number in range(block.a, block.a + block.size)}
    removed = [is_marked for number, (_, is_marked) in enumerate(words) if number not in remaining]
    marked = sum(is_marked for _, is_marked in words)
    return Counter(articles=1, removed=len(removed), right=sum(removed), marked=marked, left=int(sum(removed) < marked))


def main() -> None:
    """Print a row per corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("corpora", nargs="+", metavar="CORPUS=FILE")
    arguments = parser.parse_args()
    marked = [msgspec.json.decode(line, type=Marked) for _, line in read_lines(arguments.labels)]
    print(f"{'corpus':<14}{'articles':>9}{'marked':>9}{'removed':>9}{'precision':>11}{'recall':>9}{'left':>6}")
    for name, _, file in (corpus.partition("=") for corpus in arguments.corpora):
        config = load_config(Path(file))
        spans = {one.id: one.page for one in marked if one.corpus == name}
        reader = make_reader(config.corpus.reader, Path(config.corpus.path), config.corpus.options)
        raws = {raw.id: raw for raw in reader.read() if isinstance(raw, RawArticle) and raw.id in spans}
        articles = open_run(Path(file), STAGES).articles
        cleaned = {article.id: article for article in articles if article.id in spans}
        total = sum((tally(raw, cleaned.get(key), spans[key]) for key, raw in raws.items()), Counter[str]())
        precision, recall = total["right"] / max(1, total["removed"]), total["right"] / max(1, total["marked"])
        print(
            f"{name:<14}{total['articles']:>9}{total['marked']:>9}{total['removed']:>9}{precision:>11.3f}{recall:>9.3f}"
            f"{total['left']:>6}"
        )


if __name__ == "__main__":
    main()
