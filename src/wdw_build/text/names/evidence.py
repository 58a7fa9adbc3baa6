"""Corpus-wide evidence on names: counts over the tagged first sentences of all articles.

The tagger reads one sentence at a time and errs on rare names. The counts say how a name is mostly tagged ("Bretton Woods"
as a place), and whether a word starts the names of several persons ("Anthony Lake", "Anthony Quinn": "Anthony" is a given
name) or of organisations ("Judicial Yuan", "Judicial Watch").
"""

from __future__ import annotations

import functools
import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from wdw_build.records import PERSON, TaggedName
from wdw_build.text.lexicon import STOP_WORDS
from wdw_build.text.names.name import BEFORE_A_NAME, GIVEN_NAMES, PARTICLES, fold, is_identifying, parse
from wdw_build.text.names.spellings import are_one_given_name

# A word that starts the names of at least this many persons with different family names is a given name.
FAMILIES = 2
# A name that is tagged as a person so often is a frequent one.
ALONE = 5
TABLES = ("person", "other", "titled", "before")
# A word that stands before the full names of at least this many persons with different given names is not of the name.
BEARERS = 3


class Counts(NamedTuple):
    """How often a name is tagged as a person, as something else, and as a person with a title."""

    person: int
    other: int
    titled: int


class NameCounter:
    """Counts names over the first sentences of a corpus."""

    def __init__(self) -> None:
        self.tables: dict[str, Counter[str]] = {table: Counter() for table in TABLES}
        """The counts of each table of ``NameEvidence``."""

    def add(self, words: Sequence[str], names: Sequence[TaggedName]) -> None:
        """Count one article's first sentence: its tokens, and the tagged names of all kinds."""
        for name in names:
            key = parse(" ".join(words[name.start : name.end])).counted
            if not key:
                continue
            table = "person" if name.kind == PERSON else "other"
            self.tables[table][" ".join(key)] += 1
            if name.kind == PERSON and _titled(words, name):
                self.tables["titled"][" ".join(key)] += 1
            if name.kind == PERSON and len(key) > 1 and (before := _capitalised_word_before(words, name)):
                self.tables["before"][f"{before} {key[0]}"] += 1


def most_frequent(counts: Iterable[tuple[str, int]], most: int) -> dict[str, int]:
    """The ``most`` names with the highest counts; of equally frequent ones, the first in alphabetical order."""
    return dict(heapq.nsmallest(most, counts, key=lambda pair: (-pair[1], pair[0])))


def _titled(words: Sequence[str], name: TaggedName) -> bool:
    """Whether a title stands directly before the name or opens it."""
    before = fold(words[name.start - 1]) if name.start else ""
    return before in BEFORE_A_NAME or (name.end - name.start > 1 and fold(words[name.start]) in BEFORE_A_NAME)


def _capitalised_word_before(words: Sequence[str], name: TaggedName) -> str:
    """The folded word directly before a name if it has a capital and is neither a function word nor in the lists of titles."""
    word = words[name.start - 1] if name.start else ""
    folded = fold(word)
    is_other = not word[:1].isupper() or not is_identifying(folded) or folded in STOP_WORDS or folded in BEFORE_A_NAME
    return "" if is_other or not folded.isalpha() else folded


