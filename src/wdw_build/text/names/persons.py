"""Mentions that a tagger calls persons and that are none: parties and states, firms, storms, places, lone words.

What the article says of the name comes first ("Mr. Lake", "analyst at", "Hurricane"), then what the corpus says of it, and
lists of words last. A lone word needs support: a title before it, or a person of the article whose longer name it is a
part of.
"""

from __future__ import annotations

import itertools
import re

from wdw_build.text.names.article_names import ArticleNames
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.matching import (
    GIVEN_NAMES,
    PARTICLES,
    SUFFIXES,
    TITLES,
    clean,
    fold,
    identifying_sequence,
    identifying_tokens,
    is_identifying,
)

_SUFFIX_OF_FIRM = frozenset("inc corp co ltd plc bros brothers llc llp".split())
# The last word of an organisation, a place, a law, a prize or a programme.
_ORGANISATIONS = frozenset(
    "inc corp co ltd plc llc llp ag sa nv kgaa spa gmbh bros brothers sons bank bancorp banken "
    "incorporated dlrs group holdings holding industries motors oil "
    "energy airlines airways securities partners associates university college institute hospital foundation museum "
    "party committee commission council ministry department agency association federation union league club "
    "news times journal tribune avenue square airport stadium river island islands herald gazette chronicle daily weekly "
    "mount county district province administration act amendment cup prize award medal trophy hughes-tool fund magazine "
    "trust cathedral school studios records films pictures orchestra rovers wanderers athletic boldklub images show poll "
    "rangers shipping lines line mines mining works senate congress parliament cabinet throne palace polls survey "
    "treasury pentagon kremlin wire classic invitational building center centre plaza hotel casino resort theater "
    "theatre mountains highway road boulevard harbor harbour prison academy library "
    "society tribunal police army navy brigade brigades corps forces games olympics championship championships bowl prix "
    "series kingdom republic treaty accord accords pact agreement protocol convention declaration doctrine initiative "
    "memorial monument dynasty systems software technologies pharmaceuticals laboratories stores foods radio television tv "
    "channel network media entertainment government campaign coalition alliance movement kuomintang".split()
)
# The same, but families bear them too: Anthony Lake, David Steel, Margaret Court, Chan Ho Park, Frank Church.
_ORGANISATIONS_OR_FAMILIES = frozenset(
    "press post bridge street park lake bay bill court church steel house yuan tower towers laws valley "
    "springs creek falls canyon ridge derby".split()
)
_PLACES = frozenset("fort camp cape mount mt lake operation hurricane typhoon cyclone tropical".split())
_GREETINGS = frozenset("hi hey hello dear thanks".split())
_NOT_A_NAME = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april june july august september "
    "october november december republican republicans democrat democrats labour liberal conservative christmas easter "
    "god allah i he she they we you it who".split()
)
_NEVER_LAST = frozenset(
    "monday tuesday wednesday thursday saturday sunday republican republicans democrat democrats i he she they we you it "
    "who supreme federal superior appeals".split()
)
# Titles that no family is called by.
_TITLE_AT_THE_END = frozenset(
    "sen rep gov gen lt col maj capt cmdr adm sgt cpl mr mrs ms prof rev president senator congressman congresswoman "
    "secretary minister premier spokesman spokeswoman ambassador governor chairman".split()
)
# Names of two words that look like a person's; a last resort where neither the article nor the corpus says it.
_BYWORDS = frozenset(
    "jim crow,uncle sam,uncle tom,john doe,jane doe,goldman sachs,morgan stanley,merrill lynch,wells fargo,fannie mae,"
    "freddie mac,sallie mae,arthur andersen,dow jones,rolls royce,drexel burnham,dean witter,e.f. hutton,ef hutton,"
    "kidder peabody,smith barney,paine webber,bear stearns,bretton woods,camp david,capitol hill,vanity fair,rolling stone,"
    "daily mail,little rock,downing street,eli lilly,philip morris,ernst young,coopers lybrand,dun bradstreet,marks spencer,"
    "abercrombie fitch,procter gamble,gallup daily,dodd frank,gramm rudman,glass steagall,taft hartley,mccain feingold,"
    "allahu akbar,playboy bunny,santa claus,red cross,aston martin,jack daniels,jim beam,johnnie walker".split(",")
)
_SHIPS = frozenset("uss hms ss usns hmas".split())
# What stands before a name in a sentence or a headline, and in none.
_OPENERS = frozenset("can do how if is now then like who vote for in on to the just even only not".split())
_NEVER_FIRST = frozenset(
    "after before both could did does has have when while why what where unlike since without about against and but from with "
    "that this".split()
)
_HEADLINE = frozenset(
    "has have had is are was were not no to for with from over her his their by in on at as but that after says said".split()
)
# Titles before another title or an office, which say nothing of a word that they stand before ("former Yugoslavia").
_NO_TITLE_ALONE = frozenset(
    "former vice prime foreign finance defence defense interior first acting deputy chief".split()
)
_LONGEST_SHORT_TITLE = len("Messrs.")
# What bears a name like a person's, if it stands before it: "the galleon Santa Brígida".
_THINGS = frozenset(
    "ship galleon tanker ferry trawler yacht vessel steamer freighter schooner frigate destroyer boat barge tug liner sloop "
    "club newspaper magazine novel film opera horse racehorse stallion mare colt dog hurricane typhoon cyclone storm "
    "village town city island hotel restaurant brokerage brokers stockbrokers firm company brewers insurer retailer "
    "conglomerate carmaker automaker airline".split()
)
_LETTERS = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"\s+")
_WEB = re.compile(r"[@#/\\]|https?:|www\.")
_GIVEN_LAST = re.compile(r"[A-Z][a-z]+ [A-Z][a-z]+-[a-z]{1,6}")
_STANCE = re.compile(r"(?:anti|pro|non|ex|pre|post)-", re.IGNORECASE)
# "a St. Cloud Somali-American".
_NATIONALITY = re.compile(r"-(?:American|Canadian|Australian|African|Asian|European|British|Israeli|Indian|Mexican)s?$")
_CAPITAL = re.compile(r"\bD\. ?C\.?$")
_PLACE_INITIALS = re.compile(r"U\.[SNK]|E\.[CU]")
# "J.R.", "T.": a tagger may leave the initials out of the name.
_INITIALS = re.compile(r"(?!U\.[SNK]\.|E\.[CU]\.)(?:[A-Z]\.){1,3}")


