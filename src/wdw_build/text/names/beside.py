"""What stands beside the occurrences of a name in a text: titles, ages, roles, words for firms and places.

A text is indexed once by its capitalised words, so that a look-up reads a few characters beside each occurrence of a name. What
stands there (``cue_shares``) decides nothing alone: the model of persons weighs it (``person_model``).
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from wdw_build.text.lexicon import alternatives, word_list

_CAPITALISED = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]*")
_APOSTROPHES = frozenset("'’")
_PERSONAL_TITLES = word_list("personal_titles_as_written").union(map(str.capitalize, word_list("personal_titles")))
ROLES = word_list("roles")
_THINGS = word_list("things")
_ROLE = alternatives(ROLES)
_INITIAL = re.compile(r"[A-Z]\.(?:[A-Z]\.)*")
SIDE = 60
_WORD_BEFORE = re.compile(r"([\w.'’-]+) \Z")
_SAYS = r"(?:said|says|told|tells|added|adds|asked|announced|argued|claimed|explained|insisted|noted|replied|tweeted|warned|wrote)"
_GOVERNMENT = r"[Mm]inist\w+|[Dd]epartment|[Gg]overnor|[Mm]ayor|[Uu]niversity|[Bb]ishop|[Pp]rovince|[Dd]istrict|[Cc]ity|[Tt]own|MP"
_FIRM = (
    r"\s+(?:Inc|Corp|Co|Ltd|PLC|Plc|LLC|LLP|S\.?p\.?[aA]|AG|NV|SA|GmbH|Group|Holdings?|Industries|Motors?|Bros|Brothers|"
    r"(?:and|&) (?:Co|Company|Sons?|Partners|Associates)|Plan|Accords?|Agreement|Treaty|Poll|Daily|Building|Tower|Center|"
    r"Centre|University|Foundation|Organi[sz]ation|Award|Prize|Cup|Stadium|Airport|Hospital|School|College|Street|Park)\b|>|\s+<[A-Z]"
)
_SCHEME = (
    r"\s+(?:agreements?|accords?|treaty|pact|conference|institutions|polls?|survey|tracking|pollsters|"
    r"analysts?|economists?|brokers?|traders?|dealers?|strategists?|shares?|stock|stockholders|shareholders|unit|subsidiary|"
    r"champion|branch|plant|factory|stores?|bonds|notes|debentures|employees|headquarters|airport|stadium|hotel|prison|bridge)\b"
)
_KIND_OF_THING = (
    r"(?:firm|company|brokerage|bank|retailer|maker|manufacturer|producer|brewer|insurer|subsidiary|unit|publisher|newspaper|"
    r"magazine|website|charity|nonprofit|organi[sz]ation|watchdog|chain|ship|vessel|town|city|village|suburb|county|storm|horse)"
)
_KIN = "(?:wife|husband|son|daughter|father|mother|brother|sister|widow|girlfriend|boyfriend|uncle|aunt|cousin)"
KIN = re.compile(rf"\b{_KIN}s?\b", re.IGNORECASE)

# What may stand directly before a name, and directly after it.
BEFORE: Mapping[str, re.Pattern[str]] = {
    "says before": re.compile(rf"\b{_SAYS} $"),
    "the before": re.compile(r"\b[Tt]he $"),
    "place before": re.compile(
        rf"\b(?:[Ii]n|[Aa]t|[Oo]utside|[Ii]nside|[Nn]ear|[Ii]nto|[Aa]cross|(?:{_GOVERNMENT}) (?:of|for))(?: the)? $"
    ),
    "relative before": re.compile(rf"(?i:\b{_KIN}),? $"),
    "capital before": re.compile(r"[^\W\d_a-z][\w'’-]* $"),
}
AFTER: Mapping[str, re.Pattern[str]] = {
    "says after": re.compile(rf",? (?:also |has |had |later )?{_SAYS}\b"),
    "age after": re.compile(
        r", (?:aged? )?\d{1,2}\b(?! (?:pct|percent|per cent|mln|billion|million|points|dlrs|miles|votes))|\s*\(\d\d\)"
    ),
    "role after": re.compile(rf", (?:[\w.&-]+(?:['’]s?)? ){{0,4}}{_ROLE}s?\b(?!['’])"),
    "firm after": re.compile(_FIRM),
    "scheme after": re.compile(_SCHEME),
    "thing after": re.compile(
        r", (?:which\b|(?:an?|the|one of|[\w.]+['’]s)(?: (?!(?:of|who|at|for|in|with|and|from|on|by|to)\b)[\w.,-]+){0,5}? "
        rf"{_KIND_OF_THING}\b(?=[,.;)]| that\b| which\b| based\b| in\b| of\b))|, [A-Z]\w+\.?,| \([A-Z]{{2,6}}\)"
    ),
    "capital after": re.compile(r" [^\W\d_a-z]\w"),
}
CUES = (*BEFORE, *AFTER, "title before", "thing before", "pronoun after")
# Within a few words behind the name.
_PRONOUN = re.compile(r"\b(?:he|she|his|her|him|himself|herself)\b")


class ArticleWords:
    """The words of a text. A word is a longest run of letters and digits; capitalised words are indexed."""

    def __init__(self, text: str) -> None:
        self._text = text

    @functools.cached_property
    def _starts(self) -> dict[str, list[int]]:
        """The offsets of each capitalised word."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for word in _CAPITALISED.finditer(self._text):
            starts[word[0]].append(word.start())
        return dict(starts)

    def find(self, name: str) -> Iterator[int]:
        """Yield the offsets of a name that is not a part of longer words, in order."""
        end = len(name)
        for start in self._candidates(name):
            if self._text.startswith(name, start) and not (
                self._text[start + end : start + end + 1].isalnum() or (start and self._text[start - 1].isalnum())
            ):
                yield start

    def _candidates(self, name: str) -> Iterator[int]:
        """Yield offsets at which a name may be: by the rarest of its capitalised words, or else by a search."""
        words = [(word[0], word.start()) for word in _CAPITALISED.finditer(name)]
        if words:
            places = [(self._starts.get(word, ()), shift) for word, shift in words]
            starts, shift = min(places, key=lambda place: len(place[0]))
            yield from (start - shift for start in starts if start >= shift)
            return
        start = self._text.find(name) if name else -1
        while start >= 0:
            yield start
            start = self._text.find(name, start + 1)

    def has_word(self, word: str) -> bool:
        """Whether the text has the word without a letter, a digit or an apostrophe after it."""
        ends = (start + len(word) for start in self.find(word))
        return any(self._text[end : end + 1] not in _APOSTROPHES for end in ends)


