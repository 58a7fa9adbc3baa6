"""baselines: predictions of four shallow baselines (paper, section 3), or of those that ``baselines.use`` names.

``first-person`` and ``most-frequent`` use the mentions of the choices in the passage, ``ngram`` the probability of the
filled-in sentence under a 5-gram model, and ``unigram`` the frequency of the choices' last names. They answer every
alternative of an article, so that ``suppress`` can select one. Model and frequencies come from the corpus without the
articles that are too similar to a question, which would give the answers away. If scores are equal, the choice that the passage
names first wins.

The text of the language model is made in steps: ``write_questions`` stores what is compared with the articles, ``cut`` writes the
text of one shard of articles, and ``read_text`` joins the shards in order, so that the text does not depend on how the articles
are divided.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from wdw_build.core.section import PositiveInt, Section, paper
from wdw_build.core.stage import Context, Stage, Step, blocks
from wdw_build.errors import CorpusError
from wdw_build.ports import LANGUAGE_MODEL, SENTENCE_SPLITTER, LanguageModel
from wdw_build.records import Article, BaselinePredictions, Predictions, Problem, ProblemAlternatives, Record, Rejection
from wdw_build.text.counts import summed_counts, write_counts
from wdw_build.text.names.name import parse
from wdw_build.text.passages.passage_text import least_words, side_runs
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import ByChunk, lm_tokens, words

# NumPy is slow to import, and commands that run no stage must answer at once.
if TYPE_CHECKING:
    from wdw_build.similarity.joins import SimilarArticles

QUESTIONS, CUT = "questions", "cut"
_LAST_NAMES, _TEXT, _COUNTS = "last_names.json", "text", "text.counts"
# The key of the number of articles in the text, among the frequencies of the choices' last names.
ARTICLES = ""
# Articles whose text is in memory at a time, and bytes of a piece of text.
_ARTICLES_TOGETHER = 1 << 12
_PIECE = 1 << 20
NGRAM = "ngram"
ESTIMATE, FOLDER, FREQUENCIES = "estimate", "model", "last_names.json"
_MEGABYTE = 1_000_000
Scores = tuple[float, ...]


class BaselinesConfig(Section, frozen=True):
    """The four shallow baselines."""

    use: tuple[Literal["ngram", "unigram"], ...] = ("ngram", "unigram")
    """Baselines besides first-person and most-frequent. Without ngram, KenLM is not needed."""
    ngram_order: Annotated[int, Meta(ge=2, le=6)] = 5
    """Order of the n-gram model."""
    max_text: Annotated[PositiveInt | None, paper(None)] = 2000
    """Megabytes of text for the n-gram model; of more text, every so many sentences are taken. `null`: all text."""
    exclude_similar: bool = True
    """Exclude articles with a sentence too similar to a question when estimating the n-gram model."""


def write_questions(inputs: Iterator[int], config: BaselinesConfig, context: Context) -> None:
    """Store the questions in the forms that are compared with the corpus. Raises ``CorpusError`` without problems."""
    from wdw_build.similarity.joins import Questions

    problems, last_names, questions = 0, set[str](), Questions()
    record: ProblemAlternatives
    for record in context.read("dedup"):
        problems += 1
        for outline in record.outlines():
            last_names.update(parse(choice.name).last for choice in outline.choices)
        if config.exclude_similar:
            blanks = sorted({alternative.blank for alternative in record.alternatives})
            sides = [
                side
                for blank in map(record.question.with_blank, blanks)
                for side in side_runs(words(blank.left), words(blank.right))
                if side
            ]
            questions.add(words(record.question.sentence), sides)
    if not problems:
        raise CorpusError(
            "no problem was made from this corpus, so there is nothing to predict",
            hint="wdw-build inspect choices --rejected  shows why",
        )
    questions.write(context.folder)
    (context.folder / _LAST_NAMES).write_bytes(msgspec.json.encode(sorted(last_names)))


@functools.lru_cache(maxsize=1)
def _similar(folder: Path, max_overlap: float, min_words: int) -> SimilarArticles:
    """The comparison with the questions of ``folder``; each process reads them once."""
    from wdw_build.similarity.joins import Questions, SimilarArticles

    return SimilarArticles(Questions.read(folder), max_overlap, min_words)


@functools.lru_cache(maxsize=1)
def _last_names(folder: Path) -> frozenset[str]:
    return frozenset(msgspec.json.decode((folder / _LAST_NAMES).read_bytes(), type=list[str]))


_lines: ByChunk[str] = ByChunk(lambda chunk: " ".join(lm_tokens(chunk)))


def cut(articles: Iterator[Article], config: BaselinesConfig, context: Context) -> None:
    """Write the tokenised sentences of the articles that are not too similar to a question, and their counts."""
    (folder,) = context.results(QUESTIONS)
    split = context.port(SENTENCE_SPLITTER).sentences
    counts = Counter({ARTICLES: 0})
    with (context.folder / _TEXT).open("wb") as stream:
        for block in blocks(articles, _ARTICLES_TOGETHER):
            texts = [[sentence.split() for sentence in split(article.text)] for article in block]
            similar = [False] * len(block)
            if config.exclude_similar:
                retrieve: RetrieveConfig = context.shared["retrieve"]
                finder = _similar(folder, retrieve.max_sentence_overlap, least_words(retrieve))
                similar = finder.matches(texts)
            for text, is_similar in zip(texts, similar, strict=True):
                if not is_similar:
                    counts[ARTICLES] += 1
                    tokenised = "".join([" ".join(map(_lines.__getitem__, chunks)) + "\n" for chunks in text if chunks])
                    counts.update(filter(_last_names(folder).__contains__, tokenised.split()))
                    stream.write(tokenised.encode(errors="replace"))
    write_counts(context.folder / _COUNTS, counts)


def text_bytes(folders: Sequence[Path]) -> int:
    """The bytes of the text of shards."""
    return sum((folder / _TEXT).stat().st_size for folder in folders)


def read_text(folders: Sequence[Path], advance: Callable[[int], None], most: int | None = None) -> Iterator[bytes]:
    """The text of shards, in pieces. ``advance`` gets the number of bytes of each piece that is read.

    Of a text with more than ``most`` bytes, the yielded lines are spread evenly over the whole text, so that they have about
    that size and do not depend on how the articles are divided.
    """
    total, first = text_bytes(folders), 0
    most = total if most is None else min(most, total)
    for folder in folders:
        with (folder / _TEXT).open("rb") as stream:
            while lines := stream.readlines(_PIECE):
                # Of ``most`` = ``total`` bytes, every line.
                yield b"".join([line for number, line in enumerate(lines, first) if number * most % total < most])
                first += len(lines)
                advance(sum(map(len, lines)))


def total_counts(folders: Sequence[Path], scratch: Path) -> dict[str, int]:
    """The sums of the counts of shards, by key: ``ARTICLES``, then the last names. ``scratch``: for temporary files."""
    return dict(summed_counts([folder / _COUNTS for folder in folders], scratch))


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
    shards = context.results(CUT)
    frequencies = total_counts(shards, context.folder)
    if not frequencies.pop(ARTICLES, 0):
        total = context.inputs["ingest"].manifest.written
        raise CorpusError(
            f"there is no text left for the n-gram model: all {total} articles are too similar to a question",
            hint="use a larger corpus, or set baselines.exclude_similar: false",
        )
    (context.folder / FREQUENCIES).write_bytes(msgspec.json.encode(frequencies))
    if not _asks_model(config):
        return
    with context.progress.bar("text for the n-gram model", text_bytes(shards), "bytes") as bar:
        most = config.max_text and config.max_text * _MEGABYTE
        text = read_text(shards, bar.advance, most)
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
        scorers[NGRAM] = lambda problem: tuple(score(tuple(filled(problem, choice.name))) for choice in problem.choices)
    if "unigram" in config.use:
        scorers["unigram"] = lambda problem: tuple(
            float(counts.get(parse(choice.name).last, 0)) for choice in problem.choices
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
    version=5,
    reads=("dedup", "ingest"),
    writes=BaselinePredictions,
    config=BaselinesConfig,
    run=run,
    ports=(SENTENCE_SPLITTER, LANGUAGE_MODEL),
    conditions={LANGUAGE_MODEL: _asks_model},
    shares={"retrieve": _compared_as},
    steps=(
        # As a partition, because the files are not part of the output.
        Step(QUESTIONS, write_questions, over=1),
        Step(CUT, cut, over="ingest", unit="articles"),
        Step(ESTIMATE, _estimate),
    ),
)
