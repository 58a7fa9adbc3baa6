"""Repairs two kinds of damaged text: UTF-8 decoded with another encoding, and apostrophes that became spaces.

Encodings are repaired by ftfy's ``fix_encoding``, which leaves undamaged text as it is. Lost apostrophes ("couldn t", "Trump
s") are restored only in a text that lacks at least two and has no apostrophe left. Curly quotation marks, ligatures and line
ends are not changed. ``damage`` finds the damage that remains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from wdw_build.records import RawArticle

# UTF-8 decoded as Latin-1 or Windows-1252; a dash or quotation mark decoded with one of three other encodings.
_SUSPECT = re.compile(r"[\xc2-\xf4][^\x00-\x7f]|[\x80-\x9f]|‚Ä|ΓÇ|вЂ")
# The rest that ftfy leaves of a wrongly decoded no-break space.
_NO_BREAK_SPACE = re.compile(r"Â(?=[\s,.;:!?]|$)")
_NEGATED = r"(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|ai|must|need)n"
_LOST = re.compile(
    rf"(?i:\b{_NEGATED}) t\b(?![.'’])|(?<=[A-Za-z]) s\b(?![.'’])(?=[\s,;:!?.]|$)"
    r"|(?i:\b(?:I|you|we|they|he|she|it|that|who|there)) (?:ll|re|ve)\b|\b(?:I|i) m\b(?![.'’])"
)
_APOSTROPHE = re.compile(r"[^\W\d_]['’][^\W\d_]")
# Quick pre-test: every lost apostrophe leaves one of these strings.
_LONE_LETTERS = tuple(f" {letters}" for letters in ("s ", "t ", "ll ", "re ", "ve ", "m "))
# A single lone letter may be a misprint or intended.
_FEWEST_LOST = 2
_DAMAGE = re.compile(
    "\ufffd|[\x80-\x9f]|[ÂÃâ](?:[\x80-\xbf€™œžŸ‚„…†‡ˆ‰Š‹Œ‘’“”•–—˜š›]|(?=\\s|$))"
    rf"|(?i:\b{_NEGATED}) t(?=[\s,;:!?.]|$)|(?<=[A-Za-z]) s(?=[\s,;:!?]|$)"
    r"|(?i:\b(?:I|you|we|they|he|she|it|that|who|there)) (?:ll|re|ve)(?=\s)"
)


def _with_encoding(text: str) -> str:
    if text.isascii() or not _SUSPECT.search(text):
        return text
    from ftfy import fix_encoding

    return _NO_BREAK_SPACE.sub("", fix_encoding(text))


def _with_apostrophes(texts: Sequence[str]) -> Sequence[str]:
    """The texts with apostrophes restored, if enough apostrophes are lost and no text has an apostrophe left."""
    if not any(lone in text for text in texts for lone in _LONE_LETTERS):
        return texts
    lost = sum(len(_LOST.findall(text)) for text in texts)
    if lost < _FEWEST_LOST or any(_APOSTROPHE.search(text) for text in texts):
        return texts
    return [_LOST.sub(lambda match: match[0].replace(" ", "'"), text) for text in texts]


def repair(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of an article (title, paragraphs) repaired, in the same order."""
    return tuple(_with_apostrophes([_with_encoding(text) for text in texts]))


def repair_article(article: RawArticle) -> RawArticle:
    """The article with title and paragraphs repaired; the same object if they are undamaged."""
    before = (article.title, *article.paragraphs)
    title, *paragraphs = repair(before)
    if (title, *paragraphs) == before:
        return article
    return msgspec.structs.replace(article, title=title, paragraphs=tuple(paragraphs))


def damage(text: str) -> str:
    """The first damage that remains in a text, with 20 characters on each side; or an empty string."""
    match = _DAMAGE.search(text)
    return text[max(0, match.start() - 20) : match.end() + 20] if match else ""
