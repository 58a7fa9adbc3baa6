"""The four neural readers as PyTorch modules, each from the equations of its paper."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wdw_bench.systems.neural import (
    AttentionSumConfig,
    AttentiveConfig,
    GatedAttentionConfig,
    ReaderConfig,
    StanfordConfig,
)
from wdw_bench.systems.neural.batches import Batch
from wdw_bench.systems.neural.layers import (
    BidirectionalEncoder,
    CharacterEncoder,
    OutputVectors,
    WordVectors,
    attention_sum,
    choice_log_probabilities,
    masked_softmax,
    state_at,
    token_mask,
)

FEATURE = 2
"""Dimensions of the vector that says whether a passage token's word occurs in the question."""


class _EncodedReader(nn.Module):
    """Word vectors, and an encoder each for the question and the passage."""

    def __init__(self, settings: ReaderConfig, embedding: Tensor, markers: int) -> None:
        super().__init__()
        self.words = WordVectors(embedding, markers, settings.train_vectors)
        self.dropout = nn.Dropout(settings.dropout)
        self.question = BidirectionalEncoder(self.words.size, settings.hidden)
        self.passage = BidirectionalEncoder(self.words.size, settings.hidden)

    def encode(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The ends of the question's encoder (B, 2H) and the passage's states (B, P, 2H)."""
        question = self.question.ends(self.dropout(self.words(batch.question)), batch.question_lengths)
        return question, self.passage(self.dropout(self.words(batch.passage)), batch.passage_lengths)


class AttentiveReader(_EncodedReader):
    """Scores the choices by one vector of passage and question (Hermann et al. 2015, section 3.2).

    With u the ends of the question's encoder and y_d(t) the passage's states:
    m(t) = tanh(W_ym y_d(t) + W_um u); s(t) ∝ exp(w_ms · m(t)); r = Σ s(t) y_d(t); g = tanh(W_rg r + W_ug u);
    p(choice) ∝ exp(W(choice) · g). The paper has one layer of LSTM cells in place of the GRU.
    """

    def __init__(self, settings: AttentiveConfig, embedding: Tensor, characters: int, markers: int) -> None:
        super().__init__(settings, embedding, markers)
        states = 2 * settings.hidden
        self.passage_match = nn.Linear(states, states, bias=False)
        self.question_match = nn.Linear(states, states, bias=False)
        self.match = nn.Linear(states, 1, bias=False)
        self.passage_join = nn.Linear(states, states, bias=False)
        self.question_join = nn.Linear(states, states, bias=False)
        self.outputs = OutputVectors(markers, self.words, states)

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question, passage = self.encode(batch)
        matches = torch.tanh(self.passage_match(passage) + self.question_match(question).unsqueeze(1))
        readable = token_mask(batch.passage_lengths, passage.shape[1])
        attention = masked_softmax(self.match(matches).squeeze(-1), readable)
        attended = torch.einsum("bp,bph->bh", attention, passage)
        joint = torch.tanh(self.passage_join(attended) + self.question_join(question))
        scores = torch.einsum("bch,bh->bc", self.outputs(batch, self.words), joint)
        return choice_log_probabilities(scores, batch.choices)


class StanfordReader(_EncodedReader):
    """Scores the choices by what a bilinear attention reads in the passage (Chen, Bolton & Manning 2016, section 3.2).

    With q the ends of the question's encoder and p_i the passage's states: α_i = softmax_i(q · W_s p_i); o = Σ α_i p_i;
    the choice is argmax over entities of the passage of W_a(choice) · o. Initial values as in section 4.1: attention and
    output uniform in ±0.01, weights of the GRU normal with deviation 0.1.
    """

    def __init__(self, settings: StanfordConfig, embedding: Tensor, characters: int, markers: int) -> None:
        super().__init__(settings, embedding, markers)
        self.attention = nn.Linear(2 * settings.hidden, 2 * settings.hidden, bias=False)
        self.outputs = OutputVectors(markers, self.words, 2 * settings.hidden)
        nn.init.uniform_(self.attention.weight, -0.01, 0.01)
        for encoder in (self.question, self.passage):
            encoder.initialise(lambda weight: nn.init.normal_(weight, std=0.1))

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question, passage = self.encode(batch)
        matches = torch.einsum("bph,bh->bp", passage, self.attention(question))
        attention = masked_softmax(matches, token_mask(batch.passage_lengths, passage.shape[1]))
        attended = torch.einsum("bp,bph->bh", attention, passage)
        scores = torch.einsum("bch,bh->bc", self.outputs(batch, self.words), attended)
        return choice_log_probabilities(scores, batch.choices)


class AttentionSumReader(_EncodedReader):
    """Points at the tokens of the passage and sums what the mentions of a choice get (Kadlec et al. 2016, section 3.1).

    With g(q) the ends of the question's encoder and f_i(d) the passage's states: s_i ∝ exp(f_i(d) · g(q)) (equation 1);
    p(choice) ∝ the sum of s_i over the tokens i of all its mentions (equation 2). Initial weights of the GRU are orthogonal and
    its biases 0 (section 4.1).
    """

    def __init__(self, settings: AttentionSumConfig, embedding: Tensor, characters: int, markers: int) -> None:
        super().__init__(settings, embedding, markers)
        for encoder in (self.question, self.passage):
            encoder.initialise(nn.init.orthogonal_)

    def forward(self, batch: Batch) -> Tensor:
        """(B, C) log-probabilities of the choices."""
        question, passage = self.encode(batch)
        return attention_sum(torch.einsum("bph,bh->bp", passage, question), batch)


class GatedAttentionReader(nn.Module):
    """Reads the passage K times; each hop gates the passage's states by the question (Dhingra et al. 2017, section 3.1).

    X(0) are the word vectors of the passage, Y those of the question. In hop k: D(k) = BiGRU(X(k-1)); Q(k) = BiGRU(Y)
    (section 3.1.1); α_i = softmax(Q(k) d_i), q̃_i = Σ α_i Q(k), x_i(k) = d_i ∘ q̃_i (section 3.1.2). The last hop points into
    the passage by the question's state at the blank, s_i ∝ exp(q_blank(K) · d_i(K)), and sums over mentions (section 3.1.3).
    A word's vector is followed by its character vector, of half its size; the last hop also reads whether the question has
    the word (section 3.1.4).
    """

    def __init__(self, settings: GatedAttentionConfig, embedding: Tensor, characters: int, markers: int) -> None:
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
        question_inputs, passage_inputs = self._inputs(batch)
        in_question = token_mask(batch.question_lengths, question_inputs.shape[1]).unsqueeze(1)
        for question_encoder, passage_encoder in zip(self.questions[:-1], self.passages[:-1], strict=True):
            question = question_encoder(question_inputs, batch.question_lengths)
            passage_inputs = self.dropout(
                gate(passage_encoder(passage_inputs, batch.passage_lengths), question, in_question)
            )
        if self.feature is not None:
            passage_inputs = torch.cat([passage_inputs, self.feature(batch.in_question.long())], dim=-1)
        question = self.questions[-1](question_inputs, batch.question_lengths)
        passage = self.passages[-1](passage_inputs, batch.passage_lengths)
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


_READERS: dict[type[ReaderConfig], type[nn.Module]] = {
    AttentiveConfig: AttentiveReader,
    StanfordConfig: StanfordReader,
    AttentionSumConfig: AttentionSumReader,
    GatedAttentionConfig: GatedAttentionReader,
}


def make_reader(settings: ReaderConfig, embedding: Tensor, characters: int, markers: int) -> nn.Module:
    """The reader that belongs to the settings.

    ``embedding`` (V, D) are the initial word vectors, ``characters`` is the number of character ids, and ``markers`` the
    number of entity markers, whose word ids follow the blank's: 0 if names are raw.
    """
    return _READERS[type(settings)](settings, embedding, characters, markers)
