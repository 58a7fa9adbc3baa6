"""The backend of the port ``adversaries``: systems that are cross-fitted, and files with the answers of outside models.

A file has one JSON object a line: ``id`` and one of ``choice`` (the index of a choice, or its name), ``scores`` (a number
for each choice) or ``spans`` (the texts that the system extracted; the choice is the one whose name fits best).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.progress import Progress, printable
from wdw_build.core.section import Section
from wdw_build.core.text_files import read_lines
from wdw_build.errors import MissingResourceError, StageError, UsageError
from wdw_build.reading import LabelledProblems, Prediction, SystemEntry, TrainingContext
from wdw_build.reading.fitting import CrossFit, Folds
from wdw_build.reading.scoring import f1

# Of so many problems, one process keeps what all folds and rounds need; several processes would each compute it again.
_ONE_PROCESS = 8192
FORM = '{"id": "…", "choice": 0}; choice may be a name; or "scores": [0.1, 0.9]; or "spans": ["Jane Doe"]'


@dataclass
class SystemAdversaries:
    """``Adversaries`` of the registry. ``systems``: name -> descriptor and settings; ``given``: name -> file of answers.

    ``processes``: see ``CrossFit``.
    ``pick_device`` returns ``cpu`` or ``cuda``; it may load torch, so it is called only for systems that use it.
    """

    systems: Mapping[str, tuple[SystemEntry, Section]]
    given: Mapping[str, Path]
    root: Path
    workspace: TrainingContext
    pick_device: Callable[[], str]
    processes: int = 1
    _used: set[str] = field(default_factory=set)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems, then those of the files."""
        return (*self.systems, *self.given)

    @property
    def identity(self) -> str:
        """The names, and a hash of settings, versions and files. Raises ``MissingResourceError`` if a part or a file is missing."""
        described = {
            name: [entry.version, msgspec.to_builtins(settings), entry.backends(settings, self.workspace)]
            for name, (entry, settings) in self.systems.items()
        }
        return f"{', '.join(self.names)}; {digest([described, self._file_hashes()])[:16]}"

    def _file_hashes(self) -> dict[str, str]:
        for name, path in self.given.items():
            if not path.is_file():
                raise MissingResourceError(
                    f"bench.predictions.{name}: there is no file {path}",
                    hint="wdw-build bench --write-problems writes the problems that an external model must answer",
                )
        return {name: hash_file(path) for name, path in self.given.items()}

    @property
    def device(self) -> str:
        """The device of the systems that use one: ``cpu`` or ``cuda``."""
        return self.pick_device() if any(entry.uses_device for entry, _ in self.systems.values()) else "cpu"

    def take_devices(self) -> frozenset[str]:
        """The devices that were used since the last call."""
        used, self._used = frozenset(self._used), set()
        return used

    def scores(
        self,
        name: str,
        problems: LabelledProblems,
        content: str,
        folds: Folds,
        seed: int,
        progress: Progress,
        training: frozenset[str] | None = None,
    ) -> Mapping[str, tuple[float, ...]]:
        """Out-of-fold scores of each problem's choices: those in the file of answers, or those of the cross-fitted system."""
        if name in self.given:
            return _given_scores(self.given[name], problems)
        entry, settings = self.systems[name]
        device = self.pick_device() if entry.uses_device else self.workspace.device
        self._used.add(device)
        workspace = replace(self.workspace, seed=seed, progress=progress, device=device)
        processes = self.processes if len(problems) > _ONE_PROCESS else 1
        cross_fit = CrossFit(entry, settings, self.root, workspace, training, processes)
        predictions = cross_fit.predictions(problems, content, folds)
        return _chosen(name, predictions)


def _given_scores(path: Path, problems: LabelledProblems) -> dict[str, tuple[float, ...]]:
    """The scores in a file of answers. Raises ``UsageError`` if a problem has no answer."""
    choices = {problem.id: tuple(choice.name for choice in problem.problem.choices) for problem in problems}
    hint = "wdw-build bench --write-problems --alternatives writes the problems to answer"
    predictions = read_predictions(path, choices, "a problem of stage baselines", hint)
    if missing := sorted(choices.keys() - predictions.keys()):
        raise UsageError(
            f"{path}: {len(missing)} of {len(choices)} problems have no answer, such as {printable(missing[0])!r}",
            hint=hint,
        )
    return _chosen(str(path), predictions)


def _chosen(adversary: str, predictions: Mapping[str, Prediction]) -> dict[str, tuple[float, ...]]:
    """The scores of each problem. Raises ``StageError`` if the adversary left a problem without an answer."""
    for problem, prediction in predictions.items():
        if not prediction.scores:
            raise StageError(
                f"adversary {printable(adversary)}: no answer to {printable(problem)!r}",
                hint="an adversary must choose for every problem: give a score for each choice, or leave it out",
            )
    return {problem: prediction.scores for problem, prediction in predictions.items()}


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
    if (number := sum(value is not None for value in (line.choice, line.scores, line.spans))) != 1:
        raise UsageError(f"{place}: {number} of choice, scores and spans", hint=f"a line is {FORM}")
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
