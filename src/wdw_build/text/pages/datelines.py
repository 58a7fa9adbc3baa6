"""Splits the dateline from a newswire paragraph: 'LONDON, April 3 (AFP) - ', 'PORT ANSEL _ ', '(CNN) -- '.

English-language agencies write place, regions, date, agency, then a dash. The text before the first dash is a dateline only
with evidence: a place in capitals, a date, or an agency. Some publishers write no dash after the agency ('Washington
(CNN)The', 'Taipei, Feb. 1 (CNA) The'); then the agency must be a known agency. ``split_opening`` also splits off notes on the
version, labels and bylines. Not recognised: places in mixed case with neither date nor known agency ('Paris - '), which look like
a sentence, and places without a dash ('DUBAI President …').
"""

from __future__ import annotations

import re
from collections.abc import Callable

from wdw_build.text.lexicon import MONTH, WEEKDAY, word_list
from wdw_build.text.names.name import BEFORE_A_NAME, fold

_LONGEST_HEAD = 110
_DATE = re.compile(
    rf"(?:^|(?<=[\s,.]))(?:{WEEKDAY},?\s+)?(?:{MONTH}\s*\d{{1,2}}|\d{{1,2}}\s+{MONTH})(?:,?\s+\d{{4}})?\s*,?\s*$",
    re.IGNORECASE,
)
# Hyphens, en dashes and underscores need white space after them, and white space, a digit, a bracket or capitals before them;
# some agencies write a full stop after the bracket. After white space, they may touch a capital. After a bracket, agencies
# also write a semicolon or a colon.
_DASH = re.compile(
    r"\s*(?:--+|—|―)\s*|(?:\s+|(?<=[\d)])|(?<=\))\.|(?<=[A-Z]{4}))[-–_]\s+|\s+[-–](?=[A-Z\"“‘])|(?<=\))[;:][\s:]*"
)
_AGENCY = re.compile(r"\s*,?\s*(?:\((?P<name>[^()]{2,40})\)|/(?P<slashed>[\w-]{2,20})/)\s*$")
# An agency that has lost a bracket: "Washington, Oct. 15 CNA) - ".
_LOST_BRACKET = re.compile(r"(?:\s*,?\s*\((?P<opened>[\w-]{2,12})|[\s,]+(?P<closed>[\w-]{2,12})\))\s*$")
# An agency without a dash after it, and the words before it. One of its brackets may be lost.
_NO_DASH = re.compile(
    r"(?P<head>[^()\n]{0,80}?)(?:\s*\((?:(?P<name>[^()\n]{2,30})\)\s*|(?P<opened>[^()\s]{2,20})\s+(?![^()]{0,60}\)))"
    r"|[\s,]+(?P<closed>[^()\s]{2,20})\)\s*)"
    r"(?=[\"“'‘(]{0,2}[^\W_])"
)
# Agencies that are also states: "Harrisburg (PA) Mayor Ann Ames".
_STATES = frozenset({"PA"})
_AGENCY_NAME = re.compile(r"[^\W\d_](?:[\w./&'-]*)(?:\s+[\w./&'-]+){0,4}")
# An agency without parentheses, as pages of CNN and of Reuters have it: "Doha, Qatar CNN — ", "MOSCOW Reuters — ".
_BARE_NAME = r"(?P<name>[A-Z]{2,8}|Interfax|Kyodo|Reuters|Xinhua)"
_BARE_AGENCY = re.compile(rf"(?<=[\w.])(?<!\bof)(?<!\band)(?<!\bThomson)\s+{_BARE_NAME}$")
_CAPITAL_NAMES = re.compile(r"[A-Z][A-Z.&/-]{1,11}")
_PLACE_WORD = re.compile(r"[^\W\d_][^\W\d_.'’/-]*(?:[.'’/-]+[^\W\d_.'’/-]*)*")
_REAL_WORD = re.compile(r"[^\W\d_]{3,}")
_BARE_DATE = re.compile(rf"{MONTH}\s*\d{{1,2}}|\d{{1,2}}\s+{MONTH}")
# Dates and times without a place: "20140310T191044Z", "Monday, March 10".
_NO_PLACE = re.compile(
    rf"(?:\b{WEEKDAY}|\b{MONTH}|\d+(?:st|nd|rd|th)?|(?<=\d)[TZ]|\b(?:[ap]m|[A-Z]{{1,3}}T|UTC)\b|[\W_])*", re.I
)
_CONNECTORS = word_list("place_connectors")
_KNOWN_AGENCIES = word_list("agencies")
_NOT_PLACES = frozenset("AIDS ASEAN GATT IBM NASA NASDAQ NATO OPEC UNESCO UNICEF".split())
_NOT_FIRST = word_list("never_first_of_a_place")


