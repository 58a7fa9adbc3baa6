"""Parses markup into trees, and turns trees into lines and paragraphs. The names of elements and attributes are in lower case.

``lxml`` parses well-formed XML, without network and without expanding entities, and HTML. A tolerant parser reads SGML, and XML
that is not well-formed: it ignores an end tag that closes nothing, closes elements without an end tag, and reads bare
ampersands and entities of HTML. Whatever the tags, it loses no text.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, TreeBuilder

from lxml import etree

from wdw_build.adapters.corpora.reading.markup import layout, tidy, unescape

_DEEPEST = 200
# An element without attributes and elements in it is one token, to save time.
_TOKEN = re.compile(
    r"<(?:([A-Za-z][\w.:-]*)>([^<]*)</\1>|!\[CDATA\[(.*?)(?:\]\]>|\Z)|!--.*?(?:-->|\Z)|[!?][^<>]*>"
    r"|(/?)([A-Za-z][\w.:-]*)((?:[\s/][^<>]*)?)>)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([A-Za-z][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# A part of a newswire article ends where the next part begins, if it has no end tag.
_PARTS = frozenset(("headline", "dateline", "text"))


class MarkupError(ValueError):
    """The document cannot be parsed."""


class _Builder:
    """Builds a tree from the events of a parser. Start and end tags need not match; ``unended`` names may lack end tags."""

    def __init__(self, unended: frozenset[str] = frozenset()) -> None:
        self._tree, self._open = TreeBuilder(), list[str]()
        self._unended, self._parts = unended, unended & _PARTS
        self.data = self._tree.data

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = self._before(name)
        if len(self._open) == _DEEPEST:
            raise MarkupError("nested too deeply")
        self._open.append(name)
        self._tree.start(name, {_local(key): value for key, value in attributes.items()} if attributes else {})

    def end(self, name: str) -> None:
        name = _local(name)
        if len(self._open) > 1 and self._open[-1] == name:
            self._tree.end(self._open.pop())
        else:
            self._close({name})

    def leaf(self, name: str, text: str) -> None:
        """Add an element without attributes and elements."""
        name = self._before(name)
        self._tree.start(name, {})
        self._tree.data(text)
        self._tree.end(name)

    def _before(self, name: str) -> str:
        """End the elements that a start tag ends; return its name without a prefix."""
        name = _local(name)
        if name in self._unended and name in self._open:
            self._close({name})
        if self._parts and name in _PARTS:
            self._close(self._parts)
        return name

    def close(self) -> Element:
        while self._open:
            self._tree.end(self._open.pop())
        root: Element | None = self._tree.close()
        if root is None:
            raise MarkupError("no start tag")
        return root

    def _close(self, names: Iterable[str]) -> None:
        """Close the innermost open element with one of the names, and all elements in it, but never the root."""
        matches = [number for number, name in enumerate(self._open) if name in names and number]
        while matches and len(self._open) > matches[-1]:
            self._tree.end(self._open.pop())


@functools.lru_cache(maxsize=4096)
def _local(name: str) -> str:
    return name.rpartition("}")[2].rpartition(":")[2].lower()


def parse_sgml(text: str, unended: frozenset[str] = frozenset(["p"])) -> Element:
    """Parse a document whose tags need not match; its first tag is the root. Raises ``MarkupError`` if nested too deeply.

    A start tag ends an open element of the same name if the name is one of ``unended`` or has no end tag in the document.
    """
    pieces = _TOKEN.split(text)
    tags = set(zip(pieces[4::7], pieces[5::7], strict=True))
    names = {slash: {_local(name) for mark, name in tags if name and mark == slash} for slash in ("", "/")}
    builder = _Builder(unended | (names[""] - names["/"]))
    for leaf, content, cdata, slash, name, attributes, data in zip(*(iter(pieces[1:]),) * 7, strict=True):
        if leaf:
            builder.leaf(leaf, unescape(content) if "&" in content else content)
        elif cdata:
            builder.data(cdata)
        elif slash:
            builder.end(name)
        elif name:
            pairs = _ATTRIBUTE.findall(attributes)
            builder.start(name, {key: tidy(unescape(double or single)) for key, double, single in pairs})
            if attributes.endswith("/"):
                builder.end(name)
        if data:
            builder.data(unescape(data) if "&" in data else data)
    return builder.close()


def parse_xml(text: str) -> Element:
    """Parse a document without its DOCTYPE. Raises ``MarkupError``."""
    text = _NOT_XML.sub("", text)
    parser = etree.XMLParser(target=_Builder(), resolve_entities=False, no_network=True)
    try:
        root: Element = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        if "<!DOCTYPE" in text:
            raise MarkupError("a DOCTYPE within the document") from None
        return parse_sgml(text, frozenset())
    return root


def parse_html(text: str) -> Element:
    """Parse a page or a part of one."""
    # Nothing but an end tag, and an XML declaration, would be errors at the beginning.
    text = f"<body>{_NOT_XML.sub('', text)}</body>"
    root: Element = etree.fromstring(text, etree.HTMLParser(target=_Builder(), no_network=True))
    return root


# ---- text ------------------------------------------------------------------------------------------------------------

# Elements that begin and end a paragraph: those of HTML, NITF and trafilatura. All others are part of a line.
_BLOCKS = frozenset(
    (
        "address article blockquote body bq center cell dd div dl dt html item li list main ol p pre quote row section "
        "td tr ul block body.content inlinexml inlinedata datacontent"
    ).split()
)
# Elements that are not text of the story: headings, captions, tables, notes, furniture of a page.
_NO_STORY = frozenset(
    (
        "aside body.end body.head button byline caption credit ednote figcaption figure fn footer form h1 h2 h3 h4 h5 h6 head "
        "header hl1 hl2 iframe media media-caption nav nitf-table noscript note script style table title"
    ).split()
)
_BREAKS = frozenset(("br", "lb", "hr"))
# In these elements, white space is layout.
_PLAIN = frozenset(("pre", "inlinedata", "datacontent"))
_EDGE, _BREAK, _LAYOUT = "\x1d", "\x1e", "\x1f"
_INDENT = 2
_ESCAPED = re.compile(r"</[a-z]\w*>|<(?:p|br)\b[^<>]*>", re.IGNORECASE)
# The text of a post. Posts of WordPress's classic editor have blank lines between paragraphs, and codes in brackets.
_POST = "encoded"
_BLOCK_TAG = re.compile(r"<(?:p|div|blockquote|article|section|ul|ol|table|br)\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SHORT_CODE = re.compile(
    r"\[(caption|wp_caption|embed|video|audio|playlist)\b[^\[\]]*\].*?\[/\1\]"
    r"|\[/?(?:caption|wp_caption|embed|video|audio|playlist|gallery)\b[^\[\]]*\]|\[/?[a-z][\w-]*(?: [\w-]+=[\"'][^\[\]]*)\]",
    re.DOTALL,
)
_BREAKS_TOGETHER = re.compile(rf"{_BREAK}\s*{_BREAK}[\s{_BREAK}]*")
_AFTER_BREAK = re.compile(rf"{_BREAK}\s*(\S)")
# In running text, most lines begin with a small letter.
_WRAPPED = 4


def paragraphs(element: Element, *, has_layout: bool = True) -> tuple[str, ...]:
    """The paragraphs of the story in an element, in order: text in and between blocks, and in markup that is escaped.

    ``has_layout``: white space can separate paragraphs, as in the text of agencies, but not in pages. A line break ends a
    paragraph, unless the breaks of the story only wrap its lines: a quarter of the lines begin with a small letter.
    """
    marked = "".join(_marked(element, _NO_STORY))
    if has_layout:
        marked = _EDGE.join(map(_by_layout, marked.split(_EDGE)))
    text = _BREAKS_TOGETHER.sub(_EDGE, marked)
    after = _AFTER_BREAK.findall(text)
    is_wrapped = sum(map(str.islower, after)) * _WRAPPED >= len(after)
    return tuple(filter(None, map(tidy, text.replace(_BREAK, " " if is_wrapped else _EDGE).split(_EDGE))))


def line(element: Element | None) -> str:
    """The text of an element on one line; empty for None."""
    return "" if element is None else tidy("".join(_marked(element, frozenset())))


def html_text(markup: str) -> str:
    """The text of HTML, which may be escaped, with blank lines between paragraphs. Raises ``MarkupError``."""
    if "<" not in markup and "&lt;" not in markup:
        return markup
    return "\n\n".join(paragraphs(parse_html(markup), has_layout=False))


def words(element: Element | None) -> str:
    """The text of an element of SGML on one line, with a space for each tag; empty for None."""
    return "" if element is None else tidy(" ".join(element.itertext()))


def _marked(element: Element, skipped: frozenset[str]) -> Iterator[str]:
    """The text of an element in order, with marks for the edges of blocks, for line breaks and for layout."""
    yield _EDGE if element.tag in _BLOCKS else ""
    yield _LAYOUT if element.tag in _PLAIN else ""
    text = _with_paragraphs(element.text) if element.tag == _POST and element.text else element.text
    yield from _unescaped(text, skipped)
    for child in element:
        if child.tag in _BREAKS:
            yield _BREAK
        elif child.tag in skipped:
            yield _EDGE
        elif isinstance(child.tag, str):  # not a comment
            yield from _marked(child, skipped)
        yield from _unescaped(child.tail, skipped)
    yield _EDGE if element.tag in _BLOCKS else ""


def _with_paragraphs(post: str) -> str:
    """A post without short codes; in one of the classic editor, tags of paragraphs stand for the blank lines."""
    post = _SHORT_CODE.sub("", post)
    if _BLOCK_TAG.search(post):
        return post
    return "".join(f"<p>{part}</p>" for part in re.split(r"\n\s*\n", _COMMENT.sub("", post)) if part.strip())


def _unescaped(text: str | None, skipped: frozenset[str]) -> Iterator[str]:
    if text and "<" in text and _ESCAPED.search(text):
        yield from _marked(parse_html(text), skipped)
    elif text:
        yield unescape(text)


def _by_layout(text: str) -> str:
    """The text with marks instead of its layout, if it has a layout: it is plain text, or only some lines are indented."""
    indents = {len(row) - len(row.lstrip()) for row in text.expandtabs().split("\n")[1:] if row.strip()}
    if not text.startswith(_LAYOUT) and not (0 in indents and max(indents) >= _INDENT):
        return text
    return _EDGE.join(map(_BREAK.join, layout(text.lstrip(_LAYOUT), indent=_INDENT, blank_lines=True)))


def first_value(root: Element, paths: tuple[str, ...]) -> str:
    """The first value that is not empty: the text at a path or, for ``path@name``, the value of an attribute."""
    for path in paths:
        where, is_attribute, name = path.rpartition("@")
        # The last @ may belong to a condition on an attribute, in brackets.
        if not is_attribute or name.endswith("]"):
            value = line(root.find(path))
        else:
            element = root.find(where)
            value = "" if element is None else tidy(element.get(name, ""))
        if value:
            return value
    return ""
