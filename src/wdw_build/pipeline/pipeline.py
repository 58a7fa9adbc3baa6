"""Runs the stages of a run that are not up to date, one record alone, and one export format."""

from __future__ import annotations

import contextlib
import functools
import tempfile
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from wdw_build.core.engine.engines import GPU, MODELS
from wdw_build.core.engine.execution import workers_of
from wdw_build.core.run.accounting import input_id
from wdw_build.core.run.runner import Runner, run_alone
from wdw_build.core.run.task import Job
from wdw_build.core.stage import Port, Stage
from wdw_build.core.store.atomic_output import replace_file
from wdw_build.core.store.manifest import Ingredients
from wdw_build.core.store.output import Output, link
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline.backends import engine
from wdw_build.pipeline.config.file import STORED_CONFIG, as_yaml
from wdw_build.pipeline.plan import Planner
from wdw_build.pipeline.stage_order import BY_NAME, ON_DEMAND
from wdw_build.ports import EXPORTERS, READER, CorpusExporter, OnDevice, Preloaded
from wdw_build.records import Names, Record, Rejection
from wdw_build.stages import export

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


class ExportedFormat(NamedTuple):
    """The number of exported problems, what the export was made from, and the outputs of stages on demand among that."""

    problems: int
    made_from: Ingredients
    on_demand: dict[str, Output]


class Pipeline(Planner):
    """Brings the stages of a run up to date: runs those that are not, and links the run to their outputs."""

    def run(self, names: Sequence[str] | None = None, force: bool = False) -> list[str]:
        """Bring the named stages (default: all) and the stages that they read up to date; returns the stages that ran.

        ``force`` runs the named stages even if they are up to date.
        """
        self.check_resources(names)
        self.run_folder.mkdir(parents=True, exist_ok=True)
        # Somebody who may not write can still look whether the run is up to date.
        with contextlib.suppress(OSError):
            replace_file(self.run_folder / STORED_CONFIG, as_yaml(self.config).encode())
        known: dict[str, Output] = {}
        ran = []
        forced = set(names or BY_NAME) if force else set[str]()
        with contextlib.closing(self._made(self._needed(names), known, forced)) as stages:
            for stage, has_run in stages:
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
        section, by_port = self.config.section(stage.name), identities or {}
        backends: dict[str, str] = {port: by_port.get(port) or self.ports.identity(port) for port in self._ports(stage)}
        return Job(
            stage=stage,
            section=section,
            ingredients=self._ingredients(stage, known, backends),
            inputs={name: known[name] for name in stage.reads},
            ports=self.ports,
            needs=self._needs(stage),
            shared={name: self.config.section(name) for name in stage.shared_keys(section)},
        )

    def _needs(self, stage: Stage) -> tuple[str, ...]:
        """What a worker must offer for the stage's tasks: loaded models, and a GPU for models with ``device: cuda``."""
        needs = [MODELS] if self._preloaded([stage]) else []
        ports = self._ports(stage) if self.config.execution.device == "cuda" else ()
        if any(isinstance(self.ports.get(port), OnDevice) for port in ports):
            needs.append(GPU)
        return tuple(needs)

    def _preloaded(self, stages: Iterable[Stage]) -> tuple[Port[Any], ...]:
        """The ports of these stages that load what worker processes can share; a ``set`` stage has no workers."""
        ports = (
            port
            for stage in stages
            if stage.scope == "map"
            for port in self._ports(stage)
            if isinstance(self.ports.get(port), Preloaded)
        )
        return tuple(dict.fromkeys(ports))

    def _unlink_outdated(self, known: Mapping[str, Output]) -> None:
        """Remove the links to outputs of stages on demand that were made from other outputs than the run's."""
        current = {*known, *self._on_demand(known)}
        for stage in self.stages:
            linked = self.run_folder / stage.name
            if stage.name in ON_DEMAND and stage.name not in current and linked.is_symlink():
                linked.unlink()

    def check_resources(self, names: Sequence[str] | None = None) -> None:
        """Check the backends of the named stages (default: all) and of those that they read, before anything slow.

        Raises ``MissingResourceError`` for a model, program or corpus that is missing.
        """
        for stage in self._needed(names):
            for port in self._ports(stage):
                self.ports.check(port)

    def only(self, name: str, record_id: str) -> Iterator[Record | Rejection]:
        """Run one input of a stage alone and yield its results; nothing is written to the store.

        Raises ``UsageError`` if there is no such input.
        """
        stage = self.stage(name)
        if stage.scope == "set":
            raise UsageError(
                f"{name} needs all records: --only does not work for it", hint=f"wdw-build run {name} -c FILE"
            )
        job = self.job(stage, {source: self.output(source) for source in stage.reads})
        if stage.primary:
            record = job.inputs[stage.primary].find(record_id)
            records: tuple[Any, ...] = () if record is None else (record,)
        else:
            records = tuple(record for record in job.reader.read() if input_id(record) == record_id)
        if not records:
            raise UsageError(
                f"{stage.primary or 'the corpus'} has no record {record_id!r}", hint="wdw-build inspect lists ids"
            )
        with tempfile.TemporaryDirectory(prefix="wdw-only-") as folder:
            output = run_alone(replace(job, given=records), Path(folder), self.progress)
            yield from (*output.records(), *output.rejections())

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
        reads_corpus = any(isinstance(exporter, CorpusExporter) for exporter in self.ports.get(EXPORTERS).values())
        if reads_corpus:
            self._require_corpus()
        known = self.ready([name for name in stage.reads if name not in ON_DEMAND])
        known |= self._on_demand(known)
        if missing := [self.stage(name) for name in stage.reads if name not in known]:
            self._require_store()
            for needed, _ in self._made(missing, known):
                self.progress.say(f"{needed.name}: for this export only; the run stays as it is")
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
