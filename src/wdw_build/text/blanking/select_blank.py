"""Whether and where a person is deleted from a parsed sentence: the climb of Algorithm 1, and refusals beyond the paper.

The paper's own refusal is the coordination rule. The others answer faults that careful reading of a first
implementation's output showed; each has a switch, and its reason is named by the fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wdw_build.records import Tokens
from wdw_build.text.blanking import spans
from wdw_build.text.blanking.trees import WEEKDAYS, Sentence, climb, has_finite_verb
from wdw_build.text.names.matching import BEFORE_A_NAME, TITLES, fold, identifying_tokens, name_words

REFUSAL_REASONS = {
    "name-cut": "the phrase cuts through the name, a quotation or a bracket, starts inside a title or noun phrase, or has "
    "nothing but an article before the name",
    "coordinated": "the phrase contains 'and', or is part of a coordination (the paper's rule)",
    "modifies-noun": "the name modifies a noun ('the XXX administration')",
    "and-beside": "an 'and' is directly beside the blank",
    "finite-verb": "the phrase to delete contains a finite verb",
    "phrase-too-long": "the phrase to delete has more tokens than questions.max_phrase_tokens",
    "name-outside": "a word of the name occurs again outside the blank",
}
_AND = frozenset({"and", "&"})
_OPEN, _CLOSED = frozenset("([{"), frozenset(")]}")
_TITLE_TAGS = ("NN", "JJ")
_OF_TITLES = TITLES | {"head"}
_OFFICES = frozenset("department ministry office bureau board agency".split())
_MINISTRIES = frozenset("defence defense interior foreign finance".split())
_MARKS = frozenset({",", ".", ";"})
_ARTICLES = frozenset({"a", "an", "the"})
_CLOSING = ([","], ["."], [";"])
# Adjectives that take a clause: "all but certain [President Reagan would go]".
_PREDICATES = frozenset("certain sure clear likely unlikely possible obvious evident confident doubtful afraid".split())
# Nouns that stand before a person without belonging to the name: "last week President Reagan said".
_TIMES = frozenset(
    "today yesterday tomorrow tonight week month year day night morning afternoon evening noon midnight weekend quarter "
    "time spring summer autumn fall winter".split()
)
# "has forgiven [Alan Strydom]": a participle that looks like an adjective.
_AUXILIARIES = frozenset("has have had having is are was were be been being".split())
_PARTIES = frozenset({"r", "d", "i", "r.", "d.", "i."})
_OLDEST = 120
# Verbs whose "of" is their own ("accused XXX of Fraud"), and how many tokens before the phrase they are looked for.
_TAKE_OF = tuple(
    "accus acquit advis assur clear convict convinc cur depriv inform notif remind rid rob strip suspect told tell warn".split()
)
_NEAR = 4


@dataclass(frozen=True)
class BlankingOptions:
    """Which refusals are on."""

    max_phrase_tokens: int = 10
    finite_verb: bool = True
    modifier: bool = True
    and_beside: bool = True
    name_outside: bool = True
    cut_phrase: bool = True
    extend_titles: bool = True
    extend_tail: bool = True
    trim_phrase: bool = True
    prepositions: frozenset[str] = frozenset({"of"})


@dataclass(frozen=True)
class BlankSelection:
    """Tokens [start, end) to delete, or the rule that refuses, with the words that broke it."""

    start: int
    end: int
    rule: str = ""
    detail: str = ""


def select_blank(sentence: Sentence, tokens: Tokens, name: tuple[int, int], rules: BlankingOptions) -> BlankSelection:
    """The noun phrase of the name at tokens ``name``, or a refusal.

    The phrase begins with a whole written word if the sentence has ``repair`` on.
    """
    phrase = climb(sentence, *name, rules.prepositions)
    if phrase is None:
        return BlankSelection(*name, "name-cut")
    start, end = phrase.start, phrase.end
    words = [word.casefold() for word in tokens.words]
    if rules.trim_phrase:
        start = spans.trim_left(sentence, tokens, _without_foreign(sentence, words, start, name[0]), name[0])
        end = spans.trim_right(sentence, words, end, name[1])
    if rules.extend_titles:
        start = _over_lone_title(sentence, tokens, start, name[0])
        start = _over_title(sentence, tokens, start, name[0])
        start = spans.extend_left(sentence, tokens, start, name[0])
    if sentence.repair:
        start = _over_hyphen(words, tokens.spans, start)
    if rules.extend_titles:
        start = _over_adjectives(sentence, words, start)
    if rules.extend_tail:
        end = _over_home(sentence, words, start, end, name[1])
        end = _over_apposition(sentence, words, end, name[1])
        end = _tail(words, end, name[1])
    if rules.cut_phrase and (not _whole(words[start:end]) or _inside_title(sentence, tokens, start, name[0])):
        return BlankSelection(start, end, "name-cut", " ".join(tokens.words[start:end]))
    if phrase.coordinated_above or _AND & set(words[start:end]):
        return BlankSelection(start, end, "coordinated", " ".join(tokens.words[start:end]))
    if phrase.modifies_noun and rules.modifier:
        return BlankSelection(start, end, "modifies-noun", " ".join(tokens.words[start : end + 1]))
    return _beyond_the_tree(sentence, tokens, words, BlankSelection(start, end), name, rules)


def _without_foreign(sentence: Sentence, words: list[str], start: int, name_start: int) -> int:
    """The start of the phrase without words that no person's noun phrase starts with; parsers swallow them.

    "said [that critic Abe Rosen]", "any tariffs [President Reagan]" (a plural), "certain [President Reagan]",
    "on Friday [Boris Yelagin]", "sentenced [Bruno Valli]" (a participle with no article before it).
    """
    tags, capital = sentence.tags, sentence.words
    plural = [at for at in range(start, name_start) if tags[at] == "NNS" and capital[at + 1][:1].isupper()]
    start = plural[-1] + 1 if plural else start
    while start < name_start:
        bare_participle = start + 1 == name_start and tags[start] in {"VBN", "VBD"}
        if words[start] not in WEEKDAYS | _PREDICATES | {"that"} and not bare_participle:
            break
        start += 1
    return start


def _over_lone_title(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Extend left over a title that the parser left outside ("in front of Mayor [Ruth Pemberton]")."""
    words = tokens.words
    if start != name_start or not start or fold(words[start - 1]) not in BEFORE_A_NAME:
        return start
    at = start - 1
    while at and words[at - 1][:1].isupper() and sentence.tags[at - 1].startswith(_TITLE_TAGS):
        if words[at - 1].casefold() in WEEKDAYS:
            break
        at -= 1
    # Not by halves ("chief operating officer [Ann Poole]"); and with an article, the title may be somebody else's ("told
    # the judge [Ann Poole would appeal]").
    unsure = at and (
        sentence.tags[at - 1].startswith(("NN", "JJ", "VBG", "DT", "PRP$", "POS")) or words[at - 1] in ">)"
    )
    return start if unsure else at


