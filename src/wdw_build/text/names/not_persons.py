"""Rules that refuse tagged mentions that are not persons: parties and states, firms, storms, places, lone words.

The article decides first ("Mr. Lake", "analyst at", "Hurricane"), then the corpus, and last the word lists. A lone word
needs support: a title before the word, or a person of the article whose longer name contains the word.
"""

from __future__ import annotations

import functools
import itertools
import re
from typing import NamedTuple

from wdw_build.text.names import word_lists as lists
from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import PARTICLES, SUFFIXES, TITLES, clean, fold, is_identifying, parse
from wdw_build.text.names.word_lists import GIVEN_NAMES

_LETTERS = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"\s+")
# A domain ends in two letters ("Wyborcza.pl") that are no word: a space may be missing after a full stop ("Ames.he").
_DOMAIN = r"[^\W\d_]{3}\.(?:com|org|net|info|(?!(?:an|as|at|be|by|do|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)\b)[a-z]{2})\b"
_WEB = re.compile(rf"[@#/\\]|https?:|www\.|{_DOMAIN}")
_GIVEN_NAME_LAST = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+-[a-z]{1,6}")
# "JaishankarIndiaNew": words with a space lost between them, or a word too long for a name.
_RUN_TOGETHER = re.compile(r"[A-Z]\w{4,}[a-z][A-Z][a-z]|\w{25}")
# Arabic words for a front, an army or a party before the rest of its name, and the name of a broadcaster.
_BODY = re.compile(
    r"(?:Ahrar|Ansar|Arabiya|Harakat|Hezb|Hizb|Jabhat|Jaish|Jaysh|Jund|Katibat|Liwa) (?:al|as|ash|ul|e)[ -]",
    re.IGNORECASE,
)
_STANCE = re.compile(r"(?:anti|pro|non|ex|pre|post)-", re.IGNORECASE)
_PLACE_INITIALS = re.compile(r"U\.[SNK]|E\.[CU]")
# "J.R.", "T.": the tagger may leave the initials out of the name.
_INITIALS = re.compile(r"(?!U\.[SNK]\.|E\.[CU]\.)(?:[A-Z]\.){1,3}")
_QUOTES = frozenset("\"'“”‘’")
_LONGEST_ABBREVIATED_TITLE = len("Messrs.")


class _Form(NamedTuple):
    """What a mention alone shows. ``refusal`` is why the mention is not a person, or an empty string.

    ``single`` is the word of a mention that names the person by one word, else empty.
    """

    refusal: str
    is_lower_case: bool = False
    single: str = ""


# The same names recur in an article and in the articles of the same days.
@functools.lru_cache(1 << 14)
def _form(name: str) -> _Form:
    words = _SPACE.split(name.strip())
    folded = [fold(word) for word in words]
    if reason := _by_its_form(name, words, folded):
        return _Form(reason)
    single = next(word for word in words if parse(word).core) if _is_single_name(words, folded) else ""
    return _Form("", all(word.islower() for word in words), single)


