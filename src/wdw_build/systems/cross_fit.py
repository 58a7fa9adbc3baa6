"""Cross-fitting: every problem is answered by a system that was trained on other events (Chernozhukov et al. 2018).

The problems of fold k are answered by a system that was trained on the other folds, of which fold k + 1 decides when
training stops. The predictions of each fold are kept in ``store/cross-fits``, so that a killed command goes on with the
next fold and the same system is not trained twice on the same problems.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from wdw_build.core.config.section import Section
from wdw_build.core.engine.worker_process import limit_threads
from wdw_build.core.hashing import digest
from wdw_build.core.store.output import final_folder, locked
from wdw_build.errors import WdwError
from wdw_build.reading import LabelledProblem, LabelledProblems, Prediction, System, SystemEntry, Workspace
from wdw_build.systems.defects import check_scores, stopped

FOLDER = "cross-fits"
# The name of the file with the predictions for problems outside of all folds.
_OTHERS = "others"

# Problem -> fold; None: the problem is in no fold, and a system that was trained on all folds answers it.
Folds = Mapping[str, int | None]


class _Line(msgspec.Struct, frozen=True):
    id: str
    scores: tuple[float, ...]
    spans: tuple[str, ...] | None = None


@dataclass(frozen=True)
class _Selected:
    """The problems of some folds, read anew in every pass; with ``among``, only those with these ids."""

    problems: LabelledProblems
    folds: Folds
    wanted: frozenset[int | None]
    among: frozenset[str] | None = None

    def __iter__(self) -> Iterator[LabelledProblem]:
        return (problem for problem in self.problems if self._is_selected(problem.id))

    def __len__(self) -> int:
        return sum(map(self._is_selected, self.folds))

    def _is_selected(self, problem: str) -> bool:
        return self.folds[problem] in self.wanted and (self.among is None or problem in self.among)


@dataclass(frozen=True)
class CrossFit:
    """One system, to be cross-fitted. ``root`` is the folder that holds ``store``; ``workspace.seed`` is the seed.

    ``training``: the ids of the problems that a system may be trained on; None: all that are in a fold.
    """

    entry: SystemEntry
    settings: Section
    root: Path
    workspace: Workspace
    training: frozenset[str] | None = None

    def predictions(self, problems: LabelledProblems, content: str, folds: Folds) -> dict[str, Prediction]:
        """The prediction for every problem, by id.

        ``content`` is a hash of the problems, ``folds`` has an entry for each of them. Raises ``StageError`` if the system
        fails, ``MissingResourceError`` if it lacks a part, ``UsageError`` if another process trains it on the same problems.
        """
        from threadpoolctl import threadpool_limits

        limit_threads()
        key = self._key(content, folds)
        folder = final_folder(self.root, FOLDER, key)
        folder.mkdir(parents=True, exist_ok=True)
        answered: dict[str, Prediction] = {}
        with locked(self.root, FOLDER, key), threadpool_limits(1):
            for fold in self._parts(folds):
                path = folder / f"{_OTHERS if fold is None else fold}.jsonl"
                if not path.exists():
                    self._answer(problems, folds, fold, path)
                answered.update(_read(path))
        return answered

    def _parts(self, folds: Folds) -> list[int | None]:
        """The folds to answer, in order; a system that learns nothing answers all problems at once."""
        if not self.entry.trained:
            return [None]
        numbers = sorted({fold for fold in folds.values() if fold is not None})
        return [*numbers, None] if None in folds.values() else [*numbers]

    def _key(self, content: str, folds: Folds) -> str:
        described = {
            "system": self.entry.name,
            "version": self.entry.version,
            "settings": msgspec.to_builtins(self.settings),
            "backends": self.entry.backends(self.settings, self.workspace),
            "seed": self.workspace.seed if self.entry.seeded else 0,
            "device": self.workspace.device if self.entry.uses_device else "",
            "problems": content,
            "folds": sorted(folds.items()) if self.entry.trained else [],
        }
        if self.training is not None and self.entry.trained:
            described["training"] = sorted(self.training)
        return digest(described)[:16]

    def _answer(self, problems: LabelledProblems, folds: Folds, fold: int | None, path: Path) -> None:
        """Train on the other folds, answer this one, and write the answers by one rename."""
        training = path.with_suffix(".training")
        training.mkdir(exist_ok=True)
        try:
            system = self._fitted(problems, folds, fold, training)
            wanted = frozenset({fold}) if self.entry.trained else frozenset(folds.values())
            lines = self._lines(system, _Selected(problems, folds, wanted))
            unfinished = path.with_suffix(".unfinished")
            unfinished.write_bytes(b"".join(lines))
        except WdwError:
            raise
        except Exception as error:
            hint = "finished folds are kept; leave the system out, or report this defect of the system"
            raise stopped(self.entry.name, error, hint) from error
        unfinished.replace(path)
        shutil.rmtree(training)

    def _fitted(self, problems: LabelledProblems, folds: Folds, fold: int | None, folder: Path) -> System:
        system = self.entry.make(self.settings)
        if self.entry.trained:
            count = 1 + max(number for number in folds.values() if number is not None)
            stop = (fold + 1) % count if fold is not None else 0
            train = frozenset(range(count)) - {fold, stop}
            workspace = replace(self.workspace, folder=folder)
            system.fit(
                _Selected(problems, folds, frozenset(train), self.training),
                _Selected(problems, folds, frozenset({stop}), self.training),
                workspace,
            )
        else:
            system.fit((), (), self.workspace)
        return system

    def _lines(self, system: System, problems: _Selected) -> Iterator[bytes]:
        with self.workspace.progress.bar(self.entry.name, len(problems), "problems") as bar:
            answers = system.choose(labelled.problem for labelled in problems)
            for labelled, prediction in zip(problems, answers, strict=True):
                check_scores(self.entry.name, labelled, prediction.scores)
                yield msgspec.json.encode(_Line(labelled.id, prediction.scores, prediction.spans)) + b"\n"
                bar.advance()


def _read(path: Path) -> dict[str, Prediction]:
    decoder = msgspec.json.Decoder(_Line)
    with path.open("rb") as stream:
        return {line.id: Prediction(line.scores, line.spans) for line in map(decoder.decode, stream)}
