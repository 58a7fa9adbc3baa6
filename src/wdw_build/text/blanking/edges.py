"""The edges of a person's noun phrase: words that are not deleted with the name, titles before it, home or party after it.

"shot [dead Terence Crutcher]" and "[Ann Poole, the mayor]" are trimmed; "[Hans Grimm] of Germany" is extended. A title or a
description directly before a name may stay in the question: "Police spokesman SSP [XXX] said". A form of address belongs to the
name: without "Mr." and "Queen" the blank does not show the person's sex, and "Pope Francis" is one name.

In the examples, brackets mark the phrase before it changes, or the blank that ``without_title`` returns. All other functions that
move an edge return a token offset: the new edge of the phrase, or the given offset if the edge stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from wdw_build.records import Tokens, TokenSpan
from wdw_build.text.blanking.extend import OFFICES
from wdw_build.text.blanking.trees import Sentence
from wdw_build.text.blanking.words import (
    AFTER_IN,
    BODY_NOUNS,
    CLAUSE_ADJECTIVES,
    DETERMINERS,
    EPITHETS,
    GROUPS,
    KINDS,
    RESULTS,
    ROLES_AND_TITLES,
    TIMES,
    is_balanced,
    is_capitalised,
    is_date,
    is_verb,
    opens_compound,
    touches_previous,
)
from wdw_build.text.lexicon import word_list, words_in_order
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.name import GIVEN_NAMES, fold, parse

# Tags of words that begin a clause: "rumor has [it President Reagan would go]", "the winner [who Donald Trump] once praised".
_CLAUSE_TAGS = frozenset({"PRP", "WP", "WDT", "WRB", "EX", "MD"})
_PREDETERMINERS = frozenset("all no both not even only just".split())
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
_APOSTROPHES = frozenset("'’")
_HEADS = word_list("heads")
_PARTIES = frozenset({"r", "d", "i", "r.", "d.", "i."})
# Tags of the marks that set a part of the sentence off: commas, dashes, semicolons and colons.
_SEPARATORS = frozenset({",", ":"})
_SUFFIXES = frozenset({"jr", "jr.", "sr", "sr."})
# Words of a time after the name: "said [Ann Poole last week]".
_TIMES = frozenset("last next earlier yesterday today tonight".split())
# How many tokens before the phrase a verb with "of" is looked for.
_VERBS_WITH_OF = words_in_order("verbs_with_of")
_BEFORE_INFINITIVES = word_list("verbs_before_infinitives")
_VERB_DISTANCE = 4

_TITLES_OF_NAMES = frozenset(map(fold, word_list("titles_of_names")))
_HONORIFICS = _TITLES_OF_NAMES.union(
    *map(word_list, "honorifics personal_honorifics rarer_honorifics masculine_titles feminine_titles".split())
)
# Words that begin a title, but end none. A chief is a head, too ("Navy Chief Ann Poole").
_BEGIN_TITLES = word_list("partial_titles") - {"chief"}
# Before a form of address they make an office of it: "First Lady"; not "former King".
_MAKE_OFFICES = _BEGIN_TITLES - EPITHETS
_IN_CAPITALS = word_list("personal_titles_as_written").union("CEO CFO COO CTO GM DGM AGM DIG IGP SSP OIC MP PM".split())
_OFFICES = (ROLES_AND_TITLES | OFFICES | {*map(fold, _IN_CAPITALS)}) - _BEGIN_TITLES - _HONORIFICS
# Between an office and its body: "Minister of Finance", "Ambassador to Sri Lanka", "Chairman of the Election Commission".
_JOINERS = frozenset("of for to at in".split())


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
    # "the minister, [Ann Poole]": the description is set off.
    return name_start if sentence.words[name_start - 1] == "," and start < name_start else start


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
    # At the start of a sentence, it has a capital and may be tagged as an adjective.
    first = not index and tag in {"VBG", "JJ"} and word.endswith("ing")
    gerund = first or (tag == "VBG" and written.islower() and not touches_previous(tokens, index))
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
    # "the death of [Ann Poole]": the noun before it is no description of the person.
    if index + 1 == name_start and sentence.words[index] == "of" and sentence.words[index - 1].islower():
        return True
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
    """Whether the phrase starts with a verb ("history will [judge Reagan]", "[sentenced Bruno Valli]", "to [beat Reagan]")."""
    if opens_compound(sentence, start):
        return False
    if start and sentence.tags[start - 1] == "MD":
        return sentence.words[start].islower()
    if start and sentence.words[start - 1] == "to" and sentence.words[start] not in ROLES_AND_TITLES | EPITHETS:
        takes_infinitive = start > 1 and sentence.words[start - 2] in _BEFORE_INFINITIVES
        # "said no to [relief envoy Ann Poole]": a noun that was tagged as a verb.
        is_verb_by_tag = sentence.tags[start] == "VB" and sentence.words[start + 1] not in ROLES_AND_TITLES
        if is_verb_by_tag or (takes_infinitive and sentence.tags[start] in {"JJ", "NN", "VB", "VBP"}):
            return sentence.words[start].islower()
    if touches_previous(tokens, start + 1):
        return False
    return is_verb(sentence, start) or (start + 1 == name_start and sentence.tags[start] in {"VBN", "VBD"})


def trim_right(sentence: Sentence, words: list[str], start: int, end: int, name_end: int) -> int:
    """The end without what a comma or a dash sets off, and without a date, a participle or a pronoun after the name.

    One rule for all appositions: "XXX, the mayor of Cork, 57, said" and "the mayor of Cork, XXX, said".
    """
    end = next((index for index in range(name_end, end) if _sets_off(sentence, words, index, name_end)), end)
    if end == name_end:
        return end
    # "gave [Ann Poole ten dollars]"; the apostrophe of a possessive in two tokens, "[Ann Poole '] s house".
    amount = sentence.tags[name_end] == "CD" and not sentence.words[name_end].isupper()
    possessive = words[name_end] in _APOSTROPHES and words[name_end + 1 : name_end + 2] == ["s"]
    # "acceptance by [Ann Poole of her inability]", "to accuse [the mayor Ann Poole of fraud]"
    of_another = words[name_end] == "of" and (
        sentence.tags[name_end + 1 : name_end + 2] == ["PRP$"] or _is_governed(words, start)
    )
    if (
        amount
        or possessive
        or of_another
        or words[name_end] in DETERMINERS | _TIMES
        or sentence.tags[name_end] in {"VBG", "VBN", "VBD", "PRP"}
    ):
        return name_end
    # The score of a game: "beat [Ann Poole of Cork] 3-1".
    if sentence.tags[end - 1] == "CD" and words[end : end + 1] and words[end][0] in "-–":
        end -= 1
    dates = (index for index in range(name_end, end) if is_date(sentence, index))
    return next((index for index in dates if all(is_date(sentence, at) for at in range(index, end))), end)


def _sets_off(sentence: Sentence, words: list[str], index: int, name_end: int) -> bool:
    """Whether a token is a comma or dash after the name, other than in brackets and before "Jr."."""
    suffix = words[index + 1 : index + 2]
    return sentence.tags[index] in _SEPARATORS and is_balanced(words[name_end:index]) and not _SUFFIXES & set(suffix)


def extend_right(sentence: Sentence, words: list[str], start: int, end: int, name_end: int) -> int:
    """The end with the home ("[Hans Grimm] of Germany") or the party ("[Ann Poole] (R-Texas)") directly after the name."""
    after = words[end : end + 6]
    if end == name_end and len(after) > 1 and after[0] == "(" and after[1] in _PARTIES and ")" in after:
        return end + after.index(")") + 1
    end = _over_home(sentence, words, start, end, name_end)
    # "of Erie, Pa., received": a place with its state stays together, outside the phrase.
    is_parted = words[name_end : name_end + 1] == ["of"] and words[end : end + 3 : 2] == [",", ","]
    return name_end if is_parted and sentence.tags[end + 1] == "NNP" else end


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
    return end if last == end + 1 or owns or _is_governed(words, start) else last


def _is_governed(words: list[str], start: int) -> bool:
    """Whether a verb that takes "of" stands shortly before a phrase ("accused the mayor of fraud")."""
    return any(word.startswith(_VERBS_WITH_OF) for word in words[max(0, start - _VERB_DISTANCE) : start])


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
