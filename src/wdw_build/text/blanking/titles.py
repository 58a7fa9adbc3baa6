"""Titles and descriptions directly before a name, which may stay in the question ("Police spokesman SSP XXX said").

A form of address belongs to the name: without "Mr." and "Queen" the blank does not show the person's sex, and "Pope Francis" is
one name. In the examples, brackets mark the blank that a function returns.
"""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.records import Tokens, TokenSpan
from wdw_build.text.blanking.extend import OFFICES
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.blanking.words import (
    BODY_NOUNS,
    EPITHETS,
    ROLES_AND_TITLES,
    TIMES,
    is_balanced,
    is_capitalised,
    is_date,
)
from wdw_build.text.lexicon import word_list
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.name import GIVEN_NAMES, OFFICES_IN_CAPITALS, fold, parse

_TITLES_OF_NAMES = frozenset(map(fold, word_list("titles_of_names")))
_HONORIFICS = _TITLES_OF_NAMES.union(
    *map(word_list, "honorifics personal_honorifics rarer_honorifics masculine_titles feminine_titles".split())
)
# Words that begin a title, but end none. A chief is a head, too ("Navy Chief Ann Poole").
_BEGIN_TITLES = word_list("partial_titles") - {"chief"}
# Before a form of address they make an office of it: "First Lady"; not "former King".
_MAKE_OFFICES = _BEGIN_TITLES - EPITHETS
_IN_CAPITALS = OFFICES_IN_CAPITALS | word_list("personal_titles_as_written") | {"MP", "PM"}
_OFFICES = (ROLES_AND_TITLES | OFFICES | {*map(fold, _IN_CAPITALS)}) - _BEGIN_TITLES - _HONORIFICS
# Between an office and its body: "Minister of Finance", "Ambassador to Sri Lanka", "Chairman of the Election Commission".
_JOINERS = frozenset("of for to at in".split())


def without_title(
    sentence: Sentence, tokens: Tokens, blank: TokenSpan, name: TokenSpan, evidence: NameEvidence
) -> TokenSpan:
    """The part of a blank that is the name with its forms of address ("Prime Minister [Ann Poole]", "the cleric [Sheikh Omar]").

    The blank stays whole if the words before the name end in a possessor ("Britain's"), or in a word with a capital that may be
    of the name.
    """
    start, end = blank
    first = _over_honorifics(tokens, start, name[0])
    if first == start or not is_balanced([word.casefold() for word in tokens.words[first:end]]):
        return blank
    last = _end_of_description(tokens, start, first)
    is_titled = last >= start and (
        _is_title(sentence, last)
        or _is_outside_names(sentence, last, tokens.words[slice(*name)], evidence)
        or _ends_office_of_body(sentence, tokens, start, last)
    )
    return (first, end) if is_titled else blank


def _over_honorifics(tokens: Tokens, start: int, first: int) -> int:
    """Over the forms of address directly before a token, also if their full stop is a token of its own."""
    while first > start:
        word = first - 2 if tokens.words[first - 1] == "." and first - 1 > start else first - 1
        if not is_capitalised(tokens.words[word]) or fold(tokens.words[word]) not in _HONORIFICS:
            break
        if word > start and fold(tokens.words[word - 1]) in _MAKE_OFFICES:
            break
        first = word
    return first


def _end_of_description(tokens: Tokens, start: int, end: int) -> int:
    """The last word of the tokens [start, end), without a full stop or a short form in brackets ("Attorney General (AG)")."""
    words = tokens.words[:end]
    if words[-1] == "." and end - 1 > start:
        return end - 2
    is_short_form = words[-3:-2] == ("(",) and words[-1] == ")" and words[-2].isupper() and len(words[-2]) > 1
    return end - 4 if is_short_form else end - 1


def _is_title(sentence: Sentence, index: int) -> bool:
    """Whether a token is a title or an office, or a noun or adjective in small letters ("the sprinter", "the late")."""
    word = sentence.words[index]
    folded = fold(word)
    before = fold(sentence.words[index - 1]) if index else ""
    if folded in _OFFICES or (folded in _HONORIFICS and before in _MAKE_OFFICES):
        return True
    if folded in {"elect", "designate"} and sentence.words[index - 1] == "-":
        return True
    tag = sentence.tags[index]
    adjective = (tag.startswith("JJ") or word in EPITHETS) and word not in _BEGIN_TITLES
    describes = word.islower() and (tag.startswith("NN") or adjective)
    return describes and word not in TIMES | BODY_NOUNS and not is_date(sentence, index)


def _is_outside_names(sentence: Sentence, index: int, name: Sequence[str], evidence: NameEvidence) -> bool:
    """Whether the corpus shows a noun with a capital as a title, or in no name before a full name ("Biologist Ann Poole").

    "Crown" of "Crown Prince" is in no name either, but it is not a title.
    """
    word, folded = sentence.words[index], fold(sentence.words[index])
    if evidence.is_title(word):
        return True
    is_noun = sentence.tags[index].startswith("NN") and word.isalpha()
    if not is_noun or folded in _HONORIFICS | _BEGIN_TITLES or fold(sentence.words[index + 1]) in _TITLES_OF_NAMES:
        return False
    in_names = evidence.families(folded) or evidence.givens(folded) or folded in GIVEN_NAMES
    return not in_names and parse(" ".join(name)).is_full


def _ends_office_of_body(sentence: Sentence, tokens: Tokens, start: int, last: int) -> bool:
    """Whether a token ends an office with its body or place ("State Minister of Finance", "Attorney-at-Law")."""
    words = tokens.words
    if not sentence.tags[last].startswith("NNP"):
        return False
    joiners = (index for index in range(start + 1, last) if words[index].casefold() in _JOINERS)
    offices = (index - 2 if words[index - 1] == "-" else index - 1 for index in joiners)
    return any(index >= start and _is_title(sentence, index) for index in offices)
