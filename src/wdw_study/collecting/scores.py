"""What is known of the collected questions: the statistics of QUOREF's Table 1, and how well people and the adversary answer.

Answers are scored by exact match and F1 over sets of spans (``reading.scoring``). As in QUOREF, the human figures are those
of the second persons against the writers, over all accepted questions; a verdict other than ``answerable`` scores 0.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from wdw_build.api import lm_tokens
from wdw_build.reading import scoring
from wdw_study.collecting.passages import Passage, texts
from wdw_study.collecting.questions import Question, State, Validation
from wdw_study.collecting.rules import RULES
from wdw_study.figures import ScoreTable, clustered_mean, clustered_share, number, rounded

# A validator agrees with the writer if the F1 of her spans reaches this, as "Minister Ana Kovar" does for "Ana Kovar".
AGREES = 0.8
# No person has a name in brackets.
POOLED = "(all)"

Texts = dict[str, str]


class Answered(NamedTuple):
    """An answer to a question with its scores."""

    question: str
    exact_match: float
    f1: float


class Performance(msgspec.Struct, frozen=True):
    """Means over answers with their 95% intervals."""

    answers: int
    exact_match: float
    exact_match_interval: tuple[float, float]
    """Wilson's interval; answers to one question are not independent (``clustered_share``)."""
    f1: float
    f1_interval: tuple[float, float]
    """Percentile bootstrap over questions."""


class Scored(msgspec.Struct, frozen=True):
    """The score of a collection: what ``collect score`` prints. The first figures are those of QUOREF's Table 1."""

    collection: str
    questions: int
    """Accepted questions."""
    passages: int
    """Passages with at least one question."""
    passage_tokens: float
    """Mean number of tokens of these passages; tokens are those of the n-gram model."""
    question_tokens: float
    passage_vocabulary: int
    """Distinct tokens, with upper and lower case taken together."""
    question_vocabulary: int
    multi_span: float
    """Share of questions whose answer has several spans."""
    confirmed: int
    """Questions with which more second persons agree than disagree."""
    unchecked: int
    """Accepted questions that no adversary answered."""
    attempts: int
    """Accepted questions, deleted ones not counted, and refused attempts."""
    refused: dict[str, int]
    """Rule -> refused attempts that broke it."""
    people: dict[str, Performance]
    """Validator -> performance; `(all)`: pooled."""
    verdicts: dict[str, int]
    """Verdict -> validations."""
    adversary: dict[str, Performance]
    """Identity of the adversary -> its performance on the accepted questions that it was asked."""


def is_confirmed(question: Question, text: str) -> bool:
    """Whether more validators agree with the writer than object."""
    votes = [1 if agrees(validation, question, text) else -1 for validation in question.validations.values()]
    return sum(votes) > 0


def agrees(validation: Validation, question: Question, text: str) -> bool:
    """Whether a validator marked what the writer marked."""
    return validation.verdict == "answerable" and _scored(texts(text, validation.spans), question, text).f1 >= AGREES


def score(collection: str, state: State, passages: Iterable[Passage]) -> Scored:
    """The score of a collection's questions."""
    questions, text = state.questions, {passage.id: passage.text for passage in passages}
    contexts = [lm_tokens(text[name]) for name in sorted({question.passage for question in questions})]
    question_tokens = [lm_tokens(question.written.question) for question in questions]
    rules = Counter(rule for attempt in state.refused for rule in attempt.refused.rules)
    verdicts = Counter(validation.verdict for question in questions for validation in question.validations.values())
    return Scored(
        collection=collection,
        questions=len(questions),
        passages=len(contexts),
        passage_tokens=_mean(list(map(len, contexts))),
        question_tokens=_mean(list(map(len, question_tokens))),
        passage_vocabulary=_vocabulary(contexts),
        question_vocabulary=_vocabulary(question_tokens),
        multi_span=_mean([len(question.written.spans) > 1 for question in questions]),
        confirmed=sum(is_confirmed(question, text[question.passage]) for question in questions),
        unchecked=sum(question.written.adversary is None for question in questions),
        attempts=len(questions) + len(state.refused),
        refused={rule: rules[rule] for rule in RULES if rules[rule]},
        people=_performances(_by_people(questions, text)),
        verdicts=dict(sorted(verdicts.items())),
        adversary=_performances(_by_adversaries(questions, text)),
    )


