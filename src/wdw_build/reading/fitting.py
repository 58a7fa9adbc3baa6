"""One training of one system and its answers, in one thread, with checked scores; and cross-fitting.

Cross-fitted, every problem is answered by a system that was trained on other events (Chernozhukov et al. 2018): the problems
of fold k by one that was trained on the other folds, of which fold k + 1 decides when training stops. Every event is in one fold.
The predictions of each fold are kept in ``store/cross-fits``, so that a killed command continues with the next fold and the same
system is not trained twice on the same problems.
"""

from __future__ import annotations

import math
import multiprocessing
import traceback
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from wdw_build.core.engine.worker_process import end_with_parent, environment_kept, limit_threads
from wdw_build.core.hashing import digest, uniform_hash
from wdw_build.core.progress import Progress, printable
from wdw_build.core.section import Section
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.output import final_folder
from wdw_build.errors import StageError, WdwError
from wdw_build.reading import (
    LabelledProblem,
    LabelledProblems,
    Prediction,
    ReadingProblem,
    System,
    SystemEntry,
    TrainingContext,
)
from wdw_build.reading.problems import ProblemSubset
from wdw_build.text.passages.connections import EventEvidence, events

# A person in more than this share of the problems (but in at least four of them) is in the news every day, and says nothing
# about the event. Without this rule four fifths of the problems of an election year are one event.
_COMMON_SHARE, _COMMON_COUNT = 0.1, 3
_DAYS = 1


@contextmanager
def one_thread(name: str, hint: str) -> Iterator[None]:
    """Let numeric libraries use one thread, so that sums do not vary.

    An unexpected exception of the system ``name`` becomes a ``StageError`` with ``hint`` that names the place in the code.
    """
    from threadpoolctl import threadpool_limits

    with environment_kept(), threadpool_limits(1):
        # The variables reach libraries that load later, the limits those that are loaded.
        limit_threads()
        try:
            yield
        except WdwError:
            raise
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            raise StageError(
                f"system {name} stopped: {type(error).__name__}: {printable(str(error))} "
                f"({Path(frame.filename).name}:{frame.lineno})",
                hint=hint,
            ) from error


def fitted(
    entry: SystemEntry,
    settings: Section,
    training: LabelledProblems,
    validation: LabelledProblems,
    workspace: TrainingContext,
) -> System:
    """A new system after its training; a system that learns nothing gets no problems."""
    system = entry.make(settings)
    if entry.trained:
        system.fit(training, validation, workspace)
    else:
        system.fit((), (), workspace)
    return system


def checked_answers(
    name: str, system: System, problems: LabelledProblems, label: str, workspace: TrainingContext
) -> Iterator[tuple[LabelledProblem, Prediction]]:
    """Each problem with the prediction of the system ``name``. ``label``: the title of the progress bar.

    Raises ``StageError`` unless there is a prediction for each problem, with a finite score for each of its choices.
    """
    defect = "this is a defect of the system; nothing was stored"
    waiting: deque[LabelledProblem] = deque()

    def read() -> Iterator[ReadingProblem]:
        """What the system may see; the answers wait for its predictions."""
        for labelled in problems:
            waiting.append(labelled)
            yield labelled.problem

    with workspace.progress.bar(label, len(problems), "problems") as bar:
        for prediction in system.choose(read()):
            labelled = waiting.popleft()
            scores, choices = prediction.scores, labelled.problem.choices
            # A prediction without scores is no answer.
            if len(scores) not in (0, len(choices)) or not all(map(math.isfinite, scores)):
                raise StageError(
                    f"system {name} gave {len(scores)} scores, not a finite number for each of the "
                    f"{len(choices)} choices of {printable(labelled.id)!r}",
                    hint=defect,
                )
            yield labelled, prediction
            bar.advance()
    if waiting:
        raise StageError(f"system {name} left {len(waiting)} problems without a prediction", hint=defect)


FOLDER = "cross-fits"
# The name of the file with the predictions for problems outside of all folds.
_OTHERS = "others"

# Problem -> fold; None: the problem is in no fold, and a system that was trained on all folds answers it.
Folds = Mapping[str, int | None]


class _Line(msgspec.Struct, frozen=True):
    id: str
    scores: tuple[float, ...]
    spans: tuple[str, ...] | None = None


def problem_events(problems: Iterable[EventEvidence]) -> dict[str, str]:
    """Maps each problem to its event (see ``text.passages.connections``), judged without the most common persons."""
    known = list(problems)
    counts = Counter(person for problem in known for person in problem.persons)
    limit = max(_COMMON_COUNT, _COMMON_SHARE * len(known))
    common = {person for person, count in counts.items() if count > limit}
    rare = (tuple(person for person in problem.persons if person not in common) for problem in known)
    return events((problem._replace(persons=persons) for problem, persons in zip(known, rare, strict=True)), _DAYS)


