"""baselines: predictions of four shallow baselines (paper, section 3).

``first-person`` and ``most-frequent`` use the mentions of the choices in the passage, ``ngram`` the probability of the
filled-in sentence under a 5-gram model, and ``unigram`` the frequency of the choices' last names. Model and frequencies come
from the corpus without the articles that are too similar to a question, which would give the answers away. If scores are
equal, the choice that the passage names first wins.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wdw_build.core.config.settings import BaselinesConfig
from wdw_build.core.stage import Context, Stage, Trial, blocks
from wdw_build.errors import CorpusError
from wdw_build.ports import LANGUAGE_MODEL, SENTENCE_SPLITTER, LanguageModel
from wdw_build.records import Article, BaselinePredictions, Problem, Record, Rejection
from wdw_build.text.names.matching import last_name
from wdw_build.text.passages.overlap import Run, side_runs
from wdw_build.text.tokens import lm_tokens, words

if TYPE_CHECKING:
    from wdw_build.similarity.bags import Bags

NAMES = ("first-person", "most-frequent", "ngram", "unigram")
FOLDER = "model"
# Articles per batch of the comparison with the questions. Each batch is held in memory and compared with all questions.
_ARTICLES_TOGETHER = 1 << 14
Scores = tuple[float, ...]


def first_person(problem: Problem) -> Scores:
    """The negated offset of each choice's first mention, so that earlier mentions score higher."""
    return tuple(float(-choice.mentions[0].start) for choice in problem.choices)


def most_frequent(problem: Problem) -> Scores:
    """The number of mentions of each choice, including mentions by a part of the name."""
    return tuple(float(len(choice.mentions)) for choice in problem.choices)


def filled(problem: Problem, name: str) -> list[str]:
    """The tokens of the question's sentence with a name in the blank, as the language model splits them."""
    return lm_tokens(f"{problem.question.left}{name}{problem.question.right}")


def best(scores: Scores) -> int:
    """The index of the highest score; the first index if scores are equal."""
    return max(range(len(scores)), key=lambda number: (scores[number], -number))


class _Questions(NamedTuple):
    """The questions in the forms that are compared with the corpus.

    ``bags``: the words of each question. ``runs``: the words directly beside each blank, in order. ``last_names``: the last
    names of all choices.
    """

    bags: Bags
    runs: set[Run]
    last_names: set[str]


def _questions(problems: Iterator[Problem], config: BaselinesConfig) -> _Questions:
    # NumPy is slow to import, and commands that run no stage must answer at once.
    from wdw_build.similarity.bags import Bags, Vocabulary

    collected = _Questions(Bags(Vocabulary()), set(), set())
    for problem in problems:
        collected.last_names.update(last_name(choice.name) for choice in problem.choices)
        if config.exclude_similar:
            question = problem.question
            left, right = words(question.left), words(question.right)
            collected.bags.add(words(question.sentence))
            for side in side_runs(left, right, config.context_words, config.min_context_words):
                if side:
                    collected.runs.add(tuple(map(sys.intern, side)))
    return collected


class _Similar:
    """Finds the articles that are too similar to a question."""

    def __init__(self, questions: _Questions, config: BaselinesConfig) -> None:
        from wdw_build.similarity.joins import SentenceFinder

        self._min_words, self._runs = config.min_sentence_words, questions.runs
        # The longest word of each run, which is rare in most sentences -> (its position in a run, length of the run).
        self._positions: dict[str, set[tuple[int, int]]] = {}
        for run in questions.runs:
            word = max(run, key=len)
            self._positions.setdefault(word, set()).add((run.index(word), len(run)))
        self._finder = SentenceFinder(config.max_sentence_overlap, questions.bags)

    def matches(self, articles: Iterable[Sequence[str]]) -> list[bool]:
        """For each article (a list of sentences), whether one of them fails a test of ``is_valid`` for any question."""
        similar: list[bool] = []
        to_compare, owners = self._finder.sentences(), []
        for number, article in enumerate(articles):
            tokenised = [words(sentence) for sentence in article]
            similar.append(any(map(self._holds_run, tokenised)))
            for tokens in tokenised if not similar[-1] else ():
                if len(tokens) >= self._min_words:
                    to_compare.add(tokens)
                    owners.append(number)
        for sentence in self._finder.matches(to_compare).nonzero()[0].tolist():
            similar[owners[sentence]] = True
        return similar

    def _holds_run(self, sentence: Sequence[str]) -> bool:
        return any(
            tuple(sentence[index - position : index - position + length]) in self._runs
            for word in self._positions.keys() & sentence
            for index in range(len(sentence))
            if sentence[index] == word
            for position, length in self._positions[word]
            if index >= position
        )


