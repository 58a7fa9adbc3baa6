"""The names part of a key: where the articles name a person, and the texts that replace these names.

It holds no text of an article. With it, ``rebuild`` writes the dataset with codes or surrogates; without it, the dataset
with its original names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from wdw_build.ports import OriginalProblem
from wdw_build.records import NameReplacement, Names, Part, Problem, Pseudonyms, RenamedPerson
from wdw_build.text.pseudonyms.apply import Replacement, RewrittenText

Stretch = tuple[int, int]
ReplacementKey = tuple[int, int, str]
# Maps a character of a text to the character of the article that it comes from.
Position = Callable[[int], int]


class PersonKey(Part, frozen=True):
    """A person of a problem: the replacing name, and where an article gives the original one."""

    name: str
    """The code or the surrogate."""
    text: str
    """`passage`, `question` or `title`: the text in which the position counts."""
    mention: Stretch
    """Position of the longest form of the original name."""


class NamesKey(Part, frozen=True):
    """Replaced names as [start, end) with the replacing text. Positions are those of the key, `title`: in the title."""

    question: tuple[ReplacementKey, ...]
    """Replacements in the question's article."""
    passage: tuple[ReplacementKey, ...]
    """Replacements in the passage's article."""
    title: tuple[ReplacementKey, ...]
    """Replacements in the title of the passage's article."""
    tokens: tuple[tuple[int, int], ...]
    """Tokens of the question after the replacement, as in `QuestionKey`."""
    blank_tokens: tuple[int, int]
    """First token of the blank after the replacement, and the token after its last."""
    choices: tuple[str, ...]
    """The code or the surrogate of each choice."""
    persons: tuple[PersonKey, ...]
    """The persons whose names are replaced."""


def rewritten(text: str, replacements: Iterable[ReplacementKey]) -> RewrittenText:
    """A text after its replacements."""
    return RewrittenText(text, (Replacement(*replacement) for replacement in replacements))


def in_stretches(offset: int, stretches: Iterable[Stretch], gap: int) -> int:
    """The position in an article of a character of a text that joins stretches of it, with ``gap`` characters between."""
    for start, end in stretches:
        if offset < end - start:
            return start + offset
        offset -= end - start + gap
    raise ValueError("the offset is after the last stretch")


def names_key(
    original: OriginalProblem,
    names: Names,
    changed: Problem,
    tokens: Iterable[tuple[int, int]],
    places: Mapping[str, Position],
) -> NamesKey | None:
    """The replaced names of a problem; None if the export has the original ones.

    ``changed`` is the renamed problem, and ``tokens`` are those of its question. ``places`` maps the characters of
    question, passage and title to those of the articles.
    """
    pseudonyms = original.pseudonyms
    if pseudonyms is None:
        return None
    choices = tuple(choice.name for choice in changed.choices)
    return NamesKey(
        question=_replacements(pseudonyms.question, names, places["question"]),
        passage=_replacements(pseudonyms.passage, names, places["passage"]),
        title=_replacements(pseudonyms.title, names, places["title"]),
        tokens=tuple(tokens),
        blank_tokens=changed.question.blank_tokens,
        choices=choices,
        persons=tuple(_persons(original.problem, pseudonyms, names, choices, places)),
    )


def _replacements(
    replacements: Iterable[NameReplacement], names: Names, position: Position
) -> tuple[ReplacementKey, ...]:
    # The last character is mapped, not the end: a replacement may end where a stretch ends.
    return tuple(
        (position(each.start), position(each.end - 1) + 1, each.code if names == "codes" else each.surrogate)
        for each in replacements
    )


def _persons(
    problem: Problem, pseudonyms: Pseudonyms, names: Names, choices: Sequence[str], places: Mapping[str, Position]
) -> Iterator[PersonKey]:
    """Yield the persons that a text names, with the position of the longest form."""
    texts = {
        "passage": (problem.passage.text, pseudonyms.passage),
        "question": (problem.question.sentence, pseudonyms.question),
        "title": (problem.passage.title, pseudonyms.title),
    }
    for index, person in enumerate(pseudonyms.persons):
        forms = [
            (start, end, name)
            for name, (text, replacements) in texts.items()
            for start, end in _forms(person, index, text, replacements)
        ]
        if forms:
            start, end, name = max(forms, key=lambda form: form[1] - form[0])
            replacing = person.code if names == "codes" else person.surrogate
            yield PersonKey(
                name=replacing if person.choice is None else choices[person.choice],
                text=name,
                mention=(places[name](start), places[name](end - 1) + 1),
            )


def _forms(
    person: RenamedPerson, index: int, text: str, replacements: Iterable[NameReplacement]
) -> Iterator[tuple[int, int]]:
    """Where a text names a person: the whole name within a replaced stretch, or the stretch."""
    name = re.compile(r"\s+".join(map(re.escape, person.name.split())))
    for replacement in replacements:
        if replacement.person == index and replacement.kind != "derived":
            match = name.search(text, replacement.start, replacement.end)
            yield match.span() if match else (replacement.start, replacement.end)
