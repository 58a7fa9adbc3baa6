"""Head rules, and the climb from a name to the noun phrase that is deleted.

Head rules are those of Collins (1999, appendix A) in the form known as ModCollins, for the labels that the climb can
meet; heads of clauses are left out. The climb is Algorithm 1 of the paper, with one correction: it ends on the last
node that satisfies the condition, whereas the printed loop ends on the node below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from wdw_build.text.lexicon import WEEKDAYS
from wdw_build.text.names.beside import ROLES

_PIECES = re.compile(r"[()]|[^\s()]+")
_CLIMB_LABELS = frozenset({"NP", "NNP", "NNPS", "NML", "NX"})
# (direction, labels): "right" takes the last child with any of the labels, "left" the first.
_NP_RULES: tuple[tuple[str, frozenset[str]], ...] = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "NML", "JJR"})),
    ("left", frozenset({"NP"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
# Labels that may stand before a name in the same flat phrase: "[his old friend] (NP Buddy Klein)".
_PREMODIFIERS = frozenset(
    {"DT", "PRP$", "JJ", "JJS", "NN", "NNP", "NNPS", "VBN", "VBG", "CD", "NML", "HYPH", "NP", "POS"}
)
DAYS = frozenset(WEEKDAYS) | {"today", "yesterday", "tomorrow", "tonight"}


@dataclass(eq=False)
class Node:
    """A node over the tokens [start, end). A leaf is the tag of one token, with a ``word`` and no children."""

    label: str
    start: int
    end: int = 0
    word: str = ""
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        """Whether the node is the tag of a token."""
        return bool(self.word)

    @property
    def index(self) -> int:
        """The place of the node among its parent's children; 0 for the root."""
        return self.parent.children.index(self) if self.parent else 0

    def subtrees(self) -> Iterator[Node]:
        """The node and all nodes below it, each before its children."""
        yield self
        for child in self.children:
            yield from child.subtrees()

    def leaves(self) -> list[Node]:
        """The leaves under the node, in the order of the tokens."""
        return [node for node in self.subtrees() if node.is_leaf]


def parse_tree(bracketed: str) -> Node:
    """The root of a tree such as ``(NP (NNP Ann) (NNP Ames))``.

    Raises ``ValueError`` if the brackets do not match, or if a node has not either one word or children.
    """
    fault = ValueError(f"no tree: {bracketed[:80]!r}")
    above = Node("", 0)  # holds the root while its children are read
    node, tokens, before = above, 0, ""
    for piece in _PIECES.findall(bracketed):
        if piece == "(":
            node.children.append(Node("", tokens, parent=node))
            node = node.children[-1]
        elif piece == ")":
            if node.parent is None or bool(node.word) == bool(node.children):
                raise fault
            node.end = tokens
            node = node.parent
        elif before == "(":
            node.label = piece
        elif node.word:
            raise fault
        else:
            node.word = piece
            tokens += 1
        before = piece
    if node is not above or len(above.children) != 1 or above.word:
        raise fault
    (root,) = above.children
    root.parent = None
    return root


@dataclass(frozen=True)
class Phrase:
    """The phrase that the climb ended on: its tokens [start, end), and what the tree says about it.

    ``coordinated_above``: its parent coordinates noun phrases. ``modifies_noun``: a noun after it heads its parent.
    """

    start: int
    end: int
    coordinated_above: bool
    modifies_noun: bool


class Sentence:
    """A parsed sentence: its tree, and the word and the tag of each token.

    ``repair``: heads and the climb correct noun phrases that the parser built wrongly. The paper uses trees as parsed.
    """

    def __init__(self, bracketed: str, repair: bool = True) -> None:
        self.repair = repair
        self.tree = parse_tree(bracketed)
        self.leaves = self.tree.leaves()
        self.tags = [leaf.label for leaf in self.leaves]
        self.words = [leaf.word for leaf in self.leaves]

    def head(self, node: Node) -> int:
        """The token that heads a node. A possessive clitic is never the head: "Bush 's" is headed by Bush."""
        while not node.is_leaf:
            node = _head_child(node, self.repair)
        return node.start


def _head_child(node: Node, repair: bool) -> Node:
    children = _head_candidates(node, repair)
    if node.label not in _CLIMB_LABELS:
        return children[-1]
    for direction, labels in _NP_RULES:
        ordered = children if direction == "left" else children[::-1]
        head = next((child for child in ordered if child.label in labels), None)
        if head is not None:
            return head
    return children[-1]


def _head_candidates(node: Node, repair: bool) -> list[Node]:
    """The children without a final possessive clitic or, with ``repair``, day ("met [President Ortega Sunday]")."""
    last = node.children[-1]
    day = repair and last.word.casefold() in DAYS
    removable = len(node.children) > 1 and (last.label == "POS" or day)
    return node.children[:-1] if removable else node.children


