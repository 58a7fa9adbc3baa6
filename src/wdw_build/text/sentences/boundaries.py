"""Checks the sentence boundaries of a neural tokenizer: rejects splits inside company names and after abbreviations.

Splitters trained on web text split newswire at "Banner Industries | Inc said" and "the U.K. | Government". A boundary is
accepted between paragraphs and after closing punctuation; after an abbreviation only before a word that starts sentences.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.text.lexicon import SHORT_MONTHS, SHORT_WEEKDAYS, word_list

# "May" is a whole word.
ABBREVIATIONS = word_list("abbreviations") | SHORT_WEEKDAYS | SHORT_MONTHS - {"may"}
_LETTERS = re.compile(r"\w+")
_CLOSING = frozenset("\"'”’)]}") | {"''"}
_FINAL = re.compile(r"[.!?]+$|…$")
_INITIALS = re.compile(r"^(?:[^\W\d_]\.)+$")
_WORD_WITH_STOP = re.compile(r"[^\W\d_]{4,}\.")
STARTERS = word_list("starters")
# Words that a sentence or a headline has at least before another sentence starts, and the marks that may close it.
_FEWEST_WORDS, _CLOSING_MARKS = 3, frozenset("')\"’”")

# The end of a sentence within a text; an abbreviation is mostly shorter.
SENTENCE_END = re.compile(r"\w\w\w[.!?…][\"”’)]*\s")

# Where a headline, a caption or a sentence lost its full stop: "… for migrants | Writing in", "… convicted | A judge has", "says
# Ann Ames | The rebels broke". After a preposition or an article the word is part of a title ("The Thick of It"), and after
# some nouns "A" is a label ("hepatitis A").
LOST_END = re.compile(
    # Quick pre-test: a word with a capital follows.
    r"\b(?=(?:[A-Za-z][a-z]+|\d+) [A-Z])"
    r"(?!(?i:of|in|on|at|for|to|from|with|by|and|or|the|an?|called|titled|directed|starring|as|than|nor|via|meet|is|if)\b)"
    r"(?!(?i:hepatitis|influenza|flu|type|group|grade|class|vitamin|category|level|plan|serie|division|schedule|section|"
    r"part|route|line|exhibit|team|tier|league|strain|virus|blood|list|side|hall|model|building|block|terminal|topic)s? A\b)"
    # Titles have these words inside: "Gone With the Wind", "The Hero With a Thousand Faces", "Also Known As".
    r"(?![A-Z][a-z]+ (?:While|When|If|Because|As|With|During|After|Before|Since|His|Her|Their|Its|Our)\b)"
    r"(?:[A-Za-z][a-z]+|\d+) "
    r"(?P<next>(?:According|It|He|She|They|But|However|Although|Writing|Speaking|Following|Meanwhile|While|When|If|There|"
    r"Despite|Because|The|This|These|Those|His|Her|Their|Its|Our|As|With|During|After|Before|Since)(?:['’]s)? (?=[a-z])"
    r"|A (?=[a-z]|[A-Z]{2,3} [a-z]|[A-Z][a-z]+ (?:man|woman|judge|court|official|police|firm|company)\b)"
    # "An" is also a name: "their eldest daughter An disappeared".
    r"|An (?=(?i:[aeiou]|hour|honest|hono|heir|historic|[fhlmnrsx][A-Z])))"
)


def ends_sentence(words: tuple[str, ...], following: str, gap: str) -> bool:
    """Whether a sentence may end after ``words``, where ``gap`` and then the word ``following`` come next."""
    if "\n" in gap or not following:
        return True
    end = len(words)
    while end > 1 and words[end - 1] in _CLOSING:
        end -= 1
    last = words[end - 1]
    if not _FINAL.search(last):
        return False
    separate_stop = last == "." and end > 1 and words[end - 2].casefold() in ABBREVIATIONS
    if separate_stop or (len(last) > 1 and _is_abbreviation(last)):
        return _starts_sentence(following)
    return not following[:1].islower()


def goes_on(last: str, following: str) -> bool:
    """Whether a sentence goes on after an abbreviation or initials, with a word that does not start sentences ("Aug.", "2")."""
    return _is_abbreviation(last) and not _starts_sentence(following)


def _starts_sentence(word: str) -> bool:
    return word.casefold() in STARTERS and word[:1].isupper()


def _is_abbreviation(word: str) -> bool:
    return bool(_INITIALS.match(word)) or word.casefold().rstrip(".") in ABBREVIATIONS


def is_word_with_stop(word: str) -> bool:
    """Whether a token is a word with the full stop of its sentence, not an abbreviation."""
    return bool(_WORD_WITH_STOP.fullmatch(word)) and not _is_abbreviation(word)


def is_start(words: Sequence[str], number: int) -> bool:
    """Whether a sentence may start at a word without a full stop before it.

    The word has a capital, and the word before it is no punctuation but a closing one.
    """
    last = words[number - 1].replace("-RRB-", ")")[-1:]
    return number >= _FEWEST_WORDS and words[number][:1].isupper() and (last.isalnum() or last in _CLOSING_MARKS)


def next_word(text: str, start: int) -> str:
    """The next word from an offset on, without marks before it."""
    word = _LETTERS.search(text, start)
    return word[0] if word else ""


def last_word(text: str) -> str:
    """The characters after the last space."""
    return "" if text[-1:].isspace() else "".join(text.rsplit(None, 1)[-1:])
