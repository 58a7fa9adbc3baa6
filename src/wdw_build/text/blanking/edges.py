"""The edges of a person's noun phrase: words that the parser attached by mistake, and the description after the name.

"shot [dead Terence Crutcher]" is trimmed; "[Ann Poole], the mayor of Cork" is extended over home, apposition, age or party.
Every function returns a token offset: the new edge of the phrase, or the given offset if the edge stays. In the examples,
brackets mark the phrase before it changes.
"""

from __future__ import annotations

from wdw_build.records import Tokens
from wdw_build.text.blanking.trees import Node, Sentence
from wdw_build.text.blanking.words import (
    AFTER_IN,
    AND,
    ARTICLES,
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
    opens_compound,
    touches_previous,
)
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.matching import fold

# Tags of words that begin a clause: "rumor has [it President Reagan would go]", "the winner [who Donald Trump] once praised".
_CLAUSE_TAGS = frozenset({"PRP", "WP", "WDT", "WRB", "EX", "MD"})
_PREDETERMINERS = frozenset("all no both not".split())
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
_APOSTROPHES = frozenset("'’")
_HEADS = word_list("heads")
_PARTIES = frozenset({"r", "d", "i", "r.", "d.", "i."})
_MARKS = frozenset({",", ".", ";"})
_OLDEST = 120
# How many tokens before the phrase a verb with "of" is looked for.
_VERBS_WITH_OF = tuple(word_list("verbs_with_of"))
_VERB_DISTANCE = 4


