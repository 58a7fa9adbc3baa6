"""Names in the credits inside a text: reporters, photographers, authors of embedded posts. They are not persons of the story.

``text.sentences.credits`` removes credits at both ends of a text. A credit in the middle stays in the passage, and its names
are left out of the choices.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from wdw_build.text.lexicon import WEEKDAY_NAME, alternatives, phrases, word_list

# "ABC News' Ann Ames and Bo Beck contributed to this report": from the verb on. The credit starts with the verb's sentence.
_CONTRIBUTED = re.compile(
    r"\b(?:contributed|assisted)\b(?=([^.\n]{0,40}\b(?:to|with|in) this (?:\w+ )?(?:report|story|article)\b))"
)
_LONGEST_START = 200
# A sentence ends at a line end, and at a stop that does not follow an initial.
_SENTENCE_END = re.compile(r"[!?\n]|(?<!\b[A-Z])\.")
# "— Ann Ames (@annames) September 19, 2016"
_POST = re.compile(r"[—–-] ?[^—–\n@]{2,60}\(@\w+\)")
_WORD = r"[^\W\d_a-z](?:[\w'’-]*[a-z]|\.)"
_NAME = rf"{_WORD}(?: (?:{_WORD}|de|del|van|von|la|al|bin)){{1,3}}"
_NAMES = rf"{_NAME}(?:(?:, {_NAME})*,? and {_NAME})?"
_AGENCY = alternatives(phrases("owners_beside_names"))
_AT = r"(?: on [A-Z]\w+)? at (?:https?:|\S*@)\S+"
_STAFF = r"(?:correspondent|editor|reporter|producer|columnist)"
# Each form of a credit, after a string that every credit of the form contains.
_FORMS = (
    # "Read the rest of the story at Ann Ames’s blog", "… | Ann Ames Read more"
    ("Read ", re.compile(rf"(?:\| ?{_NAME} |\b)Read (?:the rest|more|the whole|the full)\b[^.\n]{{0,100}}")),
    # "READ ALSO: …" is a headline of another story.
    ("ALSO", re.compile(r"\b(?:READ ALSO|ALSO READ|SEE ALSO)\b[^.\n]{0,150}")),
    ("lso", re.compile(r"(?:^|\n)(?:Read [Aa]lso|Also [Rr]ead|See [Aa]lso)\b[^.\n]{0,150}")),
    # "(By Ann Ames)", "Pix by Ann Ames", "h/t Ann Ames", and "— Ann Ames" at the end of a paragraph
    ("By ", re.compile(rf"\([Bb]y {_NAMES}\)")),
    ("by ", re.compile(rf"\b[Pp]i(?:x|cs?) by {_NAMES}")),
    ("End Quote ", re.compile(rf"\bEnd Quote {_NAME}")),
    ("t", re.compile(rf"\((?:h/?t:?|via) {_NAMES}")),
    ("—", re.compile(rf"(?:(?<=\n)|(?<=[.!?\"”’)] ))[—–] ?{_NAME}(?=[^.!?\n]{{0,40}}(?:\n|\Z))")),
    # "Photograph: Ann Ames/Reuters", "(Photo by Ann Ames)", "Court sketches courtesy of Ann Ames"
    ("hoto", re.compile(rf"\b[Pp]hoto(?:graph)?s?(?: credit)?(?: by |: ?| courtesy of ){_NAMES}")),
    ("redit: ", re.compile(rf"\b[Cc]redit: (?:{_AGENCY}/)?{_NAMES}")),
    ("courtesy", re.compile(rf"\b(?:[Ss]ketch(?:es)?|[Ii]mages?|[Vv]ideo|[Pp]ictures?) courtesy(?: of)? {_NAMES}")),
    # "Ann Ames/Reuters", "AP Photo/Ann Ames"
    ("/", re.compile(rf"{_NAME} ?/ ?{_AGENCY}\b")),
    ("/", re.compile(rf"\b(?:{_AGENCY}|AP Photo) ?/ ?{_NAME}")),
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
    # "Ann Ames-USA TODAY Sports"
    ("-USA T", re.compile(rf"{_NAME}-USA T(?:ODAY|oday) S(?:ports|PORTS)\b")),
    # "Follow Ann Ames on Twitter", "Write to Ann Ames at ames@example.org and Bo Beck at …"
    ("ollow ", re.compile(rf"\b[Ff]ollow {_WORD}(?: {_WORD}){{0,2}} on (?:Twitter|Facebook|Instagram)")),
    (" at ", re.compile(rf"\b(?:[Ff]ollow|[Rr]each|[Cc]ontact|[Ww]rite to) {_NAME}{_AT}(?:,? and {_NAME}{_AT})?")),
    # "(Reporting by Ann Ames in Oslo, Dora Dunn and Bo Beck; editing by Cleo Cole"
    (
        "ing ",
        re.compile(
            rf"(?:(?<=[(\n])|(?<=; )|[Aa]dditional )(?i:reporting|writing|editing) [Bb]y {_NAME}[^;)\n]{{0,150}}"
        ),
    ),
    ("ing", re.compile(rf"\b(?:(?i:reporting|writing|editing) [Bb]y|[Cc]ontributing:) {_NAMES}")),
)


@functools.lru_cache(4)
def signatures(text: str) -> tuple[tuple[int, int], ...]:
    """The credits inside a text as spans [start, end) of characters, ordered by form."""
    credits = [*_contributors(text), *(credit.span() for credit in _POST.finditer(text))]
    for marker, form in _FORMS:
        if marker in text:
            credits += [credit.span() for credit in form.finditer(text)]
    return tuple(credits)


def _contributors(text: str) -> Iterator[tuple[int, int]]:
    """Yield the credits of contributors. Each starts after the end of a sentence or of the last credit, near the verb."""
    last = 0
    for verb in _CONTRIBUTED.finditer(text):
        if verb.start() >= last:
            first = max(last, verb.start() - _LONGEST_START)
            ends = [end.end() for end in _SENTENCE_END.finditer(text, first, verb.start())]
            yield (ends[-1] if ends else first), verb.end(1)
            last = verb.end(1)


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
