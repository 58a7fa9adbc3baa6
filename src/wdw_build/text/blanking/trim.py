"""Removes words that the parser attached to a person's noun phrase by mistake: "shot [dead Terence Crutcher]".

Every function returns a token offset: the new edge of the phrase, or the given offset if no word is removed.
"""

from __future__ import annotations

from wdw_build.records import Tokens
from wdw_build.text.blanking.nodes import Node
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.blanking.words import (
    AFTER_IN,
    CLAUSE_ADJECTIVES,
    DETERMINERS,
    EPITHETS,
    GROUPS,
    KINDS,
    RESULTS,
    ROLES_AND_TITLES,
    is_capitalised,
    is_date,
    is_verb,
    touches_previous,
)
from wdw_build.text.names.matching import TITLES, fold

# Tags of words that begin a clause: "rumor has [it President Reagan would go]", "the winner [who Donald Trump] once praised".
_CLAUSE_TAGS = frozenset({"PRP", "WP", "WDT", "WRB", "EX", "MD"})
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
_PREDETERMINERS = frozenset("all no both not".split())
_AMOUNTS = frozenset("much many more most less few little enough too".split())
# Titles that only nouns of groups and offices precede; before "Dr." any occupation may stand ("neurosurgeon Dr. Ann Poole").
_HEADS = frozenset(
    "president premier prime chancellor senator sen congressman congresswoman rep gov governor mayor judge justice king queen "
    "prince pope mr mrs ms".split()
)
_LOCATIVES = frozenset("in at on".split())


def trim_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int, node: Node | None = None) -> int:
    """The start of the phrase of ``node`` without words that belong to the text before it."""
    before_name = range(name_start - 1, start - 1, -1)
    start = next((at + 1 for at in before_name if _is_foreign(sentence, tokens, at, start, name_start)), start)
    if node is not None and hides_subject(node):
        start = _first_title(sentence, start, name_start)
    while start < name_start and _is_foreign_at_edge(sentence, tokens, start, name_start):
        start += 1
    return start


def _is_foreign(sentence: Sentence, tokens: Tokens, index: int, start: int, name_start: int) -> bool:
    """Whether a token before the name cannot describe a person, so that the phrase starts after it at the earliest."""
    tag, written = sentence.tags[index], sentence.words[index]
    word, following = written.casefold(), sentence.words[index + 1]
    if tag == "NNS" and is_capitalised(following):
        return True  # "any tariffs [President Reagan] imposes"
    if tag in _CLAUSE_TAGS and written.islower():
        return True
    if tag in _FINITE_TAGS and index > start and sentence.tags[index - 1] in _CLAUSE_TAGS:
        return True  # "he hopes [Prime Minister Nakasone]"
    # "the winner, [jury chief Ann Poole]"; not "Detroit, Mich., lawyer Ann Poole".
    list_comma = (
        word == "," and index > start and sentence.tags[index - 1] == "NN" and sentence.words[index - 1].islower()
    )
    if list_comma or (word in KINDS and index > start):
        return True
    gerund = tag == "VBG" and written.islower() and word not in EPITHETS and not touches_previous(tokens, index)
    return (gerund and is_capitalised(following)) or is_foreign_noun(sentence, index, name_start)


def is_foreign_noun(sentence: Sentence, index: int, name_start: int) -> bool:
    """Whether a common noun before a capitalised title belongs to another phrase ("the theory [President Reagan] held").

    A noun that describes an office names a group or another office ("party [Chairman …]", "deputy [Minister …]").
    """
    word, following = sentence.words[index], sentence.words[index + 1]
    titled = index + 1 < name_start and fold(following) in _HEADS and is_capitalised(following)
    common = sentence.tags[index] == "NN" and word.islower()
    return titled and common and fold(word) not in ROLES_AND_TITLES | GROUPS | EPITHETS


def is_separate(sentence: Sentence, node: Node | None, start: int, name_start: int) -> bool:
    """Whether the word before the phrase certainly belongs to another phrase, although it is a noun."""
    if not start:
        return True
    hidden = node is not None and hides_subject(node) and start > node.start
    return hidden or is_foreign_noun(sentence, start - 1, name_start) or is_date(sentence, start - 1)


def _is_foreign_at_edge(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the first word of the phrase belongs to the text before it."""
    word = sentence.words[start].casefold()
    before = sentence.words[start - 1].casefold() if start else ""
    titled = is_capitalised(sentence.words[start + 1])
    if word in CLAUSE_ADJECTIVES | {"that", ","} or is_date(sentence, start):
        return True
    if word in _PREDETERMINERS and (start + 1 == name_start or word == "no"):
        return True
    if word in _AMOUNTS and titled:
        return True
    if before == "no" or (word in AFTER_IN and before == "in"):
        return True  # "it is no [coincidence Ann Poole] won", "in [charge Constantin Politoff]"
    if word in RESULTS and sentence.tags[start - 1].startswith("VB"):
        return start > 0
    return _is_verb_at_edge(sentence, tokens, start, name_start)


def _is_verb_at_edge(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the phrase starts with a verb ("history will [judge Reagan]", "[sentenced Bruno Valli]")."""
    if start and sentence.tags[start - 1] == "MD":
        return sentence.words[start].islower()
    if touches_previous(tokens, start + 1):
        return False
    return is_verb(sentence, start) or (start + 1 == name_start and sentence.tags[start] in {"VBN", "VBD"})


def hides_subject(node: Node) -> bool:
    """Whether the parser made the subject part of a place or time: "In [Washington President Reagan] met …"."""
    phrase = node.parent
    if phrase is None or phrase.label != "PP" or phrase.parent is None or phrase.parent.label != "S":
        return False
    siblings = phrase.parent.children
    alone = not any(child.label in {"NP", "S", "SBAR"} for child in siblings[: phrase.index])
    after = [child.label for child in siblings[phrase.index + 1 :] if child.label != "ADVP"]
    return alone and after[:1] == ["VP"] and phrase.leaves()[0].word.casefold() in _LOCATIVES


def _first_title(sentence: Sentence, start: int, name_start: int) -> int:
    """The first capitalised title before the name; ``name_start`` if there is none."""
    words = enumerate(sentence.words[start:name_start], start)
    return next((at for at, word in words if is_capitalised(word) and fold(word) in TITLES), name_start)


def trim_right(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """The end without a date, another person, a participle or a pronoun that follows the name without a comma."""
    if end == name_end:
        return end
    if words[name_end] in DETERMINERS or sentence.tags[name_end] in {"VBG", "VBN", "VBD", "PRP"}:
        return name_end
    if words[name_end] == "," and _is_name(sentence, name_end + 1, end):
        return name_end
    dates = (index for index in range(name_end, end) if is_date(sentence, index))
    return next((index for index in dates if all(is_date(sentence, at) for at in range(index, end))), end)


def _is_name(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens [start, end) are a name in a list: "[Ann Poole, Karl Anker], and others"."""
    end -= sentence.words[end - 1] in {",", "'", "’"}
    proper = all(sentence.tags[index] == "NNP" and sentence.words[index].isalpha() for index in range(start, end))
    return proper and end - start > 1
