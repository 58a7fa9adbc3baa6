"""Figures as tables, which the owner's pages and the terminal show alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wdw_build.api import printable, table
from wdw_study.figures import Agreement, Share

NONE = "-"


class ScoreTable(NamedTuple):
    """A table: its heading, the heads of its columns, and rows whose first cell names the row."""

    title: str
    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def number(value: float | None) -> str:
    """A figure with three decimals."""
    return NONE if value is None else f"{value:.3f}"


def shown(share: Share | None) -> str:
    """A share with its interval and counts."""
    if share is None or share.share is None:
        return NONE
    low, high = share.interval
    return f"{number(share.share)} ({number(low)} to {number(high)}; {share.part:g} of {share.whole})"


def agreed(agreement: Agreement) -> tuple[str, str]:
    """The cells "same" and "alpha"."""
    return number(agreement.same), number(agreement.alpha)


def as_text(tables: Iterable[ScoreTable]) -> str:
    """The tables for the terminal, with an empty line between; those without rows are left out."""
    return "\n\n".join(
        f"{printable(each.title)}\n{table.terminal(table.Table(each.heads, each.rows, words=len(each.heads)))}"
        for each in tables
        if each.rows
    )
