"""The plain text of HTML in a field: ``lxml`` parses it, and block elements and line breaks end lines."""

from __future__ import annotations

import html
import re

# Elements without text of the story; those that begin and end a paragraph.
_DROPPED = "script style noscript figure figcaption table aside iframe form button h1 h2 h3 h4 h5 h6".split()
_BLOCKS = "p div section article blockquote ul ol li dl dt dd hr pre".split()
_DECLARATION = re.compile(r"<[?!][^>]*>|[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SPACE = re.compile(r"\s+")


def html_text(markup: str) -> str:
    """The text of HTML, which may be escaped, with blank lines between paragraphs. Raises ``ValueError``."""
    if "<" not in markup and "&lt;" in markup:
        markup = html.unescape(markup)
    if "<" not in markup:
        return markup
    import lxml.html
    from lxml.etree import LxmlError

    try:
        tree = lxml.html.fragment_fromstring(_SPACE.sub(" ", _DECLARATION.sub("", markup)), create_parent="div")
    except LxmlError as error:
        raise ValueError(f"the HTML cannot be read: {error}") from error
    for element in list(tree.iter(*_DROPPED)):
        element.drop_tree()
    for element in tree.iter("br", *_BLOCKS):
        line_end = "\n" if element.tag == "br" else "\n\n"
        element.text = line_end + (element.text or "") if element.tag != "br" else None
        element.tail = line_end + (element.tail or "")
    return str(tree.text_content())
