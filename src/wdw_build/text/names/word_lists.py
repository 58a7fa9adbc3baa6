"""Word lists of the rules for names and persons, in folded form (see ``name.fold``).

The lists of given names are used where the corpus has no evidence.
"""

from __future__ import annotations

from wdw_build.text.lexicon import phrases, word_list

FORMS_OF_GIVEN_NAMES = tuple(frozenset(forms.split()) for forms in phrases("forms_of_given_names"))
ALSO_WORDS = word_list("given_names_also_words")
GIVEN_NAMES = word_list("given_names").union(ALSO_WORDS, *FORMS_OF_GIVEN_NAMES)
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
THINGS = word_list("things")
COMMON = word_list("common_words") | word_list("words_that_begin_things")
