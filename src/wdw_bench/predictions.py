"""The predictions of systems as JSON lines, one file for each system, setting, condition, evaluation and seed.

They are in ``runs/<run>/bench/<data>/predictions``. The first line of a file says what was measured, each other line has the
answer to one problem. A file appears by one rename. To remove a row from the tables, delete its files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.api import UsageError, digest, replace_file
from wdw_build.reading import Prediction
from wdw_build.reading.settings import Condition

S = TypeVar("S", bound=msgspec.Struct)
Predictions = Mapping[str, Prediction]
"""The predictions of one training, by problem id."""


class PredictionHead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The first line: what answered, and to what."""

    name: str
    """Name of the row: the system, with its setting in brackets if that is not the default."""
    title: str
    source: str
    group: str
    system: str
    """The system, as the command line takes it."""
    setting: str = ""
    """What differs from the default settings."""
    condition: Condition
    folds: int | None = None
    """Folds of the cross-fitted evaluation; null for the held-out one."""
    seed: int = 0
    """Number of the training, from 0."""
    problems: str
    """Hash of the problems."""
    made_from: str = ""
    """Hash of all that decides the predictions: problems, settings, versions, seed."""
    parameters: int | None = None
    """Number of trained parameters."""
    fit_seconds: float | None = None
    choose_seconds: float | None = None
    training: int | None = None
    """Number of training problems; null for a system that learns nothing."""
    has_cut_off: bool = False
    """Whether the system does not read text past a limit."""
    paper: float | None = None
    """Accuracy in the paper's Table 4, with the same kind of training."""

    @property
    def file(self) -> str:
        """The file's name."""
        key = digest((self.group, self.name, self.condition, self.folds))[:8]
        system = re.sub(r"[^\w.-]+", "_", self.system)
        evaluation = "held-out" if self.folds is None else f"{self.folds}-folds"
        return f"{system}-{self.condition}-{evaluation}-{key}-{self.seed}.jsonl"


class PredictionLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to one problem of a population. ``scores``: a number for each choice; ``spans``: extracted texts."""

    id: str
    population: str
    scores: tuple[float, ...]
    spans: tuple[str, ...] | None = None


class PredictionFile(msgspec.Struct, frozen=True):
    """A file: its head, and population -> predictions."""

    head: PredictionHead
    answers: dict[str, dict[str, Prediction]]


def write_predictions(folder: Path, head: PredictionHead, answers: Mapping[str, Predictions]) -> None:
    """Write a file. ``answers``: population -> predictions."""
    lines = [
        PredictionLine(name, population, prediction.scores, prediction.spans)
        for population, predictions in answers.items()
        for name, prediction in predictions.items()
    ]
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / head.file, b"".join(msgspec.json.encode(line) + b"\n" for line in (head, *lines)))


def read_head(path: Path) -> PredictionHead:
    """The first line of a file. Raises ``UsageError`` if it is unreadable."""
    with path.open("rb") as stream:
        return _decoded(stream.readline(), PredictionHead, path)


def read_predictions(folder: Path) -> Iterator[PredictionFile]:
    """All files of a folder, by name. Raises ``UsageError`` for an unreadable file."""
    for path in sorted(folder.glob("*.jsonl")):
        answers: dict[str, dict[str, Prediction]] = {}
        with path.open("rb") as stream:
            head = _decoded(stream.readline(), PredictionHead, path)
            for line in stream:
                answer = _decoded(line, PredictionLine, path)
                answers.setdefault(answer.population, {})[answer.id] = Prediction(answer.scores, answer.spans)
        yield PredictionFile(head, answers)


def _decoded(line: bytes, kind: type[S], path: Path) -> S:
    try:
        decoded: S = msgspec.json.decode(line, type=kind)
        return decoded
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}", hint="delete the file: bench makes it again") from error
