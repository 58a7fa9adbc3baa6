"""Removes words that the parser attached to a person's noun phrase by mistake: "shot [dead Terence Crutcher]".

Every function returns a token offset: the new edge of the phrase, or the given offset if no word is removed.
"""

from __future__ import annotations

from wdw_build.records import Tokens
from wdw_build.text.blanking.trees import WEEKDAYS, Sentence
from wdw_build.text.blanking.words import (
    AFTER_IN,
    CLAUSE_ADJECTIVES,
    DETERMINERS,
    EPITHETS,
    KINDS,
    RESULTS,
    touches_previous,
)

_PREDETERMINERS = frozenset("all no both not".split())


def trim_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start of the phrase without words that belong to the text before it."""
    words = [word.casefold() for word in tokens.words]
    start = _after_foreign_words(sentence, words, start, name_start)
    for index in range(name_start - 1, start - 1, -1):
        kind = words[index] in KINDS and index > start
        if kind or (_is_verb(sentence, tokens, index) and tokens.words[index + 1][:1].isupper()):
            return index + 1
    before = sentence.tags[start - 1] if start else ""
    while start < name_start:
        result = words[start] in RESULTS and before.startswith("VB")
        after_in = words[start] in AFTER_IN and start > 0 and words[start - 1] == "in"
        predeterminer = words[start] in _PREDETERMINERS and start + 1 == name_start
        if not (result or after_in or predeterminer):
            break
        start += 1
    return start


def _after_foreign_words(sentence: Sentence, words: list[str], start: int, name_start: int) -> int:
    """The first token that can start a person's noun phrase.

    Skipped are plurals ("any tariffs [President Reagan]"), weekdays ("on Friday [Boris Yelagin]"), adjectives that take a
    clause ("certain [President Reagan]"), "that", and a verb directly before the name ("sentenced [Bruno Valli]").
    """
    tags, written = sentence.tags, sentence.words
    before_name = range(start, name_start)
    plurals = [index for index in before_name if tags[index] == "NNS" and written[index + 1][:1].isupper()]
    start = plurals[-1] + 1 if plurals else start
    while start < name_start:
        verb = start + 1 == name_start and tags[start] in {"VBN", "VBD"}
        if words[start] not in WEEKDAYS | CLAUSE_ADJECTIVES | {"that"} and not verb:
            break
        start += 1
    return start


def _is_verb(sentence: Sentence, tokens: Tokens, index: int) -> bool:
    """Whether a token is an -ing form, but not an adjective or part of a compound ("saying [President Reagan]")."""
    word = tokens.words[index]
    return (
        sentence.tags[index] == "VBG"
        and word.islower()
        and word not in EPITHETS
        and not touches_previous(tokens, index)
    )


def trim_right(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """The end without a weekday, a second noun phrase, a participle or a pronoun that follows the name without a comma."""
    if end == name_end:
        return end
    if words[name_end] in DETERMINERS or sentence.tags[name_end] in {"VBG", "VBN", "VBD", "PRP"}:
        return name_end
    while end > name_end and words[end - 1] in WEEKDAYS:
        end -= 1
    return end
