"""The rules that refuse a question before anybody else reads it. Each has a name and a sentence for the writer.

The first ten are about form. ``no-coreference`` refuses questions that name the sentence with the answer in it, and
``adversary`` those that a model answers: QUOREF asked for questions that need a link between two mentions and that its
adversary could not answer (Dasigi et al. 2019, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from wdw_build.annotation.questions.passages import Passage
from wdw_build.annotation.questions.spans import cuts_a_word, overlap, texts
from wdw_build.records import TokenSpan
from wdw_build.similarity.bags import elements
from wdw_build.systems import scoring
from wdw_build.text.function_words import STOP_WORDS
from wdw_build.text.names.matching import last_name, without_titles
from wdw_build.text.tokens import words

ADVERSARY = "adversary"
RULES: dict[str, str] = {
    "empty": "Write a question.",
    "too-long": "Ask in at most 60 words.",
    "yes-no": "The answer would be yes or no. Ask who, whose, what, which, where, when, why or how.",
    "not-a-question": "Ask with a question word, such as who or which, and end with a question mark.",
    "no-answer": "Mark the answer in the passage.",
    "not-in-passage": "An answer must stand in the passage, and hold a letter or a digit.",
    "cuts-a-word": "An answer cuts a word. Mark whole words.",
    "long-answer": "An answer is too long. Mark the name alone, and several persons as several answers.",
    "overlap": "Two answers overlap or are the same place.",
    "answer-in-question": "The question contains its answer.",
    "near-duplicate": "This question is nearly the same as an earlier one of this passage.",
    "no-coreference": "One sentence holds both the answer and most words of the question. Ask for what another sentence "
    "says of the person, so that the reader must find out whom “she” or “the minister” is.",
    ADVERSARY: "The model answers this question. Ask so that a reader must combine more of the passage.",
}
_QUESTION_WORDS = frozenset("who whom whose what which where when why how".split())
_AUXILIARIES = frozenset(
    "am is are was were do does did has have had can could may might must shall should will would isn aren wasn weren don "
    "doesn didn hasn haven hadn couldn shouldn won wouldn".split()
)
_MOST_QUESTION_WORDS = 60


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The thresholds of the rules; they are part of a collection."""

    answer_words: int = 8
    """Most words of an answer."""
    duplicate: float = 0.8
    """Share of the shorter question's words that stand in the other one."""
    duplicate_same_answer: float = 0.6
    """The same for two questions with the same answer."""
    sentence: float = 0.6
    """Share of the question's content words that stand in the sentence of the answer."""
    adversary: float = 0.5
    """Greatest F1 of the adversary's answer. A model that finds one of two persons has 0.5 and has not answered; one that
    finds the last name of a person with two names has 0.67 and has."""


class Draft(msgspec.Struct, frozen=True):
    """A question as a person typed it, and the spans that she marked in the passage."""

    question: str
    spans: tuple[TokenSpan, ...]


def broken(
    draft: Draft, passage: Passage, earlier: Sequence[Draft], limits: Limits, adversary: Sequence[str] | None = None
) -> list[str]:
    """The names of the rules that a draft breaks, in the order of ``RULES``.

    ``earlier`` are the accepted questions of the passage. ``adversary`` is the adversary's answer; None: it gave none.
    """
    names = [*_of_question(draft.question), *of_spans(draft.spans, passage.text, limits)]
    if not names:
        names = list(_of_meaning(draft, passage, earlier, limits))
    if adversary is not None and draft.spans and f1(draft, passage, adversary) > limits.adversary:
        names.append(ADVERSARY)
    return sorted(set(names), key=list(RULES).index)


def f1(draft: Draft, passage: Passage, answer: Sequence[str]) -> float:
    """F1 of an answer against the spans of a draft, in [0, 1]; titles count only if this raises it ("Dr. Ng", "Mei Ng")."""
    gold = texts(passage.text, draft.spans)
    bare, bare_gold = (tuple(map(without_titles, spans)) for spans in (answer, gold))
    return max(scoring.f1(answer, gold), scoring.f1(bare, bare_gold))


def similar(draft: Draft, passage: Passage, earlier: Sequence[Draft], limits: Limits) -> Draft | None:
    """The first earlier question that the draft nearly repeats."""
    return next((other for other in earlier if _repeats(draft, other, passage.text, limits)), None)


def _of_question(question: str) -> Iterator[str]:
    in_order = words(question)
    if not in_order:
        yield "empty"
        return
    if len(in_order) > _MOST_QUESTION_WORDS:
        yield "too-long"
    asks = not _QUESTION_WORDS.isdisjoint(in_order)
    if in_order[0] in _AUXILIARIES and not asks:
        yield "yes-no"
    elif not asks or not question.rstrip().rstrip("\"'”’)").endswith("?"):
        yield "not-a-question"


def of_spans(spans: Sequence[TokenSpan], text: str, limits: Limits) -> Iterator[str]:
    """The names of the rules that the spans of an answer break."""
    if not spans:
        yield "no-answer"
    for start, end in spans:
        if not 0 <= start < end <= len(text) or not words(text[start:end]):
            yield "not-in-passage"
        elif cuts_a_word(text, (start, end)):
            yield "cuts-a-word"
        elif len(text[start:end].split()) > limits.answer_words:
            yield "long-answer"
    if overlap(spans):
        yield "overlap"


def _of_meaning(draft: Draft, passage: Passage, earlier: Sequence[Draft], limits: Limits) -> Iterator[str]:
    asked = words(draft.question)
    if any(_contains(asked, words(answer)) for answer in texts(passage.text, draft.spans)):
        yield "answer-in-question"
    if similar(draft, passage, earlier, limits):
        yield "near-duplicate"
    if _paraphrases_one_sentence(draft, passage, limits):
        yield "no-coreference"


def _contains(sequence: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(sequence[at : at + len(part)]) == list(part) for at in range(len(sequence) - len(part) + 1))


def _repeats(draft: Draft, other: Draft, text: str, limits: Limits) -> bool:
    first, second = set(elements(words(draft.question))), set(elements(words(other.question)))
    share = len(first & second) / max(min(len(first), len(second)), 1)
    has_same_answer = scoring.exact_match(texts(text, draft.spans), texts(text, other.spans)) == 1
    return share >= (limits.duplicate_same_answer if has_same_answer else limits.duplicate)


def _paraphrases_one_sentence(draft: Draft, passage: Passage, limits: Limits) -> bool:
    """Whether one sentence names all answers and has the given share of the question's content words."""
    content = set(words(draft.question)) - STOP_WORDS
    answers = [_named_by(answer) for answer in texts(passage.text, draft.spans)]
    sentences = (words(passage.text[start:end]) for start, end in passage.sentences)
    return bool(content) and any(
        len(content.intersection(sentence)) / len(content) >= limits.sentence
        and all(_contains(sentence, answer) for answer in answers)
        for sentence in sentences
    )


def _named_by(answer: str) -> list[str]:
    """The words by which a sentence names an answer: the last name of a person, else the whole answer."""
    last = last_name(answer)
    return words(last if answer[:1].isupper() and last[:1].isupper() else answer)
