"""The input of the neural readers: a batch of problems as padded tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from wdw_build.systems.neural.encoding import EncodedProblem


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
        return self._each(lambda tensor: tensor.pin_memory().to(device, non_blocking=True))

    def _each(self, change: Callable[[Tensor], Tensor]) -> Batch:
        return Batch(**{item.name: change(getattr(self, item.name)) for item in fields(self)})


def collate(problems: Sequence[EncodedProblem], spellings: npt.NDArray[np.int32] | None) -> Batch:
    """The batch of some problems. ``spellings``: characters of each spelling (rows, L); None for readers without them."""
    questions = [problem.question for problem in problems]
    passages = [problem.passage for problem in problems]
    question_types, passage_types, types = _types(problems, spellings)
    return Batch(
        question=_padded(questions),
        passage=_padded(passages),
        question_lengths=_numbers(len(question) for question in questions),
        passage_lengths=_numbers(len(passage) for passage in passages),
        blank=_numbers(problem.blank for problem in problems),
        types=types,
        question_types=question_types,
        passage_types=passage_types,
        in_question=_padded([problem.in_question for problem in problems], np.float32),
        mentions=_mentions(problems),
        choices=_padded([np.ones(len(problem.markers)) for problem in problems], np.bool_),
        choice_entities=_padded([problem.markers for problem in problems]),
        choice_words=_names(problems),
        answer=_numbers(problem.answer for problem in problems),
    )


def _numbers(values: Any) -> Tensor:
    return torch.tensor(list(values), dtype=torch.int64)


def _padded(rows: Sequence[npt.NDArray[Any]], kind: Any = np.int64) -> Tensor:
    """The rows as one matrix, padded with zeros."""
    matrix = np.zeros((len(rows), max(len(row) for row in rows)), kind)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return torch.from_numpy(matrix)


def _types(
    problems: Sequence[EncodedProblem], spellings: npt.NDArray[np.int32] | None
) -> tuple[Tensor, Tensor, Tensor]:
    """Rows of the question tokens and of the passage tokens in the batch's table of distinct words, and the table."""
    question = _padded([problem.question_spellings for problem in problems])
    passage = _padded([problem.passage_spellings for problem in problems])
    if spellings is None:
        return torch.zeros_like(question), torch.zeros_like(passage), torch.zeros((1, 1), dtype=torch.int64)
    used = np.zeros(len(spellings), np.bool_)
    used[0] = used[question.numpy()] = used[passage.numpy()] = True
    rows = torch.from_numpy(np.cumsum(used) - 1)
    table = spellings[used]
    longest = max(1, int((table != 0).any(axis=0).sum()))
    return rows[question], rows[passage], torch.from_numpy(table[:, :longest].astype(np.int64))


def _mentions(problems: Sequence[EncodedProblem]) -> Tensor:
    shape = (len(problems), max(len(problem.markers) for problem in problems))
    weights = np.zeros((*shape, max(len(problem.passage) for problem in problems)), np.float32)
    for number, problem in enumerate(problems):
        for first, last, choice in problem.mentions.tolist():
            weights[number, choice, first:last] = 1
    return torch.from_numpy(weights)


def _names(problems: Sequence[EncodedProblem]) -> Tensor:
    shape = (len(problems), max(len(problem.markers) for problem in problems))
    words = np.zeros((*shape, max(int(problem.name_lengths.max(initial=1)) for problem in problems)), np.int64)
    for number, problem in enumerate(problems):
        ends = np.cumsum(problem.name_lengths).tolist()
        for choice, (end, length) in enumerate(zip(ends, problem.name_lengths.tolist(), strict=True)):
            words[number, choice, :length] = problem.names[end - length : end]
    return torch.from_numpy(words)
