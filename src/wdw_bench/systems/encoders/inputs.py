"""What the encoder reads of a problem: token ids, and where the passage and the mentions of the choices are in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from wdw_bench.systems.encoders import TOKENIZER
from wdw_bench.systems.torch_training import UNKNOWN_ANSWER
from wdw_build.api import encodable, open_tokenizer, words
from wdw_build.reading import BLANK, ReadingProblem
from wdw_build.reading.words import inverse_counts
from wdw_build.records import TokenSpan

_MASKS = ("[MASK]", "<mask>")


class Pieces(NamedTuple):
    """The word pieces of a text, with the characters [start, end) of each."""

    ids: list[int]
    spans: list[TokenSpan]


class Row(NamedTuple):
    """One input of the encoder. The second text has the positions [first, last) of ``ids``; none if first == last."""

    ids: Sequence[int] | npt.NDArray[np.int32]
    first: int
    last: int
    characters: Sequence[TokenSpan] = ()
    """The characters of the passage of each of these positions; empty for readers that do not extract spans."""


class WordPieces:
    """The tokenizer of an encoder."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = open_tokenizer(folder / TOKENIZER)
        pair = self._tokenizer.encode("a", "b")
        sides = pair.sequence_ids
        first_end, second = len(sides) - sides[::-1].index(0), sides.index(1)
        second_end = len(sides) - sides[::-1].index(1)
        # The special tokens before the first of two texts, between them, and after the second one.
        self._before, self._between = pair.ids[: sides.index(0)], pair.ids[first_end:second]
        self._after = pair.ids[second_end:]
        known = (name for name in _MASKS if self._tokenizer.token_to_id(name) is not None)
        self.mask = next(known, BLANK)

    def pieces(self, text: str) -> Pieces:
        """The pieces of a text, without special tokens."""
        encoding = self._tokenizer.encode(encodable(text), add_special_tokens=False)
        return Pieces(encoding.ids, encoding.offsets)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of the pieces of each text."""
        encodings = self._tokenizer.encode_batch_fast(list(map(encodable, texts)), add_special_tokens=False)
        return [encoding.ids for encoding in encodings]

    def questions(self, problem: ReadingProblem, fillers: Sequence[str], limit: int) -> list[list[int]]:
        """The ids of the question with each text in the blank, at most ``limit``; words far from the blank are cut.

        A question without a blank has one at its end.
        """
        text = problem.before_blank.rstrip()
        # Byte-level tokenizers attach the space to the word that follows it.
        space = " " if problem.before_blank != text or (problem.blank < 0 and text) else ""
        left, right, *filled = self.ids([text, problem.after_blank, *(space + filler for filler in fillers)])
        questions = []
        for ids in filled:
            room = limit - len(ids[:limit])
            before = max(room // 2, room - len(right))
            left_part = left[-before:] if before else []
            questions.append([*left_part, *ids[:limit], *right[: room - len(left_part)]])
        return questions

    def row(self, question: list[int], passage: list[int] | None) -> Row:
        """The input of question and passage, or of the question alone."""
        ids = [*self._before, *question]
        if passage is None:
            ids += self._after
            return Row(ids, len(ids), len(ids))
        ids += self._between
        return Row([*ids, *passage, *self._after], len(ids), len(ids) + len(passage))

    def room(self, max_tokens: int, *, has_passage: bool = True) -> int:
        """The pieces that an input of ``max_tokens`` holds besides special tokens."""
        empty = self.row([], [] if has_passage else None)
        return max_tokens - len(empty.ids)


class MentionSpan(NamedTuple):
    """A mention of a choice in a row: the positions of its first and of its last word piece."""

    choice: int
    row: int
    start: int
    end: int


class EncodedProblem(NamedTuple):
    """The rows of a problem; ``mentions`` only for readers that extract spans."""

    rows: Sequence[Row]
    choices: int
    mentions: Sequence[MentionSpan] = ()
    answer: int = UNKNOWN_ANSWER

    @property
    def size(self) -> int:
        """The length of the first row."""
        return len(self.rows[0].ids)


class ChoiceInputs:
    """One row for each choice: the question with the choice in the blank, then the sentences selected for this choice.

    Selected are first the sentences that mention the choice, then the others; among them first those that share most with
    the question: each shared word w counts log(1 + 1 / C(w)), where C(w) is its count in the passage. Sentences are taken
    until the row is full, the last one is cut, and all are given in the passage's order.
    """

    def __init__(self, pieces: WordPieces, max_tokens: int, *, reads_passage: bool = True) -> None:
        """Without ``reads_passage`` a row is the question alone."""
        self._pieces, self._reads_passage = pieces, reads_passage
        self._room = pieces.room(max_tokens, has_passage=reads_passage)

    def encode(self, problem: ReadingProblem) -> EncodedProblem:
        """The rows of a problem."""
        names = [choice.name for choice in problem.choices]
        room = self._room // 2 if self._reads_passage else self._room
        questions = self._pieces.questions(problem, names, room)
        passages = self._passages(problem, questions) if self._reads_passage else [None] * len(names)
        rows = [self._pieces.row(question, passage) for question, passage in zip(questions, passages, strict=True)]
        return EncodedProblem(rows, len(names))

    def _passages(self, problem: ReadingProblem, questions: Sequence[list[int]]) -> list[list[int]]:
        """The ids of the sentences that each choice's row has, after its question."""
        tokens, spans = problem.token_spans, [span for span in problem.sentences() if span[0] < span[1]]
        texts = [problem.passage[tokens[first][0] : tokens[last - 1][1]] for first, last in spans]
        sentences, overlaps = self._pieces.ids(texts), _overlaps(problem.filled(""), texts)
        passages = []
        for question, choice in zip(questions, problem.choices, strict=True):
            order = sorted(
                (not any(first <= start < last for start, _ in choice.mentions), -overlap, index)
                for index, (overlap, (first, last)) in enumerate(zip(overlaps, spans, strict=True))
            )
            passages.append(_fill(sentences, [index for *_, index in order], self._room - len(question)))
        return passages


