"""Constituency trees read from Penn brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_PIECES = re.compile(r"[()]|[^\s()]+")


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

    @property
    def position(self) -> tuple[int, ...]:
        """The path from the root: the index of each child to descend to."""
        return (*self.parent.position, self.index) if self.parent else ()

    def subtrees(self) -> Iterator[Node]:
        """The node and all nodes below it, each before its children."""
        yield self
        for child in self.children:
            yield from child.subtrees()

    def leaves(self) -> list[Node]:
        """The leaves under the node, in the order of the tokens."""
        return [node for node in self.subtrees() if node.is_leaf]


def parse_tree(bracketed: str) -> Node:
    """The root of a tree such as ``(NP (NNP Ann) (NNP Ames))``. Raises ``ValueError`` if the brackets do not match."""
    above = Node("", 0)  # holds the root while its children are read
    node, tokens, before = above, 0, ""
    for piece in _PIECES.findall(bracketed):
        if piece == "(":
            node.children.append(Node("", tokens, parent=node))
            node = node.children[-1]
        elif piece == ")" and node.parent is not None:
            node.end = tokens
            node = node.parent
        elif before == "(" and piece != ")":
            node.label = piece
        else:
            node.word = piece
            tokens += 1
        before = piece
    if node is not above or len(above.children) != 1 or above.word:
        raise ValueError(f"no tree: {bracketed[:80]!r}")
    (root,) = above.children
    root.parent = None
    return root
