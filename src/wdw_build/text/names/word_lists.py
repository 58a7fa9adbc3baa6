"""Word lists of the rules for names and persons, in folded form (see ``name.fold``).

The lists of given names are used where the corpus has no evidence.
"""

from __future__ import annotations

from wdw_build.text.date_words import MONTHS
from wdw_build.text.lexicon import phrases, word_list

FORMS_OF_GIVEN_NAMES = tuple(frozenset(forms.split()) for forms in phrases("forms_of_given_names"))
ALSO_WORDS = word_list("given_names_also_words")
GIVEN_NAMES = word_list("given_names").union(ALSO_WORDS, *FORMS_OF_GIVEN_NAMES)
# "May" is a name.
NEVER_ALONE = word_list("never_alone").union(MONTHS) - {"may"}
TITLES_NEVER_LAST = word_list("titles_never_last")
