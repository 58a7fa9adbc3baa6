"""The rules for names written plainly: each look-up reads the whole text or all mentions. The indexed rules must equal them."""

from __future__ import annotations

from wdw_build.records import Span
from wdw_build.text.names.compare import compare
from wdw_build.text.names.name import apart, parse
from wdw_build.text.names.persons import Entity


def places(text, name, barred=()):
    """The offsets of a name as whole words, without one of the signs ``barred`` after it."""
    found = []
    for start in range(len(text)):
        before, after = text[start - 1 : start] if start else "", text[start + len(name) :][:1]
        ends = not after.isalnum() and after not in barred
        if name and text.startswith(name, start) and not before.isalnum() and ends:
            found.append(start)
    return found


def group(mentions):
    """The persons of the mentions: each mention is compared with every full name."""
    names = {}

    def rank(one):
        return -len(parse(one.text).parts), -len(apart(parse(one.text).words)), one.start

    for mention in sorted(mentions, key=rank):
        name = parse(mention.text).bare
        if parse(name).core and not any(parse(name).is_within(parse(other)) for other in names):
            names[name] = mention.start
    entities = [Entity(name) for name in sorted(names, key=names.__getitem__)]
    for mention in mentions:
        owners = [entity for entity in entities if parse(mention.text).is_within(parse(entity.name))]
        if owners:
            owner = max(owners, key=lambda entity: entity.mentions[-1].start if entity.mentions else -1)
            owner.mentions.append(Span(start=mention.start, end=mention.end))
    return sorted((entity for entity in entities if entity.mentions), key=lambda entity: entity.first)


def without_misspellings(entities, text):
    """The persons without other spellings of persons with more mentions: each is compared with all that are kept."""
    kept = []

    def order(entity):
        return " " not in entity.name, -len(entity.mentions), -len("".join(parse(entity.name).given[:1])), entity.first

    for entity in sorted(entities, key=order):
        alike = [other for other in kept if is_spelling(entity.name, other.name)]
        if not alike:
            kept.append(Entity(entity.name, list(entity.mentions)))
        elif parse(alike[0].name).last == parse(entity.name).last:
            added = [
                one for one in entity.mentions if parse(text[one.start : one.end]).shares_word(parse(alike[0].name))
            ]
            alike[0].mentions = sorted(alike[0].mentions + added, key=lambda one: one.start)
    return sorted(kept, key=lambda entity: entity.first)


def is_spelling(one, other):
    """Whether two names are spellings of one name."""
    is_part = parse(one).is_within(parse(other)) or parse(other).is_within(parse(one))
    return compare(one, other).is_one_person and not is_part
