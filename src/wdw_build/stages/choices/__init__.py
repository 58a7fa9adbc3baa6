"""choices: tries the ranked candidates as passages, and builds the choices (Algorithm 2).

The paper takes the first usable passage. By default an article gets several alternatives, of which ``suppress`` selects one:
each usable passage with each blank of the question and, where a passage has too many persons, with several sets of choices.

The stage works in rounds. Each round annotates the next candidate passage of every open question in one batch, and tries it
for each blank. A question is open until it has ``max_alternatives`` alternatives, one of them for its first blank, or no
candidate is left. Annotations are stored, so no article is annotated twice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from wdw_build.core.rule import Rule
from wdw_build.core.stage import SEED, Context, Stage, blocks, by_seed
from wdw_build.ports import ANNOTATIONS, PAGE_TAGGER, SENTENCE_ENCODER, SENTENCE_SPLITTER, StoresResults
from wdw_build.records import (
    Alternative,
    Annotation,
    Article,
    Candidate,
    CandidatePassage,
    Choice,
    Mention,
    ProblemAlternatives,
    Record,
    Rejection,
    Retrieval,
)
from wdw_build.stages.choices.attempts import OpenQuestion, Tried
from wdw_build.stages.choices.rules import RULES, Refused, choice_sets, deleted_name, eligible, entities
from wdw_build.text.names.evidence import read_names
from wdw_build.text.names.persons import Entity
from wdw_build.text.pages.doubt import DoubtReader
from wdw_build.text.passages.evidence import EvidenceScorer
from wdw_build.text.passages.same_event import read_frequencies
from wdw_build.text.settings import ChoicesConfig

_BLOCK = 64
# Passages of which a process keeps the persons. Questions of the same days try the same passages.
_PASSAGES = 512


@functools.lru_cache(_PASSAGES)
def _entities_of_passage(text: str, tagged: tuple[Mention, ...], config: ChoicesConfig, names: Path) -> list[Entity]:
    """The persons of a passage, shared by all questions of a process that try it. ``names``: the folder of the evidence."""
    return entities(text, tagged, config, read_names(names))


def weighs_evidence(config: ChoicesConfig) -> bool:
    """Whether these settings need evidence scores, and therefore a sentence encoder."""
    return config.min_evidence > 0


def doubts_pages(config: ChoicesConfig) -> bool:
    """Whether these settings need the tagger of page text."""
    return config.max_page_text < 1


def _doubt_reader(context: Context) -> DoubtReader:
    """The reader, kept with its doubts for the questions of later shards, which have the same passages."""
    if "pages" not in context.kept:
        tagger = context.port(PAGE_TAGGER)
        context.kept["pages"] = DoubtReader(tagger.probabilities, tagger.starts)
    reader: DoubtReader = context.kept["pages"]
    return reader


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
        self._pages = _doubt_reader(context) if doubts_pages(config) else None

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
            results = list[Tried]()
            for question, candidates in tried:
                article = articles[candidates[0].article]
                results.append(self._try(question, candidates, article, annotations[article.id]))
            self._weigh(results)
            for passage in results:
                passage.drop_undecided(self._config.min_evidence)
            self._refuse_page_text([passage for passage in results if passage.by_candidate])
            for passage in results:
                passage.question.add(passage)
        self._refuse_questions([question for question in questions if question.alternatives])
        for question in questions:
            yield question.result(most)

    def _open(self, retrieval: Retrieval) -> OpenQuestion:
        question = self._context.find("questions", retrieval.id)
        text = self._context.find("ingest", retrieval.id).text
        names = [deleted_name(blank, text, self._config, self._evidence) for blank in question.each_blank()]
        return OpenQuestion.of(question, names, retrieval.candidates)

    def _try(
        self, question: OpenQuestion, candidates: list[Candidate], article: Article, annotation: Annotation
    ) -> Tried:
        """The alternatives that a passage gives; ``candidates`` has the passage once for each blank that it may answer."""
        persons = _entities_of_passage(article.text, annotation.persons, self._config, self._names)
        number_of = {id(person): number for number, person in enumerate(persons)}
        tried = Tried(question, article, _passage(candidates[0], annotation, persons), [])
        for candidate in candidates:
            blank, name = question.blanks[candidate.blank], question.names[candidate.blank]
            usable = eligible(blank, name, persons, self._config, self._evidence, article.text)
            if isinstance(usable, Refused):
                question.refuse(candidate, usable.rule, usable.detail)
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

    def _refuse_page_text(self, tried: Sequence[Tried]) -> None:
        """Refuse the passages that probably have page text in them."""
        if self._pages is None:
            return
        of = self._pages.of_articles(passage.article for passage in tried)
        for passage in tried:
            doubt = of[passage.article.id]
            if doubt.probability > self._config.max_page_text:
                passage.refuse("page-text", doubt.evidence)

    def _refuse_questions(self, questions: Sequence[OpenQuestion]) -> None:
        """Note the page text in the sentences of questions that probably have it."""
        if self._pages is None:
            return
        asked = [
            (self._context.find("ingest", question.question.id), question.question.sentence) for question in questions
        ]
        for question, doubt in zip(questions, self._pages.of_sentences(asked), strict=True):
            if doubt.probability > self._config.max_page_text:
                question.page_text = doubt.evidence

    def _weigh(self, tried: Sequence[Tried]) -> None:
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
    version=26,
    reads=("retrieve", "questions", "names", "ingest", "index"),
    writes=ProblemAlternatives,
    config=ChoicesConfig,
    run=run,
    shares={SEED: by_seed},
    ports=(ANNOTATIONS, SENTENCE_SPLITTER, SENTENCE_ENCODER, PAGE_TAGGER),
    conditions={SENTENCE_SPLITTER: weighs_evidence, SENTENCE_ENCODER: weighs_evidence, PAGE_TAGGER: doubts_pages},
    block=_BLOCK,  # a result depends on one question only
    reasons={
        "no-usable-passage": Rule("a rule of choices refused every valid candidate"),
        "page-text-in-question": Rule("the sentence of the question probably has page text in it", ("max_page_text",)),
    },
    rules={
        **RULES,
        "undecided": Rule(
            "the evidence score is below choices.min_evidence",
            ("min_evidence",),
            looser={"min_evidence": -0.1},
        ),
        "page-text": Rule("the passage probably has page text in it", ("max_page_text",)),
    },
)
