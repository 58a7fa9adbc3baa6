"""choices: selects the passage from the ranked candidates, and builds its choices (Algorithm 2).

The stage works in rounds. Each round annotates the next candidate of every open question in one batch, and tries it. If a
candidate is refused, its question tries the next candidate in the next round. Annotations are stored, so no article is
annotated twice.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.core.config.settings import ChoicesConfig
from wdw_build.core.hashing import uniform_hash
from wdw_build.core.stage import Context, ExpectedCost, Funnel, Stage, Step, Trial, blocks
from wdw_build.core.store.name_table import read_names
from wdw_build.ports import ANNOTATIONS
from wdw_build.records import (
    Annotation,
    Article,
    Candidate,
    Choice,
    Mention,
    Passage,
    Problem,
    Question,
    Record,
    Rejection,
    Retrieval,
)
from wdw_build.text.names.entities import (
    Entity,
    group,
    is_another_form,
    join_adjacent,
    only_persons,
    widen,
    without_other_forms,
)
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import are_namesakes, identifying_tokens, same_person, shares_word
from wdw_build.text.passages.overlap import holds_run
from wdw_build.text.tokens import words

_BLOCK = 64
# Passages of which a process keeps the persons. Questions of the same days try the same passages.
_PASSAGES = 512


@dataclass
class _OpenQuestion:
    """A question without a passage yet, the valid candidates that remain to try, and those that were refused."""

    question: Question
    remaining: list[Candidate]
    refused: list[Candidate] = field(default_factory=list)


@dataclass(frozen=True)
class Refused:
    """The rule that refuses a candidate as the passage, and its evidence."""

    rule: str
    detail: str = ""


class Chosen(NamedTuple):
    """The choices in the order of their first mention, the index of the answer, and the persons that they were drawn from.

    ``persons`` is empty if every person of the passage is a choice.
    """

    choices: list[Entity]
    answer: int
    persons: list[Entity]


def entities(
    text: str, tagged: Sequence[Mention], config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of a text with tagged mentions, in the order of their first mention."""
    mentions = join_adjacent(tagged, text)
    if config.merge_forms:
        mentions = widen(mentions, text, evidence)
    if config.refuse_non_persons:
        mentions = only_persons(mentions, text, evidence)
    persons = group(mentions)
    return without_other_forms(persons, text) if config.merge_forms else persons


@functools.lru_cache(_PASSAGES)
def _entities_of_passage(text: str, tagged: tuple[Mention, ...], config: ChoicesConfig, names: Path) -> list[Entity]:
    """See ``entities``. The result is shared by all questions of a process that try the passage; ``names`` holds the evidence."""
    return entities(text, tagged, config, read_names(names))


def choose(
    question: Question, persons: list[Entity], config: ChoicesConfig, seed: int, evidence: NameEvidence = NO_EVIDENCE
) -> Chosen | Refused:
    """The choices among the persons of a passage, or the rule that refuses it. ``seed`` is the seed of the run."""
    kept = [entity for entity in persons if not in_question(entity.name, question, config, evidence)]
    name = question.name.text
    matching = [entity for entity in kept if shares_word(entity.name, name)]
    if len(matching) > 1 and _ambiguous(name, matching):
        return Refused("ambiguous-answer", "; ".join(entity.name for entity in matching))
    answers = [entity for entity in matching if same_person(entity.name, name)]
    if len(answers) != 1:
        return Refused("answer-not-a-choice", "; ".join(entity.name for entity in kept)[:300])
    if len(kept) < config.min_choices:
        return Refused("too-few-choices", str(len(kept)))
    if len(kept) <= config.max_choices:
        return Chosen(kept, kept.index(answers[0]), [])
    if config.above_max == "refuse":
        return Refused("too-many-choices", str(len(kept)))
    drawn = _drawn(question.id, kept, answers[0], config.max_choices, seed)
    return Chosen(drawn, drawn.index(answers[0]), kept)


def _drawn(problem: str, persons: list[Entity], answer: Entity, most: int, seed: int) -> list[Entity]:
    """The answer and ``most - 1`` other persons, in the order of ``persons``; a draw depends on seed, problem and name only."""
    others = [person for person in persons if person is not answer]
    others.sort(key=lambda person: (uniform_hash(seed, "choices", f"{problem}\x1f{person.name}"), person.name))
    return [person for person in persons if person is answer or person in others[: most - 1]]


