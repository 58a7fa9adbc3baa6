"""Names in the credits inside a text: reporters, photographers, authors of embedded posts. They are not persons of the story.

``text.pages.credits`` removes credits at both ends of a text. A credit in the middle stays in the passage, and its names
are left out of the choices.
"""

from __future__ import annotations

import functools
import re

from wdw_build.text.lexicon import WEEKDAY_NAME, alternatives, phrases, word_list

_WORD = r"[^\W\d_a-z](?:[\w'’-]*[a-z]|\.)"
_NAME = rf"{_WORD}(?: (?:{_WORD}|de|del|van|von|la|al|bin)){{1,3}}"
_NAMES = rf"{_NAME}(?:(?:, {_NAME})*,? and {_NAME})?"
_AGENCY = alternatives(phrases("owners_beside_names"))
_STAFF = r"(?:correspondent|editor|reporter|producer|columnist)"
# Each form of a credit, after a string that every credit of the form contains.
_FORMS = (
    # "Ann Ames/Reuters"
    ("/", re.compile(rf"{_NAME} ?/ ?{_AGENCY}\b")),
    # "By Ann Ames and Bo Beck LONDON", "By Ann Ames BBC News", and a line that is a byline
    (
        "By ",
        re.compile(
            rf"(?<![\w-] )\bBy {_NAMES}(?=\n|\Z)|"
            rf"\bBy {_NAMES}?(?=,? (?:[A-Z]{{3,}}\b|\||Updated|Published|Posted|on Facebook|"
            rf"{WEEKDAY_NAME}, |(?:[A-Z]?[a-z]+ ){{0,2}}{_STAFF}\b))"
        ),
    ),
    # "Ann Ames BBC News, London", "Ann Ames Business editor, BBC News"
    (" News", re.compile(rf"{_NAME},? (?:(?:[A-Z]?[a-z]+ ){{0,2}}{_STAFF}, )?[A-Z]{{2,4}} News\b")),
    # "From London, Ann Ames reports.", "The BBC's Ann Ames reports"
    ("reports", re.compile(rf"(?:\bFrom {_WORD}(?: {_WORD})?, |\b[A-Z]{{2,4}}['’]s (?:\w+ )?){_NAMES} reports\b")),
    # "…, Ann Ames reports from Abuja." at the end of a paragraph
    (
        "s",
        re.compile(
            rf"(?:(?<=, )|(?<=\n)|(?<=[.!?”] )){_NAMES},? (?:reports|writes)(?:,? (?:from|in) [A-Z]\w+)?\.?(?=\s*(?:\n|\Z))"
        ),
    ),
    ("BBC", re.compile(rf"\bThe BBC['’]s {_NAME}(?=,? (?:in|on) )")),
    # "Ann Ames (@annames)"
    ("(@", re.compile(rf"{_NAME} \(@\w+\)")),
)


@functools.lru_cache(4)
def signatures(text: str) -> tuple[tuple[int, int], ...]:
    """The credits inside a text as spans [start, end) of characters, ordered by form."""
    return tuple(credit.span() for marker, form in _FORMS if marker in text for credit in form.finditer(text))


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
    rf"|\b(?:to|with|by) {_OF_OUTLET}"
    r"|\b(?:[Ii]n|[Dd]uring|[Ff]rom) (?:an?|his|her|their|the)(?: [\w-]+){0,3} interview (?:[\w-]+ )?with"
    r"|[\"“‘][A-Z][^\"”’.,—–]{1,30} [Ww]ith|\b[A-Z]\w+ (?:Show|Tonight|Live|Report|Hour|Time|Night|Futures|Politics) with)"
    rf"(?: {_NAME},? and)? $"
)
# "[Ann Ames]'s radio show", "[Ann Ames], who covers the campaign for"
_AFTER_REPORTER = re.compile(
    r"['’]s? (?:[\w-]+ ){0,3}(?:[Ss]how|[Bb]log|[Pp]odcast|[Pp]rogram(?:me)?|[Cc]olumn)\b|, who (?:covers|hosts)\b"
    r"| (?:Show|Tonight)\b"
)
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