def _over_adjectives(sentence: Sentence, words: list[str], start: int) -> int:
    """Extend left over adjectives directly before the phrase ("retired [ship chandler Imogen Lathbury]")."""
    first = start
    while start and words[start - 1] not in _PREDICATES | spans.NOT_BEFORE and words[start - 1].isalpha():
        if not _is_adjective(sentence, words, start - 1):
            break
        start -= 1
    if start < first and start and words[start - 1] in spans.DEGREES:
        start -= 1
    if start < first and start and words[start - 1] in _AUXILIARIES:
        return first
    return start - 1 if start < first and start and words[start - 1] in _ARTICLES else start


def _is_adjective(sentence: Sentence, words: list[str], at: int) -> bool:
    if words[at] not in spans.EPITHETS:
        return sentence.tags[at] == "JJ" and not _capital(sentence, at)
    # "a jury convicted [Hans Grimm]": there it is the verb, if no article says otherwise.
    return sentence.tags[at] != "VBD" or (at > 0 and words[at - 1] in _ARTICLES)


def _capital(sentence: Sentence, at: int) -> bool:
    return sentence.words[at][:1].isupper()


def _over_hyphen(words: list[str], spans: tuple[tuple[int, int], ...], start: int) -> int:
    """The start of the word that the phrase starts in: "Left-[hander Cody Barker]"."""
    joined = start > 1 and words[start - 1] == "-" and spans[start - 2][1] + 1 == spans[start - 1][1] == spans[start][0]
    return start - 2 if joined else start