def refusal(name: str, before: str, after: str, article: ArticleNames, evidence: NameEvidence = NO_EVIDENCE) -> str:
    """Why a mention is no person, or an empty string.

    ``before`` and ``after`` are the words beside it (empty at the sentence's ends); ``article`` is where the mention stands,
    ``evidence`` what the corpus says of names.
    """
    words = _SPACE.split(name.strip())
    folded = [fold(word) for word in words]
    why = _no_name(name, words, folded) or _beside(folded, before, after, words)
    if why:
        return why
    if _is_lone(words, folded):
        identifying = next(at for at, word in enumerate(words) if identifying_tokens(word))
        if _INITIALS.fullmatch(before):
            return ""
        title = "" if before.endswith(".") and len(before) > _LONGEST_SHORT_TITLE else fold(before)
        return _lone(clean(words[identifying]), folded[identifying], title, article, evidence)
    return _of_a_thing(clean(name), article, evidence)


def _no_name(name: str, words: list[str], folded: list[str]) -> str:
    if not _LETTERS.search(name) or not identifying_tokens(name):
        return "no word of a name"
    if _CAPITAL.search(name):
        return "a place (D.C.)"
    if any(ch.isdigit() for ch in name):
        return "a digit"
    if "&" in words or "and" in folded or " - " in f" {name} ":
        return "two names in one"
    if _WEB.search(name):
        return "a web address or handle"
    if _STANCE.match(name):
        return "a stance on a person"
    if _NATIONALITY.search(words[-1]):
        return "a nationality"
    if len(words) > 1 and folded[-1] in _TITLE_AT_THE_END:
        return f"a title at its end ({words[-1]})"
    if len(words) > 1 and folded[-1] in _NEVER_LAST:
        return f"no word of a name ({words[-1]})"
    if len(words) > 1 and folded[0] in _GREETINGS:
        return f"a greeting ({words[0]})"
    if any(one == other and len(one) > 2 for one, other in itertools.pairwise(folded)):
        return "a word twice"
    return ""


