"""From the mentions of one article to its persons: adjacent pieces joined, forms of one name put together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from wdw_build.records import Mention, Span
from wdw_build.text import persons
from wdw_build.text.names import bare, clean, counting_in_order, is_form_of, name_words


@dataclass
class Entity:
    """One person of an article: the fullest form of the name, and every mention."""

    name: str
    mentions: list[Span] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Where the person is named first."""
        return min(mention.start for mention in self.mentions)


def join_adjacent(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Join mentions with nothing but a space between ("Fidel" "Castro"): a tagger's split, not two persons."""
    joined: list[Mention] = []
    for mention in mentions:
        if joined and text[joined[-1].end : mention.start] == " ":
            start = joined.pop().start
            mention = Mention(start=start, end=mention.end, text=text[start : mention.end])
        joined.append(mention)
    return joined


def beside(text: str, start: int, end: int) -> tuple[str, str]:
    """The words before and after a stretch of the text."""
    before, after = text[max(0, start - 40) : start], text[end : end + 40]
    words_before, words_after = before.split(), after.split()
    return (words_before[-1] if words_before else ""), (words_after[0] if words_after else "")


def only_persons(mentions: Iterable[Mention], text: str) -> list[Mention]:
    """The mentions that are persons by the rules of ``text.persons``."""
    return [
        mention
        for mention in mentions
        if not persons.refusal(clean(mention.text), *beside(text, mention.start, mention.end), text)
    ]


def group(mentions: Sequence[Mention]) -> list[Entity]:
    """The persons behind the mentions, in the order of their first mention.

    A name that is a shorter form of another ("Obama", "Barack Obama") goes to it. If it is a form of several, the one
    named last before it is meant, else the first after it.
    """
    full: list[Entity] = []
    written: dict[str, int] = {}
    # A form never has more counting words than the name it is a form of ("De La Hoya", "Oscar Hoya").
    for mention in sorted(
        mentions, key=lambda found: (-len(counting_in_order(found.text)), -len(name_words(found.text)), found.start)
    ):
        name = bare(mention.text)
        if not counting_in_order(name):
            continue
        if not any(is_form_of(name, entity.name) for entity in full):
            full.append(Entity(name))
            written[name] = mention.start
    full.sort(key=lambda entity: written[entity.name])
    for mention in mentions:
        owners = [entity for entity in full if is_form_of(mention.text, entity.name)]
        if owners:
            owner = max(owners, key=lambda entity: entity.mentions[-1].start if entity.mentions else -1)
            owner.mentions.append(Span(start=mention.start, end=mention.end))
    return sorted((entity for entity in full if entity.mentions), key=lambda entity: entity.first)
