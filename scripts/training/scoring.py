"""Scores predictions: names by exact span, trees by labelled brackets as evalb counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from training.layout import Sentence

# Words with these gold tags are removed before brackets are counted. Others, such as SYM, count as words.
PUNCTUATION = frozenset({",", ".", ":", "``", "''", "-LRB-", "-RRB-", "HYPH"})
UNCOUNTED = frozenset({"ROOT", "TOP", "", None})


@dataclass
class Score:
    """The counts of right, predicted and gold items."""

    right: int = 0
    predicted: int = 0
    gold: int = 0

    def add(self, right: int, predicted: int, gold: int) -> None:
        """Add the counts of one sentence."""
        self.right += right
        self.predicted += predicted
        self.gold += gold

    @property
    def precision(self) -> float:
        """The share of predicted items that are right."""
        return self.right / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of gold items that were found."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.predicted + self.gold) if self.predicted + self.gold else 0.0


def score_spans(pairs: Iterable[tuple[Set[tuple[int, int]], Set[tuple[int, int]]]]) -> Score:
    """Score the found spans of each sentence; ``pairs``: (gold, found)."""
    score = Score()
    for gold, found in pairs:
        score.add(len(gold & found), len(found), len(gold))
    return score


def score_persons(sentences: Iterable[Sentence], tags: Iterable[Iterable[str]]) -> Score:
    """Score the PERSON spans of the tags found for each sentence."""
    gold = (spans((token["ner"] for token in sentence), "PERSON") for sentence in sentences)
    return score_spans(zip(gold, (spans(found, "PERSON") for found in tags), strict=True))


def spans(tags: Iterable[str], label: str) -> set[tuple[int, int]]:
    """The spans of one label in BIO or BIOES tags; an inconsistent tag starts a new span."""
    found: set[tuple[int, int]] = set()
    start: int | None = None
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, kind = tag.partition("-")
        inside = kind == label and prefix in ("I", "E") and start is not None
        if start is not None and not inside:
            found.add((start, position))
            start = None
        if kind == label and start is None:
            start = position
    return found


def tags_of(tree: Any) -> list[str]:
    """The part-of-speech tags of one of Stanza's trees, from left to right."""
    return [leaf.label for leaf in tree.yield_preterminals()]


def _walk(tree: Any, counted: Iterator[bool], position: list[int], out: Counter[tuple[str, int, int]]) -> None:
    if tree.is_preterminal():
        position[0] += next(counted)
        return
    start = position[0]
    for child in tree.children:
        _walk(child, counted, position, out)
    if tree.label not in UNCOUNTED and position[0] > start:
        out["PRT" if tree.label == "ADVP|PRT" else tree.label, start, position[0]] += 1


def brackets(tree: Any, counted: list[bool]) -> Counter[tuple[str, int, int]]:
    """Count the labelled spans of a tree, without the removed words."""
    out: Counter[tuple[str, int, int]] = Counter()
    _walk(tree, iter(counted), [0], out)
    return out


def score_trees(gold: Iterable[Any], predicted: Iterable[Any], label: str | None = None) -> Score:
    """Score trees over the same words; with ``label``, only brackets with this label."""
    score = Score()
    for right, guess in zip(gold, predicted, strict=True):
        counted = [tag not in PUNCTUATION for tag in tags_of(right)]
        sets = [brackets(tree, counted) for tree in (right, guess)]
        if label:
            sets = [Counter({span: n for span, n in found.items() if span[0] == label}) for found in sets]
        score.add((sets[0] & sets[1]).total(), sets[1].total(), sets[0].total())
    return score
