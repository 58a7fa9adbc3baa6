"""The persons of a text with tagged mentions, step by step: boundaries of mentions, non-persons, mentions without a label, groups.

A group is a person: it joins split mentions, and the forms of one name.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from wdw_build.records import Mention, Span
from wdw_build.text.lexicon import alternatives, word_list
from wdw_build.text.names.compare import compare, family_keys, spelling_keys
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import Words, apart, parse, usual_case
from wdw_build.text.names.person_model import PersonModel
from wdw_build.text.names.settle import join_adjacent, settle
from wdw_build.text.names.unmarked import is_of_another, sex_by_honorific, sex_of, with_unmarked
from wdw_build.text.settings import ChoicesConfig

_TITLE_OF_NAME = re.compile(rf"\b{alternatives(word_list('titles_of_names'))}\.?(?= \Z)")
_LONGEST_TITLE = 20
# Words between two names of a person: "Bono (born {Paul Hewson})", "Ames, whose real name is {Owen Beck}".
_SECOND_NAME = re.compile(
    r",? \(?(?:whose (?:birth|full|legal|original|real|stage|true) name (?:is|was)"
    r"|(?:the [\w -]{4,40} |also |better |formerly )known as|born|alias|née|a\.k\.a\.|aka|AKA) [\"“‘']?\Z"
)
_LONGEST_LINK = 60
# A person whom a family name alone has named so often keeps it when a relative is named in full.
_ESTABLISHED = 5


def persons_of_text(
    text: str, tagged: Sequence[Mention], config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of a text with tagged mentions, misspelt names included, in the order of their first mention."""
    mentions = settled = join_adjacent(tagged, text)
    if config.merge_forms:
        mentions = settled = settle(mentions, text, evidence)
    model = PersonModel(text, settled, evidence)
    if config.refuse_non_persons:
        mentions = [mention for mention in mentions if not model.verdict(mention.text).refusal]
    if config.merge_forms:
        refused = (mention for mention in settled if mention not in mentions)
        mentions = with_unmarked(mentions, refused, text, evidence)
    persons = group(mentions, config.keep_namesakes, text, evidence)
    if config.refuse_non_persons:
        persons = [_with_title(person, text) for person in persons if not model.is_doubtful_alone(person.name)]
    return _without_second_names(persons, text) if config.merge_forms else persons


def _without_second_names(persons: list[Entity], text: str) -> list[Entity]:
    """The persons without those that are the second name of another, by the words before it.

    Of two names with only such words between them, the one with fewer mentions is dropped, or else the second.
    """
    by_end = {mention.end: person for person in persons for mention in person.mentions}
    dropped = list[Entity]()
    for person in persons:
        for mention in person.mentions:
            link = _SECOND_NAME.search(text, max(0, mention.start - _LONGEST_LINK), mention.start)
            first = by_end.get(link.start()) if link else None
            if first is not None and first is not person:
                dropped.append(min(person, first, key=lambda entity: len(entity.mentions)))
    return [person for person in persons if person not in dropped]


