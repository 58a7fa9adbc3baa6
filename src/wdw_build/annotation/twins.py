"""Twins: two problems of which one tells the answer of the other, or with the same passage; and a draw that avoids them.

A reader who remembers one of two twins needs no passage for the other, so that people on a sheet with both score too high.
The relations are those of ``similarity/leaks.py``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from wdw_build.core.hashing import uniform_hash
from wdw_build.records import Problem

if TYPE_CHECKING:
    from wdw_build.similarity.leaks import Sentences

# Of each stratum at most this many times its share is compared.
_MOST_COMPARED = 16

Stratum = tuple[str, ...]
# Problem -> its twins; a problem without twins may be missing.
Twins = Mapping[str, Set[str]]


def twins_among(problems: Sequence[Problem], sentences: Sentences, days: int) -> Twins:
    """The twins among these problems; ``days``: the most days between two questions about one event."""
    # NumPy is slow to import, and pages of a sheet that is drawn need none.
    from wdw_build.similarity.leaks import questions_in_passages, told_answers

    found: defaultdict[str, set[str]] = defaultdict(set)
    for relation in (questions_in_passages(lambda: problems, sentences), told_answers(lambda: problems, days)):
        for leak in relation:
            found[leak.told].add(leak.teller)
            found[leak.teller].add(leak.told)
    by_passage: defaultdict[str, set[str]] = defaultdict(set)
    for problem in problems:
        by_passage[problem.passage.article].add(problem.id)
    for ids in by_passage.values():
        for record_id in ids:
            found[record_id] |= ids
    return {record_id: twins - {record_id} for record_id, twins in found.items()}


class Drawn(NamedTuple):
    """The drawn problems in the order of the sheet, and which of them are twins of each other."""

    ids: list[str]
    twins: Twins


def draw_apart(
    strata: Mapping[Stratum, Iterable[str]],
    shares: Mapping[Stratum, int],
    seed: int,
    twins_of: Callable[[Iterable[str]], Twins],
) -> Drawn:
    """Draw the share of each stratum by lowest hash, without twins of problems drawn before as far as possible.

    A twin is drawn only if its stratum has no other problem left, and comes last on the sheet. ``twins_of`` compares
    problems, which is slow, so it gets the first problems of each stratum by hash, twice as many until there are enough:
    the draw is that of a comparison of all, unless the first 16 times the share are too few.
    """
    hashes = {record_id: uniform_hash(seed, "annotate", record_id) for ids in strata.values() for record_id in ids}
    ordered = {stratum: sorted(ids, key=lambda each: (hashes[each], each)) for stratum, ids in strata.items()}
    compared = {stratum: 2 * share for stratum, share in shares.items()}
    while True:
        pool = [(each, stratum) for stratum, ids in ordered.items() for each in ids[: compared[stratum]]]
        pool.sort(key=lambda pair: (hashes[pair[0]], pair[0]))
        twins, left = twins_of([each for each, _ in pool]), Counter(shares)
        apart = _draw(pool, left, twins)
        short = [
            stratum
            for stratum, ids in ordered.items()
            if left[stratum] and compared[stratum] < min(len(ids), _MOST_COMPARED * shares[stratum])
        ]
        if not short:
            break
        for stratum in short:
            compared[stratum] *= 2
    ids = apart + _draw([pair for pair in pool if pair[0] not in set(apart)], left, {})
    return Drawn(ids, {each: twins.get(each, frozenset()) & set(ids) for each in ids})


def _draw(pool: Sequence[tuple[str, Stratum]], left: Counter[Stratum], twins: Twins) -> list[str]:
    """The first problems of the pool that are no twins of earlier ones, as many as are left of each stratum."""
    drawn: dict[str, None] = {}
    for record_id, stratum in pool:
        if left[stratum] and twins.get(record_id, frozenset()).isdisjoint(drawn):
            drawn[record_id] = None
            left[stratum] -= 1
    return list(drawn)
