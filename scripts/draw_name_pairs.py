"""Draws pairs of similar names from articles of one week, for people or models who judge whether they name one person.

    python scripts/draw_name_pairs.py RUN [RUN ...] --pairs N --out FILE [--sheet FILE]

The names are those that the taggers found in first sentences, and the persons of passages. N pairs are drawn from each run, as
many of each kind of likeness as there are. FILE gets ids and places without text; a sheet has the text around both names.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from wdw_build.api import Run, load_run, uniform_hash
from wdw_build.records import Article
from wdw_build.text.names.spellings import is_one_letter_apart

_DAYS, _AROUND = 7, 220
# Pairs of names whose last words are the same pair.
_OF_A_FAMILY = 4
# Shorter names that differ by one letter are mostly different names.
_SHORTEST = 4
_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})


class Mention(NamedTuple):
    """A name in an article, with its place in the article's text."""

    article: str
    start: int
    end: int
    name: str


class Pair(NamedTuple):
    """Two mentions with similar names, and the first kind of likeness that they have."""

    kind: str
    first: Mention
    second: Mention


def mentions(run: Run) -> Iterator[tuple[Article, Mention]]:
    """Each name of each article once, at its first place."""
    places: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for sentence in run.first_sentences:
        article = run.articles.find(sentence.id)
        offset = article.text.find(sentence.text) if article is not None else -1
        for tagged in sentence.names if offset >= 0 else ():
            if tagged.kind == "PERSON":
                start, end = sentence.spans[tagged.start][0], sentence.spans[tagged.end - 1][1]
                places[sentence.id].add((offset + start, offset + end))
    for problem in run.alternatives if "choices" in run.outputs else ():
        for passage in problem.passages:
            spans = (span for person in passage.persons for span in person.mentions)
            places[passage.article].update((span.start, span.end) for span in spans)
    for identifier, found in sorted(places.items()):
        if (article := run.articles.find(identifier)) is None:
            continue
        first = dict[str, tuple[int, int]]()
        for start, end in sorted(found):
            first.setdefault(article.text[start:end], (start, end))
        yield from ((article, Mention(identifier, start, end, name)) for name, (start, end) in first.items())


def likeness(first: str, second: str) -> str:
    """The kind of likeness of two names that are written differently; empty if there is none."""
    one, other = (re.findall(r"[^\W\d_]+", name.casefold()) for name in (first, second))
    if not one or not other:
        return ""
    if "".join(one) == "".join(other):
        return "marks"
    if set(one) ^ set(other) and set(one) ^ set(other) <= _SUFFIXES:
        return "suffix"
    if one[-1] == other[-1] and len(one) > 1 < len(other):
        pairs = list(zip(one, other, strict=False))
        initials = any(a != b and a[0] == b[0] and min(len(a), len(b)) == 1 for a, b in pairs)
        return "initials" if initials else "family"
    if set(one) <= set(other) or set(other) <= set(one):
        return "part"
    letters = sorted(("".join(one), "".join(other)), key=len)
    if len(letters[0]) >= _SHORTEST and is_one_letter_apart(*letters):
        return "edit"
    return "consonants" if _consonants(one) == _consonants(other) else ""


def _consonants(words: Sequence[str]) -> str:
    return " ".join(re.sub(r"(.)\1+", r"\1", re.sub("[aeiouyhw]", "", word)) for word in words)


def pairs(run: Run) -> Iterator[Pair]:
    """Every pair of names of articles that are at most a week apart; of pairs with the same two names, the first by hash."""
    found = list(mentions(run))
    by_key: dict[str, list[tuple[Article, Mention]]] = defaultdict(list)
    for article, mention in found:
        words = re.findall(r"[^\W\d_]+", mention.name.casefold())
        keys = {words[-1], words[0], _consonants(words[-1:]), "".join(words)[:5]} if words else set[str]()
        for key in keys:
            by_key[key].append((article, mention))
    best: dict[frozenset[str], tuple[float, Pair]] = {}
    for group in by_key.values():
        for (one, first), (other, second) in itertools.combinations(group, 2):
            names = frozenset((first.name, second.name))
            if len(names) < 2 or abs((one.date - other.date).days) > _DAYS or not (kind := likeness(*sorted(names))):
                continue
            place = uniform_hash(0, "name pair", "\0".join((first.article, second.article, *sorted(names))))
            if names not in best or place < best[names][0]:
                best[names] = place, Pair(kind, first, second)
    yield from (pair for _, pair in sorted(best.values(), key=lambda one: one[0]))


def drawn(run: Run, count: int) -> list[Pair]:
    """``count`` pairs, taken from the kinds in turn, and few of one family name."""
    of_kind: dict[str, list[Pair]] = defaultdict(list)
    families: dict[frozenset[str], int] = defaultdict(int)
    for pair in pairs(run):
        family = frozenset(name.casefold().split()[-1] for name in (pair.first.name, pair.second.name))
        families[family] += 1
        if families[family] <= _OF_A_FAMILY:
            of_kind[pair.kind].append(pair)
    in_turn = itertools.zip_longest(*(of_kind[kind] for kind in sorted(of_kind)))
    return [pair for row in in_turn for pair in row if pair is not None][:count]


def _around(run: Run, mention: Mention) -> Mapping[str, str]:
    article = run.articles.find(mention.article)
    assert article is not None
    before, after = article.text[: mention.start][-_AROUND:], article.text[mention.end :][:_AROUND]
    return {
        "source": article.source,
        "date": str(article.date),
        "title": article.title,
        "text": f"{before}[[{mention.name}]]{after}",
    }


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    parser.add_argument("--pairs", type=int, required=True, metavar="N", help="pairs of each run")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="also write the text around both names")
    arguments = parser.parse_args()
    lines, sheet = list[str](), list[str]()
    for path in arguments.runs:
        run = load_run(path)
        for pair in drawn(run, arguments.pairs):
            both = {"first": pair.first._asdict(), "second": pair.second._asdict()}
            lines.append(json.dumps({"corpus": run.name, "kind": pair.kind, **both}, ensure_ascii=False))
            texts = {"first": _around(run, pair.first), "second": _around(run, pair.second)}
            sheet.append(json.dumps({"number": len(lines), **texts}, ensure_ascii=False))
    arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if arguments.sheet:
        arguments.sheet.write_text("\n".join(sheet) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
