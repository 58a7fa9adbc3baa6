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
    code_text,
    codes,
    draw_surrogates,
    surrogate_initial,
    surrogate_text,
)
from wdw_build.text.pseudonyms.find import Found, Mentions, find_names, is_capitalised, pieces
from wdw_build.text.pseudonyms.genders import NO_GENDERS, CorpusGenders, gender_of
from wdw_build.text.pseudonyms.people import NameWords, Person, name_sequence, name_words_of, persons_of
from wdw_build.text.pseudonyms.pool import FreeNames, NamePool, words_of_text
from wdw_build.text.pseudonyms.relatives import TITLE, add_relatives, given_name_before

_LOWER_CASE = re.compile(r"(?<![\w@#])[^\W\d_A-Z]+")
_CAPITALISED = re.compile(r"[^\W\d_]+")
_HEADLINE_SHARE = 0.6


class Refused(NamedTuple):
    """Why a problem cannot have pseudonyms: the rejection reason and the evidence."""

    reason: str
    detail: str


@dataclass(frozen=True)
class _Text:
    """A text of a problem with its tagged mentions."""

    text: str
    mentions: Mentions
    is_headline: bool = False


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
    persons = _all_persons(problem, entities, pool, evidence)
    words = name_words_of(persons)
    texts = _texts(problem, persons)
    found = [_names_in(text, words, persons) for text in texts]
    if missed := _missed(problem, found, persons):
        return Refused("name-left", missed)
    if ambiguous := _ambiguous(texts, found, persons, evidence):
        return Refused("ambiguous-name", ambiguous)
    genders = [_gender(person, texts, found, pool, corpus) for person in persons]
    taken = set[str]().union(*(words_of_text(text.text) for text in texts))
    surrogates = draw_surrogates(persons, genders, words, free, taken, draw)
    if surrogates is None:
        return Refused("no-surrogate", f"{len(words.drawn)} words to replace")
    writer = _Writer(persons, codes(len(persons), draw), surrogates, draw)
    names = writer.names()
    if shared := [name for name, count in Counter(names).items() if count > 1]:
        sharing = (person.name for person, name in zip(persons, names, strict=True) if name == shared[0])
        return Refused("no-surrogate", f"one surrogate for {' and '.join(sharing)}")
    replaced = [writer.replacements(text.text, names) for text, names in zip(texts, found, strict=True)]
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


def _all_persons(problem: Problem, entities: Sequence[Entity], pool: NamePool, evidence: NameEvidence) -> list[Person]:
    """The persons of a problem, and their relatives, whom a given name before a surname shows."""
    persons = persons_of(problem, entities)
    words, texts = name_words_of(persons), _texts(problem, persons)
    found = [_names_in(text, words, persons) for text in texts]

    def given_name(text: str, name: Found, place: int) -> str:
        return given_name_before(text, name, place == TITLE, pool, evidence)

    places = [(text.text, names) for text, names in zip(texts, found, strict=True)]
    add_relatives(persons, places, given_name, problem.question.name)
    return persons


def _texts(problem: Problem, persons: Sequence[Person]) -> tuple[_Text, _Text, _Text]:
    """The passage's text, the question's sentence and the passage's title."""
    passage = Mentions.of([(span, number) for number, person in enumerate(persons) for span in person.in_passage])
    question = Mentions.of([(span, number) for number, person in enumerate(persons) for span in person.in_question])
    title = problem.passage.title
    return (
        _Text(problem.passage.text, passage),
        _Text(problem.question.sentence, question),
        _Text(title, Mentions([]), _is_headline(title)),
    )


def _is_headline(title: str) -> bool:
    """Whether most words of a title start with a capital."""
    words = _CAPITALISED.findall(title)
    return bool(sum(word[0].isupper() for word in words) > _HEADLINE_SHARE * len(words))


def _names_in(text: _Text, words: NameWords, persons: Sequence[Person]) -> list[Found]:
    def most_mentioned(owners: Sequence[int]) -> list[int]:
        return sorted(owners, key=lambda number: -len(persons[number].in_passage))

    return list(find_names(text.text, words, text.mentions, most_mentioned))


def _missed(problem: Problem, found: Sequence[Sequence[Found]], persons: Sequence[Person]) -> str:
    """A tagged mention that cannot be replaced, or an empty string.

    No word of it is replaced (an address), or it is a choice in the name of another person ("Lyons" in "Allied-Lyons").
    """
    for number, person in enumerate(persons):
        for text, spans, names in (
            (problem.passage.text, person.in_passage, found[0]),
            (problem.question.sentence, person.in_question, found[1]),
        ):
            for span in spans:
                owners = {name.person for name in names if name.start < span.end and span.start < name.end}
                if not owners or (person.choice is not None and number not in owners):
                    return text[span.start : span.end]
    return ""


def _ambiguous(
    texts: Sequence[_Text], found: Sequence[Sequence[Found]], persons: Sequence[Person], evidence: NameEvidence
) -> str:
    """A word outside of the tagged mentions that may be no name, with its context and other meaning; empty if there is none."""
    lower_case = {word for text in texts for word in _LOWER_CASE.findall(text.text)}
    sole = {person.words[0] for person in persons if len(person.words) == 1}
    for text, names in zip(texts, found, strict=True):
        for name in names:
            meaning = other_meaning(text.text, name, evidence, lower_case, sole, text.is_headline)
            if meaning and name.kind != "mention":
                return f"{_around(text.text, name)}: {meaning}"
    return ""


def _around(text: str, name: Found) -> str:
    return text[max(0, name.start - 30) : name.end + 30].replace("\n", " ")


def _gender(
    person: Person,
    texts: Sequence[_Text],
    found: Sequence[Sequence[Found]],
    pool: NamePool,
    corpus: CorpusGenders,
) -> str:
    names = [words for words in map(name_sequence, person.names) if words]
    starts = [[name.start for name in names_of_text] for names_of_text in found]
    mentions = (person.in_passage, person.in_question)
    by_text = [(text.text, own, all_starts) for text, own, all_starts in zip(texts, mentions, starts, strict=False)]
    return gender_of(by_text, names, pool.female, pool.male, corpus)


@dataclass(frozen=True)
class _Writer:
    """Writes the replacements of a problem."""

    persons: Sequence[Person]
    codes: Sequence[str]
    surrogates: Mapping[str, str]
    draw: Draw

    def replacements(self, text: str, names: Sequence[Found]) -> list[NameReplacement]:
        """The replacements for the names that were found in a text."""
        return [self._replacement(text, name) for name in names]

    def _replacement(self, text: str, name: Found) -> NameReplacement:
        def initial(letter: str) -> str:
            return surrogate_initial(self.surrogates, name.person, self.persons[name.person], letter, self.draw)

        surrogate = surrogate_text(text, name, self.surrogates, initial)
        code, end = code_text(name, self.codes[name.person]), name.end
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
        return self._replacement(name, found).surrogate + name[parts[-1].end :]

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
