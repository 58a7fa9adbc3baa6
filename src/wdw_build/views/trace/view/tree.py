"""A constituency tree as indented lines of text, with the climbed node marked."""

from __future__ import annotations

from wdw_build.text.blanking.nodes import Node, parse_tree
from wdw_build.views.marks import Segment
from wdw_build.views.trace.view.blocks import Line

_WIDTH = 88


def tree_lines(bracketed: str, climbed: tuple[int, ...] | None) -> tuple[Line, ...]:
    """The tree in Penn brackets; a node that fits on one line is not broken up. ``climbed`` is the position of the node to mark."""
    return tuple(_lines(parse_tree(bracketed), (), climbed, 0))


def _flat(node: Node) -> str:
    return f"({node.label} {node.word or ' '.join(map(_flat, node.children))})"


def _lines(node: Node, position: tuple[int, ...], climbed: tuple[int, ...] | None, depth: int) -> list[Line]:
    is_climbed = position == climbed
    holds_climbed = climbed is not None and len(position) < len(climbed) and climbed[: len(position)] == position
    kind = "climbed" if is_climbed else ""
    margin = Segment(("> " if is_climbed else "  ") + "  " * depth, "climbed" if is_climbed else "dim")
    flat = _flat(node)
    if not holds_climbed and (len(flat) + 2 * depth <= _WIDTH or node.is_leaf):
        return [(margin, Segment(flat, kind))]
    lines: list[Line] = [(margin, Segment(f"({node.label}", kind))]
    for index, child in enumerate(node.children):
        lines += _lines(child, (*position, index), climbed, depth + 1)
    lines[-1] = (*lines[-1], Segment(")", kind))
    return lines
