"""Runs the real stages over a gold set and compares persons, decisions, deleted persons and deleted spans.

Each sentence is an article of one paragraph. It passes ``ingest``, which removes datelines and credits, and then
``sentences``, ``names`` and ``questions``, with the default configuration (but for two persons) and the real annotator. The
kept persons are those of the annotator without those that the stage refuses. If the stages shorten or repair a text, its
spans are mapped to the gold sentence before they are compared.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, cast

from quality.gold import TAGS, Gold
from training.scoring import score_spans
from wdw_build.adapters.kept_results import AnnotationStore, KeptResults
from wdw_build.adapters.page_tagger import PageTagger
from wdw_build.core.progress import Progress
from wdw_build.core.stage import CORPUS, Context, Stage
from wdw_build.core.store.output import Output
from wdw_build.ports import PAGE_TAGGER, Annotator, Block
from wdw_build.records import PERSON, FirstSentence, Mention, Question, RawArticle, Record, Rejection
from wdw_build.stages import ingest, names, questions, sentences

Spans = frozenset[tuple[int, int]]
# Both mean that the sentence has fewer than two persons; which one applies depends on the tagger.
_SAME_REASON = {"mentions-not-persons": "too-few-persons"}


@dataclass(frozen=True)
class Outcome:
    """A gold sentence, the persons that the tagger found and that the stage kept, and the question or rejection."""

    gold: Gold
    tagged: Spans
    kept: Spans
    made: Question | Rejection

    @property
    def asked(self) -> bool:
        """Whether the stage made a question."""
        return isinstance(self.made, Question)

    @property
    def right_decision(self) -> bool:
        """Whether the stage made a question if and only if the gold sentence has a blank."""
        return self.asked == (self.gold.blank is not None)

    @property
    def right_reason(self) -> bool:
        """Whether a rejection is right and has the gold reason."""
        if isinstance(self.made, Question) or self.gold.blank is not None:
            return False
        return _reason(self.made.reason) == _reason(self.gold.reason)

    @property
    def right_person(self) -> bool:
        """Whether the deleted person is the gold one; the span of the name may differ."""
        name = self.gold.name
        if not isinstance(self.made, Question) or name is None:
            return False
        start, end = placed(_at(self.made.name), self.made.sentence, self.gold.sentence)
        return start < name.end and name.start < end

    @property
    def right_span(self) -> bool:
        """Whether the blank has exactly the gold span."""
        blank = self.gold.blank
        if not isinstance(self.made, Question) or blank is None:
            return False
        return placed(_at(self.made.blank), self.made.sentence, self.gold.sentence) == _at(blank)

    @property
    def persons(self) -> Spans:
        """The spans of the gold persons."""
        return frozenset(map(_at, self.gold.persons))

    @property
    def all_right(self) -> bool:
        """Whether the tagged persons and the question or rejection reason are all right."""
        return self.tagged == self.persons and (self.right_span or self.right_reason)


def _reason(reason: str) -> str:
    return _SAME_REASON.get(reason, reason)


def _at(mention: Mention) -> tuple[int, int]:
    return mention.start, mention.end


def placed(span: tuple[int, int], text: str, sentence: str) -> tuple[int, int]:
    """Map a span of ``text`` to ``sentence``; (-1, -1) if its first or last character is not in ``sentence``."""
    shift = sentence.find(text)
    if shift >= 0:
        return span[0] + shift, span[1] + shift
    blocks = SequenceMatcher(None, text, sentence, autojunk=False).get_matching_blocks()
    places = {block.a + at: block.b + at for block in blocks for at in range(block.size)}
    if span[0] not in places or span[1] - 1 not in places:
        return -1, -1
    return places[span[0]], places[span[1] - 1] + 1


@dataclass(frozen=True)
class _Reader:
    """``CorpusReader`` of gold sentences, each as an article of one paragraph."""

    golds: Sequence[Gold]
    identity: str = "gold"

    def blocks(self) -> list[Block]:
        return [Block()]

    def read(self, block: Block | None = None) -> Iterator[RawArticle]:
        for gold in self.golds:
            yield RawArticle(
                place=gold.id,
                id=gold.id,
                date="2000-01-01",
                source="",
                kind="story",
                title="",
                dateline="",
                paragraphs=(gold.sentence,),
            )

    def size(self) -> int:
        return len(self.golds)

    def file_notes(self) -> list[str]:
        return []


@dataclass(frozen=True)
class _Ports:
    """``PortSource`` with one backend, and the tagger of page text."""

    port: Any
    pages: PageTagger = field(default_factory=PageTagger)

    def get(self, port: str) -> Any:
        return self.pages if port == PAGE_TAGGER else self.port

    def identity(self, port: str) -> str:
        return str(self.get(port).identity)

    def check(self, port: str) -> None:
        pass

    def preload(self, ports: Sequence[str]) -> None:
        pass

    def take_devices(self, ports: Sequence[str]) -> tuple[str, ...]:
        return ()


def outcomes(golds: Sequence[Gold], tagger: Annotator) -> list[Outcome]:
    """Run the stages on all gold sentences."""
    reader, stores = _Reader(golds), dict[str, _Stored]()
    with tempfile.TemporaryDirectory() as folder:
        annotations = AnnotationStore(KeptResults(Path(folder, "kept")), tagger)
        for stage, port in (
            (ingest.STAGE, reader),
            (sentences.STAGE, annotations),
            (names.STAGE, tagger),
            (questions.STAGE, annotations),
        ):
            inputs = list(stores[stage.reads[0]].records() if stage.reads else reader.read())
            stores[stage.name] = _Stored(_ran(stage, inputs, stores, port, Path(folder)), Path(folder))
    made = {name: result for stored in stores.values() for name, result in stored.ended.items()}
    tagged = [_tagged(stores["sentences"].find(gold.id), gold.sentence) for gold in golds]
    return [
        Outcome(gold, spans, _kept(gold.sentence, spans, made[gold.id]), made[gold.id])
        for gold, spans in zip(golds, tagged, strict=True)
    ]


@dataclass(frozen=True)
class _Stored:
    """The output of a stage in memory, as the next stages read it."""

    results: Mapping[str, Record | Rejection]
    folder: Path

    @property
    def ended(self) -> dict[str, Question | Rejection]:
        """The questions and rejections."""
        return {name: one for name, one in self.results.items() if isinstance(one, Question | Rejection)}

    def find(self, record_id: str) -> Any:
        found = self.results.get(record_id)
        return None if isinstance(found, Rejection) else found

    def records(self) -> Iterator[Any]:
        return (one for one in self.results.values() if not isinstance(one, Rejection))


# A sentence alone is no document whose kind or page text could be judged. The sets were labelled by the paper's rule: a sentence
# names two persons.
_SECTIONS = {
    ingest.STAGE.name: ingest.STAGE.config(judge_kinds=False, mark_page_text=False, reject_copies=False),
    questions.STAGE.name: questions.STAGE.config(min_persons=2),
}


def _ran(
    stage: Stage, inputs: Sequence[Any], stores: Mapping[str, _Stored], port: Any, folder: Path
) -> dict[str, Record | Rejection]:
    context = Context(
        seed=0,
        inputs=cast("Mapping[str, Output]", stores),
        folder=folder,
        ports=_Ports(port),
        progress=Progress(),
        results=lambda _: (folder,),
    )
    config = _SECTIONS.get(stage.name, stage.config())
    for step in [one for one in stage.steps if not one.after]:
        step.run(iter(inputs if step.over == CORPUS else ()), config, context)
    results = {result.id: result for result in stage.run(iter(inputs), config, context)}
    for step in [one for one in stage.steps if one.after]:
        step.run(iter(()), config, context)
    return results


def _tagged(first: FirstSentence | None, sentence: str) -> Spans:
    """The tagger's persons as spans in the gold sentence; none if the stage found no sentence."""
    if first is None:
        return frozenset()
    persons = (name for name in first.names if name.kind == PERSON)
    spans = ((first.spans[name.start][0], first.spans[name.end - 1][1]) for name in persons)
    return frozenset(placed(span, first.text, sentence) for span in spans)


