"""Predictions of an outside system, read from a file.

The file has one JSON object a line: ``id`` and one of ``choice`` (the index of a choice, or its name), ``scores`` (a number
for each choice) or ``spans`` (the texts that the system extracted; the choice is the one whose name fits best).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from wdw_build.core.progress import printable
from wdw_build.core.text_files import read_lines
from wdw_build.errors import UsageError
from wdw_build.reading import Prediction
from wdw_build.reading.scoring import f1

FORM = '{"id": "…", "choice": 0}; choice may be a name; or "scores": [0.1, 0.9]; or "spans": ["Jane Doe"]'


class GivenLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of the file."""

    id: str
    choice: int | str | None = None
    scores: tuple[float, ...] | None = None
    spans: tuple[str, ...] | None = None


def read_predictions(path: Path, choices: Mapping[str, Sequence[str]], place: str, hint: str) -> dict[str, Prediction]:
    """The predictions of a file by problem id. ``choices``: problem id -> names of the choices, in order.

    A prediction without scores has 1 for its choice and 0 for the others; one of spans has the F1 of the spans with each
    name. Raises ``UsageError``, which names the line, if the file cannot be read or is empty, a choice does not exist, an
    id occurs twice, or an id is not in ``choices``: then ``place`` says where it should be ("in validation or test"), and
    ``hint`` which problems to answer.
    """
    try:
        lines = read_lines(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}", hint=f"a line is {FORM}") from error
    predictions: dict[str, Prediction] = {}
    for number, text in lines:
        line = _decode(text, f"{path}:{number}")
        if line.id not in choices or line.id in predictions:
            fault = "occurs twice" if line.id in predictions else f"is not {place}"
            raise UsageError(f"{path}:{number}: problem {printable(line.id)!r} {fault}", hint=hint)
        predictions[line.id] = _prediction(line, choices[line.id], f"{path}:{number}")
    if not predictions:
        raise UsageError(f"{path}: no predictions", hint=f"a line is {FORM}")
    return predictions


def _decode(text: bytes, place: str) -> GivenLine:
    try:
        line = msgspec.json.decode(text, type=GivenLine)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UsageError(f"{place}: {error}", hint=f"a line is {FORM}") from error
    if (given := sum(value is not None for value in (line.choice, line.scores, line.spans))) != 1:
        raise UsageError(f"{place}: {given} of choice, scores and spans", hint=f"a line is {FORM}")
    return line


def _prediction(line: GivenLine, choices: Sequence[str], place: str) -> Prediction:
    if line.spans is not None:
        return Prediction(tuple(f1(line.spans, (name,)) for name in choices), line.spans)
    if line.scores is not None:
        if len(line.scores) not in (0, len(choices)):
            raise UsageError(
                f"{place}: {len(line.scores)} scores for {len(choices)} choices",
                hint=f"give a score to each of: {', '.join(map(printable, choices))}; [] is no answer, which counts as wrong",
            )
        return Prediction(line.scores)
    chosen = choices.index(line.choice) if line.choice in choices else line.choice
    if not isinstance(chosen, int) or not 0 <= chosen < len(choices):
        raise UsageError(
            f"{place}: there is no choice {line.choice!r}", hint=f"choices: {', '.join(map(printable, choices))}"
        )
    return Prediction(tuple(float(index == chosen) for index in range(len(choices))))