def _over_home(sentence: Sentence, words: list[str], start: int, end: int, name_end: int) -> int:
    """Extend right over "of" and a place or house that the parser left outside ("[Hans Grimm] of Germany won")."""
    if end != name_end or words[end : end + 1] != ["of"]:
        return end
    last = end + 1
    while last < len(words) and sentence.tags[last] in {"NNP", "NNPS"} and _capital(sentence, last):
        last += 1
    # "told Grimm of Germany's plan", "convicted Grimm of Murder": there the phrase belongs to something else.
    follows = sentence.tags[last] if last < len(words) else ""
    owned = follows == "POS" or follows.startswith("NN")
    bound = any(words[at].startswith(_TAKE_OF) for at in range(max(0, start - _NEAR), start))
    return end if last == end + 1 or owned or bound else last


def _over_apposition(sentence: Sentence, words: list[str], end: int, name_end: int) -> int:
    """Extend right over an apposition that the parser left outside ("saw [Ann Poole], the mayor of Cork, leave").

    It starts like a description, not like a name, holds neither a clause nor an "and", and a mark closes it: in "met Ann
    Poole, the mayor said" a verb follows, and in "Ann Poole, the mayor, and Bo Li" three people are listed.
    """
    if end != name_end or words[end : end + 1] != [","] or end + 2 >= len(words):
        return end
    if words[end + 1] not in _ARTICLES and sentence.tags[end + 1] != "PRP$":
        return end
    for phrase in sentence.noun_phrases_from(end + 1):
        last = sentence.span(phrase)[1]
        closed = words[last : last + 1] in _CLOSING and not _AND & set(words[last + 1 : last + 2])
        if closed and not _AND & set(words[end:last]) and not _has_clause(phrase):
            return last
    return end


def _has_clause(phrase: Any) -> bool:
    return any(node.label() in {"S", "SBAR", "VP"} for node in phrase.subtrees())


def _tail(words: list[str], end: int, name_end: int) -> int:
    """The end of the phrase with the age, the party or the closing comma after the name."""
    rest = words[end : end + 6]
    if end == name_end and rest[:1] == ["("] and rest[1:2] and rest[1] in _PARTIES and ")" in rest:
        return end + rest.index(")") + 1
    if end == name_end and rest[:1] == [","] and len(rest) > 2 and _is_age(rest[1]) and rest[2] in _MARKS:
        end += 2
    # A comma opens an apposition after the name: the one that closes it goes with it.
    return end + 1 if "," in words[name_end : end - 1] and words[end : end + 1] == [","] else end


def _is_age(word: str) -> bool:
    return word.isdecimal() and 0 < int(word) < _OLDEST


def _leaves_a_noun(sentence: Sentence, start: int) -> bool:
    """Whether a noun or possessor of the phrase's own is left before it ("Harris Upham analyst [Edward Atorino]")."""
    if not start:
        return False
    before, tag = sentence.words[start - 1], sentence.tags[start - 1]
    # "will interview [fired FBI director James Comey]": a verb that is taken for a noun.
    verb = start > 1 and sentence.tags[start - 2] in {"MD", "TO"}
    return tag == "POS" or (tag == "NN" and before.islower() and before not in _TIMES and not verb)


