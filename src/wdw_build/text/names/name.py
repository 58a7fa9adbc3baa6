"""The type of a person's name. All stages read names with ``parse``, and compare them with ``names.compare``.

The words of a name are folded: case, accents, possessive and outer punctuation are removed, and there is one hyphen and one
apostrophe. Particles, initials and generations do not identify a person: names may share them by chance.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wdw_build.text.lexicon import MONTHS, phrases, word_list

Words = tuple[str, ...]

PARTICLES = word_list("particles")
TITLES = word_list("titles")
BEFORE_A_NAME = TITLES | word_list("occupations") | word_list("titles_also_names")
_GENERATIONS = {"jnr": "jr", "snr": "sr", "junior": "jr", "senior": "sr"} | {
    word: word for word in "jr sr ii iii iv".split()
}
SUFFIXES = frozenset("jr jnr sr snr ii iii iv esq md phd thero thera".split())
HYPHENS = "-‐‑‒–−﹣－"
# The same names recur in an article and in the articles of the same days.
_CACHED = 1 << 15
_POSSESSIVE = re.compile(r"['’]s?$")
# Characters at the ends of a mention that are no part of the name. A mention may end in several ("Smith's,").
_ENDS = re.compile(r"^[^\w(\"“'‘]+|(?:['’]s?|[\s,;:‘\-–—]|(?<=[^\W\d_]{4})\.)+$")
_OUTER = re.compile(r"^[^\w]+|[^\w.]+$")
_LETTERS = re.compile(r"[^\W\d_]+")
# "J.R.", "J.-P.", "M.A", and in capitals without vowels "GL".
_INITIALS = re.compile(r"[^\W\d_](?:[.-]+[^\W\d_])*\.?|(?![MP]D$|[JS]R$)[B-DF-HJ-NP-TV-Z]{2,3}")
# The article of "al-Assad" is removed.
_JOINED_PARTICLE = re.compile(r"^(?:abu|al|as|ben|bin|el|ibn|saint|st)-(?=\w)")
# Letters with strokes, ligatures and signs of one meaning: Unicode decomposition does not change them.
_FOLDED = {**dict(zip("łøđðħı", "loddhi", strict=True)), "æ": "ae", "œ": "oe", ".": "", "\N{SOFT HYPHEN}": ""}
_FOLDED |= dict.fromkeys(HYPHENS, "-") | dict.fromkeys("’‘ʼʹ′＇", "'")
# The lists of given names are used where the corpus has no evidence.
FORMS_OF_GIVEN_NAMES = tuple(frozenset(forms.split()) for forms in phrases("forms_of_given_names"))
ALSO_WORDS = word_list("given_names_also_words")
GIVEN_NAMES = word_list("given_names").union(ALSO_WORDS, *FORMS_OF_GIVEN_NAMES)
# "May" is a name.
NEVER_ALONE = word_list("never_alone").union(MONTHS) - {"may"}
TITLES_NEVER_LAST = word_list("titles_never_last")


@dataclass(frozen=True)
class Name:
    """A name. ``bare`` is the name as written, without honorifics and possessive.

    ``words`` are folded; each initial is a word. ``generation`` is "jr", "sr", "ii", "iii", "iv" or empty.
    """

    bare: str
    words: Words
    generation: str

    @property
    def last(self) -> str:
        """The last identifying word as written, without possessive: "Ki-moon" of "Ban Ki-moon Jr."; ``bare`` if there is none."""
        written = (word for word in reversed(self.bare.split()) if fold_in_name(word) == self.family)
        return _inner(next(written, self.bare)) if self.core else self.bare

    @functools.cached_property
    def core(self) -> Words:
        """The words that identify the person: given names and family name, not particles, initials and generations."""
        return tuple(word for word in self.words if is_identifying(word))

    @functools.cached_property
    def parts(self) -> Words:
        """The identifying words, split at hyphens."""
        return apart(self.core)

    @functools.cached_property
    def counted(self) -> Words:
        """The words by which a corpus counts the name: all but the suffixes at its end, split at hyphens."""
        words = self.words
        while len(words) > 1 and words[-1] in SUFFIXES:
            words = words[:-1]
        return apart(words)

    @functools.cached_property
    def key(self) -> str:
        """The letters of the name and its generation, which the writings of one full name share: "Kim Jong-ha", "Kim Jong Ha"."""
        key = "".join(filter(_is_given_or_family, self.words)).replace("-", "").replace("'", "")
        return f"{key} {self.generation}" if self.generation else key

    @property
    def is_full(self) -> bool:
        """Whether the name has a given name and a family name."""
        return len(self.core) > 1

    @property
    def family(self) -> str:
        """The folded family name: the last identifying word; empty if there is none."""
        return self.core[-1] if self.core else ""

    @functools.cached_property
    def given(self) -> Words:
        """The given names and initials before the family name, without particles; split at hyphens."""
        family = max((index for index, word in enumerate(self.words) if word == self.family), default=0)
        return tuple(filter(_is_given_or_family, apart(self.words[:family])))

    @property
    def particles(self) -> Words:
        """The folded particles of the name, also those before a hyphen."""
        return tuple(word for word in apart(map(fold, self.bare.split())) if word in PARTICLES)

    @property
    def has_initials_alone(self) -> bool:
        """Whether the name is a family name with initials in the place of the given name: "O.J. Ames"."""
        return len(self.core) == 1 and len(self.words[0]) == 1

    @property
    def with_initials(self) -> Words:
        """The identifying words, with initials that the name has in the place of the given name."""
        return self.words if self.has_initials_alone else self.core

    def shares_word(self, other: Name) -> bool:
        """Whether the names share an identifying word (the test of ``is_valid``)."""
        return not set(self.core).isdisjoint(other.core)

    def is_within(self, longer: Name) -> bool:
        """Whether the identifying words are a sub-sequence of those of ``longer``: of a hyphenated one, not a half alone."""
        if len(self.parts) < 2:
            return bool(self.core) and self.core[0] in longer.core
        return is_subsequence(self.parts, longer.parts)


@functools.lru_cache(_CACHED)
def parse(text: str) -> Name:
    """The name that a mention has."""
    written = clean(text).split(" ")
    pieces = written[_end_of_honorifics(written) :]
    bare = " ".join(pieces)
    words = [folded for word in pieces[:-1] for folded in _folded(word, not text.isupper())]
    *words, last = (*words, *_folded(pieces[-1], False)) or ("",)
    generation = _GENERATIONS.get(last, "")
    # "Junior" and "Senior" alone may be a family name.
    is_last = bool(generation) and len(words) >= (1 if generation == last else 2)
    return Name(bare, (*words, generation if is_last else last) if last else (), generation if is_last else "")


def _folded(word: str, may_be_capitals: bool) -> list[str]:
    """A written word, folded; initials as words of one letter, also those in capitals without stops if these may be any."""
    if word.isalpha() and not (len(word) < 4 and word.isupper()):
        return [fold(word)]
    inner = _inner(word)
    if _INITIALS.fullmatch(inner) and (may_be_capitals or len(inner) < 2 or not inner.isalpha()):
        return [fold_text(letter) for letter in _LETTERS.findall(".".join(inner))]
    folded = fold_in_name(inner)
    return [folded] if folded else []


def _end_of_honorifics(written: Sequence[str]) -> int:
    """How many words before a name are titles and occupations; a last word remains."""
    return next((at for at, word in enumerate(written) if not is_title(word)), len(written) - 1)


def is_title(word: str) -> bool:
    """Whether a word is a title or an occupation; initials are not ("A.S.P.")."""
    return fold(word) in BEFORE_A_NAME and not ("." in word and _INITIALS.fullmatch(word))


def _is_given_or_family(word: str) -> bool:
    """Whether a folded word is of given names or family name, or an initial, which particles of one letter are like."""
    return len(word) == 1 or is_identifying(word)


def is_identifying(word: str) -> bool:
    """Whether a folded word can identify a person: it is not a particle, a suffix or a single letter."""
    return len(word) > 1 and word not in PARTICLES and word not in SUFFIXES


def is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether ``short`` is a sub-sequence of ``long``."""
    rest = iter(long)
    return all(word in rest for word in short)


