"""baselines: what four shallow predictors choose (paper, section 3).

``first-person`` and ``most-frequent`` look at the passage's mentions; ``ngram`` at the filled-in sentence under a
5-gram model; ``unigram`` at the raw frequency of the choices' last names. Model and counts come from the corpus
without the articles that are too similar to any question, for they would give the answers away. Ties go to the choice
named earlier.
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
from wdw_build.ports import LANGUAGE_MODEL, LanguageModel
from wdw_build.records import Article, BaselinePredictions, Problem, Record, Rejection
from wdw_build.text.names.matching import last_name
from wdw_build.text.passages.overlap import Run, side_runs
from wdw_build.text.tokens import lm_tokens, sentences, words

if TYPE_CHECKING:
    from wdw_build.similarity.bags import Bags

FOLDER = "model"
# Articles tested together: each time costs a pass over all questions, and they stand in memory meanwhile.
_AT_ONCE = 1 << 14
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


class _Asked(NamedTuple):
    """What the corpus is looked through for: the questions' words and runs, and the choices' last names."""

    bags: Bags
    runs: set[Run]
    last_names: set[str]


def _asked(problems: Iterator[Problem], config: BaselinesConfig) -> _Asked:
    # Here, not above: numpy is not loaded by commands that run nothing.
    from wdw_build.similarity.bags import Bags, Vocabulary

    asked = _Asked(Bags(Vocabulary()), set(), set())
    for problem in problems:
        asked.last_names.update(last_name(choice.name) for choice in problem.choices)
        if config.exclude_similar:
            question = problem.question
            left, right = words(question.left), words(question.right)
            asked.bags.add(words(question.sentence))
            for side in side_runs(left, right, config.context_words, config.min_context_words):
                if side:
                    asked.runs.add(tuple(map(sys.intern, side)))
    return asked


class _Similar:
    """Which articles are too similar to any question."""

    def __init__(self, asked: _Asked, config: BaselinesConfig) -> None:
        from wdw_build.similarity.joins import SentenceFinder

        self._least, self._runs = config.min_sentence_words, asked.runs
        # The longest word of each run, which is rarely anywhere, with where it stands in runs of which size.
        self._telling: dict[str, set[tuple[int, int]]] = {}
        for run in asked.runs:
            word = max(run, key=len)
            self._telling.setdefault(word, set()).add((run.index(word), len(run)))
        self._finder = SentenceFinder(config.max_sentence_overlap, asked.bags)

    def matches(self, articles: Iterable[Sequence[str]]) -> list[bool]:
        """Whether one of an article's sentences breaks a test of ``is_valid`` for some question, for each article."""
        found: list[bool] = []
        asked, owners = self._finder.sentences(), []
        for number, split in enumerate(articles):
            bags = [words(sentence) for sentence in split]
            found.append(any(map(self._holds_run, bags)))
            for bag in bags if not found[-1] else ():
                if len(bag) >= self._least:
                    asked.add(bag)
                    owners.append(number)
        for sentence in self._finder.matches(asked).nonzero()[0].tolist():
            found[owners[sentence]] = True
        return found

    def _holds_run(self, sentence: Sequence[str]) -> bool:
        return any(
            tuple(sentence[at - before : at - before + size]) in self._runs
            for word in self._telling.keys() & sentence
            for at in range(len(sentence))
            if sentence[at] == word
            for before, size in self._telling[word]
            if at >= before
        )


class _Corpus:
    """The sentences for the model; of their tokens, those that are asked for are counted as they go by."""

    def __init__(self, articles: Iterator[Article], similar: _Similar | None, counted: Set[str]) -> None:
        self._articles, self._similar, self._counted = articles, similar, counted
        self.counts: Counter[str] = Counter()
        self.kept = 0

    def __iter__(self) -> Iterator[list[str]]:
        for articles in blocks(self._articles, _AT_ONCE):
            every = [sentences(article.text) for article in articles]
            left_out = self._similar.matches(every) if self._similar is not None else [False] * len(every)
            for split, out in zip(every, left_out, strict=True):
                if not out:
                    yield from self._tokens(split)

    def _tokens(self, split: Sequence[str]) -> Iterator[list[str]]:
        self.kept += 1
        for sentence in split:
            tokens = lm_tokens(sentence)
            self.counts.update(filter(self._counted.__contains__, tokens))
            yield tokens


def _estimate(config: BaselinesConfig, context: Context, model: LanguageModel, folder: Path) -> Counter[str]:
    asked = _asked(context.read("dedup"), config)
    similar = _Similar(asked, config) if config.exclude_similar else None
    total = context.inputs["ingest"].manifest.written
    with context.progress.bar("corpus", total, "articles") as bar:
        corpus = _Corpus(_shown(context.read("ingest"), bar.advance), similar, asked.last_names)
        model.estimate(iter(corpus), folder)
    if not corpus.kept:
        raise CorpusError(
            f"no text left for the n-gram model: all {total} articles are too similar to a question",
            hint="use a larger corpus, or set baselines.exclude_similar: false",
        )
    return corpus.counts


def _shown(articles: Iterator[Article], advance: Callable[[int], None]) -> Iterator[Article]:
    for article in articles:
        advance(1)
        yield article


def run(inputs: Iterator[Problem], config: BaselinesConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the four guesses for every problem. Raises ``CorpusError`` if no text is left for the model."""
    first = next(inputs, None)
    if first is None:
        raise CorpusError(
            "no problem was made from this corpus, so there is nothing to measure",
            hint="see the summary of the stages before: wdw-build inspect choices --rejected",
        )
    model = context.port(LANGUAGE_MODEL)
    folder = context.folder / FOLDER
    counts = _estimate(config, context, model, folder)
    yield _guesses(first, model, folder, counts)
    for problem in inputs:
        yield _guesses(problem, model, folder, counts)


def _guesses(problem: Problem, model: LanguageModel, folder: Path, counts: Counter[str]) -> BaselinePredictions:
    names = [choice.name for choice in problem.choices]
    scores = {
        "first-person": first_person(problem),
        "most-frequent": most_frequent(problem),
        "ngram": tuple(round(model.score(folder, filled(problem, name)), 4) for name in names),
        "unigram": tuple(float(counts[last_name(name)]) for name in names),
    }
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
    ports=(LANGUAGE_MODEL,),
    scope="set",
    runs_alone=True,
    unit="problems",
    # The n-gram model of the corpus takes nearly all of the time.
    trial=Trial(most=300, needed=1, time_grows_with="ingest"),
    summary="Estimate the n-gram model, and let the four baselines choose.",
)
