"""Words, names and sentences for the checks, written apart from the pipeline's.

A failure must be real. Where a rule leaves room (which words of a name count, where a sentence ends), a check uses the
reading that accuses less: ``surely_counting`` where sharing a word is the fault, ``perhaps_counting`` where not sharing one is;
``sure_sentences`` where a longer stretch is the harmless error, ``cautious_pieces`` where a shorter one is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"[^\W_]+")
_OUTER = re.compile(r"^[\W_]+|[\W_]+$")
_TIED_INITIALS = re.compile(r"^([^\W\d_])(?:\.[^\W\d_])+\.?$")
_ARTICLE = re.compile(r"^(?:abu|al|as|ben|bin|el|ibn|saint|st)-(?=\w)")
# Strokes and ligatures that decomposition leaves alone.
_UNTIED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that count for nobody, and titles that nobody is called by.
NEVER_COUNT = _set("de da del della di du la le el al bin ibn van von der den ter y jr sr ii iii iv")
PLAIN_TITLES = _set("mr mrs ms dr prof sir sen rep gov gen president minister secretary chairman")
# Words that may fail to count for somebody: every particle, suffix, title and office.
MAY_NOT_COUNT = NEVER_COUNT | _set(
    """
    do dos das los las ten ad as ben bint abu zu zur af av san santa e i o mac mc st saint the and of v esq md phd
    mr mrs ms miss mx dr doctor prof professor sir dame lord lady sen senator rep representative gov governor gen
    general lt lieutenant col colonel maj major capt captain cmdr commander adm admiral sgt sergeant cpl corporal brig
    brigadier pvt private rev reverend father sister brother bishop archbishop cardinal pope rabbi imam sheikh shaikh
    mullah ayatollah president premier chancellor minister secretary ambassador judge justice magistrate mayor prince
    princess king queen emperor empress duke duchess count countess baron baroness sultan emir chief chairman
    chairwoman chairperson coach attorney detective officer inspector superintendent constable sheriff marshal speaker
    congressman congresswoman councillor councilman commissioner deputy former vice prime foreign finance defence
    defense interior first acting don dona senor senora herr frau monsieur madame comrade director spokesman
    spokeswoman prosecutor midfielder striker goalkeeper skipper actor actress singer author poet novelist physicist
    """
)

_STOP = re.compile(r"[.?!](?=\W)")
# "J. Smith" and "Mr. Smith"; not "J. "Pete" Smith", where splitters differ.
_NO_STOP = re.compile(r"(?:^|(?<=[\s(]))(?:[A-Z]|Mr|Mrs|Ms|Dr)\.(?=\s+[^\W\d_])")
# Longer words that an abbreviation list may hold: no sure end of a sentence.
_UNSURE_ENDS = _set(
    """
    mrs prof sen rep gov gen col maj capt cmdr adm sgt cpl pvt rev hon inc corp ltd bros jan feb mar apr jun jul aug sept
    sep oct nov dec mon tue tues wed thu thur thurs fri sat sun nos vol dept univ assn assoc ave blvd etc ariz ark calif
    colo conn del fla ala ill ind kan mass mich minn miss mont neb nev okla ore penn tenn tex wash wis wyo messrs assocs
    supt insp det mgr sra srta est ext fig govt natl intl esq phd
    """
)
_SURE_END = re.compile(r"(?<![^\s\"“‘(])([a-z]{3,}|[^\W\d_]{6,}|[0-9]{4})[.?!][\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-Z])")


def words(text: str) -> list[str]:
    """The casefolded runs of letters and digits."""
    return [found.casefold() for found in _WORD.findall(text)]


def letters(text: str) -> str:
    """The letters and digits alone, casefolded: what is left when tokenisers have had their way with punctuation."""
    return "".join(words(text))


def name_words(name: str) -> list[str]:
    """A name's words without case, accents, dots, outer punctuation and possessive."""
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("’", "'").translate(_UNTIED)
    kept = "".join(letter for letter in plain if not unicodedata.combining(letter))
    found = []
    for word in kept.split():
        bare = _OUTER.sub("", _OUTER.sub("", word).removesuffix("'s"))
        # Of initials written together the first stands for all; an article tied to a name falls away.
        bare = _ARTICLE.sub("", _TIED_INITIALS.sub(r"\1", bare)).replace(".", "")
        if bare:
            found.append(bare)
    return found


def surely_counting(name: str) -> set[str]:
    """The words of a name that say who it is, doubtful ones left out."""
    return {word for word in name_words(name) if len(word) > 1 and word not in MAY_NOT_COUNT}


def perhaps_counting(name: str) -> set[str]:
    """The words of a name that may say who it is, doubtful ones taken in."""
    found = name_words(name)
    while len(found) > 1 and found[0] in PLAIN_TITLES:
        found = found[1:]
    return {word for word in found if len(word) > 1 and word not in NEVER_COUNT}


def is_subsequence(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether the words of ``few`` stand in ``many`` in that order."""
    at = 0
    for word in many:
        if at < len(few) and few[at] == word:
            at += 1
    return at == len(few)


def _paragraphs(text: str) -> list[str]:
    return [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]


def sure_sentences(text: str) -> Iterator[str]:
    """Stretches whose both ends surely end a sentence; one may hold several sentences, none holds a part of one."""
    for paragraph in _paragraphs(text):
        start = 0
        for found in _SURE_END.finditer(paragraph):
            if found[1].casefold() not in _UNSURE_ENDS:
                yield paragraph[start : found.end()]
                start = found.end()
        yield paragraph[start:]


def cautious_pieces(text: str) -> Iterator[str]:
    """Stretches that surely lie within one sentence: cut wherever one may end, but after initials and Mr."""
    for paragraph in _paragraphs(text):
        start = 0
        within = {found.end() for found in _NO_STOP.finditer(paragraph)}
        for found in _STOP.finditer(paragraph):
            if found.end() not in within:
                yield paragraph[start : found.end()]
                start = found.end()
        yield paragraph[start:]