def _inside_title(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> bool:
    """Whether the phrase starts inside a title ("he and Finance [Secretary Jaime Ongpin]", "Department of [Energy …]")."""
    two_before = [fold(word) for word in tokens.words[max(0, start - 2) : start]]
    if len(two_before) == 2 and two_before[0] in _OFFICES and two_before[1] == "of" and start < name_start:
        return fold(tokens.words[start]) not in TITLES
    if not start or start == name_start or fold(tokens.words[start]) not in TITLES:
        return False
    before = tokens.words[start - 1]
    return before[:1].isupper() and sentence.tags[start - 1].startswith("NN")


def _whole(words: list[str]) -> bool:
    """Whether quotation marks and brackets that open in the phrase close in it."""
    brackets = sum(word in _OPEN for word in words) == sum(word in _CLOSED for word in words)
    curled = sum(word in {"“", "``"} for word in words) == sum(word in {"”", "''"} for word in words)
    return brackets and curled and words.count('"') % 2 == 0


def _beyond_the_tree(
    sentence: Sentence,
    tokens: Tokens,
    words: list[str],
    found: BlankSelection,
    name: tuple[int, int],
    rules: BlankingOptions,
) -> BlankSelection:
    start, end = found.start, found.end
    beside = {words[start - 1] if start else "", words[end] if end < len(words) else ""}
    phrase = " ".join(tokens.words[start:end])
    if rules.and_beside and beside & _AND:
        return BlankSelection(start, end, "and-beside", phrase)
    if rules.finite_verb and has_finite_verb(sentence, start, end):
        return BlankSelection(start, end, "finite-verb", phrase)
    if rules.max_phrase_tokens and end - start > rules.max_phrase_tokens:
        return BlankSelection(start, end, "phrase-too-long", phrase)
    if rules.finite_verb and spans.ends_in_verb(sentence, end, name[1]):
        return BlankSelection(start, end, "finite-verb", phrase)
    if rules.cut_phrase and (shown := spans.is_cut(sentence, tokens, start, name[0], rules.extend_titles)):
        return BlankSelection(start, end, "name-cut", shown)
    if rules.cut_phrase and _leaves_a_noun(sentence, start):
        return BlankSelection(start, end, "name-cut", " ".join(tokens.words[start - 1 : end]))
    if rules.name_outside:
        parts = identifying_tokens(" ".join(tokens.words[name[0] : name[1]]))
        # "the Thatcher-Reagan talks" and "al-Assad" name the person too.
        outside = [
            word
            for at, word in enumerate(tokens.words)
            if not start <= at < end and not word.islower() and parts & _forms(word)
        ]
        if outside:
            return BlankSelection(start, end, "name-outside", outside[0])
    return found


def _forms(word: str) -> set[str]:
    """The folded names that a word may hold: joined by hyphens, in the plural ("two Candy Crowleys"), or its possessive."""
    plural = {fold(word.rstrip("'’")[:-1])} if word.endswith(("s", "s'", "s’")) else set()
    return {*name_words(word), *map(fold, word.split("-")), *plural}


def _over_title(sentence: Sentence, tokens: Tokens, start: int, name_start: int) -> int:
    """Extend left over "title of" when the phrase starts inside a title ("Secretary of [State George Shultz]")."""
    if start < 2 or start == name_start or tokens.words[start - 1].casefold() != "of":
        return start
    # "Chairman of [President Reagan's Council]": that is somebody else.
    if fold(tokens.words[start]) in TITLES - _MINISTRIES and start + 1 == name_start:
        return start
    if fold(tokens.words[start - 2]) not in _OF_TITLES:
        return start
    start -= 2
    while start and sentence.tags[start - 1].startswith(_TITLE_TAGS) and _of_a_title(tokens.words[start - 1]):
        start -= 1
    # The article before the title goes with it: "the former head of the bank, Karl Anker".
    article = start and sentence.tags[start - 1] == "DT" and tokens.words[start - 1].casefold() != "that"
    return start - 1 if article else start


def _of_a_title(word: str) -> bool:
    return word[:1].isupper() or fold(word) in TITLES
