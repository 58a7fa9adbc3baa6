"""baselines: predictions of four shallow baselines (paper, section 3), or of those that ``baselines.use`` names.

``first-person`` and ``most-frequent`` use the mentions of the choices in the passage, ``ngram`` the probability of the
filled-in sentence under a 5-gram model, and ``unigram`` the frequency of the choices' last names. They answer every
alternative of an article, so that ``suppress`` can select one. Model and frequencies come
from the corpus without the articles that are too similar to a question, which would give the answers away. If scores are
equal, the choice that the passage names first wins.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.stage import Context, Stage, Step
from wdw_build.errors import CorpusError
from wdw_build.ports import LANGUAGE_MODEL, SENTENCE_SPLITTER, LanguageModel
from wdw_build.records import BaselinePredictions, Predictions, Problem, ProblemAlternatives, Record, Rejection
from wdw_build.stages.baselines import corpus
from wdw_build.stages.baselines.settings import BaselinesConfig
from wdw_build.text.names.name import parse
from wdw_build.text.tokens import lm_tokens

NGRAM = "ngram"
ESTIMATE, FOLDER, FREQUENCIES = "estimate", "model", "last_names.json"
_MEGABYTE = 1_000_000
Scores = tuple[float, ...]


def first_person(problem: Problem) -> Scores:
    """The negated offset of each choice's first mention, so that earlier mentions score higher."""
    return tuple(float(-choice.mentions[0].start) for choice in problem.choices)


def most_frequent(problem: Problem) -> Scores:
    """The number of mentions of each choice, including mentions by a part of the name."""
    return tuple(float(len(choice.mentions)) for choice in problem.choices)


def filled(problem: Problem, name: str) -> list[str]:
    """The tokens of the question's sentence with a name in the blank, as the language model splits them."""
    return lm_tokens(problem.question.filled(name))


def best(scores: Scores) -> int:
    """The index of the highest score; the first index if scores are equal."""
    return max(range(len(scores)), key=lambda number: (scores[number], -number))


def _compared_as(config: BaselinesConfig) -> tuple[str, ...]:
    """The keys of ``retrieve`` by which articles are compared with the questions."""
    return ("max_sentence_overlap", "ignore_short_sentences") if config.exclude_similar else ()


def _asks_model(config: BaselinesConfig) -> bool:
    return NGRAM in config.use


def _estimate(inputs: Iterator[Any], config: BaselinesConfig, context: Context) -> None:
    """Estimate the language model. Raises ``CorpusError`` if no text is left for it."""
    shards = context.results(corpus.CUT)
    frequencies = corpus.total_counts(shards, context.folder)
    if not frequencies.pop(corpus.ARTICLES, 0):
        total = context.inputs["ingest"].manifest.written
        raise CorpusError(
            f"there is no text left for the n-gram model: all {total} articles are too similar to a question",
            hint="use a larger corpus, or set baselines.exclude_similar: false",
        )
    (context.folder / FREQUENCIES).write_bytes(msgspec.json.encode(frequencies))
    if not _asks_model(config):
        return
    with context.progress.bar("text for the n-gram model", corpus.text_bytes(shards), "bytes") as bar:
        most = config.max_text and config.max_text * _MEGABYTE
        text = corpus.read_text(shards, bar.advance, most)
        context.port(LANGUAGE_MODEL).estimate(text, context.folder / FOLDER)


@functools.lru_cache(maxsize=1)
def _frequencies(folder: Path) -> dict[str, int]:
    """The frequencies of the choices' last names; each process reads them once."""
    return msgspec.json.decode((folder / FREQUENCIES).read_bytes(), type=dict[str, int])


def run(
    inputs: Iterator[ProblemAlternatives], config: BaselinesConfig, context: Context
) -> Iterator[Record | Rejection]:
    """Estimate the n-gram model, and let the four baselines answer every alternative."""
    (estimated,) = context.results(ESTIMATE)
    model = context.port(LANGUAGE_MODEL) if _asks_model(config) else None
    frequencies = _frequencies(estimated)
    for record in inputs:
        scorers = _scorers(config, model, estimated / FOLDER, frequencies)
        first, *others = [_predictions(outline, scorers) for outline in record.outlines()]
        yield BaselinePredictions(
            id=record.id,
            date=record.date,
            **msgspec.structs.asdict(first),
            others=tuple(others),
        )


def _scorers(
    config: BaselinesConfig, model: LanguageModel | None, folder: Path, counts: Mapping[str, int]
) -> dict[str, Callable[[Problem], Scores]]:
    """The baselines that are used, in the order in which records have them: a score for each choice of a problem."""
    scorers: dict[str, Callable[[Problem], Scores]] = {"first-person": first_person, "most-frequent": most_frequent}
    if model is not None:
        # Alternatives share blanks and persons, so each filled-in sentence is scored once.
        score = functools.cache(lambda sentence: round(model.score(folder, list(sentence)), 3))
        scorers[NGRAM] = lambda problem: tuple(score(tuple(filled(problem, one.name))) for one in problem.choices)
    if "unigram" in config.use:
        scorers["unigram"] = lambda problem: tuple(
            float(counts.get(parse(one.name).last, 0)) for one in problem.choices
        )
    return scorers


def _predictions(problem: Problem, scorers: Mapping[str, Callable[[Problem], Scores]]) -> Predictions:
    scores = {baseline: scorer(problem) for baseline, scorer in scorers.items()}
    return Predictions(
        choices=len(problem.choices),
        answer=problem.answer,
        guesses={baseline: best(values) for baseline, values in scores.items()},
        scores=scores,
    )


STAGE = Stage(
    name="baselines",
    version=3,
    reads=("dedup", "ingest"),
    writes=BaselinePredictions,
    config=BaselinesConfig,
    run=run,
    ports=(SENTENCE_SPLITTER, LANGUAGE_MODEL),
    conditions={LANGUAGE_MODEL: _asks_model},
    shares={"retrieve": _compared_as},
    steps=(
        # As a partition, because the files are not part of the output.
        Step(corpus.QUESTIONS, corpus.write_questions, over=1),
        Step(corpus.CUT, corpus.cut, over="ingest", unit="articles"),
        Step(ESTIMATE, _estimate),
    ),
)