def _beside(folded: list[str], before: str, after: str, words: list[str]) -> str:
    """What the words directly beside the mention say."""
    if fold(after) in _SUFFIX_OF_FIRM:
        return f"an organisation or place ({after})"
    # Not over a comma: "the master of the vessel, Joseph Banda".
    if fold(before) in _THINGS and before[-1:].isalpha():
        return f"the name of a thing ({before})"
    if all(word.islower() for word in words):
        return "no capital letter"
    return ""


def _is_lone(words: list[str], folded: list[str]) -> bool:
    """Whether one word alone names the person: no given name, initial or title stands in the mention ("al Qaida").

    Particles with a capital may be given names ("Al Gore", "Ben Carson").
    """
    named = [
        part
        for word, part in zip(words, folded, strict=True)
        if part not in SUFFIXES and (part not in PARTICLES or word[:1].isupper())
    ]
    return len(named) <= 1 and not any(part in TITLES for part in folded[:-1])


def _of_a_thing(name: str, article: ArticleNames, evidence: NameEvidence) -> str:
    """Why a name of several words is no person's, by the article, the corpus and the lists; or an empty string."""
    judged = article.judged(evidence)
    if name not in judged:
        judged[name] = _judge(name, article, evidence)
    return judged[name]


def _judge(name: str, article: ArticleNames, evidence: NameEvidence) -> str:
    words = _SPACE.split(name)
    first, last = fold(words[0]), fold(words[-1])
    if last in _ORGANISATIONS:
        return "" if article.is_titled(words[-1]) else f"an organisation or place ({words[-1]})"
    if why := _too_long(name, words, article, evidence):
        return why
    titled = article.opens_with_title(name) or article.is_titled(name) or article.is_titled(words[-1])
    if titled or article.is_person_by_context(name):
        return ""
    given = _has_given_name(name, evidence)
    if why := _by_article(name, article, given):
        return why
    if " ".join(fold(word) for word in name.replace("-", " ").split()) in _BYWORDS:
        return "a byword"
    if first in _PLACES:
        return f"an organisation or place ({words[0]})"
    if last in _ORGANISATIONS_OR_FAMILIES and (not given or article.is_placed(name)):
        supported = not article.is_placed(name) and _is_named_alone(words[-1], article)
        return "" if supported else f"an organisation or place ({words[-1]})"
    return "" if given else _by_corpus(name, evidence)


def _too_long(name: str, words: list[str], article: ArticleNames, evidence: NameEvidence) -> str:
    """Why the mention holds words beside a person's name: another sentence's, a headline's, a list's; or an empty string."""
    first = words[0]
    if fold(first) in _SHIPS:
        return f"the name of a thing ({first})"
    if headline := next((word for word in words[1:] if fold(word) in _HEADLINE), ""):
        return f"a word of a headline ({headline})"
    ordinary = fold(first) in _OPENERS or _is_ordinary(first, name, article, evidence)
    known = article.shares_last_word(name) or evidence.is_known_alone(words[-1])
    if fold(first) in _NEVER_FIRST or (ordinary and known):
        return f"an ordinary word before a name ({first})"
    if other := article.begins_with_another(name):
        return f"more than a name ({other})"
    identifying = identifying_sequence(name)
    if len(identifying) > 2 and evidence.is_a_place_alone(identifying[-1]):
        return f"a place after a name ({words[-1]})"
    return ""


