"""The candidates with the result of every test, the persons of those that were annotated, and the passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.adapters.annotation_store import stored_annotation
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.store import jsonl
from wdw_build.core.store.name_table import read_names
from wdw_build.core.store.rejection_index import REJECTIONS
from wdw_build.dataset import History, Run
from wdw_build.records import Article, Candidate, Mention, Question, Refusal, Rejection, Retrieval, Span
from wdw_build.stages.choices import Chosen, Refused, choose, entities, in_question
from wdw_build.text.names.entities import Entity, join_adjacent, refusals
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.matching import identifying_tokens, without_titles
from wdw_build.text.passages.validity import CandidateDiagnostics, diagnose
from wdw_build.views.trace.records import (
    CandidateTests,
    IndexQuery,
    NameForm,
    PassagePerson,
    PassagePersons,
    PassageTrial,
    TracedCandidate,
    TracedPassage,
)

R = TypeVar("R", Retrieval, Rejection)


def query(question: Question, config: RetrieveConfig) -> IndexQuery:
    """The search that ``retrieve`` runs for a question."""
    phrase = config.name_match == "phrase"
    names = [without_titles(question.name.text)] if phrase else sorted(identifying_tokens(question.name.text))
    return IndexQuery(
        sentence=question.sentence, match=config.name_match, names=tuple(names), windows=tuple(config.windows)
    )


# ---- candidates -------------------------------------------------------------------------------------------------------


def candidates(run: Run, history: History) -> tuple[TracedCandidate, ...]:
    """Every candidate, in the order of trial."""
    question, article = history.record(run.questions), history.record(run.articles)
    if question is None or article is None:
        return ()
    problem, retrieval = history.record(run.raw_problems), history.record(run.retrievals)
    outcome = retrieval or history.rejection(run.retrievals)
    config = run.retrievals.settings if run.retrievals.exists else RetrieveConfig()
    tests, refused_later = (
        diagnose(question, article, config, PunktSplitter().sentences),
        _refused_by_choices(run, history),
    )
    passage = problem.passage.article if problem else ""
    return tuple(
        _candidate(run, candidate, refused_later.get(candidate.article), passage, tests)
        for candidate in (outcome.candidates if outcome else ())
    )


def _refused_by_choices(run: Run, history: History) -> dict[str, Candidate]:
    """Article -> the candidate that ``choices`` refused, in the order of trial."""
    problem, rejection = history.record(run.raw_problems), history.rejection(run.raw_problems)
    refused = problem.refused if problem else rejection.candidates if rejection else ()
    return {candidate.article: candidate for candidate in refused}


def _candidate(
    run: Run,
    candidate: Candidate,
    refused_later: Candidate | None,
    passage: str,
    tests: Callable[[Article], CandidateDiagnostics],
) -> TracedCandidate:
    outcome = refused_later or candidate
    article = run.articles.find(candidate.article)
    diagnostics = tests(article) if article else None
    return TracedCandidate(
        rank=candidate.rank,
        article=candidate.article,
        date=candidate.date,
        title=article.title if article else "",
        window=candidate.window,
        score=candidate.score,
        event=candidate.event,
        rule=outcome.rule,
        detail=outcome.detail,
        meaning=run.meaning(outcome.rule),
        stage=run.raw_problems.name if refused_later else run.retrievals.name if candidate.rule else "",
        passage=candidate.article == passage,
        tests=_test_results(diagnostics) if diagnostics else None,
        note=_disagreement(candidate, diagnostics),
    )


def _test_results(diagnostics: CandidateDiagnostics) -> CandidateTests:
    return CandidateTests(
        overlap=round(diagnostics.overlap, 4),
        overlap_sentence=diagnostics.sentence[:300],
        left_context=diagnostics.left,
        right_context=diagnostics.right,
        other_persons=diagnostics.persons,
        reprint=round(diagnostics.reprint, 4),
        figures=round(diagnostics.figures, 4),
    )


def _disagreement(candidate: Candidate, diagnostics: CandidateDiagnostics | None) -> str:
    """A warning if the tests, run again, disagree with the record. Event scores are not computed again."""
    if diagnostics is None or diagnostics.rule == candidate.rule or candidate.rule == "other-event":
        return ""
    return f"the tests of this version say {diagnostics.rule or 'valid'}: another version wrote the record"


# ---- persons ----------------------------------------------------------------------------------------------------------


def persons(run: Run, history: History) -> tuple[PassagePersons, ...]:
    """The persons of the candidates that ``choices`` tried, the passage last. Skips articles without a stored annotation."""
    question, problem = history.record(run.questions), history.record(run.raw_problems)
    if question is None or not run.raw_problems.exists:
        return ()
    tried = [*_refused_by_choices(run, history), *([problem.passage.article] if problem else [])]
    articles = (article for name in tried if (article := run.articles.find(name)))
    persons_by_article = (_persons(run, question, article) for article in articles)
    return tuple(persons for persons in persons_by_article if persons)


def _persons(run: Run, question: Question, article: Article) -> PassagePersons | None:
    """The persons of one article; None if its annotation is not stored."""
    output, config = run.raw_problems.output, run.raw_problems.settings
    ingredients = output.manifest.ingredients
    identity, seed = ingredients.backends.get("annotations", ""), ingredients.seed
    annotation = stored_annotation(output.folder.parents[1] / "annotations", identity, article)
    if annotation is None:
        return None
    evidence = read_names(run.counted_names.output.folder)
    passage_entities = entities(article.text, annotation.persons, config, evidence)
    chosen = choose(question, passage_entities, config, seed, evidence)
    refused, persons = (chosen, Chosen([], -1, [])) if isinstance(chosen, Refused) else (Refused(""), chosen)
    return PassagePersons(
        article=article.id,
        rule=refused.rule,
        detail=refused.detail,
        persons=tuple(
            _person(article, entity, persons, in_question(entity.name, question, config, evidence))
            for entity in passage_entities
        ),
        no_persons=_not_persons(
            article,
            join_adjacent(annotation.persons, article.text),
            {(mention.start, mention.end) for entity in passage_entities for mention in entity.mentions},
            evidence,
        ),
    )


def _person(article: Article, entity: Entity, chosen: Chosen, shown: bool) -> PassagePerson:
    number = chosen.choices.index(entity) + 1 if entity in chosen.choices else 0
    not_drawn = entity in chosen.persons and not number
    return PassagePerson(
        name=entity.name,
        written=_forms(article, entity.mentions),
        number=number,
        answer=number > 0 and number == chosen.answer + 1,
        left_out="the question shows this person" if shown else "not drawn" if not_drawn else "",
    )


def _forms(article: Article, mentions: Iterable[Span]) -> tuple[NameForm, ...]:
    counts = Counter(" ".join(article.text[mention.start : mention.end].split()) for mention in mentions)
    return tuple(NameForm(form=form, count=count) for form, count in counts.items())


def _not_persons(
    article: Article, mentions: list[Mention], of_persons: set[tuple[int, int]], evidence: NameEvidence
) -> tuple[Refusal, ...]:
    """The first refusal of each tagged name, unless the refused mention belongs to a person."""
    refused: dict[str, Refusal] = {}
    for mention, why in zip(mentions, refusals(mentions, article.text, evidence), strict=True):
        if why and (mention.start, mention.end) not in of_persons:
            refused.setdefault(mention.text, Refusal(name=mention.text, rule="not-a-person", detail=why))
    return tuple(refused.values())


# ---- the passage ------------------------------------------------------------------------------------------------------


def passage(run: Run, history: History) -> TracedPassage | None:
    """The passage with the mentions of the choices."""
    problem = history.record(run.raw_problems)
    if problem is None:
        return None
    mentions = [
        (mention.start, mention.end, number)
        for number, choice in enumerate(problem.choices, 1)
        for mention in choice.mentions
    ]
    return TracedPassage(
        article=problem.passage.article,
        date=problem.passage.date,
        source=problem.passage.source,
        title=problem.passage.title,
        text=problem.passage.text,
        tokens=problem.passage.tokens,
        mentions=tuple(sorted(mentions)),
    )


def trials(run: Run, article: str, advance: Callable[[int], None]) -> tuple[PassageTrial, ...]:
    """Every question that tried the article as its passage, in the order of ``retrieve``.

    No index maps a passage to its questions, so this reads every line; ``advance`` is called with the number of lines
    read since its last call. Only lines that contain the article's id are decoded.
    """
    if not run.retrievals.exists:
        return ()
    output = run.retrievals.output
    wanted = b'"article":' + msgspec.json.encode(article)

    def lines_with_article(path: Path, kind: type[R]) -> Iterator[R]:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                advance(1)
                if wanted in line:
                    yield jsonl.decode(line, kind, f"{path}:{number}")

    trials = []
    for part in output.manifest.parts:
        trials += [
            _trial(run, outcome, article) for outcome in lines_with_article(output.folder / part.name, Retrieval)
        ]
    return (
        *trials,
        *(_trial(run, outcome, article) for outcome in lines_with_article(output.folder / REJECTIONS, Rejection)),
    )


def _trial(run: Run, outcome: Retrieval | Rejection, article: str) -> PassageTrial:
    candidate = next(candidate for candidate in outcome.candidates if candidate.article == article)
    problem, rule, detail = run.raw_problems.find(outcome.id), candidate.rule, candidate.detail
    chosen = problem is not None and problem.passage.article == article
    if not rule and not chosen:
        refused = problem.refused if problem else _rejected_candidates(run, outcome.id)
        later = next((other for other in refused if other.article == article), None)
        rule, detail = (later.rule, later.detail) if later else ("not-tried", "an earlier candidate became the passage")
    return PassageTrial(
        question=outcome.id,
        rank=candidate.rank,
        window=candidate.window,
        score=candidate.score,
        event=candidate.event,
        rule=rule,
        detail=detail,
        chosen=chosen,
    )


def _rejected_candidates(run: Run, question: str) -> tuple[Candidate, ...]:
    rejections = run.raw_problems.rejections_of(question)
    return tuple(candidate for rejection in rejections for candidate in rejection.candidates)
