"""choices: tries the ranked candidates as passages, and builds the choices (Algorithm 2).

The paper takes the first usable passage. By default an article gets several alternatives, of which ``suppress`` selects one:
each usable passage with each blank of the question and, where a passage has too many persons, with several sets of choices.

The stage works in rounds. Each round annotates the next candidate passage of every open question in one batch, and tries it
for each blank. A question is open until it has ``max_alternatives`` alternatives, one of them for its first blank, or no
candidate is left. Annotations are stored, so no article is annotated twice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, blocks, by_seed
from wdw_build.ports import ANNOTATIONS, SENTENCE_ENCODER, SENTENCE_SPLITTER, StoresResults
from wdw_build.records import (
    Alternative,
    Annotation,
    Article,
    Candidate,
    CandidatePassage,
    Choice,
    Mention,
    ProblemAlternatives,
    Question,
    Record,
    Rejection,
    Retrieval,
)
from wdw_build.similarity.evidence import Case, EvidenceScorer
from wdw_build.stages.choices.rules import RULES, Refused, choice_sets, deleted_name, eligible, entities
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.persons import Entity
from wdw_build.text.passages.same_event import read_frequencies
from wdw_build.text.settings import ChoicesConfig

_BLOCK = 64
# Passages of which a process keeps the persons. Questions of the same days try the same passages.
_PASSAGES = 512


@dataclass
class _OpenQuestion:
    """A question, the valid candidates that remain to try by article, and what came of those that were tried.

    ``names`` are the deleted names of the blanks. ``alternatives`` have the ranks of their candidates, which count for each
    blank apart.
    """

    question: Question
    blanks: list[Question]
    names: list[str]
    remaining: list[list[Candidate]]
    passages: list[CandidatePassage] = field(default_factory=list)
    alternatives: list[tuple[int, Alternative]] = field(default_factory=list)
    refused: list[Candidate] = field(default_factory=list)

    @staticmethod
    def of(question: Question, names: list[str], candidates: Iterable[Candidate]) -> _OpenQuestion:
        """The question with its valid candidates; those with the same article are tried together.

        An article has the rank that it has for its first blank, so that the first blank's passages are tried in their order.
        """
        by_article: dict[str, list[Candidate]] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate.blank):
            if not candidate.rule:
                by_article.setdefault(candidate.article, []).append(candidate)
        ranked = sorted(by_article.values(), key=lambda tried: (tried[0].rank, tried[0].blank))
        return _OpenQuestion(question, question.each_blank(), names, ranked)

    def next_candidates(self, max_alternatives: int) -> list[Candidate]:
        """Remove and return the candidates with the article to try next; empty if the question is settled.

        With enough alternatives, only the paper's alternative, that of the first blank, is still looked for.
        """
        if len(self.alternatives) >= max_alternatives:
            has_first = any(alternative.blank == 0 for _, alternative in self.alternatives)
            of_first = ([candidate for candidate in tried if candidate.blank == 0] for tried in self.remaining)
            self.remaining = [] if has_first else list(filter(None, of_first))
        return self.remaining.pop(0) if self.remaining else []

    def add(self, tried: _Tried, least: float) -> None:
        """Add the alternatives of a passage, and refuse each candidate of which none has an evidence score of ``least``."""
        number, added = len(self.passages), list[tuple[int, Alternative]]()
        for candidate, alternatives in tried.by_candidate:
            scores = [alternative.evidence_score or 0.0 for alternative in alternatives]
            if max(scores) < least:
                refused = msgspec.structs.replace(candidate, rule="undecided", detail=f"{max(scores):.3f}")
                self.refused.append(refused)
            added += (
                (candidate.rank, msgspec.structs.replace(alternative, passage=number))
                for alternative, score in zip(alternatives, scores, strict=True)
                if score >= least
            )
        if added:
            self.passages.append(tried.passage)
            self.alternatives += added

    def result(self, max_alternatives: int) -> Record | Rejection:
        """The alternatives by blank and rank, or the rejection of a question without any."""
        if self.alternatives:
            alternatives = [
                alternative for _, alternative in sorted(self._first_found(max_alternatives), key=_blank_and_rank)
            ]
            used = sorted({alternative.passage for alternative in alternatives})
            return ProblemAlternatives(
                id=self.question.id,
                question=self.question,
                passages=tuple(self.passages[passage] for passage in used),
                alternatives=tuple(
                    msgspec.structs.replace(alternative, passage=used.index(alternative.passage))
                    for alternative in alternatives
                ),
                refused=tuple(self.refused),
            )
        refused = tuple(self.refused)
        return Rejection(id=self.question.id, reason="no-usable-passage", detail=refused[0].rule, candidates=refused)

    def _first_found(self, max_alternatives: int) -> list[tuple[int, Alternative]]:
        """The alternatives that were found first, for all blanks, and the paper's alternative in any case."""
        of_paper = min(self.alternatives, key=_blank_and_rank)
        first = self.alternatives[:max_alternatives]
        return first if of_paper in first else [*first[:-1], of_paper]


