"""The input of the neural readers: problems as word ids, and padded batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from wdw_bench.systems.neural import ReaderConfig
from wdw_bench.systems.neural.tokens import (
    BLANK_WORD,
    LONGEST_WORD,
    UNKNOWN,
    ReaderTokens,
    Vocabulary,
    anonymised_tokens,
    raw_tokens,
)
from wdw_bench.systems.torch_training import UNKNOWN_ANSWER
from wdw_build.reading import ReadingProblem

Ids = npt.NDArray[np.int32]


def reader_tokens(problem: ReadingProblem, settings: ReaderConfig) -> ReaderTokens:
    """The tokens that a reader with these settings reads."""
    return raw_tokens(problem) if settings.names == "raw" else anonymised_tokens(problem)


@dataclass(frozen=True, slots=True)
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
    in_question: npt.NDArray[np.bool_]
    """(P,) True where the question contains the word."""
    mentions: Ids
    """(M, 3) first token, token after the last, choice."""
    markers: Ids
    """(C,) word ids of the choices' entity markers; 0 with raw names."""
    names: Sequence[Ids]
    """The word ids of each choice's name."""
    blank: int
    answer: int

    @property
    def mentions_answer(self) -> bool:
        """Whether the passage mentions the answer."""
        return bool((self.mentions[:, 2] == self.answer).any())

    @property
    def size(self) -> int:
        """The number of ids and marks: problems of a batch are similar in it."""
        texts = 2 * len(self.question) + 3 * len(self.passage) + self.mentions.size
        return texts + 2 * len(self.markers) + sum(map(len, self.names))


class ProblemEncoder:
    """Encodes problems by a vocabulary; collects the spellings of their words in a table, whose row 0 is the padding word."""

    def __init__(self, vocabulary: Vocabulary, settings: ReaderConfig) -> None:
        self._vocabulary, self._settings = vocabulary, settings
        self._rows: dict[str, int] = {"": 0}

    def spellings(self) -> Ids | None:
        """Character ids (rows, ``LONGEST_WORD``) of the words so far; None if the reader reads no characters."""
        if not self._settings.reads_characters:
            return None
        table = np.zeros((len(self._rows), LONGEST_WORD), np.int32)
        for row, word in enumerate(self._rows):
            spelling = self._vocabulary.spell(word)
            table[row, : len(spelling)] = spelling
        return table

    def _spelled(self, words: Sequence[str]) -> Ids:
        """The row of each word; a new word gets the next row."""
        return _ids([self._rows.setdefault(word, len(self._rows)) for word in words or [""]])

    def encode(self, problem: ReadingProblem, answer: int = UNKNOWN_ANSWER) -> EncodedProblem:
        """The problem as ids."""
        tokens, ids = reader_tokens(problem, self._settings), self._vocabulary.ids
        blank = tokens.blank if tokens.blank >= 0 else len(tokens.question) - 1
        question = ids(tokens.question) or [UNKNOWN]
        if tokens.blank >= 0:
            question[blank] = BLANK_WORD
        fold = self._vocabulary.fold
        question_words = {fold(word) for index, word in enumerate(tokens.question) if index != tokens.blank}
        return EncodedProblem(
            question=_ids(question),
            passage=_ids(ids(tokens.passage) or [UNKNOWN]),
            question_spellings=self._spelled(tokens.question),
            passage_spellings=self._spelled(tokens.passage),
            in_question=np.array([fold(word) in question_words for word in tokens.passage] or [False]),
            mentions=_ids(tokens.mentions).reshape(-1, 3),
            markers=_ids([self._vocabulary.marker_id(number) for number in tokens.markers]),
            names=[_ids(ids(choice.tokens)) for choice in problem.choices],
            blank=max(blank, 0),
            answer=answer,
        )


def _ids(values: Any) -> Ids:
    return np.array(values, np.int32)


