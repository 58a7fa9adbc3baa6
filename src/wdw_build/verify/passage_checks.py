"""Checks a problem against its two articles: sources, window, and the tests of a valid passage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from wdw_build.core.config.settings import Config
from wdw_build.records import Article, Problem
from wdw_build.verify.plain_words import name_words, sure_sentences, words

_GRAM = 8
_EPSILON = 1e-9


@dataclass(frozen=True)
class ProblemWithArticles:
    """A problem with its two articles from the output of ingest; None for an article that ingest did not write."""

    problem: Problem
    config: Config
    question_article: Article | None
    passage_article: Article | None


def question_source(subject: ProblemWithArticles) -> Iterator[str]:
    """The question's sentence is in the first paragraph of its article, and has its date."""
    question, article = subject.problem.question, subject.question_article
    if question.id != subject.problem.id:
        yield f"the question has the id {question.id!r}"
    if article is None:
        yield "ingest has no article of this id"
        return
    if not article.paragraphs or question.sentence not in article.paragraphs[0]:
        yield f"the sentence is not in the first paragraph: {question.sentence[:100]!r}"
    if (question.date, question.source) != (article.date, article.source):
        yield f"date and source are {question.date} {question.source!r}, but the article has {article.date} {article.source!r}"


def passage_source(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage is the text of its article, with its date, source and title."""
    passage, article = subject.problem.passage, subject.passage_article
    if article is None:
        yield f"ingest has no article {passage.article!r}"
        return
    if passage.text != "\n\n".join(article.paragraphs):
        yield f"the text is not that of {article.id}"
    stated = (passage.date, passage.source, passage.title)
    if stated != (article.date, article.source, article.title):
        yield f"date, source or title is not that of {article.id}: {stated}"


def own_article(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage is not the article that the question comes from."""
    if subject.problem.passage.article == subject.problem.question.id:
        yield "the passage is the question's own article"


def window(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage's date lies in the recorded window, and in no nearer window of the configuration."""
    days = abs((subject.problem.passage.date - subject.problem.question.date).days)
    fitting = [size for size in subject.config.retrieve.windows if days <= size]
    if subject.problem.window not in subject.config.retrieve.windows:
        yield f"window {subject.problem.window} is not one of {subject.config.retrieve.windows}"
    elif not fitting or subject.problem.window != min(fitting):
        yield f"the articles are {days} days apart, but the window is {subject.problem.window}"


def event_scores(subject: ProblemWithArticles) -> Iterator[str]:
    """If a key asks for event scores, every passage reaches retrieve.min_event_score; else no passage has a score."""
    score, retrieve = subject.problem.event_score, subject.config.retrieve
    if retrieve.rank_by != "event" and not retrieve.min_event_score:
        if score is not None:
            yield f"the event score is {score}, but no key asks for scores"
    elif score is None or not retrieve.min_event_score <= score <= 1.0:
        yield f"the event score is {score}, not {retrieve.min_event_score} to 1"


def sentence_overlap(subject: ProblemWithArticles) -> Iterator[str]:
    """No passage sentence shares more than retrieve.max_sentence_overlap of its words with the question."""
    retrieve, bag = subject.config.retrieve, Counter(words(subject.problem.question.sentence))
    for sentence in sure_sentences(subject.problem.passage.text):
        tokens = words(sentence)
        share = (Counter(tokens) & bag).total() / len(tokens) if tokens else 0.0
        if len(tokens) >= retrieve.min_sentence_words and share > retrieve.max_sentence_overlap + _EPSILON:
            yield f"{share:.2f} of the words are the question's: {sentence.strip()[:150]!r}"


def context_runs(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage does not contain the words beside the blank in order, on either side."""
    question, retrieve = subject.problem.question, subject.config.retrieve
    if not retrieve.context_words:
        return
    left = words(question.left)[-retrieve.context_words :]
    right = words(question.right)[: retrieve.context_words]
    runs = [" ".join(run) for run in (left, right) if len(run) >= retrieve.min_context_words]
    for sentence in sure_sentences(subject.problem.passage.text):
        text = f" {' '.join(words(sentence))} "
        for run in runs:
            if f" {run} " in text:
                yield f"the passage contains {run!r}"


def other_person(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage names another person of the question (if retrieve.require_other_person)."""
    if not subject.config.retrieve.require_other_person:
        return
    text, others = subject.problem.passage.text, subject.problem.question.others
    passage_words = {*words(text), *name_words(text)}
    if not any(len(word) > 1 and word in passage_words for other in others for word in name_words(other.text)):
        yield f"none of {[other.text for other in others]} is named in the passage"


def reprint(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage shares a smaller part of its 8-grams with the question's article than retrieve.max_reprint."""
    most = subject.config.retrieve.max_reprint
    if not most or subject.question_article is None:
        return
    question_grams = _grams("\n\n".join(subject.question_article.paragraphs))
    passage_grams = _grams(subject.problem.passage.text)
    smaller = min(len(question_grams), len(passage_grams))
    share = len(question_grams & passage_grams) / smaller if smaller else 0.0
    if share >= most + _EPSILON:
        yield f"{share:.2f} of the 8-grams are in the article of the question"


def _grams(text: str) -> set[str]:
    tokens = words(text)
    return {" ".join(tokens[start : start + _GRAM]) for start in range(len(tokens) - _GRAM + 1)}


PASSAGE_CHECKS = (
    *(question_source, passage_source, own_article, window, event_scores),
    *(sentence_overlap, context_runs, other_person, reprint),
)