class SpanInputs:
    """Overlapping windows of the passage, each after the question with ``blank``, or else a mask, in the blank."""

    def __init__(self, pieces: WordPieces, max_tokens: int, stride: int, max_windows: int, blank: str = "") -> None:
        self._blank = blank or pieces.mask
        self._pieces, self._stride, self._max_windows = pieces, stride, max_windows
        self._room = pieces.room(max_tokens)

    def encode(self, problem: ReadingProblem) -> EncodedProblem:
        """The rows of a problem."""
        (question,) = self._pieces.questions(problem, [self._blank], self._room // 2)
        passage = self._pieces.pieces(problem.passage)
        mentions = list(_mention_pieces(problem, passage.spans))
        rows, spans = [], []
        for number, (start, end, row) in enumerate(self._rows(question, passage)):
            rows.append(row)
            shift = row.first - start
            spans += [
                MentionSpan(choice, number, first + shift, last + shift)
                for choice, first, last in mentions
                if start <= first and last < end
            ]
        return EncodedProblem(rows, len(problem.choices), spans)

    def encode_free(self, passage: str, question: str) -> EncodedProblem:
        """The rows of a question in ordinary words, without blank and choices; a long question loses its end."""
        ids = self._pieces.pieces(question).ids[: self._room // 2]
        return EncodedProblem([row for *_, row in self._rows(ids, self._pieces.pieces(passage))], 0)

    def _rows(self, question: list[int], passage: Pieces) -> Iterator[tuple[int, int, Row]]:
        """The piece range [start, end) of each window of the passage, and the window's row."""
        ids, spans = passage
        for start, end in self._windows(len(ids), self._room - len(question)):
            yield start, end, self._pieces.row(question, ids[start:end])._replace(characters=spans[start:end])

    def _windows(self, length: int, width: int) -> Iterator[TokenSpan]:
        """The piece ranges [start, end) of the windows; at least one."""
        step = max(1, width - self._stride)
        for number in range(self._max_windows):
            start = number * step
            yield start, min(start + width, length)
            if start + width >= length:
                return


def _fill(sentences: list[list[int]], order: list[int], room: int) -> list[int]:
    """The ids of the sentences that fit, taken in ``order`` and given in the passage's order."""
    fitting: dict[int, list[int]] = {}
    for index in order:
        if room <= 0:
            break
        fitting[index] = sentences[index][:room]
        room -= len(fitting[index])
    return [piece for index in sorted(fitting) for piece in fitting[index]]


def _overlaps(question: str, sentences: list[str]) -> list[float]:
    """For each sentence, the sum of log(1 + 1 / C(w)) over the distinct words w that it shares with the question."""
    bags = [words(sentence) for sentence in sentences]
    weights = inverse_counts([word for bag in bags for word in bag])
    question_words = set(words(question))
    return [sum(weights[word] for word in sorted(question_words.intersection(bag))) for bag in bags]


def _mention_pieces(problem: ReadingProblem, pieces: Sequence[TokenSpan]) -> Iterator[tuple[int, int, int]]:
    """(choice, first piece, last piece) of every mention of a choice in the passage."""
    tokens = problem.token_spans
    for number, choice in enumerate(problem.choices):
        for first, last in choice.mentions:
            start, end = tokens[first][0], tokens[last - 1][1]
            inside = [index for index, span in enumerate(pieces) if span[0] < end and span[1] > start]
            if inside:
                yield number, inside[0], inside[-1]
