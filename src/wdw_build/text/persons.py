"""Mentions that a tagger calls persons and that are none: parties and states, companies, places, lone words.

The rules answer faults counted on real wire text. A lone word needs support: a title before it, or a longer name in the
same article that it is a part of.
"""

from __future__ import annotations

import functools
import re

from wdw_build.text.names import PARTICLES, TITLES, clean, counting_words, fold

_COMPANY = frozenset(
    "inc corp co ltd plc llc llp ag sa nv gmbh bros brothers sons bank group holdings holding industries motors oil "
    "energy airlines airways securities partners associates university college institute hospital foundation museum "
    "party committee commission council ministry department agency association federation union league club press "
    "news times post journal tribune bridge street avenue square park airport stadium river lake bay island islands "
    "mount county district province administration act bill amendment cup prize award medal trophy hughes-tool fund "
    "trust court church cathedral school studios records films pictures orchestra rovers wanderers athletic boldklub "
    "rangers shipping lines line mines mining steel works house senate congress parliament cabinet throne palace "
    "treasury pentagon kremlin wire classic invitational derby".split()
)
_NOT_A_NAME = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december republican republicans democrat democrats labour liberal conservative christmas easter "
    "god allah i he she they we you it who".split()
)
# What bears a name like a person's, if it stands before it: "the galleon Santa Brígida".
_THINGS = frozenset(
    "ship galleon tanker ferry trawler yacht vessel steamer freighter schooner frigate destroyer boat barge tug liner sloop "
    "club newspaper magazine novel film opera horse racehorse stallion mare colt dog hurricane typhoon cyclone storm "
    "village town city island hotel restaurant brokerage brokers stockbrokers firm company".split()
)
_LETTERS = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"\s+")
# "J.R.", "T.": a tagger may leave the initials out of the name.
_INITIALS = re.compile(r"(?!U\.[SNK]\.|E\.[CU]\.)(?:[A-Z]\.){1,3}")
# Who is named with a firm after them: "an analyst with James Capel".
_STAFF = r"(?:analyst|economist|broker|dealer|trader|strategist|banker|consultant|partner|researcher)s?"
_STOP = re.compile(r"[.!?\"”]\s\Z")


def refusal(name: str, before: str, after: str, article: str) -> str:
    """Why a mention is no person, or an empty string.

    ``before`` and ``after`` are the words beside it (empty at the sentence's ends); ``article`` is the text in
    which a lone word's support is looked for.
    """
    words = _SPACE.split(name.strip())
    folded = [fold(word) for word in words]
    if not _LETTERS.search(name) or not counting_words(name):
        return "no word of a name"
    if any(ch.isdigit() for ch in name):
        return "a digit"
    if "&" in words or "and" in folded or " - " in f" {name} ":
        return "two names in one"
    if folded[-1] in _COMPANY or fold(after) in {"inc", "corp", "co", "ltd", "plc", "bros", "brothers", "llc"}:
        return f"an organisation or place ({words[-1] if folded[-1] in _COMPANY else after})"
    if len(words) > 1 and (firm := _as_a_firm(name).search(article)):
        return f"the name of a firm or scheme ({firm.group(1)})"
    if len(words) > 1 and (staff := _as_an_employer(name).search(article)):
        return f"an employer ({staff.group(1)})"
    # Not over a comma: "the master of the vessel, Joseph Banda".
    if fold(before) in _THINGS and not before.endswith((",", ";")):
        return f"the name of a thing ({before})"
    if all(word.islower() for word in words):
        return "no capital letter"
    if len(words) == 1:
        return "" if _INITIALS.fullmatch(before) else _lone(clean(words[0]), folded[0], fold(before), article)
    return ""


@functools.lru_cache(maxsize=4096)
def _as_a_firm(name: str) -> re.Pattern[str]:
    """The name with a word after it that no person's name has, anywhere in the article."""
    return re.compile(rf"{re.escape(name)}\s+(Inc|Corp|Co|Ltd|PLC|Plc|S\.?p\.?[aA]|AG|NV|SA|Group|Plan|Accord|Motors?)\b")


@functools.lru_cache(maxsize=4096)
def _as_an_employer(name: str) -> re.Pattern[str]:
    """The name as the place where somebody works, anywhere in the article."""
    return re.compile(rf"\b({_STAFF} (?:at|with|from|for))\s+{re.escape(name)}\b", re.IGNORECASE)


def _lone(word: str, folded: str, before: str, article: str) -> str:
    if folded in _NOT_A_NAME or folded in TITLES:
        return "no name"
    if before in TITLES:
        return ""
    if word.isupper() and len(word) <= 4:
        return "an acronym"
    longer = any(
        not _opens_sentence(article[max(0, found.start() - 40) : found.start()])
        for found in _longer_name(word).finditer(article)
    )
    return "" if longer else "a lone word"


def _opens_sentence(before: str) -> bool:
    """Whether what follows ``before`` has its capital from opening a sentence (not after "Sen." or an initial)."""
    if not _STOP.search(before):
        return False
    last = before.split()[-1]
    return not last.endswith(".") or (fold(last) not in TITLES and len(last) != 2)


@functools.lru_cache(maxsize=4096)
def _longer_name(word: str) -> re.Pattern[str]:
    """A capitalised word, particles between or joined to it, then ``word``."""
    particles = "|".join(sorted(PARTICLES - {"and", "the", "of"}))
    given = r"[^\W\d_a-z][\w'’.-]*"
    own = re.escape(word)
    return re.compile(
        rf"(?<![\"“.])\b(?!U\.[SNK]\.|E\.[CU]\.)(?!(?:The|A|An|On|In|At|But|And|Mr|Mrs|Ms|Dr|Even|Only|Not|So|Yet|For|From|With|When)\b){given}\s+(?:(?i:{particles})[\s-]+)*{own}\b"
    )
