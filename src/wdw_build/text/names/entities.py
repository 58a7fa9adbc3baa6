"""Groups the mentions of one article into persons: joins split mentions, and groups the forms of one name."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Mention, Span
from wdw_build.text.names.bearers import is_of_another, sex_by_honorific, sex_of
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import (
    Words,
    are_relatives,
    generation,
    identifying_sequence,
    is_cut,
    is_misspelling,
    is_other_spelling,
    is_plural_of,
    is_subsequence,
    last_name,
    misspelling_keys,
    name_words,
    same_person,
    shares_word,
    usual_case,
    without_titles,
)

# A person whom a family name alone has named so often keeps it when a relative is named in full.
_ESTABLISHED = 5


@dataclass
class Entity:
    """One person of an article: the fullest form of the name, and every mention."""

    name: str
    mentions: list[Span] = field(default_factory=list)

    @property
    def first(self) -> int:
        """The offset of the first mention."""
        return min(mention.start for mention in self.mentions)


class _FullNames:
    """Full names, indexed by each identifying word and by each two of these in order, to look up forms of the names.

    With ``apart``, a name is not a form of a relative's name.
    """

    def __init__(self, apart: bool, names: Iterable[str] = ()) -> None:
        self._apart = apart
        self._names: defaultdict[Words, list[tuple[Words, str]]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add a name."""
        words = identifying_sequence(name)
        for key in dict.fromkeys([*((word,) for word in words), *itertools.combinations(words, 2)]):
            self._names[key].append((words, name))

    def with_form(self, form: str) -> list[str]:
        """The names that ``form`` is a form of, in the order of adding."""
        words = identifying_sequence(form)
        key = words if len(words) < 2 else (words[0], words[-1])
        names = [
            name
            for longer, name in self._names.get(key, ())
            if (len(words) <= 2 or is_subsequence(words, longer)) and not (self._apart and are_relatives(form, name))
        ]
        # "Ames" alone is rather Owen Ames than Owen Ames Jr.
        fathers = [name for name in names if not generation(name)] if self._apart and not generation(form) else []
        return fathers or names