class _Corpus:
    """The tokenised sentences for the language model. Counts the tokens in ``counted`` as they are read.

    ``articles`` are lists of sentences; ``kept`` is the number of articles that are not too similar to a question.
    """

    def __init__(self, articles: Iterable[Sequence[str]], similar: _Similar | None, counted: Set[str]) -> None:
        self._articles, self._similar, self._counted = articles, similar, counted
        self.counts: Counter[str] = Counter()
        self.kept = 0

    def __iter__(self) -> Iterator[list[str]]:
        for texts in blocks(self._articles, _ARTICLES_TOGETHER):
            similar = self._similar.matches(texts) if self._similar is not None else [False] * len(texts)
            for text, is_similar in zip(texts, similar, strict=True):
                if not is_similar:
                    yield from self._tokens(text)

    def _tokens(self, text: Sequence[str]) -> Iterator[list[str]]:
        self.kept += 1
        for sentence in text:
            tokens = lm_tokens(sentence)
            self.counts.update(filter(self._counted.__contains__, tokens))
            yield tokens


def _estimate(config: BaselinesConfig, context: Context, model: LanguageModel, folder: Path) -> Counter[str]:
    """Estimate the language model into ``folder``; returns the frequencies of the choices' last names."""
    questions = _questions(context.read("dedup"), config)
    similar = _Similar(questions, config) if config.exclude_similar else None
    total = context.inputs["ingest"].manifest.written
    with context.progress.bar("corpus", total, "articles") as bar:
        split = context.port(SENTENCE_SPLITTER).sentences
        articles = (split(article.text) for article in _advancing(context.read("ingest"), bar.advance))
        corpus = _Corpus(articles, similar, questions.last_names)
        model.estimate(iter(corpus), folder)
    if not corpus.kept:
        raise CorpusError(
            f"no text left for the n-gram model: all {total} articles are too similar to a question",
            hint="use a larger corpus, or set baselines.exclude_similar: false",
        )
    return corpus.counts


def _advancing(articles: Iterator[Article], advance: Callable[[int], None]) -> Iterator[Article]:
    for article in articles:
        advance(1)
        yield article


def run(inputs: Iterator[Problem], config: BaselinesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the predictions for every problem. Raises ``CorpusError`` if no text is left for the language model."""
    first = next(inputs, None)
    if first is None:
        raise CorpusError(
            "no problem was made from this corpus, so there is nothing to predict",
            hint="wdw-build inspect choices --rejected  shows why",
        )
    model = context.port(LANGUAGE_MODEL)
    folder = context.folder / FOLDER
    counts = _estimate(config, context, model, folder)
    yield _predictions(first, model, folder, counts)
    for problem in inputs:
        yield _predictions(problem, model, folder, counts)


def _predictions(problem: Problem, model: LanguageModel, folder: Path, counts: Counter[str]) -> BaselinePredictions:
    names = [choice.name for choice in problem.choices]
    likelihoods = tuple(round(model.score(folder, filled(problem, name)), 4) for name in names)
    frequencies = tuple(float(counts[last_name(name)]) for name in names)
    all_scores = (first_person(problem), most_frequent(problem), likelihoods, frequencies)
    scores = dict(zip(NAMES, all_scores, strict=True))
    return BaselinePredictions(
        id=problem.id,
        date=problem.date,
        choices=len(names),
        answer=problem.answer,
        guesses={baseline: best(values) for baseline, values in scores.items()},
        scores=scores,
    )


STAGE = Stage(
    name="baselines",
    version=1,
    reads=("dedup", "ingest"),
    writes=BaselinePredictions,
    config=BaselinesConfig,
    run=run,
    ports=(SENTENCE_SPLITTER, LANGUAGE_MODEL),
    scope="set",
    runs_alone=True,
    unit="problems",
    # The n-gram model of the corpus takes nearly all of the time.
    trial=Trial(most=300, needed=1, time_grows_with="ingest"),
    summary="Estimate the n-gram model, and let the four baselines choose.",
)