def in_question(name: str, question: Question, config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether the question still shows this name: as a person, as a mention refused as not a person, or word for word."""
    others = [other.text for other in question.others]
    if config.drop_shown_names:
        others += [refusal.name for refusal in question.refused if refusal.rule == "not-a-person"]
    for other in others:
        if shares_word(name, other) and not (config.keep_namesakes and are_namesakes(name, other)):
            return True
        if config.merge_forms and is_another_form(name, other, evidence):
            return True
    shown = words(name) if config.drop_shown_names else []
    return bool(shown) and any(holds_run(side, shown) for side in _words_beside_blank(question.left, question.right))


@functools.lru_cache(_BLOCK)
def _words_beside_blank(left: str, right: str) -> tuple[list[str], list[str]]:
    return words(left), words(right)


def _ambiguous(name: str, matching: list[Entity]) -> bool:
    """Whether two choices share an identifying word of the name."""
    choices = [identifying_tokens(entity.name) for entity in matching]
    return any(sum(word in choice for choice in choices) > 1 for word in identifying_tokens(name))


def _problem(
    open_question: _OpenQuestion, candidate: Candidate, article: Article, annotation: Annotation, chosen: Chosen
) -> Problem:
    passage = Passage.of(article, annotation.tokens, annotation.token_layout)
    return Problem(
        id=open_question.question.id,
        question=open_question.question,
        passage=passage,
        choices=_choices(chosen.choices),
        answer=chosen.answer,
        persons=_choices(chosen.persons),
        window=candidate.window,
        score=candidate.score,
        event_score=candidate.event,
        refused=tuple(open_question.refused),
    )


def _choices(persons: list[Entity]) -> tuple[Choice, ...]:
    return tuple(Choice(name=entity.name, mentions=tuple(entity.mentions)) for entity in persons)


class _Solver:
    """Finds the passages of a block of questions, in rounds."""

    def __init__(self, config: ChoicesConfig, context: Context) -> None:
        self._config, self._context = config, context
        self._annotations = context.port(ANNOTATIONS)
        self._names = context.inputs["names"].folder
        self._evidence = read_names(self._names)

    def solve(self, retrievals: list[Retrieval]) -> Iterator[Record | Rejection]:
        """Yield the problem or the rejection of each question, in the order of ``retrievals``."""
        results: dict[str, Record | Rejection] = {}
        remaining = [self._open(retrieval) for retrieval in retrievals]
        while remaining:
            tried = [(question, question.remaining.pop(0)) for question in remaining]
            articles = {candidate.article: self._context.find("ingest", candidate.article) for _, candidate in tried}
            annotations = self._annotations.annotate(list(articles.values()))
            remaining = []
            for question, candidate in tried:
                result = self._try(question, candidate, articles[candidate.article], annotations[candidate.article])
                if result is None:
                    remaining.append(question)
                else:
                    results[question.question.id] = result
        for retrieval in retrievals:
            yield results[retrieval.id]

    def _open(self, retrieval: Retrieval) -> _OpenQuestion:
        question: Question = self._context.find("questions", retrieval.id)
        return _OpenQuestion(question, [candidate for candidate in retrieval.candidates if not candidate.rule])

    def _try(
        self, open_question: _OpenQuestion, candidate: Candidate, article: Article, annotation: Annotation
    ) -> Record | Rejection | None:
        """The problem, the rejection if the last candidate is refused, or None if candidates remain."""
        question = open_question.question
        persons = _entities_of_passage(article.text, annotation.persons, self._config, self._names)
        chosen = choose(question, persons, self._config, self._context.seed, self._evidence)
        if not isinstance(chosen, Refused):
            return _problem(open_question, candidate, article, annotation, chosen)
        open_question.refused.append(msgspec.structs.replace(candidate, rule=chosen.rule, detail=chosen.detail))
        if open_question.remaining:
            return None
        refused = tuple(open_question.refused)
        return Rejection(id=question.id, reason="no-usable-passage", detail=refused[0].rule, candidates=refused)


def run(inputs: Iterator[Retrieval], config: ChoicesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield a problem or a rejection for every question with valid candidates."""
    solver = _Solver(config, context)
    for retrievals in blocks(inputs, _BLOCK):
        yield from solver.solve(retrievals)
    context.port(ANNOTATIONS).flush()


def _compact(_: Iterator[object], config: ChoicesConfig, context: Context) -> None:
    """Join the files in which the workers stored annotations."""
    context.port(ANNOTATIONS).compact()


STAGE = Stage(
    name="choices",
    version=5,
    reads=("retrieve", "questions", "names", "ingest"),
    writes=Problem,
    config=ChoicesConfig,
    run=run,
    after=(Step("compact", _compact),),
    ports=(ANNOTATIONS,),
    seeded=True,
    unit="questions",
    block=_BLOCK,  # a result depends on one question only
    funnel=Funnel("problems", key="problems"),
    # A question tries about two articles, and nine of ten questions with candidates get a passage.
    trial=Trial(least=8, needed=8, expected=ExpectedCost(articles=2.0, share=0.9)),
    summary="Annotate candidates in rank order and build the choices (Algorithm 2).",
    reasons={"no-usable-passage": "a rule of choices refused every valid candidate"},
    rules={
        "answer-not-a-choice": "the deleted person is not among the passage's persons",
        "ambiguous-answer": "a part of the deleted name matches two choices",
        "too-few-choices": "fewer choices than choices.min_choices",
        "too-many-choices": "more choices than choices.max_choices, and choices.above_max is refuse",
    },
    decided_by={"too-few-choices": ("min_choices",), "too-many-choices": ("max_choices", "above_max")},
)
