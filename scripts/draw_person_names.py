"""Draws names that the taggers call persons, for people or models who judge whether they are.

    python scripts/draw_person_names.py RUN --articles N --names N --out FILE [--sheet FILE] [--hard]

N articles of the run, which must have the stage names, are annotated. Drawn is each name of an article once; of lone words whose
longer name the article has, a third. With --hard: only names of which the taggers are in doubt, at most two of one spelling. FILE
gets ids and places without text; a sheet has the text around the first three places.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wdw_build.api import Run, annotator, load_run, uniform_hash
from wdw_build.records import Article, Mention
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.name import clean, parse
from wdw_build.text.names.settle import join_adjacent, settle

# Shorter texts name few persons, and longer ones take long to tag.
_SHORTEST, _LONGEST = 400, 15_000
_AROUND, _PLACES, _BATCH = 150, 3, 16
# The taggers are in doubt of names of several words below the first probability, and of lone words below the second.
_SURE, _SURE_ALONE = 0.93, 0.9
_OF_A_SPELLING = 2


class Drawn(NamedTuple):
    """A name of an article with its mentions, and a number in [0, 1) that orders the names."""

    article: Article
    name: str
    mentions: Sequence[Mention]
    order: float

    @property
    def is_lone(self) -> bool:
        """Whether the name has one word."""
        return len(parse(self.name).core) < 2

    @property
    def is_hard(self) -> bool:
        """Whether the taggers are in doubt."""
        return max(mention.score for mention in self.mentions) < (_SURE_ALONE if self.is_lone else _SURE)


def names_of(run: Run, articles: int) -> Iterator[Drawn]:
    """Yield the names of so many articles, in the order of their hashes."""
    evidence, tagger = read_names(run.outputs["names"].folder), annotator()
    usable = [article for article in run.articles if _SHORTEST < len(article.text) < _LONGEST]
    chosen = sorted(usable, key=lambda article: uniform_hash(0, "mentions", article.id))[:articles]
    for first in range(0, len(chosen), _BATCH):
        batch = chosen[first : first + _BATCH]
        for article, annotation in zip(batch, tagger.annotate([(one.id, one.text) for one in batch]), strict=True):
            mentions = settle(join_adjacent(annotation.persons, article.text), article.text, evidence)
            by_name = defaultdict[str, list[Mention]](list)
            for mention in mentions:
                by_name[clean(mention.text)].append(mention)
            families = {parse(name).family for name in by_name if parse(name).is_full}
            for name, own in by_name.items():
                order = uniform_hash(0, "name", article.id + name)
                if parse(name).is_full or parse(name).family not in families or int(order * 1e6) % 3 == 0:
                    yield Drawn(article, name, own, order)


def drawn(names: Sequence[Drawn], count: int, hard: bool) -> list[Drawn]:
    """``count`` of the names, in their order."""
    spelled, chosen = Counter[str](), list[Drawn]()
    for name in sorted(names, key=lambda one: one.order):
        spelled[name.name.casefold()] += 1
        if not hard or (name.is_hard and spelled[name.name.casefold()] <= _OF_A_SPELLING):
            chosen.append(name)
    return chosen[:count]


def _sheet(number: int, name: Drawn) -> str:
    text = name.article.text
    places = [
        f"   … {text[max(0, one.start - _AROUND) : one.start]}[[{one.text}]]{text[one.end : one.end + _AROUND]} …"
        for one in name.mentions[:_PLACES]
    ]
    return "\n".join([f"#{number}  ({name.article.title})", *(place.replace("\n", " ") for place in places), ""])


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path, metavar="RUN")
    parser.add_argument("--articles", type=int, required=True, metavar="N")
    parser.add_argument("--names", type=int, required=True, metavar="N")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="also write the text around the names")
    parser.add_argument("--hard", action="store_true", help="only names of which the taggers are in doubt")
    arguments = parser.parse_args()
    run = load_run(arguments.run)
    chosen = drawn(list(names_of(run, arguments.articles)), arguments.names, arguments.hard)
    lines = [
        {
            "corpus": run.name,
            "article": name.article.id,
            "start": name.mentions[0].start,
            "end": name.mentions[0].end,
            "written": name.mentions[0].text,
            "name": name.name,
            "drawn": "hard" if arguments.hard else "random",
        }
        for name in chosen
    ]
    arguments.out.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), encoding="utf-8")
    if arguments.sheet:
        sheets = (_sheet(number, name) for number, name in enumerate(chosen, 1))
        arguments.sheet.write_text("\n".join(sheets), encoding="utf-8")


if __name__ == "__main__":
    main()
