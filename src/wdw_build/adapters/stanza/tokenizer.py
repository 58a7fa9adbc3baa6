"""A faster form of Stanza's tokenizer, with the same tokens and sentences.

Stanza makes a list for every character and an object for every token, and reads the texts of a pass as one text. Here,
characters are rows of a table that is filled once, paragraphs of similar length share a pass through the network, and
tokens are slices. Each text gets the tokens that ``stanza.Pipeline`` gives for the text alone: the last digits of a score
depend on the batch, so characters whose two best labels have almost the same score are read again without other texts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_build.adapters.devices import by_length
from wdw_build.core.rounding import leads

# Characters in one batch on the CPU, with padding.
_BATCH = 12_288
# A label with a smaller lead may be another one in another batch. More than a hundred times the largest difference between
# batches in 200,000 characters of news.
_LEAST_LEAD = 1e-3
# Stanza reads longer paragraphs in windows; each starts after the last sentence that ended in the one before.
_WINDOW = 1000
# Every web or mail address contains one of these; the tokenizer must not split addresses.
_MAY_HOLD_ADDRESS = re.compile(r"@|://|www\.|\.(?:gov|org|edu|net|co)")
_PADDING = 0

_Ints = npt.NDArray[np.int64]


class Word(NamedTuple):
    """The text of a token, and its span in the tokenised text."""

    text: str
    start: int
    end: int


@dataclass
class _Paragraph:
    """A paragraph of text number ``text``: its characters with white space folded, and their offsets in the text."""

    text: int
    characters: str
    places: _Ints
    rows: _Ints
    labels: _Ints
    done: int = 0


class _Characters(dict[str, int]):
    """The table row of each character: its vocabulary number and its features. Rows are made when first needed."""

    def __init__(self, vocabulary: Any, features: Sequence[Any]) -> None:
        super().__init__()
        self._vocabulary, self._features = vocabulary, features
        self._made: list[list[float]] = []
        self.table = np.zeros((0, 1 + len(features)), dtype=np.float32)

    def __missing__(self, character: str) -> int:
        number = self._vocabulary.unit2id(character)
        self._made.append([number, *(feature(character) for feature in self._features)])
        self[character] = len(self)
        return self[character]

    def rows(self, text: str) -> _Ints:
        """The row numbers of a text's characters."""
        numbers = np.fromiter(map(self.__getitem__, text), dtype=np.int64, count=len(text))
        if len(self._made) > len(self.table):
            self.table = np.array(self._made, dtype=np.float32)
        return numbers