def _blank_and_rank(ranked: tuple[int, Alternative]) -> tuple[int, int]:
    rank, alternative = ranked
    return alternative.blank, rank


@functools.lru_cache(_PASSAGES)
def _entities_of_passage(text: str, tagged: tuple[Mention, ...], config: ChoicesConfig, names: Path) -> list[Entity]:
    """The persons of a passage, shared by all questions of a process that try it. ``names``: the folder of the evidence."""
    return entities(text, tagged, config, read_names(names))


@dataclass
class _Tried:
    """What came of a passage for a question: the alternatives of each candidate that is usable."""

    question: _OpenQuestion
    article: Article
    passage: CandidatePassage
    by_candidate: list[tuple[Candidate, list[Alternative]]]

    def cases(self) -> Iterator[Case]:
        """Yield what the evidence score reads of each alternative."""
        for candidate, alternatives in self.by_candidate:
            question = self.question.blanks[candidate.blank]
            for alternative in alternatives:
                choices = [self.passage.persons[number] for number in alternative.choices]
                yield Case(question, self.article, choices, alternative.answer)


def weighs_evidence(config: ChoicesConfig) -> bool:
    """Whether these settings need evidence scores, and therefore a sentence encoder."""
    return config.min_evidence > 0


def _evidence_scorer(context: Context) -> EvidenceScorer:
    """The scorer, kept with its texts for the questions of later shards, which have the same passages."""
    if "scorer" not in context.kept:
        split, frequencies = context.port(SENTENCE_SPLITTER).sentences, read_frequencies(context.inputs["index"].folder)
        context.kept["scorer"] = EvidenceScorer(context.port(SENTENCE_ENCODER), split, frequencies)
    scorer: EvidenceScorer = context.kept["scorer"]
    return scorer


def _passage(candidate: Candidate, annotation: Annotation, persons: Sequence[Entity]) -> CandidatePassage:
    return CandidatePassage(
        article=candidate.article,
        date=candidate.date,
        window=candidate.window,
        score=candidate.score,
        event_score=candidate.event,
        tokens=annotation.tokens,
        token_layout=annotation.token_layout,
        persons=tuple(Choice(name=person.name, mentions=tuple(person.mentions)) for person in persons),
    )


