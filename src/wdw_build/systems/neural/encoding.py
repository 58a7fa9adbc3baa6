"""Problems as word ids, and a file of them that is read one problem at a time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wdw_build.reading import ReadingProblem
from wdw_build.systems.neural.settings import ReaderConfig
from wdw_build.systems.neural.tokens import ReaderTokens, anonymised_tokens, cut_passage, raw_tokens
from wdw_build.systems.neural.vocabulary import BLANK_WORD, UNKNOWN, SpellingTable, Vocabulary

Ids = npt.NDArray[np.int32]
UNKNOWN_ANSWER = -1


def reader_tokens(problem: ReadingProblem, settings: ReaderConfig) -> ReaderTokens:
    """The tokens that a reader with these settings reads."""
    tokens = raw_tokens(problem) if settings.names == "raw" else anonymised_tokens(problem)
    return cut_passage(tokens, settings.max_passage_tokens) if settings.max_passage_tokens else tokens


@dataclass(frozen=True)
class EncodedProblem:
    """A problem's tokens as ids. Q question tokens, P passage tokens, M mentions, C choices; Q and P are at least 1."""

    question: Ids
    """(Q,) word ids."""
    passage: Ids
    """(P,) word ids."""
    question_spellings: Ids
    """(Q,) rows of the spelling table."""
    passage_spellings: Ids
    """(P,) rows of the spelling table."""
    in_question: Ids
    """(P,) 1 where the question contains the word."""
    mentions: Ids
    """(M, 3) first token, token after the last, choice."""
    markers: Ids
    """(C,) word ids of the choices' entity markers; 0 with raw names."""
    name_lengths: Ids
    """(C,) numbers of tokens of the names."""
    names: Ids
    """Word ids of the tokens of all names, one name after the other."""
    blank: int
    answer: int

    @property
    def mentions_answer(self) -> bool:
        """Whether the passage mentions the answer."""
        return bool((self.mentions[:, 2] == self.answer).any())

    def pack(self) -> Ids:
        """All of the problem in one vector: the sizes, the blank and the answer, then the arrays."""
        sizes = [len(self.question), len(self.passage), len(self.mentions), len(self.markers), len(self.names)]
        head = np.array([*sizes, self.blank, self.answer], np.int32)
        arrays = (
            *(self.question, self.passage, self.question_spellings, self.passage_spellings, self.in_question),
            *(self.mentions.ravel(), self.markers, self.name_lengths, self.names),
        )
        return np.concatenate([head, *arrays])

    @staticmethod
    def unpack(vector: Ids) -> EncodedProblem:
        """The problem in a vector that ``pack`` made."""
        question, passage, mentions, choices, names, blank, answer = vector[:7].tolist()
        sizes = (question, passage, question, passage, passage, 3 * mentions, choices, choices, names)
        asked, read, asked_rows, read_rows, found, triples, markers, lengths, words = np.split(
            vector[7:], np.cumsum(sizes)[:-1]
        )
        triples = triples.reshape(-1, 3)
        return EncodedProblem(
            asked, read, asked_rows, read_rows, found, triples, markers, lengths, words, blank, answer
        )


class ProblemEncoder:
    """Encodes problems by a vocabulary; collects the spellings of their words."""

    def __init__(self, vocabulary: Vocabulary, settings: ReaderConfig) -> None:
        self._vocabulary, self._settings = vocabulary, settings
        self.spellings = SpellingTable(vocabulary)

    def encode(self, problem: ReadingProblem, answer: int = UNKNOWN_ANSWER) -> EncodedProblem:
        """The problem as ids."""
        tokens, ids = reader_tokens(problem, self._settings), self._vocabulary.ids
        blank = tokens.blank if tokens.blank >= 0 else len(tokens.question) - 1
        question = ids(tokens.question) or [UNKNOWN]
        if tokens.blank >= 0:
            question[blank] = BLANK_WORD
        names = [ids(choice.tokens) for choice in problem.choices]
        return EncodedProblem(
            question=_ids(question),
            passage=_ids(ids(tokens.passage) or [UNKNOWN]),
            question_spellings=_ids(self.spellings.rows(tokens.question or [""])),
            passage_spellings=_ids(self.spellings.rows(tokens.passage or [""])),
            in_question=_ids(self._in_question(tokens) or [0]),
            mentions=_ids(tokens.mentions).reshape(-1, 3),
            markers=_ids([self._vocabulary.marker_id(number) for number in tokens.markers]),
            name_lengths=_ids([len(name) for name in names]),
            names=_ids([word for name in names for word in name]),
            blank=max(blank, 0),
            answer=answer,
        )

    def _in_question(self, tokens: ReaderTokens) -> list[bool]:
        fold = self._vocabulary.fold
        asked = {fold(word) for index, word in enumerate(tokens.question) if index != tokens.blank}
        return [fold(word) in asked for word in tokens.passage]


def _ids(values: Any) -> Ids:
    return np.array(values, np.int32)


class EncodedProblems:
    """A file of encoded problems, mapped into memory; only the problems that are used are read."""

    def __init__(self, path: Path) -> None:
        self.offsets: npt.NDArray[np.int64] = np.load(_offsets_path(path))
        size = int(self.offsets[-1])
        mapped = np.memmap(path, np.int32, "r", shape=(size,)) if size else np.zeros(0, np.int32)
        self._data = np.asarray(mapped)  # slices of a plain array are made faster than those of a memmap

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> EncodedProblem:
        return EncodedProblem.unpack(self._data[self.offsets[index] : self.offsets[index + 1]])

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Numbers stored for each problem, which grow with the length of its passage."""
        return np.diff(self.offsets)


def write_problems(path: Path, problems: Iterable[EncodedProblem]) -> None:
    """Write the problems into a file that ``EncodedProblems`` reads."""
    offsets = [0]
    with path.open("wb") as stream:
        for problem in problems:
            vector = problem.pack()
            stream.write(vector.tobytes())
            offsets.append(offsets[-1] + len(vector))
    np.save(_offsets_path(path), np.array(offsets, np.int64))


def _offsets_path(path: Path) -> Path:
    return path.with_suffix(".offsets.npy")
