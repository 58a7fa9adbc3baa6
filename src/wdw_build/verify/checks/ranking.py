"""Event scores, the order of the candidates, and which candidates became passages.

The scores come from the records, because only the scorer can compute scores. The check computes the threshold, the order
and the selection of passages from the scores and the configuration.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from wdw_build.core.config.settings import Config, RetrieveConfig
from wdw_build.records import Candidate, ProblemAlternatives, Retrieval
from wdw_build.verify.files import RunFiles
from wdw_build.verify.report import Recorders


class _Tried(NamedTuple):
    """What ``choices`` made of the candidates of a question: pairs of blank and article, with a result or refused.

    ``used``: the pair of each alternative, in order. ``passages``: the articles with a result, in order. ``full``: whether there
    are as many alternatives as are allowed.
    """

    used: tuple[tuple[int, str], ...]
    refused: frozenset[tuple[int, str]]
    passages: tuple[str, ...]
    full: bool


def _tried(record: ProblemAlternatives, most: int) -> _Tried:
    articles = tuple(passage.article for passage in record.passages)
    return _Tried(
        # The check ``alternatives`` reports a passage that does not exist.
        tuple((one.blank, articles[one.passage]) for one in record.alternatives if 0 <= one.passage < len(articles)),
        frozenset((candidate.blank, candidate.article) for candidate in record.refused),
        articles,
        len(record.alternatives) >= most,
    )


def check(files: RunFiles, config: Config, recorders: Recorders) -> None:
    """Check the candidates of every question, and which of them became passages."""
    most = config.choices.max_alternatives
    tried = {record.id: _tried(record, most) for record in files.records("dedup", ProblemAlternatives)}
    for retrieval in files.records("retrieve", Retrieval):
        faults_by_check: dict[str, Iterator[str]] = {
            "event-scores": event_scores(retrieval, config.retrieve),
            "rank-order": rank_order(retrieval, config.retrieve),
        }
        if retrieval.id in tried:
            faults_by_check["best-passage"] = best_passage(retrieval, tried[retrieval.id])
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
    """For each blank, ranks count from 1; the valid candidates are in the order of ``rank_by``, and at most ``max_valid``."""
    by_blank: dict[int, list[Candidate]] = {}
    for candidate in retrieval.candidates:
        by_blank.setdefault(candidate.blank, []).append(candidate)
    if list(by_blank) != sorted(by_blank):
        yield f"the blanks are in the order {list(by_blank)}"
    for blank, candidates in by_blank.items():
        for fault in _out_of_order(candidates, config):
            yield f"blank {blank}: {fault}"


def _out_of_order(candidates: list[Candidate], config: RetrieveConfig) -> Iterator[str]:
    ranks = [candidate.rank for candidate in candidates]
    if ranks != list(range(1, len(ranks) + 1)):
        yield f"the ranks are {ranks}, not 1 to {len(ranks)}"
    valid = [candidate for candidate in candidates if not candidate.rule]
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


def best_passage(retrieval: Retrieval, tried: _Tried) -> Iterator[str]:
    """Every valid candidate became a passage or was refused; if the alternatives are full, those tried before the last passage.

    An article is tried for all of its blanks together, in the order of its rank for the first of them. The best usable passage
    of the first blank has an alternative in any case.
    """
    ranks = {(one.blank, one.article): one.rank for one in retrieval.candidates if not one.rule}
    keys: dict[str, tuple[int, int]] = {}
    for (blank, article), rank in sorted(ranks.items()):
        keys.setdefault(article, (rank, blank))
    order = sorted(keys, key=keys.__getitem__)
    passages = [article for article in order if article in tried.passages]
    if passages != list(tried.passages):
        yield f"the passages are {list(tried.passages)}, by rank they are {passages}"
    # The check ``carried`` reports a passage that is not a candidate.
    places = [(blank, ranks.get((blank, article), 0)) for blank, article in tried.used]
    if places != sorted(places):
        yield f"the alternatives are not in the order of blanks and ranks: {places}"
    settled = {*tried.used, *tried.refused}
    for pair in sorted(tried.refused.intersection(tried.used)):
        yield f"{pair[1]} is a passage of blank {pair[0]}, and refused for it"
    for pair in sorted(_needed(ranks, order, tried) - settled):
        yield f"{pair[1]} (rank {ranks[pair]}, blank {pair[0]}) was neither refused nor became a passage"


def _needed(ranks: dict[tuple[int, str], int], order: list[str], tried: _Tried) -> set[tuple[int, str]]:
    """The pairs of blank and article that ``choices`` must have tried."""
    if not tried.full or not tried.used:
        return set(ranks)
    first, *others = tried.used
    of_first_blank = {pair for pair in ranks if pair[0] == 0}
    if first[0] == 0:
        of_first_blank = {pair for pair in of_first_blank if ranks[pair] < ranks.get(first, 0)}
    # The only alternative of the first blank may have taken the place of another one, before which it was not tried.
    counted = others if first[0] == 0 and all(blank for blank, _ in others) else list(tried.used)
    last = max((order.index(article) for _, article in counted if article in order), default=0)
    return of_first_blank | {pair for pair in ranks if pair[1] in order[:last]}
