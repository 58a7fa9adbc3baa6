"""The persons of a text with tagged mentions, step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from wdw_build.records import Mention, Span
from wdw_build.text.lexicon import alternatives, word_list
from wdw_build.text.names.entities import Entity, group
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import parse
from wdw_build.text.names.person_model import PersonModel
from wdw_build.text.names.settings import ChoicesConfig
from wdw_build.text.names.settle import join_adjacent, settle
from wdw_build.text.names.unmarked import with_unmarked

_TITLE_OF_NAME = re.compile(rf"\b{alternatives(word_list('titles_of_names'))}\.?(?= \Z)")
_LONGEST_TITLE = 20
# Words directly before the second name of a person: "Bono, born {Paul Hewson}", "Ames, whose real name is {Owen Beck}".
_SECOND_NAME = re.compile(
    r"(?P<link>,? \(?(?:(?:whose|his|her|their) (?:\w+ )?(?:actual|birth|full|given|legal|original|real|true) name (?:is|was)"
    r"|(?:who )?(?:(?:is|was) )?(?:(?:also|better|formerly|once|previously) known as|born(?: as)?)"
    r"|a\.?k\.?a\.?|alias|née|nee|(?:using|under) the name(?: of)?)"
    r"|\bborn\b(?:[^.:;()\n]|(?<=\b[A-Z][a-z]{2})\.){0,60}, as|\bposing as (?:an? [^.:;\n]{1,30}, )?(?:[A-Z][a-z]+\.)?)"
    r",? ?[\"“‘']?\Z"
)
_LONGEST_LINK = 100


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
        persons = [_with_title(person, text) for person in persons if not model.is_given_alone(person.name)]
    return _without_second_names(persons, text) if config.merge_forms else persons


def _without_second_names(persons: list[Entity], text: str) -> list[Entity]:
    """The persons without those that are the second name of another, by the words before it.

    Of two names with only such words between them, the one with fewer mentions is dropped, or else the second. Without a name
    before the words ("the singer, born Owen Beck,"), a name that is mentioned once is dropped.
    """
    by_end = {mention.end: person for person in persons for mention in person.mentions}
    dropped = list[Entity]()
    for person in persons:
        for mention in person.mentions:
            before = max(0, mention.start - _LONGEST_LINK)
            if link := _SECOND_NAME.search(text, before, mention.start):
                first = by_end.get(link.start(), person)
                if first is not person and len(first.mentions) < len(person.mentions):
                    dropped.append(first)
                elif first is not person or len(person.mentions) == 1:
                    dropped.append(person)
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
