"""Titles and descriptions before a name that the parser left outside the person's noun phrase.

"a London-based [financier Erik Penser]", "Bank of [France Governor Jacques Larosière]". Every function returns a token
offset: the new start of the phrase, or the given start if the phrase is not extended. In the examples, brackets mark the
phrase before it is extended.
"""

from __future__ import annotations

from collections.abc import Iterator

from wdw_build.records import Tokens
from wdw_build.text.blanking.trees import Node, Sentence
from wdw_build.text.blanking.words import (
    AFTER_IN,
    AND,
    ARTICLES,
    AUXILIARIES,
    CLAUSE_ADJECTIVES,
    DEGREES,
    EPITHETS,
    KINDS,
    RESULTS,
    ROLES_AND_TITLES,
    TIMES,
    is_capitalised,
    is_date,
    is_verb,
    opens_compound,
    touches_previous,
)
from wdw_build.text.lexicon import WEEKDAYS, word_list
from wdw_build.text.names.name import BEFORE_A_NAME, TITLES, fold

OFFICES = TITLES | frozenset("undersecretary representative envoy head attache consul counsel commissioner".split())
BODIES = word_list("bodies")
_JOINERS = frozenset("of for to at in".split())
_CHAMBERS = word_list("chambers")
_MINISTRIES = frozenset("defence defense interior foreign finance".split())
# Titles that name no office, and words that are a title only together with another word.
_NO_OFFICES = word_list("partial_titles") | word_list("titles_without_office")
_TITLES_WITH_OF = TITLES | {"head"}
_TITLE_TAGS = ("NN", "JJ")
_PLACE_TAGS = ("NNP", "JJ")
_PREMODIFIER_TAGS = frozenset(
    {"DT", "PRP$", "JJ", "JJS", "NN", "NNP", "NNPS", "VBN", "VBG", "HYPH", "CD", "POS", "``", "''"}
)
_NOUN_PHRASES = frozenset({"NP", "NML", "NX"})
_CLAUSES = frozenset({"S", "SBAR", "VP"})
_DESIGNATES = frozenset({"designate", "elect"})
_MOST_TITLE_TOKENS = 6
# Tags of words that a noun phrase follows.
_GOVERNORS = frozenset({"IN", "TO", "VB", "VBD", "VBZ", "VBP", "VBN"})
_NEVER_FIRST = CLAUSE_ADJECTIVES | RESULTS | AFTER_IN | KINDS