def _kept(sentence: str, tagged: Spans, made: Any) -> Spans:
    refused = {refusal.name for refusal in made.refused if refusal.rule == "not-a-person"}
    return frozenset(span for span in tagged if sentence[slice(*span)] not in refused)


def _share(right: int, of: int) -> float:
    return round(right / of, 4) if of else 0.0


def _names(prefix: str, pairs: Iterable[tuple[Spans, Spans]]) -> dict[str, float]:
    """Precision, recall and F1 of pairs of found and gold spans."""
    score = score_spans((gold, found) for found, gold in pairs)
    rates = {"precision": score.precision, "recall": score.recall, "f1": score.f1}
    return {f"{prefix}_{name}": round(rate, 4) for name, rate in rates.items()}


def figures(found: Sequence[Outcome], *, reasons: bool = True) -> dict[str, float]:
    """All figures of a set of outcomes.

    ``right_person`` and ``right_span`` are shares of the questions made from sentences with a gold blank;
    ``blank_precision`` and ``blank_recall``, shares of right spans in all questions made and in all gold blanks. ``reason``
    is the share of right reasons among right rejections; it is left out without ``reasons``.
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
        **({"reason": _share(sum(one.right_reason for one in refused), len(refused))} if reasons else {}),
        "right_person": _share(sum(one.right_person for one in both), len(both)),
        "right_span": _share(spans, len(both)),
        "blank_precision": _share(spans, len(asked)),
        "blank_recall": _share(spans, len(wanted)),
    }


def by_tag(found: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The figures and the number of the sentences with each tag."""
    groups = {tag: [one for one in found if tag in one.gold.tags] for tag in sorted(TAGS)}
    return {tag: {"sentences": float(len(group)), **figures(group)} for tag, group in groups.items()}
