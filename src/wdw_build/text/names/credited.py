"""Names of reporters inside a text, who are not persons of the story, though their names stay in the passage.

The credits at the end of a text, and those that the tagger of page text finds, are removed before.
"""

from __future__ import annotations

import functools
import re

from wdw_build.text.lexicon import alternatives, phrases, word_list

_WORD = r"[^\W\d_a-z](?:[\w'’-]*[a-z]|\.)"
_NAME = rf"{_WORD}(?: (?:{_WORD}|de|del|van|von|la|al|bin)){{1,3}}"
_STAFF = r"(?:correspondent|editor|reporter|producer|columnist)"
# "Ann Ames BBC News, London", "Ann Ames Business editor, BBC News", "The BBC's Ann Ames in London"
_CREDIT = re.compile(
    rf"{_NAME},? (?:(?:[A-Z]?[a-z]+ ){{0,2}}{_STAFF}, )?[A-Z]{{2,4}} News\b|\bThe BBC['’]s {_NAME}(?=,? (?:in|on) )"
)


@functools.lru_cache(4)
def signatures(text: str) -> tuple[tuple[int, int], ...]:
    """The credits inside a text as spans [start, end) of characters, in text order."""
    return tuple(credit.span() for credit in _CREDIT.finditer(text))


# ---- persons who only report -----------------------------------------------------------------------------------------

_SIDE = 90
_OUTLET = (
    rf"(?:the )?(?:{alternatives(phrases('outlets'))}|"
    rf"(?:[A-Z][\w’']+ ){{1,3}}{alternatives(word_list('last_words_of_outlets'))})"
)
_ON_AIR = r"(?:[Cc]o-?)?(?:[Hh]ost|[Aa]nchor|[Pp]resenter|[Ii]nterviewer)"
_OF_OUTLET = rf"{_OUTLET}['’]s?(?: [\w-]+){{0,2}}"
_WITH_ROLE = rf"(?:[\w’'&.-]+ ){{0,4}}(?:{_ON_AIR}|{_STAFF})"
_MEETS = r"(?:interviews?|appearance|discussion|exchange|segment|(?:[Ss]itting|sat|[Ss]peaking|spoke|[Tt]alking|talked)(?: down)?)"
# "told CNN's [Ann Ames]", "according to Tribune reporter [Ann Ames]", "said in an interview with [Ann Ames]"
_BEFORE_REPORTER = re.compile(
    rf"(?:\b(?:told|tells|telling|[Aa]ccording to|[Aa]sked by|{_MEETS}(?: \w+)? (?:with|to|by|on)) (?:{_OF_OUTLET}|{_WITH_ROLE})"
    r"|\b(?:[Ii]n|[Dd]uring|[Ff]rom) (?:an?|his|her|their|the)(?: [\w-]+){0,3} interview (?:[\w-]+ )?with"
    r"|[\"“‘](?:[A-Z@]\w* ){1,5}[Ww]ith) $"
)
# "[Ann Ames]'s radio show"
_AFTER_REPORTER = re.compile(r"['’]s? (?:[\w-]+ ){0,3}(?:[Ss]how|[Bb]log|[Pp]odcast|[Pp]rogram(?:me)?|[Cc]olumn)\b")
# "CNN's [Ann Ames] reports", "host [Ann Ames] asked"
_REPORTER = re.compile(rf"\b(?:{_OF_OUTLET}|{_OUTLET}(?: [a-z]+)? {_STAFF}|{_ON_AIR}) $")
_REPORTS = re.compile(
    r",? (?:[\w-]+ )?(?:asked|asks|contributed|emphasized|interject\w+|noted|notes|pressed|reported|reports|said during|tweeted|"
    r"writes|wrote|points? out|pointed out|was the first)\b"
)


def reports(text: str, start: int, end: int) -> bool:
    """Whether a mention names a reporter or host: "told CNN's Ann Ames", "Ann Ames's radio show"."""
    before, after = text[max(0, start - _SIDE) : start], text[end : end + _SIDE]
    if _REPORTER.search(before) and _REPORTS.match(after):
        return True
    return bool(_BEFORE_REPORTER.search(before) or _AFTER_REPORTER.match(after))
