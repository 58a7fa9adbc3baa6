"""Word lists and tests that trimming, extending and refusing a noun phrase share."""

from __future__ import annotations

import re

from wdw_build.records import Tokens
from wdw_build.text.blanking.trees import DAYS, Sentence
from wdw_build.text.lexicon import MONTHS, SHORT_MONTHS, WEEKDAYS, phrases, word_list
from wdw_build.text.names.beside import ROLES
from wdw_build.text.names.name import BEFORE_A_NAME, fold

AND = frozenset({"and", "&"})
ARTICLES = frozenset({"a", "an", "the"})
DETERMINERS = ARTICLES | {"another", "every"}
EPITHETS = word_list("epithets")
# Nouns that describe the person whose name follows, whatever their tag.
ROLES_AND_TITLES = BEFORE_A_NAME | ROLES | frozenset("member legislator parliamentarian stalwart".split())
# Adverbs that modify the next participle ("newly elected").
DEGREES = frozenset("newly recently freshly duly democratically freely twice".split())
# After an auxiliary the participle is a verb: "has forgiven [Alan Strydom]".
AUXILIARIES = frozenset("has have had having is are was were be been being".split())
# Adjectives that state a result: "shot [dead Terence Crutcher]".
RESULTS = frozenset("dead alive free guilty unconscious alone".split())
AFTER_IN = word_list("after_in")
KINDS = frozenset("kind type sort".split())
CLAUSE_ADJECTIVES = word_list("clause_adjectives")
BODY_NOUNS = word_list("body_nouns")
GROUPS = BODY_NOUNS | word_list("groups")
TIMES = word_list("times")
_MONTHS = SHORT_MONTHS.union(MONTHS)
_COMPOUNDS = frozenset(phrases("participle_compounds"))
# "met with Sunday Beck": other prepositions and verbs are before days.
_NO_TIME_FOLLOWS = frozenset("of with against and named".split())
_ZONES = frozenset("gmt bst utc est edt pst pdt".split())
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
_NUMBER = re.compile(r"\d{1,4}(?:[.:]\d\d)?")


def touches_previous(tokens: Tokens, index: int) -> bool:
    """Whether token ``index`` follows the previous token without a space."""
    return index > 0 and tokens.spans[index - 1][1] == tokens.spans[index][0]


def is_capitalised(word: str) -> bool:
    """Whether the first character is a capital letter."""
    return word[:1].isupper()


def opens_compound(sentence: Sentence, index: int) -> bool:
    """Whether a token and the next one are a noun for a person that begins with a participle ("running mate")."""
    return " ".join(sentence.words[index : index + 2]).casefold() in _COMPOUNDS


def is_verb(sentence: Sentence, index: int) -> bool:
    """Whether a participle is a verb: after its subject or an auxiliary ("would have already [sacked …")."""
    if sentence.tags[index] not in {"VBN", "VBD", "VBG"}:
        return False
    before = index - 1
    while before >= 0 and sentence.tags[before] == "RB":
        before -= 1
    if before < 0:
        return False
    # "will interview [fired FBI director James Comey]": a verb that was tagged as a noun.
    base = before > 0 and sentence.tags[before - 1] in {"MD", "TO"}
    subject = sentence.tags[before].startswith(("NN", "PRP")) and sentence.tags[before] != "PRP$"
    return sentence.words[before].casefold() in AUXILIARIES or (subject and not base)


def _is_given_name(sentence: Sentence, index: int) -> bool:
    """Whether a weekday is a given name: before a name, and first in the sentence or after a word that no time follows."""
    word, following = sentence.words[index], fold("".join(sentence.words[index + 1 : index + 2]))
    before = fold(sentence.words[index - 1]) if index else ""
    named = word.istitle() and sentence.tags[index + 1 : index + 2] == ["NNP"] and following not in ROLES_AND_TITLES
    return named and (not index or before in ROLES_AND_TITLES | _NO_TIME_FOLLOWS) and following not in DAYS | _MONTHS


def is_date(sentence: Sentence, index: int) -> bool:
    """Whether a token is a weekday, "today", or part of a date ("19 March", "July 26, [2005 …", "In [2004 President …")."""
    words = [word.casefold().rstrip(".") for word in sentence.words[: index + 2]]
    word, before, after = words[index], words[index - 1] if index else "", "".join(words[index + 1 :])
    if word in DAYS | _ZONES:
        return not _is_given_name(sentence, index)
    if word in _MONTHS:
        return bool(_NUMBER.fullmatch(before) or _NUMBER.fullmatch(after))
    if not _NUMBER.fullmatch(word):
        return False
    if before in _MONTHS.union(WEEKDAYS) | {"in", "since"} or after in _MONTHS:
        return True
    previous = index - 2 if before == "," else index - 1
    return previous >= 0 and bool(_NUMBER.fullmatch(words[previous])) and is_date(sentence, previous)


def is_balanced(words: list[str]) -> bool:
    """Whether quotation marks and brackets that open in the phrase close in it."""
    brackets = sum(word in _OPEN for word in words) == sum(word in _CLOSED for word in words)
    curled = sum(word in {"“", "``"} for word in words) == sum(word in {"”", "''"} for word in words)
    return brackets and curled and words.count('"') % 2 == 0
