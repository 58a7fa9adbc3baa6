"""Groups the mentions of one article into persons: joins split mentions, and groups the forms of one name."""

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
        """The offset of the first mention."""
        return min(mention.start for mention in self.mentions)


# Text between two names of one person: "Bono, born Paul Hewson".
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
    """The full names that occur at least once without an adjacent mention."""
    neighbours = itertools.pairwise([None, *mentions, None])
    touching = [
        left is not None and right is not None and text[left.end : right.start] == " " for left, right in neighbours
    ]
    return {
        mention.text
        for mention, before, after in zip(mentions, touching, touching[1:], strict=False)
        if not before and not after and len(identifying_sequence(mention.text)) > 1
    }


def widen(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions, extended by a given name that the tagger left out: "Hillary [Rodham Clinton]".

    The capitalised word directly before a mention is added if the two are a person's name in the corpus, or if another
    mention of the article starts with this word and ends with the same last word.
    """
    names = (identifying_sequence(mention.text) for mention in mentions)
    known = {(words[0], words[-1]) for words in names if len(words) > 1}
    widened: list[Mention] = []
    for mention in mentions:
        longer = _with_word_before(mention, text)
        is_free = longer is not None and (not widened or widened[-1].end <= longer.start)
        if longer is not None and is_free and _is_known(longer.text, mention.text, known, evidence):
            mention = longer
        widened.append(mention)
    return widened


def _with_word_before(mention: Mention, text: str) -> Mention | None:
    """The mention with the capitalised word directly before it; None without a capitalised word, or if the word is a title."""
    before = _WORD_BEFORE.search(text[max(0, mention.start - 30) : mention.start])
    if before is None or not identifying_sequence(mention.text) or fold(before[1]) in BEFORE_A_NAME:
        return None
    return Mention(start=mention.start - len(before[0]), end=mention.end, text=f"{before[1]} {mention.text}")


def _is_known(longer: str, name: str, known: set[tuple[str, str]], evidence: NameEvidence) -> bool:
    first, last = longer.partition(" ")[0], identifying_sequence(name)[-1]
    return evidence.leaning(longer) > 0 or evidence.leaning(f"{first} {last}") > 0 or (fold(first), last) in known


def words_beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The words directly before and after a span of the text; empty at its ends."""
    before, after = text[max(0, start - 40) : start].split(), text[end : end + 40].split()
    return (before[-1] if before else ""), (after[0] if after else "")


def refusals(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[str]:
    """For each mention, why it is not a person of the story (a credit, or a reason of ``persons.refusal``); "" for a person."""
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
    reasons = refusals(mentions, text, evidence)
    return [mention for mention, reason in zip(mentions, reasons, strict=True) if not reason]


def group(mentions: Sequence[Mention]) -> list[Entity]:
    """The persons of the mentions, in the order of their first mention.

    A mention belongs to the person whose full name it is a form of ("Obama", "Barack Obama"). If several full names match,
    the mention belongs to the person mentioned last before it, or else to the person whose full name comes first.
    """
    entities = _full_names(mentions)
    by_word: defaultdict[str, list[Entity]] = defaultdict(list)
    for entity in entities:
        for word in dict.fromkeys(identifying_sequence(entity.name)):
            by_word[word].append(entity)
    for mention in mentions:
        first = next(iter(identifying_sequence(mention.text)), "")
        owners = [entity for entity in by_word.get(first, ()) if is_form_of(mention.text, entity.name)]
        if owners:
            owner = max(owners, key=lambda entity: entity.mentions[-1].start if entity.mentions else -1)
            owner.mentions.append(Span(start=mention.start, end=mention.end))
    return sorted((entity for entity in entities if entity.mentions), key=lambda entity: entity.first)


def _full_names(mentions: Sequence[Mention]) -> list[Entity]:
    """A person without mentions for each name that is not a form of another name, in the order of the text."""
    starts: dict[str, int] = {}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    # The longest names first: a form never has more identifying words than its full name ("De La Hoya", "Oscar Hoya").
    for mention in sorted(mentions, key=_longest_first):
        name = without_titles(mention.text)
        words = identifying_sequence(name)
        if words and not any(is_form_of(name, other) for other in by_word[words[0]]):
            starts[name] = mention.start
            for word in words:
                by_word[word].append(name)
    return [Entity(name) for name in sorted(starts, key=starts.__getitem__)]


def _longest_first(mention: Mention) -> tuple[int, int, int]:
    return -len(identifying_sequence(mention.text)), -len(name_words(mention.text)), mention.start


def without_other_forms(entities: Sequence[Entity], text: str) -> list[Entity]:
    """The persons, without misspellings and second names of other persons, in the order of their first mention.

    The name with more mentions is kept; if the numbers are equal, the name mentioned first.
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
    """Whether one name is the plural or a misspelling of the other, or ends a longer form of ``other`` in the corpus.

    "Reagans" and "Ronald Reagan"; "Rodham Clinton" and "Hillary Clinton" if "Hillary Rodham Clinton" is in the corpus.
    """
    if is_plural_of(name, other) or is_plural_of(other, name) or is_misspelling(name, other):
        return True
    return any(same_person(longer, other) for longer in evidence.longer_names(name))


def _also_called(entities: Sequence[Entity], text: str) -> list[set[str]]:
    """The pairs of names that the text assigns to one person ("Bono, born Paul Hewson")."""
    mentions = sorted((mention.start, mention.end, entity.name) for entity in entities for mention in entity.mentions)
    return [
        {name, other}
        for (_, end, name), (start, _, other) in itertools.pairwise(mentions)
        if _ALSO_CALLED.fullmatch(text[end:start])
    ]
