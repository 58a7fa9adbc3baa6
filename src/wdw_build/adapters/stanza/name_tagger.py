"""A faster form of Stanza's name tagger, with the same tags.

A word's representation (its vector and the character network's output) does not depend on the sentence, so it is computed
once for all sentences of a call. The LSTM and the CRF's transitions are Stanza's. The Viterbi search runs over all sentences
of a batch together, with the same sums as Stanza's.

The last digits of a score depend on the batch. A sentence whose second-best tags score almost as high as the best ones is
tagged again alone, so the tags of a sentence do not depend on the other sentences.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from wdw_build.adapters.devices import by_length
from wdw_build.core.rounding import leads

# Tokens of sentences, and characters of words, in one batch on the CPU, with padding.
_TOKENS = 2048
_CHARACTERS = 4096
# Tags with a smaller lead may be others in another batch. A thousand times the largest difference between batches in 1,649
# sentences of news; one sentence in 400 has a smaller lead.
_LEAST_LEAD = 1e-2

_Ints = npt.NDArray[np.int64]
_Name = tuple[str, int, int]


class NameTagger:
    """A loaded ``NERProcessor``, called directly."""

    def __init__(self, processor: Any, whole: bool) -> None:
        """With ``whole``, the input of each call is one batch."""
        from stanza.models.common.vocab import VOCAB_PREFIX_SIZE
        from stanza.models.ner.trainer import fix_singleton_tags
        from stanza.models.ner.utils import decode_from_bioes

        from wdw_build.adapters.stanza.dense_lstm import make_dense

        (trainer,) = processor.trainers
        make_dense(trainer.model)
        self._model, self._vocab, self._args = trainer.model.eval(), trainer.vocab, trainer.args
        self._whole = whole
        self._fix, self._decode = fix_singleton_tags, decode_from_bioes
        count = self._vocab["tag"].lens()[0]
        # Stanza reads lower numbers (padding and the like) as the first tag, "outside".
        known = [max(number, VOCAB_PREFIX_SIZE) for number in range(count)]
        tags = self._vocab["tag"].unmap([(number,) for number in known])
        self._tags = [tag[0] if isinstance(tag, list) else tag for tag in tags]
        self._transitions = trainer.model.crits[0]._transitions.detach().cpu().numpy()

    @staticmethod
    def fits(processor: Any) -> bool:
        """Whether the model represents a word by its vector and its letters, without a language model."""
        if len(processor.trainers) != 1:
            return False
        trainer = processor.trainers[0]
        args, model = trainer.args, trainer.model
        return bool(
            args["char"]
            and args["char_emb_dim"] > 0
            and not args.get("charlm")
            and not args.get("char_lowercase")
            and model.bert_model is None
            and "word" in trainer.vocab
            and "delta" not in trainer.vocab
            and model.num_output_layers == 1
            and args["word_emb_dim"] > 0
        )

    def names(self, sentences: Sequence[Sequence[str]]) -> list[list[_Name]]:
        """The names in each sentence as (type, start, end), with token spans [start, end)."""
        if not sentences:
            return []
        words: dict[str, int] = {}
        rows = [
            np.fromiter((words.setdefault(word, len(words)) for word in sentence), dtype=np.int64, count=len(sentence))
            for sentence in sentences
        ]
        represented = self._represent(list(words))
        names: list[list[_Name]] = [[] for _ in rows]
        for batch in by_length(list(map(len, rows)), sys.maxsize if self._whole else _TOKENS):
            paths = self._tag(represented, [rows[position] for position in batch])
            for position, (numbers, lead) in zip(batch, paths, strict=True):
                if lead > _LEAST_LEAD or len(sentences) == 1:
                    names[position] = self._spans(numbers)
                else:
                    (names[position],) = self.names([sentences[position]])
        return names

    def _spans(self, numbers: _Ints) -> list[_Name]:
        """The names in a sentence with these tag numbers."""
        tags = [self._tags[number] for number in numbers.tolist()]
        if all(tag == "O" for tag in tags):
            return []
        return [(span["type"], span["start"], span["end"] + 1) for span in self._decode(self._fix(tags))]

    def _represent(self, words: list[str]) -> Any:
        """The LSTM's input for each word, of shape (words, width)."""
        import torch

        model, vocabulary = self._model, self._vocab["word"]
        device = model.word_emb.weight.device
        lowered = (word.lower() if self._args.get("lowercase", True) else word for word in words)
        numbers = torch.tensor([vocabulary.unit2id(word) for word in lowered], device=device)
        letters = [self._vocab["char"].map(list(word)) for word in words]
        inputs = torch.cat([model.word_emb(numbers), self._spelled(letters, device)], dim=1)
        return model.input_transform(inputs) if model.input_transform else inputs

    def _spelled(self, letters: list[list[int]], device: Any) -> Any:
        """The character network's output for each word, of shape (words, width)."""
        import torch

        parts, order = [], []
        for batch in by_length(list(map(len, letters)), sys.maxsize if self._whole else _CHARACTERS):
            lengths = [len(letters[position]) for position in batch]
            padded = np.zeros((len(batch), lengths[0]), dtype=np.int64)
            for row, position in enumerate(batch):
                padded[row, : lengths[row]] = letters[position]
            characters = torch.from_numpy(padded).to(device)
            parts.append(self._model.charmodel(characters, None, list(range(len(batch))), [len(batch)], lengths).data)
            order += batch
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back.to(device)]

    def _tag(self, represented: Any, rows: list[_Ints]) -> list[tuple[_Ints, float]]:
        """The tags of sentences in order of falling length, and their leads (see ``best_paths``)."""
        import torch
        from torch.nn.utils.rnn import PackedSequence

        model, lengths = self._model, np.array([len(row) for row in rows])
        padded = np.zeros((len(rows), int(lengths[0])), dtype=np.int64)
        is_word = np.arange(padded.shape[1]) < lengths[:, None]
        padded[is_word] = np.concatenate(rows)
        # The layout of packed sequences: the first words of all sentences, then the second words, and so on.
        steps = is_word.sum(axis=0)
        inputs = represented[torch.from_numpy(padded.T[is_word.T]).to(represented.device)]
        initial = [
            state.expand(-1, len(rows), -1).contiguous() for state in (model.taggerlstm_h_init, model.taggerlstm_c_init)
        ]
        packed = PackedSequence(inputs, torch.from_numpy(steps))
        outputs = model.taggerlstm(packed, lengths.tolist(), hx=tuple(initial))[0].data
        return best_paths(model.tag_clfs[0](outputs).cpu().numpy(), steps, self._transitions, lengths)


