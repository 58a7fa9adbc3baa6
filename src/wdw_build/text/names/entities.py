"""Groups the mentions of one article into persons: joins split mentions, and groups the forms of one name."""

from __future__ import annotations

import bisect
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Mention, Span
from wdw_build.text.names import persons
from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import (
    BEFORE_A_NAME,
    Words,
    clean,
    fold,
    identifying_sequence,
    is_misspelling,
    is_plural_of,
    is_subsequence,
    misspelling_keys,
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
    credits = sorted(signatures(text))
    starts = [start for start, _ in credits]
    # For each credit, the latest end of the credits up to it.
    ends = list(itertools.accumulate((end for _, end in credits), max))
    names = [clean(mention.text) for mention in mentions]
    article = ArticleNames(text, names)
    reasons: list[str] = []
    for mention, name in zip(mentions, names, strict=True):
        started = bisect.bisect_right(starts, mention.start)
        if started and mention.end <= ends[started - 1]:
            reasons.append("a credit")
        else:
            before, after = words_beside(text, mention.start, mention.end)
            reasons.append(persons.refusal(name, before, after, article, evidence))
    return reasons


def only_persons(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions that are persons of the story."""
    reasons = refusals(mentions, text, evidence)
    return [mention for mention, reason in zip(mentions, reasons, strict=True) if not reason]


class _FullNames:
    """Full names as identifying words, indexed by each word and by each two words in order, to look up forms of the names."""

    def __init__(self, names: Iterable[Words] = ()) -> None:
        self._names: defaultdict[Words, list[Words]] = defaultdict(list)
        for name in names:
            self.add(name)

    def add(self, name: Words) -> None:
        """Add a name."""
        pairs = itertools.combinations(name, 2)
        for key in dict.fromkeys([*((word,) for word in name), *pairs]):
            self._names[key].append(name)

    def with_form(self, form: Words) -> Iterator[Words]:
        """Yield the names that ``form`` is a form of, in the order of adding."""
        key = form if len(form) < 2 else (form[0], form[-1])
        for name in self._names.get(key, ()):
            if len(form) <= 2 or is_subsequence(form, name):
                yield name


def group(mentions: Sequence[Mention]) -> list[Entity]:
    """The persons of the mentions, in the order of their first mention.

    A mention belongs to the person whose full name it is a form of ("Obama", "Barack Obama"). If several full names match,
    the mention belongs to the person mentioned last before it, or else to the person whose full name comes first.
    ``mentions`` are in the order of the text.
    """
    entities = {identifying_sequence(name): Entity(name) for name in _full_names(mentions)}
    full_names = _FullNames(entities)
    # For each form, the person whom a mention of this form names; for each full name, its forms so far.
    named: dict[Words, Entity | None] = {}
    forms: defaultdict[Words, list[Words]] = defaultdict(list)
    for mention in mentions:
        form = identifying_sequence(mention.text)
        if form not in named:
            matching = list(full_names.with_form(form))
            named[form] = max((entities[words] for words in matching), key=_last_start, default=None)
            for words in matching:
                forms[words].append(form)
        if entity := named[form]:
            entity.mentions.append(Span(start=mention.start, end=mention.end))
            named.update(dict.fromkeys(forms[identifying_sequence(entity.name)], entity))
    return sorted((entity for entity in entities.values() if entity.mentions), key=lambda entity: entity.first)


def _last_start(entity: Entity) -> int:
    return entity.mentions[-1].start if entity.mentions else -1


def _full_names(mentions: Sequence[Mention]) -> list[str]:
    """The names that are not a form of another name, in the order of the text."""
    starts: dict[str, int] = {}
    full_names = _FullNames()
    # The longest names first: a form never has more identifying words than its full name ("De La Hoya", "Oscar Hoya").
    for mention in sorted(mentions, key=_longest_first):
        name = without_titles(mention.text)
        words = identifying_sequence(name)
        if words and not any(full_names.with_form(words)):
            starts[name] = mention.start
            full_names.add(words)
    return sorted(starts, key=starts.__getitem__)


def _longest_first(mention: Mention) -> tuple[int, int, int]:
    return -len(identifying_sequence(mention.text)), -len(name_words(mention.text)), mention.start


def without_other_forms(entities: Sequence[Entity], text: str) -> list[Entity]:
    """The persons, without misspellings and second names of other persons, in the order of their first mention.

    The name with more mentions is kept; if the numbers are equal, the name mentioned first.
    """
    also = _also_called(entities, text)
    kept: dict[str, Entity] = {}
    spellings: defaultdict[tuple[Words, str], list[str]] = defaultdict(list)
    for entity in sorted(entities, key=lambda entity: (-len(entity.mentions), entity.first)):
        keys = misspelling_keys(entity.name)
        misspelt = any(is_misspelling(entity.name, other) for key in keys for other in spellings[key])
        if not misspelt and also[entity.name].isdisjoint(kept):
            kept[entity.name] = entity
            for key in keys:
                spellings[key].append(entity.name)
    return sorted(kept.values(), key=lambda entity: entity.first)


def is_another_form(name: str, other: str, evidence: NameEvidence = NO_EVIDENCE) -> bool:
    """Whether one name is the plural or a misspelling of the other, or ends a longer form of ``other`` in the corpus.

    "Reagans" and "Ronald Reagan"; "Rodham Clinton" and "Hillary Clinton" if "Hillary Rodham Clinton" is in the corpus.
    """
    if is_plural_of(name, other) or is_plural_of(other, name) or is_misspelling(name, other):
        return True
    return any(same_person(longer, other) for longer in evidence.longer_names(name))


def _also_called(entities: Sequence[Entity], text: str) -> defaultdict[str, set[str]]:
    """For each name, the other names that the text assigns to the person ("Bono, born Paul Hewson")."""
    mentions = sorted((mention.start, mention.end, entity.name) for entity in entities for mention in entity.mentions)
    also: defaultdict[str, set[str]] = defaultdict(set)
    for (_, end, name), (start, _, other) in itertools.pairwise(mentions):
        if _ALSO_CALLED.fullmatch(text, end, max(start, end)):
            also[name].add(other)
            also[other].add(name)
    return also
