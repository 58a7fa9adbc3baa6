"""Tokens, name tokens and sentences for the checks, implemented independently of the pipeline.

Where a rule is ambiguous (which tokens identify a person, where a sentence ends), a check takes the reading under which
the problem passes. A check that forbids a shared token compares ``surely_identifying`` tokens; a check that demands a
shared token compares ``possibly_identifying`` tokens. ``sure_sentences`` may join sentences but never cuts one;
``cautious_pieces`` may cut a sentence but never joins two.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence

_CACHED_NAMES = 4096
_WORD = re.compile(r"[^\W_]+")
_OUTER = re.compile(r"^[\W_]+|[\W_]+$")
_TIED_INITIALS = re.compile(r"^([^\W\d_])(?:\.[^\W\d_])+\.?$")
_ARTICLE = re.compile(r"^(?:abu|al|as|ben|bin|el|ibn|saint|st)-(?=\w)")
# Letters with strokes, and ligatures: Unicode decomposition does not change them.
_UNTIED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Tokens that never identify a person, and titles that are never part of a name.
NEVER_IDENTIFYING = _set("de da del della di du la le el al bin ibn van von der den ter y jr sr ii iii iv")
CERTAIN_TITLES = _set("mr mrs ms dr prof sir sen rep gov gen president minister secretary chairman")
# Tokens that may not identify a person: particles, suffixes, titles and offices.
MAYBE_NOT_IDENTIFYING = NEVER_IDENTIFYING | _set(
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
# A full stop that does not end a sentence, as in "J. Smith" and "Mr. Smith"; splitters differ on "J. "Pete" Smith".
_NO_STOP = re.compile(r"(?:^|(?<=[\s(]))(?:[A-Z]|Mr|Mrs|Ms|Dr)\.(?=\s+[^\W\d_])")
# Longer words that a splitter may treat as abbreviations: a full stop after them may not end the sentence.
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
    """The runs of letters and digits of a text, casefolded."""
    return [match.casefold() for match in _WORD.findall(text)]


def letters(text: str) -> str:
    """The letters and digits of a text, casefolded: no tokeniser changes these."""
    return "".join(words(text))


def name_words(name: str) -> list[str]:
    """The tokens of a name without case, accents, full stops, outer punctuation and possessive."""
    return list(_name_words(name))


# Alternatives of an article compare the same names again.
@functools.lru_cache(_CACHED_NAMES)
def _name_words(name: str) -> tuple[str, ...]:
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("’", "'").translate(_UNTIED)
    without_accents = "".join(letter for letter in plain if not unicodedata.combining(letter))
    tokens = []
    for word in without_accents.split():
        bare = _OUTER.sub("", _OUTER.sub("", word).removesuffix("'s"))
        # "J.R." becomes "j"; an article joined to a name ("al-Assad") is removed.
        bare = _ARTICLE.sub("", _TIED_INITIALS.sub(r"\1", bare)).replace(".", "")
        if bare:
            tokens.append(bare)
    return tuple(tokens)


def surely_identifying(name: str) -> set[str]:
    """The tokens that identify the person in every reading."""
    return {word for word in name_words(name) if len(word) > 1 and word not in MAYBE_NOT_IDENTIFYING}


def possibly_identifying(name: str) -> set[str]:
    """The tokens that identify the person in at least one reading."""
    tokens = name_words(name)
    while len(tokens) > 1 and tokens[0] in CERTAIN_TITLES:
        tokens = tokens[1:]
    return {word for word in tokens if len(word) > 1 and word not in NEVER_IDENTIFYING}


def differ_by_a_letter(one: str, other: str) -> bool:
    """Whether two words differ by one letter that is changed, added or left out."""
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, other_rest = one[start:], other[start:]
    return one != other and (rest[1:] == other_rest or rest == other_rest[1:] or rest[1:] == other_rest[1:])


def is_subsequence(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether ``shorter`` is a subsequence of ``longer``, gaps allowed."""
    matched = 0
    for word in longer:
        if matched < len(shorter) and shorter[matched] == word:
            matched += 1
    return matched == len(shorter)


def _paragraphs(text: str) -> list[str]:
    return [paragraph for paragraph in text.split("\n\n") if paragraph.strip()]


def sure_sentences(text: str) -> Iterator[str]:
    """Stretches of text made of whole sentences, one or several: cut only where every splitter would cut."""
    for paragraph in _paragraphs(text):
        start = 0
        for match in _SURE_END.finditer(paragraph):
            if match[1].casefold() not in _UNSURE_ENDS:
                yield paragraph[start : match.end()]
                start = match.end()
        yield paragraph[start:]


def cautious_pieces(text: str) -> Iterator[str]:
    """Stretches that lie within one sentence: cut wherever a sentence may end, except after initials and titles like Mr."""
    for paragraph in _paragraphs(text):
        start = 0
        within = {match.end() for match in _NO_STOP.finditer(paragraph)}
        for match in _STOP.finditer(paragraph):
            if match.end() not in within:
                yield paragraph[start : match.end()]
                start = match.end()
        yield paragraph[start:]