def group(
    mentions: Sequence[Mention], apart: bool = False, text: str = "", evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of the mentions, in the order of their first mention.

    A mention belongs to the person whose full name it is a form of ("Obama", "Barack Obama"). If several full names match,
    the mention belongs to the person mentioned last before it, or else to the person whose full name comes first.
    ``mentions`` are in the order of ``text``. ``apart`` keeps relatives apart (see ``matching.are_relatives``): an honorific
    excludes persons of the other sex, a family name that often names one person alone is not a relative's who is then named
    in full, and a family name alone that may be another person's is nobody's mention.
    """
    names, read = _full_names(mentions, apart), text if apart else ""
    entities, sexes = {name: Entity(name) for name in names}, {name: sex_of(name, read) for name in names}
    doubtful = {identifying_sequence(name)[-1:] for name in names if is_of_another(name, read, evidence)}
    full_names = _FullNames(apart, entities)
    # For each form and sex, the person whom such a mention names; for each full name, its forms and sexes so far.
    named: dict[tuple[Words, str], Entity | None] = {}
    forms, alone = defaultdict[str, list[tuple[Words, str]]](list), Counter[str]()
    for mention in mentions:
        words = identifying_sequence(mention.text)
        sex = sex_by_honorific(read, mention.start, mention.end) if len(words) == 1 else ""
        form = name_words(mention.text), sex
        if form not in named:
            matching = [
                name
                for name in full_names.with_form(mention.text)
                if sexes[name] == sex != "" or ("" in {sexes[name], sex} and words not in doubtful)
            ]
            named[form] = max((entities[name] for name in matching), key=_last_start, default=None)
            for name in matching:
                forms[name].append(form)
        if entity := named[form]:
            entity.mentions.append(Span(start=mention.start, end=mention.end))
            alone[entity.name] += apart and len(words) == 1
            for other in forms[entity.name]:
                holder = named[other]
                if holder is None or alone[entity.name] or alone[holder.name] < _ESTABLISHED:
                    named[other] = entity
    return sorted((entity for entity in entities.values() if entity.mentions), key=lambda entity: entity.first)


def _last_start(entity: Entity) -> int:
    return entity.mentions[-1].start if entity.mentions else -1


def _full_names(mentions: Sequence[Mention], apart: bool) -> list[str]:
    """The names that are not a form of another name, in the order of the text."""
    starts: dict[str, int] = {}
    full_names = _FullNames(apart)
    # The longest names first: a form never has more identifying words than its full name ("De La Hoya", "Oscar Hoya").
    for mention in sorted(mentions, key=_longest_first):
        # A lead in capitals would show which choice is the answer.
        name = usual_case(without_titles(mention.text))
        if identifying_sequence(name) and not full_names.with_form(name):
            starts[name] = mention.start
            full_names.add(name)
    return sorted(starts, key=starts.__getitem__)


def _longest_first(mention: Mention) -> tuple[int, int, int]:
    return -len(identifying_sequence(mention.text)), -len(name_words(mention.text)), mention.start


def without_other_forms(entities: Sequence[Entity], text: str) -> list[Entity]:
    """The persons, without misspellings and other spellings, in the order of their first mention.

    The name with more mentions is kept; if the numbers are equal, the name mentioned first. The mentions of another spelling
    of the given name ("Bill Ames" of "William Ames") are mentions of the person.
    """
    kept: dict[str, Entity] = {}
    spellings: defaultdict[tuple[Words, str], list[str]] = defaultdict(list)
    # A family name alone is dropped for another spelling of a full name, whatever the numbers.
    for entity in sorted(entities, key=lambda entity: (" " not in entity.name, -len(entity.mentions), entity.first)):
        keys = _spelling_keys(entity.name)
        others = dict.fromkeys(other for key in keys for other in spellings[key])
        person = next((one for one in others if _is_spelling(entity.name, one)), "")
        if person and last_name(person) == last_name(entity.name):
            # "Bill" alone shares no word with William Ames.
            alike = [one for one in entity.mentions if shares_word(text[one.start : one.end], person)]
            kept[person] = Entity(person, sorted((*kept[person].mentions, *alike), key=lambda one: one.start))
        elif not person:
            kept[entity.name] = entity
            for key in keys:
                spellings[key].append(entity.name)
    return sorted(kept.values(), key=lambda entity: entity.first)


def _is_spelling(name: str, other: str) -> bool:
    """Whether two names are spellings of one person's.

    One may be a family name alone. Of two such names, one may have lost its last letter.
    """
    words, others = identifying_sequence(name), identifying_sequence(other)
    if len(words) == len(others) == 1:
        return is_cut(words[0], others[0]) or is_other_spelling(name, other)
    return is_misspelling(name, other) or is_other_spelling(name, other)


def _spelling_keys(name: str) -> list[tuple[Words, str]]:
    """Keys of a name. Two names of which one is a spelling of the other have a key in common."""
    words = identifying_sequence(name)
    letters = ("".join(name_words(name)),)
    given = (words[0][:1], words[-1][:1])
    return [
        *misspelling_keys(name),
        *(((word[:1],), "family names") for word in name_words(name)[-2:]),
        (words[-1:], "family name"),
        (words[:-1], "plural"),
        (letters, "letters"),
        (given, "sounds"),
    ]


def is_another_form(name: str, other: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether one name is the plural or a misspelling of the other, or ends a longer form of ``other`` in the corpus.

    "Reagans" and "Ronald Reagan"; "Rodham Clinton" and "Hillary Clinton" if "Hillary Rodham Clinton" is in the corpus.
    """
    if is_plural_of(name, other) or is_plural_of(other, name) or is_misspelling(name, other):
        return True
    if is_other_spelling(name, other):
        return True
    return any(same_person(longer, other) for longer in evidence.longer_names(name))
