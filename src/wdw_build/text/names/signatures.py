"""Credits inside a text: reporters, photographers, and authors of embedded posts. Their names are not persons of the story.

``text.sentences.credits`` removes credits at both ends of a text. A credit in the middle stays in the passage, and its names
are left out of the choices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

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
_AGENCY = (
    r"(?:Reuters|REUTERS|AP|AFP|EPA|PA|Rex|Corbis|Bloomberg|Getty(?: Images)?|Shutterstock|Associated Press|"
    r"(?:The )?White House)"
)
_STAFF = r"(?:correspondent|editor|reporter|producer|columnist)"
# Each form of a credit, after a string that every credit of the form contains.
_FORMS = (
    # "Read the rest of the story at Ann Ames’s blog"
    ("Read ", re.compile(r"\bRead (?:the rest|more|the whole|the full)\b[^.\n]{0,100}")),
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
            rf"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, |(?:[A-Z]?[a-z]+ ){{0,2}}{_STAFF}\b))"
        ),
    ),
    # "Ann Ames BBC News, London", "Ann Ames Business editor, BBC News"
    (" News", re.compile(rf"{_NAME},? (?:(?:[A-Z]?[a-z]+ ){{0,2}}{_STAFF}, )?[A-Z]{{2,4}} News\b")),
    # "From London, Ann Ames reports.", "The BBC's Ann Ames reports"
    ("reports", re.compile(rf"(?:\bFrom {_WORD}(?: {_WORD})?, |\b[A-Z]{{2,4}}['’]s (?:\w+ )?){_NAMES} reports\b")),
    ("BBC", re.compile(rf"\bThe BBC['’]s {_NAME}(?= (?:in|on) )")),
    # "Follow Ann Ames on Twitter", "Reporting by Ann Ames; editing by Bo Beck"
    ("ollow ", re.compile(rf"\b[Ff]ollow {_WORD}(?: {_WORD}){{0,2}} on (?:Twitter|Facebook|Instagram)")),
    ("ing by ", re.compile(rf"\b(?:[Rr]eporting|[Ww]riting|[Ee]diting) by {_NAMES}")),
)


def signatures(text: str) -> list[Span]:
    """The credits inside a text as spans [start, end) of characters, ordered by form."""
    credits = [*_contributors(text), *(credit.span() for credit in _POST.finditer(text))]
    for marker, form in _FORMS:
        if marker in text:
            credits += [credit.span() for credit in form.finditer(text)]
    return credits


def _contributors(text: str) -> Iterator[Span]:
    """Yield the credits of contributors. Each starts after the end of a sentence or of the last credit, near the verb."""
    last = 0
    for verb in _CONTRIBUTED.finditer(text):
        if verb.start() >= last:
            first = max(last, verb.start() - _LONGEST_START)
            ends = [end.end() for end in _SENTENCE_END.finditer(text, first, verb.start())]
            yield (ends[-1] if ends else first), verb.end(1)
            last = verb.end(1)
