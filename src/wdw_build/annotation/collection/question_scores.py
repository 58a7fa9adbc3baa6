"""What is known of the collected questions: the statistics of QUOREF's Table 1, and how well people and the adversary answer.

Answers are scored by exact match and F1 over sets of spans (``systems.scoring``). As in QUOREF, the human figures are those
of the second persons against the writers, over all accepted questions; a verdict other than ``answerable`` scores 0.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from wdw_build.annotation.agreement import krippendorffs_alpha
from wdw_build.annotation.collection.passages import Passage, texts
from wdw_build.annotation.collection.question_rules import RULES
from wdw_build.annotation.collection.question_state import LABELS, Question, State, Validation
from wdw_build.annotation.score_records import clustered_share
from wdw_build.systems import scoring
from wdw_build.text.tokens import lm_tokens

# A validator agrees with the writer if the F1 of her spans reaches this, as "Minister Ana Kovar" does for "Ana Kovar".
AGREES = 0.8
# No person has a name in brackets.
POOLED = "(all)"
_RESAMPLES = 2000
_DIGITS = 4

Texts = dict[str, str]


class Answered(msgspec.Struct, frozen=True):
    """An answer to a question with its scores."""

    question: str
    exact_match: float
    f1: float


class Performance(msgspec.Struct, frozen=True):
    """Means over answers with their 95 % intervals."""

    answers: int
    questions: int
    exact_match: float
    exact_match_interval: tuple[float, float]
    """Wilson's interval; answers to one question are not independent (``clustered_share``)."""
    f1: float
    f1_interval: tuple[float, float]
    """Percentile bootstrap over questions."""


class Table1(msgspec.Struct, frozen=True):
    """The statistics of QUOREF's Table 1, of the exported questions. Tokens are those of the n-gram model."""

    questions: int
    passages: int
    """Passages with at least one question."""
    passage_tokens: float
    passage_tokens_deviation: float
    question_tokens: float
    question_tokens_deviation: float
    passage_vocabulary: int
    """Distinct tokens, with upper and lower case taken together."""
    question_vocabulary: int
    multi_span: float
    """Share of questions whose answer has several spans."""


class Scored(msgspec.Struct, frozen=True):
    """The score of a collection: what ``collect score`` prints."""

    collection: str
    table1: Table1
    accepted: int
    confirmed: int
    unchecked: int
    """Accepted questions that no adversary answered."""
    refused: dict[str, int]
    """Rule -> refused attempts that broke it."""
    attempts: int
    """Accepted questions, deleted ones not counted, and refused attempts."""
    people: dict[str, Performance]
    """Validator -> performance; `(all)`: pooled."""
    verdicts: dict[str, int]
    """Verdict -> validations."""
    adversary: dict[str, Performance]
    """Identity of the adversary -> its performance on the accepted questions that it was asked."""
    labelled: int
    """Questions with labels."""
    phenomena: dict[str, float]
    """Label -> share of labelled questions, each person's labels counting the same (QUOREF's Table 2)."""
    agreement: dict[str, float | None]
    """Label -> Krippendorff's alpha of the people who labelled; null if it is undefined."""


def is_confirmed(question: Question, text: str) -> bool:
    """Whether more validators agree with the writer than object."""
    votes = [1 if agrees(validation, question, text) else -1 for validation in question.validations.values()]
    return sum(votes) > 0


def agrees(validation: Validation, question: Question, text: str) -> bool:
    """Whether a validator marked what the writer marked."""
    return validation.verdict == "answerable" and scored_answer(validation, question, text).f1 >= AGREES


def table1(questions: Sequence[Question], passages: Iterable[Passage]) -> Table1:
    """Table 1 of some questions."""
    asked_about = {question.passage for question in questions}
    contexts = [lm_tokens(passage.text) for passage in passages if passage.id in asked_about]
    asked = [lm_tokens(question.written.question) for question in questions]
    lengths, question_lengths = list(map(len, contexts)), list(map(len, asked))
    return Table1(
        questions=len(questions),
        passages=len(contexts),
        passage_tokens=_mean(lengths),
        passage_tokens_deviation=_deviation(lengths),
        question_tokens=_mean(question_lengths),
        question_tokens_deviation=_deviation(question_lengths),
        passage_vocabulary=_vocabulary(contexts),
        question_vocabulary=_vocabulary(asked),
        multi_span=_mean([len(question.written.spans) > 1 for question in questions]),
    )


