"""Boundaries of the mentions of one article, settled by its other mentions and by the names of the corpus.

The tagger reads one sentence at a time: it splits a name, leaves a given name out, or takes a word of a headline or a title
for a part of the name. Elsewhere in the article or the corpus, the name stands alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from wdw_build.records import Mention
from wdw_build.text.lexicon import STOP_WORDS, WEEKDAYS, word_list
from wdw_build.text.names.beside import words_of
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import (
    GIVEN_NAMES,
    SUFFIXES,
    fold,
    is_identifying,
    is_title,
    parse,
)

_SIDE = 40
_WORD = re.compile(r"\S+")
_WORD_BEFORE = re.compile(r"([^\W\d_a-z][\w'’-]*) \Z")
_FINAL_STOP = re.compile(r"(?<=[^\W\d_]{3})\.\Z")
_POSSESSIVE = re.compile(r"(?:['’]s|s['’])\Z")
_JOINED_NAMES = re.compile(r"([^\W\d_]{3,})[-‐‑–]([^\W\d_]{3,})")
# "Mad Dog’ Mattis" after "James ‘": the mention starts within a nickname; or before a plural's possessive: "Reds’ Bo Beck".
_WITHIN_NICKNAME = re.compile(r"[^\"“‘”’']*\w\w[\"”’'] (?=\w)")
_OPENS_NICKNAME = re.compile(r"([^\W\d_a-z][\w.-]+ )?(?<!\w)[\"“‘'](?:[^\"“‘”’'\n]{1,15} )?\Z")
_CAPITALISED_AFTER = re.compile(r" ([A-Z][^\W_]+)")
_LETTERS_AFTER = word_list("letters_after")
# How often the corpus may have a name of another kind by chance.
_SELDOM = 2
# Words that follow names, and the fewest letters of a name before one that is glued to it.
_GLUED = STOP_WORDS | {"said", "says", "told"}
_SHORTEST_GLUED = 4


def join_adjacent(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Join mentions with only a space between them ("Fidel" "Castro"): the tagger split one name.

    Of "[Fidel] Castro" and "Dr. [Ann Lea] Ames", the given names that an editor inserted are no mention.
    """
    joined: list[Mention] = []
    for mention in mentions:
        if joined and text[joined[-1].end : mention.start] == "] ":
            inserted = joined[-1]
            if " " not in inserted.text or text[inserted.start - 1 : inserted.start] == "[":
                joined.pop()
        if joined and text[joined[-1].end : mention.start] == " ":
            before = joined.pop()
            mention = _span(text, before.start, mention.end, max(before, mention, key=lambda part: part.score))
        joined.append(mention)
    return joined


def _span(text: str, start: int, end: int, of: Mention) -> Mention:
    """The mention of other bounds than ``of``, with its score and odds."""
    return msgspec.structs.replace(of, start=start, end=end, text=text[start:end])


