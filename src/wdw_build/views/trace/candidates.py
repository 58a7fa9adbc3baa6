"""The search, the candidates with the result of every test, the persons of articles, and the questions that tried an article."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from wdw_build.adapters.annotation_store import stored_annotation
from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.store import jsonl
from wdw_build.core.store.manifest import REJECTIONS
from wdw_build.dataset import History, Run
from wdw_build.records import (
    Alternative,
    Article,
    Candidate,
    Mention,
    Problem,
    ProblemAlternatives,
    Question,
    Refusal,
    Rejection,
    Retrieval,
)
from wdw_build.stages.choices.rules import Refused, deleted_name, eligible, entities, in_question
from wdw_build.stages.retrieve import searched_names
from wdw_build.text.names.boundaries import join_adjacent
from wdw_build.text.names.entities import Entity, refusals
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.name_table import read_names
from wdw_build.text.passages.validity import CandidateDiagnostics, diagnose
from wdw_build.views.trace import records

R = TypeVar("R", Retrieval, Rejection)
# An article and the number of the blank for which it was found.
Found = tuple[str, int]


def query(question: Question, config: RetrieveConfig) -> records.IndexQuery:
    """The searches that ``retrieve`` runs for a question: one for each blank, which differ in the names."""
    first, *more = (tuple(searched_names(one, config)) for one in question.each_blank())
    return records.IndexQuery(
        sentence=question.sentence,
        match=config.name_match,
        names=first,
        more_names=tuple(more),
        windows=tuple(config.windows),
    )


# ---- candidates -------------------------------------------------------------------------------------------------------


class _Tried(NamedTuple):
    """What ``choices`` made of the candidates of one question.

    ``refused``: the candidates that it refused, in the order of trial. ``usable``: the number of alternatives with each
    passage. ``passage``: that of the problem; None if there is none, or if the record has fewer alternatives.
    """

    refused: dict[Found, Candidate]
    usable: Counter[Found]
    passage: Found | None


def _tried(record: ProblemAlternatives | None, rejection: Rejection | None, problem: Problem | None) -> _Tried:
    refused = record.refused if record else rejection.candidates if rejection else ()
    alternatives, passage = record.alternatives if record else (), None
    if problem is not None and problem.alternative < len(alternatives):
        passage = problem.passage.article, alternatives[problem.alternative].blank
    return _Tried(
        {(candidate.article, candidate.blank): candidate for candidate in refused},
        Counter((record.passages[each.passage].article, each.blank) for each in alternatives) if record else Counter(),
        passage,
    )


def candidates(run: Run, history: History, problem: Problem | None) -> tuple[records.TracedCandidate, ...]:
    """Every candidate, in the order of trial, those of the first blank first."""
    question, article = history.record(run.questions), history.record(run.articles)
    outcome = history.record(run.retrievals) or history.rejection(run.retrievals)
    if question is None or article is None or outcome is None:
        return ()
    config, splitter = run.retrievals.settings, PunktSplitter()
    tests = [diagnose(one, article, config, splitter.sentences) for one in question.each_blank()]
    tried = _tried(history.record(run.all_alternatives), history.rejection(run.all_alternatives), problem)
    return tuple(
        _candidate(run, candidate, tried, question.with_blank(candidate.blank), tests[candidate.blank])
        for candidate in outcome.candidates
    )


def _candidate(
    run: Run, candidate: Candidate, tried: _Tried, question: Question, tests: Callable[[Article], CandidateDiagnostics]
) -> records.TracedCandidate:
    found = candidate.article, candidate.blank
    outcome = tried.refused.get(found, candidate)
    article = run.articles.find(candidate.article)
    diagnostics = tests(article) if article else None
    again = diagnostics.rule or "valid" if diagnostics else ""
    # Event scores are not computed again.
    disagrees = again not in ("", candidate.rule or "valid") and candidate.rule != "other-event"
    return records.TracedCandidate.like(
        candidate,
        deleted=question.name.text,
        title=article.title if article else "",
        rule=outcome.rule,
        detail=outcome.detail,
        meaning=run.meaning(outcome.rule),
        stage=run.all_alternatives.name if found in tried.refused else run.retrievals.name if candidate.rule else "",
        passage=found == tried.passage,
        alternatives=tried.usable[found],
        tests=diagnostics and _test_results(diagnostics),
        note=f"the tests of this version say {again}: another version wrote the record" if disagrees else "",
    )


def _test_results(diagnostics: CandidateDiagnostics) -> records.CandidateTests:
    return records.CandidateTests(
        overlap=round(diagnostics.overlap, 4),
        overlap_sentence=diagnostics.sentence[:300],
        left_context=diagnostics.left,
        right_context=diagnostics.right,
        other_persons=diagnostics.persons,
        reprint=round(diagnostics.reprint, 4),
        figures=round(diagnostics.figures, 4),
    )


def mentions(problem: Problem) -> tuple[tuple[int, int, int], ...]:
    """Start, end and number of the choice (from 1) of each mention of a choice, in characters of the passage."""
    numbered = ((span, number) for number, choice in enumerate(problem.choices, 1) for span in choice.mentions)
    return tuple(sorted((span.start, span.end, number) for span, number in numbered))


def passage(problem: Problem) -> records.TracedPassage:
    """The passage with the mentions of the choices."""
    return records.TracedPassage.like(problem.passage, mentions=mentions(problem))


def trials(run: Run, article: str, advance: Callable[[int], None]) -> tuple[records.PassageTrial, ...]:
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

    retrievals = (lines_with_article(output.folder / part.name, Retrieval) for part in output.manifest.parts)
    outcomes: Iterator[Retrieval | Rejection] = chain(
        *retrievals, lines_with_article(output.folder / REJECTIONS, Rejection)
    )
    return tuple(trial for outcome in outcomes for trial in _trials(run, outcome, article))


def _trials(run: Run, outcome: Retrieval | Rejection, article: str) -> Iterator[records.PassageTrial]:
    """The trials of an article for each blank of one question."""
    record = run.all_alternatives.find(outcome.id)
    rejection = next(iter(run.all_alternatives.rejections_of(outcome.id)), None)
    tried = _tried(record, rejection, run.problem_of(record) if record else None)
    for candidate in outcome.candidates:
        if candidate.article != article:
            continue
        found = (article, candidate.blank)
        final = tried.refused.get(found, candidate)
        rule, detail = final.rule, final.detail
        if not rule and not tried.usable[found]:
            rule, detail = "not-tried", "earlier candidates gave enough alternatives"
        yield records.PassageTrial.like(
            candidate,
            question=outcome.id,
            rule=rule,
            detail=detail,
            alternatives=tried.usable[found],
            chosen=found == tried.passage,
        )


# ---- persons ----------------------------------------------------------------------------------------------------------


def tried_persons(run: Run, history: History, problem: Problem | None) -> tuple[records.PassagePersons, ...]:
    """The persons of the candidates that ``choices`` refused for every blank, and of the problem's passage, which is last.

    Skips articles without a stored annotation.
    """
    question, record = history.record(run.questions), history.record(run.all_alternatives)
    if question is None or not run.all_alternatives.exists:
        return ()
    refused, _, found = _tried(record, history.rejection(run.all_alternatives), problem)
    usable = {passage.article for passage in record.passages} if record else set()
    # Article -> the question with the first blank for which a rule refused the article, and no alternative.
    tried: dict[str, tuple[Question, Alternative | None]] = {}
    for name, blank in refused:
        if name not in usable:
            tried.setdefault(name, (question.with_blank(blank), None))
    if record is not None and problem is not None and found is not None:
        tried[found[0]] = (question.with_blank(found[1]), record.alternatives[problem.alternative])
    persons_by_article = (
        _persons(run, asked, article, alternative)
        for name, (asked, alternative) in tried.items()
        if (article := run.articles.find(name))
    )
    return tuple(persons for persons in persons_by_article if persons)


def _persons(
    run: Run, question: Question, article: Article, alternative: Alternative | None
) -> records.PassagePersons | None:
    """The persons of one article; None if its annotation is not stored. Without an alternative, a rule refused the article."""
    output, config = run.all_alternatives.output, run.all_alternatives.settings
    identity = output.manifest.ingredients.backends.get("annotations", "")
    annotation = stored_annotation(output.folder.parents[1] / "annotations.sqlite", identity, article)
    if annotation is None:
        return None
    evidence = read_names(run.counted_names.output.folder)
    passage_entities = entities(article.text, annotation.persons, config, evidence)
    refused = Refused("")
    if alternative is None:
        own = run.articles.find(question.id)
        name = deleted_name(question, own.text, config, evidence) if own else question.name.text
        found = eligible(question, name, passage_entities, config, evidence)
        refused = found if isinstance(found, Refused) else refused
    return records.PassagePersons(
        article=article.id,
        rule=refused.rule,
        detail=refused.detail,
        persons=tuple(
            _person(article, entity, index, alternative, in_question(entity.name, question, config, evidence))
            for index, entity in enumerate(passage_entities)
        ),
        no_persons=_not_persons(article, join_adjacent(annotation.persons, article.text), passage_entities, evidence),
    )


def _person(
    article: Article, entity: Entity, index: int, alternative: Alternative | None, shown: bool
) -> records.PassagePerson:
    """``index``: the place of the person among the persons of the article; ``shown``: whether the question names the person."""
    choices = alternative.choices if alternative else ()
    number = choices.index(index) + 1 if index in choices else 0
    not_in_set = alternative is not None and index in alternative.eligible and not number
    forms = Counter(" ".join(article.text[mention.start : mention.end].split()) for mention in entity.mentions)
    return records.PassagePerson(
        name=entity.name,
        written=tuple(records.NameForm(form=form, count=count) for form, count in forms.items()),
        number=number,
        answer=alternative is not None and number == alternative.answer + 1,
        left_out="the question shows this person" if shown else "not in the set of choices" if not_in_set else "",
    )


def _not_persons(
    article: Article, mentions: list[Mention], persons: Iterable[Entity], evidence: NameEvidence
) -> tuple[Refusal, ...]:
    """The first refusal of each tagged name, unless the refused mention belongs to a person."""
    of_persons = {(mention.start, mention.end) for person in persons for mention in person.mentions}
    refused: dict[str, Refusal] = {}
    for mention, why in zip(mentions, refusals(mentions, article.text, evidence), strict=True):
        if why and (mention.start, mention.end) not in of_persons:
            refused.setdefault(mention.text, Refusal(name=mention.text, rule="not-a-person", detail=why))
    return tuple(refused.values())
