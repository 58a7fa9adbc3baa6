"""Codes and surrogates for all names of persons in one problem, and the tests that no name is left."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wdw_build.records import NameReplacement, Names, Problem, Pseudonyms, RenamedPerson
from wdw_build.text.names.entities import Entity
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.pseudonyms.apply import rewritten
from wdw_build.text.pseudonyms.checks import leaks, other_meaning
from wdw_build.text.pseudonyms.draw import (
    Draw,
    bare_possessive,
    codes,
    draw_surrogates,
    surrogate_initial,
    surrogate_text,
)
from wdw_build.text.pseudonyms.find import Found, Mentions, find_names, is_capitalised, pieces
from wdw_build.text.pseudonyms.genders import NO_GENDERS, CorpusGenders, gender_of
from wdw_build.text.pseudonyms.people import PASSAGE, TITLE, NameWords, Person, name_sequence, name_words_of, persons_of
from wdw_build.text.pseudonyms.pool import FreeNames, NamePool, words_of_text
from wdw_build.text.pseudonyms.relatives import add_relatives

_LOWER_CASE = re.compile(r"(?<![\w@#])[^\W\d_A-Z]+")
_CAPITALISED = re.compile(r"[^\W\d_]+")
_HEADLINE_SHARE = 0.6


class Refused(NamedTuple):
    """Why a problem cannot have pseudonyms: the rejection reason and the evidence."""

    reason: str
    detail: str


@dataclass(frozen=True)
class _Text:
    """A text of a problem with the names of its persons."""

    text: str
    names: Sequence[Found]
    is_headline: bool


def pseudonyms_of(
    problem: Problem,
    entities: Sequence[Entity],
    pool: NamePool,
    free: FreeNames,
    evidence: NameEvidence,
    draw: Draw,
    corpus: CorpusGenders = NO_GENDERS,
) -> Pseudonyms | Refused:
    """The persons of a problem with codes and surrogates, and the replacements in passage, question and title.

    ``entities`` are the persons that the model tagged in the passage; ``free`` are the surrogates that the corpus leaves;
    ``corpus`` is what the corpus tells about the gender of persons.
    """
    persons = persons_of(problem, entities)
    places = [(text.text, text.names) for text in _texts(problem, persons, name_words_of(persons))]
    add_relatives(persons, places, pool, evidence, problem.question.name)
    words = name_words_of(persons)
    texts = _texts(problem, persons, words)
    if missed := _missed(texts, persons):
        return Refused("name-left", missed)
    if ambiguous := _ambiguous(texts, persons, evidence):
        return Refused("ambiguous-name", ambiguous)
    genders = [_gender(person, texts, pool, corpus) for person in persons]
    taken = set[str]().union(*(words_of_text(text.text) for text in texts))
    surrogates = draw_surrogates(persons, genders, words, free, taken, draw)
    if surrogates is None:
        return Refused("no-surrogate", f"{len(words.drawn)} words to replace")
    writer = _Writer(persons, codes(len(persons), draw), surrogates, draw)
    names = writer.names()
    if shared := [name for name, count in Counter(names).items() if count > 1]:
        sharing = (person.name for person, name in zip(persons, names, strict=True) if name == shared[0])
        return Refused("no-surrogate", f"one surrogate for {' and '.join(sharing)}")
    replaced = [[writer.replacement(text.text, name) for name in text.names] for text in texts]
    for text, replacements in zip(texts, replaced, strict=True):
        if left := _left(text.text, replacements, words):
            return Refused("name-left", left)
    passage, question, title = (tuple(replacements) for replacements in replaced)
    return Pseudonyms(
        id=problem.id,
        persons=tuple(writer.person(number, names[number], gender) for number, gender in enumerate(genders)),
        passage=passage,
        question=question,
        title=title,
        leaks=leaks([text.text for text in texts], replaced, persons, words),
    )


def _texts(problem: Problem, persons: Sequence[Person], words: NameWords) -> list[_Text]:
    """The passage's text, the question's sentence and the passage's title."""

    def most_mentioned(owners: Sequence[int]) -> list[int]:
        return sorted(owners, key=lambda number: -len(persons[number].mentions[PASSAGE]))

    texts = []
    for place, text in enumerate((problem.passage.text, problem.question.sentence, problem.passage.title)):
        spans = [(span, number) for number, person in enumerate(persons) for span in person.mentions[place]]
        names = list(find_names(text, words, Mentions.of(spans), most_mentioned))
        texts.append(_Text(text, names, place == TITLE and _is_headline(text)))
    return texts


