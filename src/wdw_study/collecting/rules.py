"""The rules that refuse a question before anybody else reads it. Each has a name and a sentence for the writer.

The rules up to ``same-person`` are about form. ``no-coreference`` refuses questions that name the sentence with the answer in
it, and ``adversary`` those that a model answers: QUOREF asked for questions that need a link between two mentions and that its
adversary could not answer (Dasigi et al. 2019, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from wdw_build.api import STOP_WORDS, TITLES, compare_names, elements, parse_name, words
from wdw_build.reading import scoring
from wdw_build.records import TokenSpan
from wdw_study.collecting.passages import Passage, cuts_a_word, overlap, texts

ADVERSARY = "adversary"
RULES: dict[str, str] = {
    "empty": "Write a question.",
    "too-short": "Ask in at least three words, and say what the person does or is.",
    "too-long": "Ask in at most 60 words.",
    "yes-no": "The answer would be yes or no. Ask for a person, with who, whom, whose or which.",
    "not-a-question": "Ask with a question word, such as who or which, and end with a question mark.",
    "no-answer": "Mark the answer in the passage.",
    "not-in-passage": "An answer must occur in the passage, and contain a letter or a digit.",
    "cuts-a-word": "An answer begins or ends within a word. Mark whole words.",
    "no-name": "A pronoun or a title alone is no answer. Mark the name of the person.",
    "long-answer": "An answer is too long. Mark the name alone, and several persons as several answers.",
    "overlap": "Two answers overlap or are the same place.",
    "same-person": "Two answers are the same person. Mark each person once, by the full name.",
    "answer-in-question": "The question contains its answer.",
    "near-duplicate": "This question is nearly the same as an earlier one of this passage.",
    "no-coreference": "One sentence holds both the answer and most words of the question. Ask for what another sentence "
    "says of the person, so that the reader must find out whom “she” or “the minister” is.",
    ADVERSARY: "The model answers this question. Ask for what another sentence says of the person, one that calls the person "
    "“he”, “she” or by a description.",
}
_QUESTION_WORDS = frozenset("who whom whose what which where when why how".split())
_AUXILIARIES = frozenset(
    "am is are was were do does did has have had can could may might must shall should will would isn aren wasn weren don "
    "doesn didn hasn haven hadn couldn shouldn won wouldn".split()
)
_FEWEST_QUESTION_WORDS, _SHORT_QUESTION, _MOST_QUESTION_WORDS = 3, 5, 60
_NO_NAMES = STOP_WORDS | TITLES


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The thresholds of the rules; they are part of a collection."""

    answer_words: int = 5
    """Most words of an answer, without the titles before a name (QUOREF had this limit)."""
    duplicate: float = 0.8
    """Share of the shorter question's words that occur in the other one."""
    duplicate_same_answer: float = 0.6
    """The same for two questions with the same answer."""
    sentence: float = 0.6
    """Share of the question's content words that occur in the sentence of the answer."""
    adversary: float = 0.5
    """Greatest F1 of the adversary's answer, as ``f1`` counts it. A model that finds one of two persons has 0.5 and has not
    answered; one that finds a person by the last name has 1 and has."""


class Draft(msgspec.Struct, frozen=True):
    """A question as a person typed it, and the spans that she marked in the passage."""

    question: str
    spans: tuple[TokenSpan, ...]
    """Start and end in code points of the passage."""


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
    """F1 of the adversary's answer against the spans of a draft, in [0, 1], such that no way of marking hides a right answer.

    A form of a marked name counts as that name ("Dr. Ng" for "Mei Ng"). Descriptions that are marked beside a name do not
    count. If one span is marked, the best span of the answer counts.
    """
    gold = _names_of(texts(passage.text, draft.spans))
    named = [next((name for name in gold if compare_names(span, name).is_form), span) for span in answer]
    scores = [scoring.f1(named, gold)]
    if len(gold) == 1:
        scores += [scoring.f1([span], gold) for span in named]
    return max(scores)


def has_name(answer: str) -> bool:
    """Whether an answer has a capitalised word that is neither a function word nor a title."""
    return any(word[:1].isupper() and not _NO_NAMES.issuperset(words(word)) for word in answer.split())


def _names_of(answers: Sequence[str]) -> Sequence[str]:
    """The answers that hold a name; all answers if none does."""
    return [answer for answer in answers if has_name(answer)] or answers


def _of_question(question: str) -> Iterator[str]:
    in_order = words(question)
    if not in_order:
        yield "empty"
        return
    if len(in_order) < _FEWEST_QUESTION_WORDS or STOP_WORDS.issuperset(in_order):
        yield "too-short"
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
        elif _NO_NAMES.issuperset(words(text[start:end])):
            yield "no-name"
        elif len(parse_name(text[start:end]).bare.split()) > limits.answer_words:
            yield "long-answer"
    if overlap(spans):
        yield "overlap"
    elif any(compare_names(*pair).is_form for pair in combinations(texts(text, spans), 2)):
        yield "same-person"


def _of_meaning(draft: Draft, passage: Passage, earlier: Sequence[Draft], limits: Limits) -> Iterator[str]:
    question_words = words(draft.question)
    if any(_contains(question_words, words(answer)) for answer in texts(passage.text, draft.spans)):
        yield "answer-in-question"
    if any(_repeats(draft, other, passage.text, limits) for other in earlier):
        yield "near-duplicate"
    if _paraphrases_one_sentence(draft, passage, limits):
        yield "no-coreference"


def _contains(sequence: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(sequence[at : at + len(part)]) == list(part) for at in range(len(sequence) - len(part) + 1))


def _repeats(draft: Draft, other: Draft, text: str, limits: Limits) -> bool:
    first, second = set(elements(words(draft.question))), set(elements(words(other.question)))
    # The few words of a short question occur in many others, so that a short question counts as one of five words.
    shorter, longer = sorted((len(first), len(second)))
    share = len(first & second) / max(shorter, min(longer, _SHORT_QUESTION), 1)
    has_same_answer = scoring.exact_match(texts(text, draft.spans), texts(text, other.spans)) == 1
    return share >= (limits.duplicate_same_answer if has_same_answer else limits.duplicate)


def _paraphrases_one_sentence(draft: Draft, passage: Passage, limits: Limits) -> bool:
    """Whether one sentence names all answers and has the given share of the question's content words."""
    content = set(words(draft.question)) - STOP_WORDS
    answers = []
    for answer in _names_of(texts(passage.text, draft.spans)):
        # A sentence names a person by the last name, and anything else by the whole answer.
        last = parse_name(answer).last
        answers.append(words(last if answer[:1].isupper() and last[:1].isupper() else answer))
    sentences = (words(passage.text[start:end]) for start, end in passage.sentences)
    return bool(content) and any(
        len(content.intersection(sentence)) / len(content) >= limits.sentence
        and all(_contains(sentence, answer) for answer in answers)
        for sentence in sentences
    )
