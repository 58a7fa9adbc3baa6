"""Applies finders of what is no part of a story."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from wdw_build.text.sentences.boilerplate import Boilerplate
from wdw_build.text.sentences.marks import MarkedSpan, MarkedText, Origin


def cut(
    paragraphs: Sequence[str],
    *finders: Callable[[Sequence[str], Origin], Iterable[MarkedSpan]],
    title: str = "",
    source: str = "",
    boilerplate: Boilerplate | None = None,
) -> tuple[list[str], list[str]]:
    """The paragraphs that are left, and the removed texts in text order."""
    text = MarkedText(paragraphs)
    for find in finders:
        text.mark(find(text.paragraphs, Origin(title, source, boilerplate or Boilerplate())))
    return text.paragraphs, [mark.text for mark in sorted(text.marks, key=lambda mark: (mark.paragraph, mark.start))]