def refusal(name: str, before: str, after: str, article: ArticleNames, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """Why a mention is not a person, or an empty string.

    ``before`` and ``after`` are the words beside the mention (empty at the ends of the sentence); ``article`` contains the
    mention, and ``evidence`` holds the counts of names in the corpus.
    """
    # "the 'Captain Cool' led"
    is_quoted = before[:1] in _QUOTES and after[:1] in _QUOTES and not after[1:2].isalpha()
    if is_quoted and len(parse(name).core) == 1 and TITLES & {fold(before), fold(name.split()[0])}:
        return "a nickname"
    form = _form(name)
    reason = form.refusal or _by_words_beside(form.is_lower_case, before, after)
    if reason:
        return reason
    if not form.single:
        return _refusal_of_full_name(clean(name), article, evidence)
    if _INITIALS.fullmatch(before):
        return ""
    ends_sentence = before.endswith(".") and len(before) > _LONGEST_ABBREVIATED_TITLE
    return _refusal_of_single_name(form.single, "" if ends_sentence else fold(before), article, evidence)


def _by_its_form(name: str, words: list[str], folded: list[str]) -> str:
    """Why the form of the mention shows that it is not a person, or an empty string."""
    several = len(words) > 1
    if not _LETTERS.search(name) or not parse(name).core:
        return "no word of a name"
    if any(character.isdigit() for character in name):
        return "a digit"
    if not {"&", "v.", "vs.", "vs"}.isdisjoint(words) or "and" in folded or " - " in f" {name} ":
        return "two names in one"
    if _WEB.search(name):
        return "a web address or handle"
    if _RUN_TOGETHER.search(name):
        return "words run together"
    if _STANCE.match(name):
        return "a stance on a person"
    if _BODY.match(name):
        return "the name of a body or an outlet"
    if several and folded[-1] in lists.TITLES_NEVER_LAST:
        return f"a title at its end ({words[-1]})"
    if several and folded[-1] in lists.NEVER_LAST:
        return f"no word of a name ({words[-1]})"
    return ""


def _by_words_beside(is_lower_case: bool, before: str, after: str) -> str:
    """Why the words directly beside the mention, or its small letters, show that it is not a person; or an empty string."""
    if fold(after) in lists.FIRM_SUFFIXES:
        return f"an organisation or place ({after})"
    # A comma separates: "the master of the vessel, Joseph Banda".
    if fold(before) in lists.THINGS and before[-1:].isalpha():
        return f"the name of a thing ({before})"
    if is_lower_case:
        return "no capital letter"
    return ""


def _is_single_name(words: list[str], folded: list[str]) -> bool:
    """Whether the mention names the person by one word, without given name, initial or title ("al Qaida").

    Capitalised particles may be given names ("Al Gore", "Ben Carson").
    """
    names = [
        part
        for word, part in zip(words, folded, strict=True)
        if part not in SUFFIXES and (part not in PARTICLES or word[:1].isupper())
    ]
    return len(names) <= 1 and not any(part in TITLES for part in folded[:-1])


# ---- names of several words ------------------------------------------------------------------------------------------


def _refusal_of_full_name(name: str, article: ArticleNames, evidence: NameEvidence) -> str:
    """Why a name of several words is not a person, by the article, the corpus and the lists; or an empty string."""
    words = _SPACE.split(name)
    if _has_word_twice(words) and not _is_doubled_name(name, words, article, evidence):
        return "a word twice"
    if fold(words[-1]) in lists.ORGANISATIONS:
        return "" if article.is_titled(words[-1]) else f"an organisation or place ({words[-1]})"
    if reason := _by_foreign_words(name, words, article, evidence):
        return reason
    titled = article.opens_with_title(name) or article.is_titled(name) or article.is_titled(words[-1])
    if titled or article.is_person_by_context(name):
        return ""
    given = _has_given_name(name, evidence)
    if evidence.is_thing(name, given):
        return "mostly the name of a thing in the corpus"
    if thing := evidence.misspelt_thing(name):
        return f"a misspelling ({thing})"
    if reason := _by_article(name, article, given):
        return reason
    if " ".join(fold(word) for word in name.replace("-", " ").split()) in lists.BYWORDS:
        return "a byword"
    return "" if given else _by_corpus(name, evidence)


def _has_word_twice(words: list[str]) -> bool:
    return any(len(one) > 2 and one == other for one, other in itertools.pairwise(map(fold, words)))


def _is_doubled_name(name: str, words: list[str], article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether a name of one word written twice recurs ("Sirhan Sirhan"): a slip of the pen or of the tagger does not."""
    return len(words) == 2 and (article.mentions[name] > 1 or evidence.leaning(name) > 1)


def _by_foreign_words(name: str, words: list[str], article: ArticleNames, evidence: NameEvidence) -> str:
    """Why the mention contains words that are not part of a name (of a sentence, headline or list), or an empty string."""
    first = words[0]
    if fold(first) in lists.SHIP_PREFIXES:
        return f"the name of a thing ({first})"
    if headline := next((word for word in words[1:] if fold(word) in lists.HEADLINE_WORDS), ""):
        return f"a word of a headline ({headline})"
    ordinary = fold(first) in lists.SENTENCE_OPENERS or _is_ordinary(first, name, article, evidence)
    known = article.shares_last_word(name) or evidence.is_known_alone(words[-1])
    if fold(first) in lists.NEVER_FIRST or (ordinary and known):
        return f"an ordinary word before a name ({first})"
    if other := article.begins_with_another(name):
        return f"more than a name ({other})"
    return ""


def _is_ordinary(first: str, name: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether the first word of a name is not a given name, particle or initial, and the article has it in lower case, too."""
    part_of_name = _has_given_name(name, evidence) or fold(first) in PARTICLES or len(first) == 1
    return not part_of_name and article.is_in_lower_case(first)


def _by_article(name: str, article: ArticleNames, given: bool) -> str:
    """Why the article shows that the name is not a person's, or an empty string.

    A name with a given name needs the evidence at every occurrence, because an article may contain "Ivan Boesky" and
    "Ivan Boesky Corp".
    """
    if firm := article.firm(name, everywhere=given):
        return f"the name of a firm or scheme ({firm})"
    if staff := article.employer(name, everywhere=given):
        return f"an employer ({staff})"
    if not given and article.is_thing(name):
        return "the name of a body, an outlet or an event"
    if not given and (work := article.work(name)):
        return f"the title of a work ({work})"
    return "only in quotation marks" if article.is_quoted(name) else ""


def _has_given_name(name: str, evidence: NameEvidence) -> bool:
    """Whether the first word is a given name by the corpus or the list, or a given name stands last.

    "Sun Li-jen", "Roh Moo-hyun": a hyphen before a small letter joins a given name.
    """
    first = parse(name).core[0]
    return bool(_GIVEN_NAME_LAST.fullmatch(name)) or evidence.is_given(first) or first in GIVEN_NAMES


def _by_corpus(name: str, evidence: NameEvidence) -> str:
    if evidence.is_something_else(name):
        return "mostly no person in the corpus"
    words = parse(name).core
    if evidence.opens_something_else(words[0]) and not evidence.ends_a_person(words[-1]):
        return f"opens names of organisations or places in the corpus ({words[0]})"
    if evidence.ends_something_else(words[-1]):
        return f"ends names of organisations or places in the corpus ({words[-1]})"
    return ""


# ---- names of one word -----------------------------------------------------------------------------------------------


def _refusal_of_single_name(word: str, before: str, article: ArticleNames, evidence: NameEvidence) -> str:
    """Why a lone word is not a person, or an empty string; ``before`` is the folded word before it."""
    folded, word = fold(word), clean(word)
    if folded in lists.NEVER_ALONE or folded in TITLES:
        return "no name"
    if folded in lists.ORGANISATIONS:
        return f"an organisation or place ({word})"
    if before in TITLES and before not in lists.PARTIAL_TITLES:
        return ""
    if word.isupper() and len(word) <= 4:
        return "an acronym"
    if f"{word} and {word}" in article.text:
        return "two names in one"
    if article.is_titled(word) or _has_longer_name(word, article, evidence):
        return ""
    known = evidence.is_known_alone(word) and not article.firm(word)
    return "" if known else "a lone word"


def _has_longer_name(word: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether a person's longer name in the article holds the word: another mention, or a given name before the word."""
    for name in article.longer_mentions.get(parse(word).core[0], ()):
        if not refusal(name, "", "", article, evidence):
            return True
    return any(_is_untagged_person(f"{first} {word}", first, article, evidence) for first in article.words_before(word))


def _is_untagged_person(name: str, first: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether two capitalised words that the tagger did not label are a person's name."""
    if fold(first) in TITLES or _PLACE_INITIALS.match(first):
        return False
    if _INITIALS.fullmatch(first):
        return True
    if not is_identifying(fold(first)):
        return False
    known = _has_given_name(name, evidence) or evidence.leaning(name) > 0 or article.is_person_by_context(name)
    return known and not refusal(name, "", "", article, evidence)