# Text that desks put before or after the dateline. A note about the story stands in brackets, which may be nested.
_NOTE = (
    r"\((?=By [A-Z]|(?i:editor['’]?s['’]? note|corrects?|corrected|corrections?|adds?|updates?|updated|recasts?|"
    r"refiles?|repeats?|removes?|fixes|clarifies|changes|deletes|drops|inserts|rewrites|restores|writes through)\b|"
    r"[^()]{0,120}\b(?i:story|version|headline|dispatch|"
    r"paragraph|refiled?|typo|byline)\b)(?:[^()]|\([^()]{0,200}\)){1,500}\)\s*"
)
_LABEL = (
    r"(?:EXCLUSIVE|BREAKING(?: NEWS)?|WATCH(?: LIVE)?|VIDEO|LISTEN|LIVE|PHOTOS?|JUST IN|ALERT|UPDATED?|DEVELOPING|"
    r"(?:Exclusive|Breaking(?: [Nn]ews)?|Watch|Video|Listen|Updated?|Developing)(?=\s?:))"
    r"\s?(?::|\s[-–—]+\s|--+|—)\s*"
    r"|(?:UPDATE|WRAPUP|REFILE|RPT|CORRECTED|EXCLUSIVE|INSIGHT|SPECIAL REPORT)(?:\s\d{1,2})?-(?:RPT-)?\s?"
)
# Words of a web page before the story.
_PAGE = (
    r"(?i:scroll down for (?:the )?(?:videos?|more)|stor(?:y|ies) continues? below|story continued below|"
    r"continue reading below|advertisement|share this(?: article| story)?)[.:]?\s+(?=[\"“'‘(]?[A-Z])"
)
# The mark, the number or the time of an entry of a list or a live page: "• ", "1. ", "10.42am ", "14:05 GMT - ", "[10:42] ".
_CLOCK = r"(?:[01]?\d|2[0-3])[.:][0-5]\d"
_ZONE = r"(?:GMT|BST|UTC|[ECMP][SD]T|IST|CET|CEST)"
_ENTRY = (
    r"[•●▪]\s*|\d{1,2}[.)]\s+(?=[\"“‘]?[A-Z][a-z])"
    rf"|(?:\[{_CLOCK}\]|{_CLOCK}\s?(?:[AaPp]\.?[Mm]\b\.?(?:\s{_ZONE})?|{_ZONE}\b)|{_CLOCK}(?=\s?[-–—]\s|:\s))\s?"
    r"(?:[-–—:]+\s*)?(?=[\"“‘]?[A-Z])"
)
_OPENING = re.compile(f"\\s*(?:{_NOTE}|{_LABEL}|{_PAGE}|{_ENTRY})", re.DOTALL)
_MOST_OPENINGS = 4


def is_dateline(text: str) -> bool:
    """Whether a text that a corpus marks as a dateline is one: a bare date or time is not."""
    return not _NO_PLACE.fullmatch(text)


def split_dateline(paragraph: str, stated: str = "") -> tuple[str, str]:
    """The dateline with its dash ('' without a dateline), and the rest; both joined give the paragraph.

    ``stated`` is the dateline that the corpus marks: the same place is evidence. A paragraph that is only a dateline is not split,
    so the rest is never empty.
    """
    return _split(paragraph, _dateline_end(paragraph, 0, stated))


def split_opening(paragraph: str, stated: str = "") -> tuple[str, str]:
    """The dateline, notes and labels before the first sentence ('' if there are none), and the rest.

    Both joined give the paragraph. The rest always has words.
    """
    position = 0
    for _ in range(_MOST_OPENINGS):
        opening = _OPENING.match(paragraph, position)
        end = opening.end() if opening else _dateline_end(paragraph, position, stated)
        if not end:
            break
        position = end
    return _split(paragraph, position)


def _split(paragraph: str, end: int) -> tuple[str, str]:
    rest = paragraph[end:]
    return (paragraph[:end], rest) if end and any(map(str.isalnum, rest)) else ("", paragraph)


def _dateline_end(paragraph: str, start: int, stated: str) -> int:
    """The end of the dateline that begins at ``start``; 0 without a dateline."""
    dash = _DASH.search(paragraph, start, start + _LONGEST_HEAD)
    if dash is not None:
        head, rest = paragraph[start : dash.start()].strip(" *"), paragraph[dash.end() : dash.end() + _LONGEST_HEAD]
        if any(map(str.isalnum, rest)) and (_is_dateline(head, rest) or _is_stated(head, rest, stated)):
            return dash.end()
    agency = _NO_DASH.match(paragraph, start)
    if agency is None or not _begins_sentence(paragraph[agency.end() :][:5]):
        return 0
    name, head = agency[agency.lastgroup or 0], agency["head"].strip(" *")
    following = paragraph[agency.end() :].split(None, 1)[0]
    if name in _STATES and fold(following) in BEFORE_A_NAME:
        return 0
    return agency.end() if (_is_known(name) or _take_date(head)[1]) and _is_place(head, name) else 0


