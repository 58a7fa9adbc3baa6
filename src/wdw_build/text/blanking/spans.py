"""The edges of a person's noun phrase where parsers set them wrongly: what belongs to it on the left, and what does not.

Works on tokens, tags and the tree of one sentence; every function returns a token offset, and the offset that it was given
where it has nothing to change. "a London-based [financier Erik Penser]" and "Bank of [France Governor Jacques Larosière]"
are extended; "shot [dead Terence Crutcher]" and "[Donald Trump heading into the debate]" are trimmed.
"""

from __future__ import annotations

from typing import Any

from wdw_build.records import Tokens
from wdw_build.text.blanking.trees import WEEKDAYS, Sentence
from wdw_build.text.names.matching import BEFORE_A_NAME, TITLES, fold

# Participles that stand before a person as adjectives ("visiting Senegalese Prime Minister …"), whatever their tag.
EPITHETS = frozenset(
    "retired outgoing embattled jailed ousted exiled convicted veteran former late new visiting incoming retiring departing "
    "ailing acting ruling leading sitting reigning aspiring fugitive slain murdered assassinated deposed disgraced fired "
    "sacked accused indicted imprisoned detained captured kidnapped suspected alleged elected re-elected reelected appointed "
    "newly-elected newly-appointed then-president renowned celebrated famed noted bearded beleaguered besieged self-exiled "
    "self-proclaimed self-styled self-described defending fellow previous controversial longtime long-time onetime "
    "one-time".split()
)
# What stands before such a participle and goes with it ("newly elected").
DEGREES = frozenset("newly recently freshly duly democratically freely twice".split())
# Adjectives that say what became of somebody: "shot [dead Terence Crutcher]".
_RESULTS = frozenset("dead alive free guilty unconscious alone".split())
# Nouns of bodies: a name right behind one is not its member's ("sacked from the shadow cabinet Andrew Peacock").
_BODY_NOUNS = frozenset(
    "cabinet government party committee council administration ministry parliament congress senate court board".split()
)
# "in charge Constantin Politoff", "in particular Finance Minister Gerhard Stoltenberg".
_AFTER_IN = frozenset(
    "charge particular addition fact turn part general short response return public private office".split()
)
# Adjectives that never begin the phrase where they stand before it.
NOT_BEFORE = _RESULTS | _AFTER_IN | frozenset("kind type sort".split())
_KINDS = frozenset("kind type sort".split())
_LEFT_OVER = frozenset("all no both not".split())
_ARTICLES = frozenset("a an the another every".split())
_CHAMBERS = frozenset(
    "House Senate Assembly Congress Parliament Cabinet State Treasury Commons Lords Duma Knesset".split()
)
_JOINERS = frozenset("of for to at in".split())
# Bodies whose names go on over "of" ("Bank of Japan Governor Satoshi Sumita").
_BODIES = frozenset(
    "Bank Republic University Kingdom Federation State States City House Chamber Church Exchange "
    " Union Commonwealth Court Archdiocese Diocese Institute Council School College Association Confederation".split()
)
_PREMODIFIERS = frozenset({"DT", "PRP$", "JJ", "JJS", "NN", "NNP", "NNPS", "VBN", "VBG", "HYPH", "CD", "POS"})
_ENDINGS = (
    "ian",
    "ean",
    "ese",
    "ish",
    "can",
    "eli",
    "aqi",
    "aiti",
    "uwaiti",
    "audi",
    "akistani",
    "emeni",
    "angladeshi",
)
_DEMONYMS = frozenset(
    "french dutch greek thai swiss czech afghan turk slovak kurd filipino arab german israeli iraqi saudi pakistani kuwaiti "
    "bangladeshi nepali omani qatari somali uzbek kazakh tajik azerbaijani cypriot icelandic welsh scots british "
    "argentine philippine monegasque basque catalan serb croat".split()
)


def is_demonym(word: str) -> bool:
    """Whether a capitalised word says where somebody is from ("Senegalese", "British")."""
    return word[:1].isupper() and (word.casefold() in _DEMONYMS or (len(word) > 4 and word.endswith(_ENDINGS)))


