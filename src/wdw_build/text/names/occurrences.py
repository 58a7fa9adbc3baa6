"""Occurrences of names in a text: an index of the words, and the evidence of the words beside a name ("Mr.", "shares")."""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wdw_build.text.lexicon import word_list

_CAPITALISED = re.compile(r"(?<![^\W_])[^\W\d_a-z][^\W_]*")
_APOSTROPHES = frozenset("'’")
_PERSONAL_TITLES = word_list("personal_titles")
ROLES = word_list("roles")
_BEFORE_FIRMS = word_list("roles_before_firms")
_WORKS = word_list("works")
_ROLE = rf"(?:{'|'.join(sorted(ROLES, key=len, reverse=True))})"
_INITIAL = re.compile(r"[A-Z]\.(?:[A-Z]\.)*")
# ", 45,"; ", who"; " (R-Ohio)"; ", chairman of"; ", the group's former director".
_PERSON_AFTER = re.compile(
    r"(?:, (?:aged? )?\d{1,2}\b(?! (?:pct|percent|per cent|mln|billion|million|points|dlrs|miles|votes))|,? whom?\b|"
    r"\s*\((?:[RDI]-|Dem\.|Rep\.)|, [RDI]-[A-Z]|"
    rf", (?:[\w.&-]+(?:['’]s?)? ){{0,4}}{_ROLE}s?\b(?!['’]))"
)
_FIRM_AFTER = re.compile(
    r"\s+(?:Inc|Corp|Co|Ltd|PLC|Plc|LLC|LLP|S\.?p\.?[aA]|AG|NV|SA|GmbH|Group|Holdings?|Industries|Motors?|Bros|Brothers|"
    r"(?:and|&) (?:Co|Company|Sons?|Partners|Associates)|Plan|Accords?|Agreement|Treaty|Poll|Daily|Building|Tower|Center|"
    r"Centre|University|Foundation|Organi[sz]ation)\b|>|\s+<[A-Z]"
)
_SCHEME_AFTER = re.compile(
    r"\s+(?:agreements?|accords?|treaty|pact|conference|institutions|polls?|survey|tracking|pollsters|"
    r"analysts?|economists?|brokers?|traders?|dealers?|strategists?|shares?|stock|stockholders|shareholders|unit|subsidiary|"
    r"champion|branch|plant|factory|stores?|bonds|notes|debentures|employees|headquarters|airport|stadium|hotel|prison|bridge)\b"
)
_APPOSITION = re.compile(
    r", (?:which\b|(?:an?|the|one of|[\w.]+['’]s)(?: (?!(?:of|who|at|for|in|with|and|from|on|by|to)\b)[\w.,-]+){0,5}? "
    r"(?:firm|company|brokerage|bank|retailer|maker|manufacturer|producer|brewer|insurer|subsidiary|unit|publisher|"
    r"newspaper|magazine|website|charity|nonprofit|organi[sz]ation|watchdog|chain|ship|vessel|town|city|village|suburb|county|"
    r"storm)\b(?=[,.;)]| that\b| which\b| based\b| in\b| of\b))"
)
_STAFF = r"(?:analyst|economist|broker|dealer|trader|strategist|banker|consultant|partner|researcher)s?"
_EMPLOYER_BEFORE = re.compile(
    rf"\b({_STAFF} (?:at|with|from|for)|(?:chairman|president|chief executive|executive|director|officer|founder|employee|"
    r"shareholder|unit|subsidiary|division|branch|takeover|acquisition|shares|headquarters) of|(?:stake|shares) in|merger with|"
    r"owned by|economist at|director at|<)\s*$",
    re.IGNORECASE,
)
# "the NAME said", "a NAME," and not "the NAME campaign"; "at the NAME". Of persons: "the late NAME", "believe in NAME's".
_DETERMINER = re.compile(r"\b(?:[Tt]he|[Aa]n?) $")
_NO_NOUN = re.compile(
    r"[,.;:)\"”]|\s*$|\s+(?:and|are|at|by|for|from|had|has|have|in|is|on|or|said|says|that|to|was|were|which|will|with)\b"
)
_ARTICLE = re.compile(r"\b[Aa]n? $")
_TAKES_PLACE = re.compile(r" (?:was|will be|is to be) (?:held|hosted|organi[sz]ed)\b")
_PLACED = r"[Mm]inist\w+|[Dd]epartment|[Gg]overnor|[Mm]ayor|[Uu]niversity|[Bb]ishop|[Pp]rovince|[Dd]istrict|[Cc]ity|[Tt]own|MP"
_PLACE = re.compile(rf"\b(?:[Ii]n|[Aa]t|[Oo]utside|[Ii]nside|[Nn]ear|[Ii]nto|(?:{_PLACED}) (?:of|for))(?: the)? $")
_BUSINESS = re.compile(r"\b(?:bar|bistro|café|club|diner|nightclub|pub|restaurant|shop|store),? $|\b[Aa]t $")
_OWNED_ALONE = re.compile(r"['’]s(?:[,.;)]| (?:in|on|near)\b)")
_OF_A_BODY = re.compile(
    r" (?:party|reporters?|newspaper|television|TV|building|premises|headquarters|candidates?|leaders?|MPs?|members?)\b"
)
_INITIALS_BEHIND = re.compile(r" \(([A-Z]{2,6})\)")
_OWNS = re.compile(r"['’]s? [a-z]")
# Words directly before an employer or a firm.
_EMPLOYING_WORDS = frozenset("at with from for of in by <".split())
_POSSESSIVE = re.compile(r"['’]s?$")
_OPENING_QUOTE = re.compile(r"(?:^|[\s(—-])[\"“‘'«]$")
_CLOSING_QUOTE = re.compile(r"[,.!?]?[\"”’'»](?!\w)")


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


