"""The text of the language model: the tokenised sentences of the articles that are not too similar to a question.

``write_questions`` stores what is compared with the articles, ``cut`` writes the text of one shard of articles, and
``read_text`` joins the shards in order, so that the text does not depend on how the articles are divided.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from wdw_build.core.stage import Context, blocks
from wdw_build.errors import CorpusError
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.records import Article, ProblemAlternatives
from wdw_build.stages.baselines.settings import BaselinesConfig
from wdw_build.text.counts import summed_counts, write_counts
from wdw_build.text.names.name import parse
from wdw_build.text.passages.passage_text import least_words, side_runs
from wdw_build.text.settings import RetrieveConfig
from wdw_build.text.tokens import ByChunk, lm_tokens, words

# NumPy is slow to import, and commands that run no stage must answer at once.
if TYPE_CHECKING:
    from wdw_build.similarity.articles import SimilarArticles

QUESTIONS, CUT = "questions", "cut"
_LAST_NAMES, _TEXT, _COUNTS = "last_names.json", "text", "text.counts"
# The key of the number of articles in the text, among the frequencies of the choices' last names.
ARTICLES = ""
# Articles whose text is in memory at a time, and bytes of a piece of text.
_ARTICLES_TOGETHER = 1 << 12
_PIECE = 1 << 20


def write_questions(inputs: Iterator[int], config: BaselinesConfig, context: Context) -> None:
    """Store the questions in the forms that are compared with the corpus. Raises ``CorpusError`` without problems."""
    from wdw_build.similarity.articles import Questions

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
    from wdw_build.similarity.articles import Questions, SimilarArticles

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