def _with_title(person: Entity, text: str) -> Entity:
    """The person with the title that is part of a name of one word, in the name and in the mentions that have the title."""
    if len(parse(person.name).core) > 1:
        return person
    titles, mentions = list[str](), list[Span]()
    for mention in person.mentions:
        start = text.find(person.name, mention.start, mention.end)
        title = _TITLE_OF_NAME.search(text, max(0, start - _LONGEST_TITLE), start) if start >= 0 else None
        titles += [title[0]] if title else []
        mentions.append(Span(start=min(mention.start, title.start()), end=mention.end) if title else mention)
    return replace(person, name=f"{titles[0]} {person.name}", mentions=mentions) if titles else person


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
    """Full names, indexed by their words and by each two of these in order, to look up forms of the names.

    With ``apart``, a name is not a form of a relative's name.
    """

    def __init__(self, apart: bool, names: Iterable[str] = ()) -> None:
        self._apart = apart
        self._names: defaultdict[Words, dict[str, None]] = defaultdict(dict)
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        """Add a name."""
        parts = parse(name).parts
        for key in (*((word,) for word in parse(name).core), *itertools.combinations(parts, 2)):
            self._names[key][name] = None

    def with_form(self, form: str) -> list[str]:
        """The names that ``form`` is a form of, in the order of adding."""
        parsed = parse(form)
        key = parsed.parts if len(parsed.parts) < 2 else (parsed.parts[0], parsed.parts[-1])
        names = [
            name
            for name in self._names.get(key, ())
            if parsed.is_within(parse(name)) and not (self._apart and compare(form, name).is_relative)
        ]
        # "Ames" alone is rather Owen Ames than Owen Ames Jr.
        fathers = [name for name in names if parse(name).generation in {"", "sr"}] if self._apart else []
        return fathers if fathers and not parsed.generation else names


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
    names, context = _full_names(mentions, apart), text if apart else ""
    entities, sexes = {name: Entity(name) for name in names}, {name: sex_of(name, context) for name in names}
    doubtful = {parse(name).core[-1:] for name in names if is_of_another(name, context, evidence)}
    full_names = _FullNames(apart, entities)
    # For each form and sex, the person whom such a mention names; for each full name, its forms and sexes so far.
    named: dict[tuple[Words, str], Entity | None] = {}
    forms, alone = defaultdict[str, list[tuple[Words, str]]](list), Counter[str]()
    for mention in mentions:
        words = parse(mention.text).core
        sex = sex_by_honorific(context, mention.start, mention.end) if len(words) == 1 else ""
        form = parse(mention.text).words, sex
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
            if apart and len(words) == 1:
                alone[entity.name] += 1
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
        name = usual_case(parse(mention.text).bare)
        if parse(name).core and not full_names.with_form(name):
            starts[name] = mention.start
            full_names.add(name)
    return sorted(starts, key=starts.__getitem__)


def _longest_first(mention: Mention) -> tuple[int, int, int]:
    name = parse(mention.text)
    return -len(name.parts), -len(apart(name.words)), mention.start


def without_other_forms(entities: Sequence[Entity], text: str) -> list[Entity]:
    """The persons, without misspellings and other spellings, in the order of their first mention.

    The name with more mentions is kept; if the numbers are equal, the one with the longer given name, or else the first. The
    mentions of another spelling of the given name ("Bill Ames" of "William Ames") are mentions of the person.
    """
    by_name: dict[str, Entity] = {}
    spellings: defaultdict[Words, dict[str, None]] = defaultdict(dict)
    # A family name alone is dropped for another spelling of a full name, whatever the numbers.
    for entity in sorted(entities, key=_firmest_first):
        name = parse(entity.name)
        keys = (*spelling_keys(name), *family_keys(name))
        others = dict.fromkeys(other for key in keys for other in spellings[key])
        person = next((other for other in others if _is_spelling(entity.name, other)), "")
        if not person:
            by_name[entity.name] = entity
            for key in keys:
                spellings[key][entity.name] = None
        elif parse(person).last == name.last:
            # "Bill" alone shares no word with William Ames.
            words = parse(person)
            alike = [
                mention for mention in entity.mentions if parse(text[mention.start : mention.end]).shares_word(words)
            ]
            by_name[person] = Entity(
                person, sorted((*by_name[person].mentions, *alike), key=lambda mention: mention.start)
            )
    return sorted(by_name.values(), key=lambda entity: entity.first)


def _firmest_first(entity: Entity) -> tuple[bool, int, int, int]:
    given = "".join(parse(entity.name).given[:1])
    return " " not in entity.name, -len(entity.mentions), -len(given), entity.first


def _is_spelling(name: str, other: str) -> bool:
    """Whether two names of persons that the text tells apart are yet one person's: no name is a part of the other."""
    first, second = parse(name), parse(other)
    is_part = first.is_within(second) or second.is_within(first)
    return compare(name, other).is_one_person and not is_part
