"""The stages in order: plans what would run and why, runs stages, and runs one record alone."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wdw_build.backends import Backends, engine
from wdw_build.config.file import as_yaml, load_config
from wdw_build.config.settings import Config
from wdw_build.core.engine.engines import GPU, MODELS
from wdw_build.core.engine.workers import workers_of
from wdw_build.core.progress import Progress
from wdw_build.core.run.accounting import input_id
from wdw_build.core.run.runner import Runner, run_alone
from wdw_build.core.run.staging import RunStatus, read_status
from wdw_build.core.run.task import Job
from wdw_build.core.stage import Port, PortSource, Stage
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.causes import Cause
from wdw_build.core.store.manifest import (
    Ingredients,
    changed_settings,
    damage,
    link_causes,
    plain_settings,
    read_manifest,
)
from wdw_build.core.store.output import Output, final_folder, link
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.ports import EXPORTERS, READER, CorpusExporter, OnDevice, Preloaded
from wdw_build.records import Names, Record, Rejection
from wdw_build.stage_order import BY_NAME, ON_DEMAND, STAGES, needed, stage_named
from wdw_build.stages import export

_ALL = "wdw-build all with the same options brings every stage up to date and writes the summary"

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


@dataclass(frozen=True)
class PlannedStage:
    """The state of a stage: its ``output`` if it is up to date, or the causes of its run, and a run that has begun.

    ``link_causes`` are the differences between ``output`` and the output that the run links to. ``unexamined`` has the
    backends whose parts are missing, each with the error: they are taken to be those of the run.
    """

    stage: Stage
    ingredients: Ingredients | None
    output: Output | None
    causes: tuple[Cause, ...]
    begun: RunStatus | None = None
    link_causes: tuple[Cause, ...] = ()
    unexamined: Mapping[str, MissingResourceError] = field(default_factory=dict)


class ExportedFormat(NamedTuple):
    """The number of exported problems, what the export was made from, and the outputs of stages on demand among that."""

    problems: int
    made_from: Ingredients
    on_demand: dict[str, Output]


class Pipeline:
    """The stages with one configuration and its store.

    ``as_built``: the folder of a run that is read as it was built. Its outputs need to fit together and to have the settings of
    the configuration. Whether corpus, models and program are still those of the build is not asked.
    """

    def __init__(
        self, config: Config, progress: Progress, ports: PortSource | None = None, as_built: Path | None = None
    ) -> None:
        self.config, self.progress, self.as_built = config, progress, as_built
        self.root = Path(config.output_dir)
        self.stages = tuple(stage.configured(config.section(stage.name)) for stage in STAGES)
        self.ports: PortSource = ports or Backends(config)
        self._unexamined: dict[str, MissingResourceError] = {}

    def stage(self, name: str) -> Stage:
        """A stage by name, with the inputs that it needs with these settings. Raises ``UsageError``."""
        return stage_named(name).configured(self.config.section(name))

    @property
    def run_folder(self) -> Path:
        """``runs/<run>``."""
        return self.as_built or self.root / "runs" / self.config.run

    def links(self) -> dict[str, Path]:
        """The folders of the outputs that the run links to, by stage."""
        paths = {stage.name: self.run_folder / stage.name for stage in self.stages}
        return {name: path.resolve() for name, path in paths.items() if path.exists()}

    def output(self, name: str) -> Output:
        """The run's current output of a stage. Raises ``UsageError`` if it has none."""
        output = Output(self.run_folder / name, stage_named(name).writes)
        if read_manifest(output.folder) is None:
            raise UsageError(f"run {self.config.run!r} has no output of {name}", hint=f"wdw-build run {name} -c FILE")
        return output

    def _ingredients(self, stage: Stage, known: Mapping[str, Output], backends: Mapping[str, str]) -> Ingredients:
        section = self.config.section(stage.name)
        return Ingredients(
            stage=stage.name,
            version=stage.version,
            config=plain_settings(section),
            seed=self.config.seed if stage.is_seeded else 0,
            inputs={name: known[name].manifest.content_hash for name in stage.reads},
            backends=dict(backends),
            shared={
                name: {key: value for key, value in plain_settings(self.config.section(name)).items() if key in keys}
                for name, keys in stage.shared_keys(section).items()
            },
        )

    def _backends(self, stage: Stage, given: Mapping[str, str] | None = None) -> dict[str, str]:
        """The identities of the stage's backends: those that are given, else their own."""
        ports = stage.ports_for(self.config.section(stage.name))
        return {port: (given or {}).get(port) or self.ports.identity(port) for port in ports}

    def _examined(self, stage: Stage, recorded: Mapping[str, str]) -> dict[str, str]:
        """The identities of the stage's backends; the recorded one if a part of a backend is missing or may not be read."""
        return {port: self._identity(port, recorded) for port in stage.ports_for(self.config.section(stage.name))}

    def _identity(self, port: str, recorded: Mapping[str, str]) -> str:
        if port not in self._unexamined:
            try:
                return self.ports.identity(port)
            except MissingResourceError as error:
                self._unexamined[port] = error
            except PermissionError as error:
                self._unexamined[port] = MissingResourceError(
                    f"{error.strerror}: {error.filename}", hint="you need the permission to read that path"
                )
        if port not in recorded:
            raise self._unexamined[port]
        return recorded[port]

    def _recorded(self, stage: Stage, known: Mapping[str, Output]) -> dict[str, str]:
        """The identities of the backends with which the run's output of the stage, and outputs before it, were made."""
        own = read_manifest(self.run_folder / stage.name)
        manifests = [*(output.manifest for output in known.values()), *([own] if own is not None else [])]
        return {port: identity for made in manifests for port, identity in made.ingredients.backends.items()}

    def _step(self, stage: Stage, known: dict[str, Output]) -> PlannedStage:
        outdated = [name for name in stage.reads if name not in known]
        if outdated:
            waits = (Cause(kind="input-will-run", stage=stage.name, name=name) for name in outdated)
            return PlannedStage(stage, None, None, tuple(waits))
        try:
            ingredients = self._ingredients(stage, known, self._examined(stage, self._recorded(stage, known)))
        except MissingResourceError:
            never = Cause(kind="never-run", stage=stage.name)
            return PlannedStage(stage, None, None, (never,), unexamined=self._unexamined_by(stage))
        unexamined = self._unexamined_by(stage)
        folder, linked = final_folder(self.root, stage.name, ingredients.fingerprint), self.run_folder / stage.name
        committed = read_manifest(folder)
        harm = damage(folder, committed) if committed is not None else ""
        if committed is not None and not harm:
            output = Output(folder, stage.writes)
            differences = link_causes(linked, ingredients)
            return PlannedStage(stage, ingredients, output, (), link_causes=differences, unexamined=unexamined)
        before = read_manifest(linked)
        was_made = before is not None or linked.is_symlink()
        causes = () if harm or before is None else tuple(ingredients.differences(before.ingredients))
        if harm:
            causes = (Cause(kind="output-damaged", stage=stage.name, name=harm),)
        elif not causes:
            causes = (Cause(kind="output-deleted" if was_made else "never-run", stage=stage.name),)
        begun = read_status(self.root, stage.name, ingredients.fingerprint)
        return PlannedStage(stage, ingredients, None, causes, begun, unexamined=unexamined)

    def _unexamined_by(self, stage: Stage) -> dict[str, MissingResourceError]:
        ports = stage.ports_for(self.config.section(stage.name))
        return {port: self._unexamined[port] for port in ports if port in self._unexamined}

    def plan(self, names: Sequence[str] | None = None) -> list[PlannedStage]:
        """The states of the named stages (default: all) and of the stages that they read, in order."""
        return self._plan(self._needed(names), {})

    def _needed(self, names: Sequence[str] | None) -> list[Stage]:
        wanted = needed(names, self.stages)
        return [stage for stage in self.stages if stage.name in wanted]

    def _plan(self, stages: Sequence[Stage], known: Mapping[str, Output]) -> list[PlannedStage]:
        """The states of the stages, in order. ``known`` has the outputs of the stages before them."""
        current, steps = dict(known), []
        for stage in stages:
            step = self._step(stage, current)
            steps.append(step)
            if step.output is not None:
                current[stage.name] = step.output
        return steps

    def run(self, names: Sequence[str] | None = None, force: bool = False) -> list[str]:
        """Bring the named stages (default: all) and the stages that they read up to date; returns the stages that ran.

        ``force`` runs the named stages even if they are up to date.
        """
        self.check_resources(names)
        self.run_folder.mkdir(parents=True, exist_ok=True)
        # Somebody who may not write can still look whether the run is up to date.
        with contextlib.suppress(OSError):
            replace_file(self.run_folder / "config.yaml", as_yaml(self.config).encode())
        known: dict[str, Output] = {}
        ran = []
        forced = set(names or BY_NAME) if force else set[str]()
        with contextlib.closing(self._made(self._needed(names), known, forced)) as made:
            for stage, has_run in made:
                link(self.run_folder / stage.name, known[stage.name].folder)
                if has_run:
                    ran.append(stage.name)
        if names is None:
            self._unlink_outdated(known)
        return ran

    def _made(
        self, stages: Sequence[Stage], known: dict[str, Output], forced: Container[str] = ()
    ) -> Generator[tuple[Stage, bool], None, None]:
        """Bring stages up to date in the store; yields each when its output is among ``known``, and whether it has run.

        ``known`` has the outputs of the stages before them.
        """
        shares = {stage.name: _SHARES.get(stage.name, 1) for stage in stages}
        with self.progress.stages(shares) as bar, engine(self.config, self.progress) as tasks:
            runner = Runner(self.root, self.config.execution.shard_size, self.progress, tasks)
            planned = self._plan(stages, known)
            running = [step.stage for step in planned if step.causes or step.stage.name in forced]
            if running and self.config.execution.engine == "local":
                number = f"{len(running)} stage{'s' if len(running) != 1 else ''}"
                self.progress.say(f"{number} to run with {workers_of(self.config.execution)}")
            if ports := self._preloaded(running):
                tasks.start(functools.partial(self.ports.preload, ports))
            for stage in stages:
                step = self._step(stage, known)
                if step.output is not None and stage.name not in forced:
                    known[stage.name] = step.output
                    yield stage, False
                    continue
                bar.begin(stage.name)
                known[stage.name] = self._make(runner, stage, known)
                yield stage, True
                tasks.retire()

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

        The outputs are those that the run links to, and their manifests say what they were made from. A backend of which a part
        is missing, such as the corpus, is taken to be that of the build. ``remedy`` is the hint of the error if a stage must
        run. Raises ``UsageError`` if an output is missing or damaged, or was made from something else than the run's other
        outputs and the configuration.
        """
        outputs: dict[str, Output] = {}
        causes: list[Cause] = []
        for stage in self._needed(names):
            output, differences = self._linked(stage, outputs)
            if output is None:
                raise UsageError(f"run {self.config.run!r} has no output of {stage.name}", hint=remedy)
            if harm := damage(output.folder, output.manifest):
                raise UsageError(f"stage {stage.name} is not up to date: its output is damaged: {harm}", hint=remedy)
            outputs[stage.name] = output
            causes += differences
        causes += self._changed_selection() if self._unexamined else ()
        if causes:
            raise self._built_otherwise(causes, remedy)
        return outputs | (self._on_demand(outputs) if names is None else {})

    def _linked(self, stage: Stage, known: Mapping[str, Output]) -> tuple[Output | None, tuple[Cause, ...]]:
        """The run's output of a stage, and how it differs from the one that the configuration and ``known`` give."""
        folder = self.run_folder / stage.name
        manifest = read_manifest(folder)
        if manifest is None or not known.keys() >= set(stage.reads):
            return None, ()
        made_from = manifest.ingredients
        if self.as_built is None:
            given = self._ingredients(stage, known, self._examined(stage, made_from.backends))
        else:
            given = self._ingredients(stage, known, {}).in_place_of(made_from)
        # Links are resolved once, so that a later build that replaces them is not mixed in.
        return Output(folder.resolve(), stage.writes), link_causes(folder, given)

    def _on_demand(self, known: Mapping[str, Output]) -> dict[str, Output]:
        """The run's current outputs of the stages on demand that are not among the known ones."""
        outputs = {}
        for stage in self.stages:
            if stage.name in ON_DEMAND and stage.name not in known:
                output, differences = self._linked(stage, known)
                if output is not None and not differences and not damage(output.folder, output.manifest):
                    outputs[stage.name] = output
        return outputs

    def _unlink_outdated(self, known: Mapping[str, Output]) -> None:
        """Remove the links to outputs of stages on demand that were made from other outputs than the run's."""
        current = {*known, *self._on_demand(known)}
        for stage in self.stages:
            linked = self.run_folder / stage.name
            if stage.name in ON_DEMAND and stage.name not in current and linked.is_symlink():
                linked.unlink()

    def _changed_selection(self) -> Iterator[Cause]:
        """The changed settings of backends that are not examined, because a part of them is missing."""
        path = self.run_folder / "config.yaml"
        built = load_config(path) if path.is_file() else self.config
        # The content of these files is examined, and not where they are.
        ignored = {"path", "faulty_problems", "omitted_problems"}
        for name in ("corpus", "nlp"):
            old, new = (plain_settings(config.section(name)) for config in (built, self.config))
            yield from (cause for cause in changed_settings(name, old, new) if cause.name not in ignored)

    def _built_otherwise(self, causes: Sequence[Cause], remedy: str) -> UsageError:
        """The error for a run whose outputs are not those of the configuration, or do not fit together."""
        run, folder = f"run {self.config.run!r}", self.run_folder
        settings = [cause for cause in causes if cause.kind in ("setting", "seed")]
        mixed = next((cause for cause in causes if cause.kind == "input"), None)
        if settings:
            what = (
                f"{run} was built with another configuration (from the run to this configuration: {_joined(settings)})"
            )
            hint = f"-c {folder} for the run as it was built, or repeat the --set options of its build; "
            return UsageError(what, hint=f"{hint}wdw-build all with the options of this call builds the run again")
        if mixed is not None:
            what = f"{mixed.stage} was made from another output of {mixed.name} than the run's"
            return UsageError(f"{run}: {what}", hint=remedy)
        hint = f"-c {folder} for the run as it was built; {remedy}"
        return UsageError(f"{run} is not up to date: {_joined(causes)}", hint=hint)

    def export(self, format_: str, names: Names, folder: Path) -> ExportedFormat:
        """Run the stage ``export`` for one format into a folder; the run stays as it is.

        The outputs of stages on demand are those of the run or, if it has none, are made and stored. Raises ``UsageError`` as
        ``ready`` does for the stages before it, ``ConfigError`` if there is no such format, and ``MissingResourceError`` if the
        format needs the corpus and it is missing.
        """
        section = msgspec.structs.replace(self.config.export, formats=(format_,), names=names)
        config = msgspec.structs.replace(self.config, export=section)
        return Pipeline(config, self.progress, as_built=self.as_built)._export(folder)

    def _export(self, folder: Path) -> ExportedFormat:
        stage = self.stage(export.STAGE.name)
        self.ports.check(EXPORTERS)
        reads_corpus = any(isinstance(one, CorpusExporter) for one in self.ports.get(EXPORTERS).values())
        if reads_corpus:
            self._require_corpus()
        known = self.ready([name for name in stage.reads if name not in ON_DEMAND])
        known |= self._on_demand(known)
        if missing := [self.stage(name) for name in stage.reads if name not in known]:
            self._require_store()
            for made, _ in self._made(missing, known):
                self.progress.say(f"{made.name}: for this export only; the run stays as it is")
        recorded = {READER: self._recorded(stage, known)[READER]}
        # Only some formats are made from the corpus itself.
        if reads_corpus and self.ports.identity(READER) != recorded[READER]:
            raise UsageError(
                f"the corpus is not that of the run: {self.config.export.formats[0]} would describe other texts than the run's",
                hint="restore the corpus of the build, or build again with wdw-build all -c FILE",
            )
        job = self.job(stage, known, recorded | {EXPORTERS: self.ports.identity(EXPORTERS)})
        with tempfile.TemporaryDirectory(prefix=".wdw-export-", dir=folder) as temporary:
            output = run_alone(job, Path(temporary), self.progress)
            for name in output.own_files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (output.folder / name).rename(folder / name)
            on_demand = {name: known[name] for name in stage.reads if name in ON_DEMAND}
            return ExportedFormat(output.manifest.written, job.ingredients, on_demand)

    def _require_corpus(self) -> None:
        try:
            self.ports.check(READER)
        except MissingResourceError as error:
            what = f"{self.config.export.formats[0]} is written from the corpus: {error.message}"
            raise MissingResourceError(what, hint=error.hint) from error

    def _require_store(self) -> None:
        """Raise ``UsageError`` for the copy of a run that is not in its ``output_dir``, where outputs could be stored."""
        if self.as_built is not None and self.as_built.parent.resolve() != (self.root / "runs").resolve():
            raise UsageError(
                f"{self.as_built} is not in its output_dir, where a stage that must run stores its output",
                hint=f"-c {self.root / 'runs' / self.config.run}, or move the whole output_dir",
            )

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

    def job(self, stage: Stage, known: Mapping[str, Output], identities: Mapping[str, str] | None = None) -> Job:
        """The stage with its settings and backends over the outputs that it reads, which ``known`` holds by name.

        ``identities``: those of backends that are not asked for theirs.
        """
        section = self.config.section(stage.name)
        return Job(
            stage=stage,
            section=section,
            ingredients=self._ingredients(stage, known, self._backends(stage, identities)),
            inputs={name: known[name] for name in stage.reads},
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


def _joined(causes: Iterable[Cause]) -> str:
    """Causes of several stages in words, each once."""
    return "; ".join(dict.fromkeys(cause.with_stage for cause in causes))
