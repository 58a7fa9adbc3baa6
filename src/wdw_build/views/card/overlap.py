"""Overlap between splits: equal questions, equal or near-duplicate passages, connected problems and shared events; and leaks.

Compares ``train.relaxed``, which includes ``train``, with validation and test, and validation with test. Connections and
events follow the rules of ``split.by_event`` (``text/passages/connections.py``), leaks those of ``similarity/leaks.py``.
Leaks are also counted within a split.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from itertools import product
from typing import Any

from wdw_build.core.hashing import id_sum
from wdw_build.dataset import TEST, TRAIN_RELAXED, VALIDATION
from wdw_build.records import Problem
from wdw_build.similarity import leaks as leaking
from wdw_build.text.passages.connections import Connections, EventEvidence, event_evidence, events
from wdw_build.text.tokens import words
from wdw_build.views.card.audit_results import EventFacts, LeakCount, LeakFacts, Overlap

COMPARED = ((TRAIN_RELAXED, VALIDATION), (TRAIN_RELAXED, TEST), (VALIDATION, TEST))
OVERLAPS = {
    "question": "the same question, word for word",
    "passage": "the same article as passage",
    "near-passage": "another article as passage, nearly the same text",
    "connected": "an article, or two persons within split.event_days, in common",
    "event": "the same event: connected directly or through others",
}
COUNTED = (TRAIN_RELAXED, VALIDATION, TEST)
LEAKS = {
    leaking.QUESTION_IN_PASSAGE: "the question's sentence, with the deleted name, is in the other problem's passage",
    leaking.ANSWER_TOLD: "the other question names the answer and is about the same event",
    leaking.SHARED_PASSAGE: "the same passage",
}
_EXAMPLES = 3
GRAM = 8
# Two texts that share at least this part of the distinct 8-grams of the shorter one are near-duplicates.
SHARE = 0.5

Texts = Callable[[], Iterator[tuple[str, str]]]
# Key (a passage's article, an event, ...) -> split -> ids of the problems that have it.
ByKey = dict[Any, dict[str, list[str]]]
Reread = Callable[[frozenset[str]], Iterator[tuple[str, str]]]


def _by_key() -> ByKey:
    return defaultdict(lambda: defaultdict(list))


class _Pairs:
    """The problems on the two sides of pairs, and the smallest pairs of ids as examples."""

    def __init__(self) -> None:
        self.first: set[str] = set()
        self.second: set[str] = set()
        self.examples: tuple[tuple[str, str], ...] = ()

    def add(self, first: Collection[str], second: Collection[str]) -> None:
        """Add groups of problems: each of ``first`` forms a pair with each of ``second``."""
        if first and second:
            self.first.update(first)
            self.second.update(second)
            self.examples = tuple(sorted({*self.examples, (min(first), min(second))})[:_EXAMPLES])


class SplitComparison:
    """Collects the questions, passages and event evidence of problems; ``days`` is ``split.event_days``."""

    def __init__(self, days: int) -> None:
        self._days = days
        self._split_of: dict[str, str] = {}
        self._evidence: dict[str, list[EventEvidence]] = defaultdict(list)
        self._questions, self._passages = _by_key(), _by_key()

    def add(self, problem: Problem, split: str) -> None:
        """Add a problem of ``train.relaxed``, ``validation`` or ``test``."""
        self._split_of[problem.id] = split
        self._evidence[split].append(event_evidence(problem))
        self._questions[id_sum(" ".join(words(problem.question.sentence)))][split].append(problem.id)
        self._passages[problem.passage.article][split].append(problem.id)

    # ---- overlap ----------------------------------------------------------------------------------------------------

    def overlaps(self, reread: Reread) -> tuple[tuple[Overlap, ...], EventFacts]:
        """All overlaps, and the number of events. ``reread`` streams (article, text) of the passages from given articles."""
        event_of = events((evidence for group in self._evidence.values() for evidence in group), self._days)
        by_event = _by_key()
        for name, event in event_of.items():
            by_event[event][self._split_of[name]].append(name)
        counterparts = {(kind, *pair): _Pairs() for kind in OVERLAPS for pair in COMPARED}
        for kind, by_key in (("question", self._questions), ("passage", self._passages), ("event", by_event)):
            for splits in by_key.values():
                for first, second in COMPARED:
                    counterparts[kind, first, second].add(splits.get(first, []), splits.get(second, []))
        for first, second in COMPARED:
            for of_first, of_second in self._near(first, second, reread):
                counterparts["near-passage", first, second].add(of_first, of_second)
            for of_first, of_second in self._connected(first, second):
                counterparts["connected", first, second].add(of_first, of_second)
        sizes = Counter(event_of.values())
        facts = EventFacts(len(sizes), sum(size == 1 for size in sizes.values()), max(sizes.values(), default=0))
        return tuple(
            Overlap(*key, len(found.first), len(found.second), found.examples[0] if found.examples else ())
            for key, found in counterparts.items()
        ), facts

    def _connected(self, first: str, second: str) -> Iterator[tuple[list[str], list[str]]]:
        """Groups of problems of two splits that are each other's counterparts: directly connected problems."""
        connections = Connections(self._days)
        for evidence in self._evidence[second]:
            connections.add(evidence)
        for evidence in self._evidence[first]:
            yield [evidence.id], [other for other, _ in connections.find(evidence)]

    def _near(self, first: str, second: str, reread: Reread) -> Iterator[tuple[list[str], list[str]]]:
        """Groups of problems of two splits whose passages are near-duplicates."""
        # Articles that are passages in both splits are counted under "passage".
        of_first, of_second = (
            frozenset(article for article, splits in self._passages.items() if split in splits)
            for split in (first, second)
        )
        forth, back = near_duplicates(partial(reread, of_second - of_first), partial(reread, of_first - of_second))
        for article, other in (*forth.items(), *((article, other) for other, article in back.items())):
            yield self._passages[article][first], self._passages[other][second]

    # ---- leaks ------------------------------------------------------------------------------------------------------

    def leaks(self, problems: leaking.Problems, sentences: leaking.Sentences) -> LeakFacts:
        """The leaks. ``problems`` streams the problems that were added; ``sentences`` gives the sentences of a text."""
        # Between splits, problems with the same passage are an overlap.
        kinds = (
            key for key in product(LEAKS, COUNTED, COUNTED) if key[0] != leaking.SHARED_PASSAGE or key[1] == key[2]
        )
        told = {key: _Pairs() for key in kinds}
        within_held_out = []
        for leak in self._leaks(problems, sentences):
            told_in, told_by = self._split_of[leak.told], self._split_of[leak.teller]
            if (leak.relation, told_in, told_by) in told:
                told[leak.relation, told_in, told_by].add([leak.told], [leak.teller])
            if TRAIN_RELAXED not in (told_in, told_by):
                within_held_out.append(leak)
        return LeakFacts(
            counts=tuple(LeakCount(*key, len(found.first), found.examples) for key, found in told.items()),
            beyond_one_per_group=len(leaking.left_out(within_held_out, lambda _: 0.0)),
        )

    def _leaks(self, problems: leaking.Problems, sentences: leaking.Sentences) -> Iterator[leaking.Leak]:
        yield from leaking.questions_in_passages(problems, sentences)
        yield from leaking.told_answers(problems, self._days)
        groups = [{split} for split in COUNTED] + [{VALIDATION, TEST}]
        for splits in groups:
            for leak in leaking.shared_passages(
                problem for problem in problems() if self._split_of[problem.id] in splits
            ):
                # Each problem of a shared passage is told by the other one.
                yield from (leak, leak._replace(told=leak.teller, teller=leak.told))


