"""Repairs text that was damaged in a certain way: UTF-8 read as another encoding, and apostrophes that became spaces.

Encodings are repaired by ftfy's ``fix_encoding``, which changes nothing that reads well as it stands. Lost apostrophes are
repaired only in a text that shows the damage at least twice and has no apostrophe left, such as "couldn t" and "Trump s".
Curly quotation marks, ligatures and line ends stay as they are. What stays damaged is found by ``damage``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from wdw_build.records import RawArticle

# What UTF-8 looks like that was read as Latin-1 or Windows-1252, and a dash or quotation mark read as three other encodings.
_SUSPECT = re.compile(r"[\xc2-\xf4][^\x00-\x7f]|[\x80-\x9f]|‚Ä|ΓÇ|вЂ")
# A space that was a no-break space before the text was read wrongly: ftfy leaves the rest of it.
_REST = re.compile(r"Â(?=[\s,.;:!?]|$)")
_NEGATED = r"(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|ai|must|need)n"
_LOST = re.compile(
    rf"(?i:\b{_NEGATED}) t\b(?![.'’])|(?<=[A-Za-z]) s\b(?![.'’])(?=[\s,;:!?.]|$)"
    r"|(?i:\b(?:I|you|we|they|he|she|it|that|who|there)) (?:ll|re|ve)\b|\b(?:I|i) m\b(?![.'’])"
)
_APOSTROPHE = re.compile(r"[^\W\d_]['’][^\W\d_]")
# What every lost apostrophe leaves, looked for first because it is quick.
_LONE = tuple(f" {letters}" for letters in ("s ", "t ", "ll ", "re ", "ve ", "m "))
# Fewer might be misprints, or letters that are meant.
_LEAST_LOST = 2
_DAMAGE = re.compile(
    "\ufffd|[\x80-\x9f]|[ÂÃâ](?:[\x80-\xbf€™œžŸ‚„…†‡ˆ‰Š‹Œ‘’“”•–—˜š›]|(?=\\s|$))"
    rf"|(?i:\b{_NEGATED}) t(?=[\s,;:!?.]|$)|(?<=[A-Za-z]) s(?=[\s,;:!?]|$)"
    r"|(?i:\b(?:I|you|we|they|he|she|it|that|who|there)) (?:ll|re|ve)(?=\s)"
)


def _encoding(text: str) -> str:
    if text.isascii() or not _SUSPECT.search(text):
        return text
    from ftfy import fix_encoding

    return _REST.sub("", fix_encoding(text))


def _apostrophes(texts: Sequence[str]) -> Sequence[str]:
    """The texts with their apostrophes, if enough are lost and none is left in any of them."""
    if not any(lone in text for text in texts for lone in _LONE):
        return texts
    lost = sum(len(_LOST.findall(text)) for text in texts)
    if lost < _LEAST_LOST or any(_APOSTROPHE.search(text) for text in texts):
        return texts
    return [_LOST.sub(lambda found: found[0].replace(" ", "'"), text) for text in texts]


def repair(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of an article (title, paragraphs), as many as there were, repaired where that is certain."""
    return tuple(_apostrophes([_encoding(text) for text in texts]))


def repair_article(article: RawArticle) -> RawArticle:
    """The article with its title and paragraphs repaired; the same object if nothing is to be repaired."""
    before = (article.title, *article.paragraphs)
    title, *paragraphs = repair(before)
    if (title, *paragraphs) == before:
        return article
    return msgspec.structs.replace(article, title=title, paragraphs=tuple(paragraphs))


def damage(text: str) -> str:
    """What is still damaged in a text, with a few characters around it, or an empty string."""
    found = _DAMAGE.search(text)
    return text[max(0, found.start() - 20) : found.end() + 20] if found else ""