def best_paths(
    scores: npt.NDArray[np.float32], steps: _Ints, transitions: npt.NDArray[np.float32], lengths: _Ints
) -> list[tuple[_Ints, float]]:
    """Viterbi search over many sequences at once; returns the best tag numbers of each sequence, and their lead.

    ``scores`` (tokens x tags) are in the layout of packed sequences: ``steps[t]`` rows for step t, longest sequence first.
    ``transitions`` are indexed [from, to]. Of tags with equal scores, the lower number wins. The lead is the difference
    between the scores of the best and the second-best tags of the sequence.
    """
    into = np.ascontiguousarray(transitions.T)
    edges = np.concatenate(([0], np.cumsum(steps)))
    reached = scores[: steps[0]].copy()
    earlier = []
    for step in range(1, len(steps)):
        before = reached[: steps[step]].copy()
        earlier.append(before)
        reached[: steps[step]] = scores[edges[step] : edges[step + 1]] + (before[:, None, :] + into).max(axis=2)
    paths = np.zeros((len(steps), steps[0]), dtype=np.int64)
    tag, least = reached.argmax(axis=1), leads(reached)
    for step in range(len(steps) - 1, -1, -1):
        alive = steps[step]
        paths[step, :alive] = tag[:alive]
        if step:
            # Tags that differ from the best ones join them at some step by another way.
            ways = earlier[step - 1] + into[tag[:alive]]
            tag[:alive] = ways.argmax(axis=1)
            least[:alive] = np.minimum(least[:alive], leads(ways))
    return [(paths[:length, row], lead) for row, (length, lead) in enumerate(zip(lengths, least.tolist(), strict=True))]
