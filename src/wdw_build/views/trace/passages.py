"""The candidates with what every test says of them, and the persons of those that were annotated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from wdw_build.adapters.annotation_store import stored_annotation
from wdw_build.core.config.settings import RetrieveConfig
from wdw_build.core.store.name_table import read_names
from wdw_build.records import Article, Candidate, Mention, Problem, Question, Refusal, Retrieval
from wdw_build.stages.choices import Refused, choose, entities, in_question
from wdw_build.text.names.entities import join_adjacent, refusals
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.matching import identifying_tokens, without_titles
from wdw_build.text.passages.validity import CandidateDiagnostics, diagnose
from wdw_build.views.trace.run import Found, Run
from wdw_build.views.trace.steps import CandidateLine, Measured, PassagePersons, Person, Query, Reading, Written


def query(run: Run, question: Question) -> Query:
    """What the index was asked for a question."""
    config: RetrieveConfig = run.section("retrieve")
    phrase = config.name_match == "phrase"
    names = [without_titles(question.name.text)] if phrase else sorted(identifying_tokens(question.name.text))
    return Query(sentence=question.sentence, match=config.name_match, names=tuple(names), windows=tuple(config.windows))


def _tried(found: Found) -> tuple[Candidate, ...]:
    retrieval, rejection = found.records.get("retrieve"), found.rejection("retrieve")
    if isinstance(retrieval, Retrieval):
        return retrieval.candidates
    return rejection.candidates if rejection else ()


def _refused_later(found: Found) -> dict[str, Candidate]:
    problem, rejection = found.records.get("choices"), found.rejection("choices")
    refused = problem.refused if isinstance(problem, Problem) else rejection.candidates if rejection else ()
    return {candidate.article: candidate for candidate in refused}


def candidates(run: Run, found: Found) -> tuple[CandidateLine, ...]:
    """Every candidate, in order of trial."""
    question, own, problem = found.records.get("questions"), found.records.get("ingest"), found.records.get("choices")
    if not isinstance(question, Question) or not isinstance(own, Article):
        return ()
    config: RetrieveConfig = run.section("retrieve") if "retrieve" in run.outputs else RetrieveConfig()
    tests, later = diagnose(question, own, config), _refused_later(found)
    passage = problem.passage.article if isinstance(problem, Problem) else ""
    return tuple(_line(run, one, later.get(one.article), passage, tests) for one in _tried(found))


def _line(
    run: Run, tried: Candidate, later: Candidate | None, passage: str, tests: Callable[[Article], CandidateDiagnostics]
) -> CandidateLine:
    last = later or tried
    article = run.find("ingest", tried.article)
    measured = tests(article) if isinstance(article, Article) else None
    return CandidateLine(
        rank=tried.rank,
        article=tried.article,
        date=tried.date,
        title=article.title if article else "",
        window=tried.window,
        score=tried.score,
        event=tried.event,
        rule=last.rule,
        detail=last.detail,
        meaning=run.meaning(last.rule),
        stage="choices" if later else "retrieve" if tried.rule else "",
        passage=tried.article == passage,
        tests=_measured(measured) if measured else None,
        note=_odd(tried, measured),
    )


def _measured(tests: CandidateDiagnostics) -> Measured:
    return Measured(
        overlap=round(tests.overlap, 4),
        overlap_sentence=tests.sentence[:300],
        left_context=tests.left,
        right_context=tests.right,
        other_persons=tests.persons,
        reprint=round(tests.reprint, 4),
        figures=round(tests.figures, 4),
    )


def _odd(tried: Candidate, tests: CandidateDiagnostics | None) -> str:
    """Where the tests, done again, say something else than the record (the event score needs the whole corpus)."""
    if tests is None or tests.rule == tried.rule or tried.rule == "other-event":
        return ""
    return f"done again, the tests say {tests.rule or 'valid'}: another version wrote the record"


def _forms(article: Article, spans: list[tuple[int, int]]) -> tuple[Written, ...]:
    counts = Counter(" ".join(article.text[start:end].split()) for start, end in spans)
    return tuple(Written(form=form, count=count) for form, count in counts.items())


def _no_persons(
    article: Article, mentions: list[Mention], kept: set[tuple[int, int]], evidence: NameEvidence
) -> tuple[Refusal, ...]:
    found: dict[str, Refusal] = {}
    for mention, why in zip(mentions, refusals(mentions, article.text, evidence), strict=True):
        if why and (mention.start, mention.end) not in kept:
            found.setdefault(mention.text, Refusal(name=mention.text, rule="not-a-person", detail=why))
    return tuple(found.values())


def _cast(run: Run, folder: Path, question: Question, article: Article) -> PassagePersons | None:
    config = run.section("choices")
    identity = run.outputs["choices"].manifest.ingredients.backends.get("annotations", "")
    annotation = stored_annotation(folder, identity, article)
    if annotation is None:
        return None
    evidence, seed = read_names(run.outputs["names"].folder), run.outputs["choices"].manifest.ingredients.seed
    every = entities(article, annotation, config, evidence)
    chosen = choose(question, every, config, seed, evidence)
    kept, answer, drawn_from = ([], -1, []) if isinstance(chosen, Refused) else chosen
    cast = tuple(
        Person(
            name=one.name,
            written=_forms(article, [(span.start, span.end) for span in one.mentions]),
            number=kept.index(one) + 1 if one in kept else 0,
            answer=one in kept and kept.index(one) == answer,
            left_out="the question shows this person"
            if in_question(one.name, question, config, evidence)
            else "not drawn"
            if one in drawn_from and one not in kept
            else "",
        )
        for one in every
    )
    joined = join_adjacent(annotation.persons, article.text)
    taken = {(span.start, span.end) for one in every for span in one.mentions}
    rule, detail = (chosen.rule, chosen.detail) if isinstance(chosen, Refused) else ("", "")
    none = _no_persons(article, joined, taken, evidence)
    return PassagePersons(article=article.id, rule=rule, detail=detail, persons=cast, no_persons=none)


def casts(run: Run, found: Found) -> tuple[PassagePersons, ...]:
    """The persons of the candidates that ``choices`` tried, the passage last, as far as their annotations are kept."""
    question, problem = found.records.get("questions"), found.records.get("choices")
    if not isinstance(question, Question) or "choices" not in run.outputs:
        return ()
    tried = [*_refused_later(found), *([problem.passage.article] if isinstance(problem, Problem) else [])]
    folder = run.outputs["choices"].folder.parents[1] / "annotations"
    articles = [article for name in tried if isinstance(article := run.find("ingest", name), Article)]
    return tuple(cast for article in articles if (cast := _cast(run, folder, question, article)))


def reading(found: Found) -> Reading | None:
    """The passage with the mentions of the choices."""
    problem = found.records.get("choices")
    if not isinstance(problem, Problem):
        return None
    passage = problem.passage
    mentions = [(span.start, span.end, at + 1) for at, one in enumerate(problem.choices) for span in one.mentions]
    return Reading(
        article=passage.article,
        date=passage.date,
        source=passage.source,
        title=passage.title,
        text=passage.text,
        tokens=passage.tokens,
        mentions=tuple(sorted(mentions)),
    )
