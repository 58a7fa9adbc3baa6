"""Prepares the problems for training: a vocabulary of the training problems, and both splits as files of word ids."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wdw_build.core.progress import Progress
from wdw_build.errors import CorpusError
from wdw_build.reading import LabelledProblems, ReadingProblem
from wdw_build.systems.neural.embedding import known_words
from wdw_build.systems.neural.encoding import (
    EncodedProblem,
    EncodedProblems,
    ProblemEncoder,
    reader_tokens,
    write_problems,
)
from wdw_build.systems.neural.settings import ReaderConfig
from wdw_build.systems.neural.vocabulary import Vocabulary, WordCounts
from wdw_build.systems.vectors import Vectors


@dataclass(frozen=True)
class PreparedProblems:
    """Encoded problems on disk and what they are encoded by."""

    vocabulary: Vocabulary
    spellings: npt.NDArray[np.int32]
    training: EncodedProblems
    validation: EncodedProblems


def prepare(
    training: LabelledProblems,
    validation: LabelledProblems,
    settings: ReaderConfig,
    vectors: Vectors | None,
    folder: Path,
    progress: Progress,
) -> PreparedProblems:
    """The prepared problems in ``folder``; makes them first unless the folder exists.

    Training problems whose answer the passage does not mention are left out. Raises ``CorpusError`` if none is left.
    """
    if not folder.exists():
        unfinished = folder.with_name(folder.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        vocabulary = _count(training, settings, progress)
        if vectors is not None and not settings.train_vectors:
            vocabulary = vocabulary.extended(_new_words(validation, vocabulary, settings, vectors))
        _encode(training, validation, ProblemEncoder(vocabulary, settings), unfinished, progress)
        vocabulary.save(unfinished / "vocabulary.json")
        unfinished.rename(folder)
    prepared = PreparedProblems(
        vocabulary=Vocabulary.load(folder / "vocabulary.json"),
        spellings=np.load(folder / "spellings.npy"),
        training=EncodedProblems(folder / "training.ids"),
        validation=EncodedProblems(folder / "validation.ids"),
    )
    if left_out := len(training) - len(prepared.training):
        progress.say(f"{left_out} training problems are left out: their passages do not mention the answer")
    if not len(prepared.training):
        raise CorpusError("no training problem's answer is mentioned in its passage", hint="train on more problems")
    return prepared


def _count(training: LabelledProblems, settings: ReaderConfig, progress: Progress) -> Vocabulary:
    counts = WordCounts(fold_case=settings.fold_case)
    with progress.bar("vocabulary", len(training), "problems") as bar:
        for labelled in training:
            tokens = reader_tokens(labelled.problem, settings)
            counts.add([*tokens.question, *tokens.passage], tokens.marker_count)
            bar.advance()
    return counts.vocabulary(settings.vocabulary)


def _new_words(
    problems: LabelledProblems, vocabulary: Vocabulary, settings: ReaderConfig, vectors: Vectors
) -> list[str]:
    words: dict[str, None] = {}
    for labelled in problems:
        words |= dict.fromkeys(unseen_words(labelled.problem, vocabulary, settings))
    return known_words(list(words), vectors)


def unseen_words(problem: ReadingProblem, vocabulary: Vocabulary, settings: ReaderConfig) -> list[str]:
    """The distinct words of a problem that are not in the vocabulary, in order."""
    tokens = reader_tokens(problem, settings)
    return vocabulary.unseen([*tokens.question, *tokens.passage])


def _encode(
    training: LabelledProblems, validation: LabelledProblems, encoder: ProblemEncoder, folder: Path, progress: Progress
) -> None:
    with progress.bar("encoding", len(training) + len(validation), "problems") as bar:

        def encoded(problems: LabelledProblems) -> Iterator[EncodedProblem]:
            for labelled in problems:
                yield encoder.encode(labelled.problem, labelled.answer)
                bar.advance()

        write_problems(folder / "training.ids", (problem for problem in encoded(training) if problem.mentions_answer))
        write_problems(folder / "validation.ids", encoded(validation))
    np.save(folder / "spellings.npy", encoder.spellings.characters())
