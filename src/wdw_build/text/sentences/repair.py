"""Repairs damaged text where the damage is certain: wrongly decoded UTF-8, lost apostrophes and spaces, tokenised text.

Encodings are repaired by ftfy's ``fix_encoding``, which leaves undamaged text as it is. An apostrophe is restored before
letters that are no word ("couldn t", "the mayor s plan"), unless the text has other scattered letters, like a text in another
language that lost its accented letters. A space is restored between two sentences ("… home.They left"). Curly quotation
marks, ligatures and line ends are not changed. ``damage`` finds the damage that remains.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from wdw_build.records import RawArticle
from wdw_build.text.sentences.detokenise import detokenise, is_tokenised

# UTF-8 decoded as Latin-1 or Windows-1252; a dash or quotation mark decoded with one of three other encodings.
_SUSPECT = re.compile(r"[\xc2-\xf4][^\x00-\x7f]|[\x80-\x9f]|‚Ä|ΓÇ|вЂ")
# The rest that ftfy leaves of a wrongly decoded no-break space.
_NO_BREAK_SPACE = re.compile(r"Â(?=[\s,.;:!?]|$)")
_NEGATED = r"(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|ai|must|need)n"
_PRONOUN = r"(?:I|you|we|they|he|she|it|that|who|there)"
_LOST = re.compile(
    rf"(?i:\b{_NEGATED}) t\b(?!['’])|(?<=[A-Za-z]{{2}})(?<!\b(?:of|to|in|by|an|or)) s(?=[\s,;:!?]|\.(?!\.)|$)"
    rf"|(?i:\b{_PRONOUN}) (?:ll|re|ve|d)(?=[\s,.])(?! ?-)|\b[Ii] m\b(?![.'’])"
)
# Letters that no English text has alone.
_SCATTERED = re.compile(r"(?<![\w'’.&$-])[b-z](?![\w'’.&-])")
# Quick pre-test: every lost apostrophe leaves one of these strings.
_LONE_LETTERS = tuple(
    f" {letters}" for letters in ("s ", "s,", "s.", "t ", "t.", "t,", "ll ", "re ", "ve ", "m ", "d ")
)
# A sentence that ends without a space before the next one. A web address may have the same form ("Example.Com").
_LOST_SPACE = re.compile(
    r"[.!?](?:(?<=[a-z]{2}.)|(?<=[’'][st].))[\"”’)]?"
    r"(?=(?!(?:Com|Org|Net|Inc|Gov|Edu|Co|Tv|Uk|Us|Me|Io|Js)\b)(?:[A-Z][a-z]+|A|I)\s)"
)
_DAMAGE = re.compile(
    "\ufffd|[\x80-\x9f]|[ÂÃâ](?:[\x80-\xbf€™œžŸ‚„…†‡ˆ‰Š‹Œ‘’“”•–—˜š›]|(?=\\s|$))"
    rf"|(?i:\b{_NEGATED}) t(?=[\s,;:!?.]|$)|(?<=[A-Za-z]) s(?=[\s,;:!?]|$)"
    rf"|(?i:\b{_PRONOUN}) (?:ll|re|ve)(?=\s)"
)


def _with_encoding(text: str) -> str:
    if text.isascii() or not _SUSPECT.search(text):
        return text
    from ftfy import fix_encoding

    return _NO_BREAK_SPACE.sub("", fix_encoding(text))


def _with_apostrophes(text: str) -> str:
    if not any(lone in text for lone in _LONE_LETTERS):
        return text
    restored = _LOST.sub(lambda match: match[0].replace(" ", "'"), text)
    return text if _SCATTERED.search(restored) else restored


def _with_space(end: re.Match[str]) -> str:
    """The end of a sentence with a space before the next one; unchanged in a web address."""
    text, mark = end.string, end[0]
    word = text[text.rfind(" ", 0, end.start()) + 1 : end.start()]
    if any(sign in word for sign in "./@"):
        return mark
    opens = mark.endswith('"') and text.count('"', 0, end.start()) % 2 == 0
    return f'{mark[:-1]} "' if opens else f"{mark} "


def repair(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of an article (title, paragraphs) repaired, in the same order."""
    return tuple(_LOST_SPACE.sub(_with_space, _with_apostrophes(_with_encoding(text))) for text in texts)


def repair_article(article: RawArticle) -> RawArticle:
    """The article with title and paragraphs repaired; the same object if they are undamaged."""
    before = (article.title, *article.paragraphs)
    tokenised = is_tokenised(article.paragraphs)
    title, *paragraphs = repair([detokenise(text) for text in before] if tokenised else before)
    if (title, *paragraphs) == before:
        return article
    return msgspec.structs.replace(article, title=title, paragraphs=tuple(paragraphs))


def damage(text: str) -> str:
    """The first damage that remains in a text, with 20 characters on each side; or an empty string."""
    match = _DAMAGE.search(text)
    return text[max(0, match.start() - 20) : match.end() + 20] if match else ""