def score(collection: str, state: State, passages: Sequence[Passage]) -> Scored:
    """The score of a collection's questions."""
    text = {passage.id: passage.text for passage in passages}
    questions = state.questions
    rules = Counter(rule for attempt in state.refused for rule in attempt.refused.rules)
    validations = [validation for question in questions for validation in question.validations.values()]
    labelled = [question for question in questions if question.labels]
    return Scored(
        collection=collection,
        table1=table1(questions, passages),
        accepted=len(questions),
        confirmed=sum(is_confirmed(question, text[question.passage]) for question in questions),
        unchecked=sum(question.written.adversary is None for question in questions),
        refused={rule: rules[rule] for rule in RULES if rules[rule]},
        attempts=len(questions) + len(state.refused),
        people=_people(questions, text),
        verdicts=dict(sorted(Counter(validation.verdict for validation in validations).items())),
        adversary=_adversaries(questions, text),
        labelled=len(labelled),
        phenomena={label: _mean([_share(label, question) for question in labelled]) for label in LABELS},
        agreement={label: _alpha(label, labelled) for label in LABELS},
    )


def performance(answers: Sequence[Answered]) -> Performance:
    """Means and intervals of at least one answer."""
    by_question: dict[str, list[Answered]] = {}
    for answer in answers:
        by_question.setdefault(answer.question, []).append(answer)
    exact = clustered_share(
        (sum(int(each.exact_match) for each in group), len(group)) for group in by_question.values()
    )
    return Performance(
        answers=len(answers),
        questions=len(by_question),
        exact_match=_mean([answer.exact_match for answer in answers]),
        exact_match_interval=exact.interval,
        f1=_mean([answer.f1 for answer in answers]),
        f1_interval=_bootstrap([[each.f1 for each in group] for group in by_question.values()]),
    )


def _people(questions: Iterable[Question], text: Texts) -> dict[str, Performance]:
    by_person: dict[str, list[Answered]] = {}
    pooled: list[Answered] = []
    for question in questions:
        for person, validation in question.validations.items():
            answered = scored_answer(validation, question, text[question.passage])
            by_person.setdefault(person, []).append(answered)
            pooled.append(answered)
    named = {person: performance(by_person[person]) for person in sorted(by_person)}
    return named | ({POOLED: performance(pooled)} if pooled else {})


def _adversaries(questions: Iterable[Question], text: Texts) -> dict[str, Performance]:
    answers: dict[str, list[Answered]] = {}
    for question in questions:
        answer = question.written.adversary
        if answer is not None:
            scored = _scored(answer.spans, question, text[question.passage])
            answers.setdefault(answer.identity, []).append(scored)
    return {identity: performance(answers[identity]) for identity in sorted(answers)}


def scored_answer(validation: Validation, question: Question, text: str) -> Answered:
    """A validator's answer against the writer's."""
    return _scored(texts(text, validation.spans), question, text)


def _scored(spans: Sequence[str], question: Question, text: str) -> Answered:
    gold = texts(text, question.written.spans)
    return Answered(question.id, scoring.exact_match(spans, gold), scoring.f1(spans, gold))


def _share(label: str, question: Question) -> float:
    return sum(label in labelling.phenomena for labelling in question.labels.values()) / len(question.labels)


def _alpha(label: str, labelled: Iterable[Question]) -> float | None:
    by_person: dict[str, dict[str, bool]] = {}
    for question in labelled:
        for person, labelling in question.labels.items():
            by_person.setdefault(person, {})[question.id] = label in labelling.phenomena
    alpha = krippendorffs_alpha(by_person).value
    return None if alpha is None else round(alpha, _DIGITS)


def _mean(values: Sequence[float]) -> float:
    return round(statistics.fmean(values), _DIGITS) if values else 0.0


def _deviation(values: Sequence[float]) -> float:
    return round(statistics.stdev(values), _DIGITS) if len(values) > 1 else 0.0


def _vocabulary(texts_of_tokens: Iterable[Sequence[str]]) -> int:
    return len({token.casefold() for tokens in texts_of_tokens for token in tokens})


def _bootstrap(by_question: Sequence[Sequence[float]]) -> tuple[float, float]:
    """95 % percentile interval of the mean F1. Whole questions are drawn, since answers to one question go together."""
    import numpy

    sums = numpy.array([sum(scores) for scores in by_question])
    counts = numpy.array([len(scores) for scores in by_question])
    drawn = numpy.random.default_rng(0).integers(len(sums), size=(_RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = numpy.quantile(means, [0.025, 0.975])
    return round(float(low), _DIGITS), round(float(high), _DIGITS)
