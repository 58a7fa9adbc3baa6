"""What every check is given: the outputs of the run, with tables that several checks need, and its recorder.

A check is a function. Its name is the name of the check, with hyphens; its docstring is the promise that it checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec

from wdw_build.core.store.manifest import read_manifest
from wdw_build.core.store.output import Output
from wdw_build.errors import CheckError, UsageError
from wdw_build.pipeline.config.settings import Config
from wdw_build.pipeline.stage_order import ON_DEMAND, STAGES
from wdw_build.records import Problem, SplitAssignment, SuppressionDecision
from wdw_build.selection.recount import Recount, Selected, TraitCounts, count_traits, selected_problems

_EXAMPLES = 5
_EXAMPLE_CHARACTERS = 400


class Check(msgspec.Struct, frozen=True):
    """The result of one check. ``examples`` are the first failures: the id or the file, and the fault."""

    name: str
    promise: str
    checked: int
    failures: int
    examples: tuple[str, ...] = ()


class Recorder:
    """Counts the items and the failures of one check."""

    def __init__(self) -> None:
        self.checked = self.failures = 0
        self.examples: list[str] = []

    def count(self, count: int = 1) -> None:
        """Record that ``count`` more items were checked."""
        self.checked += count

    def fail(self, place: str, fault: str) -> None:
        """Record a failure; ``place`` is an id or a file."""
        self.failures += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(f"{place}: {fault}"[:_EXAMPLE_CHARACTERS])


def content_hash(outputs: Mapping[str, Output], stage: str) -> str:
    """The content hash of a stage's output; empty if there is none."""
    return outputs[stage].manifest.content_hash if stage in outputs else ""


class AuditedRun:
    """The outputs of a run by stage, in the order of the stages, and its configuration.

    Raises ``UsageError`` if the output of a stage is missing, ``CheckError`` if its manifest cannot be decoded.
    """

    def __init__(self, folder: Path, config: Config) -> None:
        self.folder, self.config = folder, config
        self.outputs: dict[str, Output] = {}
        for stage in STAGES:
            path = folder / stage.name / "manifest.json"
            if path.is_file() and read_manifest(path.parent) is None:
                raise CheckError(f"{path}: not a manifest", hint=f"wdw-build run {stage.name} --force -c FILE")
            if path.is_file():
                self.outputs[stage.name] = Output(path.parent, stage.writes)
            elif stage.name not in ON_DEMAND:
                raise UsageError(f"run {folder.name!r} has no output of {stage.name}", hint="wdw-build all -c FILE")

    def records(self, stage: str) -> Iterator[Any]:
        """The records of a stage. Raises ``DamagedOutputError``."""
        return self.outputs[stage].records()

    def find(self, stage: str, record_id: str) -> Any:
        """The record of a stage with this id, or None. Raises ``DamagedOutputError``."""
        return self.outputs[stage].find(record_id)

    @cached_property
    def decisions(self) -> dict[str, SuppressionDecision]:
        """The decisions of suppression by id."""
        return {decision.id: decision for decision in self.records("suppress")}

    @cached_property
    def placed(self) -> dict[str, SplitAssignment]:
        """The placement of each problem of the dataset by its id."""
        return {assignment.id: assignment for assignment in self.records("split")}

    def placed_problems(self) -> Iterator[Problem]:
        """The problems of the dataset."""
        return (problem for problem in self.records("problems") if problem.id in self.placed)

    @cached_property
    def selected(self) -> list[Selected]:
        """The selected problems, as the stored predictions show them."""
        return selected_problems(
            self.decisions,
            self.records("problems"),
            lambda: self.records("adversary"),
            partial(self.find, "dedup"),
        )

    @cached_property
    def trait_counts(self) -> TraitCounts:
        """The traits that ``suppress.max_enrichment`` limits."""
        find, find_article = partial(self.find, "dedup"), partial(self.find, "ingest")
        return count_traits(self.config.suppress, self.decisions, self.records("adversary"), find, find_article)

    @property
    def recount(self) -> Recount:
        """The bounds of the selected problems, counted again."""
        first = next(self.records("adversary"), None)
        systems = tuple(first.guesses) if first is not None else ()
        return Recount(self.config.suppress, systems, self.selected, trait_counts=self.trait_counts)
