"""What is known of the collected questions: the statistics of QUOREF's Table 1, and how well people and the adversary answer.

Answers are scored by exact match and F1 over sets of spans (``systems.scoring``). As in QUOREF, the human figures are those
of the second persons against the writers, over all accepted questions; a verdict other than ``answerable`` scores 0. What
each person said of each question is exported as lines of JSON.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from wdw_build.annotation.agreement import krippendorffs_alpha
from wdw_build.annotation.collection.passages import Passage, texts
from wdw_build.annotation.collection.question_rules import RULES
from wdw_build.annotation.collection.question_state import LABELS, Question, State, Validation, Verdict
from wdw_build.annotation.score_records import clustered_share
from wdw_build.reading import scoring
from wdw_build.records import TokenSpan
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
    """Means over answers with their 95% intervals."""

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
    answers = [
        (person, scored_answer(validation, question, text[question.passage]))
        for question in questions
        for person, validation in question.validations.items()
    ]
    return _performances(answers) | _performances((POOLED, answer) for _, answer in answers)


def _adversaries(questions: Iterable[Question], text: Texts) -> dict[str, Performance]:
    return _performances(
        (
            question.written.adversary.identity,
            _scored(question.written.adversary.spans, question, text[question.passage]),
        )
        for question in questions
        if question.written.adversary is not None
    )


def _performances(answers: Iterable[tuple[str, Answered]]) -> dict[str, Performance]:
    """The performance of each who answered, by name."""
    by_name: dict[str, list[Answered]] = {}
    for name, answer in answers:
        by_name.setdefault(name, []).append(answer)
    return {name: performance(by_name[name]) for name in sorted(by_name)}


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
    """95% percentile interval of the mean F1. Whole questions are drawn, since answers to one question go together."""
    import numpy

    sums = numpy.array([sum(scores) for scores in by_question])
    counts = numpy.array([len(scores) for scores in by_question])
    drawn = numpy.random.default_rng(0).integers(len(sums), size=(_RESAMPLES, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = numpy.quantile(means, [0.025, 0.975])
    return round(float(low), _DIGITS), round(float(high), _DIGITS)


# ---- what each person said --------------------------------------------------------------------------------------------


VALIDATIONS = "validations.jsonl"


class ExportedValidation(msgspec.Struct, frozen=True, kw_only=True):
    """What one person said of one question: a line of ``validations.jsonl``."""

    question: str
    """Id of the question in `questions.json`."""
    passage: str
    """Id of the passage, the `context_id` of `questions.json`."""
    writer: str
    """Name of the person who wrote the question."""
    person: str
    """Name of the person who validated or labelled it."""
    verdict: Verdict | None
    """`answerable`, `ambiguous`, `no-coreference` or `broken`; null if the person only labelled."""
    spans: tuple[TokenSpan, ...]
    """Start and end of the marked answers in the passage, in code points."""
    answers: tuple[str, ...]
    """Text of the marked answers."""
    exact_match: float | None
    """Exact match with the writer's answer; null without a verdict."""
    f1: float | None
    """F1 with the writer's answer; null without a verdict."""
    agrees: bool | None
    """Whether the person agrees with the writer; null without a verdict."""
    phenomena: tuple[str, ...] | None
    """The labels that the person gave, none if no coreference is needed; null if she gave no labels."""


def exported_validations(questions: Sequence[Question], text: Texts) -> Iterator[ExportedValidation]:
    """The validations and labels of some questions, by question and name; ``text``: id of a passage -> its text."""
    for question in questions:
        passage = text[question.passage]
        for person in sorted({*question.validations, *question.labels}):
            validation, labels = question.validations.get(person), question.labels.get(person)
            scored = scored_answer(validation, question, passage) if validation else None
            spans = validation.spans if validation else ()
            yield ExportedValidation(
                question=question.id,
                passage=question.passage,
                writer=question.writer,
                person=person,
                verdict=validation.verdict if validation else None,
                spans=spans,
                answers=texts(passage, spans),
                exact_match=scored.exact_match if scored else None,
                f1=scored.f1 if scored else None,
                agrees=agrees(validation, question, passage) if validation else None,
                phenomena=labels.phenomena if labels else None,
            )
