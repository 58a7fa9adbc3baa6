"""The stages in order: plans what would run and why, runs stages, and runs one record alone."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.config.file import as_yaml
from wdw_build.config.plugins import plugin_stages
from wdw_build.config.settings import Config
from wdw_build.core.engine.protocol import GPU, MODELS
from wdw_build.core.engine.workers import workers_of
from wdw_build.core.progress import Progress
from wdw_build.core.run.runner import Runner, run_alone
from wdw_build.core.stage import Port, PortSource, Stage, on_demand
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.causes import Cause, in_words
from wdw_build.core.store.manifest import Ingredients, damage, is_linked, link_causes, plain_settings, read_manifest
from wdw_build.core.store.output import Output, final_folder, link
from wdw_build.core.tasks.accounting import input_id
from wdw_build.core.tasks.job import Job
from wdw_build.core.tasks.stage_tasks import RunStatus, read_status
from wdw_build.errors import ConfigError, UsageError, meant
from wdw_build.ports import OnDevice, Preloaded
from wdw_build.records import Names, Record, Rejection
from wdw_build.registry import Backends, engine
from wdw_build.stages import (
    adversary,
    baselines,
    choices,
    dedup,
    export,
    index,
    ingest,
    names,
    problems,
    pseudonyms,
    questions,
    retrieve,
    sentences,
    split,
    suppress,
)

BUILT_IN: tuple[Stage, ...] = tuple(
    module.STAGE
    for module in (
        ingest,
        index,
        sentences,
        names,
        questions,
        retrieve,
        choices,
        dedup,
        baselines,
        adversary,
        suppress,
        problems,
        pseudonyms,
        split,
        export,
    )
)


def chain(built_in: Sequence[Stage], plugins: Sequence[Stage]) -> tuple[Stage, ...]:
    """The stages in order, each plug-in directly after the last stage that it reads.

    The stages after a plug-in that replaces an input read the plug-in in its place. Raises ``ConfigError`` if a plug-in
    has the name of another stage, reads a stage that does not exist, or cannot replace the stage that it names.
    """
    stages, waiting = list(built_in), list(plugins)
    while waiting:
        names = [stage.name for stage in stages]
        ready = next((stage for stage in waiting if set(stage.reads) <= set(names)), None)
        if ready is None:
            missing = sorted({name for stage in waiting for name in stage.reads} - set(names))
            raise ConfigError(
                f"plug-in stage {waiting[0].name!r} reads {', '.join(missing)}, which does not exist",
                hint=f"stages: {', '.join(names)}",
            )
        waiting.remove(ready)
        if ready.name in names:
            raise ConfigError(f"two stages are called {ready.name!r}", hint="uninstall or rename the plug-in stage")
        place = 1 + max(map(names.index, ready.reads), default=-1)
        stages[place:] = [ready, *(_reading(stage, ready) for stage in stages[place:])]
        _check_replaced(ready, stages)
    return tuple(stages)


def _reading(stage: Stage, plugin: Stage) -> Stage:
    """The stage, with the plug-in as its input in place of the stage that the plug-in replaces."""
    if plugin.replaces not in stage.reads:
        return stage
    return replace(stage, reads=tuple(plugin.name if name == plugin.replaces else name for name in stage.reads))


def _check_replaced(plugin: Stage, stages: Sequence[Stage]) -> None:
    if not plugin.replaces:
        return
    replaced = next((stage for stage in stages if stage.name == plugin.replaces), None)
    if plugin.replaces != plugin.primary or replaced is None or replaced.writes is not plugin.writes:
        raise ConfigError(
            f"plug-in stage {plugin.name!r} cannot replace {plugin.replaces!r}",
            hint="it must read that stage first and write the same type of record",
        )


_ALL = "wdw-build all with the same options brings every stage up to date and writes the summary"

STAGES: tuple[Stage, ...] = chain(BUILT_IN, plugin_stages())
BY_NAME = {stage.name: stage for stage in STAGES}
ON_DEMAND = on_demand(STAGES)

# Percent of the time of a build, as measured on seven corpora; other stages take less than one. For the time that is left.
_SHARES = {
    "ingest": 6,
    "index": 7,
    "sentences": 22,
    "names": 2,
    "questions": 9,
    "retrieve": 17,
    "choices": 27,
    "baselines": 6,
    "adversary": 3,
}


def stage_named(name: str) -> Stage:
    """A stage by name. Raises ``UsageError``."""
    if name not in BY_NAME:
        raise UsageError(f"unknown stage {name!r}", hint=f"{meant(name, BY_NAME)}stages: {', '.join(BY_NAME)}")
    return BY_NAME[name]


@dataclass(frozen=True)
class PlannedStage:
    """The state of a stage: its ``output`` if it is up to date, or the causes of its run, and a run that has begun.

    ``link_causes`` are the differences between ``output`` and the output that the run links to.
    """

    stage: Stage
    ingredients: Ingredients | None
    output: Output | None
    causes: tuple[Cause, ...]
    begun: RunStatus | None = None
    link_causes: tuple[Cause, ...] = ()


class Pipeline:
    """The stages with one configuration and its store."""

    def __init__(self, config: Config, progress: Progress, ports: PortSource | None = None) -> None:
        self.config, self.progress = config, progress
        self.root = Path(config.output_dir)
        self.stages = tuple(stage.configured(config.section(stage.name)) for stage in STAGES)
        self.ports: PortSource = ports or Backends(config)

    def stage(self, name: str) -> Stage:
        """A stage by name, with the inputs that it needs with these settings. Raises ``UsageError``."""
        return stage_named(name).configured(self.config.section(name))

    @property
    def run_folder(self) -> Path:
        """``runs/<run>``."""
        return self.root / "runs" / self.config.run

    def output(self, name: str) -> Output:
        """The run's current output of a stage. Raises ``UsageError`` if it has none."""
        output = Output(self.run_folder / name, stage_named(name).writes)
        if read_manifest(output.folder) is None:
            raise UsageError(f"run {self.config.run!r} has no output of {name}", hint=f"wdw-build run {name} -c FILE")
        return output

    def _ingredients(self, stage: Stage, inputs: dict[str, Output]) -> Ingredients:
        return Ingredients(
            stage=stage.name,
            version=stage.version,
            config=plain_settings(self.config.section(stage.name)),
            seed=self.config.seed if stage.is_seeded else 0,
            inputs={name: output.manifest.content_hash for name, output in inputs.items()},
            backends={port: self.ports.identity(port) for port in stage.ports_for(self.config.section(stage.name))},
            shared={
                name: {key: value for key, value in plain_settings(self.config.section(name)).items() if key in keys}
                for name, keys in stage.shared_keys(self.config.section(stage.name)).items()
            },
        )

    def _step(self, stage: Stage, known: dict[str, Output]) -> PlannedStage:
        outdated = [name for name in stage.reads if name not in known]
        if outdated:
            waits = (Cause(kind="input-will-run", stage=stage.name, name=name) for name in outdated)
            return PlannedStage(stage, None, None, tuple(waits))
        ingredients = self._ingredients(stage, {name: known[name] for name in stage.reads})
        folder, linked = final_folder(self.root, stage.name, ingredients.fingerprint), self.run_folder / stage.name
        committed = read_manifest(folder)
        harm = damage(folder, committed) if committed is not None else ""
        if committed is not None and not harm:
            output = Output(folder, stage.writes)
            return PlannedStage(stage, ingredients, output, (), link_causes=link_causes(linked, ingredients))
        before = read_manifest(linked)
        was_made = before is not None or linked.is_symlink()
        causes = () if harm or before is None else tuple(ingredients.differences(before.ingredients))
        if harm:
            causes = (Cause(kind="output-damaged", stage=stage.name, name=harm),)
        elif not causes:
            causes = (Cause(kind="output-deleted" if was_made else "never-run", stage=stage.name),)
        begun = read_status(self.root, stage.name, ingredients.fingerprint)
        return PlannedStage(stage, ingredients, None, causes, begun)

    def plan(self, names: Sequence[str] | None = None) -> list[PlannedStage]:
        """The states of the named stages (default: all) and of the stages that they read, in order."""
        wanted = needed(names, self.stages)
        known: dict[str, Output] = {}
        steps = []
        for stage in self.stages:
            if stage.name not in wanted:
                continue
            step = self._step(stage, known)
            steps.append(step)
            if step.output is not None:
                known[stage.name] = step.output
        return steps

    def run(self, names: Sequence[str] | None = None, force: bool = False) -> list[str]:
        """Bring the named stages (default: all) and the stages that they read up to date; returns the stages that ran.

        ``force`` runs the named stages even if they are up to date.
        """
        wanted = needed(names, self.stages)
        forced = set(names or BY_NAME) if force else set()
        self.check_resources(names)
        self.run_folder.mkdir(parents=True, exist_ok=True)
        # Somebody who may not write can still look whether the run is up to date.
        with contextlib.suppress(OSError):
            replace_file(self.run_folder / "config.yaml", as_yaml(self.config).encode())
        known: dict[str, Output] = {}
        ran = []
        shares = {stage.name: _SHARES.get(stage.name, 1) for stage in self.stages if stage.name in wanted}
        running = [step.stage for step in self.plan(names) if step.causes or step.stage.name in forced]
        if running and self.config.execution.engine == "local":
            stages = f"{len(running)} stage{'s' if len(running) != 1 else ''}"
            self.progress.say(f"{stages} to run with {workers_of(self.config.execution)}")
        with self.progress.stages(shares) as bar, engine(self.config, self.progress) as tasks:
            if ports := self._preloaded(running):
                tasks.start(functools.partial(self.ports.preload, ports))
            for stage in (stage for stage in self.stages if stage.name in wanted):
                step = self._step(stage, known)
                if step.output is not None and stage.name not in forced:
                    link(self.root, self.config.run, stage.name, step.output.folder)
                    known[stage.name] = step.output
                    continue
                bar.begin(stage.name)
                runner = Runner(self.root, self.config.run, self.config.execution.shard_size, self.progress, tasks)
                known[stage.name] = self._make(runner, stage, known)
                ran.append(stage.name)
                tasks.retire()
        if names is None:
            self._unlink_outdated(known)
        return ran

    def _preloaded(self, stages: Iterable[Stage]) -> tuple[Port[Any], ...]:
        """The ports of these stages that load what worker processes can share; a ``set`` stage has no workers."""
        ports = (
            port
            for stage in stages
            if stage.scope == "map"
            for port in stage.ports_for(self.config.section(stage.name))
            if isinstance(self.ports.get(port), Preloaded)
        )
        return tuple(dict.fromkeys(ports))

    def ready(self, names: Sequence[str] | None = None, remedy: str = _ALL) -> dict[str, Output]:
        """The run's outputs of the named stages (default: all) and of the stages that they read.

        ``remedy`` is the hint of the error if a stage must run. Raises ``UsageError`` if one of the stages is not up to date,
        or if the run links to another output than that of the configuration: the store may hold outputs of several runs.
        """
        outputs: dict[str, Output] = {}
        plan = self.plan(names)
        for step in plan:
            never_ran = any(cause.kind == "never-run" for cause in step.causes)
            if step.output is None and not never_ran:
                raise UsageError(f"stage {step.stage.name} is not up to date: {in_words(step.causes)}", hint=remedy)
            if step.output is None or (step.link_causes and not is_linked(step.link_causes)):
                raise UsageError(f"run {self.config.run!r} has no output of {step.stage.name}", hint=remedy)
            if step.link_causes:
                raise self._built_otherwise(step.stage, plan)
            outputs[step.stage.name] = step.output
        return outputs | (self._on_demand(outputs) if names is None else {})

    def _on_demand(self, known: Mapping[str, Output]) -> dict[str, Output]:
        """The run's current outputs of the stages on demand that are not among the known ones."""
        outputs = {}
        for stage in self.stages:
            if stage.name in ON_DEMAND and stage.name not in known:
                step = self._step(stage, dict(known))
                if step.output is not None and not step.link_causes:
                    outputs[stage.name] = step.output
        return outputs

    def _unlink_outdated(self, known: Mapping[str, Output]) -> None:
        """Remove the links to outputs of stages on demand that were made from other outputs than the run's."""
        current = {*known, *self._on_demand(known)}
        for stage in self.stages:
            linked = self.run_folder / stage.name
            if stage.name in ON_DEMAND and stage.name not in current and linked.is_symlink():
                linked.unlink()

    def _built_otherwise(self, stage: Stage, plan: Sequence[PlannedStage]) -> UsageError:
        """The error for a run whose outputs, from ``stage`` on, are not those of the configuration."""
        differences = [
            cause.with_stage
            for step in plan
            for cause in step.link_causes
            if is_linked(step.link_causes) and cause.kind != "input"
        ]
        return UsageError(
            f"run {self.config.run!r} was built with another configuration: it links to another output of {stage.name} "
            f"(from the run to this configuration: {'; '.join(differences)})",
            hint=f"-c {self.run_folder / 'config.yaml'} for the run as it was built, or repeat the --set options of its "
            "build; wdw-build all with the options of this call builds the run again",
        )

    def export(self, format_: str, names: Names, folder: Path) -> tuple[int, Ingredients]:
        """Run the stage ``export`` for one format into a folder, without the store.

        Returns the number of problems, and what the export was made from. Raises ``UsageError`` as ``ready`` does for the
        stages before it, ``ConfigError`` if there is no such format.
        """
        section = msgspec.structs.replace(self.config.export, formats=(format_,), names=names)
        one_format = Pipeline(msgspec.structs.replace(self.config, export=section), self.progress)
        stage = one_format.stage(export.STAGE.name)
        one_format.check_resources([stage.name])
        demanded = [name for name in stage.reads if name in ON_DEMAND]
        one_format.ready([name for name in stage.reads if name not in demanded])
        if demanded:
            one_format.run(demanded)
        known = one_format.ready(stage.reads)
        job = one_format.job(stage, known)
        with tempfile.TemporaryDirectory(prefix=".wdw-export-", dir=folder) as temporary:
            output = run_alone(job, Path(temporary), self.progress)
            for name in output.own_files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (output.folder / name).rename(folder / name)
            return output.manifest.written, job.ingredients

    def check_resources(self, names: Sequence[str] | None = None) -> None:
        """Check the backends of the named stages (default: all) and of those that they read, before anything slow.

        Raises ``MissingResourceError`` for a model, program or corpus that is missing.
        """
        wanted = needed(names, self.stages)
        for stage in self.stages:
            for port in stage.ports_for(self.config.section(stage.name)) if stage.name in wanted else ():
                self.ports.check(port)

    def _make(self, runner: Runner, stage: Stage, known: dict[str, Output]) -> Output:
        output = runner.make(self.job(stage, known))
        manifest = output.manifest
        reasons = ", ".join(f"{count} {reason}" for reason, count in manifest.reasons.items())
        self.progress.say(
            f"{stage.name}: {manifest.read} read, {manifest.written} written, {manifest.rejected} rejected"
            + (f" ({reasons})" if reasons else "")
            + (f"; computed on {' and '.join(manifest.devices)}" if manifest.devices not in {(), ("cpu",)} else "")
        )
        return output

    def job(self, stage: Stage, known: Mapping[str, Output]) -> Job:
        """The stage with its settings and backends over the outputs that it reads, which ``known`` holds by name."""
        section = self.config.section(stage.name)
        return Job(
            stage=stage,
            section=section,
            ingredients=self._ingredients(stage, {name: known[name] for name in stage.reads}),
            inputs=inputs_of(stage, known),
            ports=self.ports,
            needs=self._needs(stage),
            shared={name: self.config.section(name) for name in stage.shared_keys(section)},
        )

    def _needs(self, stage: Stage) -> tuple[str, ...]:
        """What a worker must offer for the stage's tasks: loaded models, and a GPU for models with ``device: cuda``."""
        needs = [MODELS] if self._preloaded([stage]) else []
        ports = stage.ports_for(self.config.section(stage.name)) if self.config.execution.device == "cuda" else ()
        if any(isinstance(self.ports.get(port), OnDevice) for port in ports):
            needs.append(GPU)
        return tuple(needs)

    def only(self, name: str, record_id: str) -> Iterator[Record | Rejection]:
        """Run one input of a stage alone and yield its results; nothing is written to the store.

        Raises ``UsageError`` if there is no such input.
        """
        stage = self.stage(name)
        if stage.scope == "set":
            raise UsageError(
                f"{name} needs all records: --only does not work for it", hint=f"wdw-build run {name} -c FILE"
            )
        job = self.job(stage, {read: self.output(read) for read in stage.reads})
        if stage.primary:
            found = job.inputs[stage.primary].find(record_id)
            records: tuple[Any, ...] = () if found is None else (found,)
        else:
            records = tuple(record for record in job.reader.read() if input_id(record) == record_id)
        if not records:
            raise UsageError(
                f"{stage.primary or 'the corpus'} has no record {record_id!r}", hint="wdw-build inspect lists ids"
            )
        with tempfile.TemporaryDirectory(prefix="wdw-only-") as folder:
            output = run_alone(replace(job, given=records), Path(folder), self.progress)
            yield from (*output.records(), *output.rejections())


