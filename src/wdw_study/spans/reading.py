"""What the shallow adversary reads: the spans of a parsed passage that can be answers, and what a question asks for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, cast, get_args

from wdw_build.api import STOP_WORDS, Node, lm_tokens, parse_tree
from wdw_build.reading.words import MONTH_NAME, WEEKDAY_NAME, stem
from wdw_build.records import TaggedName

Kind = Literal["PERSON", "ORG", "LOC", "MISC", "time", "number", "proper", "common", "clause"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Place = Literal["subject", "object", "preposition", "noun phrase", "other"]

_TIME = re.compile(
    rf"(?:{MONTH_NAME}|{WEEKDAY_NAME}|yesterday|today|tomorrow|century|centuries|decades?|years?|months?|weeks?|days?|hours?|"
    r"minutes?|morning|evening|night|1[0-9]{3}s?|20[0-9]{2}s?)",
    re.IGNORECASE,
)
_PRONOUNS = frozenset({"PRP", "PRP$", "WP", "WP$", "WDT", "EX", "DT", "IN", "TO", "CC", "MD", "RP", "POS", "RB", "WRB"})
_LONGEST = 12
_CLAUSES = frozenset({"VP", "PP", "S", "SBAR", "ADJP", "ADVP", "VBN", "VBD", "VBZ", "VB", "VBG", "VBP"})


@dataclass(frozen=True)
class Candidate:
    """A span of a sentence that can be an answer: tokens [start, end), with its node or, for a name within one, the node above."""

    start: int
    end: int
    kind: Kind
    text: str
    node: Node
    is_name: bool
    """Whether the span is a whole name or number."""


@dataclass(frozen=True)
class Sentence:
    """A parsed sentence of a passage."""

    text: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    names: tuple[TaggedName, ...]
    bracketed: str
    """Constituency tree in Penn brackets, one leaf per token."""

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each content word; empty strings for other tokens."""
        folded = (word.casefold() for word in self.words)
        return tuple(stem(word) if word[0].isalnum() and word not in STOP_WORDS else "" for word in folded)

    @cached_property
    def tree(self) -> Node:
        """The root of the tree."""
        return parse_tree(self.bracketed)

    @cached_property
    def leaves(self) -> list[Node]:
        """The leaves of the tree, one per token."""
        return self.tree.leaves()

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every span that can be an answer, each once: names, numbers, and phrases of at most twelve tokens."""
        by_span: dict[tuple[int, int], Candidate] = {}
        for start, end in self._named():
            self._add(by_span, start, end, self._node_above(start, end), is_name=True)
        for node in self.tree.subtrees():
            if node.end - node.start <= _LONGEST and not (node.is_leaf and node.label in _PRONOUNS):
                self._add(by_span, node.start, node.end, node, is_name=False)
        return tuple(by_span.values())

    def _named(self) -> Iterator[tuple[int, int]]:
        """The names, then the runs of numbers with their currency and per cent signs."""
        yield from ((name.start, name.end) for name in self.names)
        start = 0
        numeric = [leaf.label in ("CD", "$") or leaf.word == "%" for leaf in self.leaves]
        for place, inside in enumerate([*numeric, False]):
            if not inside:
                if start < place:
                    yield start, place
                start = place + 1

    def _add(
        self, by_span: dict[tuple[int, int], Candidate], start: int, end: int, node: Node, *, is_name: bool
    ) -> None:
        while start < end and not self.words[end - 1][-1].isalnum() and self.words[end - 1] not in ("%", ")"):
            end -= 1
        while start < end and not self.words[start][0].isalnum() and self.words[start] != "$":
            start += 1
        # "May" is a name here and a function word elsewhere.
        named = any(leaf.label.startswith("NNP") for leaf in self.leaves[start:end])
        is_function = not named and not any(self.stems[start:end])
        if start >= end or (start, end) in by_span or self.leaves[end - 1].label == "POS" or is_function:
            return
        text = self.text[self.spans[start][0] : self.spans[end - 1][1]]
        by_span[start, end] = Candidate(start, end, self._kind(start, end, node), text, node, is_name)

    def _kind(self, start: int, end: int, node: Node) -> Kind:
        for name in self.names:
            if name.start < end and start < name.end and name.end >= min(end, start + 5):
                return name.kind if name.kind in KINDS else "MISC"
        words, labels = self.words[start:end], [leaf.label for leaf in self.leaves[start:end]]
        if any(_TIME.fullmatch(word) for word in words):
            return "time"
        if "CD" in labels or "$" in labels:
            return "number"
        if node.label in _CLAUSES:
            return "clause"
        return "proper" if labels[-1].startswith("NNP") else "common"

    def _node_above(self, start: int, end: int) -> Node:
        """The smallest node that covers the tokens [start, end)."""
        node = self.leaves[start]
        while node.end < end and node.parent is not None:
            node = node.parent
        return node


def place_of(node: Node) -> tuple[Place, Node | None]:
    """The role of a phrase in its sentence, and the verb phrase or noun phrase that it belongs to."""
    phrase = node
    while phrase.parent is not None and phrase.parent.start == phrase.start and phrase.parent.label == "NP":
        phrase = phrase.parent
    parent = phrase.parent
    if parent is None:
        return "other", None
    if parent.label in ("S", "SINV", "SQ"):
        later = parent.children[phrase.index + 1 :]
        verb = next((child for child in later if child.label == "VP"), None)
        return ("subject", verb) if verb is not None else ("other", None)
    if parent.label == "VP":
        return "object", parent
    if parent.label == "PP":
        return "preposition", parent.parent
    if parent.label == "NP":
        return "noun phrase", parent
    return "other", parent


def verb_of(phrase: Node | None) -> Node | None:
    """The main verb of a verb phrase: "won" of "has won"; None for other phrases."""
    while phrase is not None and phrase.label == "VP":
        inner = next((child for child in phrase.children if child.label == "VP"), None)
        if inner is None:
            return next((child for child in phrase.children if child.label.startswith("VB")), None)
        phrase = inner
    return None


def conjuncts(candidate: Candidate) -> Sequence[tuple[int, int]]:
    """The token ranges of the phrases that are coordinated with a candidate's phrase, or within it; none if it stands alone."""
    for node in (candidate.node, candidate.node.parent):
        if node is not None and node.label == "NP" and any(child.label == "CC" for child in node.children):
            parts = [child for child in node.children if child.label.startswith(("N", "QP"))]
            if len(parts) > 1:
                return [(part.start, part.end) for part in parts]
    return ()


