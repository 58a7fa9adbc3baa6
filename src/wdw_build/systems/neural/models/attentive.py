"""The Attentive Reader.

Hermann et al. (2015), "Teaching Machines to Read and Comprehend", section 3.2.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wdw_build.systems.neural.batches import Batch
from wdw_build.systems.neural.models.layers import (
    BidirectionalEncoder,
    OutputVectors,
    WordVectors,
    choice_log_probabilities,
    masked_softmax,
    token_mask,
)
from wdw_build.systems.neural.settings import AttentiveConfig


class AttentiveReader(nn.Module):
    """Scores the choices by one vector of passage and question.

    With u the ends of the question's encoder and y_d(t) the passage's states:
    m(t) = tanh(W_ym y_d(t) + W_um u); s(t) ∝ exp(w_ms · m(t)); r = Σ s(t) y_d(t); g = tanh(W_rg r + W_ug u);
    p(choice) ∝ exp(W(choice) · g). The paper has one layer of LSTM cells in this reader; the default cell here is the GRU.
    """

    def __init__(self, settings: AttentiveConfig, embedding: Tensor, characters: int, markers: int = 0) -> None:
        super().__init__()
        states = 2 * settings.hidden
        self.words = WordVectors(embedding, markers, settings.train_vectors)
        self.dropout = nn.Dropout(settings.dropout)
        self.question = BidirectionalEncoder(self.words.size, settings.hidden, settings.cell)
        self.passage = BidirectionalEncoder(self.words.size, settings.hidden, settings.cell)
        self.passage_match = nn.Linear(states, states, bias=False)
        self.question_match = nn.Linear(states, states, bias=False)
        self.match = nn.Linear(states, 1, bias=False)
        self.passage_join = nn.Linear(states, states, bias=False)
        self.question_join = nn.Linear(states, states, bias=False)
        self.outputs = OutputVectors(markers, self.words, states)

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question = self.question.ends(self.dropout(self.words(batch.question)), batch.question_lengths)
        passage = self.passage(self.dropout(self.words(batch.passage)), batch.passage_lengths)
        matches = torch.tanh(self.passage_match(passage) + self.question_match(question).unsqueeze(1))
        readable = token_mask(batch.passage_lengths, passage.shape[1])
        attention = masked_softmax(self.match(matches).squeeze(-1), readable)
        read = torch.einsum("bp,bph->bh", attention, passage)
        joint = torch.tanh(self.passage_join(read) + self.question_join(question))
        scores = torch.einsum("bch,bh->bc", self.outputs(batch, self.words), joint)
        return choice_log_probabilities(scores, batch.choices)
