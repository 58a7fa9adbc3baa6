"""Names in articles and in stories, labelled as persons or not, with the texts in which they stand."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from quality.gold import read_gold
from wdw_build.api import load_run
from wdw_build.records import Mention
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence, read_names
from wdw_build.text.names.name import clean

LABELS = Path(__file__).parents[2] / "data" / "labels"
NAMES, STORIES = LABELS / "person_names.jsonl", LABELS / "stories_of_names.jsonl"
STORY, GOLD = "stories", "gold"
# The labels of names that are whole names of persons in the story; a given name alone may be one person's mention, but no choice.
PERSONS = frozenset({"person", "given"})
# Names that are cut, and characters of fiction, count neither as persons nor as things.
NEITHER = frozenset({"cut", "fiction"})


class LabelledName(NamedTuple):
    """A name at its first place in a text. ``drawn``: how it was drawn (docs/development/persons.md)."""

    corpus: str
    article: str
    text: str
    start: int
    end: int
    name: str
    label: str
    drawn: str
    test: bool


def of_articles(runs: Mapping[str, Path]) -> Iterator[LabelledName]:
    """The labelled names of the corpora that have a run, each where the text has it next to the labelled place.

    Names that the text has no longer, since ``ingest`` removes more or less of a page, are counted on stderr.
    """
    articles = {corpus: load_run(path).articles for corpus, path in runs.items()}
    missing = Counter[str]()
    for line in map(json.loads, NAMES.read_text(encoding="utf-8").splitlines()):
        if (corpus := line["corpus"]) not in runs:
            continue
        article = articles[corpus].find(line["article"])
        start = None if article is None else nearest(article.text, line["written"], line["start"])
        if article is None or start is None:
            missing[corpus] += 1
            continue
        fields = {name: line[name] for name in ("article", "name", "label", "drawn", "test")}
        end = start + len(line["written"])
        yield LabelledName(corpus=corpus, text=article.text, start=start, end=end, **fields)
    for corpus, count in missing.items():
        print(f"{NAMES.name}: {count} names of {corpus} are not in the texts of {runs[corpus]}", file=sys.stderr)


def nearest(text: str, name: str, place: int) -> int | None:
    """Where a text has the name next to a place; none if it has not."""
    places = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    return min(places, key=lambda at: abs(at - place), default=None)


def of_stories() -> Iterator[LabelledName]:
    """The labelled names of the stories."""
    for number, line in enumerate(map(json.loads, STORIES.read_text(encoding="utf-8").splitlines())):
        start = line["text"].index(line["name"])
        label = "person" if line["person"] else "no"
        ends = {"start": start, "end": start + len(line["name"])}
        yield LabelledName(
            STORY, str(number), line["text"], **ends, name=line["name"], label=label, drawn="story", test=line["test"]
        )


def of_gold(mentions: Mapping[tuple[str, str], Sequence[Mention]]) -> Iterator[LabelledName]:
    """The names of the gold set by its editor: its persons, and the mentions that taggers call persons and that overlap none.

    ``mentions`` are those of each sentence, by ``GOLD`` and its id.
    """
    for gold in read_gold():
        others = (one for one in mentions[GOLD, gold.id] if not any(one.overlaps(person) for person in gold.persons))
        for label, spans in (("person", gold.persons), ("no", others)):
            for one in spans:
                ends = {"start": one.start, "end": one.end}
                name = clean(one.text)
                yield LabelledName(GOLD, gold.id, gold.sentence, **ends, name=name, label=label, drawn=GOLD, test=False)


def evidence_of(runs: Mapping[str, Path]) -> dict[str, NameEvidence]:
    """The evidence on the names of each corpus; stories have none."""
    read = {corpus: read_names(load_run(path).outputs["names"].folder) for corpus, path in runs.items()}
    return {**read, STORY: NO_EVIDENCE, GOLD: NO_EVIDENCE}