@dataclass(frozen=True)
class Batch:
    """Padded problems.

    Shapes: B problems, Q question tokens, P passage tokens, C choices, N tokens of a name, W distinct words of the batch,
    L characters of a word.
    """

    question: Tensor
    """(B, Q) int64 word ids: 0 padding, 1 unknown, 2 blank, then entity markers, if names are anonymised, then words."""
    passage: Tensor
    """(B, P) int64 word ids."""
    question_lengths: Tensor
    """(B,) int64 numbers of tokens, at least 1."""
    passage_lengths: Tensor
    """(B,) int64 numbers of tokens, at least 1."""
    blank: Tensor
    """(B,) int64 index of the blank in the question; the last token if the question has none."""
    types: Tensor
    """(W, L) int64 character ids of the distinct words of the batch; 0 is padding. Row 0 is the padding word."""
    question_types: Tensor
    """(B, Q) int64 row of each question token in `types`."""
    passage_types: Tensor
    """(B, P) int64 row of each passage token in `types`."""
    in_question: Tensor
    """(B, P) float32: 1 where the question contains the passage token's word."""
    mentions: Tensor
    """(B, C, P) float32: 1 on the tokens of the choice's mentions."""
    choices: Tensor
    """(B, C) bool: True for the choices that exist."""
    choice_entities: Tensor
    """(B, C) int64 word ids of the choices' entity markers; 0 if names are raw."""
    choice_words: Tensor
    """(B, C, N) int64 word ids of the tokens of the choices' names."""
    answer: Tensor
    """(B,) int64 index of the answer; -1 if it is unknown."""

    def __len__(self) -> int:
        return len(self.answer)

    def to(self, device: str) -> Batch:
        """The batch on a device: ``cpu`` or ``cuda``. The copy to a GPU overlaps with what the GPU computes."""
        if device == "cpu":
            return self
        tensors: dict[str, Tensor] = vars(self)
        return Batch(**{name: tensor.pin_memory().to(device, non_blocking=True) for name, tensor in tensors.items()})


def collate(problems: Sequence[EncodedProblem], spellings: Ids | None) -> Batch:
    """The batch of some problems. ``spellings``: characters of each spelling (rows, L); None for readers without them."""
    question_types, passage_types, types = _types(problems, spellings)
    passage = _padded([problem.passage for problem in problems])
    return Batch(
        question=_padded([problem.question for problem in problems]),
        passage=passage,
        question_lengths=torch.tensor([len(problem.question) for problem in problems]),
        passage_lengths=torch.tensor([len(problem.passage) for problem in problems]),
        blank=torch.tensor([problem.blank for problem in problems]),
        types=types,
        question_types=question_types,
        passage_types=passage_types,
        in_question=_padded([problem.in_question for problem in problems]).float(),
        mentions=_mentions(problems, passage.shape[1]),
        choices=_padded([np.ones(len(problem.markers)) for problem in problems]).bool(),
        choice_entities=_padded([problem.markers for problem in problems]),
        choice_words=_names(problems),
        answer=torch.tensor([problem.answer for problem in problems]),
    )


def _padded(rows: Sequence[npt.NDArray[Any]]) -> Tensor:
    """The rows as one matrix of int64, padded with zeros."""
    return pad_sequence([torch.from_numpy(row) for row in rows], batch_first=True).long()


def _types(problems: Sequence[EncodedProblem], spellings: Ids | None) -> tuple[Tensor, Tensor, Tensor]:
    """Rows of the question tokens and of the passage tokens in the batch's table of distinct words, and the table."""
    question = _padded([problem.question_spellings for problem in problems])
    passage = _padded([problem.passage_spellings for problem in problems])
    if spellings is None:
        return torch.zeros_like(question), torch.zeros_like(passage), torch.zeros((1, 1), dtype=torch.int64)
    words = torch.cat([question.flatten(), passage.flatten(), torch.zeros(1, dtype=torch.int64)])
    used, rows = torch.unique(words, return_inverse=True)
    table = torch.from_numpy(spellings)[used].long()
    longest = max(1, int((table != 0).any(dim=0).sum()))
    in_question, in_passage, _ = torch.split(rows, [question.numel(), passage.numel(), 1])
    return in_question.view_as(question), in_passage.view_as(passage), table[:, :longest]


def _mentions(problems: Sequence[EncodedProblem], longest: int) -> Tensor:
    weights = torch.zeros(len(problems), max(len(problem.markers) for problem in problems), longest)
    for number, problem in enumerate(problems):
        for first, last, choice in problem.mentions.tolist():
            weights[number, choice, first:last] = 1
    return weights


def _names(problems: Sequence[EncodedProblem]) -> Tensor:
    names = _padded([name for problem in problems for name in problem.names])
    of_problems = torch.split(names, [len(problem.names) for problem in problems])
    return pad_sequence(list(of_problems), batch_first=True)