def _is_stated(head: str, rest: str, stated: str) -> bool:
    """Whether the head begins with the place of the dateline that the corpus marks, and has no more words than a dateline."""
    place = re.split(r"[,(]", head)[0].strip()
    words = _take_date(_take_agency(head)[0])[0].split()
    return bool(place) and stated.casefold().startswith(place.casefold()) and len(words) <= 6 and _begins_sentence(rest)


def _is_place(head: str, agency: str) -> bool:
    """Whether the words before an agency are a place and a date, or empty, and not the full name of the agency."""
    place, *regions = (piece.strip() for piece in _take_date(head)[0].split(","))
    if not head:
        return True
    initials = "".join(word[0] for word in re.split(r"[\s-]+", place) if word[:1].isupper()).casefold()
    if not _capitalised(place) or initials.endswith(agency.casefold()) or agency.casefold() in place.casefold():
        return False
    return place.split()[0].casefold() not in _NOT_FIRST and len(regions) <= 3 and all(map(_is_region, regions))


def _is_dateline(head: str, rest: str) -> bool:
    head, agency = _take_agency(head)
    if agency is None:
        return False
    bare = not agency and bool(_BARE_DATE.fullmatch(head) or (re.fullmatch(_BARE_NAME, head) and _is_known(head)))
    if bare and rest.lstrip("\"'“‘")[:1].isupper() and not _DASH.search(rest):
        return True
    head, dated = _take_date(head)
    if not head:
        # "(Daily Mirror) - ", "Feb. 6 (cricketpakistan) - ".
        return bool(agency) and (dated or agency[:1].isupper()) and _begins_sentence(rest)
    place, *regions = (piece.strip() for piece in head.split(","))
    if len(regions) > 3 or not all(_is_region(region) for region in regions):
        return False
    # "PORT ANSEL", "ABOARD the USS KITTY HAWK".
    if _capitalised(place, 7, str.isupper):
        return bool(agency) or dated or _stands_alone(place, rest)
    if not _capitalised(place) or place.split()[0].casefold() in _NOT_FIRST:
        return False
    # "Mannheim, Germany (Sports Wire) - ": an agency that is not in the list, after a place and its region.
    unlisted = len(regions) == 1 and _capitalised(agency)
    return (dated or unlisted or _is_known(agency)) and _begins_sentence(rest)


def _take_agency(head: str) -> tuple[str, str | None]:
    """The head without '(AP)' at its end, and the agency: '' without an agency, None if the name cannot be an agency's."""
    agency = _AGENCY.search(head)
    if agency is None:
        lost = _LOST_BRACKET.search(head)
        bare = lost or _BARE_AGENCY.search(head)
        name = bare[bare.lastgroup or 0] if bare else ""
        is_agency = _is_known(name) or (lost and _CAPITAL_NAMES.fullmatch(name))
        return (head[: bare.start()], name) if bare and is_agency else (head, "")
    name = (agency["name"] or agency["slashed"]).strip()
    return head[: agency.start()], name if _AGENCY_NAME.fullmatch(name) else None


def _take_date(head: str) -> tuple[str, bool]:
    date = _DATE.search(head)
    return (head[: date.start()].rstrip(" ,"), True) if date else (head.rstrip(" ,"), False)


def _is_known(agency: str) -> bool:
    """Whether an agency is in the list."""
    return "".join(agency.casefold().split()) in _KNOWN_AGENCIES


def _is_region(region: str) -> bool:
    """Whether a part between commas can be a region: 'Va.', 'N.Y.', 'West Bank', or empty."""
    return not region or (len(region.split()) <= 4 and _capitalised(region))


def _stands_alone(place: str, rest: str) -> bool:
    """Whether capitals are enough evidence: they contain a full word, and are not an acronym of a body or a headline."""
    full = bool(_REAL_WORD.search(place)) and place not in _NOT_PLACES
    is_place = full and len(place.split()) <= 5 and _begins_sentence(rest) and any(map(str.islower, rest))
    # "OBAMA - President Obama said": the name of a person, which follows with a title.
    named = re.search(rf"([\w'’-]+)\.? {re.escape(place.title())}\b", rest) if is_place else None
    return is_place and not (named and fold(named[1]) in BEFORE_A_NAME)


def _capitalised(
    text: str, most: int = 5, is_capitalised: Callable[[str], bool] = lambda word: word[0].isupper()
) -> bool:
    """Whether a text of at most so many words has capitals in all words except connecting words, and has such a word."""
    words = text.split()
    plain = [word for word in words if word not in _CONNECTORS]
    capitalised = all(_PLACE_WORD.fullmatch(word) and is_capitalised(word) for word in plain)
    return capitalised and 0 < len(plain) <= len(words) <= most


def _begins_sentence(rest: str) -> bool:
    first = rest.lstrip("\"'`“‘«([<- ")[:1]
    return first.isupper() or first.isdigit()
