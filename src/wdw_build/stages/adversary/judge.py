"""Lets adversaries answer all alternatives of all articles, each trained on other events.

The alternatives have the names that adversaries read: those of the text, or codes.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

import msgspec

from wdw_build.core.hashing import derived_seed
from wdw_build.core.progress import printable
from wdw_build.core.stage import Context
from wdw_build.errors import ConfigError, CorpusError
from wdw_build.ports import ANNOTATIONS, SENTENCE_SPLITTER
from wdw_build.reading import ADVERSARIES, Adversaries, LabelledProblem, Prediction
from wdw_build.reading.fitting import event_folds
from wdw_build.reading.problems import content_hash, reading_problem, write_problems
from wdw_build.records import BaselinePredictions, Problem, ProblemAlternatives, Pseudonyms
from wdw_build.selection.settings import AdversaryConfig
from wdw_build.text.names.evidence import NameEvidence, read_names
from wdw_build.text.pseudonyms.apply import renamed
from wdw_build.text.pseudonyms.codes import code_draw, pseudonyms_of
from wdw_build.text.pseudonyms.persons import tagged_persons

_PROBLEMS = "problems.jsonl"
# Separates the id of an article from the number of an alternative.
_NUMBER = "~"
# Articles of the same days share passages. About 10 kB each.
_KEPT_PASSAGES = 1024

# Alternative -> the score of each choice.
Scores = Mapping[str, tuple[float, ...]]


class AlternativeTexts:
    """The alternatives of an article as problems with the names that adversaries read."""

    def __init__(self, config: AdversaryConfig, context: Context) -> None:
        self._names, self._context = config.names, context
        self._article = functools.lru_cache(_KEPT_PASSAGES)(functools.partial(context.find, "ingest"))

    def problems(self, record: ProblemAlternatives) -> Iterator[Problem]:
        """Yield the problem of each alternative; with the original names if a name cannot be replaced."""
        for number, alternative in enumerate(record.alternatives):
            problem = record.problem(number, self._article(record.passages[alternative.passage].article))
            yield problem if self._names == "original" else self._renamed(problem)

    def _renamed(self, problem: Problem) -> Problem:
        article = self._article(problem.passage.article)
        annotation = self._context.port(ANNOTATIONS).annotate([article])[article.id]
        entities = tagged_persons(annotation, problem.passage.text, self._evidence)
        draw = code_draw(self._context.seed, "adversary", problem.id)
        pseudonyms = pseudonyms_of(problem, entities, self._evidence, draw)
        return renamed(problem, pseudonyms) if isinstance(pseudonyms, Pseudonyms) else problem

    @functools.cached_property
    def _evidence(self) -> NameEvidence:
        return read_names(self._context.inputs["names"].folder)


def alternative_id(article: str, number: int) -> str:
    """The id under which a system reads an alternative; the first alternative has the id of the article."""
    return f"{article}{_NUMBER}{number}" if number else article


class Judge:
    """Lets every adversary answer all alternatives. ``events``: the event of each article."""

    def __init__(self, events: Mapping[str, str], config: AdversaryConfig, context: Context) -> None:
        self._events, self._config, self._context = events, config, context
        self._adversaries: Adversaries = context.port(ADVERSARIES)
        # Alternative -> its article and the index of its answer, filled while the problems are written.
        self._articles: dict[str, str] = {}
        self._answers: dict[str, int] = {}
        self._problems = write_problems(context.folder / _PROBLEMS, self._labelled())
        self._content = content_hash(self._problems)

    def _labelled(self) -> Iterator[LabelledProblem]:
        """The alternatives as systems read them."""
        splitter, texts = self._context.port(SENTENCE_SPLITTER), AlternativeTexts(self._config, self._context)
        sentences = functools.lru_cache(_KEPT_PASSAGES)(splitter.sentences)
        for predictions in self._context.read("baselines"):
            _check_names(predictions, self._config)
            record: ProblemAlternatives = self._context.find("dedup", predictions.id)
            for number, problem in enumerate(texts.problems(record)):
                name = alternative_id(record.id, number)
                _check_id(name, record.id, self._articles)
                self._articles[name], self._answers[name] = record.id, problem.answer
                yield LabelledProblem(
                    id=name,
                    problem=msgspec.structs.replace(reading_problem(problem, sentences(problem.passage.text)), id=name),
                    answer=problem.answer,
                    split="train",
                    level="strict",
                    guesses=predictions.of(number).guesses,
                )

    def close(self) -> None:
        """Delete the problems, which are no part of the stage's output."""
        self._problems.path.unlink()

    def _seed(self, draw: int) -> int:
        """The seed of one division and of the systems that are trained on it."""
        return derived_seed(self._context.seed, "adversary", draw)

    def article_folds(self, draw: int = 0) -> dict[str, int]:
        """The fold of every article. ``draw`` numbers the divisions."""
        return event_folds(self._events, self._config.folds, self._seed(draw))

    def scores(self, training: frozenset[str], draw: int = 0) -> dict[str, Scores]:
        """Adversary -> alternative -> its scores for the choices. ``training``: the alternatives to train on."""
        seed, progress = self._seed(draw), self._context.progress
        by_article = self.article_folds(draw)
        folds = {name: by_article[article] for name, article in self._articles.items()}
        return {
            name: self._adversaries.scores(name, self._problems, self._content, folds, seed, progress, training)
            for name in self._config.systems
        }

    def is_right(self, alternative: str, scores: Scores) -> bool:
        """Whether these scores choose the answer of an alternative."""
        return Prediction(scores[alternative]).first_choice == self._answers[alternative]


def _check_names(predictions: BaselinePredictions, config: AdversaryConfig) -> None:
    for name in config.systems:
        if name in predictions.guesses:
            raise ConfigError(
                f"adversary.systems: {printable(name)!r} is a baseline already", hint="give the adversary another name"
            )


def _check_id(name: str, article: str, articles: Mapping[str, str]) -> None:
    """Raise ``CorpusError`` if a problem of another article already has this id."""
    if name in articles:
        raise CorpusError(
            f"adversary: the articles {printable(articles[name])!r} and {printable(article)!r} both have a problem with the id "
            f"{printable(name)!r}, because alternatives have the id of their article with {_NUMBER} and a number",
            hint="rename one of the two articles, or set adversary.systems: []",
        )
