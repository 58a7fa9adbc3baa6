"""From the mentions of one article to its persons: adjacent pieces joined, forms of one name put together."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from wdw_build.records import Mention, Span
from wdw_build.text.names import persons
from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import (
    BEFORE_A_NAME,
    clean,
    fold,
    identifying_sequence,
    is_form_of,
    is_misspelling,
    is_plural_of,
    name_words,
    same_person,
    shares_word,
    without_titles,
)
from wdw_build.text.names.signatures import signatures


@dataclass
class Entity:
    """One person of an article: the fullest form of the name, and every mention."""

    name: str
    mentions: list[Span] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Where the person is named first."""
        return min(mention.start for mention in self.mentions)


# What stands between two names of one person: "Bono, born Paul Hewson".
_ALSO_CALLED = re.compile(
    r"[\s,(]*(?:born(?: as)?|née?|real name|whose real name (?:is|was)|(?:better|also|widely|otherwise|formerly) known as|"
    r"known as|a\.?k\.?a\.?|nicknamed|alias|under the (?:name|alias|pseudonym))[:\s]*[\"“‘']?",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w'’-]*) \Z")


def join_adjacent(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Join mentions with only a space between them ("Fidel" "Castro"): the tagger split one name.

    Two names stay apart ("Lee Harvey Oswald" "Heidi") if they share an identifying word, or if the first is a full name
    that stands alone elsewhere.
    """
    alone = _full_names_alone(mentions, text)
    joined: list[Mention] = []
    for mention in mentions:
        if joined and text[joined[-1].end : mention.start] == " ":
            first = joined[-1].text
            if first not in alone and not shares_word(first, mention.text):
                start = joined.pop().start
                mention = Mention(start=start, end=mention.end, text=text[start : mention.end])
        joined.append(mention)
    return joined


def _full_names_alone(mentions: Sequence[Mention], text: str) -> set[str]:
    """The full names that stand somewhere without another mention one space before or after them."""
    neighbours = itertools.pairwise([None, *mentions, None])
    touching = [
        one is not None and other is not None and text[one.end : other.start] == " " for one, other in neighbours
    ]
    return {
        mention.text
        for mention, before, after in zip(mentions, touching, touching[1:], strict=False)
        if not before and not after and len(identifying_sequence(mention.text)) > 1
    }


def widen(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions with a given name that the tagger left out: "Hillary [Rodham Clinton]".

    The word directly before counts if it opens a mention of the article with the same last word, or a person's name in the
    corpus.
    """
    known = {(words[0], words[-1]) for one in mentions if len(words := identifying_sequence(one.text)) > 1}
    widened: list[Mention] = []
    for mention in mentions:
        found, words = (
            _WORD_BEFORE.search(text[max(0, mention.start - 30) : mention.start]),
            identifying_sequence(mention.text),
        )
        if found and words and fold(found.group(1)) not in BEFORE_A_NAME:
            name = f"{found.group(1)} {mention.text}"
            start = mention.start - len(found.group())
            free = not widened or widened[-1].end <= start
            in_corpus = evidence.leaning(name) > 0 or evidence.leaning(f"{found.group(1)} {words[-1]}") > 0
            if free and (in_corpus or (fold(found.group(1)), words[-1]) in known):
                mention = Mention(start=start, end=mention.end, text=name)
        widened.append(mention)
    return widened


def words_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after a stretch of the text."""
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    words_before, words_after = before.split(), after.split()
    return (words_before[-1] if words_before else ""), (words_after[0] if words_after else "")


def refusals(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[str]:
    """Why each mention of an article is no person of the story, by ``text.persons`` and its credits; empty for persons."""
    credits = signatures(text)
    article = ArticleNames(text, [clean(mention.text) for mention in mentions])
    return [
        "a credit"
        if any(start <= mention.start and mention.end <= end for start, end in credits)
        else persons.refusal(clean(mention.text), *words_beside(text, mention.start, mention.end), article, evidence)
        for mention in mentions
    ]


def only_persons(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions that are persons of the story."""
    return [mention for mention, why in zip(mentions, refusals(mentions, text, evidence), strict=True) if not why]


def group(mentions: Sequence[Mention]) -> list[Entity]:
    """The persons behind the mentions, in the order of their first mention.

    A name that is a shorter form of another ("Obama", "Barack Obama") goes to it. If it is a form of several, the one
    named last before it is meant, else the first after it.
    """
    full: list[Entity] = []
    by_word: defaultdict[str, list[Entity]] = defaultdict(list)
    written: dict[str, int] = {}
    # A form never has more counting words than the name it is a form of ("De La Hoya", "Oscar Hoya").
    for mention in sorted(
        mentions, key=lambda found: (-len(identifying_sequence(found.text)), -len(name_words(found.text)), found.start)
    ):
        name = without_titles(mention.text)
        if not identifying_sequence(name):
            continue
        if not any(is_form_of(name, entity.name) for entity in by_word[identifying_sequence(name)[0]]):
            full.append(Entity(name))
            written[name] = mention.start
            for word in dict.fromkeys(identifying_sequence(name)):
                by_word[word].append(full[-1])
    for entities in by_word.values():
        entities.sort(key=lambda entity: written[entity.name])
    for mention in mentions:
        first = next(iter(identifying_sequence(mention.text)), "")
        owners = [entity for entity in by_word.get(first, ()) if is_form_of(mention.text, entity.name)]
        if owners:
            owner = max(owners, key=lambda entity: entity.mentions[-1].start if entity.mentions else -1)
            owner.mentions.append(Span(start=mention.start, end=mention.end))
    return sorted((entity for entity in full if entity.mentions), key=lambda entity: entity.first)


def without_other_forms(entities: Sequence[Entity], text: str) -> list[Entity]:
    """The persons without misspelt and second names of one that is there, in the order of their first mention.

    The name that is written more often stays, of two as frequent the one named first.
    """
    also = _also_called(entities, text)
    kept: list[Entity] = []
    by_word: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in sorted(entities, key=lambda entity: (-len(entity.mentions), entity.first)):
        words = identifying_sequence(entity.name)
        alike = [other for word in words for other in by_word[word]]
        misspelt = any(is_misspelling(entity.name, other.name) for other in alike)
        if not misspelt and not any({entity.name, other.name} in also for other in kept if also):
            kept.append(entity)
            for word in words:
                by_word[word].append(entity)
    return sorted(kept, key=lambda entity: entity.first)


def is_another_form(name: str, other: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether one name is the other in the plural or misspelt, or ``name`` is the end of a form of ``other`` in the corpus.

    "Reagans" and "Ronald Reagan"; "Rodham Clinton" and "Hillary Clinton" if "Hillary Rodham Clinton" is in the corpus.
    """
    if is_plural_of(name, other) or is_plural_of(other, name) or is_misspelling(name, other):
        return True
    return any(same_person(longer, other) for longer in evidence.longer_names(name))


def _also_called(entities: Sequence[Entity], text: str) -> list[set[str]]:
    """The pairs of names that the text says are of one person."""
    places = sorted((mention.start, mention.end, entity.name) for entity in entities for mention in entity.mentions)
    return [
        {one[2], other[2]}
        for one, other in itertools.pairwise(places)
        if _ALSO_CALLED.fullmatch(text[one[1] : other[0]])
    ]
