"""The Gated-Attention Reader.

Dhingra et al. (2017), "Gated-Attention Readers for Text Comprehension", section 3.1.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wdw_build.systems.neural.batches import Batch
from wdw_build.systems.neural.models.layers import (
    BidirectionalEncoder,
    CharacterEncoder,
    WordVectors,
    attention_sum,
    masked_softmax,
    state_at,
    token_mask,
)
from wdw_build.systems.neural.settings import GatedAttentionConfig

FEATURE = 2
"""Dimensions of the vector that says whether a passage token's word occurs in the question."""


class GatedAttentionReader(nn.Module):
    """Reads the passage K times; each hop gates the passage's states by the question.

    X(0) are the word vectors of the passage, Y those of the question. In hop k: D(k) = BiGRU(X(k-1)); Q(k) = BiGRU(Y)
    (section 3.1.1); α_i = softmax(Q(k) d_i), q̃_i = Σ α_i Q(k), x_i(k) = d_i ∘ q̃_i (section 3.1.2). The last hop points into
    the passage by the question's state at the blank, s_i ∝ exp(q_blank(K) · d_i(K)), and sums over mentions (section 3.1.3).
    A word's vector is followed by its character vector, of half its size; the last hop also reads whether the question has
    the word (section 3.1.4).
    """

    def __init__(self, settings: GatedAttentionConfig, embedding: Tensor, characters: int, markers: int = 0) -> None:
        super().__init__()
        self.words = WordVectors(embedding, markers, settings.train_vectors)
        size, states = self.words.size, 2 * settings.hidden
        self.characters = None
        if settings.character_hidden:
            self.characters = CharacterEncoder(characters, settings.character_hidden, size // 2)
            size += size // 2
        self.feature = nn.Embedding(2, FEATURE) if settings.in_question_feature else None
        inputs = [size] + [states] * (settings.hops - 1)
        inputs[-1] += FEATURE if settings.in_question_feature else 0
        self.passages = nn.ModuleList(BidirectionalEncoder(width, settings.hidden) for width in inputs)
        self.questions = nn.ModuleList(BidirectionalEncoder(size, settings.hidden) for _ in inputs)
        self.dropout = nn.Dropout(settings.dropout)

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        asked, read = self._inputs(batch)
        in_question = token_mask(batch.question_lengths, asked.shape[1]).unsqueeze(1)
        for question_encoder, passage_encoder in zip(self.questions[:-1], self.passages[:-1], strict=True):
            question = question_encoder(asked, batch.question_lengths)
            read = self.dropout(gate(passage_encoder(read, batch.passage_lengths), question, in_question))
        if self.feature is not None:
            read = torch.cat([read, self.feature(batch.in_question.long())], dim=-1)
        question = self.questions[-1](asked, batch.question_lengths)
        passage = self.passages[-1](read, batch.passage_lengths)
        return attention_sum(torch.einsum("bph,bh->bp", passage, state_at(question, batch.blank)), batch)

    def _inputs(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The vectors of the tokens of question and passage, with characters if they are read."""
        question, passage = self.words(batch.question), self.words(batch.passage)
        if self.characters is None:
            return question, passage
        types = self.characters(batch.types)
        return (
            torch.cat([question, types[batch.question_types]], dim=-1),
            torch.cat([passage, types[batch.passage_types]], dim=-1),
        )


def gate(passage: Tensor, question: Tensor, mask: Tensor) -> Tensor:
    """The passage's states (B, P, H), each multiplied by what it attends to among the question's states (B, Q, H)."""
    attention = masked_softmax(passage @ question.transpose(1, 2), mask)
    return passage * (attention @ question)
