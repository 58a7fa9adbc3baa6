"""Words, name words and sentences for the checks, implemented independently of the pipeline.

Where a rule is ambiguous (which words identify a person, where a sentence ends), a check takes the reading under which the
problem passes: a check that forbids a shared word compares ``surely_identifying`` words, one that demands a shared word
compares all ``name_words``, and ``sure_sentences`` yields only what is one sentence under every splitter.
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

# Words that may not identify a person: particles, suffixes, titles and offices.
MAYBE_NOT_IDENTIFYING = frozenset(
    """
    de da del della di du la le el al bin ibn van von der den ter y jr sr ii iii iv
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
    """.split()
)


# Longer words that a splitter may treat as abbreviations: a full stop after them may not end the sentence.
_UNSURE_ENDS = frozenset(
    """
    mrs prof sen rep gov gen col maj capt cmdr adm sgt cpl pvt rev hon inc corp ltd bros jan feb mar apr jun jul aug sept
    sep oct nov dec mon tue tues wed thu thur thurs fri sat sun nos vol dept univ assn assoc ave blvd etc ariz ark calif
    colo conn del fla ala ill ind kan mass mich minn miss mont neb nev okla ore penn tenn tex wash wis wyo messrs assocs
    supt insp det mgr sra srta est ext fig govt natl intl esq phd
    """.split()
)
_SURE_END = re.compile(r"(?<![^\s\"“‘(])([a-z]{3,}|[^\W\d_]{6,}|[0-9]{4})[.?!][\"”’')\]]*\s+(?=[\"“‘'(\[]*[A-Z])")
_STOP_INSIDE = re.compile(r"[.?!].*\w", re.DOTALL)


def words(text: str) -> list[str]:
    """The runs of letters and digits of a text, casefolded."""
    return [match.casefold() for match in _WORD.findall(text)]


def letters(text: str) -> str:
    """The letters and digits of a text, casefolded: no tokeniser changes these."""
    return "".join(words(text))


# Alternatives of an article compare the same names again.
@functools.lru_cache(_CACHED_NAMES)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name without case, accents, full stops, outer punctuation and possessive."""
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
    """The words that identify the person in every reading."""
    return {word for word in name_words(name) if len(word) > 1 and word not in MAYBE_NOT_IDENTIFYING}


def is_subsequence(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether ``shorter`` is a subsequence of ``longer``, gaps allowed."""
    remaining = iter(longer)
    return all(word in remaining for word in shorter)


def sure_sentences(text: str) -> Iterator[str]:
    """The sentences that every splitter finds: those without a stop inside, between two ends that are certain."""
    for paragraph in text.split("\n\n"):
        start = 0
        sure_ends = [end.end() for end in _SURE_END.finditer(paragraph) if end[1].casefold() not in _UNSURE_ENDS]
        for end in (*sure_ends, len(paragraph)):
            if not _STOP_INSIDE.search(paragraph, start, end):
                yield paragraph[start:end]
            start = end
