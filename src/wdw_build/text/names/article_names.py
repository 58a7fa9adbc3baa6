"""What an article's own text says of a name, anywhere in it: titles, ages and roles beside it, or shares and storms.

The text is read once for its capitalised words. A name is then looked up where its first word stands, and each question
about it is answered from the few characters before and after.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from wdw_build.text.names.matching import PARTICLES, fold, identifying_sequence

# Characters that are read on each side of a name.
_SIDE = 60
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W_]*")
_POSSESSIVE_OR_STOP = re.compile(r"['’]s?$|[,;:!?)\]\"”]$")
_POSSESSIVE = re.compile(r"['’]s?$")

# Titles that only people bear, as they are written before a name.
_PERSONAL = frozenset(
    "VP Mr Mrs Ms Miss Mx Dr Sen Rep Gov Gen Lt Col Maj Capt Cmdr Adm Sgt Cpl Brig Prof Rev Hon Messrs Senator Senators "
    "Congressman Congresswoman President Presidents President-elect Premier Chancellor Minister Secretary Ambassador Governor "
    "Mayor Representative Representatives Professor Doctor Colonel Captain Admiral Sergeant Lieutenant Judge Justice Speaker "
    "Chairman Chairwoman Commissioner Councillor Director Spokesman Spokeswoman Coach Sheriff Prosecutor Attorney Inspector "
    "Detective Officer Sir Dame Lord Lady Baroness Prince Princess King Queen Emperor Empress Sultan Emir Sheikh Pope "
    "Archbishop Bishop Cardinal Rabbi Imam Ayatollah Reverend Father Mother Sister Comrade Señor Señora Herr Frau Monsieur "
    "Madame Candidate".split()
)
_ROLES = frozenset(
    "president premier chancellor minister secretary ambassador governor senator congressman congresswoman representative "
    "lawmaker mayor judge justice chairman chairwoman chairperson spokesman spokeswoman spokesperson director manager officer "
    "executive analyst economist strategist trader dealer broker banker consultant professor lawyer attorney prosecutor leader "
    "adviser advisor aide envoy negotiator diplomat general colonel captain commander detective sheriff coach player striker "
    "midfielder defender goalkeeper quarterback pitcher driver rider jockey golfer champion winner boxer actor actress singer "
    "rapper comedian author writer novelist poet journalist reporter columnist correspondent anchor editor host moderator "
    "artist painter composer conductor architect scientist physicist researcher engineer activist dissident financier "
    "billionaire businessman businesswoman investor entrepreneur candidate nominee rival mate opponent colleague friend wife "
    "husband son daughter father mother brother sister widow girlfriend boyfriend founder co-founder owner suspect gunman "
    "defendant victim resident pollster pilot astronaut farmer teacher student pastor priest bishop archbishop pope king "
    "queen prince princess sultan emir".split()
)
# Before a name some of them may be a firm's as well: "broker E.F. Hutton", "rival Reebok".
_BEFORE_FIRMS = frozenset(
    "manager broker dealer trader banker consultant investor winner champion rival opponent researcher owner adviser "
    "advisor".split()
)
_ROLE = rf"(?:{'|'.join(sorted(_ROLES, key=len, reverse=True))})"
_INITIAL = re.compile(r"[A-Z]\.(?:[A-Z]\.)*")
# ", 45,"; ", who"; " (R-Ohio)"; ", chairman of"; ", the group's former director".
_AS_A_PERSON = re.compile(
    r"(?:, (?:aged? )?\d{1,2}\b(?! (?:pct|percent|per cent|mln|billion|million|points|dlrs|miles|votes))|,? whom?\b|"
    r"\s*\((?:[RDI]-|Dem\.|Rep\.)|, [RDI]-[A-Z]|"
    rf", (?:[\w.&-]+(?:['’]s?)? ){{0,4}}{_ROLE}s?\b(?!['’]))"
)
_AS_A_FIRM = re.compile(
    r"\s+(?:Inc|Corp|Co|Ltd|PLC|Plc|LLC|LLP|S\.?p\.?[aA]|AG|NV|SA|GmbH|Group|Holdings?|Industries|Motors?|Bros|Brothers|"
    r"(?:and|&) (?:Co|Company|Sons?|Partners|Associates)|Plan|Accords?|Agreement|Treaty|Poll|Daily|Building|Tower|Center|"
    r"Centre|University|Foundation|Organi[sz]ation)\b|>|\s+<[A-Z]"
)
_AS_A_SCHEME = re.compile(
    r"\s+(?:agreements?|accords?|treaty|pact|conference|institutions|polls?|survey|tracking|pollsters|"
    r"analysts?|economists?|brokers?|traders?|dealers?|strategists?|shares?|stock|stockholders|shareholders|unit|subsidiary|"
    r"branch|plant|factory|stores?|bonds|notes|debentures|employees|headquarters|airport|stadium|hotel|prison|bridge)\b"
)
_APPOSITION = re.compile(
    r", (?:which\b|(?:an?|the|one of|[\w.]+['’]s)(?: (?!(?:of|who|at|for|in|with|and|from|on|by|to)\b)[\w.,-]+){0,5}? "
    r"(?:firm|company|brokerage|bank|retailer|maker|manufacturer|producer|brewer|insurer|subsidiary|unit|publisher|"
    r"newspaper|magazine|website|charity|nonprofit|organi[sz]ation|watchdog|chain|ship|vessel|town|city|village|suburb|county|"
    r"storm)\b(?=[,.;)]| that\b| which\b| based\b| in\b| of\b))"
)
# "Old Tappan, N.J.,": a state after the name, as after a town.
_STATE = (
    r"(?:Ala|Ariz|Ark|Calif|Colo|Conn|Del|Fla|Ga|Ill|Ind|Kan|Ky|La|Md|Mass|Mich|Minn|Miss|Mo|Mont|N\. ?[CDHJMY]|Neb|Nev|"
    r"Okla|Ore|Pa|R\. ?I|S\. ?[CD]|Tenn|Tex|Vt|Va|W\. ?Va|Wash|Wis|Wyo|D\. ?C)\."
)
_STATE_IN_FULL = (
    r"(?:Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|"
    r"Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|"
    r"New (?:Hampshire|Jersey|Mexico|York)|North (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|"
    r"South (?:Carolina|Dakota)|Tennessee|Texas|Utah|Vermont|West Virginia|Wisconsin|Wyoming)(?=[,.;])"
)
_AS_A_TOWN = re.compile(rf", (?:{_STATE}|{_STATE_IN_FULL})")
_STAFF = r"(?:analyst|economist|broker|dealer|trader|strategist|banker|consultant|partner|researcher)s?"
_EMPLOYED = re.compile(
    rf"\b({_STAFF} (?:at|with|from|for)|(?:chairman|president|chief executive|executive|director|officer|founder|employee|"
    r"shareholder|unit|subsidiary|division|branch|takeover|acquisition|shares|headquarters) of|(?:stake|shares) in|merger with|"
    r"owned by|economist at|director at|<)\s*$",
    re.IGNORECASE,
)
_OWNS = re.compile(r"['’]s? [a-z]")
# What an employer or a firm has directly before it.
_EMPLOYING = frozenset("at with from for of in by <".split())
_STORMS = frozenset("hurricane hurricanes typhoon typhoons cyclone cyclones storm superstorm".split())
_PLACING = frozenset("the in near across along through around outside throughout".split())
_OPENING_QUOTE = re.compile(r"(?:^|[\s(—-])[\"“‘'«]$")
_CLOSING_QUOTE = re.compile(r"[,.!?]?[\"”’'»](?!\w)")


class Place(NamedTuple):
    """Where a name stands: the characters directly before and after it, and the last word before it."""

    before: str
    after: str
    word_before: str

    @property
    def is_titled(self) -> bool:
        """Whether a title or a role stands before the name, initials between passed over."""
        word = self.word_before
        if _INITIAL.fullmatch(word):
            word = next((word for word in reversed(self.before.split()) if not _INITIAL.fullmatch(word)), "")
        role = word.lower().rpartition("-")[2]
        return word.removesuffix(".") in _PERSONAL or (role in _ROLES and role not in _BEFORE_FIRMS)


class ArticleNames:
    """Look-ups of names in one article.

    ``mentions`` are the names that the tagger took for persons, as far as it has read the article.
    """

    def __init__(self, text: str, mentions: Iterable[str] = ()) -> None:
        self.text = text
        self.mentions = Counter(mentions)
        self._places: dict[str, tuple[Place, ...]] = {}
        self._runs: dict[str, tuple[str, ...]] = {}
        self._judged: tuple[object, dict[str, str]] = (None, {})

    def judged(self, evidence: object) -> dict[str, str]:
        """A cache of decisions on names, to be filled by the rules; it is empty for other evidence than at the last call."""
        if self._judged[0] is not evidence:
            self._judged = (evidence, {})
        return self._judged[1]

    @functools.cached_property
    def _starts(self) -> dict[str, list[int]]:
        """Where each capitalised word starts."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for found in _CAPITALISED.finditer(self.text):
            starts[found.group()].append(found.start())
        return dict(starts)

    def places(self, name: str) -> tuple[Place, ...]:
        """Where a name stands as whole words, a possessive counted as what follows."""
        surface = _POSSESSIVE.sub("", name)
        if surface not in self._places:
            self._places[surface] = tuple(self._found(surface))
        return self._places[surface]

    def _found(self, surface: str) -> Iterator[Place]:
        first = _CAPITALISED.match(surface)
        starts = self._starts.get(first.group(), ()) if first else _every(self.text, surface)
        for start in starts:
            end = start + len(surface)
            if self.text.startswith(surface, start) and not _goes_on(self.text, end):
                before = self.text[max(0, start - _SIDE) : start]
                apart = before[-1:].isspace() or before[-1:] == "<"
                words = before.split() if apart else []
                yield Place(before, self.text[end : end + _SIDE], words[-1] if words else "")

    def _any(self, name: str, test: Callable[[Place], object]) -> bool:
        return any(test(place) for place in self.places(name))

    def _first(self, name: str, everywhere: bool, test: Callable[[Place], str]) -> str:
        """What is written at the first place that passes the test; empty if there is none, or not all do where they must."""
        found = [match for place in self.places(name) if (match := test(place))]
        if not found or (everywhere and len(found) < len(self.places(name))):
            return ""
        return " ".join(found[0].strip(" ,").split())

    def is_titled(self, name: str) -> bool:
        """Whether a title or a role stands before the name anywhere ("Mr. Lake", "analyst Michael Lewis")."""
        return self._any(name, lambda place: place.is_titled)

    def is_person_by_context(self, name: str) -> bool:
        """Whether a title, an age, a role or "who" stands beside the name anywhere."""
        return self._any(name, lambda place: place.is_titled or _AS_A_PERSON.match(place.after))

    def as_a_firm(self, name: str, everywhere: bool = False) -> str:
        """What follows the name and follows no person's ("Inc", "Accord", "shares", ", which"); or an empty string.

        ``everywhere``: only if something of the kind follows wherever the name stands.
        """
        return self._first(name, everywhere, _firm_after)

    def as_an_employer(self, name: str, everywhere: bool = False) -> str:
        """What stands before the name as before a place of work or a firm ("analyst at"); or an empty string."""
        return self._first(name, everywhere, _employer_before)

    def as_a_town(self, name: str, everywhere: bool = False) -> str:
        """The state that follows the name; or an empty string. ``everywhere`` as in ``as_a_firm``."""
        return self._first(name, everywhere, _state_after)

    def as_a_storm(self, name: str) -> str:
        """The word for a storm that stands before the name anywhere; or an empty string."""
        return self._first(name, False, lambda place: place.word_before if place.word_before.lower() in _STORMS else "")

    def opens_with_title(self, name: str) -> bool:
        """Whether the name is written with a title that only people bear ("Gen. MacArthur")."""
        first, _, rest = name.partition(" ")
        return bool(rest) and first.removesuffix(".") in _PERSONAL

    def is_quoted(self, name: str) -> bool:
        """Whether the name stands alone between quotation marks wherever it stands."""
        places = self.places(name)
        return bool(places) and all(
            _OPENING_QUOTE.search(place.before) and _CLOSING_QUOTE.match(place.after) for place in places
        )

    def is_placed(self, name: str) -> bool:
        """Whether "the", "in" or the like stands before the name anywhere."""
        return self._any(name, lambda place: place.word_before.lower() in _PLACING)

    def words_before(self, word: str) -> tuple[str, ...]:
        """The capitalised words that stand before a word, particles between passed over, unless they open a sentence.

        "Ludwig" of "Ludwig van Beethoven"; nothing for "Then Smith spoke".
        """
        if word not in self._runs:
            found = (_word_before(place.before) for place in self.places(word))
            self._runs[word] = tuple(dict.fromkeys(before for before in found if before))
        return self._runs[word]

    def is_in_lower_case(self, word: str) -> bool:
        """Whether the word stands in the article in lower case too."""
        return any(True for _ in _every(self.text, word.lower(), whole=True))

    def shares_last_word(self, name: str) -> bool:
        """Whether another mention of several words ends with the same word."""
        words = identifying_sequence(name)
        return any(
            identifying_sequence(other)[-1] == words[-1] and identifying_sequence(other) != words
            for other in self.longer_mentions.get(words[-1], ())
        )

    def begins_with_another(self, name: str) -> str:
        """A full name that opens this one, is written as often, and whose owner nobody else in the article is related to.

        "Lee Harvey Oswald" of "Lee Harvey Oswald Heidi"; nothing for "Kathleen Kennedy Townsend" if "Ms. Townsend" is there.
        """
        words = identifying_sequence(name)
        for other in self.longer_mentions.get(words[0], ()):
            part = identifying_sequence(other)
            opens = 1 < len(part) < len(words) and words[: len(part)] == part
            if opens and self.mentions[other] >= self.mentions[name] and not self._ends_a_mention(words[-1], name):
                return other
        return ""

    def _ends_a_mention(self, word: str, but: str) -> bool:
        """Whether the word ends another mention; alone it does not count if it opens one ("Heidi", "Heidi Cruz")."""
        others = [words for other in self.mentions if other != but and (words := identifying_sequence(other))]
        opens = any(words[0] == word and len(words) > 1 for words in others)
        return any(words[-1] == word and (len(words) > 1 or not opens) for words in others)

    @functools.cached_property
    def longer_mentions(self) -> dict[str, list[str]]:
        """The mentions of two identifying words and more, by each of these words."""
        longer: defaultdict[str, list[str]] = defaultdict(list)
        for name in self.mentions:
            words = identifying_sequence(name)
            if len(words) > 1 or has_capital_particle(name):
                for word in words:
                    longer[word].append(name)
        return dict(longer)


