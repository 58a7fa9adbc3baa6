"""Repairs damaged text where the damage is certain: encodings, entities, odd characters, lost apostrophes and spaces, tokens.

Character entities are decoded unless a text has HTML tags, and accented letters are composed (NFC), so that a name is the same
in all sources. Encodings are repaired by ftfy's ``fix_encoding``, which leaves undamaged text as it is. An apostrophe with
spaces around it is joined ("isn ’ t"), and a lost one is restored before letters that are no word ("couldn t", "the mayor s
plan"), unless the text has other scattered letters, like a text in another language that lost its accented letters. A space is
restored between two sentences ("… home.They left"). Marks of Markdown and wikis and rows of marks that part sections ("***") are
removed, and a word that a line end parted is joined if the article has the whole word elsewhere. Curly quotation marks,
ligatures and line ends are not changed.
``damage`` finds the damage that remains.

A corpus that was published tokenised has spaces before its commas and full stops ("Weitz 's film , `` Twilight . ''"), where
splitters of sentences and taggers expect text as it was printed. The Penn Treebank's tokens (Marcus et al. 1993) are joined
with certainty. A hyphen or a dash between two spaces stays as it is: it may be either.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from html.entities import html5

import msgspec

from wdw_build.records import RawArticle
from wdw_build.text.tokens import TREEBANK_BRACKETS

# UTF-8 decoded as Latin-1 or Windows-1252; a dash or quotation mark decoded with one of three other encodings. The first
# characters are one set, because a search for a set is fast.
_SUSPECT = re.compile(
    r"[\x80-\x9f\xc2-\xf4‚Γв](?:(?<=[\x80-\x9f])|(?<=[\xc2-\xf4])[^\x00-\x7f]|(?<=‚)Ä|(?<=Γ)Ç|(?<=в)Ђ)"
)
# The rest that ftfy leaves of a wrongly decoded no-break space.
_NO_BREAK_SPACE = re.compile(r"Â(?=[\s,.;:!?]|$)")
# The rest of a wrongly decoded closing quotation mark, whose last byte is a control character, which readers remove.
_CLOSING_MARK = re.compile(r"(?<=\S)â€(?=[\s,.;:!?)\]]|$)")
# A carriage return as workbooks write it, which exports leave.
_OFFICE_LINE_END = "_x000D_"
# Characters without width that scraped texts have within words; between words without a space, the first is a lost space.
_INVISIBLE = re.compile("[\ufeff\u200b\u2060\u00ad]")
_NO_WIDTH = "\u200b"
_LOST_BLANK = re.compile(rf"(?<=\w){_NO_WIDTH}+(?=\w)")
# An entity, which may be escaped several times: &amp;amp;quot;
_ENTITY = re.compile(r"&(?:amp;)*(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
HTML_TAG = re.compile(
    r"</?(?:p|div|br|a|b|i|u|em|strong|span|font|ul|ol|li|h[1-6]|img|table|tr|t[dh]|blockquote|figure|section|article|sub|sup|script|style)"
    r"\b[^<>]*>",
    re.IGNORECASE,
)
# Runs of block characters, which pages have for bars and redactions.
_BLOCK = r"[\u2580-\u25a1\u25aa\u25ab\u25ae\u25af\u2b1b]"
_BLOCKS = re.compile(rf"{_BLOCK}\s*{_BLOCK}(?:\s|{_BLOCK})*")
# Quick pre-test: a character of one of these patterns.
_ODD = re.compile("[\x80-\x9f\xc2-\xf4‚Γв\ufeff\u200b\u2060\u00ad\u2580-\u25a1\u25aa\u25ab\u25ae\u25af\u2b1b]")
_NEGATED = r"(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|ai|must|need)n"
_PRONOUN = r"(?:I|you|we|they|he|she|it|that|who|there)"
_LOST = re.compile(
    rf"(?i:\b{_NEGATED}) t\b(?!['’])|(?<=[A-Za-z]{{2}})(?<!\b(?:of|to|in|by|an|or)) s(?=[\s,;:!?]|\.(?!\.)|$)"
    # "followed s per the rules" lost the first letter of "as".
    r"(?! (?:per|usual|though|(?:far|long|many|much|soon|well) as)\b)"
    rf"|(?i:\b{_PRONOUN}) (?:ll|re|ve|d)(?=[\s,.])(?! ?-)|\b[Ii] m\b(?![.'’])"
)
# An apostrophe with spaces around it: "isn’ t", "Trump ’ s", "they ’re".
_PARTED = re.compile(
    rf"\b({_NEGATED})(?: (['’]) ?| ?(['’]) )(?=t\b)|(?<=\w)(?: (['’]) ?| ?(['’]) )(?=(?:s|m|d|re|ll|ve)\b(?!['’-]))"
    r"|(?<=\w) (?=n['’]t\b)",
    re.IGNORECASE,
)
# Quick pre-test: an apostrophe with a space near it, and the end of a word.
_NEAR_PARTED = re.compile(r"['’](?:(?<= .)|(?<= [nN].)|(?= )) ?(?:[sStTmMdD]|[rRvV][eE]|[lL][lL])\b")
# Letters that no English text has alone.
_SCATTERED = re.compile(r"(?<![\w'’.&$-])[b-z](?![\w'’.&-])")
# Quick pre-test: every lost apostrophe leaves one of these.
_LONE_LETTERS = re.compile(r" (?:[st][ ,.]|(?:ll|re|ve|m|d) )")
# A sentence that ends without a space before the next one. A web address may have the same form ("Example.Com").
_LOST_SPACE = re.compile(
    r"[.!?](?:(?<=[a-z]{2}.)|(?<=[’'][st].))[\"”’)]?"
    r"(?=(?!(?:Com|Org|Net|Inc|Gov|Edu|Co|Tv|Uk|Us|Me|Io|Js)\b)(?:[A-Z][a-z]+|A|I)\s)"
)
# Marks of Markdown and of wikis around words, and numbers of notes: "**bold**", "*italic*", "[[A|B]]", "said.[1]".
_EMPHASIS = re.compile(
    r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*\n]{1,200})(?<=[^\s*])\1(?![\w*])|(?<!\w)__(?=[^\s_])([^_\n]{1,200})(?<=[^\s_])__(?!\w)"
)
# A row of marks between sentences, which parts sections: "***", "* * *", "———".
_BREAK = re.compile(r"(?:^|(?<=[.!?…\"”’)]))\s*([*_=~#—–-])(?:\s?\1){2,}(?=\s+[\"“‘'(]?[A-Z]|\s*$)")
# Quick pre-test: two marks of a row.
_NEAR_BREAK = re.compile(r"([*_=~#—–-])\s?\1")
_WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]{1,100}\|)?([^\[\]|]{1,100})\]\]")
_NOTE_NUMBER = re.compile(r"(?<=[\w.,;:!?\"”’)])(?:\[\d{1,3}\])+(?=[\s.,;:!?\"”’)]|$)")
# A word that was hyphenated at the end of a line: "Ver- rell". "pre- and post-war" is none.
PARTED_WORD = re.compile(r"\b([A-Za-z][a-z]+)- (?!(?:and|or|nor|to|but|versus)\b)([a-z]{2,})\b")

_DAMAGE = re.compile(
    "\ufffd|[\x80-\x9f]|[ÂÃâ](?:[\x80-\xbf€™œžŸ‚„…†‡ˆ‰Š‹Œ‘’“”•–—˜š›]|(?=\\s|$))"
    rf"|(?i:\b{_NEGATED}) t(?=[\s,;:!?.]|$)|(?<=[A-Za-z]) s(?=[\s,;:!?]|$)"
    rf"|(?i:\b{_PRONOUN}) (?:ll|re|ve)(?=\s)|{PARTED_WORD.pattern}"
    # Words with a space after their first letter, three at least: "M ayor Dalia H esk met V errell".
    r"|\b[B-HJ-Z] [a-z]{3,}(?=(?:.* [B-HJ-Z] [a-z]{3,}){2})"
)

# Commas and full stops; those that stand alone.
_MARK = re.compile(r"[,.](?=\s|$)")
_LONE_MARK = re.compile(r"[,.](?<=\S\s.)(?=\s|$)")
_FEWEST_MARKS = 2
_BRACKET = re.compile("|".join(TREEBANK_BRACKETS))
_CONTRACTION = re.compile(r"(?<=[\w.]) (?:(n['’]t)|(['’]) ?(s|m|d|re|ll|ve))(?![\w'’])", re.IGNORECASE)
_LEFT = re.compile(r"(?<=\S) (?=(?:[,.;:?!%)\]}…’”]|\.\.\.)(?:\s|$|[)\]}\"'’”]))")
_RIGHT = re.compile(r"(?<![^\s(\[{\"“‘])([(\[{$£€#“‘]) (?=\S)")
# The marks of double and of single quotations; the Treebank has one mark that opens and one that closes.
_QUOTATIONS = ((re.compile(r"(?<!\S)(?:``|''|\")(?!\S)"), '"', "''"), (re.compile(r"(?<!\S)[`'](?!\S)"), "'", ""))


def _with_entities(texts: Sequence[str]) -> Sequence[str]:
    """The texts of an article with characters for entities, if none has a tag: in HTML, an entity may be part of the markup."""
    if not any("&" in text for text in texts) or any(HTML_TAG.search(text) for text in texts):
        return texts
    decoded = [_ENTITY.sub(_character, text) for text in texts]
    return [text if text == old else " ".join(text.split()) for text, old in zip(decoded, texts, strict=True)]


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    is_known = name.startswith("#") or f"{name};" in html5
    return html.unescape(f"&{name};") if is_known else entity[0].replace("&amp;", "&")


def _with_characters(text: str) -> str:
    if _OFFICE_LINE_END in text:
        text = " ".join(text.replace(_OFFICE_LINE_END, " ").split())
    if text.isascii():
        return text
    if _ODD.search(text):
        text, runs = _BLOCKS.subn(" ", text)
        text = " ".join(text.split()) if runs else text
        if _SUSPECT.search(text):
            from ftfy import fix_encoding

            text = _NO_BREAK_SPACE.sub("", fix_encoding(_CLOSING_MARK.sub("”", text)))
        text = _INVISIBLE.sub("", _LOST_BLANK.sub(" ", text))
    return unicodedata.normalize("NFC", text)


def _with_apostrophes(text: str) -> str:
    if ("'" in text or "’" in text) and _NEAR_PARTED.search(text):
        text = _PARTED.sub(lambda match: "".join(filter(None, match.groups())), text)
    if not _LONE_LETTERS.search(text):
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


def is_tokenised(texts: Sequence[str]) -> bool:
    """Whether half of the commas and full stops of a text, and two at least, stand between spaces."""
    lone = sum(len(_LONE_MARK.findall(text)) for text in texts if " ," in text or " ." in text)
    # Most texts have none, and their other marks are not counted.
    return lone >= _FEWEST_MARKS and 2 * lone >= sum(len(_MARK.findall(text)) for text in texts)


def detokenise(text: str) -> str:
    """A paragraph with its tokens joined."""
    text = _BRACKET.sub(lambda match: TREEBANK_BRACKETS[match[0]], text)
    text = _CONTRACTION.sub(lambda match: match[1] or match[2] + match[3], text)
    for pattern, mark, closing in _QUOTATIONS:
        text = _with_quotations(text, pattern, mark, closing)
    return _RIGHT.sub(r"\1", _LEFT.sub("", text))


def _with_quotations(text: str, pattern: re.Pattern[str], mark: str, closing: str) -> str:
    """Lone quotation marks joined to the words that they enclose; an odd one at the end stays with the word before it."""
    matches = list(pattern.finditer(text))
    pieces, last, opened = list[str](), 0, False
    for number, match in enumerate(matches, 1):
        opened = not opened and match[0] != closing and number < len(matches)
        start, end = match.span()
        if opened and text[end : end + 1] == " ":
            end += 1
        elif not opened and text[start - 1 : start] == " ":
            start -= 1
        pieces += [text[last:start], mark]
        last = end
    return "".join((*pieces, text[last:]))


def _without_marks(text: str) -> str:
    """The text without marks of Markdown and of wikis, without numbers of notes, and without rows of marks that part sections."""
    if _NEAR_BREAK.search(text):
        text = _BREAK.sub("", text).lstrip()
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub(lambda match: match[2] or match[3], text)
    return _NOTE_NUMBER.sub("", _WIKI_LINK.sub(r"\1", text)) if "[" in text else text


def _with_whole_words(texts: Sequence[str]) -> Sequence[str]:
    """The texts with words that were hyphenated at line ends, if the article has the whole word elsewhere."""
    if not any("- " in text for text in texts):
        return texts
    words = set(re.findall(r"[^\W\d_]+", " ".join(texts)))

    def joined(match: re.Match[str]) -> str:
        whole = match[1] + match[2]
        return whole if whole in words else match[0]

    return [PARTED_WORD.sub(joined, text) for text in texts]


def repair(texts: Sequence[str]) -> tuple[str, ...]:
    """The texts of an article (title, paragraphs) repaired, in the same order."""
    plain = (
        _LOST_SPACE.sub(_with_space, _with_apostrophes(_with_characters(_without_marks(text))))
        for text in _with_entities(texts)
    )
    return tuple(_with_whole_words(list(plain)))


def repair_article(article: RawArticle) -> RawArticle:
    """The article with source, title and paragraphs repaired; the same object if they are undamaged."""
    before, after = _with_repaired(article)
    if after == before:
        return article
    source, title, *paragraphs = after
    return msgspec.structs.replace(article, source=source, title=title, paragraphs=tuple(filter(None, paragraphs)))


def _with_repaired(article: RawArticle) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Source, title and paragraphs of an article, and the same texts repaired."""
    before = (article.source, article.title, *article.paragraphs)
    tokenised = is_tokenised(article.paragraphs)
    return before, repair([detokenise(text) for text in before] if tokenised else before)


def first_repair(article: RawArticle) -> tuple[str, str, str] | None:
    """The kind of damage that ``repair_article`` repairs, and 40 characters before and after its first change; or None."""
    before, after = _with_repaired(article)
    old, new = next((pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]), ("", ""))
    if old == new:
        return None
    if is_tokenised(article.paragraphs):
        kind = "tokens that spaces separate, which are joined"
    elif any(map(_BLOCKS.search, before)):
        kind = "runs of blocks (███), which are removed"
    else:
        kind = "damaged characters or spaces, which are repaired"
    same = next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    start = max(0, same - 20)
    return kind, old[start : start + 40], new[start : start + 40]


def damage(text: str) -> str:
    """The first damage that remains in a text, with 20 characters on each side; or an empty string."""
    match = _DAMAGE.search(text)
    return text[max(0, match.start() - 20) : match.end() + 20] if match else ""
