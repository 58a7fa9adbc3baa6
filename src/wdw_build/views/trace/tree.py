"""A constituency tree as indented lines of text, with the climbed node marked."""

from __future__ import annotations

from typing import Any

from wdw_build.text.sentences import nltk_parts
from wdw_build.views.marks import Segment

Line = tuple[Segment, ...]
_WIDTH = 88


def tree_lines(bracketed: str, climbed: tuple[int, ...] | None) -> tuple[Line, ...]:
    """The tree in brackets; a node that fits on one line is not broken up. ``climbed`` is the marked node's position."""
    tree = nltk_parts.load("nltk.tree").ParentedTree.fromstring(bracketed)
    return tuple(_lines(tree, (), climbed, 0))


def _flat(node: Any) -> str:
    return node if isinstance(node, str) else f"({node.label()} {' '.join(map(_flat, node))})"


def _lines(node: Any, position: tuple[int, ...], climbed: tuple[int, ...] | None, depth: int) -> list[Line]:
    is_climbed = position == climbed
    holds_climbed = climbed is not None and len(position) < len(climbed) and climbed[: len(position)] == position
    kind = "climbed" if is_climbed else ""
    margin = Segment(("> " if is_climbed else "  ") + "  " * depth, "climbed" if is_climbed else "dim")
    flat = _flat(node)
    if not holds_climbed and (len(flat) + 2 * depth <= _WIDTH or isinstance(node[0], str)):
        return [(margin, Segment(flat, kind))]
    lines: list[Line] = [(margin, Segment(f"({node.label()}", kind))]
    for index, child in enumerate(node):
        lines += _lines(child, (*position, index), climbed, depth + 1)
    lines[-1] = (*lines[-1], Segment(")", kind))
    return lines