class Tokenizer:
    """A loaded ``TokenizeProcessor``, called directly."""

    def __init__(self, processor: Any, whole: bool) -> None:
        """With ``whole``, the input of each call is one batch."""
        from stanza.models.tokenization import data, utils
        from stanza.pipeline.tokenize_processor import TOKEN_TOO_LONG_REPLACEMENT, TokenizeProcessor

        from wdw_build.adapters.stanza.dense_lstm import make_dense

        self._trainer, self._limit = processor.trainer, sys.maxsize if whole else _BATCH
        make_dense(self._trainer.model)
        self._names = list(self._trainer.args["feat_funcs"])
        self._characters = _Characters(
            processor.vocab,
            [data.PER_CHAR_FEAT_FUNCS[name] for name in self._names if name not in data.POSITION_FEAT_FUNCS],
        )
        self._white, self._parting = data.WHITESPACE_RE, data.NEWLINE_WHITESPACE_RE
        self._keep_addresses = utils.update_pred_regex
        self._longest = processor.config.get("max_seqlen", TokenizeProcessor.MAX_SEQ_LENGTH_DEFAULT)
        self._too_long = TOKEN_TOO_LONG_REPLACEMENT

    @staticmethod
    def fits(processor: Any) -> bool:
        """Whether the network reads only characters, and does not split tokens into words."""
        from stanza.models.tokenization import data

        args = processor.trainer.args
        known = {*data.PER_CHAR_FEAT_FUNCS, *data.POSITION_FEAT_FUNCS}
        plain = not (
            args["use_mwt"] or args["use_dictionary"] or args.get("charlm_forward_file") or args["skip_newline"]
        )
        return plain and set(args["feat_funcs"]) <= known

    def tokenize(self, texts: Sequence[str]) -> list[list[list[Word]]]:
        """The sentences of each text."""
        paragraphs = [paragraph for number, text in enumerate(texts) for paragraph in self._paragraphs(number, text)]
        waiting = paragraphs
        while waiting:
            self._read_windows(waiting)
            waiting = [paragraph for paragraph in waiting if paragraph.done < len(paragraph.characters)]
        sentences: list[list[list[Word]]] = [[] for _ in texts]
        for paragraph in paragraphs:
            sentences[paragraph.text].extend(self._sentences(paragraph))
        return sentences

    def _paragraphs(self, number: int, text: str) -> Iterator[_Paragraph]:
        """The paragraphs of a text, which blank lines separate."""
        start = 0
        for end, after in [*(match.span() for match in self._parting.finditer(text)), (len(text), len(text))]:
            characters = self._white.sub(" ", text[start:end].rstrip())
            if characters:
                places = np.arange(start, start + len(characters))
                if "  " in characters:
                    blank = np.fromiter(
                        (character == " " for character in characters), dtype=bool, count=len(characters)
                    )
                    keep = np.flatnonzero(~(blank & np.concatenate(([False], blank[:-1]))))
                    characters, places = "".join([characters[index] for index in keep]), places[keep]
                rows = self._characters.rows(characters)
                yield _Paragraph(number, characters, places, rows, np.zeros(len(characters), dtype=np.int64))
            start = after

    def _read_windows(self, paragraphs: list[_Paragraph]) -> None:
        """Label the next window of each paragraph."""
        # Like Stanza, adds one character of padding after a paragraph's first window, if there is room.
        sizes = [
            min(len(paragraph.characters) + (paragraph.done == 0) - paragraph.done, _WINDOW) for paragraph in paragraphs
        ]
        for batch in by_length(sizes, self._limit):
            chosen, lengths = [paragraphs[position] for position in batch], [sizes[position] for position in batch]
            for paragraph, length, scores in zip(chosen, lengths, self._scores(chosen, lengths), strict=True):
                characters = min(length, len(paragraph.characters) - paragraph.done)
                if len(batch) > 1 and leads(scores[:characters]).min() < _LEAST_LEAD:
                    (scores,) = self._scores([paragraph], [length])
                _store_labels(paragraph, scores.argmax(axis=1))

    def _scores(self, batch: list[_Paragraph], lengths: list[int]) -> npt.NDArray[np.float32]:
        """Scores of shape (paragraphs, longest, labels): 0 within a token, 1 at a token's end, 2 at a sentence's end."""
        import torch

        units = np.full((len(batch), lengths[0]), _PADDING, dtype=np.int64)
        features = np.zeros((len(batch), lengths[0], len(self._names)), dtype=np.float32)
        for row, (paragraph, length) in enumerate(zip(batch, lengths, strict=True)):
            characters = self._characters.table[paragraph.rows[paragraph.done : paragraph.done + length]]
            units[row, : len(characters)] = characters[:, 0]
            features[row, : len(characters)] = self._all_features(paragraph, characters[:, 1:])
        batch_input = (torch.from_numpy(units), None, torch.from_numpy(features), list(map(range, lengths)))
        scores: npt.NDArray[np.float32] = self._trainer.predict(batch_input)
        return scores

    def _all_features(self, paragraph: _Paragraph, of_characters: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The features in the network's order: those of the characters, and those of the position in the paragraph."""
        features = np.zeros((len(of_characters), len(self._names)), dtype=np.float32)
        columns = iter(of_characters.T)
        for column, name in enumerate(self._names):
            if name == "start_of_para":
                features[0, column] = paragraph.done == 0
            elif name == "end_of_para":
                features[-1, column] = paragraph.done + len(of_characters) == len(paragraph.characters)
            else:
                features[:, column] = next(columns)
        return features

    def _sentences(self, paragraph: _Paragraph) -> Iterator[list[Word]]:
        paragraph.labels[-1] = 2
        if _MAY_HOLD_ADDRESS.search(paragraph.characters):
            self._keep_addresses(paragraph.characters, paragraph.labels)
        sentence: list[Word] = []
        start = 0
        for last in np.flatnonzero(paragraph.labels).tolist():
            word = paragraph.characters[start : last + 1].lstrip()
            start = last + 1
            if not word:
                continue
            text = self._too_long if len(word) > self._longest else word
            sentence.append(Word(text, int(paragraph.places[start - len(word)]), int(paragraph.places[last]) + 1))
            if paragraph.labels[last] == 2:
                yield sentence
                sentence = []
        if sentence:
            yield sentence


def _store_labels(paragraph: _Paragraph, labels: _Ints) -> None:
    """Store the labels of a window, up to its last sentence end; all labels of the paragraph's last window."""
    remaining = len(paragraph.characters) - paragraph.done
    size = min(remaining, _WINDOW)
    ends = np.flatnonzero(labels[:size] == 2)
    if remaining > _WINDOW and len(ends):
        size = int(ends[-1]) + 1
    paragraph.labels[paragraph.done : paragraph.done + size] = labels[:size]
    paragraph.done += size
