"""What a writer is told of her question: why it is refused, and what she may want to check although nothing refuses it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from wdw_build.annotation.questions.passages import PRONOUNS, Passage
from wdw_build.annotation.questions.rules import ADVERSARY, RULES, Draft, Limits, has_name, similar
from wdw_build.annotation.questions.spans import places, texts
from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.tokens import words

_DETERMINERS = frozenset("the a an".split())
# "Who lost his job?": the pronoun may stand for the person who is asked for.
_ASKED_FOR = frozenset("who which what".split())
_INVERTED = frozenset("is was did does do has had can could may might must should will would".split())
_WORD = re.compile(r"[^\W\d_]+")


def explanation(
    rule: str,
    draft: Draft,
    passage: Passage,
    earlier: Sequence[Draft],
    limits: Limits,
    adversary: Sequence[str] | None = None,
) -> str:
    """The sentence of a rule that a draft breaks, with the earlier question or the sentence of the adversary's answer."""
    if rule == "near-duplicate":
        repeated = similar(draft, passage, earlier, limits)
        return RULES[rule] + (f" Earlier: {repeated.question}" if repeated else "")
    sentence = _sentence_of(adversary, draft, passage) if rule == ADVERSARY and adversary else ""
    return RULES[rule] + (f" Its answer stands in this sentence: “{sentence}”" if sentence else "")


def notes(draft: Draft, passage: Passage) -> list[str]:
    """What to check in a question that no rule refuses."""
    unnamed = [answer for answer in texts(passage.text, draft.spans) if not has_name(answer)]
    told = [f"“{answer}” is no name. If the passage names the person, mark the name." for answer in unnamed]
    pronoun = _pronoun_of_nobody(draft.question)
    if pronoun:
        told.append(f"The question does not say whom “{pronoun}” stands for. Name the person, or write “the minister”.")
    return told


def _sentence_of(answer: Sequence[str], draft: Draft, passage: Passage) -> str:
    """The sentence with the answer's first span that shares most words with the question; empty if there is none."""
    asked = set(words(draft.question)) - STOP_WORDS
    sentences = [" ".join(passage.text[start:end].split()) for start, end in passage.sentences]
    holding = [sentence for sentence in sentences if places(sentence, answer[0])]
    return max(holding, key=lambda sentence: len(asked.intersection(words(sentence))), default="")


def _pronoun_of_nobody(question: str) -> str:
    """The first pronoun of the third person, if neither a name, nor a description, nor "who" before it may be meant."""
    in_order = _WORD.findall(question)
    for place, word in enumerate(in_order):
        before = [earlier.casefold() for earlier in in_order[:place]]
        if word.casefold() in PRONOUNS:
            is_inverted = bool(before) and before[-1] in _INVERTED
            return word if is_inverted or _ASKED_FOR.isdisjoint(before) else ""
        if word.casefold() in _DETERMINERS or (place and has_name(word)):
            return ""
    return ""