def event_folds(events_of: Mapping[str, str], count: int, seed: int) -> dict[str, int]:
    """Maps each problem to one of ``count`` folds. Each event, the largest first, goes to the fold that is smallest then.

    Equal events are taken in an order drawn from ``seed``, and so is the first of equally small folds.
    """
    members: defaultdict[str, list[str]] = defaultdict(list)
    for problem, event in events_of.items():
        members[event].append(problem)
    draws = {event: uniform_hash(seed, "folds", event) for event in members}
    sizes = [0] * count
    folds: dict[str, int] = {}
    for event in sorted(members, key=lambda event: (-len(members[event]), draws[event], event)):
        smallest = [fold for fold in range(count) if sizes[fold] == min(sizes)]
        fold = smallest[int(draws[event] * len(smallest))]
        sizes[fold] += len(members[event])
        folds.update(dict.fromkeys(members[event], fold))
    return folds


@dataclass(frozen=True)
class CrossFit:
    """One system, to be cross-fitted. ``root`` is the folder that holds ``store``; ``workspace.seed`` is the seed.

    ``training``: the ids of the problems that a system may be trained on; None: all that are in a fold. ``processes``: the number
    of folds that are trained at a time, each in a process that is forked from this one; a system that uses the device is
    trained in this process.
    """

    entry: SystemEntry
    settings: Section
    root: Path
    workspace: TrainingContext
    training: frozenset[str] | None = None
    processes: int = 1

    def predictions(self, problems: LabelledProblems, content: str, folds: Folds) -> dict[str, Prediction]:
        """The prediction for every problem, by id.

        ``content`` is a hash of the problems, ``folds`` has an entry for each of them. Raises ``StageError`` if the system
        fails, ``MissingResourceError`` if it lacks a part.
        """
        key, hint = self._key(content, folds), "finished folds are kept; leave the system out, or report its defect"
        folder = final_folder(self.root, FOLDER, key)
        folder.mkdir(parents=True, exist_ok=True)
        decoder = msgspec.json.Decoder(_Line)
        answered: dict[str, Prediction] = {}
        paths = {fold: folder / f"{_OTHERS if fold is None else fold}.jsonl" for fold in self._parts(folds)}
        with one_thread(self.entry.name, hint):
            missing = {fold: path for fold, path in paths.items() if not path.exists()}
            processes = 1 if self.entry.uses_device else min(self.processes, len(missing))
            if processes > 1:
                self._answer_forked(problems, folds, missing, processes)
            else:
                for fold, path in missing.items():
                    self._answer(problems, folds, fold, path)
            for path in paths.values():
                with path.open("rb") as stream:
                    answered |= {line.id: Prediction(line.scores, line.spans) for line in map(decoder.decode, stream)}
        return answered

    def _answer_forked(
        self, problems: LabelledProblems, folds: Folds, paths: Mapping[int | None, Path], processes: int
    ) -> None:
        """Answer several folds at a time. Raises the first error of a fold; the folds that are finished are kept."""
        quiet = replace(self, workspace=replace(self.workspace, progress=Progress("quiet")))

        def answer(fold: int | None) -> None:
            quiet._answer(problems, folds, fold, paths[fold])

        pool = ProcessPoolExecutor(processes, multiprocessing.get_context("fork"), _begin_fork, (answer,))
        with pool, self.workspace.progress.bar(self.entry.name, len(paths), "folds") as bar:
            for finished in as_completed([pool.submit(_answer_fold, fold) for fold in paths]):
                finished.result()
                bar.advance()

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
            "settings": self.entry.deciding(self.settings),
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
        system = self._fitted(problems, folds, fold)
        wanted = folds if not self.entry.trained else [name for name in folds if folds[name] == fold]
        answers = checked_answers(
            self.entry.name, system, ProblemSubset(problems, frozenset(wanted)), self.entry.name, self.workspace
        )
        lines = (_Line(labelled.id, prediction.scores, prediction.spans) for labelled, prediction in answers)
        replace_file(path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))

    def _fitted(self, problems: LabelledProblems, folds: Folds, fold: int | None) -> System:
        """A system that was trained on all folds but ``fold`` and the next one, which decides when training stops."""
        count = 1 + max((number for number in folds.values() if number is not None), default=0)
        stop = (fold + 1) % count if fold is not None else 0
        usable = [
            name for name in folds if folds[name] is not None and (self.training is None or name in self.training)
        ]
        train = ProblemSubset(problems, frozenset(name for name in usable if folds[name] not in (fold, stop)))
        validation = ProblemSubset(problems, frozenset(name for name in usable if folds[name] == stop))
        return fitted(self.entry, self.settings, train, validation, self.workspace)


# What a forked process calls for each fold. It is inherited, because a system's functions cannot be pickled.
_answer_of: Callable[[int | None], None]


def _begin_fork(answer: Callable[[int | None], None]) -> None:
    """Take over what to call; end with the parent, which may be killed."""
    global _answer_of
    _answer_of = answer
    end_with_parent()


def _answer_fold(fold: int | None) -> None:
    _answer_of(fold)