def _capital(word: str) -> bool:
    return word[:1].isupper()


def _touch(tokens: Tokens, at: int) -> bool:
    """Whether token ``at`` follows the one before it without a space."""
    return at > 0 and tokens.spans[at - 1][1] == tokens.spans[at][0]


def _common(sentence: Sentence, start: int, end: int) -> Any:
    """The smallest node over the tokens [start, end)."""
    node = sentence.leaf(start)
    while sentence.span(node)[1] < end and node.parent() is not None:
        node = node.parent()
    return node


# ---- what does not belong to the phrase -------------------------------------------------------------------------------


def trim_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start without words that belong to what stands before the phrase."""
    words = [word.casefold() for word in tokens.words]
    for at in range(name_start - 1, start - 1, -1):
        verb = (
            sentence.tags[at] == "VBG"
            and words[at] not in EPITHETS
            and tokens.words[at].islower()
            and not _touch(tokens, at)
        )
        if (verb and _capital(tokens.words[at + 1])) or (words[at] in _KINDS and at > start):
            return at + 1
    before = sentence.tags[start - 1] if start else ""
    while start < name_start:
        result = words[start] in _RESULTS and before.startswith("VB")
        charge = words[start] in _AFTER_IN and start > 0 and words[start - 1] == "in"
        if not (result or charge or (words[start] in _LEFT_OVER and start + 1 == name_start)):
            break
        start += 1
    return start


def trim_right(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """The end without a weekday, a second noun phrase, a participle or a pronoun that follows the name without a comma."""
    if end > name_end:
        first = sentence.tags[name_end]
        if words[name_end] in _ARTICLES or first in {"VBG", "VBN", "VBD", "PRP"}:
            return name_end
    while end > name_end and words[end - 1] in WEEKDAYS:
        end -= 1
    return end


def ends_in_verb(sentence: Sentence, end: int, name_end: int) -> bool:
    """Whether the phrase ends in a verb, so that a clause is in it ("Neil Webber, his office announced")."""
    return end > name_end and sentence.tags[end - 1] in {"VBN", "VBD", "VBZ", "VBP"}


# ---- what belongs to the phrase ---------------------------------------------------------------------------------------


def extend_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start with titles, chambers, compounds and bodies before the phrase that are a part of it."""
    start = _over_short_title(sentence, tokens, start)
    start = _over_flat_title(sentence, tokens, start, name_start)
    start = _over_chamber(sentence, tokens, start, name_start)
    start = _over_compound(sentence, tokens, start)
    return _over_body(sentence, tokens, start, name_start)


def _over_short_title(sentence: Sentence, tokens: Tokens, start: int) -> int:
    """Over a title whose full stop the tokenizer has set apart ("Texas Sen . [Ted Cruz]"), and a place before it."""
    words = tokens.words
    if start < 2 or words[start - 1] != "." or not _touch(tokens, start - 1) or fold(words[start - 2]) not in TITLES:
        return start
    start -= 2
    while start and _capital(words[start - 1]) and sentence.tags[start - 1] in {"NNP", "JJ"}:
        if words[start - 1].casefold() in WEEKDAYS:
            break
        start -= 1
    return start


