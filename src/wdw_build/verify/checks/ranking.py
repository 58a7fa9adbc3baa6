"""Event scores, the order of the candidates, and which candidate became the passage.

Scores are taken as recorded, for only the scorer can compute them again; the threshold, the order and the choice of the
passage follow from them and from the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wdw_build.core.config.settings import Config, RetrieveConfig
from wdw_build.records import Candidate, Problem, Retrieval
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Book


class _Passage(NamedTuple):
    """The article that became a problem's passage, and those that ``choices`` refused before it."""

    article: str
    refused: frozenset[str]


def check(files: RunFiles, config: Config, book: Book) -> None:
    """Check every question with valid candidates; those of kept problems also against their passage."""
    chosen = {
        problem.id: _Passage(problem.passage.article, frozenset(one.article for one in problem.refused))
        for problem in files.records("dedup", Problem)
    }
    for retrieval in files.records("retrieve", Retrieval):
        found: dict[str, Iterator[str]] = {
            "event-scores": event_scores(retrieval, config.retrieve),
            "rank-order": rank_order(retrieval, config.retrieve),
        }
        if retrieval.id in chosen:
            found["best-passage"] = best_passage(retrieval, chosen[retrieval.id])
        for name, faults in found.items():
            book[name].tried()
            for fault in faults:
                book[name].fail(retrieval.id, fault)


def event_scores(retrieval: Retrieval, config: RetrieveConfig) -> Iterator[str]:
    """A valid candidate has a score, and not below the threshold, exactly if the configuration asks for scores."""
    least, asked = config.min_event_score, config.rank_by == "event" or config.min_event_score > 0
    for candidate in retrieval.candidates:
        event, name = candidate.event, candidate.article
        if event is not None and not (asked and 0.0 <= event <= 1.0):
            yield f"{name} has the event score {event}" + ("" if asked else ", but no key asks for scores")
        elif candidate.rule == "other-event" and (event is None or event >= least):
            yield f"{name} is refused with the event score {event}, which is not below {least}"
        elif not candidate.rule and asked and (event is None or event < least):
            yield f"{name} is valid with the event score {event}, the least is {least}"


def rank_order(retrieval: Retrieval, config: RetrieveConfig) -> Iterator[str]:
    """Ranks count from 1; the valid candidates are in the order of ``rank_by``, and at most ``max_valid``."""
    ranks = [candidate.rank for candidate in retrieval.candidates]
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"ranks {ranks}"
    valid = [candidate for candidate in retrieval.candidates if not candidate.rule]
    if len(valid) > config.max_valid:
        yield f"{len(valid)} valid candidates"
    keys = [_key(candidate, config) for candidate in valid]
    for before, after, candidate in zip(keys, keys[1:], valid[1:], strict=False):
        if after < before:
            yield f"{candidate.article} is ranked below a candidate that is worse by {config.rank_by}"


def _key(candidate: Candidate, config: RetrieveConfig) -> tuple[float, ...]:
    # Equal keys leave the order open here: BM25 is recorded with four decimals.
    near = (float(candidate.window), -candidate.score)
    return (-(candidate.event or 0.0), *near) if config.rank_by == "event" else near


def best_passage(retrieval: Retrieval, passage: _Passage) -> Iterator[str]:
    """Every valid candidate that is ranked before the passage was refused by ``choices``."""
    for candidate in retrieval.candidates:
        if candidate.article == passage.article:
            return
        if not candidate.rule and candidate.article not in passage.refused:
            yield f"{candidate.article} (rank {candidate.rank}) was neither refused nor taken"