def has_capital_particle(name: str) -> bool:
    """Whether the name begins with a particle that is written as a given name ("Al Gore", "Ben Carson")."""
    first, _, rest = name.partition(" ")
    return bool(rest) and first[:1].isupper() and fold(first) in PARTICLES


def _firm_after(place: Place) -> str:
    found = _AS_A_FIRM.match(place.after) or _AS_A_SCHEME.match(place.after) or _APPOSITION.match(place.after)
    return found.group() if found else ""


def _state_after(place: Place) -> str:
    found = _AS_A_TOWN.match(place.after)
    return found.group() if found else ""


def _employer_before(place: Place) -> str:
    if place.word_before.lower() not in _EMPLOYING and not place.before.endswith("<"):
        return ""
    found = None if _OWNS.match(place.after) else _EMPLOYED.search(place.before)
    return found.group() if found else ""


def _every(text: str, surface: str, whole: bool = False) -> Iterator[int]:
    """Where a stretch of text that starts with a small letter stands as the start of a word, or as a whole word."""
    at = text.find(surface) if surface else -1
    while at >= 0:
        end = at + len(surface)
        if (at == 0 or not text[at - 1].isalnum()) and not (whole and _within_a_word(text[end : end + 1])):
            yield at
        at = text.find(surface, at + 1)


