"""Predictions of somebody else's system, for ``bench --predictions FILE``.

The file has one JSON object a line: ``id`` and one of ``choice`` (the index of a choice, or its name), ``scores`` (a number
for each choice) or ``spans`` (the texts that the system extracted; the choice is the one whose name fits best).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from wdw_build.bench.held_out import HeldOut, HeldOutProblem
from wdw_build.bench.training import HELD_OUT
from wdw_build.core.run.progress import printable
from wdw_build.errors import UsageError

_FORM = '{"id": "…", "choice": 0}; choice may be a name; or "scores": [0.1, 0.9]; or "spans": ["Jane Doe"]'


class GivenLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the file."""

    id: str
    choice: int | str | None = None
    scores: tuple[float, ...] | None = None
    spans: tuple[str, ...] | None = None


class GivenAnswer(NamedTuple):
    """The index of the choice, and the extracted spans if the system extracts."""

    choice: int
    spans: tuple[str, ...] | None


class GivenPredictions(NamedTuple):
    """A system's answers by problem id. ``name`` is the file's name without its ending."""

    name: str
    answers: Mapping[str, GivenAnswer]


def read_predictions(path: Path, held_out: HeldOut) -> GivenPredictions:
    """Read a file of predictions. A split must be answered wholly or not at all.

    Raises ``UsageError``, which names the line, if the file cannot be read, an id is unknown or occurs twice, or a choice
    does not exist; and if a split is answered in part.
    """
    answers: dict[str, GivenAnswer] = {}
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint=f"a line is {_FORM}") from error
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        line = _decode(text, f"{path}:{number}")
        problem = held_out.problems.get(line.id)
        if problem is None or line.id in answers:
            fault = "occurs twice" if line.id in answers else "is not in validation or test"
            raise UsageError(
                f"{path}:{number}: problem {printable(line.id)!r} {fault}",
                hint="give one line to each problem of validation, of test, or of both; the export jsonl has their ids",
            )
        answers[line.id] = _answer(line, problem, f"{path}:{number}")
    _check_splits(path, answers, held_out)
    return GivenPredictions(path.stem, answers)


def _decode(text: bytes, place: str) -> GivenLine:
    try:
        line = msgspec.json.decode(text, type=GivenLine)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: {error}", hint=f"a line is {_FORM}") from error
    if sum(value is not None for value in (line.choice, line.scores, line.spans)) != 1:
        raise UsageError(f"{place}: give one of choice, scores and spans", hint=f"a line is {_FORM}")
    return line


def _answer(line: GivenLine, problem: HeldOutProblem, place: str) -> GivenAnswer:
    if line.spans is not None:
        return GivenAnswer(_best_fit(line.spans, problem.choices), line.spans)
    if line.scores is not None:
        if len(line.scores) != len(problem.choices):
            raise UsageError(
                f"{place}: {len(line.scores)} scores for {len(problem.choices)} choices",
                hint=f"give a score to each of: {', '.join(map(printable, problem.choices))}",
            )
        return GivenAnswer(line.scores.index(max(line.scores)), None)
    if isinstance(line.choice, str) and line.choice in problem.choices:
        return GivenAnswer(problem.choices.index(line.choice), None)
    if isinstance(line.choice, int) and 0 <= line.choice < len(problem.choices):
        return GivenAnswer(line.choice, None)
    raise UsageError(
        f"{place}: there is no choice {line.choice!r}", hint=f"choices: {', '.join(map(printable, problem.choices))}"
    )


def _best_fit(spans: tuple[str, ...], choices: tuple[str, ...]) -> int:
    """The choice whose name has the highest F1 with the spans; the first of equal ones."""
    from wdw_build.systems.scoring import f1

    fits = [f1(spans, (name,)) for name in choices]
    return fits.index(max(fits))


def _check_splits(path: Path, answers: Mapping[str, GivenAnswer], held_out: HeldOut) -> None:
    for split in HELD_OUT:
        missing = [name for name, _ in held_out.of(split) if name not in answers]
        if missing and len(missing) < held_out.counts[split]:
            raise UsageError(
                f"{path}: {len(missing)} of {held_out.counts[split]} problems of {split} have no prediction, "
                f"such as {printable(missing[0])!r}",
                hint="answer every problem of a split, or no problem of it",
            )
    if not answers:
        raise UsageError(f"{path}: no predictions", hint=f"a line is {_FORM}")