def _by_people(questions: Iterable[Question], text: Texts) -> Iterable[tuple[str, Answered]]:
    """Name -> answer, and all of them under the name ``POOLED``."""
    for question in questions:
        for person, validation in question.validations.items():
            answer = _scored(texts(text[question.passage], validation.spans), question, text[question.passage])
            yield person, answer
            yield POOLED, answer


def _by_adversaries(questions: Iterable[Question], text: Texts) -> Iterable[tuple[str, Answered]]:
    for question in questions:
        adversary = question.written.adversary
        if adversary is not None:
            yield adversary.identity, _scored(adversary.spans, question, text[question.passage])


def _performances(answers: Iterable[tuple[str, Answered]]) -> dict[str, Performance]:
    """The performance of each who answered, by name."""
    by_name: dict[str, list[Answered]] = {}
    for name, answer in answers:
        by_name.setdefault(name, []).append(answer)
    return {name: performance(by_name[name]) for name in sorted(by_name)}


def performance(answers: Sequence[Answered]) -> Performance:
    """Means and intervals of at least one answer."""
    by_question: dict[str, list[Answered]] = {}
    for answer in answers:
        by_question.setdefault(answer.question, []).append(answer)
    groups = list(by_question.values())
    exact = clustered_share((sum(int(answer.exact_match) for answer in group), len(group)) for group in groups)
    mean, *interval = clustered_mean([[answer.f1 for answer in group] for group in groups])
    return Performance(len(answers), exact.share or 0.0, exact.interval, mean, (interval[0], interval[1]))


def _scored(spans: Sequence[str], question: Question, text: str) -> Answered:
    gold = texts(text, question.written.spans)
    return Answered(question.id, scoring.exact_match(spans, gold), scoring.f1(spans, gold))


def _mean(values: Sequence[float]) -> float:
    return rounded(statistics.fmean(values)) if values else 0.0


def _vocabulary(texts_of_tokens: Iterable[Sequence[str]]) -> int:
    return len({token.casefold() for tokens in texts_of_tokens for token in tokens})


# ---- tables ----------------------------------------------------------------------------------------------------------


def score_tables(scored: Scored) -> list[ScoreTable]:
    """The tables of a score."""
    figures = [
        ("questions", f"{scored.questions:,}"),
        ("passages with questions", f"{scored.passages:,}"),
        ("tokens of a passage", f"{scored.passage_tokens:.1f}"),
        ("tokens of a question", f"{scored.question_tokens:.1f}"),
        ("vocabulary of passages", f"{scored.passage_vocabulary:,}"),
        ("vocabulary of questions", f"{scored.question_vocabulary:,}"),
        ("questions with several spans", number(scored.multi_span)),
        ("confirmed by a second person", f"{scored.confirmed:,}"),
        ("not checked by an adversary", f"{scored.unchecked:,}"),
        ("refused attempts", f"{scored.attempts - scored.questions:,} of {scored.attempts:,}"),
    ]
    heads = ("answered by", "answers", "exact match (95%)", "F1 (95%)")
    return [
        ScoreTable(f"Collection {scored.collection}", ("", "value"), figures),
        ScoreTable("Second persons", heads, list(map(_row, scored.people.items()))),
        ScoreTable("Adversary, accepted questions", heads, list(map(_row, scored.adversary.items()))),
        ScoreTable("Refused", ("rule", "attempts"), [(rule, str(count)) for rule, count in scored.refused.items()]),
    ]


def _row(named: tuple[str, Performance]) -> tuple[str, ...]:
    name, performance = named
    exact = f"{number(performance.exact_match)} ({_interval(performance.exact_match_interval)})"
    return name, str(performance.answers), exact, f"{number(performance.f1)} ({_interval(performance.f1_interval)})"


def _interval(interval: tuple[float, float]) -> str:
    return " to ".join(map(number, interval))