class Occurrence(NamedTuple):
    """The characters directly before and after a name, and the last word before it."""

    before: str
    after: str
    word_before: str

    @property
    def is_titled(self) -> bool:
        """Whether a title or a role stands before the name; initials between title and name are skipped."""
        word = self.word_before
        if _INITIAL.fullmatch(word):
            word = next((word for word in reversed(self.before.split()) if not _INITIAL.fullmatch(word)), "")
        role = word.lower().rpartition("-")[2]
        return is_personal_title(word) or (role in ROLES and role not in _BEFORE_FIRMS)

    @property
    def is_person(self) -> bool:
        """Whether a title, an age, a role or "who" stands beside the name."""
        return self.is_titled or bool(_PERSON_AFTER.match(self.after))

    @property
    def is_quoted(self) -> bool:
        """Whether the name stands alone between quotation marks."""
        return bool(_OPENING_QUOTE.search(self.before) and _CLOSING_QUOTE.match(self.after))

    @property
    def is_event(self) -> bool:
        """Whether the name is that of an event: "a NAME was held"."""
        return bool(_ARTICLE.search(self.before) and _TAKES_PLACE.match(self.after))

    @property
    def is_business(self) -> bool:
        """Whether the name is that of a business: "at the restaurant, NAME's, in"."""
        return bool(_BUSINESS.search(self.before) and _OWNED_ALONE.match(self.after))

    @property
    def firm(self) -> str:
        """The words after the name that follow firms and schemes only ("Inc", "Accord", "shares", ", which"), or ""."""
        match = _FIRM_AFTER.match(self.after) or _SCHEME_AFTER.match(self.after) or _APPOSITION.match(self.after)
        return match[0] if match else ""

    @property
    def work(self) -> str:
        """The word before the name that a title may follow ("memoir", "memoir-turned-film"), or ""."""
        return self.word_before if self.word_before.lower().rpartition("-")[2] in _WORKS else ""

    @property
    def employer(self) -> str:
        """The words before the name that precede a workplace or a firm ("analyst at"), or ""."""
        if self.word_before.lower() not in _EMPLOYING_WORDS and not self.before.endswith("<"):
            return ""
        match = None if _OWNS.match(self.after) else _EMPLOYER_BEFORE.search(self.before)
        return match[0] if match else ""


def is_personal_title(word: str) -> bool:
    """Whether a word is a title that only people bear ("Gen.", "Senator")."""
    return word.removesuffix(".") in _PERSONAL_TITLES


def has_thing_before(before: str, words: Sequence[str], after: str) -> bool:
    """Whether the text before a capitalised name is that before a thing: "the Nordic Bureau said", "at the Nordic Bureau"."""
    is_owner = bool(_POSSESSIVE.search(words[-1]))
    return not is_owner and bool(_PLACE.search(before) or (_DETERMINER.search(before) and _NO_NOUN.match(after)))


def has_thing_after(words: Sequence[str], after: str) -> bool:
    """Whether the text after a capitalised name is that after a thing: "… reporter said", or the initials in brackets."""
    initials = _INITIALS_BEHIND.match(after)
    letters = "".join(word[0] for word in words)
    return bool(_OF_A_BODY.match(after)) or (
        initials is not None and initials[1].endswith(letters[-len(initials[1]) :])
    )
