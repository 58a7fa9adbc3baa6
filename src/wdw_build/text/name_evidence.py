"""Evidence from the whole corpus on what its names are: counts over the tagged first sentences of all articles.

The tagger reads one sentence at a time and errs on rare names. Counts over the corpus say how a name is tagged in general
("Bretton Woods" mostly as a place), whether a word opens the names of several persons ("Anthony Lake", "Anthony Quinn":
"Anthony" is a given name), and whether it is written in lower case as well ("watch", "steel").
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Tagged
from wdw_build.text.consistency import PERSON
from wdw_build.text.names import BEFORE_A_NAME, PARTICLES, SUFFIXES, fold

# Names, and words in lower case, that are kept. Below the limit the counts do not depend on the order of the articles.
MOST_NAMES = 200_000
# A word that opens the names of so many persons with different family names is a given name.
FAMILIES = 2
_APART = re.compile(r"[\s\-–‐]+")
_TABLES = ("person", "other", "titled", "lower")

Key = tuple[str, ...]


def name_key(name: str) -> Key:
    """The folded words of a name, parts joined by a hyphen taken apart, without titles before it and suffixes after it."""
    parts = [folded for part in _APART.split(name) if (folded := fold(part)) and folded != "s"]
    while len(parts) > 1 and parts[0] in BEFORE_A_NAME:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in SUFFIXES:
        parts = parts[:-1]
    return tuple(parts)


class _Bounded:
    """A counter that keeps the most frequent keys; ties are decided by the key."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.counts: Counter[str] = Counter()

    def add(self, key: str) -> None:
        self.counts[key] += 1
        if len(self.counts) > 2 * self._most:
            self.cut()

    def cut(self) -> None:
        if len(self.counts) > self._most:
            kept = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
            self.counts = Counter(dict(kept[: self._most]))


class NameCounter:
    """Counts names over the first sentences of a corpus."""

    def __init__(self, most: int = MOST_NAMES) -> None:
        self._tables = {table: _Bounded(most) for table in _TABLES}

    def add(self, words: Sequence[str], names: Sequence[Tagged]) -> None:
        """Count one article's first sentence: its tokens, and the tagged names of all kinds."""
        for name in names:
            key = name_key(" ".join(words[name.start : name.end]))
            if not key:
                continue
            self._tables["person" if name.kind == PERSON else "other"].add(" ".join(key))
            if name.kind == PERSON and _titled(words, name):
                self._tables["titled"].add(" ".join(key))
        for word in {word for word in words if word.islower() and word.isalpha()}:
            self._tables["lower"].add(word)

    def result(self) -> NameEvidence:
        """Return the evidence. Of the words in lower case only those that stand in a name are kept."""
        for table in self._tables.values():
            table.cut()
        tables = {name: dict(table.counts) for name, table in self._tables.items()}
        in_names = {word for name in ("person", "other") for key in tables[name] for word in key.split()}
        tables["lower"] = {word: count for word, count in tables["lower"].items() if word in in_names}
        return NameEvidence(**tables)


def _titled(words: Sequence[str], name: Tagged) -> bool:
    """Whether a title stands directly before the name or opens it."""
    before = fold(words[name.start - 1]) if name.start else ""
    return before in BEFORE_A_NAME or (name.end - name.start > 1 and fold(words[name.start]) in BEFORE_A_NAME)


@dataclass(frozen=True)
class NameEvidence:
    """What the corpus says of its names. Keys of the tables are the words of ``name_key``, joined by spaces.

    ``person`` and ``other``: how often a name is tagged as a person, as anything else; ``titled``: how often it is tagged as
    a person with a title before it; ``lower``: in how many first sentences a word stands in lower case.
    """

    person: Mapping[str, int] = field(default_factory=dict)
    other: Mapping[str, int] = field(default_factory=dict)
    titled: Mapping[str, int] = field(default_factory=dict)
    lower: Mapping[str, int] = field(default_factory=dict)
    _families: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)
    _givens: Mapping[str, frozenset[str]] = field(init=False, repr=False, compare=False)
    _opens_other: Mapping[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        families, givens = _partners(self.person)
        object.__setattr__(self, "_families", families)
        object.__setattr__(self, "_givens", givens)
        opens: Counter[str] = Counter(key.split()[0] for key in self.other if " " in key)
        object.__setattr__(self, "_opens_other", dict(opens))

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[str]]) -> NameEvidence:
        """The evidence that ``rows`` wrote. Raise ValueError for a row that is no (table, name, count)."""
        tables: dict[str, dict[str, int]] = {table: {} for table in _TABLES}
        for row in rows:
            table, key, count = row
            if table not in tables:
                raise ValueError(f"no table of names: {table!r}")
            tables[table][key] = int(count)
        return cls(**tables)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield (table, name, count) as text, sorted by table and name."""
        for table in _TABLES:
            for key, count in sorted(getattr(self, table).items()):
                yield table, key, str(count)

    def leaning(self, name: str) -> int:
        """How much more often a name is tagged as a person than as anything else; negative if less often."""
        key = " ".join(name_key(name))
        return self.person.get(key, 0) - self.other.get(key, 0)

    def is_given(self, word: str) -> bool:
        """Whether the word opens the names of several persons, and no more names of other kinds than of persons."""
        folded = fold(word)
        families = len(self._families.get(folded, ()))
        return families >= FAMILIES and families >= self._opens_other.get(folded, 0)

    def is_family(self, word: str) -> bool:
        """Whether the word ends the names of several persons."""
        return len(self._givens.get(fold(word), ())) >= FAMILIES

    def follows_title(self, name: str) -> bool:
        """Whether the name is tagged as a person after a title anywhere."""
        return " ".join(name_key(name)) in self.titled

    def is_common(self, word: str) -> bool:
        """Whether the word stands in lower case in more first sentences than it stands in names as a person's."""
        folded = fold(word)
        return self.lower.get(folded, 0) > len(self._givens.get(folded, ())) + len(self._families.get(folded, ()))


def _partners(persons: Iterable[str]) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The distinct last words of the names that each word opens, and the distinct first words of those that it ends."""
    families: defaultdict[str, set[str]] = defaultdict(set)
    givens: defaultdict[str, set[str]] = defaultdict(set)
    for key in persons:
        words = key.split()
        if len(words) > 1 and words[0] not in PARTICLES and len(words[0]) > 1:
            families[words[0]].add(words[-1])
            givens[words[-1]].add(words[0])
    return (
        {word: frozenset(partners) for word, partners in families.items()},
        {word: frozenset(partners) for word, partners in givens.items()},
    )


# Without evidence the rules decide by the article alone.
NO_EVIDENCE = NameEvidence()
