"""baselines: what four shallow predictors choose (paper, section 3).

``first-person`` and ``most-frequent`` look at the passage's mentions; ``ngram`` at the filled-in sentence under a
5-gram model; ``unigram`` at the raw frequency of the choices' last names. Model and counts come from the corpus
without the articles that are too similar to any question, for they would give the answers away. Ties go to the choice
named earlier.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from wdw_build.core.settings import BaselinesConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.errors import FixCorpus
from wdw_build.ports import LanguageModel
from wdw_build.records import Article, Guesses, Problem, Record, Rejection
from wdw_build.text.joins import SentenceFinder
from wdw_build.text.names import last_name
from wdw_build.text.overlap import Run, side_runs
from wdw_build.text.tokens import lm_tokens, sentences, words

FOLDER = "model"
Scores = tuple[float, ...]


def first_person(problem: Problem) -> Scores:
    """The earlier the first mention, the better."""
    return tuple(float(-choice.mentions[0].start) for choice in problem.choices)


def most_frequent(problem: Problem) -> Scores:
    """The number of mentions; mentions by a part of the name count."""
    return tuple(float(len(choice.mentions)) for choice in problem.choices)


def filled(problem: Problem, name: str) -> list[str]:
    """The question's sentence with a name in the blank, as the model's tokens."""
    return lm_tokens(f"{problem.question.left}{name}{problem.question.right}")


def best(scores: Scores) -> int:
    """The index of the highest score; of equal ones the first."""
    return max(range(len(scores)), key=lambda at: (scores[at], -at))


class _Similar:
    """Which articles are too similar to any question."""

    def __init__(self, problems: Iterator[Problem], config: BaselinesConfig) -> None:
        self._least = config.min_sentence_words
        self._runs: set[Run] = set()
        bags: list[list[str]] = []
        for problem in problems:
            question = problem.question
            bags.append(words(question.sentence))
            sides = side_runs(
                words(question.left), words(question.right), config.context_words, config.min_context_words
            )
            self._runs.update(run for run in sides if run)
        self._sizes = sorted({len(run) for run in self._runs})
        self._finder = SentenceFinder(config.max_sentence_overlap, bags)

    def matches(self, split: Sequence[Sequence[str]]) -> bool:
        """Whether one of an article's sentences breaks a test of ``is_valid`` for some question."""
        return any(
            (len(sentence) >= self._least and self._finder.matches(sentence)) or self._holds_run(sentence)
            for sentence in split
        )

    def _holds_run(self, sentence: Sequence[str]) -> bool:
        return any(
            tuple(sentence[at : at + size]) in self._runs
            for size in self._sizes
            for at in range(len(sentence) - size + 1)
        )


class _Corpus:
    """The sentences for the model, their tokens counted as they go by."""

    def __init__(self, articles: Iterator[Article], similar: _Similar | None) -> None:
        self._articles, self._similar = articles, similar
        self.counts: Counter[str] = Counter()
        self.kept = 0

    def __iter__(self) -> Iterator[list[str]]:
        for article in self._articles:
            split = sentences(article.text)
            if self._similar is not None and self._similar.matches([words(sentence) for sentence in split]):
                continue
            self.kept += 1
            for sentence in split:
                tokens = lm_tokens(sentence)
                self.counts.update(tokens)
                yield tokens


def _estimate(config: BaselinesConfig, context: Context, model: LanguageModel, folder: Path) -> Counter[str]:
    similar = _Similar(context.read("dedup"), config) if config.exclude_similar else None
    total = context.inputs["ingest"].manifest.written
    with context.progress.bar("corpus", total, "articles") as bar:
        corpus = _Corpus(_shown(context.read("ingest"), bar.advance), similar)
        model.estimate(iter(corpus), folder)
    if not corpus.kept:
        raise FixCorpus(
            f"no text left for the n-gram model: all {total} articles are too similar to a question",
            hint="use a larger corpus, or set baselines.exclude_similar: false",
        )
    return corpus.counts


def _shown(articles: Iterator[Article], advance: Callable[[int], None]) -> Iterator[Article]:
    for article in articles:
        advance(1)
        yield article


def run(inputs: Iterator[Problem], config: BaselinesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the four guesses for every problem. Raises ``FixCorpus`` if no text is left for the model."""
    first = next(inputs, None)
    if first is None:
        raise FixCorpus(
            "no problem was made from this corpus, so there is nothing to measure",
            hint="see the summary of the stages before: wdw-build inspect choices --rejected",
        )
    model: LanguageModel = context.port("language_model")
    folder = context.folder / FOLDER
    counts = _estimate(config, context, model, folder)
    yield _guesses(first, model, folder, counts)
    for problem in inputs:
        yield _guesses(problem, model, folder, counts)


def _guesses(problem: Problem, model: LanguageModel, folder: Path, counts: Counter[str]) -> Guesses:
    names = [choice.name for choice in problem.choices]
    scores = {
        "first-person": first_person(problem),
        "most-frequent": most_frequent(problem),
        "ngram": tuple(round(model.score(folder, filled(problem, name)), 4) for name in names),
        "unigram": tuple(float(counts[last_name(name)]) for name in names),
    }
    return Guesses(
        id=problem.id, date=problem.date, choices=len(names), answer=problem.answer,
        guesses={baseline: best(values) for baseline, values in scores.items()}, scores=scores,
    )  # fmt: skip


STAGE = Stage(
    name="baselines",
    version=1,
    reads=("dedup", "ingest"),
    writes=Guesses,
    config=BaselinesConfig,
    run=run,
    ports=("language_model",),
    scope="set",
    unit="problems",
    summary="Let the four baselines guess; estimate the n-gram model first.",
)
