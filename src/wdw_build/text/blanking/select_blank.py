"""Decides whether a person can be deleted from a parsed sentence, and with which tokens (Algorithm 1, further refusals).

The paper refuses a person for one reason, coordination. The other reasons prevent faults that readers found in the output of
a first implementation; each reason has a switch.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from wdw_build.core.rule import Rule
from wdw_build.records import Tokens, TokenSpan
from wdw_build.text.blanking.edges import extend_right, is_separate, trim_left, trim_right, without_title
from wdw_build.text.blanking.extend import extend_left, extend_over_hyphen
from wdw_build.text.blanking.trees import FINITE, Phrase, Sentence, climb
from wdw_build.text.blanking.words import (
    AND,
    ARTICLES,
    BODY_NOUNS,
    DETERMINERS,
    EPITHETS,
    ROLES_AND_TITLES,
    TIMES,
    is_balanced,
    touches_previous,
)
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import TITLES, fold, fold_in_name, parse
from wdw_build.text.settings import QuestionsConfig

REFUSAL_REASONS = {
    "name-cut": Rule(
        "the phrase to delete cuts through the name, a quotation or a bracket, starts inside a title or noun phrase, or before a "
        "lost comma, is next to another name of the person ('alias'), or has only an article or a number before the name"
    ),
    "coordinated": Rule(
        "the phrase to delete contains 'and', is part of a coordination (the paper's rule), or follows a name between commas"
    ),
    "modifies-noun": Rule(
        "the name modifies a noun ('the XXX administration', 'an XXX-era mandate')", ("refuse_modifier",)
    ),
    "and-beside": Rule("'and' is directly next to the blank, or 'nor' is next to or inside it", ("refuse_and_beside",)),
    "finite-verb": Rule("the phrase to delete contains a finite verb", ("refuse_finite_verb",)),
    "phrase-too-long": Rule("the phrase to delete has more than 10 words", ("refuse_long_phrase",)),
    "name-outside": Rule("a word of the name occurs again outside the blank", ("refuse_name_outside",)),
}
# A longer phrase than the second number says more of the person than a name does.
CLIMBED, _MOST_WORDS = frozenset({"of"}), 10
# Before the other name of the same person.
_ALIASES = frozenset("alias aka a.k.a. née nee".split())
_HYPHENS = frozenset("-‐‑–")
# Prepositions that open no clause.
_PREPOSITIONS = frozenset("against at by for from in of on to under with".split())
_DEPARTMENTS = frozenset("Department Ministry Office Bureau Board Agency".split())


@dataclass(frozen=True)
class BlankSelection:
    """The tokens [start, end) to delete; if a rule refuses the deletion, also the rule and the words that broke the rule."""

    start: int
    end: int
    rule: str = ""
    detail: str = ""


def select_blank(
    sentence: Sentence,
    tokens: Tokens,
    name: TokenSpan,
    options: QuestionsConfig,
    persons: Sequence[TokenSpan] = (),
    evidence: NameEvidence = NO_EVIDENCE,
) -> BlankSelection:
    """The noun phrase of the name at tokens ``name``, or a refusal; with ``titles: keep``, its part after the title.

    The phrase starts with a whole written word if the sentence has ``repair`` on. The rules judge the whole phrase. ``persons``:
    the tokens of all persons in the sentence. ``evidence`` shows which words are titles.
    """
    phrase = climb(sentence, *name, CLIMBED if options.climb_only_of else frozenset())
    if phrase is None:
        return BlankSelection(*name, "name-cut")
    blank = _with_corrected_edges(sentence, tokens, phrase, name, options)
    rule, detail = _refusal(sentence, tokens, phrase, blank, name, options)
    if not rule and options.trim_phrase and _is_set_off(tokens, blank, persons):
        rule, detail = "coordinated", tokens.mention(name).text
    if not rule and options.titles == "keep":
        short = without_title(sentence, tokens, blank, name, evidence)
        # "Smith heir John Smith": the title would show the name.
        blank = blank if _name_outside(tokens, short, name) else short
    return BlankSelection(*blank, rule, detail)


def _with_corrected_edges(
    sentence: Sentence, tokens: Tokens, phrase: Phrase, name: TokenSpan, options: QuestionsConfig
) -> TokenSpan:
    """The phrase [start, end) trimmed and extended where the parser set its edges wrongly."""
    start, end = phrase.start, phrase.end
    words = [word.casefold() for word in tokens.words]
    if options.extend_titles and not phrase.modifies_noun:
        start = extend_left(sentence, tokens, start, name[0])
    elif sentence.repair:
        start = extend_over_hyphen(tokens, start)
    if options.trim_phrase:
        start = trim_left(sentence, tokens, start, name[0])
        end = trim_right(sentence, words, start, end, name[1])
    if options.extend_tail:
        end = extend_right(sentence, words, start, end, name[1])
    return start, end


def _refusal(
    sentence: Sentence,
    tokens: Tokens,
    phrase: Phrase,
    blank: TokenSpan,
    name: TokenSpan,
    options: QuestionsConfig,
) -> tuple[str, str]:
    """The first rule that refuses the blank, with the words that broke it; two empty strings if no rule refuses the blank."""
    start, end = blank
    words = [word.casefold() for word in tokens.words]
    blank_words = " ".join(tokens.words[start:end])
    # The words before the phrase are known to belong to another phrase.
    separate = options.trim_phrase and is_separate(sentence, start, name[0])
    inside = not separate and _inside_title(sentence, tokens, start, name[0])
    if options.refuse_cut_phrase and (
        inside or not is_balanced(words[start:end]) or _ALIASES & set(words[max(0, start - 1) : end + 1])
    ):
        return "name-cut", blank_words
    if phrase.coordinated_above or AND & set(words[start : max(end, phrase.end)]):
        return "coordinated", blank_words
    if options.refuse_modifier and (phrase.modifies_noun or _is_joined(tokens, end)):
        return "modifies-noun", " ".join(tokens.words[start : end + 1])
    beside = {*words[max(0, start - 1) : start], *words[end : end + 1]}
    if options.refuse_and_beside and (AND & beside or "nor" in {*beside, *words[start:end]}):
        return "and-beside", blank_words
    if options.refuse_finite_verb and _has_finite_verb(sentence, start, end):
        return "finite-verb", blank_words
    if options.refuse_long_phrase and sum(any(map(str.isalnum, word)) for word in words[start:end]) > _MOST_WORDS:
        return "phrase-too-long", blank_words
    if options.refuse_cut_phrase and (cut := _larger_phrase(sentence, tokens, start, name[0], options.extend_titles)):
        return "name-cut", cut
    if options.refuse_cut_phrase and not separate and _leaves_a_noun(sentence, start):
        return "name-cut", " ".join(tokens.words[start - 1 : end])
    if options.refuse_cut_phrase and _has_lost_comma(sentence, start, end):
        return "name-cut", " ".join(tokens.words[start : end + 1])
    if options.refuse_name_outside and (outside := _name_outside(tokens, blank, name)):
        return "name-outside", outside
    return "", ""


def _is_set_off(tokens: Tokens, blank: TokenSpan, persons: Sequence[TokenSpan]) -> bool:
    """Whether commas enclose a blank after another name: a list, or two names of one person ("Ann Poole, XXX, was arrested")."""
    before, after = tokens.words[max(0, blank[0] - 1) : blank[0]], tokens.words[blank[1] : blank[1] + 1]
    return before == after == (",",) and any(end == blank[0] - 1 for _, end in persons)


def _inside_title(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the phrase starts inside a title ("he and Finance [Secretary Jaime Ongpin]", "Department of [Energy …]")."""
    body, of = tokens.words[start - 2 : start] if start > 1 else ("", "")
    if (
        of == "to"
        and body.istitle()
        and fold(body) in ROLES_AND_TITLES | {"staff"}
        and tokens.words[start].casefold() == "the"
    ):
        return start + 1 < name_start  # "Secretary to [the President Ann Poole]" is one office, or two persons
    if of == "of" and body in _DEPARTMENTS and start < name_start:
        return fold(tokens.words[start]) not in TITLES
    before = tokens.words[start - 1] if start else ""
    if before in {")", "'s", "’s"} and start < name_start and tokens.words[start].casefold() not in ARTICLES:
        return True  # "the bureau (NTB) [chief Ann Poole]", "BP's [chief Ann Poole]" with the tag of "is"
    if not start or start == name_start or fold(tokens.words[start]) not in TITLES | BODY_NOUNS:
        return False
    return before[:1].isupper() and sentence.tags[start - 1].startswith("NN")


