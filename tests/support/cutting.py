"""Applies finders of what is no part of a story."""

from wdw_build.text.pages.marks import MarkedText


def cut(paragraphs, *finders):
    """The paragraphs that are left, and the removed texts in text order."""
    text = MarkedText(paragraphs)
    for find in finders:
        text.mark(find(text.paragraphs))
    return text.paragraphs, [mark.text for mark in sorted(text.marks, key=lambda mark: (mark.paragraph, mark.start))]
