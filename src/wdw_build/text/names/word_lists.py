"""Word lists of the rules for names and persons, in folded form (see ``matching.fold``), and forms of given names.

The lists of given names are used where the corpus has no evidence.
"""

from __future__ import annotations

import re

from wdw_build.text.lexicon import phrases, word_list

_FORMS = tuple(frozenset(forms.split()) for forms in phrases("forms_of_given_names"))
# A woman's name may begin with a man's: "Roberta", "Nicole", "Josephine".
_FEMININE = re.compile(r"[lnt]?[aei]|i[ae]|in[ae]|elle|ett[ae]")
_SHORTEST_PREFIX = 3
_SHORTEST_SPELLING = 4
ALSO_WORDS = word_list("given_names_also_words")
GIVEN_NAMES = word_list("given_names").union(ALSO_WORDS, *_FORMS)
FIRM_SUFFIXES = frozenset("inc corp co ltd plc bros brothers llc llp".split())
ORGANISATIONS = word_list("organisations")
NEVER_ALONE = word_list("never_alone")
NEVER_LAST = word_list("never_last")
TITLES_NEVER_LAST = word_list("titles_never_last")
BYWORDS = frozenset(phrases("bywords"))
SHIP_PREFIXES = frozenset("uss hms ss usns hmas".split())
# Words before a name in a sentence or a headline that are not part of the name.
SENTENCE_OPENERS = frozenset("can do how if is now then like who vote for in on to the just even only not".split())
NEVER_FIRST = word_list("never_first")
HEADLINE_WORDS = word_list("headline_words")
PARTIAL_TITLES = word_list("partial_titles")
THINGS = word_list("things")
COMMON = word_list("common_words") | word_list("words_that_begin_things")


def may_be_one_given_name(one: str, other: str) -> bool:
    """Whether two folded given names may be one person's: one begins with the other, or both are forms of one name."""
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or _are_forms_of_one_name(one, other)


def are_one_given_name(one: str, other: str) -> bool:
    """Whether two folded given names are surely forms or spellings of one name: "Bill" and "William", "Tracy" and "Tracey"."""
    short, long = sorted((one, other), key=len)
    is_prefix = (
        len(short) >= _SHORTEST_PREFIX and long.startswith(short) and not _FEMININE.fullmatch(long[len(short) :])
    )
    return is_prefix or _are_forms_of_one_name(one, other) or has_one_letter_more(one, other)


def _are_forms_of_one_name(one: str, other: str) -> bool:
    return any(one in forms and other in forms for forms in _FORMS)


def has_one_letter_more(one: str, other: str) -> bool:
    """Whether one of two folded words is the other with one letter more, which is neither the first nor the last."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) != 1 or len(short) < _SHORTEST_SPELLING or (long[0], long[-1]) != (short[0], short[-1]):
        return False
    return any(long[:index] + long[index + 1 :] == short for index in range(1, len(short)))
