"""Folds for cross-fitting: every event is in one fold, so that no system judges an event that it trained on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from wdw_build.core.hashing import uniform_hash
from wdw_build.text.passages.connections import EventEvidence, events

# A person in more than this share of the problems (but in at least four of them) is in the news every day, and says nothing
# about the event. Without this rule four fifths of the problems of an election year are one event.
_COMMON_SHARE, _COMMON_COUNT = 0.1, 3
_DAYS = 1


def problem_events(problems: Iterable[EventEvidence]) -> dict[str, str]:
    """Maps each problem to its event (see ``text.passages.connections``), judged without the most common persons."""
    known = list(problems)
    counts = Counter(person for problem in known for person in problem.persons)
    limit = max(_COMMON_COUNT, _COMMON_SHARE * len(known))
    common = {person for person, count in counts.items() if count > limit}
    rare = (tuple(person for person in problem.persons if person not in common) for problem in known)
    return events((problem._replace(persons=persons) for problem, persons in zip(known, rare, strict=True)), _DAYS)


def event_folds(events_of: Mapping[str, str], count: int, seed: int) -> dict[str, int]:
    """Maps each problem to one of ``count`` folds. Each event, the largest first, goes to the fold that is smallest then.

    Equal events are taken in an order drawn from ``seed``, and so is the first of equally small folds.
    """
    members: defaultdict[str, list[str]] = defaultdict(list)
    for problem, event in events_of.items():
        members[event].append(problem)
    draws = {event: uniform_hash(seed, "folds", event) for event in members}
    sizes = [0] * count
    folds: dict[str, int] = {}
    for event in sorted(members, key=lambda event: (-len(members[event]), draws[event], event)):
        smallest = [fold for fold in range(count) if sizes[fold] == min(sizes)]
        fold = smallest[int(draws[event] * len(smallest))]
        sizes[fold] += len(members[event])
        folds.update(dict.fromkeys(members[event], fold))
    return folds
