"""The names of persons in a text that the tagger did not label: full names, and family names that one person bears.

Which person a family name alone may name is judged by the honorifics and titles before it, the order of the text, and the corpus.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from wdw_build.records import Mention
from wdw_build.text.lexicon import STOP_WORDS, word_list
from wdw_build.text.names.beside import is_personal_title, words_of
from wdw_build.text.names.compare import compare
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import (
    ALSO_WORDS,
    GIVEN_NAMES,
    NEVER_ALONE,
    SUFFIXES,
    Words,
    fold,
    is_title,
    parse,
)
from wdw_build.text.names.spellings import are_one_given_name

_SIDE = 60
_GENERATION = re.compile(r",? (?:[JS]r\b\.?|I[IV]I?\b)")
_NO_NAME_BEFORE = frozenset("@#/_")
_CLAUSE_END = re.compile(r"(?:[.!?:;,…\"”’)\]—–]|['’]s|s['’])$")
_WORD_AFTER = re.compile(r" ([^\W_][\w'’-]*)")
# Capitalised words that may follow a name within a sentence.
_MAY_FOLLOW = STOP_WORDS | SUFFIXES | NEVER_ALONE
# A capitalised word, and initials, directly before a family name.
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w-]+)(?: (?:[^\W\d_a-z]\.)+)? \Z")
_HONORIFIC = re.compile(r"\b(?:(?P<female>Mrs|Ms|Miss|Lady|Dame)|Mr|Sir|Lord)\b\.? ")
_LONGEST_HONORIFIC = len("Miss. ")
_SEXES = {given: sex for sex in ("feminine", "masculine") for given in word_list(f"{sex}_names") - ALSO_WORDS}


def with_unmarked(
    mentions: Sequence[Mention], refused: Iterable[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE
) -> list[Mention]:
    """The mentions of persons with those that the tagger did not label, in order.

    ``refused`` are the mentions that are not persons: no name is found within them.
    """
    finder = _Finder(mentions, refused, text, evidence)
    finder.add_full_names()
    finder.add_given_names()
    finder.add_family_names()
    return finder.result()


class _Finder:
    """Finds names in the part of a text that no mention covers."""

    def __init__(
        self, mentions: Sequence[Mention], refused: Iterable[Mention], text: str, evidence: NameEvidence
    ) -> None:
        self._text, self._words, self._evidence = text, words_of(text), evidence
        self._mentions = {mention.start: mention for mention in mentions}
        self._taken = bytearray(len(text))
        for mention in (*mentions, *refused):
            self._take(mention.start, mention.end)
        self._alone = {fold(mention.text) for mention in mentions}

    def result(self) -> list[Mention]:
        """All mentions in order."""
        return [self._mentions[start] for start in sorted(self._mentions)]

    def _take(self, start: int, end: int) -> None:
        self._taken[start:end] = b"\1" * (end - start)

    def _add(self, start: int, end: int) -> None:
        self._mentions[start] = Mention(start=start, end=end, text=self._text[start:end])
        self._take(start, end)

    def _is_free(self, start: int, end: int) -> bool:
        return not any(self._taken[start:end])

    def _full_names(self) -> dict[str, None]:
        names = (parse(mention.text).bare for mention in self.result())
        return dict.fromkeys(name for name in names if len(parse(name).with_initials) > 1 and name[:1].isupper())

    def add_full_names(self) -> None:
        """Add the occurrences of full names, the longest first, and of the father's or son's with another generation."""
        names = self._full_names()
        for name in sorted(
            {*names, *chain.from_iterable(map(self._with_generations, names))}, key=lambda name: (-len(name), name)
        ):
            for start in self._words.find(name):
                end = start + len(name)
                if self._is_free(start, end) and self._text[start - 1 : start] not in _NO_NAME_BEFORE:
                    self._add(start, end)

    def _with_generations(self, name: str) -> list[str]:
        """The names in the text that are a name with its generation, or with another one; empty for a name without."""
        if not parse(name).generation:
            return []
        return re.findall(re.escape(_GENERATION.sub("", name)) + _GENERATION.pattern, self._text)

    def _single_names(self) -> dict[str, None]:
        """The names of one word whose word ends no full name."""
        known = {parse(name).last for name in self._full_names()}
        names = (parse(mention.text).bare for mention in self.result())
        return dict.fromkeys(
            name for name in names if " " not in name and name not in known and len(parse(name).core) == 1
        )

    def add_given_names(self) -> None:
        """Add the full name of a person whom all mentions name by one word, if the text has a given name before it once."""
        for name in self._single_names():
            for start in self._words.find(name):
                first = start - len(given_name_before(self._text, start, name, self._evidence))
                if first < start and self._is_free(first, start):
                    self._mentions.pop(start, None)
                    self._add(first, start + len(name))

    def add_family_names(self) -> None:
        """Add the occurrences of each family name that one person bears, except within other names."""
        bearers: defaultdict[str, set[str]] = defaultdict(set)
        for name in (*self._full_names(), *self._single_names()):
            bearers[parse(name).last].add(name)
        for family, names in bearers.items():
            if family[:1].isupper() and _is_one_person(names) and self._is_family(family):
                for start in self._words.find(family):
                    end = start + len(family)
                    if self._is_free(start, end) and self._stands_alone(start, end, names):
                        generation = _GENERATION.match(self._text, end)
                        self._add(start, generation.end() if generation else end)

    def _is_family(self, family: str) -> bool:
        """Whether the word alone is a person: by the article, or else by the corpus."""
        return fold(family) in self._alone or self._evidence.leaning(family) >= 0

    def _stands_alone(self, start: int, end: int, names: Iterable[str]) -> bool:
        """Whether a family name is not a part of a longer name or of a handle."""
        before, next_word = self._text[max(0, start - _SIDE) : start], _word_after(self._text, end)
        if before[-1:] in _NO_NAME_BEFORE or (next_word[:1].isupper() and fold(next_word) not in _MAY_FOLLOW):
            return False
        word = before.split()[-1] if before[-1:].isspace() and before.split() else ""
        if not word[:1].isupper() or _CLAUSE_END.search(word) or "\n" in before[-2:]:
            return True
        return is_title(fold(word)) or fold(word) in STOP_WORDS.union(*(parse(name).words for name in names))


def _word_after(text: str, end: int) -> str:
    """The word after a space at ``end``; empty if another character follows."""
    word = _WORD_AFTER.match(text, end)
    return word[1] if word else ""


def _is_one_person(names: Iterable[str]) -> bool:
    """Whether all full names are of one person, or of father and son, of whom the family name alone names the father."""
    first, *others = sorted(names)
    return all(
        (comparison := compare(name, first)).is_one_person
        or (comparison.is_relative and parse(name).generation != parse(first).generation)
        for name in others
    )


def given_name_before(text: str, start: int, family: str, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """The given name directly before a family name at ``start``, with the space after it; or "".

    A given name must be frequent, or the corpus must have a person of that full name.
    """
    word = _WORD_BEFORE.search(text[max(0, start - _SIDE) : start])
    if word is None or is_title(folded := fold(word[1])):
        return ""
    is_frequent = folded in GIVEN_NAMES and folded not in ALSO_WORDS
    return word[0] if is_frequent or evidence.leaning(f"{word[1]} {family}") > 0 else ""


def full_name(name: str, text: str, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """The full name that a text mostly gives the bearer of a family name; the name itself if it is not a family name alone.

    Empty if the text names two bearers equally often: the family name alone does not show which of them is meant.
    """
    words, family = parse(name).core, parse(name).last
    bearers: defaultdict[Words, list[str]] = defaultdict(list)
    for start in words_of(text).find(family) if len(words) == 1 else ():
        bearer = f"{given_name_before(text, start, family, evidence)}{family}"
        if len(parse(bearer).core) > 1:
            bearers[parse(bearer).core].append(bearer)
    if not bearers:
        return name
    most, *less = sorted(bearers.values(), key=len, reverse=True)
    return "" if less and len(less[0]) == len(most) else max(most, key=len)


def sex_by_honorific(text: str, start: int, end: int) -> str:
    """The sex that an honorific shows, directly before a mention or at its start; empty without one."""
    honorific = _HONORIFIC.search(text, max(0, start - _LONGEST_HONORIFIC), end)
    return "" if honorific is None or honorific.end() < start else "feminine" if honorific["female"] else "masculine"


def sex_of(name: str, text: str) -> str:
    """The sex that an honorific before a full name or else a given name surely shows; empty if neither does."""
    words, start = parse(name).core, text.find(name)
    return "" if len(words) < 2 else sex_by_honorific(text, start, start) or _SEXES.get(words[0], "")


def _occurrences(name: str, text: str, evidence: NameEvidence) -> tuple[dict[int, str], dict[int, str]]:
    """Where a text has the family name of a full name: alone, with the word before it; and in full names, with the given name."""
    words, alone, full = parse(name).core, dict[int, str](), dict[int, str]()
    for start in words_of(text).find(parse(name).last) if len(words) > 1 else ():
        word = "".join(text[max(0, start - _SIDE) : start].split()[-1:]) if text[start - 1 : start].isspace() else ""
        given = fold(given_name_before(text, start, words[-1], evidence).partition(" ")[0])
        if given or fold(word) in words:
            full[start] = given or words[0]
        elif not word[:1].isupper() or is_title(fold(word)):
            alone[start] = word
    return alone, full


def is_of_another(name: str, text: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether the family name alone is hardly that of the person with this full name, although the text names no other in full.

    Honorifics before it contradict each other or the given name ("Mrs. Ames" and Bill Ames), a man without an office is named after
    his father ("President Ames" before "Bill Ames Jr."), or the corpus has a far more frequent bearer who is named before any full
    name, or with an office ("President Obama" and Michelle Obama).
    """
    words, (alone, full) = parse(name).core, _occurrences(name, text, evidence)
    if _is_of_father(name, text, alone, min(full, default=0)):
        return True
    own, sexes = sex_of(name, text), {start: sex_by_honorific(text, start, start) for start in alone}
    by_honorific = set(sexes.values()) - {""}
    is_only = not set(full.values()).difference(words)
    if is_only and by_honorific - {own} and (own or len(by_honorific) > 1):
        return True
    # The bearer whom the corpus knows best may be meant where no honorific shows this person's sex.
    unsure = [start for start, sex in sexes.items() if not sex or sex != own]
    chief = evidence.chief_bearer(words[0], words[-1]) if unsure and full else ""
    if not chief or any(are_one_given_name(chief, given) for given in full.values()):
        return False
    is_first = unsure[0] < min(*full, *(sexes.keys() - unsure), len(text))
    titled, titled_chief = (evidence.titled.get(f"{given} {words[-1]}", 0) for given in (words[0], chief))
    return is_first or (any(map(_is_office, alone.values())) and titled < titled_chief)


def _is_office(word: str) -> bool:
    """Whether a word is a title of an office, and no honorific."""
    return is_personal_title(word) and not _HONORIFIC.match(f"{word} ")


def _is_of_father(name: str, text: str, alone: Mapping[int, str], first: int) -> bool:
    """Whether the family name has an office before the man of this full name is first named (at ``first``), who has none."""
    if parse(name).generation in {"", "sr"} or not alone or min(alone) > first:
        return False
    title = "".join(text[: max(0, text.find(name))].split()[-1:])
    return _is_office(alone[min(alone)]) and not is_personal_title(title)