def _within_a_word(ch: str) -> bool:
    return ch.isalnum() or (ch != "" and ch in "'’")


def _goes_on(text: str, end: int) -> bool:
    """Whether a written word goes on at ``end``: a letter, or a hyphen and a letter."""
    following = text[end : end + 2]
    return following[:1].isalnum() or (following[:1] in {"-", "‐", "‑"} and following[1:].isalpha())


def _word_before(before: str) -> str:
    """The last capitalised word of ``before``, if only particles follow it and it continues no other sentence."""
    if not before[-1:].isspace():
        joined = re.search(r"([^\W\d_a-z][\w.'’-]*)\s+(?:[Aa]l|[Ee]l|[Aa]s|[Bb]in|[Ii]bn)-$", before)
        return joined.group(1) if joined else ""
    words = before.split()
    if words:
        words[-1] = words[-1].lstrip("\"“‘'(")
    while words and fold(words[-1]) in PARTICLES and fold(words[-1]) not in {"and", "the", "of"}:
        words.pop()
    if not words or not words[-1][:1].isupper() or _POSSESSIVE_OR_STOP.search(words[-1]) or "\n\n" in before[-3:]:
        return ""
    last = words[-1]
    return "" if last.endswith(".") and len(last) > 3 and "." not in last[:-1] else last