def _has_finite_verb(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tokens [start, end) hold a finite verb, a modal, or a noun and an adverb ("a fan fatally shot Ann Poole").

    "chief" and "'s" are no verbs, whatever their tags.
    """
    words, tags = sentence.words[start:end], sentence.tags[start:end]
    if any(
        tag in FINITE and word.isalpha() and word not in ROLES_AND_TITLES | EPITHETS
        for word, tag in zip(words, tags, strict=True)
    ):
        return True
    pairs = itertools.pairwise(zip(words, tags, strict=True))
    return any(tag in {"NN", "NNS"} and adverb == "RB" and word.endswith("ly") for (_, tag), (word, adverb) in pairs)


def _has_lost_comma(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the phrase is at the end of a first prepositional phrase that a predicate without subject follows.

    "In 30 years on the bench of [the Supreme Court Justice Ann Poole] was strident" lost a comma after "Court".
    """
    if not FINITE.intersection(sentence.tags[end : end + 1]) or "," in sentence.words[:start]:
        return False
    phrase = sentence.leaves[start]
    while phrase.parent is not None and phrase.parent.label != "S":
        phrase = phrase.parent
    is_first = phrase.label == "PP" and phrase.start == 0 and phrase.end == end
    return is_first and sentence.words[start - 1].casefold() in _PREPOSITIONS


def _is_joined(tokens: Tokens, end: int) -> bool:
    """Whether a hyphen joins the phrase to the word after it ("an [Obama]-era mandate", "beat [Ann Poole of Cork 3]-1")."""
    at = tokens.spans[end - 1][1]
    return tokens.text[at : at + 1] in _HYPHENS and tokens.text[at + 1 : at + 2].isalnum()


def _larger_phrase(sentence: Sentence, tokens: Tokens, start: int, name_start: int, extended: bool) -> str:
    """The words that show that the phrase is part of a larger phrase, or an empty string.

    ``extended``: the phrase was extended over titles, so a title that remains before the phrase could not be added.
    """
    words = tokens.words
    if start + 1 == name_start and (words[start].casefold() in DETERMINERS or sentence.tags[start] == "CD"):
        return f"{words[start]} {words[name_start]}"  # "the Babe Ruth of debating", "pulled two Candy Crowleys"
    if start + 1 < name_start and words[start].casefold() in ARTICLES and words[start + 1] in TIMES:
        return f"{words[start]} {words[start + 1]}"  # "spent the fall debating Ann Poole"
    if start < name_start and words[name_start - 1] in BODY_NOUNS:
        return f"{words[name_start - 1]} {words[name_start]}"
    compound = start > 1 and words[start - 2] == "-" and touches_previous(tokens, start - 1)
    if compound and words[start - 1].islower():
        return "".join(words[start - 3 : start]) if start > 2 else words[start - 1]
    if not extended:
        return ""
    if start == name_start and start and fold(words[start - 1]) in TITLES and words[start - 1].islower():
        return words[start - 1] if start > 1 and words[start - 2] in {">", ")"} else ""
    return ""


def _leaves_a_noun(sentence: Sentence, start: int) -> bool:
    """Whether a noun or possessor of the phrase remains outside it, directly before ("Harris Upham analyst [Edward Atorino]")."""
    if not start:
        return False
    before, tag = sentence.words[start - 1], sentence.tags[start - 1]
    # "will interview [fired FBI director James Comey]": a verb that was tagged as a noun.
    verb = start > 1 and sentence.tags[start - 2] in {"MD", "TO"}
    noun = (tag == "NN" or before in ROLES_AND_TITLES) and before.islower() and before not in TIMES
    return tag == "POS" or (noun and not verb)


def _name_outside(tokens: Tokens, blank: TokenSpan, name: TokenSpan) -> str:
    """The first word outside the blank that names the person ("the Thatcher-Reagan talks"), or an empty string."""
    identifying = set(parse(" ".join(tokens.words[name[0] : name[1]])).core)
    outside = (*tokens.words[: blank[0]], *tokens.words[blank[1] :])
    return next((word for word in outside if not word.islower() and identifying & _names_in(word)), "")


def _names_in(word: str) -> set[str]:
    """The folded names that a word may contain: the parts of a compound, a plural ("two Candy Crowleys"), a possessive."""
    plural = {fold(word.rstrip("'’")[:-1])} if word.endswith(("s", "s'", "s’")) else set()
    return {fold_in_name(word), *map(fold, word.split("-")), *plural}
