"""Runs the real stages over the gold set and compares: persons, decision, person chosen, span deleted.

The stages (sentences, names, questions) run as the product runs them, with the default configuration and the real
annotator. The persons that the tagger found come from that annotator; those that the product keeps are them less the
refusals that the stage reports.
"""

from __future__ import annotations

import datetime as dt
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from quality.gold import TAGS, Gold
from wdw_build.core.progress import Progress
from wdw_build.core.settings import Config, CorpusConfig, NlpConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store import Output
from wdw_build.core.workers import Pool
from wdw_build.ports import Annotator
from wdw_build.records import Article, FirstSentence, Mention, Question, Record, Rejection
from wdw_build.registry import backend
from wdw_build.stages import names, questions, sentences
from wdw_build.text.consistency import PERSON

Spans = frozenset[tuple[int, int]]
# Both say that the sentence has fewer than two persons; which one depends on what the tagger took for a person.
_SAME_REASON = {"mentions-not-persons": "fewer-than-two-persons"}
_DAY = dt.date(2000, 1, 1)


@dataclass(frozen=True)
class Outcome:
    """A gold sentence and what the product made of it. ``tagged``: the tagger's persons; ``kept``: the product's."""

    gold: Gold
    tagged: Spans
    kept: Spans
    made: Question | Rejection

    @property
    def asked(self) -> bool:
        """Whether the product made a question."""
        return isinstance(self.made, Question)

    @property
    def right_decision(self) -> bool:
        """Whether a question was made just where one should be."""
        return self.asked == (self.gold.blank is not None)

    @property
    def right_reason(self) -> bool:
        """Whether a rejection is right and for the right reason."""
        if isinstance(self.made, Question) or self.gold.blank is not None:
            return False
        return _reason(self.made.reason) == _reason(self.gold.reason)

    @property
    def right_person(self) -> bool:
        """Whether the person deleted is the one that should be (the name's own span may differ)."""
        name = self.gold.name
        return isinstance(self.made, Question) and name is not None and _overlap(self.made.name, name)

    @property
    def right_span(self) -> bool:
        """Whether the blank is exactly the editor's."""
        blank = self.gold.blank
        return isinstance(self.made, Question) and blank is not None and _at(self.made.blank) == _at(blank)

    @property
    def persons(self) -> Spans:
        """The gold persons' spans."""
        return frozenset(map(_at, self.gold.persons))

    @property
    def all_right(self) -> bool:
        """Whether nothing is to be said: persons as tagged, and the question or the reason."""
        return self.tagged == self.persons and (self.right_span or self.right_reason)


def _reason(reason: str) -> str:
    return _SAME_REASON.get(reason, reason)


def _at(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def _overlap(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end


@dataclass(frozen=True)
class _OnePort:
    """``PortSource`` with the annotator alone."""

    annotator: Annotator

    def get(self, port: str) -> Any:
        return self.annotator

    def identity(self, port: str) -> str:
        return self.annotator.identity


def annotator(models: str = "bundled") -> Annotator:
    """The product's annotator."""
    config = Config(
        run="gold", output_dir="unused", corpus=CorpusConfig(reader="jsonl", path="unused"), nlp=NlpConfig(models=models)
    )
    made: Annotator = backend(config, "annotator")
    return made


def outcomes(golds: Sequence[Gold], tagger: Annotator) -> list[Outcome]:
    """What the product makes of every gold sentence."""
    articles = {gold.id: _article(gold) for gold in golds}
    with tempfile.TemporaryDirectory() as folder:
        stores: dict[str, Any] = {"ingest": _Stored(articles, Path(folder))}
        for stage in (sentences.STAGE, names.STAGE, questions.STAGE):
            stores[stage.name] = _Stored(_ran(stage, stores, tagger, Path(folder)), Path(folder))
    firsts, made = stores["sentences"].by_id, stores["questions"].by_id
    tagged = [_tagged(firsts[gold.id]) for gold in golds]
    return [
        Outcome(gold, spans, _kept(gold.sentence, spans, made[gold.id]), made[gold.id])
        for gold, spans in zip(golds, tagged, strict=True)
    ]


@dataclass(frozen=True)
class _Stored:
    """What the stages ask of an input, in memory."""

    by_id: Mapping[str, Any]
    folder: Path

    def find(self, record_id: str) -> Any:
        return self.by_id.get(record_id)

    def records(self) -> Iterator[Any]:
        return iter(self.by_id.values())


def _ran(stage: Stage, stores: Mapping[str, Any], tagger: Annotator, folder: Path) -> dict[str, Record | Rejection]:
    context = Context(
        seed=0, inputs=cast("Mapping[str, Output]", stores), folder=folder, ports=_OnePort(tagger),
        progress=Progress(), pool=Pool(1),
    )  # fmt: skip
    results = stage.run(stores[stage.reads[0]].records(), stage.config(), context)
    return {result.id: result for result in results}


def _article(gold: Gold) -> Article:
    return Article(
        id=gold.id, date=_DAY, source="gold", kind="story", title="", dateline="", paragraphs=(gold.sentence,)
    )


def _tagged(first: FirstSentence) -> Spans:
    """The tagger's persons as characters of the sentence."""
    persons = (name for name in first.names if name.kind == PERSON)
    return frozenset((first.spans[name.start][0], first.spans[name.end - 1][1]) for name in persons)


def _kept(sentence: str, tagged: Spans, made: Any) -> Spans:
    refused = {refusal.name for refusal in made.refused if refusal.rule == "not-a-person"}
    return frozenset(span for span in tagged if sentence[slice(*span)] not in refused)


def _share(right: int, of: int) -> float:
    return round(right / of, 4) if of else 0.0


def _names(prefix: str, pairs: Iterable[tuple[Spans, Spans]]) -> dict[str, float]:
    """Precision, recall and F1 of (found, gold) spans."""
    listed = list(pairs)
    right = sum(len(found & gold) for found, gold in listed)
    predicted, wanted = sum(len(found) for found, _ in listed), sum(len(gold) for _, gold in listed)
    return {
        f"{prefix}_precision": _share(right, predicted),
        f"{prefix}_recall": _share(right, wanted),
        f"{prefix}_f1": _share(2 * right, predicted + wanted),
    }


def figures(found: Sequence[Outcome]) -> dict[str, float]:
    """All figures of a set of outcomes.

    ``right_person`` and ``right_span``: of the questions made where one should be. ``blank_precision`` and
    ``blank_recall``: right spans of all questions made, and of all that should be.
    """
    asked = [one for one in found if one.asked]
    wanted = [one for one in found if one.gold.blank is not None]
    both = [one for one in asked if one.gold.blank is not None]
    refused = [one for one in found if not one.asked and one.gold.blank is None]
    spans = sum(one.right_span for one in found)
    return {
        **_names("persons_tagged", ((one.tagged, one.persons) for one in found)),
        **_names("persons_kept", ((one.kept, one.persons) for one in found)),
        "decision": _share(sum(one.right_decision for one in found), len(found)),
        "reason": _share(sum(one.right_reason for one in refused), len(refused)),
        "right_person": _share(sum(one.right_person for one in both), len(both)),
        "right_span": _share(spans, len(both)),
        "blank_precision": _share(spans, len(asked)),
        "blank_recall": _share(spans, len(wanted)),
    }


def by_tag(found: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The figures of each tag's sentences, with their number."""
    groups = {tag: [one for one in found if tag in one.gold.tags] for tag in sorted(TAGS)}
    return {tag: {"sentences": float(len(group)), **figures(group)} for tag, group in groups.items()}
