"""The input of the neural readers: a batch of problems as padded tensors."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor

PADDING = 0
UNKNOWN = 1
BLANK_WORD = 2
"""The word id of the blank. The entity markers follow it, then the words."""
FIRST_ENTITY = 3


@dataclass(frozen=True)
class Batch:
    """Padded problems. Shapes: B problems, Q question tokens, P passage tokens, C choices, N tokens of a name, W distinct
    words of the batch, L characters of a word."""

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

    def to(self, device: torch.device | str) -> Batch:
        """The batch on another device."""
        moved = {item.name: getattr(self, item.name).to(device, non_blocking=True) for item in fields(self)}
        return Batch(**moved)