def apart(words: Iterable[str]) -> Words:
    """Folded words, split at hyphens."""
    return tuple(part for word in words for part in word.split("-") if part)


# ---- spelling --------------------------------------------------------------------------------------------------------


def fold(word: str) -> str:
    """A word without case, accents, possessive and outer punctuation: "Zoë's" -> "zoe"."""
    # Most words are ASCII letters and digits, which have nothing to remove.
    return word.lower() if word.isascii() and word.isalnum() else _fold(word)


def fold_in_name(word: str) -> str:
    """A word of a name, folded, without a particle before a hyphen: "al-Assad" -> "assad"."""
    folded = fold(word)
    return _JOINED_PARTICLE.sub("", folded) if "-" in folded else folded


@functools.lru_cache(_CACHED)
def _fold(word: str) -> str:
    return fold_text(_inner(word))


def _inner(word: str) -> str:
    """A word without outer punctuation and possessive: "“Magic”'s" -> "Magic"."""
    return _OUTER.sub("", _POSSESSIVE.sub("", _OUTER.sub("", word)))


def fold_text(text: str) -> str:
    """A text without case, accents and full stops. It contains every folded word of the text as a substring."""
    if text.isascii():
        return text.lower().replace(".", "")
    plain = unicodedata.normalize("NFKD", text.casefold())
    for letter in set(plain):
        if letter in _FOLDED or unicodedata.combining(letter):
            plain = plain.replace(letter, _FOLDED.get(letter, ""))
    return plain


@functools.lru_cache(_CACHED)
def clean(name: str) -> str:
    """A name as written, with single spaces, without possessive and outer punctuation; titles are kept.

    A final full stop is removed after four or more letters, where it does not belong to an abbreviation.
    """
    single = " ".join(name.split())
    return single if single.replace(" ", "").isalnum() else _ENDS.sub("", single)


def usual_case(name: str) -> str:
    """A name without words in capitals: "GARETH SOUTHGATE", "Gareth SOUTHGATE" -> "Gareth Southgate"."""
    least = 2 if name.isupper() and any(len(word) > 3 for word in _LETTERS.findall(name)) else 4

    def lowered(word: re.Match[str]) -> str:
        letters = word[0]
        is_shouted = letters.isupper() and len(letters) >= least and letters.lower() not in SUFFIXES
        return letters.capitalize() if is_shouted else letters

    return _LETTERS.sub(lowered, name)


def in_text(name: str, *, any_case: bool = True) -> re.Pattern[str]:
    """The pattern of a name as texts have it: with any white space between the words, and in any case unless told otherwise."""
    return re.compile(r"\s+".join(map(re.escape, name.split())), re.IGNORECASE if any_case else 0)
