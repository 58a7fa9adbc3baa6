"""The problems and training alternatives of pooled runs as systems read them, in files below the first run's folder."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec

from wdw_bench.conditions import without_passage
from wdw_build.api import (
    ALTERNATIVE,
    SENTENCE_SPLITTER,
    TRAIN,
    Backends,
    Config,
    Progress,
    Run,
    UsageError,
    digest,
    file_sha256,
    jsonl,
    renamed,
    replace_file,
    training_alternatives,
)
from wdw_build.reading import LabelledProblem
from wdw_build.reading.problems import ProblemFile, open_problems, reading_problem, write_problems
from wdw_build.reading.settings import Condition, has_passage, replaces_names
from wdw_build.records import BaselinePredictions, Problem, Pseudonyms, SplitAssignment

FOLDER = "bench"
PSEUDONYMS = "pseudonyms"
# Enters the data, so that a change of what systems read makes new files.
_PROBLEMS_VERSION = 4


def content_of(run: Run) -> str:
    """Hash of a run's problems, splits and baseline predictions."""
    tables = (run.distinct_problems, run.assignments, run.predictions, run.tables["baselines"])
    return digest([table.manifest.content_hash for table in tables])


def pseudonyms_of(run: Run) -> str:
    """Hash of a run's pseudonyms; empty without them."""
    return run.pseudonyms.manifest.content_hash if run.pseudonyms.exists else ""


@dataclass(frozen=True)
class ProblemSet:
    """The problems of pooled runs. ``renamable``: those whose names can be replaced are left out, whatever the condition."""

    config: Config
    runs: Sequence[Run]
    progress: Progress
    renamable: bool
    _files: dict[Condition, ProblemFile] = field(default_factory=dict, init=False)

    @cached_property
    def left_out(self) -> int:
        """The number of problems whose names cannot be replaced."""
        return sum(len(run.distinct_problems) - len(run.pseudonyms) for run in self.runs) if self.renamable else 0

    @cached_property
    def data(self) -> str:
        """Fingerprint of the problems."""
        names = {run.name: pseudonyms_of(run) if self.renamable else "" for run in self.runs}
        return digest({run.name: (content_of(run), names[run.name]) for run in self.runs})[:12]

    @property
    def folder(self) -> Path:
        """The folder of problems and predictions."""
        return self.runs[0].folder / FOLDER / self.data

    def read(self, condition: Condition) -> ProblemFile:
        """What systems read under a condition.

        Raises ``UsageError`` if two runs have a problem of the same id, or if a run has no pseudonyms to replace names with.
        """
        if condition not in self._files:
            replaced = [pseudonyms_of(run) for run in self.runs] if replaces_names(condition) else []
            path = self.file("problems", condition, _PROBLEMS_VERSION, replaced)
            if path.exists():
                self._files[condition] = open_problems(path)
            else:
                self._files[condition] = write_problems(path, self._problems(condition))
        return self._files[condition]

    def content(self, condition: Condition) -> str:
        """Hash of what systems read under a condition, and of answers and splits."""
        return file_sha256(self.read(condition).path)[:16]

    def file(self, kind: str, condition: Condition, version: int, *content: object) -> Path:
        """The file of what systems read under a condition. Its name has a hash of all that decides it, except the problems."""
        listed = 0 if has_passage(condition) else self.config.seed
        key = digest([version, Backends(self.config).identity(SENTENCE_SPLITTER), *content, listed])[:8]
        return self.folder / f"{kind}-{condition}-{key}.jsonl"

    def under(self, condition: Condition, labelled: LabelledProblem) -> LabelledProblem:
        """The problem with its passage or, if the condition shows none, with a list of the choices in its place."""
        return labelled if has_passage(condition) else without_passage(labelled, self.config.seed)

    def _problems(self, condition: Condition) -> Iterator[LabelledProblem]:
        if lacking := [run.name for run in self.runs if self.renamable and not run.pseudonyms.exists]:
            raise UsageError(
                f"run {lacking[0]!r} has no output of {PSEUDONYMS}, which conditions that replace names need",
                hint=f"wdw-build run {PSEUDONYMS} -c FILE",
            )
        total, known = sum(len(run.distinct_problems) for run in self.runs), set[str]()
        with self.progress.bar(f"problems {condition}", total, "problems") as bar:
            for run in self.runs:
                for problem in run.distinct_problems:
                    pseudonyms = run.pseudonyms.find(problem.id) if self.renamable else None
                    if pseudonyms is not None or not self.renamable:
                        if problem.id in known:
                            raise UsageError(
                                f"two of the pooled runs have a problem {problem.id!r}",
                                hint="pool runs of different corpora, each once",
                            )
                        known.add(problem.id)
                        yield self._shown(run, problem, pseudonyms, condition)
                    bar.advance()

    def _shown(
        self, run: Run, problem: Problem, pseudonyms: Pseudonyms | None, condition: Condition
    ) -> LabelledProblem:
        """One problem with names and passage of the condition, with its split, and with the guesses of the baselines."""
        shown = renamed(problem, pseudonyms) if pseudonyms is not None and replaces_names(condition) else problem
        splitter = Backends(self.config).get(SENTENCE_SPLITTER)
        assignment = run.assignments.find(problem.id)
        labelled = LabelledProblem(
            id=problem.id,
            problem=reading_problem(shown, splitter.sentences(shown.passage.text)),
            answer=shown.answer,
            split=assignment.split if isinstance(assignment, SplitAssignment) else "",
            level=assignment.level if isinstance(assignment, SplitAssignment) else "suppressed",
            guesses=_guesses(run, problem),
        )
        return self.under(condition, labelled)


