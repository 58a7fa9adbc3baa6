"""The problems of each run under each reading condition, and what all trainings of a ``bench`` share.

What systems read, suppressed problems included, is stored like a stage's output, so that all read the same records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import msgspec
from msgspec import Meta

from wdw_build.bench.populations import PooledProblems
from wdw_build.bench.results import MADE_FROM, PSEUDONYMS, data_of, pseudonyms_of
from wdw_build.core.config.bench_settings import BenchConfig, Condition
from wdw_build.core.config.section import Section
from wdw_build.core.config.settings import Config
from wdw_build.core.engine.local import LocalEngine
from wdw_build.core.hashing import derived_seed
from wdw_build.core.progress import Progress
from wdw_build.core.rule import Rule
from wdw_build.core.run.runner import Runner
from wdw_build.core.stage import Context, Stage
from wdw_build.core.store.manifest import Ingredients, read_manifest
from wdw_build.core.store.output import Output, final_folder, link
from wdw_build.core.tasks.job import Job
from wdw_build.dataset import Run
from wdw_build.errors import UsageError
from wdw_build.ports import SENTENCE_SPLITTER
from wdw_build.reading import Group, LabelledProblem, ReadingProblem, SystemEntry, TrainingContext
from wdw_build.reading.conditions import CONDITIONS, PASSAGE, has_passage, names_of, replace_names, without_passage
from wdw_build.reading.problems import reading_problem
from wdw_build.records import BaselinePredictions, Problem, Pseudonyms, Record, Rejection, SplitAssignment
from wdw_build.registry import Backends, system_entry, system_names, system_settings, workspace
from wdw_build.stages import adversary, baselines, split
from wdw_build.text.pseudonyms.apply import renamed


class ReadingConfig(Section, frozen=True):
    """What systems read."""

    condition: Annotated[Condition, Meta(description="See `bench.conditions`.")] = PASSAGE
    renamable: Annotated[
        bool, Meta(description="Leave out the problems whose names cannot be replaced, whatever the condition.")
    ] = False


def read_problems(inputs: Iterator[Problem], config: ReadingConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the labelled problem of every problem after deduplication."""
    for problem in inputs:
        pseudonyms = context.inputs[PSEUDONYMS].find(problem.id) if config.renamable else None
        if config.renamable and not isinstance(pseudonyms, Pseudonyms):
            yield Rejection(id=problem.id, reason="names-not-replaced")
            continue
        shown = (
            renamed(problem, pseudonyms, names_of(config.condition)) if isinstance(pseudonyms, Pseudonyms) else problem
        )
        labelled = _labelled(shown, context)
        yield labelled if has_passage(config.condition) else without_passage(labelled, context.seed)


def _labelled(problem: Problem, context: Context) -> LabelledProblem:
    assignment = context.inputs[split.STAGE.name].find(problem.id)
    return LabelledProblem(
        id=problem.id,
        problem=reading_problem(problem, context.port(SENTENCE_SPLITTER).sentences(problem.passage.text)),
        answer=problem.answer,
        split=assignment.split if isinstance(assignment, SplitAssignment) else "",
        level=assignment.level if isinstance(assignment, SplitAssignment) else "suppressed",
        guesses=_guesses(problem, context),
    )


def _guesses(problem: Problem, context: Context) -> dict[str, int]:
    """What baselines and adversaries chose. A problem that the filter dropped has the choices of the baselines alone."""
    predicted = context.inputs[adversary.STAGE.name].find(problem.id) or context.find(baselines.STAGE.name, problem.id)
    assert isinstance(predicted, BaselinePredictions)  # noqa: S101 (narrows the type that both stages declare)
    return predicted.of(problem.alternative).guesses


PROBLEMS = Stage(
    name="bench-problems",
    version=2,
    reads=MADE_FROM,
    writes=LabelledProblem,
    config=ReadingConfig,
    run=read_problems,
    ports=(SENTENCE_SPLITTER,),
    reasons={
        "names-not-replaced": Rule("pseudonyms rejected the problem, and a condition of the bench replaces names")
    },
    unit="problems",
    summary="Cut the problems into what reading-comprehension systems read.",
)


ALL, BUT = "all", "all but "
# Systems with random training, which take long; the other groups are those of the table.
NEURAL = "neural"


