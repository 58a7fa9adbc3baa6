"""Encoded problems on disk: token ids in one file, read by memory mapping, so that memory holds no split of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wdw_build.core.progress import Progress
from wdw_build.reading import LabelledProblems
from wdw_build.systems.encoders.inputs import EncodedProblem, MentionSpan, ProblemEncoder, Row

Numbers = npt.NDArray[np.int64]


class StoredProblems:
    """The encoded problems of a split. Their ids are on disk; a few numbers of each row are in memory."""

    def __init__(self, ids: npt.NDArray[np.int32], rows: Numbers, problems: Numbers, mentions: Numbers) -> None:
        self._ids, self._rows, self._problems, self._mentions = ids, rows, problems, mentions
        self.lengths = rows[problems[:-1, 0], 3] if len(rows) else np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._problems) - 1

    def answer(self, index: int) -> int:
        """The index of a problem's answer."""
        return int(self._problems[index, 3])

    def __getitem__(self, index: int) -> EncodedProblem:
        (row, mention, choices, _), (next_row, next_mention, *_) = self._problems[index : index + 2].tolist()
        rows = [
            Row(self._ids[start : start + length].tolist(), first, last)
            for start, first, last, length in self._rows[row:next_row].tolist()
        ]
        spans = [MentionSpan(*numbers) for numbers in self._mentions[mention:next_mention].tolist()]
        return EncodedProblem(rows, choices, spans)

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the ids, the rows, the mentions and the answers."""
        hasher = hashlib.sha256()
        for array in (self._rows, self._problems, self._mentions):
            hasher.update(array.tobytes())
        for start in range(0, len(self._ids), 1 << 20):
            hasher.update(self._ids[start : start + (1 << 20)].tobytes())
        return hasher.hexdigest()


def store(
    problems: LabelledProblems, encoder: ProblemEncoder, path: Path, progress: Progress, label: str
) -> StoredProblems:
    """Encode the problems of a split, write their ids to a file, and open it."""
    rows: list[Sequence[int]] = []
    mentions: list[Sequence[int]] = []
    numbers: list[Sequence[int]] = []
    length = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as stream, progress.bar(label, len(problems), "problems") as bar:
        for labelled in problems:
            encoded = encoder.encode(labelled.problem)
            numbers.append((len(rows), len(mentions), encoded.choices, labelled.answer))
            mentions += encoded.mentions
            for row in encoded.rows:
                np.asarray(row.ids, np.int32).tofile(stream)
                rows.append((length, row.first, row.last, len(row.ids)))
                length += len(row.ids)
            bar.advance()
    numbers.append((len(rows), len(mentions), 0, 0))
    ids = np.memmap(path, np.int32, "r") if length else np.zeros(0, np.int32)
    return StoredProblems(ids, _table(rows), _table(numbers), _table(mentions))


def _table(rows: list[Sequence[int]]) -> Numbers:
    return np.asarray(rows, np.int64).reshape(-1, 4)