def _is_ordinary(first: str, name: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether the first word of a name is no given name or particle, and stands in the article in lower case."""
    named = _has_given_name(name, evidence) or fold(first) in PARTICLES
    return not named and article.is_in_lower_case(first)


def _by_article(name: str, article: ArticleNames, given: bool) -> str:
    """What the article says; with a given name it must say it wherever the name stands ("Ivan Boesky", "Ivan Boesky Corp")."""
    if firm := article.as_a_firm(name, everywhere=given):
        return f"the name of a firm or scheme ({firm})"
    if staff := article.as_an_employer(name, everywhere=given):
        return f"an employer ({staff})"
    if town := article.as_a_town(name, everywhere=given):
        return f"a place ({town})"
    if storm := article.as_a_storm(name):
        return f"the name of a thing ({storm})"
    return "only in quotation marks" if article.is_quoted(name) else ""


def _has_given_name(name: str, evidence: NameEvidence) -> bool:
    """Whether the first word is a given name, by the corpus or by the list of the commonest, or a given name stands last.

    "Sun Li-jen", "Roh Moo-hyun": a hyphen before a small letter joins a given name.
    """
    first = identifying_sequence(name)[0]
    return bool(_GIVEN_LAST.fullmatch(name)) or evidence.is_given(first) or first in GIVEN_NAMES


def _is_named_alone(word: str, article: ArticleNames) -> bool:
    """Whether the tagger calls the last word alone a person elsewhere in the article."""
    return any(fold(mention) == fold(word) for mention in article.mentions)


def _by_corpus(name: str, evidence: NameEvidence) -> str:
    if evidence.is_something_else(name):
        return "mostly no person in the corpus"
    words = identifying_sequence(name)
    if evidence.is_a_place_alone(words[0]) and not evidence.ends_a_person(words[-1]):
        return f"opens with a place ({words[0]})"
    if evidence.opens_something_else(words[0]) and not evidence.ends_a_person(words[-1]):
        return f"opens names of organisations or places in the corpus ({words[0]})"
    if evidence.ends_something_else(words[-1]):
        return f"ends names of organisations or places in the corpus ({words[-1]})"
    return ""


def _lone(word: str, folded: str, before: str, article: ArticleNames, evidence: NameEvidence) -> str:
    if folded in _NOT_A_NAME or folded in TITLES:
        return "no name"
    if folded in _ORGANISATIONS:
        return f"an organisation or place ({word})"
    if before in TITLES and before not in _NO_TITLE_ALONE:
        return ""
    if word.isupper() and len(word) <= 4:
        return "an acronym"
    if f"{word} and {word}" in article.text:
        return "two names in one"
    if article.is_titled(word) or _has_longer_name(word, article, evidence):
        return ""
    known = evidence.is_known_alone(word) and not article.as_a_firm(word) and not article.as_a_storm(word)
    return "" if known else "a lone word"


def _has_longer_name(word: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether the word is a part of a person's longer name in the article: a mention, or a given name before the word."""
    for name in article.longer_mentions.get(identifying_sequence(word)[0], ()):
        if not refusal(name, "", "", article, evidence):
            return True
    if article.as_a_storm(word):
        return False
    return any(_is_a_person(f"{first} {word}", first, article, evidence) for first in article.words_before(word))


def _is_a_person(name: str, first: str, article: ArticleNames, evidence: NameEvidence) -> bool:
    """Whether two capitalised words of the text, which no tagger has read, are a person's name."""
    if (
        fold(first) in TITLES
        or _PLACE_INITIALS.match(first)
        or not (is_identifying(fold(first)) or _INITIALS.fullmatch(first))
    ):
        return False
    if _INITIALS.fullmatch(first):
        return True
    known = _has_given_name(name, evidence) or evidence.leaning(name) > 0 or article.is_person_by_context(name)
    return known and not refusal(name, "", "", article, evidence)
