"""Evidence on names in the text of one article: a title, age or role beside a name, or a word for shares or storms.

The text is indexed once by its capitalised words. A look-up finds the occurrences of a name by the name's first word, and
reads only a few characters before and after each occurrence.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator

from wdw_build.text.names.matching import PARTICLES, fold, identifying_sequence
from wdw_build.text.names.occurrences import Occurrence, is_personal_title

# Characters that are read on each side of a name.
_SIDE = 60
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][^\W_]*")
_POSSESSIVE_OR_STOP = re.compile(r"['’]s?$|[,;:!?)\]\"”]$")
_POSSESSIVE = re.compile(r"['’]s?$")
# The word before a particle that is joined to the name: "Hafez al-[Assad]".
_BEFORE_JOINED_PARTICLE = re.compile(r"([^\W\d_a-z][\w.'’-]*)\s+(?:[Aa]l|[Ee]l|[Aa]s|[Bb]in|[Ii]bn)-$")


class ArticleNames:
    """Look-ups of names in one article.

    ``mentions`` are the names that the tagger labelled as persons, in the part of the article that was tagged.
    """

    def __init__(self, text: str, mentions: Iterable[str] = ()) -> None:
        self.text = text
        self.mentions = Counter(mentions)
        self._occurrences: dict[str, tuple[Occurrence, ...]] = {}
        self._words_before: dict[str, tuple[str, ...]] = {}
        self._decisions: tuple[object, dict[str, str]] = (None, {})

    def decisions(self, evidence: object) -> dict[str, str]:
        """A cache of decisions on names, which the rules fill. A call with new evidence empties the cache."""
        if self._decisions[0] is not evidence:
            self._decisions = (evidence, {})
        return self._decisions[1]

    @functools.cached_property
    def _starts(self) -> dict[str, list[int]]:
        """The offsets of each capitalised word."""
        starts: defaultdict[str, list[int]] = defaultdict(list)
        for word in _CAPITALISED.finditer(self.text):
            starts[word[0]].append(word.start())
        return dict(starts)

    def occurrences(self, name: str) -> tuple[Occurrence, ...]:
        """The occurrences of a name as whole words; a possessive belongs to the text after the name."""
        surface = _POSSESSIVE.sub("", name)
        if surface not in self._occurrences:
            self._occurrences[surface] = tuple(self._find(surface))
        return self._occurrences[surface]

    def _find(self, surface: str) -> Iterator[Occurrence]:
        first = _CAPITALISED.match(surface)
        starts = self._starts.get(first[0], ()) if first else _word_starts(self.text, surface)
        for start in starts:
            end = start + len(surface)
            if self.text.startswith(surface, start) and not _word_continues(self.text, end):
                before = self.text[max(0, start - _SIDE) : start]
                separate = before[-1:].isspace() or before[-1:] == "<"
                words = before.split() if separate else []
                yield Occurrence(before, self.text[end : end + _SIDE], words[-1] if words else "")

    def _first(self, name: str, everywhere: bool, words_at: Callable[[Occurrence], str]) -> str:
        """The first words that ``words_at`` finds, or ""; with ``everywhere`` also "" if any occurrence has no words."""
        occurrences = self.occurrences(name)
        shown = [words for occurrence in occurrences if (words := words_at(occurrence))]
        if not shown or (everywhere and len(shown) < len(occurrences)):
            return ""
        return " ".join(shown[0].strip(" ,").split())

    def is_titled(self, name: str) -> bool:
        """Whether a title or a role stands before the name anywhere ("Mr. Lake", "analyst Michael Lewis")."""
        return any(occurrence.is_titled for occurrence in self.occurrences(name))

    def is_person_by_context(self, name: str) -> bool:
        """Whether a title, an age, a role or "who" stands beside the name anywhere."""
        return any(occurrence.is_person for occurrence in self.occurrences(name))

    def firm(self, name: str, everywhere: bool = False) -> str:
        """The words that mark the name as a firm or scheme ("Inc", "shares"), or "".

        ``everywhere``: only if every occurrence of the name is marked.
        """
        return self._first(name, everywhere, lambda occurrence: occurrence.firm)

    def employer(self, name: str, everywhere: bool = False) -> str:
        """The words that mark the name as an employer ("analyst at"), or ""; ``everywhere`` as in ``firm``."""
        return self._first(name, everywhere, lambda occurrence: occurrence.employer)

    def state(self, name: str, everywhere: bool = False) -> str:
        """The state that marks the name as a town, or ""; ``everywhere`` as in ``firm``."""
        return self._first(name, everywhere, lambda occurrence: occurrence.state)

    def storm(self, name: str) -> str:
        """The word for a storm before the name anywhere, or ""."""
        return self._first(name, False, lambda occurrence: occurrence.storm)

    def opens_with_title(self, name: str) -> bool:
        """Whether the name is written with a title that only people bear ("Gen. MacArthur")."""
        first, _, rest = name.partition(" ")
        return bool(rest) and is_personal_title(first)

    def is_quoted(self, name: str) -> bool:
        """Whether every occurrence of the name stands alone between quotation marks."""
        occurrences = self.occurrences(name)
        return bool(occurrences) and all(occurrence.is_quoted for occurrence in occurrences)

    def is_place(self, name: str) -> bool:
        """Whether "the", "in" or a similar word stands before the name anywhere."""
        return any(occurrence.is_place for occurrence in self.occurrences(name))

    def words_before(self, word: str) -> tuple[str, ...]:
        """The capitalised words before a word, with only particles between; not across the start of a sentence.

        ("Ludwig",) for "Beethoven" in "Ludwig van Beethoven"; empty if the word starts a sentence.
        """
        if word not in self._words_before:
            words = (_word_before(occurrence.before) for occurrence in self.occurrences(word))
            self._words_before[word] = tuple(dict.fromkeys(filter(None, words)))
        return self._words_before[word]

    def is_in_lower_case(self, word: str) -> bool:
        """Whether the word also occurs in the article in lower case."""
        return any(True for _ in _word_starts(self.text, word.lower(), whole=True))

    def shares_last_word(self, name: str) -> bool:
        """Whether another mention of several words ends with the same word."""
        words = identifying_sequence(name)
        others = map(identifying_sequence, self.longer_mentions.get(words[-1], ()))
        return any(other[-1] == words[-1] and other != words for other in others)

    def begins_with_another(self, name: str) -> str:
        """A full name that this name begins with and that is written as often, or "".

        "Lee Harvey Oswald" for "Lee Harvey Oswald Heidi". Returns "" if the last word ends another mention: "Kathleen
        Kennedy Townsend" in an article that also has "Ms. Townsend".
        """
        words = identifying_sequence(name)
        for other in self.longer_mentions.get(words[0], ()):
            part = identifying_sequence(other)
            is_beginning = 1 < len(part) < len(words) and words[: len(part)] == part
            if is_beginning and self.mentions[other] >= self.mentions[name] and not self._ends_mention(words[-1], name):
                return other
        return ""

    def _ends_mention(self, word: str, excluded: str) -> bool:
        """Whether the word ends a mention other than ``excluded``.

        A mention that is the word alone does not count if the word opens another one ("Heidi", "Heidi Cruz").
        """
        others = [words for other in self.mentions if other != excluded and (words := identifying_sequence(other))]
        opens = any(words[0] == word and len(words) > 1 for words in others)
        return any(words[-1] == word and (len(words) > 1 or not opens) for words in others)

    @functools.cached_property
    def longer_mentions(self) -> dict[str, list[str]]:
        """The mentions of two or more identifying words, by each of these words."""
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


def _word_starts(text: str, surface: str, whole: bool = False) -> Iterator[int]:
    """The offsets where ``surface`` starts a word; ``whole``: only where ``surface`` is a whole word."""
    start = text.find(surface) if surface else -1
    while start >= 0:
        end = start + len(surface)
        if (start == 0 or not text[start - 1].isalnum()) and not (whole and _is_word_character(text[end : end + 1])):
            yield start
        start = text.find(surface, start + 1)


def _is_word_character(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "'’")


def _word_continues(text: str, end: int) -> bool:
    """Whether a letter, or a hyphen and a letter, follows at ``end``."""
    following = text[end : end + 2]
    return following[:1].isalnum() or (following[:1] in {"-", "‐", "‑"} and following[1:].isalpha())


def _word_before(before: str) -> str:
    """The last capitalised word of ``before`` if only particles follow it and it ends no sentence, or ""."""
    if not before[-1:].isspace():
        joined = _BEFORE_JOINED_PARTICLE.search(before)
        return joined[1] if joined else ""
    words = before.split()
    if words:
        words[-1] = words[-1].lstrip("\"“‘'(")
    while words and fold(words[-1]) in PARTICLES and fold(words[-1]) not in {"and", "the", "of"}:
        words.pop()
    if not words or not words[-1][:1].isupper() or _POSSESSIVE_OR_STOP.search(words[-1]) or "\n\n" in before[-3:]:
        return ""
    last = words[-1]
    return "" if last.endswith(".") and len(last) > 3 and "." not in last[:-1] else last
