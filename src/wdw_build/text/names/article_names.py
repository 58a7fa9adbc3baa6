"""Evidence on names in the text of one article: a title, age or role beside a name, or a word for shares or storms.

Text and mentions are indexed once by their words, so that a look-up reads neither the whole text nor all mentions: it finds
the occurrences of a name by the name's rarest word, and reads a few characters before and after each occurrence.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from wdw_build.text.names.name import PARTICLES, fold, parse
from wdw_build.text.names.occurrences import ArticleWords, Occurrence, has_thing_after, is_personal_title

# Characters that are read on each side of a name.
_SIDE = 60
_CAPITALISED = re.compile(r"[^\W\d_a-z]")
_HYPHENS = frozenset("-‐‑")
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
        self.words = ArticleWords(text)
        self._occurrences: dict[str, tuple[Occurrence, ...]] = {}
        self._words_before: dict[str, tuple[str, ...]] = {}
        self._titled: dict[str, bool] = {}

    def occurrences(self, name: str) -> tuple[Occurrence, ...]:
        """The occurrences of a name as whole words; a possessive belongs to the text after the name."""
        surface = _POSSESSIVE.sub("", name)
        if surface not in self._occurrences:
            self._occurrences[surface] = tuple(self._find(surface))
        return self._occurrences[surface]

    def _find(self, surface: str) -> Iterator[Occurrence]:
        for start in self.words.find(surface):
            end = start + len(surface)
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
        if name not in self._titled:
            self._titled[name] = any(occurrence.is_titled for occurrence in self.occurrences(name))
        return self._titled[name]

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

    def is_thing(self, name: str) -> bool:
        """Whether the words of a thing are beside the name: "NAME reporter", its initials in brackets, "a NAME was held".

        The name of a business is followed by a possessive alone ("at the restaurant, NAME's, in").
        """
        return any(
            has_thing_after(name.split(), occurrence.after) or occurrence.is_event or occurrence.is_business
            for occurrence in self.occurrences(name)
        )

    def work(self, name: str) -> str:
        """The word for a work directly before the name ("memoir"), or ""; also "" if the last word occurs without the name."""
        last = name.rpartition(" ")[2]
        is_short = len(self.occurrences(last)) > len(self.occurrences(name))
        return "" if is_short else self._first(name, False, lambda occurrence: occurrence.work)

    def opens_with_title(self, name: str) -> bool:
        """Whether the name is written with a title that only people bear ("Gen. MacArthur")."""
        first, _, rest = name.partition(" ")
        return bool(rest) and is_personal_title(first)

    def is_quoted(self, name: str) -> bool:
        """Whether every occurrence of the name stands alone between quotation marks."""
        occurrences = self.occurrences(name)
        return bool(occurrences) and all(occurrence.is_quoted for occurrence in occurrences)

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
        return self.words.has_word(word.lower())

    def shares_last_word(self, name: str) -> bool:
        """Whether another mention of several words ends with the same word."""
        words = parse(name).core
        alike = self._index.longer_by_last_word[words[-1]]
        return len(alike) > (words in alike)

    def begins_with_another(self, name: str) -> str:
        """A full name that this name begins with and that is written as often, or "".

        "Lee Harvey Oswald" for "Lee Harvey Oswald Heidi".
        """
        words = parse(name).core
        beginnings = (words[:length] for length in range(2, len(words)))
        others = [
            (number, other)
            for beginning in beginnings
            for number, other in self._index.by_words.get(beginning, ())
            if self.mentions[other] >= self.mentions[name]
        ]
        return min(others)[1] if others else ""

    @property
    def longer_mentions(self) -> Mapping[str, list[str]]:
        """The mentions of two or more identifying words, by each of these words."""
        return self._index.longer

    @functools.cached_property
    def _index(self) -> _MentionIndex:
        return _MentionIndex(self.mentions)


class _MentionIndex:
    """The distinct mentions of an article by their identifying words.

    ``by_words`` holds (number in the order of the article, mention) by all identifying words. ``longer`` and
    ``longer_by_last_word`` hold those of several words, and names after a capitalised particle ("Al Gore").
    """

    def __init__(self, mentions: Iterable[str]) -> None:
        self.by_words: defaultdict[tuple[str, ...], list[tuple[int, str]]] = defaultdict(list)
        self.longer: dict[str, list[str]] = {}
        self.longer_by_last_word: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
        for number, name in enumerate(mentions):
            if words := parse(name).core:
                self.by_words[words].append((number, name))
                self._add(name, words)

    def _add(self, name: str, words: tuple[str, ...]) -> None:
        if len(words) > 1 or has_capital_particle(name):
            self.longer_by_last_word[words[-1]].add(words)
            for word in words:
                self.longer.setdefault(word, []).append(name)


def has_capital_particle(name: str) -> bool:
    """Whether the name begins with a particle that is written as a given name ("Al Gore", "Ben Carson")."""
    first, _, rest = name.partition(" ")
    return bool(rest) and first[:1].isupper() and fold(first) in PARTICLES


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