def _guesses(run: Run, problem: Problem) -> dict[str, int]:
    """What baselines and adversaries chose. A problem that the filter dropped has the choices of the baselines alone."""
    predicted = run.predictions.find(problem.id) or run.tables["baselines"].find(problem.id)
    assert isinstance(predicted, BaselinePredictions)  # noqa: S101 (narrows the type that both stages declare)
    return predicted.of(problem.alternative).guesses


# ---- training alternatives -------------------------------------------------------------------------------------------

# Enters the name of the file, so that a change of what is selected or read makes new files.
_ALTERNATIVES_VERSION = 1
# Passages whose sentences are in memory: articles of the same days share passages.
_KEPT_PASSAGES = 1024


class Alternatives(msgspec.Struct, frozen=True, kw_only=True):
    """The training alternatives under one condition, stored beside their file."""

    file: str
    """Name of the file."""
    content: str
    """Hash of the file."""
    problems: int
    """Number of training alternatives."""
    left_out: dict[str, int]
    """Reason -> number of alternatives that its test left out."""


def read_alternatives(problems: ProblemSet, condition: Condition) -> Alternatives:
    """The training alternatives that systems train on under a condition with the original names; writes their file once."""
    tables = [(run.articles, run.alternatives, run.decisions) for run in problems.runs]
    content = [[table.manifest.content_hash for table in of_run] for of_run in tables]
    split = [run.assignments.manifest.fingerprint for run in problems.runs]
    path = problems.file("alternatives", condition, _ALTERNATIVES_VERSION, content, split)
    described = path.with_suffix(".json")
    known = jsonl.read_document(described, Alternatives)
    if known is None or not path.exists():
        known = _write(problems, condition, path)
        replace_file(described, jsonl.document(known))
    return known


def _write(problems: ProblemSet, condition: Condition, path: Path) -> Alternatives:
    splitter = Backends(problems.config).get(SENTENCE_SPLITTER)
    sentences = functools.lru_cache(_KEPT_PASSAGES)(splitter.sentences)
    left_out: Counter[str] = Counter()

    def as_read() -> Iterator[LabelledProblem]:
        for alternatives in training_alternatives(problems.runs, splitter.sentences, problems.progress):
            for problem in alternatives:
                labelled = LabelledProblem(
                    id=problem.id,
                    problem=reading_problem(problem, sentences(problem.passage.text)),
                    answer=problem.answer,
                    split=TRAIN,
                    level=ALTERNATIVE,
                    guesses={},
                )
                yield problems.under(condition, labelled)
            left_out.update(alternatives.left_out)

    count = len(write_problems(path, as_read()))
    return Alternatives(file=path.name, content=file_sha256(path)[:16], problems=count, left_out=dict(left_out))