def inputs_of(stage: Stage, outputs: Mapping[str, Output]) -> dict[str, Output]:
    """The outputs that a stage reads, by name; that of a plug-in also under the name of the stage that it replaces."""
    names = {name: name for name in stage.reads}
    names |= {replaced: name for name in stage.reads if (replaced := stage_named(name).replaces)}
    return {name: outputs[source] for name, source in names.items()}


def needed(names: Sequence[str] | None, stages: Sequence[Stage] = STAGES) -> set[str]:
    """The named stages (default: all but those on demand) and all stages that they read, directly or indirectly."""
    wanted = set(names if names is not None else (stage.name for stage in stages if stage.name not in ON_DEMAND))
    for stage in reversed(stages):
        if stage.name in wanted:
            wanted.update(stage.reads)
    return wanted


def between(first: str | None, last: str | None) -> list[str]:
    """The names of the stages from ``first`` to ``last``, without stages on demand between them. Raises ``UsageError``."""
    order = list(BY_NAME)
    start = order.index(stage_named(first).name) if first else 0
    end = order.index(stage_named(last).name) if last else len(order) - 1
    if start > end:
        raise UsageError(f"{first} comes after {last}", hint=f"order: {', '.join(order)}")
    return [name for name in order[start : end + 1] if name not in ON_DEMAND or name in (first, last)]