# ---- questions -------------------------------------------------------------------------------------------------------

Asked = Literal["who", "where", "when", "number", "organisation", "noun", "what", "how", "why", "other"]
Role = Literal["subject", "object", "copula", "other"]

_LISTED = tomllib.loads(Path(__file__).with_name("asked.toml").read_text(encoding="utf-8"))
_NOUNS = {cast(Asked, asked): frozenset(nouns.split()) for asked, nouns in _LISTED.items()}
_PLAIN: dict[str, Asked] = {"who": "who", "whom": "who", "whose": "who", "where": "where", "when": "when", "why": "why"}
_OTHER_WORDS = frozenset("what which how".split())
_MEASURES = frozenset("many much long old far tall big large often high deep fast".split())
_SUPPORT = frozenset("do does did".split())
_COPULA = frozenset("is are was were 's".split())
_AUXILIARIES = frozenset("has have had can could will would should may might must".split())
_PLURAL_WORDS = frozenset("people men women two three four five both all are were".split())
_DETERMINERS = frozenset("a an the".split())


@dataclass(frozen=True)
class AskedFor:
    """An analysed question. ``focus``: the words that name the type of the answer ("city" in "which city"), or none."""

    text: str
    asked: Asked
    role: Role
    focus: str
    plural: bool
    stems: frozenset[str]
    """Stems of the content words."""


def analyse(text: str) -> AskedFor:
    """What a question asks for. A question without a question word asks for anything (`other`)."""
    words = [word.casefold() for word in lm_tokens(text)]
    place = next((number for number, word in enumerate(words) if word in _PLAIN or word in _OTHER_WORDS), None)
    content = frozenset(stem(word) for word in words if word[0].isalnum() and word not in STOP_WORDS)
    if place is None:
        return AskedFor(text, "other", "other", "", False, content)
    after = words[place + 1 :]
    focus = _focus(words[place], after)
    asked = _asked(words[place], focus, after)
    beside = {*focus[-1:], *after[:1]} if words[place] in ("who", "whom") else set(focus)
    plural = bool(beside & _PLURAL_WORDS) or any(
        len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) for word in focus
    )
    return AskedFor(text, asked, _role(after[len(focus) :]), " ".join(focus), plural, content)


def _focus(question_word: str, after: list[str]) -> list[str]:
    """The nouns after `what` or `which`; after `what is the`, the nouns that follow."""
    if question_word not in ("what", "which"):
        return []
    start = 0
    if after and after[0] in _COPULA and len(after) > 1 and after[1] in _DETERMINERS:
        start = 2
    nouns: list[str] = []
    for word in after[start : start + 4]:
        if word in STOP_WORDS or not word[0].isalnum():
            break
        nouns.append(word)
    return nouns if nouns and start + len(nouns) < len(after) else []


def _asked(question_word: str, focus: list[str], after: list[str]) -> Asked:
    if question_word in _PLAIN:
        return _PLAIN[question_word]
    if question_word == "how":
        return "number" if after and after[0] in _MEASURES else "how"
    for word in reversed(focus):
        singular = word.removesuffix("s")
        for asked, nouns in _NOUNS.items():
            if word in nouns or singular in nouns:
                return asked
    return "noun" if focus else "what"


def _role(rest: list[str]) -> Role:
    """The role of the answer in the sentence, from the word after the question word and its nouns."""
    first = rest[0] if rest else ""
    if first in _COPULA:
        return "copula"
    if first in _SUPPORT:
        return "object"
    if first in _AUXILIARIES:
        return "other"
    return "subject"