def trim_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start of the phrase without words that belong to the text before it."""
    for index in range(name_start - 1, start - 1, -1):
        clause = _is_of_clause(sentence, tokens, index, start)
        if (
            clause
            or _is_of_other_phrase(sentence, index, start, name_start)
            or is_foreign_noun(sentence, index, name_start)
        ):
            start = index + 1
            break
    while start < name_start and _is_foreign_at_edge(sentence, tokens, start, name_start):
        start += 1
    return start


def _is_of_clause(sentence: Sentence, tokens: Tokens, index: int, start: int) -> bool:
    """Whether a token before the name is a pronoun or verb, so that the phrase starts after it ("he hopes [President …]")."""
    tag, written = sentence.tags[index], sentence.words[index]
    word = written.casefold()
    if word == "that" or (tag in _CLAUSE_TAGS and written.islower()):
        return True
    if word in ROLES_AND_TITLES | EPITHETS or not word.isalpha() or opens_compound(sentence, index):
        return False
    if tag in _FINITE_TAGS:
        return index > start and sentence.tags[index - 1] in _CLAUSE_TAGS | {"NNP"}
    gerund = tag == "VBG" and written.islower() and not touches_previous(tokens, index)
    return gerund and is_capitalised(sentence.words[index + 1])


def _is_of_other_phrase(sentence: Sentence, index: int, start: int, name_start: int) -> bool:
    """Whether a token before the name ends another phrase ("any tariffs [President Reagan] imposes", "the kind [Ann Poole])."""
    tag, following = sentence.tags[index], sentence.words[index + 1]
    if tag == "NNS":
        return is_capitalised(following)
    if is_date(sentence, index):
        return index + 1 == name_start or fold(following) in _HEADS
    if index == start:
        return False
    # "the winner, [jury chief Ann Poole]"; not "Detroit, Mich., lawyer Ann Poole".
    listed = sentence.tags[index - 1] == "NN" and sentence.words[index - 1].islower()
    word = sentence.words[index].casefold()
    return word in KINDS or (word == "," and listed)


def is_foreign_noun(sentence: Sentence, index: int, name_start: int) -> bool:
    """Whether a common noun before a capitalised title belongs to another phrase ("the theory [President Reagan] held").

    A noun that describes an office names a group or another office ("party [Chairman …]", "deputy [Minister …]").
    """
    word, following = sentence.words[index], sentence.words[index + 1]
    titled = index + 1 < name_start and fold(following) in _HEADS and is_capitalised(following)
    common = sentence.tags[index] == "NN" and word.islower()
    return titled and common and fold(word) not in ROLES_AND_TITLES | GROUPS | EPITHETS


def is_separate(sentence: Sentence, start: int, name_start: int) -> bool:
    """Whether the word before the phrase certainly belongs to another phrase, although it is a noun."""
    before = start - 1
    return not start or is_foreign_noun(sentence, before, name_start) or is_date(sentence, before)


def _is_foreign_at_edge(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the first word of the phrase belongs to the text before it."""
    word = sentence.words[start].casefold()
    before = sentence.words[start - 1].casefold() if start else ""
    if word in CLAUSE_ADJECTIVES | {","} or is_date(sentence, start):
        return True
    if word in _PREDETERMINERS and (start + 1 == name_start or word == "no"):
        return True
    if before == "no" or (word in AFTER_IN and before == "in"):
        return True  # "it is no [coincidence Ann Poole] won", "in [charge Constantin Politoff]"
    if word in RESULTS and sentence.tags[start - 1].startswith("VB"):
        return start > 0
    return _is_verb_at_edge(sentence, tokens, start, name_start)


def _is_verb_at_edge(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the phrase starts with a verb ("history will [judge Reagan]", "[sentenced Bruno Valli]")."""
    if opens_compound(sentence, start):
        return False
    if start and sentence.tags[start - 1] == "MD":
        return sentence.words[start].islower()
    if touches_previous(tokens, start + 1):
        return False
    return is_verb(sentence, start) or (start + 1 == name_start and sentence.tags[start] in {"VBN", "VBD"})


def trim_right(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """The end without a date, another person, a participle or a pronoun that follows the name without a comma."""
    if end == name_end:
        return end
    # "gave [Ann Poole ten dollars]"; the apostrophe of a possessive in two tokens, "[Ann Poole '] s house".
    amount = sentence.tags[name_end] == "CD" and not sentence.words[name_end].isupper()
    possessive = words[name_end] in _APOSTROPHES and words[name_end + 1 : name_end + 2] == ["s"]
    if (
        amount
        or possessive
        or words[name_end] in DETERMINERS
        or sentence.tags[name_end] in {"VBG", "VBN", "VBD", "PRP"}
    ):
        return name_end
    if words[name_end] == "," and _is_name(sentence, name_end + 1, end):
        return name_end
    dates = (index for index in range(name_end, end) if is_date(sentence, index))
    return next((index for index in dates if all(is_date(sentence, at) for at in range(index, end))), end)


def _is_name(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens [start, end) are a name in a list: "[Ann Poole, Karl Anker], and others"."""
    end -= sentence.words[end - 1] in {",", *_APOSTROPHES}
    proper = all(sentence.tags[index] == "NNP" and sentence.words[index].isalpha() for index in range(start, end))
    return proper and end - start > 1


def extend_right(sentence: Sentence, words: list[str], start: int, end: int, name_end: int) -> int:
    """The end with the home, the apposition, the age or the party directly after the name."""
    end = _over_home(sentence, words, start, end, name_end)
    end = _over_apposition(sentence, words, end, name_end)
    return _over_age_or_party(words, end, name_end)


def _over_home(sentence: Sentence, words: list[str], start: int, end: int, name_end: int) -> int:
    """Over "of" and a place or house ("[Hans Grimm] of Germany won")."""
    if end != name_end or words[end : end + 1] != ["of"]:
        return end
    last = end + 1
    while last < len(words) and sentence.tags[last] in {"NNP", "NNPS"} and is_capitalised(sentence.words[last]):
        last += 1
    # In "told Grimm of Germany's plan" and "convicted Grimm of Murder" the words after "of" belong to another phrase.
    after = sentence.tags[last] if last < len(words) else ""
    owns = after == "POS" or after.startswith("NN")
    governed = any(word.startswith(_VERBS_WITH_OF) for word in words[max(0, start - _VERB_DISTANCE) : start])
    return end if last == end + 1 or owns or governed else last


def _over_apposition(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """Over an apposition ("saw [Ann Poole], the mayor of Cork, leave").

    An apposition starts with an article or a possessive, contains neither a clause nor an "and", and ends at a punctuation
    mark. In
    "met Ann Poole, the mayor said" a verb follows; in "Ann Poole, the mayor, and Bo Li" three persons are listed.
    """
    if end != name_end or words[end : end + 1] != [","] or end + 2 >= len(words):
        return end
    if words[end + 1] not in ARTICLES and sentence.tags[end + 1] != "PRP$":
        return end
    for phrase in sentence.noun_phrases_from(end + 1):
        last = phrase.end
        closed = last < len(words) and words[last] in _MARKS and not AND & set(words[last + 1 : last + 2])
        if closed and not AND & set(words[end:last]) and not _has_clause(phrase):
            return last
    return end


def _has_clause(phrase: Node) -> bool:
    return any(node.label in {"S", "SBAR", "VP"} for node in phrase.subtrees())


def _over_age_or_party(words: list[str], end: int, name_end: int) -> int:
    """Over the age (", 57,"), the party ("(R-Texas)") or the comma that closes an apposition."""
    after = words[end : end + 6]
    if end == name_end and len(after) > 1 and after[0] == "(" and after[1] in _PARTIES and ")" in after:
        return end + after.index(")") + 1
    if end == name_end and len(after) > 2 and after[0] == "," and _is_age(after[1]) and after[2] in _MARKS:
        end += 2
    elif end == name_end and len(after) > 3 and after[0] == "," and after[1] in _PARTIES and after[2] == "-":
        end += 4  # ", R-Ohio"
    closing_comma = "," in words[name_end : end - 1] and words[end : end + 1] == [","]
    return end + 1 if closing_comma else end


def _is_age(word: str) -> bool:
    return word.isdecimal() and 0 < int(word) < _OLDEST