# ---- near-duplicate passages -----------------------------------------------------------------------------------------


def _grams(text: str) -> list[str]:
    """The distinct 8-grams of a text; a shorter text is one gram."""
    tokens = words(text)
    return sorted({" ".join(tokens[start : start + GRAM]) for start in range(max(1, len(tokens) - GRAM + 1))})


class _GramIndex:
    """Inverted index from 8-grams to texts."""

    def __init__(self) -> None:
        # The name of each text, and its number of 8-grams.
        self._texts: list[tuple[str, int]] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, name: str, grams: list[str]) -> None:
        """Add a text."""
        for gram in grams:
            self._holders[gram].append(len(self._texts))
        self._texts.append((name, len(grams)))

    def find(self, grams: list[str]) -> str | None:
        """The name of the first text in the index that is a near-duplicate, or None."""
        shared = Counter(holder for gram in grams for holder in self._holders.get(gram, ()))
        duplicates = (
            holder for holder, count in shared.items() if count >= SHARE * min(len(grams), self._texts[holder][1])
        )
        first = min(duplicates, default=None)
        return None if first is None else self._texts[first][0]


def near_duplicates(indexed: Texts, streamed: Texts) -> tuple[dict[str, str], dict[str, str]]:
    """Map the names of ``streamed`` to a near-duplicate in ``indexed``, and the reverse; leaves out names without a near-duplicate.

    Each side is read once or twice. Memory holds the 8-grams of ``indexed`` and of the near-duplicates in ``streamed``.
    """
    index, duplicates = _GramIndex(), _GramIndex()
    for name, text in indexed():
        index.add(name, _grams(text))
    forth: dict[str, str] = {}
    for name, text in streamed():
        if (other := index.find(grams := _grams(text))) is not None:
            forth[name] = other
            duplicates.add(name, grams)
    back = {name: other for name, text in indexed() if (other := duplicates.find(_grams(text))) is not None}
    return forth, back
