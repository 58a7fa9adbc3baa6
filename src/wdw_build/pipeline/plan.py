"""Which stages of a run are up to date, and why the others are not.

A stage is up to date if the store has the output of its fingerprint: its settings, its backends and the outputs that it reads.
This module reads the store and changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wdw_build.core.progress import Progress
from wdw_build.core.run.staging import RunStatus, read_status
from wdw_build.core.stage import Port, PortSource, Stage
from wdw_build.core.store.manifest import (
    Cause,
    Ingredients,
    changed_settings,
    damage,
    link_causes,
    plain_settings,
    read_manifest,
)
from wdw_build.core.store.output import Output, final_folder
from wdw_build.errors import MissingResourceError, UsageError
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.file import STORED_CONFIG, load_config
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.stage_order import ON_DEMAND, STAGES, needed, stage_named

_ALL = "wdw-build all with the same options brings every stage up to date and writes the summary"


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


class Planner:
    """The stages of a run with one configuration, and which of their outputs the store has.

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

    def _step(self, stage: Stage, known: Mapping[str, Output]) -> PlannedStage:
        """The state of a stage. ``known`` has the outputs of the stages before it that are up to date."""
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
            ingredients = self._ingredients(stage, known, self._examined(stage, made_from.backends))
        else:
            ingredients = self._ingredients(stage, known, {}).in_place_of(made_from)
        # Links are resolved once, so that a later build that replaces them is not mixed in.
        return Output(folder.resolve(), stage.writes), link_causes(folder, ingredients)

    def _on_demand(self, known: Mapping[str, Output]) -> dict[str, Output]:
        """The run's current outputs of the stages on demand that are not among the known ones."""
        outputs = {}
        for stage in self.stages:
            if stage.name in ON_DEMAND and stage.name not in known:
                output, differences = self._linked(stage, known)
                if output is not None and not differences and not damage(output.folder, output.manifest):
                    outputs[stage.name] = output
        return outputs

    def _changed_selection(self) -> Iterator[Cause]:
        """The changed settings of backends that are not examined, because a part of them is missing."""
        path = self.run_folder / STORED_CONFIG
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

    def _ports(self, stage: Stage) -> tuple[Port[Any], ...]:
        """The ports that the stage uses with these settings."""
        return stage.ports_for(self.config.section(stage.name))

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

    def _examined(self, stage: Stage, recorded: Mapping[str, str]) -> dict[str, str]:
        """The identities of the stage's backends; the recorded one if a part of a backend is missing or may not be read."""
        return {port: self._identity(port, recorded) for port in self._ports(stage)}

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
        return {port: identity for manifest in manifests for port, identity in manifest.ingredients.backends.items()}

    def _unexamined_by(self, stage: Stage) -> dict[str, MissingResourceError]:
        return {port: self._unexamined[port] for port in self._ports(stage) if port in self._unexamined}


def _joined(causes: Iterable[Cause]) -> str:
    """Causes of several stages in words, each once."""
    return "; ".join(dict.fromkeys(cause.with_stage for cause in causes))
