"""Function words of English."""

from __future__ import annotations

from wdw_build.text.lexicon import word_list

STOP_WORDS = word_list("function_words")
"""Closed-class words, casefolded, with straight apostrophes."""