def _over_flat_title(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over what stands before a title in the name's own noun phrase ("controversial Arizona Sheriff [Joe Arpaio]")."""
    if not start or start != name_start or fold(tokens.words[start - 1]) not in BEFORE_A_NAME:
        return start
    node = _common(sentence, start - 1, start + 1)
    low = sentence.span(node)[0]
    flat = node.label() == "NP" and set(sentence.tags[low:start]) <= _PREMODIFIERS
    return low if flat and start - low <= 6 else start


def _over_chamber(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over the chamber before an office in it ("House [Minority Leader Nancy Pelosi]")."""
    leads = start < name_start and _capital(tokens.words[start]) and sentence.tags[start].startswith(("NNP", "JJ"))
    return start - 1 if leads and start and tokens.words[start - 1] in _CHAMBERS else start


def _over_compound(sentence: Sentence, tokens: Tokens, start: int) -> int:
    """Over a compound with a hyphen ("a London-based [financier Erik Penser]"), a place and an article before it."""
    words = tokens.words
    if start < 3 or words[start - 2] != "-" or not (_touch(tokens, start - 2) and _touch(tokens, start - 1)):
        return start
    designate = words[start - 1] in {"designate", "elect"}
    if not designate and (sentence.tags[start - 1] not in {"VBN", "VBD", "JJ"} or words[start - 1] == "in"):
        return start
    start -= 3
    while start and _capital(words[start - 1]) and sentence.tags[start - 1].startswith(("NNP", "JJ")):
        start -= 1
    return start - 1 if start and words[start - 1].casefold() in {"a", "an", "the"} else start


def _over_body(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over the first part of a body's or office's name ("Bank of [France Governor …]", "Undersecretary of [State …]")."""
    words, tags, first = tokens.words, sentence.tags, start
    if not _is_second_part(sentence, tokens, start, name_start):
        return start
    while start > 1:
        joiner = start - 1 - (words[start - 1].casefold() == "the")
        head = joiner - 1
        if head < 0 or words[joiner].casefold() not in _JOINERS or not _capital(words[head]):
            break
        if words[head] == "State" and head > 1 and words[head - 1] == "of":
            head -= 2  # "Under-Secretary of State for [Economic Affairs …]"
        office = fold(words[head]).split("-")[-1] in _OFFICES and words[joiner] != "in"
        if not office and not (words[head] in _BODIES and words[joiner] == "of"):
            break
        start = head
        while start and _capital(words[start - 1]) and tags[start - 1].startswith(("NNP", "JJ")):
            start -= 1
        if start > 1 and words[start - 1] == "-" and _touch(tokens, start):
            start -= 2  # "Under-Secretary"
            start -= start > 0 and tags[start - 1] == "NNP"
    if start < first and start and words[start - 1].casefold() in {"a", "an", "the"}:
        start -= 1
    return start


_OFFICES = TITLES | frozenset("undersecretary representative envoy head attache consul counsel commissioner".split())


def _is_second_part(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the phrase begins with a place or body, no title, demonym or party, that an "of" or "to" before it governs."""
    if not start or tokens.words[start - 1].casefold() not in _JOINERS:
        return False
    at = start + (tokens.words[start].casefold() == "the")
    word = tokens.words[at]
    named = at < name_start and _capital(word) and sentence.tags[at].startswith("NN")
    return named and fold(word) not in BEFORE_A_NAME and not is_demonym(word)


# ---- what remains wrong -----------------------------------------------------------------------------------------------


def is_cut(sentence: Sentence, tokens: Tokens, start: int, name_start: int, extended: bool) -> str:
    """The words that show that the phrase is a part of a larger one, or an empty string.

    ``extended``: the phrase was extended over titles, so that one which still stands before it could not be reached.
    """
    words = tokens.words
    if start + 1 == name_start and words[start].casefold() in _ARTICLES:
        return f"{words[start]} {words[name_start]}"  # "the Babe Ruth of debating"
    if start < name_start and words[name_start - 1] in _BODY_NOUNS:
        return f"{words[name_start - 1]} {words[name_start]}"
    if start > 1 and words[start - 2] == "-" and _touch(tokens, start - 1) and words[start - 1].islower():
        return "".join(words[start - 3 : start]) if start > 2 else words[start - 1]
    if not extended:
        return ""
    if _is_second_part(sentence, tokens, start, name_start) and start > 1 and words[start - 1] in {"of", "to"}:
        before = words[start - 2]
        return f"{before} {words[start - 1]} {words[start]}" if before in _BODIES or fold(before) in _OFFICES else ""
    if start == name_start and start and fold(words[start - 1]) in TITLES and words[start - 1].islower():
        return words[start - 1] if start > 1 and words[start - 2] in {">", ")"} else ""
    return ""
