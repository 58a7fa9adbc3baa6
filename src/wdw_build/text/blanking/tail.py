"""The text after a name that describes the person: home, apposition, age, party ("[Ann Poole], the mayor of Cork").

Every function returns a token offset: the new end of the phrase, or the given end if the phrase is not extended. In the
examples, brackets mark the phrase before it is extended.
"""

from __future__ import annotations

from wdw_build.text.blanking.nodes import Node
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.blanking.words import AND, ARTICLES, is_capitalised

_PARTIES = frozenset({"r", "d", "i", "r.", "d.", "i."})
_MARKS = frozenset({",", ".", ";"})
_OLDEST = 120
# Verbs that take "of" ("accused XXX of Fraud"), and how many tokens before the phrase they are looked for.
_VERBS_WITH_OF = tuple(
    "accus acquit advis assur clear convict convinc cur depriv inform notif remind rid rob strip suspect told tell warn".split()
)
_VERB_DISTANCE = 4


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
