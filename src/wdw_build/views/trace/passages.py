"""The candidates with the result of every test, the passage, and the questions that tried an article as their passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.adapters.punkt import PunktSplitter
from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.store import jsonl
from wdw_build.core.store.rejection_index import REJECTIONS
from wdw_build.dataset import History, Run
from wdw_build.records import (
    Article,
    Candidate,
    Problem,
    ProblemAlternatives,
    Question,
    Rejection,
    Retrieval,
)
from wdw_build.text.names.matching import identifying_tokens, without_titles
from wdw_build.text.passages.validity import CandidateDiagnostics, diagnose
from wdw_build.views.trace.records import (
    CandidateTests,
    IndexQuery,
    PassageTrial,
    TracedCandidate,
    TracedPassage,
)

R = TypeVar("R", Retrieval, Rejection)


def query(question: Question, config: RetrieveConfig) -> IndexQuery:
    """The searches that ``retrieve`` runs for a question: one for each blank, which differ in the names."""
    names, *more_names = (_names(one, config) for one in question.each_blank())
    return IndexQuery(
        sentence=question.sentence,
        match=config.name_match,
        names=names,
        more_names=tuple(more_names),
        windows=tuple(config.windows),
    )


def _names(question: Question, config: RetrieveConfig) -> tuple[str, ...]:
    if config.name_match == "phrase":
        return (without_titles(question.name.text),)
    return tuple(sorted(identifying_tokens(question.name.text)))


# ---- candidates -------------------------------------------------------------------------------------------------------


# An article and the number of the blank for which it was found.
Found = tuple[str, int]


def candidates(run: Run, history: History, problem: Problem | None) -> tuple[TracedCandidate, ...]:
    """Every candidate, in the order of trial, those of the first blank first."""
    question, article = history.record(run.questions), history.record(run.articles)
    if question is None or article is None:
        return ()
    record, retrieval = history.record(run.all_alternatives), history.record(run.retrievals)
    outcome = retrieval or history.rejection(run.retrievals)
    config = run.retrievals.settings if run.retrievals.exists else RetrieveConfig()
    splitter = PunktSplitter()
    tests = [diagnose(one, article, config, splitter.sentences) for one in question.each_blank()]
    refused_later = refused_by_choices(record, history.rejection(run.all_alternatives))
    usable = _usable(record)
    passage = found_passage(record, problem)
    return tuple(
        _candidate(
            run,
            candidate,
            refused_later.get((candidate.article, candidate.blank)),
            tests[candidate.blank],
            deleted=question.with_blank(candidate.blank).name.text,
            passage=(candidate.article, candidate.blank) == passage,
            alternatives=usable[candidate.article, candidate.blank],
        )
        for candidate in (outcome.candidates if outcome else ())
    )


def refused_by_choices(record: ProblemAlternatives | None, rejection: Rejection | None) -> dict[Found, Candidate]:
    """The candidates that ``choices`` refused, in the order of trial."""
    refused = record.refused if record else rejection.candidates if rejection else ()
    return {(candidate.article, candidate.blank): candidate for candidate in refused}


def _usable(record: ProblemAlternatives | None) -> Counter[Found]:
    """The number of alternatives with each passage and blank."""
    alternatives = record.alternatives if record else ()
    passages = record.passages if record else ()
    return Counter((passages[each.passage].article, each.blank) for each in alternatives)


def found_passage(record: ProblemAlternatives | None, problem: Problem | None) -> Found | None:
    """The passage and the blank of the problem; None if there is none, or if the record has fewer alternatives."""
    if record is None or problem is None or problem.alternative >= len(record.alternatives):
        return None
    return problem.passage.article, record.alternatives[problem.alternative].blank


def _candidate(
    run: Run,
    candidate: Candidate,
    refused_later: Candidate | None,
    tests: Callable[[Article], CandidateDiagnostics],
    *,
    deleted: str,
    passage: bool,
    alternatives: int,
) -> TracedCandidate:
    outcome = refused_later or candidate
    article = run.articles.find(candidate.article)
    diagnostics = tests(article) if article else None
    return TracedCandidate(
        rank=candidate.rank,
        blank=candidate.blank,
        deleted=deleted,
        article=candidate.article,
        date=candidate.date,
        title=article.title if article else "",
        window=candidate.window,
        score=candidate.score,
        event=candidate.event,
        rule=outcome.rule,
        detail=outcome.detail,
        meaning=run.meaning(outcome.rule),
        stage=run.all_alternatives.name if refused_later else run.retrievals.name if candidate.rule else "",
        passage=passage,
        alternatives=alternatives,
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


# ---- the passage ------------------------------------------------------------------------------------------------------


def passage(problem: Problem) -> TracedPassage:
    """The passage with the mentions of the choices."""
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

    trials: list[PassageTrial] = []
    for part in output.manifest.parts:
        for retrieval in lines_with_article(output.folder / part.name, Retrieval):
            trials += _trials(run, retrieval, article)
    for rejection in lines_with_article(output.folder / REJECTIONS, Rejection):
        trials += _trials(run, rejection, article)
    return tuple(trials)


def _trials(run: Run, outcome: Retrieval | Rejection, article: str) -> Iterator[PassageTrial]:
    """The trials of an article for each blank of one question."""
    record = run.all_alternatives.find(outcome.id)
    passage = found_passage(record, run.problem_of(record)) if record else None
    rejection = next(iter(run.all_alternatives.rejections_of(outcome.id)), None)
    refused, usable = refused_by_choices(record, rejection), _usable(record)
    for candidate in outcome.candidates:
        if candidate.article != article:
            continue
        found = (article, candidate.blank)
        rule, detail = candidate.rule, candidate.detail
        if later := refused.get(found):
            rule, detail = later.rule, later.detail
        elif not rule and not usable[found]:
            rule, detail = "not-tried", "earlier candidates gave enough alternatives"
        yield PassageTrial(
            question=outcome.id,
            rank=candidate.rank,
            window=candidate.window,
            score=candidate.score,
            event=candidate.event,
            rule=rule,
            detail=detail,
            blank=candidate.blank,
            alternatives=usable[found],
            chosen=found == passage,
        )