@dataclass
class NameEvidence:
    """How the names of a corpus are tagged. Keys of the tables are the words of ``Name.counted``, joined by spaces.

    ``person`` and ``other`` count how often a name is tagged as a person and as anything else; ``titled`` counts how often
    it is tagged as a person with a title. ``before`` counts a capitalised word directly before full names, by the word and the
    given name.
    """

    person: Mapping[str, int] = field(default_factory=dict)
    other: Mapping[str, int] = field(default_factory=dict)
    titled: Mapping[str, int] = field(default_factory=dict)
    before: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        others = [key.split() for key in self.other if " " in key]
        self._families, self._givens = _partners(self.person)
        self._opens_other = Counter(first for first, _ in {(words[0], words[1]) for words in others})
        self._ends_other = Counter(last for _, last in {(words[-2], words[-1]) for words in others})
        self._titles = _words_before_persons(self.before, self.person, self._families)

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[str]]) -> NameEvidence:
        """The evidence in rows of (table, name, count), as ``rows`` yields them. Raises ``ValueError`` for any other row."""
        tables: dict[str, dict[str, int]] = {table: {} for table in TABLES}
        for row in rows:
            table, key, count = row
            if table not in tables:
                raise ValueError(f"no table of names: {table!r}")
            tables[table][key] = int(count)
        return cls(**tables)

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield (table, name, count) as text, sorted by table and name."""
        for table in TABLES:
            for key, count in sorted(getattr(self, table).items()):
                yield table, key, str(count)

    def counts(self, name: str) -> Counts:
        """How often a name is tagged."""
        key = " ".join(parse(name).counted)
        return Counts(*(getattr(self, table).get(key, 0) for table in Counts._fields))

    def families(self, word: str) -> int:
        """The number of different last words of the persons whose names begin with this folded word."""
        return len(self._families.get(word, ()))

    def givens(self, word: str) -> int:
        """The number of different first words of the persons whose names end with this folded word."""
        return len(self._givens.get(word, ()))

    def opens_other(self, word: str) -> int:
        """The number of different second words of the names of other kinds that begin with this folded word."""
        return self._opens_other[word]

    def ends_other(self, word: str) -> int:
        """The number of different words before this folded word at the end of names of other kinds."""
        return self._ends_other[word]

    def leaning(self, name: str) -> int:
        """The number of times a name is tagged as a person, minus the number of times it is tagged as anything else."""
        counts = self.counts(name)
        return counts.person - counts.other

    def is_given(self, word: str) -> bool:
        """Whether the word starts the names of several persons, and at most as many names of other kinds."""
        folded = fold(word)
        return self.families(folded) >= max(FAMILIES, self.opens_other(folded))

    def is_title(self, word: str) -> bool:
        """Whether the word stands before the full names of persons with different given names ("Taoiseach", "Briton")."""
        return fold(word) in self._titles

    def chief_bearer(self, given: str, family: str) -> str:
        """The given name of another person with the family name who is far more frequent, or an empty string."""
        numbers = {other: self.person.get(f"{other} {family}", 0) for other in sorted(self._givens.get(family, ()))}
        chief = max(numbers, key=numbers.__getitem__, default=given)
        is_far = numbers.get(chief, 0) >= max(ALONE, 2 * numbers.get(given, 0) + 1)
        return chief if is_far and not are_one_given_name(chief, given) else ""


def _words_before_persons(
    before: Iterable[str], persons: Mapping[str, int], families: Mapping[str, Set[str]]
) -> frozenset[str]:
    """The words before the full names of several persons with different given names, in the tagged name or outside of it.

    A given name stands before a family name in more names than before a full name.
    """
    names_after: defaultdict[str, set[str]] = defaultdict(set)
    for key in before:
        word, _, name = key.partition(" ")
        names_after[word].add(name)
    for key in persons:
        word, _, rest = key.partition(" ")
        if " " in rest and rest in persons and word not in PARTICLES and len(word) > 1:
            names_after[word].add(rest.partition(" ")[0])
    return frozenset(
        word
        for word, names in names_after.items()
        if len(names) >= BEARERS and len(names) > len(families.get(word, ())) and word not in GIVEN_NAMES
    )


def _partners(persons: Iterable[str]) -> tuple[Mapping[str, Set[str]], Mapping[str, Set[str]]]:
    """For each first word the distinct last words of its names, and for each last word the distinct first words."""
    families: defaultdict[str, set[str]] = defaultdict(set)
    givens: defaultdict[str, set[str]] = defaultdict(set)
    for key in persons:
        words = key.split()
        if len(words) > 1 and words[0] not in PARTICLES and len(words[0]) > 1:
            families[words[0]].add(words[-1])
            givens[words[-1]].add(words[0])
    return families, givens


# Without evidence the rules decide by the article alone.
NO_EVIDENCE = NameEvidence()


# ---- the evidence as a file ------------------------------------------------------------------------------------------

FILE = "name_counts.tsv"


def write_names(folder: Path, evidence: NameEvidence) -> None:
    """Write the evidence into ``folder``: a line for each row, with tabs between the fields, which contain none."""
    with (folder / FILE).open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines("\t".join(row) + "\n" for row in evidence.rows())


@functools.lru_cache(maxsize=2)
def read_names(folder: Path) -> NameEvidence:
    """Read the evidence of ``folder``; each process reads it once."""
    with (folder / FILE).open(encoding="utf-8", newline="\n") as stream:
        return NameEvidence.from_rows(tuple(line.rstrip("\n").split("\t")) for line in stream)