def _is_headline(title: str) -> bool:
    """Whether most words of a title start with a capital."""
    words = _CAPITALISED.findall(title)
    return bool(sum(word[0].isupper() for word in words) > _HEADLINE_SHARE * len(words))


def _missed(texts: Sequence[_Text], persons: Sequence[Person]) -> str:
    """A tagged mention that cannot be replaced, or an empty string.

    No word of it is replaced (an address), or it is a choice in the name of another person ("Lyons" in "Allied-Lyons").
    """
    for number, person in enumerate(persons):
        for text, spans in zip(texts, person.mentions, strict=True):
            for span in spans:
                owners = {name.person for name in text.names if name.start < span.end and span.start < name.end}
                if not owners or (person.choice is not None and number not in owners):
                    return text.text[span.start : span.end]
    return ""


def _ambiguous(texts: Sequence[_Text], persons: Sequence[Person], evidence: NameEvidence) -> str:
    """A word outside of the tagged mentions that may be no name, with its context and other meaning; empty if there is none."""
    lower_case = {word for text in texts for word in _LOWER_CASE.findall(text.text)}
    sole = {person.words[0] for person in persons if len(person.words) == 1}
    for text in texts:
        for name in text.names:
            meaning = other_meaning(text.text, name, evidence, lower_case, sole, text.is_headline)
            if meaning and name.kind != "mention":
                return f"{_around(text.text, name)}: {meaning}"
    return ""


def _around(text: str, name: Found) -> str:
    return text[max(0, name.start - 30) : name.end + 30].replace("\n", " ")


def _gender(person: Person, texts: Sequence[_Text], pool: NamePool, corpus: CorpusGenders) -> str:
    names = [words for words in map(name_sequence, person.names) if words]
    spans = zip(texts, person.mentions, strict=True)
    by_text = [(text.text, own, [name.start for name in text.names]) for text, own in spans]
    return gender_of(by_text, names, pool.female, pool.male, corpus)


@dataclass(frozen=True)
class _Writer:
    """Writes the replacements of a problem."""

    persons: Sequence[Person]
    codes: Sequence[str]
    surrogates: Mapping[str, str]
    draw: Draw

    def replacement(self, text: str, name: Found) -> NameReplacement:
        """The replacement for a name that was found in a text."""

        def initial(letter: str) -> str:
            return surrogate_initial(self.surrogates, name.person, self.persons[name.person], letter, self.draw)

        surrogate = surrogate_text(text, name, self.surrogates, initial)
        # The code replaces the whole name; a derived word keeps its suffix.
        code, end = self.codes[name.person] + name.pieces[-1].suffix, name.end
        if bare_possessive(text, end):
            end += 1
            apostrophe = text[name.end]
            code += f"{apostrophe}s"
            surrogate += apostrophe if surrogate.lower().endswith("s") else f"{apostrophe}s"
        return NameReplacement(
            start=name.start, end=end, person=name.person, kind=name.kind, code=code, surrogate=surrogate
        )

    def names(self) -> list[str]:
        """The surrogate of each person's fullest name: its identifying words alone, unless another person has the same ones.

        Such surrogates have the initials and the suffix, too, as the texts have them ("George W. Bush", "Donald Trump Jr.").
        """
        plain = [" ".join(self.surrogates[word] for word in name_sequence(person.name)) for person in self.persons]
        counts = Counter(plain)
        return [self._in_full(number) if counts[name] > 1 else name for number, name in enumerate(plain)]

    def _in_full(self, number: int) -> str:
        name = self.persons[number].name
        parts = tuple(pieces(name, self.surrogates, ()))
        found = Found(0, parts[-1].end, number, parts, "mention")
        return self.replacement(name, found).surrogate + name[parts[-1].end :]

    def person(self, number: int, surrogate: str, gender: str) -> RenamedPerson:
        """The person with the surrogate of its fullest name."""
        person = self.persons[number]
        return RenamedPerson(
            name=person.name, choice=person.choice, code=self.codes[number], surrogate=surrogate, gender=gender
        )


def _left(text: str, replacements: Sequence[NameReplacement], words: NameWords) -> str:
    """A capitalised word of a replaced name that is left in the text with surrogates or codes; empty if there is none."""
    forms: tuple[Names, ...] = ("surrogate", "codes")
    for renamed in (rewritten(text, replacements, names).text for names in forms):
        for piece in pieces(renamed, words.stands_for, words.families):
            if is_capitalised(renamed, piece) or piece.is_web:
                return renamed[max(0, piece.start - 30) : piece.end + 30].replace("\n", " ")
    return ""
