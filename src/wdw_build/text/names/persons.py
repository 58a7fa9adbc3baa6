"""The persons of a text with tagged mentions, step by step."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from wdw_build.records import Mention
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.credited import only_report
from wdw_build.text.names.entities import Entity, group, only_persons
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import fold, identifying_sequence
from wdw_build.text.names.occurrences import is_personal_title
from wdw_build.text.names.settings import ChoicesConfig
from wdw_build.text.names.settle import join_adjacent, settle
from wdw_build.text.names.unmarked import with_unmarked

_TITLE_OF_NAME = re.compile(rf"\b(?:{'|'.join(sorted(word_list('titles_of_names'), reverse=True))})\.?(?= \Z)")
_LONGEST_TITLE = 20
_RELATIVES = frozenset(
    "wife husband spouse son daughter father mother brother sister girlfriend boyfriend fiance fiancee child grandson "
    "granddaughter".split()
)


def persons_of_text(
    text: str, tagged: Sequence[Mention], config: ChoicesConfig, evidence: NameEvidence = NO_EVIDENCE
) -> list[Entity]:
    """The persons of a text with tagged mentions, misspelt names included, in the order of their first mention."""
    mentions = settled = join_adjacent(tagged, text)
    if config.merge_forms:
        mentions = settled = settle(mentions, text, evidence)
    if config.refuse_non_persons:
        mentions = only_persons(mentions, text, evidence)
    if config.merge_forms:
        refused = (mention for mention in settled if mention not in mentions)
        mentions = with_unmarked(mentions, refused, text, evidence)
    persons = group(mentions, config.keep_namesakes)
    if config.refuse_non_persons:
        persons = [person for person in persons if not only_report(person.mentions, text)]
        persons = [_with_title(person, text) for person in persons]
        persons = [person for person in persons if not _is_given_name_alone(person, text, evidence)]
    return persons


def _with_title(person: Entity, text: str) -> Entity:
    """The person with the title that is part of a name of one word; it stands before the name in the mention or before it."""
    if len(identifying_sequence(person.name)) > 1:
        return person
    for mention in person.mentions:
        end = text.find(person.name, mention.start, mention.end)
        title = _TITLE_OF_NAME.search(text[max(0, end - _LONGEST_TITLE) : end]) if end >= 0 else None
        if title:
            return replace(person, name=f"{title[0]} {person.name}")
    return person


def _is_given_name_alone(person: Entity, text: str, evidence: NameEvidence) -> bool:
    """Whether a person has a given name and neither a family name nor a title ("her husband Jim")."""
    if " " in person.name:
        return False
    before = [text[max(0, mention.start - _LONGEST_TITLE) : mention.start].split() for mention in person.mentions]
    words = {fold(part[-1]) if part[-1].islower() else part[-1] for part in before if part}
    is_relative = not words.isdisjoint(_RELATIVES) and not evidence.is_known_alone(person.name)
    return (is_relative or evidence.is_given_alone(person.name)) and not any(map(is_personal_title, words))
