"""Checks a problem against its two articles: sources, window, and the tests of a valid passage.

Sentence splitters differ, so both overlap tests report only faults that hold under every splitter. The words beside the
blank are searched for in pieces that lie within one sentence. The share of words is computed over stretches of whole sentences:
the share of a stretch is at most the weighted mean of the shares of its sentences, so if the stretch exceeds the bound,
one of its sentences does. That sentence might be too short for the test; therefore pieces that are too short and exceed
the bound are removed first, with their shared words, which can only lower the share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wdw_build.core.config.settings import Config
from wdw_build.records import Article, Problem
from wdw_build.verify.words import cautious_pieces, name_words, possibly_identifying, sure_sentences, words

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
    """The question's sentence is in the first paragraph of its article, and has the article's date and source."""
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
    """The passage has the text, date, source and title of its article."""
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
    """Passage and question come from different articles."""
    if subject.problem.passage.article == subject.problem.question.id:
        yield "the passage is the question's own article"


def window(subject: ProblemWithArticles) -> Iterator[str]:
    """The recorded window is the narrowest window of the configuration that contains the passage's date."""
    days = abs((subject.problem.passage.date - subject.problem.question.date).days)
    fitting = [size for size in subject.config.retrieve.windows if days <= size]
    if subject.problem.window not in subject.config.retrieve.windows:
        yield f"window {subject.problem.window} is not one of {subject.config.retrieve.windows}"
    elif not fitting or subject.problem.window != min(fitting):
        yield f"the articles are {days} days apart, but the window is {subject.problem.window}"


def sentence_overlap(subject: ProblemWithArticles) -> Iterator[str]:
    """A reported stretch contains a sentence above the bound under every splitter; see the module's docstring."""
    bag = Counter(words(subject.problem.question.sentence))
    most, least = subject.config.retrieve.max_sentence_overlap, subject.config.retrieve.min_sentence_words
    for stretch in sure_sentences(subject.problem.passage.text):
        share = _least_share(stretch, bag, most, least)
        if share > most + _EPSILON:
            yield f"{share:.2f} of the words are the question's: {stretch.strip()[:150]!r}"


def _least_share(stretch: str, bag: Counter[str], most: float, least: int) -> float:
    tokens = words(stretch)
    shared, size = _shared(tokens, bag), len(tokens)
    if size < least or shared <= most * size:
        return 0.0
    for piece in map(words, cautious_pieces(stretch)):
        if len(piece) < least and _shared(piece, bag) > most * len(piece):
            shared, size = shared - _shared(piece, bag), size - len(piece)
    return shared / size if size >= least else 0.0


def _shared(tokens: Sequence[str], bag: Counter[str]) -> int:
    return sum((Counter(tokens) & bag).values())


def context_runs(subject: ProblemWithArticles) -> Iterator[str]:
    """No piece of the passage contains the words left or right of the blank, in order and without a gap."""
    question, retrieve = subject.problem.question, subject.config.retrieve
    if not retrieve.context_words:
        return
    left = words(question.left)[-retrieve.context_words :]
    right = words(question.right)[: retrieve.context_words]
    runs = [" ".join(run) for run in (left, right) if len(run) >= retrieve.min_context_words]
    for piece in cautious_pieces(subject.problem.passage.text):
        text = f" {' '.join(words(piece))} "
        for run in runs:
            if f" {run} " in text:
                yield f"the passage contains {run!r}"


def other_person(subject: ProblemWithArticles) -> Iterator[str]:
    """The passage contains a possibly identifying token of another person of the question."""
    if not subject.config.retrieve.require_other_person:
        return
    text = subject.problem.passage.text
    passage_tokens = set(words(text)) | set(name_words(text))
    others = subject.problem.question.others
    if not any(possibly_identifying(other.text) & passage_tokens for other in others):
        yield f"none of {[other.text for other in others]} is named in the passage"


def reprint(subject: ProblemWithArticles) -> Iterator[str]:
    """The two articles share a smaller part of the 8-grams of the shorter article than the bound."""
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


# Checks of a question, of a passage whatever the blank, and of a passage for one blank.
QUESTION_CHECKS: dict[str, Callable[[ProblemWithArticles], Iterator[str]]] = {"question-source": question_source}
PASSAGE_CHECKS: dict[str, Callable[[ProblemWithArticles], Iterator[str]]] = {
    "own-article": own_article,
    "window": window,
    "sentence-overlap": sentence_overlap,
    "reprint": reprint,
}
BLANK_CHECKS: dict[str, Callable[[ProblemWithArticles], Iterator[str]]] = {
    "context-runs": context_runs,
    "other-person": other_person,
}