class _Solver:
    """Finds the passages of a block of questions, in rounds."""

    def __init__(self, config: ChoicesConfig, context: Context) -> None:
        self._config, self._context = config, context
        self._annotations = context.port(ANNOTATIONS)
        self._names = context.inputs["names"].folder
        self._evidence = read_names(self._names)
        self._scorer = _evidence_scorer(context) if weighs_evidence(config) else None

    def solve(self, retrievals: list[Retrieval]) -> Iterator[Record | Rejection]:
        """Yield the alternatives or the rejection of each question, in the order of ``retrievals``."""
        most = self._config.max_alternatives
        questions = [self._open(retrieval) for retrieval in retrievals]
        while tried := [
            (question, candidates) for question in questions if (candidates := question.next_candidates(most))
        ]:
            ids = dict.fromkeys(candidates[0].article for _, candidates in tried)
            articles = {article: self._context.find("ingest", article) for article in ids}
            annotations = self._annotations.annotate(list(articles.values()))
            results = list[_Tried]()
            for question, candidates in tried:
                article = articles[candidates[0].article]
                results.append(self._try(question, candidates, article, annotations[article.id]))
            self._weigh(results)
            for passage in results:
                passage.question.add(passage, self._config.min_evidence)
        for question in questions:
            yield question.result(most)

    def _open(self, retrieval: Retrieval) -> _OpenQuestion:
        question = self._context.find("questions", retrieval.id)
        text = self._context.find("ingest", retrieval.id).text
        names = [deleted_name(blank, text, self._config, self._evidence) for blank in question.each_blank()]
        return _OpenQuestion.of(question, names, retrieval.candidates)

    def _try(
        self, question: _OpenQuestion, candidates: list[Candidate], article: Article, annotation: Annotation
    ) -> _Tried:
        """The alternatives that a passage gives; ``candidates`` has the passage once for each blank that it may answer."""
        persons = _entities_of_passage(article.text, annotation.persons, self._config, self._names)
        number_of = {id(person): number for number, person in enumerate(persons)}
        tried = _Tried(question, article, _passage(candidates[0], annotation, persons), [])
        for candidate in candidates:
            blank, name = question.blanks[candidate.blank], question.names[candidate.blank]
            usable = eligible(blank, name, persons, self._config, self._evidence, article.text)
            if isinstance(usable, Refused):
                question.refused.append(msgspec.structs.replace(candidate, rule=usable.rule, detail=usable.detail))
                continue
            alternatives = list[Alternative]()
            for name, choices in choice_sets(question.question.id, usable, self._config, self._context.seed):
                is_part = len(choices) < len(usable.persons)
                alternative = Alternative(
                    blank=candidate.blank,
                    passage=0,
                    choice_set=name,
                    choices=tuple(number_of[id(person)] for person in choices),
                    answer=next(index for index, person in enumerate(choices) if person is usable.answer),
                    eligible=tuple(number_of[id(person)] for person in usable.persons) if is_part else (),
                )
                alternatives.append(alternative)
            tried.by_candidate.append((candidate, alternatives))
        return tried

    def _weigh(self, tried: Sequence[_Tried]) -> None:
        """Give the alternatives their evidence scores, which are computed together."""
        if self._scorer is None:
            return
        scores = iter(self._scorer.scores([case for passage in tried for case in passage.cases()]))
        for passage in tried:
            for _, alternatives in passage.by_candidate:
                alternatives[:] = [
                    msgspec.structs.replace(alternative, evidence_score=next(scores)) for alternative in alternatives
                ]


def run(inputs: Iterator[Retrieval], config: ChoicesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Annotate candidate passages in rank order, and build the choices of every alternative (Algorithm 2)."""
    solver = _Solver(config, context)
    for retrievals in blocks(inputs, _BLOCK):
        yield from solver.solve(retrievals)
    context.port(ANNOTATIONS).flush()
    if weighs_evidence(config) and isinstance(encoder := context.port(SENTENCE_ENCODER), StoresResults):
        encoder.flush()


STAGE = Stage(
    name="choices",
    version=17,
    reads=("retrieve", "questions", "names", "ingest", "index"),
    writes=ProblemAlternatives,
    config=ChoicesConfig,
    run=run,
    shares={SEED: by_seed},
    ports=(ANNOTATIONS, SENTENCE_SPLITTER, SENTENCE_ENCODER),
    conditions={SENTENCE_SPLITTER: weighs_evidence, SENTENCE_ENCODER: weighs_evidence},
    block=_BLOCK,  # a result depends on one question only
    reasons={"no-usable-passage": Rule("a rule of choices refused every valid candidate")},
    rules={
        **RULES,
        "undecided": Rule(
            "the evidence score is below choices.min_evidence",
            ("min_evidence",),
            looser={"min_evidence": -0.1},
        ),
    },
)
