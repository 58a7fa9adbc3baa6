"""The Stanford Reader.

Chen, Bolton & Manning (2016), "A Thorough Examination of the CNN/Daily Mail Reading Comprehension Task", section 3.2.
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
from wdw_build.systems.neural.settings import StanfordConfig


class StanfordReader(nn.Module):
    """Scores the choices by what a bilinear attention reads in the passage.

    With q the ends of the question's encoder and p_i the passage's states: α_i = softmax_i(q · W_s p_i); o = Σ α_i p_i;
    the choice is argmax over entities of the passage of W_a(choice) · o. Initial values as in section 4.1: attention and
    output uniform in ±0.01, weights of the GRU normal with deviation 0.1.
    """

    def __init__(self, settings: StanfordConfig, embedding: Tensor, characters: int, markers: int = 0) -> None:
        super().__init__()
        self.words = WordVectors(embedding, markers, settings.train_vectors)
        self.dropout = nn.Dropout(settings.dropout)
        self.question = BidirectionalEncoder(self.words.size, settings.hidden)
        self.passage = BidirectionalEncoder(self.words.size, settings.hidden)
        self.attention = nn.Linear(2 * settings.hidden, 2 * settings.hidden, bias=False)
        self.outputs = OutputVectors(markers, self.words, 2 * settings.hidden)
        nn.init.uniform_(self.attention.weight, -0.01, 0.01)
        for encoder in (self.question, self.passage):
            encoder.initialise(lambda weight: nn.init.normal_(weight, std=0.1))

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question = self.question.ends(self.dropout(self.words(batch.question)), batch.question_lengths)
        passage = self.passage(self.dropout(self.words(batch.passage)), batch.passage_lengths)
        matches = torch.einsum("bph,bh->bp", passage, self.attention(question))
        attention = masked_softmax(matches, token_mask(batch.passage_lengths, passage.shape[1]))
        read = torch.einsum("bp,bph->bh", attention, passage)
        scores = torch.einsum("bch,bh->bc", self.outputs(batch, self.words), read)
        return choice_log_probabilities(scores, batch.choices)
