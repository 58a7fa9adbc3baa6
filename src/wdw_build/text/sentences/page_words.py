"""The words of an article as the marker of page text reads them."""

from __future__ import annotations

import re

# The kinds of words: of the story, of page text, of a caption, of a byline or credit, and of a heading.
KINDS = ("story", "page", "caption", "byline", "heading")
WORD = re.compile(r"\w+(?:['’.,]\w+)*|[^\w\s]")
# Stands before each paragraph.
PARAGRAPH = "¶"
# The words of a text that is read at once. They have fewer than 256 word pieces, but for odd texts.
SIZE = 160
