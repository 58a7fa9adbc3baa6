"""The persons of a problem, each once: the choices and the other persons of passage and question; and the words of their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wdw_build.records import Annotation, Choice, Mention, Problem, Span
from wdw_build.text.names.compare import compare
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.name import fold, parse
from wdw_build.text.names.persons import Entity, persons_of_text
from wdw_build.text.settings import ChoicesConfig

# The texts of a problem in which names are replaced.
PASSAGE, QUESTION, TITLE = range(3)
# Given names that the list of particles also holds ("Al Gore", "Ben Carson").
_GIVEN_PARTICLES = frozenset({"al", "ben", "mac"})
_LEAST_OF_A_PART = 4
# Words that tell nothing about an origin, or join two names, stay where they are.
_KEPT_PARTICLES = frozenset({"and", "the", "of", "saint", "st", "as", "y", "e", "i", "o"})


@dataclass
class Person:
    """A person of a problem: ``names`` are all written forms without titles, the fullest form first.

    ``choice`` is the index of the choice that is this person. ``mentions`` are the tagged spans in each text: ``PASSAGE``,
    ``QUESTION`` and ``TITLE``, which is not tagged.
    """

    names: list[str]
    choice: int | None = None
    mentions: tuple[list[Span], list[Span], list[Span]] = field(default_factory=lambda: ([], [], []))

    @property
    def name(self) -> str:
        """The fullest form of the name."""
        return self.names[0]

    def is_also(self, name: str) -> bool:
        """Whether a name is a form or another spelling of this person's name, and not the name of a namesake or relative.

        A word that is written twice ("Quillby Quillby") is no full name.
        """
        fullest = max(self.names, key=lambda own: len(parse(own).words))
        is_another = compare(name, fullest).are_two and len(set(parse(name).with_initials)) > 1
        return not is_another and any(compare(name, own).is_one_person for own in self.names)

    def add_name(self, mention: str) -> None:
        """Add the form of a mention."""
        name = parse(mention).bare
        if name not in self.names and parse(name).core:
            self.names.append(name)

    @property
    def words(self) -> tuple[str, ...]:
        """The folded words that identify the person, each once, in the order of the forms."""
        return tuple(dict.fromkeys(word for name in self.names for word in name_sequence(name)))


def name_sequence(name: str) -> tuple[str, ...]:
    """The identifying words of a name that have a letter, after a given name that is written like a particle ("Al Gore")."""
    first, _, rest = name.partition(" ")
    words = tuple(word for word in parse(name).core if any(character.isalpha() for character in word))
    return (fold(first), *words) if rest and first[:1].isupper() and fold(first) in _GIVEN_PARTICLES else words


def tagged_persons(annotation: Annotation, text: str, evidence: NameEvidence) -> list[Entity]:
    """The persons that the model tagged in a passage, misspelt names included."""
    return persons_of_text(text, annotation.persons, ChoicesConfig(), evidence)


def persons_of(problem: Problem, entities: Sequence[Entity]) -> list[Person]:
    """All persons of a problem: the choices in their order, then the others in the order of passage and question.

    ``entities`` are the persons that the model tagged in the passage, grouped as the stage ``choices`` groups them.
    """
    text, question = problem.passage.text, problem.question
    persons = [_person(choice, text, number) for number, choice in enumerate(problem.choices)]
    persons += [_person(choice, text) for choice in problem.persons if choice not in problem.choices]
    for entity in entities:
        _add_entity(persons, entity, text)
    answer = persons[problem.answer]
    answer.mentions[QUESTION].append(question.name)
    answer.add_name(question.name.text)
    for other in question.others:
        person = _bearer(persons, other)
        person.mentions[QUESTION].append(other)
        person.add_name(other.text)
    return persons


def _person(choice: Choice, text: str, number: int | None = None) -> Person:
    person = Person([parse(choice.name).bare], number, (list(choice.mentions), [], []))
    for mention in choice.mentions:
        person.add_name(text[mention.start : mention.end])
    return person


def _add_entity(persons: list[Person], entity: Entity, text: str) -> None:
    """Add an entity's mentions to the person whose mentions they are or whose name is alike, or else a new person."""
    known = [(span, person) for person in persons for span in person.mentions[PASSAGE]]
    free = [mention for mention in entity.mentions if not any(mention.overlaps(span) for span, _ in known)]
    if not free:
        return
    shared = [person for span, person in known if any(mention.overlaps(span) for mention in entity.mentions)]
    person = next((candidate for candidate in (*shared, *persons) if candidate.is_also(entity.name)), None)
    if person is None:
        person = Person([parse(entity.name).bare])
        persons.append(person)
    for mention in free:
        person.mentions[PASSAGE].append(mention)
        person.add_name(text[mention.start : mention.end])
    person.mentions[PASSAGE].sort(key=lambda span: span.start)


def _bearer(persons: list[Person], mention: Mention) -> Person:
    """The person whom the mention of a question names; a new person if there is none."""
    name = parse(mention.text).bare
    bearers = [person for person in persons if person.is_also(name)]
    exact = [person for person in bearers if name in person.names]
    if not bearers:
        bearers = [Person([name])]
        persons += bearers
    return (exact or bearers)[0]


@dataclass(frozen=True)
class NameWords:
    """The identifying words of the persons of a problem, folded, and the parts of hyphenated ones.

    ``bearers`` are the indices of the persons whose names have the word. ``families`` are the words that end a full name,
    or that are the only word of a person's name.
    """

    bearers: dict[str, tuple[int, ...]]
    families: frozenset[str]
    particles: frozenset[str]


def name_words_of(persons: Sequence[Person]) -> NameWords:
    """The identifying words of all persons."""
    bearers: dict[str, list[int]] = {}
    families: set[str] = set()
    for number, person in enumerate(persons):
        for word in person.words:
            bearers.setdefault(word, []).append(number)
        sequences = [name_sequence(name) for name in person.names]
        families.update(words[-1] for words in sequences if len(words) > 1)
        if max(map(len, sequences)) == 1:
            families.update(words[-1] for words in sequences)
    for word in list(bearers):
        for part in _parts(word):
            bearers.setdefault(part, bearers[word])
    owners = {word: tuple(numbers) for word, numbers in bearers.items()}
    return NameWords(owners, frozenset(families), _particles(persons))


def _parts(word: str) -> list[str]:
    """The parts of a hyphenated word that may stand alone ("zeta-jones"): those of at least four letters."""
    parts = word.replace("–", "-").split("-")
    return [part for part in parts if len(part) >= _LEAST_OF_A_PART] if len(parts) > 1 else []


def _particles(persons: Sequence[Person]) -> frozenset[str]:
    """The particles within the names, which are dropped with the name."""
    words = {word for person in persons for name in person.names for word in parse(name).particles}
    return frozenset(words - _KEPT_PARTICLES)
