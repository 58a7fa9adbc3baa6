"""The Attention Sum Reader.

Kadlec et al. (2016), "Text Understanding with the Attention Sum Reader Network", section 3.1.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wdw_build.systems.neural.batches import Batch
from wdw_build.systems.neural.models.layers import BidirectionalEncoder, WordVectors, attention_sum
from wdw_build.systems.neural.settings import AttentionSumConfig


class AttentionSumReader(nn.Module):
    """Points at the tokens of the passage and sums what the mentions of a choice get.

    With g(q) the ends of the question's encoder and f_i(d) the passage's states: s_i ∝ exp(f_i(d) · g(q)) (equation 1);
    p(choice) ∝ the sum of s_i over the tokens i of all its mentions (equation 2). Initial weights of the GRU are orthogonal and
    its biases 0 (section 4.1).
    """

    def __init__(self, settings: AttentionSumConfig, embedding: Tensor, characters: int, markers: int = 0) -> None:
        super().__init__()
        self.words = WordVectors(embedding, markers, settings.train_vectors)
        self.dropout = nn.Dropout(settings.dropout)
        self.question = BidirectionalEncoder(self.words.size, settings.hidden)
        self.passage = BidirectionalEncoder(self.words.size, settings.hidden)
        for encoder in (self.question, self.passage):
            encoder.initialise(nn.init.orthogonal_)

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question = self.question.ends(self.dropout(self.words(batch.question)), batch.question_lengths)
        passage = self.passage(self.dropout(self.words(batch.passage)), batch.passage_lengths)
        return attention_sum(torch.einsum("bph,bh->bp", passage, question), batch)
