"""Gendered words about one mention of a person: titles, nouns in apposition, relatives, and pronouns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.records import Span
from wdw_build.text.names.matching import fold

_OF_WOMEN = (
    "actress ballerina businesswoman chairwoman comedienne congresswoman councilwoman female gentlewoman girl girlfriend "
    "granddaughter grandmother heiress hostess housewife lady landlady niece noblewoman nun policewoman saleswoman "
    "schoolgirl schoolmistress spokeswoman sportswoman stateswoman stepmother waitress woman aunt daughter mom mother "
    "sister widow wife"
)
_OF_MEN = (
    "actor boy boyfriend brother businessman congressman councilman dad father gentleman godfather grandfather grandson "
    "husband landlord male man monk nephew nobleman policeman salesman schoolboy schoolmaster son sportsman stepfather "
    "uncle waiter widower"
)
_TITLES_OF_WOMEN = (
    "mrs ms miss dame queen princess duchess countess baroness empress madame madam mme señora senora frau first-lady"
)
_TITLES_OF_MEN = "mr sir lord king prince duke count baron emperor señor senor herr monsieur spokesman pope cardinal"
# Before a name without a comma, these nouns may begin a clause ("a woman Tom Quillby met").
_NO_TITLES = frozenset("boy female girl male man woman".split())
_TITLES = {word: 1 for word in f"{_TITLES_OF_WOMEN} {_OF_WOMEN}".split() if word not in _NO_TITLES} | {
    word: -1 for word in f"{_TITLES_OF_MEN} {_OF_MEN}".split() if word not in _NO_TITLES
}
_NOUN = rf"(?:(?P<woman>{'|'.join(_OF_WOMEN.split())})|{'|'.join(_OF_MEN.split())})\b"
_BEFORE = re.compile(r"([\w-]+)\.?,?\s+$")
# Words between an article and its noun; a preposition or a relative pronoun begins another phrase.
_MODIFIERS = r"(?:(?!of\b|for\b|to\b|with\b|from\b|by\b|who\b|whose\b|and\b|in\b|at\b|on\b|as\b)[\w’'-]+,?\s+){0,4}?"
_APPOSITION = re.compile(
    rf",?\s+(?:\d+,\s+|(?:is|was|remains|became|has been|had been)\s+(?:not\s+)?)?(?:an?|the|his|her|my)\s+{_MODIFIERS}{_NOUN}",
    re.IGNORECASE,
)
_LINKED = re.compile(r",|\s+(?:is|was|remains|became|ha[sd] been)\b")
_PARTNER = re.compile(
    r"(?:['’]s?|,? whose)\s+(?:(?:late|ex|former|first|second)[\s-]+)?(?:(wife|girlfriend)|husband)\b"
)
# A possessive "her" stands before a word that is no function word.
_FUNCTION_WORDS = (
    "a again an and as asking back at but by during for from he if in into is it of on or "
    "out over she so than that the they to was when with"
)
_NO_NOUN = rf"(?:{'|'.join(_FUNCTION_WORDS.split())})\b"
_SUBJECT = re.compile(r"\b(?:(she|herself)|he|himself)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(rf"\b(?:(her) (?!{_NO_NOUN})[a-z]|his [a-z])", re.IGNORECASE)
_NEXT_SENTENCE = re.compile(r"(?:(She|Her)|He|His)\b")
# A name, a quotation or a sentence's end: a pronoun after it may be another person's.
_BARRIER = re.compile(r"[A-Z]|[“\"]|\n")
_SPEECH = re.compile(
    r",?\s+(?:ha[sd]\s+)?(?:said|says|told\s+[\w ]{2,30}|added|announced|argued|claimed|insisted|noted|stressed|testified|"
    r"vowed|promised|believes|thinks)\s+(?:that\s+)?(?:(she)|he)\b"
)
# What stands between the start of a sentence or clause and its subject.
_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Sir|Dame|Lord|Lady|Sen|Senator|Rep|Gov|Governor|President|Secretary|Minister|Chancellor|Judge)"
_BEFORE_SUBJECT = re.compile(
    rf"(?:[“\"‘']?|.*\b(?:after|although|and|as|because|before|but|if|since|that|though|when|where|while)\s+|"
    rf"(?:(?!\b(?:he|her|his|she|an?|the)\b)[^,])*,\s+)(?:the |former |{_TITLE}\.? )*",
    re.DOTALL | re.IGNORECASE,
)
_OTHER_NAME = re.compile(rf"\b(?!{_TITLE}\b)[A-Z]")
_POSSESSOR = re.compile(r"['’]s?\b|['’]\s")
_OPENING = re.compile(
    r"[“\"]?(?:In|After|During|With|At|For|On|Before|Despite|Throughout)\s+(?:(her)|his)\b[^.!?]*,\s+$"
)
_SENTENCE_END = re.compile(r"(?<!\b[A-Z])(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2})[.!?][\"”’']?\s|\n")
_REACH = 160
_NEARBY = re.compile(
    r"\b(?:(she|her|hers|herself|woman|lady|actress|congresswoman|businesswoman|schoolmistress|gentlewoman)|"
    r"he|him|his|himself|man|gentleman|actor|congressman|businessman|schoolmaster)\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:[Bb]oth|(?:[Tt]he|[Tt]hese) two)\s+(?:(women|ladies|sisters|actresses)|men|gentlemen|brothers|actors)\b"
)


def title_vote(text: str, mention: Span, _starts: Sequence[int] = ()) -> int:
    """1 if a title, a noun in apposition or a partner of the person tells a woman, -1 for a man, else 0."""
    before = _BEFORE.search(text[max(0, mention.start - 30) : mention.start])
    first, _, rest = text[mention.start : mention.end].partition(" ")
    for word in ([before[1]] if before else []) + ([first] if rest else []):
        if vote := _TITLES.get(fold(word), 0):
            return vote
    if partner := _PARTNER.match(text, mention.end):
        return -1 if partner[1] else 1
    if not _LINKED.match(text, mention.end):
        return 0
    noun = _APPOSITION.match(text, mention.end)
    return 0 if noun is None else 1 if noun["woman"] else -1


def pronoun_vote(text: str, mention: Span, starts: Sequence[int]) -> int:
    """1 or 2 if a pronoun near a mention tells a woman, -1 or -2 for a man, else 0; 2 for "she", "he" and reflexives.

    The pronoun is the subject of what the person says, or it refers to the person as the subject of a sentence: it follows
    before any other name or quotation, opens the next sentence, or opens the sentence as a possessive. ``starts``: the
    starts of all persons' mentions.
    """
    if speech := _SPEECH.match(text, mention.end):
        return _vote(speech)
    start = _sentence_start(text, mention.start)
    before = text[start : mention.start]
    if opening := _OPENING.match(before):
        return _vote(opening)
    is_first = not any(start <= other < mention.start for other in starts) and not _OTHER_NAME.search(before, 1)
    if not is_first or not _BEFORE_SUBJECT.fullmatch(before) or _POSSESSOR.match(text, mention.end):
        return 0
    return _following_vote(text, mention.end)


def _following_vote(text: str, start: int) -> int:
    """The vote of the first pronoun after the subject of a sentence."""
    sentence_end = _SENTENCE_END.search(text, start, start + _REACH)
    barrier = _BARRIER.search(text, start, start + _REACH)
    limit = (
        min(match.start() for match in (sentence_end, barrier) if match) if sentence_end or barrier else start + _REACH
    )
    if subject := _SUBJECT.search(text, start, limit):
        return 2 * _vote(subject)
    if possessive := _POSSESSIVE.search(text, start, limit + 1):
        return _vote(possessive)
    following = sentence_end and limit == sentence_end.start() and _NEXT_SENTENCE.match(text, sentence_end.end())
    return _vote(following) if following else 0


def nearby_vote(text: str, mention: Span, starts: Sequence[int]) -> int:
    """1 if the first pronoun or gendered noun between a mention and the next name is a woman's, -1 for a man's, else 0."""
    limit = min([other for other in starts if other >= mention.end] + [mention.end + _REACH, len(text)])
    word = _NEARBY.search(text, mention.end, limit)
    return 0 if word is None else _vote(word)


def pair_vote(text: str, mention: Span, starts: Sequence[int]) -> int:
    """1 if "the two women" follows the mention and at most one other name, -1 for "the two men", else 0."""
    pair = _PAIR.search(text, mention.end, mention.end + 2 * _REACH)
    if pair is None or sum(mention.end <= other < pair.start() for other in starts) > 1:
        return 0
    return _vote(pair)


def _vote(match: re.Match[str]) -> int:
    return 1 if match[1] else -1


def _sentence_start(text: str, offset: int) -> int:
    ends = [match.end() for match in _SENTENCE_END.finditer(text, max(0, offset - 2000), offset)]
    return ends[-1] if ends else max(0, offset - 2000)
