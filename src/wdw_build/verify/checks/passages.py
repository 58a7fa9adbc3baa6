"""Checks of a problem against its two articles: source, window, and the tests of ``is_valid``.

Sentence ends are not agreed on between splitters, so both overlap tests are made to accuse only what any splitter
would find. The words beside the blank are looked for in pieces that surely lie within one sentence. The share of words is
taken over stretches whose ends surely end a sentence: the share of a stretch is at most a weighted mean of its
sentences' shares, so that if it is over the bound, one of them is. Sentences too short for the test could be the one; so pieces
that short and over the bound are taken out first, words and shared words, which can only lower the share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wdw_build.core.config.settings import Config
from wdw_build.records import Article, Problem
from wdw_build.verify.words import cautious_pieces, name_words, perhaps_counting, sure_sentences, words

_GRAM = 8
_SMALL = 1e-9


@dataclass(frozen=True)
class Case:
    """A problem with its two articles as they stand in ingest's output."""

    problem: Problem
    config: Config
    question_article: Article | None
    passage_article: Article | None


def question_source(case: Case) -> Iterator[str]:
    """The question's article, its first paragraph, date and source."""
    question, article = case.problem.question, case.question_article
    if question.id != case.problem.id:
        yield f"the question has the id {question.id!r}"
    if article is None:
        yield "ingest has no article of this id"
        return
    if not article.paragraphs or question.sentence not in article.paragraphs[0]:
        yield f"the sentence does not stand in the first paragraph: {question.sentence[:100]!r}"
    if (question.date, question.source) != (article.date, article.source):
        yield f"{question.date} {question.source!r}, but the article: {article.date} {article.source!r}"


def passage_source(case: Case) -> Iterator[str]:
    """The passage's article, its whole text, date, source and title."""
    passage, article = case.problem.passage, case.passage_article
    if article is None:
        yield f"ingest has no article {passage.article!r}"
        return
    if passage.text != "\n\n".join(article.paragraphs):
        yield f"the text is not that of {article.id}"
    given = (passage.date, passage.source, passage.title)
    if given != (article.date, article.source, article.title):
        yield f"date, source or title is not that of {article.id}: {given}"


def own_article(case: Case) -> Iterator[str]:
    """Passage and question have different articles."""
    if case.problem.passage.article == case.problem.question.id:
        yield "the passage is the question's own article"


def window(case: Case) -> Iterator[str]:
    """The recorded window is the nearest of the configuration that holds the passage's date."""
    days = abs((case.problem.passage.date - case.problem.question.date).days)
    fitting = [size for size in case.config.retrieve.windows if days <= size]
    if case.problem.window not in case.config.retrieve.windows:
        yield f"window {case.problem.window} is not one of {case.config.retrieve.windows}"
    elif not fitting or case.problem.window != min(fitting):
        yield f"{days} days apart, window {case.problem.window}"


def sentence_overlap(case: Case) -> Iterator[str]:
    """See the module's text: what is reported is over the bound wherever its sentences end."""
    bag = Counter(words(case.problem.question.sentence))
    most, least = case.config.retrieve.max_sentence_overlap, case.config.retrieve.min_sentence_words
    for stretch in sure_sentences(case.problem.passage.text):
        share = _least_share(stretch, bag, most, least)
        if share > most + _SMALL:
            yield f"{share:.2f} of the words are the question's: {stretch.strip()[:150]!r}"


def _least_share(stretch: str, bag: Counter[str], most: float, least: int) -> float:
    every = words(stretch)
    shared, size = _shared(every, bag), len(every)
    if size < least or shared <= most * size:
        return 0.0
    for piece in map(words, cautious_pieces(stretch)):
        if len(piece) < least and _shared(piece, bag) > most * len(piece):
            shared, size = shared - _shared(piece, bag), size - len(piece)
    return shared / size if size >= least else 0.0


def _shared(some: Sequence[str], bag: Counter[str]) -> int:
    return sum((Counter(some) & bag).values())


def context_runs(case: Case) -> Iterator[str]:
    """Within a piece, the run's words stand in order and without a gap."""
    question, retrieve = case.problem.question, case.config.retrieve
    if not retrieve.context_words:
        return
    left = words(question.left)[-retrieve.context_words :]
    right = words(question.right)[: retrieve.context_words]
    runs = [" ".join(run) for run in (left, right) if len(run) >= retrieve.min_context_words]
    for piece in cautious_pieces(case.problem.passage.text):
        text = f" {' '.join(words(piece))} "
        for run in runs:
            if f" {run} " in text:
                yield f"the passage holds {run!r}"


def other_person(case: Case) -> Iterator[str]:
    """A word that may count of some other person is a word of the passage."""
    if not case.config.retrieve.require_other_person:
        return
    text = case.problem.passage.text
    held = set(words(text)) | set(name_words(text))
    others = case.problem.question.others
    if not any(perhaps_counting(other.text) & held for other in others):
        yield f"none of {[other.text for other in others]} is named in the passage"


def reprint(case: Case) -> Iterator[str]:
    """8-grams of words, over the smaller set of the two articles'."""
    most = case.config.retrieve.max_reprint
    if not most or case.question_article is None:
        return
    one = _grams("\n\n".join(case.question_article.paragraphs))
    other = _grams(case.problem.passage.text)
    smaller = min(len(one), len(other))
    if smaller and len(one & other) / smaller >= most + _SMALL:
        yield f"{len(one & other) / smaller:.2f} of the 8-grams are the question's article's"


def _grams(text: str) -> set[str]:
    every = words(text)
    return {" ".join(every[at : at + _GRAM]) for at in range(len(every) - _GRAM + 1)}


CHECKS: dict[str, Callable[[Case], Iterator[str]]] = {
    "question-source": question_source,
    "passage-source": passage_source,
    "own-article": own_article,
    "window": window,
    "sentence-overlap": sentence_overlap,
    "context-runs": context_runs,
    "other-person": other_person,
    "reprint": reprint,
}