def climb(sentence: Sentence, start: int, end: int, prepositions: frozenset[str] = frozenset()) -> Phrase | None:
    """From the name at tokens [start, end) to the noun phrase that it heads; None if that phrase cuts through the name.

    ``prepositions``: words that a prepositional phrase in the climb must start with; empty: any word (the paper).
    """
    # The climb starts at the last token of the name, which is its head even if it is a suffix or a closing quote.
    node, low = sentence.leaves[end - 1], end
    while node.parent is not None and node.parent.label in _CLIMB_LABELS:
        parent = node.parent
        described, closes = _description(parent, node, start) if sentence.repair else ([], False)
        if closes:
            low = described[0].start if described else low
            break
        if not start <= sentence.head(parent) < end or not _may_climb(parent, prepositions):
            break
        if sentence.repair and _has_clause_after(parent, node):
            break
        node = parent
        if node.children[-1].label == "POS":
            break
    return _phrase(sentence, node, start, end, low)


def _phrase(sentence: Sentence, node: Node, start: int, end: int, low: int) -> Phrase | None:
    """The phrase of a node, with the description of the name that starts at token ``low``, without a final possessive clitic."""
    low = min(low, node.start, start) if node.is_leaf else min(low, node.start)
    clitic = not node.is_leaf and node.children[-1].label == "POS"
    high = node.children[-1].start if clitic else node.end
    if low > start or high < end:
        return None
    parent = node.parent
    return Phrase(low, high, _is_coordinated(parent), _has_later_head(sentence, parent, end))


def _has_clause_after(parent: Node, node: Node) -> bool:
    """Whether a clause follows ``node`` in ``parent`` ("warned [Ann Poole] to leave", "[Ann Poole] (he had stayed awake)")."""
    after = parent.children[node.index + 1 :]
    return any(_is_clause(below) for child in after for below in child.subtrees())


def _is_clause(node: Node) -> bool:
    """Whether a node is a clause or verb phrase, other than an office that the parser took for one (", managing director of …")."""
    if node.label not in {"S", "SINV", "VP"}:
        return False
    first, *rest = node.leaves()
    return not (first.label == "VBG" and rest and rest[0].word in ROLES)


def _may_climb(parent: Node, prepositions: frozenset[str]) -> bool:
    below = [node.label for node in parent.subtrees()][1:]
    if "SBAR" in below:
        return False
    return not prepositions or all(_is_plain(child, prepositions) for child in parent.children if child.label == "PP")


def _is_plain(phrase: Node, prepositions: frozenset[str]) -> bool:
    """Whether a prepositional phrase starts with one of the prepositions and no participle or adverb ("of hiding the losses")."""
    first, *rest = phrase.leaves()
    return first.word.casefold() in prepositions and not (rest and rest[0].label in {"VBG", "RB"})


def _description(parent: Node, node: Node, name_start: int) -> tuple[list[Node], bool]:
    """The children of ``parent`` before ``node`` that describe the name, and whether the climb ends at ``node``.

    The climb ends where a comma separates another phrase from the description ("the bank's head, [his aide] Ann
    Poole"), and where the parser has set the name apart from a description without a comma ("[his aide] (NP Ann Poole)").
    """
    before = [child for child in parent.children[: node.index] if child.start < name_start]
    commas = [
        index for index, child in enumerate(before) if index and child.label == "," and before[index - 1].label == "NP"
    ]
    described = before[commas[-1] + 1 :] if commas else before
    flat = bool(described) and all(map(_is_flat, described))
    set_apart = flat and node.label == "NP" and _is_flat(node) and described[-1].leaves()[-1].label == "NN"
    return (described if flat else []), bool(commas) or set_apart


def _is_flat(node: Node) -> bool:
    return {below.label for below in node.subtrees()} <= _PREMODIFIERS


def _is_coordinated(parent: Node | None) -> bool:
    return (
        parent is not None
        and parent.label in _CLIMB_LABELS
        and any(child.label == "CC" or child.word.casefold() in {"and", "&"} for child in parent.children)
    )


def _has_later_head(sentence: Sentence, parent: Node | None, end: int) -> bool:
    """Whether a noun after the name heads the parent noun phrase ("the Smith inquiry")."""
    if parent is None or parent.label not in _CLIMB_LABELS:
        return False
    after = sentence.tags[end] if end < len(sentence.tags) else ""
    return sentence.head(parent) >= end and (after.startswith("NN") or after in {"JJ", "HYPH", "VBG", "CD"})