def settle(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions with the boundaries that the article and the corpus support, in order."""
    ended = list(_with_ends(mentions, text))
    names = _Names(ended, text, evidence)
    narrowed = [part for mention in ended for part in names.narrowed(names.unglued(mention))]
    return widen(narrowed, text, evidence)


def _with_ends(mentions: Iterable[Mention], text: str) -> Iterator[Mention]:
    """Yield the mentions without a final full stop, and with the given name before a nickname in which a mention starts."""
    last = 0
    for mention in mentions:
        if mention.start >= last:
            start = _start(mention, text, last)
            moved = mention if start == mention.start else _span(text, start, mention.end, mention)
            yield _without_stop(moved, text)
            last = mention.end


def _start(mention: Mention, text: str, least: int) -> int:
    """The start of a mention, not before ``least``: of "Mad Dog’ Mattis", the start of "James ‘Mad Dog’ Mattis" or of "Mattis"."""
    inside = _WITHIN_NICKNAME.match(mention.text)
    if inside is None:
        return mention.start
    opening = _OPENS_NICKNAME.search(text[max(least, mention.start - _SIDE) : mention.start])
    return mention.start - len(opening[0]) if opening and opening[1] else mention.start + inside.end()


def _without_stop(mention: Mention, text: str) -> Mention:
    """The mention without the full stop of its sentence, which an abbreviation ("Jr.") keeps."""
    stop = _FINAL_STOP.search(mention.text)
    if stop is None or fold(mention.text.split()[-1]) in SUFFIXES:
        return mention
    return _span(text, mention.start, mention.end - 1, mention)


class _Names:
    """The names of one article: how often each is a mention, and the family names that are mentions alone, too."""

    def __init__(self, mentions: Iterable[Mention], text: str, evidence: NameEvidence) -> None:
        self._text, self._words = text, words_of(text)
        self._counts = Counter(parse(mention.text).core for mention in mentions)
        self._evidence = evidence
        self._families = {words[-1] for words in self._counts if 1 < len(words) < 4 and self._counts[words[-1:]]}

    def unglued(self, mention: Mention) -> Mention:
        """The mention without a next word that is glued to it: "Vladimir Putinon" where others are "Vladimir Putin"."""
        *before, last = parse(mention.text).core or ("",)
        if not before or not mention.text.endswith(last[1:]):
            return mention
        for length in range(len(last) - 2, _SHORTEST_GLUED - 1, -1):
            known, rest = (*before, last[:length]), last[length:]
            is_known = self._counts[known] >= self._counts[*before, last] or self._evidence.leaning(" ".join(known)) > 1
            if rest in _GLUED and is_known:
                return _span(self._text, mention.start, mention.end - len(rest), mention)
        return mention

    def narrowed(self, mention: Mention) -> Iterator[Mention]:
        """Yield the name of a mention without the words beside it that are not of the name, or the two names of a mention."""
        spans = [(mention.start + word.start(), mention.start + word.end()) for word in _WORD.finditer(mention.text)]
        words = mention.text.split()
        if len(words) == 1 and (joined := _JOINED_NAMES.fullmatch(words[0])) and self._are_families(*joined.groups()):
            yield _span(self._text, mention.start, mention.start + joined.end(1), mention)
            yield _span(self._text, mention.start + joined.start(2), mention.start + joined.end(2), mention)
            return
        low, high = self._of_name(words, self._text[mention.end : mention.end + _SIDE])
        for index in range(low + 1, high):
            if self._are_two_names(words[low:index], words[index:high]):
                yield _span(self._text, spans[low][0], spans[index - 1][1], mention)
                yield _span(self._text, spans[index][0], spans[high - 1][1], mention)
                return
        yield _span(self._text, spans[low][0], spans[high - 1][1], mention)

    def _are_families(self, *words: str) -> bool:
        """Whether all words are family names of the article's persons: "Biden-Harris"."""
        return all(fold(word) in self._families for word in words)

    def _of_name(self, words: Sequence[str], after: str) -> tuple[int, int]:
        """The range of the words of a mention that are of the name; ``after`` is the text after it."""
        low, high = 0, len(words)
        if high > 1 and (self._has_more_after(words) or self._is_of_other(words[-1], after)):
            high -= 1
        while high - low > 1 and self._is_before_name(words[low], " ".join(words[low + 1 : high])):
            low += 1
        if high - low > 1 and self._ends_with_a_word(" ".join(words[low : high - 1]), words[high - 1]):
            high -= 1
        return low, high

    def _is_of_other(self, word: str, after: str) -> bool:
        """Whether a word is of a name of another kind that goes on after it: "Obama White | House", "Mathews Sri | Lanka"."""
        following = _CAPITALISED_AFTER.match(after)
        counts = self._evidence.counts(f"{word} {following[1]}") if following else None
        return counts is not None and counts.other > max(counts.person, _SELDOM)

    def _has_more_after(self, words: Sequence[str]) -> bool:
        """Whether a name is followed by a degree or an honour ("Ida Moss QC", "Moss QC") or by a day ("Ida Moss Monday").

        In a name in capitals, the letters may be its own.
        """
        last = fold(words[-1])
        has_letters = words[-1].isupper() and last in _LETTERS_AFTER and not all(word.isupper() for word in words)
        if not has_letters and last not in WEEKDAYS:
            return False
        family = (fold(words[0]),)
        return len(words) > 2 or any(name[-1:] == family for name in self._counts if len(name) > 1)

    def _is_before_name(self, word: str, rest: str) -> bool:
        """Whether the first word of a mention is not of the name: the rest is a full name that is known without the word.

        A word in lower case is misspelt ("lader Ames").
        """
        folded, words = fold(word), parse(rest).core
        if word.islower() and rest[0].isupper() and is_identifying(folded):
            return True
        if len(words) < 2 or not is_identifying(folded) or is_title(folded) or folded in GIVEN_NAMES:
            return False
        return self._counts[words] > 0 or self._evidence.leaning(rest) > 0

    def _ends_with_a_word(self, name: str, word: str) -> bool:
        """Whether a mention is a known name and a word that the article also has in lower case ("Ames Leaves")."""
        words = parse(name).core
        if self._counts[parse(f"{name} {word}").core] > 1 or fold(word) in SUFFIXES:
            return False
        is_family = len(words) == 1 and not self._is_given(words[0])
        known = (is_family and (words[0] in self._families or self._counts[words] > 1)) or (
            len(words) > 1 and self._counts[words] > 0
        )
        return known and self._words.has_word(word.lower())

    def _are_two_names(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Whether a mention is two names in a row: two full ones, the family names of two persons, or one of each.

        A suffix ends a name ("Owen Pike Jr. Ames").
        """
        if len(first) > 1 and fold(first[-1]) in SUFFIXES:
            return True
        head, tail = parse(" ".join(first)).core, parse(" ".join(second)).core
        name = " ".join((*first, *second))
        if self._counts[parse(name).core] > 1 or self._evidence.leaning(name) > 1:
            return False
        if len(head) > 1 and len(tail) > 1:
            are_known = self._counts[tail] > 1 and (self._counts[head] or self._counts[head[-1:]])
            return self._is_given(head[0]) and bool(are_known or (self._counts[tail] and self._is_given(tail[0])))
        if len(head) > 1 and len(tail) == 1 and tail[0] not in head:
            return self._counts[head] > 0 and tail[0] in self._families
        if len(first) > 1 or len(second) > 1 or not head or not tail or head == tail or first[0].endswith("."):
            return False
        return head[0] in self._families and tail[0] in self._families and not self._is_given(head[0])

    def _is_given(self, word: str) -> bool:
        return word in GIVEN_NAMES or self._evidence.is_given(word)


def widen(mentions: Sequence[Mention], text: str, evidence: NameEvidence = NO_EVIDENCE) -> list[Mention]:
    """The mentions, extended by a given name that the tagger left out: "Hillary [Rodham Clinton]".

    The capitalised word directly before a mention is added if the two are a person's name in the corpus, or if another
    mention of the article starts with this word and ends with the same last word.
    """
    names = (parse(mention.text).core for mention in mentions)
    known = {(words[0], words[-1]) for words in names if len(words) > 1}
    widened: list[Mention] = []
    for mention in mentions:
        longer = _with_word_before(mention, text)
        if longer is not None and (not widened or widened[-1].end <= longer.start):
            mention = longer if _is_known(longer.text, mention.text, known, evidence) else mention
        widened.append(mention)
    return widened


def _with_word_before(mention: Mention, text: str) -> Mention | None:
    """The mention with the capitalised word directly before it; None without one that may be of the name."""
    before = _WORD_BEFORE.search(text[max(0, mention.start - 30) : mention.start])
    if before is None or not before[1][-1].isalnum() or not parse(mention.text).core:
        return None
    if is_title(fold(before[1])) or _POSSESSIVE.search(before[1]):
        return None
    return _span(text, mention.start - len(before[0]), mention.end, mention)


def _is_known(longer: str, name: str, known: set[tuple[str, str]], evidence: NameEvidence) -> bool:
    first, last = longer.partition(" ")[0], parse(name).core[-1]
    # A full name is longer only if that is the usual one: a nickname may be before it ("Little Ann Ames").
    usual = max(evidence.leaning(name), 0) if " " in name else 0
    return evidence.leaning(longer) > usual or (fold(first), last) in known