# The persons of a text are looked up in a row, by several modules.
words_of = functools.lru_cache(4)(ArticleWords)


def cue_shares(text: str, spans: Sequence[tuple[int, int]]) -> dict[str, float]:
    """For each cue, the share of the occurrences of a name that have it beside them. ``spans`` are the occurrences."""
    counts = Counter[str]()
    for start, end in spans:
        counts.update(_cues(text[max(0, start - SIDE) : start], text[end : end + 2 * SIDE]))
    return {cue: counts[cue] / max(len(spans), 1) for cue in CUES}


def _cues(before: str, after: str) -> Iterator[str]:
    """Yield the cues in the text directly before and after a name."""
    yield from _of_word_before(before)
    yield from (cue for cue, pattern in BEFORE.items() if pattern.search(before))
    yield from (cue for cue, pattern in AFTER.items() if pattern.match(after))
    if _PRONOUN.search(after):
        yield "pronoun after"


def _of_word_before(before: str) -> Iterator[str]:
    """Yield what the word before a name is: a title, a thing; initials before the name are skipped."""
    match = _WORD_BEFORE.search(before)
    if match is None:
        return
    word = match[1]
    if _INITIAL.fullmatch(word):
        word = next((word for word in reversed(before.split()) if not _INITIAL.fullmatch(word)), "")
    if is_personal_title(word):
        yield "title before"
    if word.lower().rpartition("-")[2].removesuffix("s") in _THINGS:
        yield "thing before"


def is_personal_title(word: str) -> bool:
    """Whether a word is a title that only people bear ("Gen.", "Senator")."""
    return word.removesuffix(".") in _PERSONAL_TITLES
