"""Word lists and tests that trimming, extending and refusing a noun phrase share."""

from __future__ import annotations

from wdw_build.records import Tokens

AND = frozenset({"and", "&"})
ARTICLES = frozenset({"a", "an", "the"})
DETERMINERS = ARTICLES | {"another", "every"}
# Adjectives and participles that may describe a person ("visiting Senegalese Prime Minister …"), whatever their tag.
EPITHETS = frozenset(
    "retired outgoing embattled jailed ousted exiled convicted veteran former late new visiting incoming retiring departing "
    "ailing acting ruling leading sitting reigning aspiring fugitive slain murdered assassinated deposed disgraced fired "
    "sacked accused indicted imprisoned detained captured kidnapped suspected alleged elected re-elected reelected appointed "
    "newly-elected newly-appointed then-president renowned celebrated famed noted bearded beleaguered besieged self-exiled "
    "self-proclaimed self-styled self-described defending fellow previous controversial longtime long-time onetime "
    "one-time".split()
)
# Adverbs that modify the next participle ("newly elected").
DEGREES = frozenset("newly recently freshly duly democratically freely twice".split())
# Adjectives that state a result: "shot [dead Terence Crutcher]".
RESULTS = frozenset("dead alive free guilty unconscious alone".split())
# "in charge Constantin Politoff", "in particular Finance Minister Gerhard Stoltenberg".
AFTER_IN = frozenset(
    "charge particular addition fact turn part general short response return public private office".split()
)
KINDS = frozenset("kind type sort".split())
# Adjectives that take a clause: "all but certain [President Reagan would go]".
CLAUSE_ADJECTIVES = frozenset(
    "certain sure clear likely unlikely possible obvious evident confident doubtful afraid".split()
)
_DEMONYM_ENDINGS = tuple("ian ean ese ish can eli aqi aiti uwaiti audi akistani emeni angladeshi".split())
_DEMONYMS = frozenset(
    "french dutch greek thai swiss czech afghan turk slovak kurd filipino arab german israeli iraqi saudi pakistani kuwaiti "
    "bangladeshi nepali omani qatari somali uzbek kazakh tajik azerbaijani cypriot icelandic welsh scots british "
    "argentine philippine monegasque basque catalan serb croat".split()
)


def touches_previous(tokens: Tokens, index: int) -> bool:
    """Whether token ``index`` follows the previous token without a space."""
    return index > 0 and tokens.spans[index - 1][1] == tokens.spans[index][0]


def is_capitalised(word: str) -> bool:
    """Whether the first character is a capital letter."""
    return word[:1].isupper()


def is_demonym(word: str) -> bool:
    """Whether a capitalised word names a nationality ("Senegalese", "British")."""
    return is_capitalised(word) and (
        word.casefold() in _DEMONYMS or (len(word) > 4 and word.endswith(_DEMONYM_ENDINGS))
    )