def wanted_systems(items: Sequence[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The names of the wanted systems, and those of them that an item names itself, in place of its group.

    An item is a system, or a group: ``all``, ``probes``, ``table 4``, ``today`` or ``neural``. After ``all but``, the items are
    those to omit. Raises ``ConfigError`` for an unknown name.
    """
    if items and items[0].startswith(BUT):
        omitted = set(_expanded((items[0].removeprefix(BUT), *items[1:])))
        return tuple(name for name in system_names() if name not in omitted), frozenset()
    return tuple(dict.fromkeys(_expanded(items or (ALL,)))), frozenset(items) & frozenset(system_names())


def _expanded(items: Iterable[str]) -> Iterable[str]:
    for item in items:
        members = () if item in system_names() else _group_members(item)
        yield from members or (item,)


def _group_members(group: str) -> tuple[str, ...]:
    """The systems of a group; empty for an unknown group."""
    if group == ALL:
        return system_names()
    if group != NEURAL and group.removesuffix("s") not in get_args(Group):
        return ()
    entries = {name: system_entry(name) for name in system_names()}
    return tuple(
        name
        for name, entry in entries.items()
        if group.removesuffix("s") == entry.group or (group == NEURAL and entry.seeded)
    )


# Settings that are files or folders.
_PATHS = ("model", "vectors", "encoder")
# A dataclass with a field ``workspace``.
J = TypeVar("J", bound=Any)
T = TypeVar("T")


@dataclass(frozen=True)
class Bench:
    """One call of ``bench``: its configuration, runs, systems and workers."""

    config: Config
    runs: Sequence[Run]
    progress: Progress
    engine: LocalEngine
    share: int = 1
    """Systems are trained on one training problem in so many; above 1 only systems that are trained are measured."""

    @property
    def settings(self) -> BenchConfig:
        """The section ``bench``."""
        return self.config.bench

    @property
    def is_cross_fitted(self) -> bool:
        """Whether every problem is evaluated, by systems that were trained on other events."""
        return self.settings.evaluation == "cross-fitted"

    @property
    def has_main_table(self) -> bool:
        """Whether this call makes the table of validation and test."""
        return PASSAGE in self.conditions and not self.is_cross_fitted

    @property
    def has_condition_table(self) -> bool:
        """Whether this call makes the table of reading conditions."""
        return self.is_cross_fitted or self.conditions != (PASSAGE,)

    @property
    def root(self) -> Path:
        """The folder that holds the store of trained systems."""
        return Path(self.config.output_dir)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The reading conditions, each once, in the order of the tables."""
        return tuple(condition for condition in CONDITIONS if condition in self.settings.conditions)

    @cached_property
    def entries(self) -> dict[str, SystemEntry]:
        """The descriptor of each system. Raises ``ConfigError`` for an unknown system.

        Of groups, systems are left out that need a model which is not configured; the log names them.
        """
        names, named = wanted_systems(self.settings.systems)
        entries = {name: system_entry(name) for name in names}
        missing = [
            name
            for name, entry in entries.items()
            if name not in named and not entry.configured(system_settings(name, self.settings))
        ]
        if missing:
            self.progress.say(f"left out, because no model is set in bench.settings: {', '.join(missing)}")
        wanted = {name: entry for name, entry in entries.items() if name not in missing}
        return {name: entry for name, entry in wanted.items() if entry.trained or self.share == 1}

    @cached_property
    def system_settings(self) -> dict[str, Section]:
        """The settings of each system. Raises ``ConfigError`` for an unknown key or a wrong value."""
        return {name: system_settings(name, self.settings) for name in self.entries}

    @cached_property
    def workspace(self) -> TrainingContext:
        """What every training may use; ``folder`` and ``seed`` are set later."""
        from wdw_build.adapters.devices import CPU, pick

        # Torch is asked for a GPU only if a system may use one.
        uses_device = any(entry.uses_device for entry in self.entries.values())
        return replace(workspace(self.config), device=pick(self.config.execution.device) if uses_device else CPU)

    def workspaces(self, name: str) -> list[TrainingContext]:
        """A workspace for each training of a system; systems with random training are trained with several seeds."""
        numbers = range(self.settings.seeds if self.entries[name].seeded else 1)
        return [replace(self.workspace, seed=derived_seed(self.config.seed, "bench", number)) for number in numbers]

    def setting(self, name: str) -> str:
        """What differs from the defaults of a system, as in ``hidden=64, train=relaxed``; empty if nothing does."""
        settings, entry = self.system_settings[name], self.entries[name]
        defaults = entry.deciding(type(settings)())
        changed = {key: value for key, value in entry.deciding(settings).items() if value != defaults[key]}
        if entry.trained and self.settings.train != "strict":
            changed["train"] = self.settings.train
        if self.share > 1:
            changed["training"] = f"1/{self.share}"
        backends = entry.backends(settings, self.workspace)
        for key, backend in (("vectors", "vectors"), ("vectors", "word vectors"), ("encoder", "encoder")):
            if backend in backends and getattr(self.settings, key):
                changed[key] = getattr(self.settings, key)
        # Paths of this machine are in no published table.
        shown = {key: Path(value).name if key in _PATHS else value for key, value in changed.items()}
        return ", ".join(f"{key}={value}" for key, value in shown.items())

    def described(self, name: str) -> dict[str, Any]:
        """The fields of a system's row that say what it is. Its name has the setting in brackets, unless it is the default."""
        entry, setting = self.entries[name], self.setting(name)
        shown = f"{name} [{setting}]" if setting else name
        texts = {"title": entry.title, "source": entry.source, "group": entry.group}
        return {"name": shown, "system": name, "setting": setting, **texts}

    @property
    def pseudonyms(self) -> dict[str, str]:
        """Run -> hash of its pseudonyms; empty if no condition replaces names."""
        return {run.name: pseudonyms_of(run) for run in self.runs} if replace_names(self.conditions) else {}

    def left_out(self, pooled: PooledProblems) -> int:
        """The number of problems whose names cannot be replaced, which are omitted under all conditions."""
        read = sum(output.manifest.written for output in pooled.outputs)
        return sum(len(run.distinct_problems) for run in self.runs) - read

    def data(self, pooled: PooledProblems) -> str:
        """Fingerprint of the problems of the runs."""
        return data_of(self.runs, self.left_out(pooled))

    def problems(self, condition: Condition) -> PooledProblems:
        """The problems of all runs as systems read them."""
        return PooledProblems(tuple(self._prepared(run, condition) for run in self.runs))

    def _prepared(self, run: Run, condition: Condition) -> Output:
        """The problems of a run under one condition, stored in the run's own store."""
        stage = PROBLEMS
        section = ReadingConfig(condition=condition, renamable=replace_names(self.conditions))
        if section.renamable:
            stage = replace(stage, reads=(*stage.reads, PSEUDONYMS))
            if PSEUDONYMS not in run.outputs:
                raise UsageError(
                    f"run {run.name!r} has no output of {PSEUDONYMS}, which {names_of(condition)} names need",
                    hint=f"wdw-build run {PSEUDONYMS} -c FILE",
                )
        inputs = {name: run.outputs[name] for name in stage.reads}
        backends = Backends(self.config)
        ingredients = Ingredients(
            stage=stage.name,
            version=stage.version,
            config=msgspec.to_builtins(section),
            seed=0 if has_passage(condition) else self.config.seed,
            inputs={name: output.manifest.content_hash for name, output in inputs.items()},
            backends={port: backends.identity(port) for port in stage.ports},
        )
        root = run.folder.parent.parent
        folder = final_folder(root, stage.name, ingredients.fingerprint)
        if read_manifest(folder) is not None:
            link(root, run.name, stage.name, folder)
            return Output(folder, LabelledProblem)
        job = Job(stage=stage, section=section, ingredients=ingredients, inputs=inputs, ports=backends)
        return Runner(root, run.name, self.config.execution, self.progress, self.engine).make(job)

    def announce(self, name: str, problems: Iterable[ReadingProblem]) -> None:
        """Say what answering some problems costs, if the system can tell."""
        entry = self.entries[name]
        if entry.estimate is not None:
            self.progress.say(entry.estimate(self.system_settings[name], self.workspace, problems))

    def run_all(self, function: Callable[[J], T], jobs: Sequence[J], known: int = 0) -> Iterator[T]:
        """What ``function`` returns for each job, in order. ``known``: the number of jobs that did not have to run.

        With one worker, each system shows its own progress bar.
        """
        if self.engine.workers == 1:
            jobs = [replace(job, workspace=replace(job.workspace, progress=self.progress)) for job in jobs]
        with self.progress.bar("bench", known + len(jobs), "systems", known) as bar:
            for result in self.engine.map(function, jobs):
                yield result
                bar.advance()
