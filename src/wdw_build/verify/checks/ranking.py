"""Event scores, the order of the candidates, and which candidate became the passage.

The scores come from the records, because only the scorer can compute scores. The check computes the threshold, the order
and the choice of the passage from the scores and the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wdw_build.core.config.settings import Config, RetrieveConfig
from wdw_build.records import Candidate, Problem, Retrieval
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders


class _Passage(NamedTuple):
    """The article that became the passage of a problem, and the articles that ``choices`` refused before it."""

    article: str
    refused: frozenset[str]


def check(files: RunFiles, config: Config, recorders: Recorders) -> None:
    """Check the candidates of every question, and the passage of every kept problem."""
    chosen = {
        problem.id: _Passage(problem.passage.article, frozenset(candidate.article for candidate in problem.refused))
        for problem in files.records("dedup", Problem)
    }
    for retrieval in files.records("retrieve", Retrieval):
        faults_by_check: dict[str, Iterator[str]] = {
            "event-scores": event_scores(retrieval, config.retrieve),
            "rank-order": rank_order(retrieval, config.retrieve),
        }
        if retrieval.id in chosen:
            faults_by_check["best-passage"] = best_passage(retrieval, chosen[retrieval.id])
        for name, faults in faults_by_check.items():
            recorders[name].count()
            for fault in faults:
                recorders[name].fail(retrieval.id, fault)


def event_scores(retrieval: Retrieval, config: RetrieveConfig) -> Iterator[str]:
    """Valid candidates have a score at or above the threshold; if no key asks for scores, no candidate has a score."""
    least, asked = config.min_event_score, config.rank_by == "event" or config.min_event_score > 0
    for candidate in retrieval.candidates:
        event, name = candidate.event, candidate.article
        if event is not None and not (asked and 0.0 <= event <= 1.0):
            yield f"{name} has the event score {event}" + ("" if asked else ", but no key asks for scores")
        elif candidate.rule == "other-event" and (event is None or event >= least):
            yield f"{name} is refused with the event score {event}, which is not below {least}"
        elif not candidate.rule and asked and (event is None or event < least):
            yield f"{name} is valid with the event score {event}, below the threshold {least}"


def rank_order(retrieval: Retrieval, config: RetrieveConfig) -> Iterator[str]:
    """Ranks count from 1; the valid candidates are in the order of ``rank_by``, and at most ``max_valid``."""
    ranks = [candidate.rank for candidate in retrieval.candidates]
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"the ranks are {ranks}, not 1 to {len(ranks)}"
    valid = [candidate for candidate in retrieval.candidates if not candidate.rule]
    if len(valid) > config.max_valid:
        yield f"{len(valid)} valid candidates, more than {config.max_valid}"
    keys = [_key(candidate, config) for candidate in valid]
    for before, after, candidate in zip(keys, keys[1:], valid[1:], strict=False):
        if after < before:
            yield f"{candidate.article} is ranked below a candidate with a lower {config.rank_by} score or a farther window"


def _key(candidate: Candidate, config: RetrieveConfig) -> tuple[float, ...]:
    # Candidates with equal keys may be in any order: BM25 is recorded with four decimals only.
    near = (float(candidate.window), -candidate.score)
    return (-(candidate.event or 0.0), *near) if config.rank_by == "event" else near


def best_passage(retrieval: Retrieval, passage: _Passage) -> Iterator[str]:
    """Every valid candidate that is ranked before the passage was refused by ``choices``."""
    for candidate in retrieval.candidates:
        if candidate.article == passage.article:
            return
        if not candidate.rule and candidate.article not in passage.refused:
            yield f"{candidate.article} (rank {candidate.rank}) is ranked before the passage, but choices did not refuse it"
