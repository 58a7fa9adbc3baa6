"""Constituency trees: head rules, and the climb from a name to the noun phrase that is deleted.

Heads follow Collins (1999, appendix A) in the form known as ModCollins, for the labels the climb can meet. The climb is
Algorithm 1 of the paper, read so that it ends on the last node that satisfies its condition: the loop as printed
leaves the node above it. What is left out: heads of clauses, which no step needs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wdw_build.text.sentences import nltk_parts

_CLIMB_LABELS = frozenset({"NP", "NNP", "NNPS", "NML", "NX"})
# (direction, labels): "rightdis" takes the last child with any of the labels, "left" the first.
_NP_RULES: tuple[tuple[str, frozenset[str]], ...] = (
    ("rightdis", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "NML", "JJR"})),
    ("left", frozenset({"NP"})),
    ("rightdis", frozenset({"$", "ADJP", "PRN"})),
    ("rightdis", frozenset({"CD"})),
    ("rightdis", frozenset({"JJ", "JJS", "RB", "QP"})),
)
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
# What may stand before a name in the same flat phrase: "[his old friend] (NP Buddy Klein)".
_PREMODIFIERS = frozenset(
    {"DT", "PRP$", "JJ", "JJS", "NN", "NNP", "NNPS", "VBN", "VBG", "CD", "NML", "HYPH", "NP", "POS"}
)
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())


@dataclass(frozen=True)
class Phrase:
    """The node the climb ended on: its tokens [start, end), why it stopped there, and its place in the tree."""

    start: int
    end: int
    coordinated_above: bool
    modifies_noun: bool
    position: tuple[int, ...] = field(default=(), compare=False)


class Sentence:
    """A parsed sentence: the tree with the token offsets of its nodes.

    ``repair``: heads and the climb correct noun phrases that the parser built wrongly (the paper takes them as they are).
    """

    def __init__(self, bracketed: str, repair: bool = True) -> None:
        self.repair = repair
        self.tree: Any = nltk_parts.load("nltk.tree").ParentedTree.fromstring(bracketed)
        self._leaves: list[Any] = list(self.tree.subtrees(lambda node: node.height() == 2))
        self.tags: list[str] = [leaf.label() for leaf in self._leaves]
        self.words: list[str] = [str(leaf[0]) for leaf in self._leaves]
        self._number = {leaf.treeposition(): at for at, leaf in enumerate(self._leaves)}

    def span(self, node: Any) -> tuple[int, int]:
        """Tokens [start, end) under a node."""
        inside = [self._number[leaf.treeposition()] for leaf in node.subtrees(lambda sub: sub.height() == 2)]
        return inside[0], inside[-1] + 1

    def noun_phrases_from(self, start: int) -> list[Any]:
        """The noun phrases whose first token is ``start``, the largest first."""
        node, found = self._leaves[start], []
        while (parent := node.parent()) is not None and self.span(parent)[0] == start:
            node = parent
            if node.label() == "NP":
                found.append(node)
        return found[::-1]

    def leaf(self, token: int) -> Any:
        """The pre-terminal of a token."""
        return self._leaves[token]

    def head(self, node: Any) -> int:
        """The token that heads a node (a noun phrase's clitic is not its head: "Bush 's" is headed by Bush)."""
        while node.height() > 2:
            node = _head_child(node, self.repair)
        return self._number[node.treeposition()]


def _children(node: Any, repair: bool) -> list[Any]:
    """A node's children without a closing possessive clitic; ``repair``: nor a weekday ("met [President Ortega Sunday]")."""
    children = list(node)
    last = children[-1]
    weekday = repair and last.height() == 2 and str(last[0]).casefold() in WEEKDAYS
    closing = last.label() == "POS" or weekday
    return children[:-1] if len(children) > 1 and closing else children


def _head_child(node: Any, repair: bool) -> Any:
    children = _children(node, repair)
    if node.label() not in _CLIMB_LABELS:
        return children[-1]
    for direction, labels in _NP_RULES:
        ordered = children if direction == "left" else list(reversed(children))
        found = next((child for child in ordered if child.label() in labels), None)
        if found is not None:
            return found
    return children[-1]


def _below(node: Any) -> Iterable[Any]:
    return (sub for sub in node.subtrees() if sub is not node)


def _may_climb(parent: Any, prepositions: frozenset[str]) -> bool:
    if any(sub.label() == "SBAR" for sub in _below(parent)):
        return False
    if not prepositions:
        return True
    return all(_plain_phrase(child, prepositions) for child in parent if child.label() == "PP")


def _plain_phrase(phrase: Any, prepositions: frozenset[str]) -> bool:
    """Whether a prepositional phrase starts with one of the prepositions and holds no clause ("of hiding the losses")."""
    clause = any(sub.label() in {"S", "VP"} for sub in _below(phrase))
    return str(phrase.leaves()[0]).casefold() in prepositions and not clause


def _own_part(sentence: Sentence, parent: Any, node: Any, name_start: int) -> tuple[list[Any], bool]:
    """The children before ``node`` in its noun phrase, and whether the phrase ends its climb there.

    It does if a comma closes another phrase before them ("the bank's head, [his aide] Ann Poole"), and if they
    describe the name without one, so that the parser has set it apart ("[his aide] (NP Ann Poole)").
    """
    before = [child for child in list(parent)[: node.parent_index()] if sentence.span(child)[0] < name_start]
    commas = [at for at, child in enumerate(before) if at and child.label() == "," and before[at - 1].label() == "NP"]
    own = before[commas[-1] + 1 :] if commas else before
    flat = bool(own) and all(_is_flat(child) for child in own)
    close = flat and node.label() == "NP" and _is_flat(node) and _last_tag(own[-1]) == "NN"
    return (own if flat else []), bool(commas) or close


def _is_flat(node: Any) -> bool:
    return {sub.label() for sub in node.subtrees()} <= _PREMODIFIERS


def _last_tag(node: Any) -> str:
    while node.height() > 2:
        node = node[-1]
    return str(node.label())


def climb(sentence: Sentence, start: int, end: int, prepositions: frozenset[str] = frozenset()) -> Phrase | None:
    """From the name at tokens [start, end) to the noun phrase it heads; None if that cuts through the name.

    ``prepositions``: climb over no prepositional phrase but those that start so; empty: over any (the paper).
    """
    # A name may end in a suffix or a closing quote: its head is the last of its tokens that any noun phrase starts
    # from.
    node, first = sentence.leaf(end - 1), end
    while (parent := node.parent()) is not None and parent.label() in _CLIMB_LABELS:
        own, ends = _own_part(sentence, parent, node, start) if sentence.repair else ([], False)
        if ends:
            first = sentence.span(own[0])[0] if own else first
            break
        if not start <= sentence.head(parent) < end or not _may_climb(parent, prepositions):
            break
        node = parent
        if list(parent)[-1].label() == "POS":
            break
    parent = node.parent()
    low, high = sentence.span(node)
    if node.height() > 2 and list(node)[-1].label() == "POS":
        high = sentence.span(list(node)[-1])[0]
    if node.height() == 2:
        low = min(low, start)
    low = min(low, first)
    if low > start or high < end:
        return None
    return Phrase(low, high, _coordinated(parent), _modifies(sentence, parent, end), node.treeposition())


def _coordinated(parent: Any) -> bool:
    return (
        parent is not None
        and parent.label() in _CLIMB_LABELS
        and any(
            child.label() == "CC" or (str(child.leaves()[0]).casefold() in {"and", "&"} and child.height() == 2)
            for child in parent
        )
    )


def _modifies(sentence: Sentence, parent: Any, end: int) -> bool:
    """Whether a noun after the name, in the same noun phrase, is the head ("the Smith inquiry")."""
    if parent is None or parent.label() not in _CLIMB_LABELS:
        return False
    head = sentence.head(parent)
    after = sentence.tags[end] if end < len(sentence.tags) else ""
    return head >= end and (after.startswith("NN") or after in {"JJ", "HYPH", "VBG", "CD"})


def has_finite_verb(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens hold a finite verb or a modal."""
    return any(tag in FINITE for tag in sentence.tags[start:end])
