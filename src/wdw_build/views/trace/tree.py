"""A constituency tree as lines of text, with the climbed node marked."""

from __future__ import annotations

from wdw_build.text.blanking.nodes import Node, parse_tree
from wdw_build.views.marks import Piece

Line = tuple[Piece, ...]
_WIDTH = 88


def tree_lines(bracketed: str, climbed: tuple[int, ...] | None) -> tuple[Line, ...]:
    """The tree, a line for each node that does not fit on one with all that is below it."""
    return tuple(_lines(parse_tree(bracketed), (), climbed, 0))


def _flat(node: Node) -> str:
    return f"({node.label} {node.word or ' '.join(map(_flat, node.children))})"


def _lines(node: Node, position: tuple[int, ...], climbed: tuple[int, ...] | None, depth: int) -> list[Line]:
    own = position == climbed
    above = climbed is not None and len(position) < len(climbed) and climbed[: len(position)] == position
    kind = "climbed" if own else ""
    margin = Piece(("> " if own else "  ") + "  " * depth, "climbed" if own else "dim")
    flat = _flat(node)
    if not above and (len(flat) + 2 * depth <= _WIDTH or node.is_leaf):
        return [(margin, Piece(flat, kind))]
    lines: list[Line] = [(margin, Piece(f"({node.label}", kind))]
    for at, child in enumerate(node.children):
        lines += _lines(child, (*position, at), climbed, depth + 1)
    lines[-1] = (*lines[-1], Piece(")", kind))
    return lines