def extend_left(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start with the titles, adjectives and nouns before the phrase that describe the person."""
    words = [word.casefold() for word in tokens.words]
    before = -1
    while start != before:
        before = start
        start = _over_flat_phrase(sentence, start)
        start = _over_titles(sentence, tokens, start, name_start)
        start = extend_over_hyphen(tokens, start)
        start = _over_adjectives(sentence, words, start)
    return start


def _over_titles(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """The start with the titles, chambers, compounds and bodies directly before the phrase."""
    start = _over_office(sentence, start, name_start)
    start = _over_title_with_of(sentence, tokens, start, name_start)
    start = _over_abbreviated_title(sentence, tokens, start)
    start = _over_chamber(sentence, tokens, start, name_start)
    start = _over_compound(sentence, tokens, start)
    start = _over_body(sentence, tokens, start, name_start)
    start = _over_organisation(sentence, tokens, start, name_start)
    start = _over_possessor(sentence, tokens, start, name_start)
    start = _over_then(sentence, start, name_start)
    return _over_county(sentence, start, name_start)


def _over_office(sentence: Sentence, start: int, name_start: int) -> int:
    """Over an office or role, and the nouns and adjectives before it ("killed by Tulsa police officer [Betty Shelby]").

    The words before it must end at a verb, a preposition, a comma or the start of a clause. With an article, the office
    may be another person's ("told the judge [Ann Poole would appeal]"), and after "and", the phrase may begin earlier.
    """
    first = start - 1 if start == name_start else start
    if first < 0 or fold(sentence.words[first]) not in ROLES_AND_TITLES:
        return start
    while first and _may_describe_office(sentence, first - 1):
        first -= 1
    if sentence.words[first] == "-":
        first -= 1  # "talk-show host": a compound is taken whole
    before = sentence.tags[first - 1] if first else ""
    opened = not first or sentence.words[first - 1] in {",", "that", "``", '"', "“", "-RRB-"} or before == "WRB"
    # "In a statement to Congress [spokesman Ann Poole] said": another phrase of the same clause.
    apart = _smallest_over(sentence, first, start + 1).label == "S"
    governed = before in _GOVERNORS and sentence.words[first - 1].islower() and not apart
    return first if opened or governed else start


def _may_describe_office(sentence: Sentence, index: int) -> bool:
    word = sentence.words[index].casefold()
    noun = sentence.tags[index].startswith(("NN", "JJ")) or word == "-" or word in TITLES
    noun = noun or opens_compound(sentence, index)
    return noun and word not in TIMES | _NEVER_FIRST and not is_date(sentence, index)


def _over_title_with_of(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over "title of" if the phrase starts inside a title ("Secretary of [State George Shultz]")."""
    words, tags = tokens.words, sentence.tags
    if start < 2 or start == name_start or words[start - 1].casefold() != "of":
        return start
    # "Chairman of [President Reagan's Council]" is another person.
    if fold(words[start]) in TITLES - _MINISTRIES and start + 1 == name_start:
        return start
    if fold(words[start - 2]) not in _TITLES_WITH_OF:
        return start
    start -= 2
    while start and tags[start - 1].startswith(_TITLE_TAGS):
        if not (is_capitalised(words[start - 1]) or fold(words[start - 1]) in TITLES):
            break
        start -= 1
    # The article before the title is taken too: "the former head of the bank, Karl Anker".
    article = start and tags[start - 1] == "DT" and words[start - 1].casefold() != "that"
    return start - 1 if article else start


def _over_abbreviated_title(sentence: Sentence, tokens: Tokens, start: int) -> int:
    """Over a title whose full stop is a token of its own ("Texas Sen . [Ted Cruz]"), and a place before it."""
    words = tokens.words
    stop = start > 1 and words[start - 1] == "." and touches_previous(tokens, start - 1)
    if not stop or fold(words[start - 2]) not in TITLES:
        return start
    start -= 2
    while start and is_capitalised(words[start - 1]) and sentence.tags[start - 1] in {"NNP", "JJ"}:
        if words[start - 1].casefold() in WEEKDAYS:
            break
        start -= 1
    return start


def _over_flat_phrase(sentence: Sentence, start: int) -> int:
    """Over the nouns and adjectives of the flat noun phrase around the start ("controversial Arizona Sheriff [Joe Arpaio]")."""
    if not start:
        return start
    node = _smallest_over(sentence, start - 1, start + 1)
    first = node.start + (sentence.words[node.start] == "that")
    flat = node.label in _NOUN_PHRASES and not _CLAUSES & set(_labels_between(sentence.leaves[start], node))
    return first if flat and _describes(sentence, first, start) else start


def _labels_between(leaf: Node, above: Node) -> Iterator[str]:
    """The labels of the nodes that hold ``leaf`` below the node ``above``."""
    node = leaf
    while node.parent is not None and node.parent is not above:
        node = node.parent
        yield node.label


def _describes(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens [start, end) may all describe a person whose phrase goes on after them."""
    words = [word.casefold() for word in sentence.words[start:end]]
    if not words:
        return False
    plain = all(
        tag in _PREMODIFIER_TAGS or word in EPITHETS for tag, word in zip(sentence.tags[start:end], words, strict=True)
    )
    last = words[-1] in TIMES or is_date(sentence, end - 1)
    return plain and not last and end - start <= _MOST_TITLE_TOKENS


def _over_then(sentence: Sentence, start: int, name_start: int) -> int:
    """Over "then" before a description that a preposition or verb governs ("married to then [banker Carl Bremer]")."""
    then = 1 < start < name_start and sentence.words[start - 1] == "then" and sentence.tags[start - 2] in _GOVERNORS
    return start - 1 if then else start


def _over_county(sentence: Sentence, start: int, name_start: int) -> int:
    """Over a place whose state or country begins the phrase ("Maricopa County, [Arizona Sheriff Joe Arpaio]")."""
    words, tags = sentence.words, sentence.tags
    if start < 2 or start == name_start or words[start - 1] != "," or tags[start] != "NNP":
        return start
    pair = _smallest_over(sentence, start - 1, start + 1)
    place = pair.children[0] if pair.children else pair
    alone = [child.label for child in pair.children] == ["NP", ",", "NP"] and place.end == start - 1
    proper = alone and {below.label for below in place.subtrees()} <= {"NP", "NNP"}
    titled = start + 1 < name_start and fold(words[start + 1]) in TITLES
    governed = pair.parent is not None and pair.parent.label == "PP"
    return place.start if proper and titled and not governed else start


def _smallest_over(sentence: Sentence, start: int, end: int) -> Node:
    """The smallest node over the tokens [start, end)."""
    node = sentence.leaves[start]
    while node.end < end and node.parent is not None:
        node = node.parent
    return node


def _over_chamber(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over the chamber before an office in it ("House [Minority Leader Nancy Pelosi]")."""
    words = tokens.words
    office = start < name_start and is_capitalised(words[start]) and sentence.tags[start].startswith(_PLACE_TAGS)
    return start - 1 if office and start and words[start - 1] in _CHAMBERS else start


def _over_compound(sentence: Sentence, tokens: Tokens, start: int) -> int:
    """Over a hyphenated compound ("a London-based [financier Erik Penser]"), and a place and an article before it."""
    words, tags = tokens.words, sentence.tags
    hyphen = start > 2 and words[start - 2] == "-"
    if not hyphen or not (touches_previous(tokens, start - 2) and touches_previous(tokens, start - 1)):
        return start
    elect = words[start - 1] in _DESIGNATES
    if not elect and (tags[start - 1] not in {"VBN", "VBD", "JJ"} or words[start - 1] == "in"):
        return start
    return _over_article(words, _over_places(words, tags, start - 3))


def _over_places(words: tuple[str, ...], tags: list[str], start: int) -> int:
    while start and is_capitalised(words[start - 1]) and tags[start - 1].startswith(_PLACE_TAGS):
        start -= 1
    return start


def _over_article(words: tuple[str, ...], start: int) -> int:
    return start - 1 if start and words[start - 1].casefold() in ARTICLES else start


def _over_body(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over the first part of a body's or office's name ("Bank of [France Governor …]", "Undersecretary of [State …]").

    Where the name follows without a title of its own, the office may be several phrases before it ("Minister of External
    Affairs of [India Ann Poole]").
    """
    words, tags = tokens.words, sentence.tags
    if not is_governed(sentence, tokens, start, name_start):
        return start
    untitled = not any(fold(word) in ROLES_AND_TITLES - _NO_OFFICES for word in words[start:name_start])
    offices = OFFICES | ROLES_AND_TITLES if untitled else OFFICES
    first, outermost = start, start
    while first > 1:
        joiner = first - 2 if words[first - 1].casefold() == "the" else first - 1
        head = joiner - 1
        if head > 2 and words[head] == ")" and words[head - 2] == "(":
            head -= 3  # "Superintendent of Police (SP) of [Cork …]"
        if words[head] in _DESIGNATES and words[head - 1] == "-":
            head -= 2  # "President-elect"
        if head < 0 or words[joiner].casefold() not in _JOINERS:
            break
        office = fold(words[head]).split("-")[-1] in offices and (untitled or words[joiner] != "in")
        first = _over_places(words, tags, head)
        if first > 1 and words[first - 1] == "-" and touches_previous(tokens, first):
            first -= 2  # "Under-Secretary"
            if first and tags[first - 1] == "NNP":
                first -= 1
        if office or (words[head] in BODIES and words[joiner] == "of"):
            outermost = first
        elif not is_capitalised(words[head]) or not (untitled or words[joiner] == "of"):
            break
    return _over_article(words, outermost) if outermost < start else start


def _over_organisation(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over an organisation with its short form in brackets before a title ("Nordic Trade Bureau (NTB) [chief …]")."""
    words, tags = tokens.words, sentence.tags
    opened = start - 3 if start > 3 and words[start - 3] == "(" else start - 4
    if opened < 1 or words[start - 1] != ")" or words[opened] != "(":
        return start
    if start == name_start and fold(words[opened - 1]) not in ROLES_AND_TITLES:
        return start  # "the Minister (MFA) [Ann Poole]"; not "the Cork Union (CU) [Ann Poole]"
    first = opened
    while first and (tags[first - 1] == "POS" or (is_capitalised(words[first - 1]) and tags[first - 1] != "DT")):
        first -= 1
    inside = _smallest_over(sentence, first, start + 1).label in _NOUN_PHRASES
    cut = first and words[first - 1].casefold() in _JOINERS | AND | {"on"}
    return _over_article(words, first) if inside and first < opened and not cut else start


def _over_possessor(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Over a possessor before a description ("Erin's [newly elected President …]"), also if its clitic is tagged as "is"."""
    words = tokens.words
    if start == name_start or start < 2 or words[start - 1] not in {"'s", "’s"} or words[start].casefold() in ARTICLES:
        return start
    first = _over_places(words, sentence.tags, start - 1)
    return _over_article(words, first) if first < start - 1 else start


def is_governed(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether a preposition governs the first word of the phrase, and this word names a place or body ("Bank of [France …]")."""
    if not start or tokens.words[start - 1].casefold() not in _JOINERS:
        return False
    first = start + (tokens.words[start].casefold() == "the")
    word = tokens.words[first]
    # "Foreign Affairs"; not "Senegalese Governor".
    adjective = sentence.tags[first] == "JJ" and fold(tokens.words[first + 1]) not in BEFORE_A_NAME
    noun = sentence.tags[first].startswith("NN") or adjective
    named = first < name_start and is_capitalised(word) and noun
    return named and fold(word) not in BEFORE_A_NAME - _NO_OFFICES


def extend_over_hyphen(tokens: Tokens, start: int) -> int:
    """The start of the hyphenated word that the phrase starts in: "Left-[hander Cody Barker]"."""
    spans = tokens.spans
    hyphen = start > 1 and tokens.words[start - 1] == "-"
    joined = hyphen and spans[start - 2][1] + 1 == spans[start - 1][1] == spans[start][0]
    return start - 2 if joined else start


def _over_adjectives(sentence: Sentence, words: list[str], start: int) -> int:
    """The start with the adjectives directly before the phrase ("retired [ship chandler Imogen Lathbury]")."""
    first = start
    while start and words[start - 1].isalpha() and words[start - 1] not in _NEVER_FIRST:
        if not _is_adjective(sentence, words, start - 1):
            break
        start -= 1
    if start in (first, 0):
        return start
    if words[start - 1] in DEGREES:
        start -= 1
    if start and words[start - 1] in AUXILIARIES:
        return first
    return start - 1 if start and words[start - 1] in ARTICLES else start


def _is_adjective(sentence: Sentence, words: list[str], index: int) -> bool:
    if opens_compound(sentence, index):
        return True
    if words[index] not in EPITHETS:
        return sentence.tags[index] == "JJ" and not is_capitalised(sentence.words[index])
    # "a jury convicted [Hans Grimm]": a past tense is a verb unless an article or another verb precedes it.
    before = words[index - 1] if index else ""
    article = before in ARTICLES | DEGREES or (index > 0 and sentence.tags[index - 1] in _GOVERNORS)
    past = sentence.tags[index] == "VBD" and not article
    return not past and not is_verb(sentence, index)
