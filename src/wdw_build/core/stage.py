"""The stage contract: a generator of records and rejections, steps around it, and a frozen descriptor.

A stage's ``run`` gets its inputs one by one and yields, for every input, one record or one ``Rejection`` with the same id.
A stage that needs a fact about all records declares steps: functions that run before or after ``run``, for each shard of an
input or once. ``core.run`` counts, writes, shards and resumes; a stage does none of this. Other layers read everything that
they need to know about a stage from its descriptor.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, Literal, Protocol, TypeVar

from wdw_build.core.progress import Progress
from wdw_build.core.rule import Rule
from wdw_build.core.section import Section
from wdw_build.core.store.output import Output
from wdw_build.records import Record, Rejection

T = TypeVar("T")


class Backend(Protocol):
    """What every backend has."""

    @property
    def identity(self) -> str:
        """Names the exact backend: library versions, hashes of models, settings. It loads no library."""
        ...


class Port(str, Generic[T]):
    """The name of a port, with the protocol of its backend as its type. ``ports`` declares one for each protocol."""


class PortSource(Protocol):
    """Gives a stage its backends. It can be pickled; each process makes a backend on first use."""

    def get(self, port: Port[T]) -> T:
        """The backend of the port."""
        ...

    def identity(self, port: str) -> str:
        """The backend's identity; nothing heavy is loaded for it."""
        ...

    def check(self, port: str) -> None:
        """Raise ``MissingResourceError`` if this machine lacks something that the backend needs."""
        ...

    def preload(self, ports: Sequence[str]) -> None:
        """Load what processes that are forked from this one can share."""
        ...

    def take_devices(self, ports: Sequence[Port[Any]]) -> tuple[str, ...]:
        """The devices on which models of these ports computed since the last call: cpu, cuda, both, or no device."""
        ...


@dataclass(frozen=True)
class Context:
    """What a stage may use besides its inputs.

    ``inputs`` has the stages that it reads under the names it declares. ``shared`` has the settings of other stages that it
    shares, by section. ``folder`` is the task's own folder, empty at its start. ``results`` returns the folders that the tasks
    of an earlier step left, in the order of their shards; ``RUN`` names the tasks of ``run``. ``kept`` has what the stage puts
    there for later tasks of the same run in the same process, such as prepared texts; results must not depend on it.
    """

    seed: int
    inputs: Mapping[str, Output]
    folder: Path
    ports: PortSource
    progress: Progress
    results: Callable[[str], tuple[Path, ...]]
    shared: Mapping[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    def port(self, port: Port[T]) -> T:
        """The backend of a port."""
        return self.ports.get(port)

    def read(self, stage: str) -> Iterator[Any]:
        """All records of an input."""
        return self.inputs[stage].records()

    def find(self, stage: str, record_id: str) -> Any:
        """The record of an input with this id. Raises ``KeyError`` if there is none, which is a defect of the stage."""
        record = self.inputs[stage].find(record_id)
        if record is None:
            raise KeyError(f"{stage} has no record {record_id}")
        return record


BLOCK = 512

StageFunction = Callable[[Iterator[Any], Any, Context], Iterator[Record | Rejection]]
# The name under which ``Context.results`` knows the tasks of ``Stage.run``.
RUN = "run"
# The value of ``Step.over`` for a step that reads the entries of the corpus, one task for each block.
CORPUS = "corpus"


@dataclass(frozen=True)
class Step:
    """Work of a stage before or after its ``run``; it yields nothing and writes files into ``Context.folder``.

    ``over``: the name of an input (one task for each shard of its records), ``CORPUS``, a number of tasks, each of which gets
    its own number, from 0, as its only record, a function from the number of records of the primary input to such a number,
    or empty (one task without records). The files of a step with an empty ``over`` become part of the stage's output; the
    others are deleted when the output is committed. ``after``: the step follows ``run``. ``keeps``: later stages read its
    files, so the stage's fingerprint identifies their content. ``withdraws``: the step writes a rejection of each record of
    ``run`` that it withdraws into ``WITHDRAWN``, JSON lines that replace these records in the output. ``run`` gets (records,
    settings, context) and is a function of a module, because workers pickle it.
    """

    name: str
    run: Callable[[Iterator[Any], Any, Context], None]
    over: str | int | Callable[[int], int] = ""
    unit: str = "records"
    after: bool = False
    keeps: bool = False
    withdraws: bool = False


# The file of a step that withdraws records of ``run``.
WITHDRAWN = "withdrawn.jsonl"
# The key of ``Stage.shares`` for the run's seed, and the function that says that the output depends on it.
SEED = "seed"


def by_seed(_: Section) -> tuple[str, ...]:
    """See ``SEED``."""
    return (SEED,)


# The rejection reason, if a stage declares it, of a record whose id an earlier record has. The stage keeps the order of its inputs.
DUPLICATE_ID = "duplicate-id"


@dataclass(frozen=True)
class Stage:
    """A stage's descriptor. The first sentence of the docstring of ``run`` says what the stage does.

    - ``reads``: the stages that it needs. Every record of the first one, its primary input, is accounted for. A stage
      that reads none reads the corpus through its first port.
    - ``ports``: the backends that it may use.
    - ``conditions``: for an input or a port that it needs only with some settings, a function of the settings that says whether
      it does. A function of a module, as all functions here, because workers pickle the descriptor.
    - ``shares``: sections of other stages whose settings its output depends on, too, each with a function of its own
      settings that returns the keys on which it depends; none: it does not depend on the section. With ``SEED``, the output
      depends on the run's seed.
    - ``steps``: the steps before and after ``run``, in order.
    - ``block``: the results may depend on which records share a block of this size (the batches of a model); a shard is a
      multiple of it. 0: the stage needs all records at once (scope ``set``), and ``run`` is one task.
    - ``reasons``: each rejection reason; ``rules``: each rule that refuses a person or a candidate. Both in the order in
      which they are tested.
    """

    name: str
    version: int
    reads: tuple[str, ...]
    writes: type[Record]
    run: StageFunction
    config: type[Section] = Section
    ports: tuple[Port[Any], ...] = ()
    conditions: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    shares: Mapping[str, Callable[[Any], tuple[str, ...]]] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    block: int = BLOCK
    reasons: Mapping[str, Rule] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for steps with the same name, and so the same folders."""
        names = [RUN, *(step.name for step in self.steps)]
        if len(set(names)) < len(names):
            raise ValueError(f"stage {self.name}: the steps need different names, and none may be {RUN!r}")

    @property
    def primary(self) -> str:
        """The stage whose records this stage accounts for; empty if this stage reads the corpus."""
        return self.reads[0] if self.reads else ""

    def rule(self, name: str) -> Rule | None:
        """The rejection reason or rule with this name; None if the stage has none."""
        return self.reasons.get(name) or self.rules.get(name)

    @property
    def scope(self) -> Literal["map", "set"]:
        """``map`` if each input can be processed without those of other blocks, in any shard; ``set`` if not."""
        return "map" if self.block else "set"

    @property
    def is_seeded(self) -> bool:
        """Whether the output depends on the run's seed."""
        return SEED in self.shares

    @property
    def duplicates(self) -> str:
        """The rejection reason of a record whose id an earlier record has; empty if the ids are unique."""
        return DUPLICATE_ID if DUPLICATE_ID in self.reasons else ""

    @property
    def has_own_files(self) -> bool:
        """Whether it writes files of its own that later stages read."""
        return any(step.keeps for step in self.steps)

    @property
    def output_steps(self) -> tuple[str, ...]:
        """The names of the steps whose files become part of the output: those of one task, and ``run`` of a ``set`` stage."""
        singles = tuple(step.name for step in self.steps if not step.over)
        return (*singles, RUN) if self.scope == "set" else singles

    def ports_for(self, section: Section) -> tuple[Port[Any], ...]:
        """The ports that the stage uses with these settings."""
        return tuple(port for port in self.ports if self._needs(port, section))

    def _needs(self, name: str, section: Section) -> bool:
        return name not in self.conditions or self.conditions[name](section)

    def configured(self, section: Section) -> Stage:
        """The stage without the inputs that it does not need with these settings."""
        reads = tuple(name for name in self.reads if self._needs(name, section))
        return self if reads == self.reads else replace(self, reads=reads)

    def shared_keys(self, section: Section) -> dict[str, tuple[str, ...]]:
        """The sections of other stages that the stage depends on with these settings, each with the keys."""
        others = {name: keys_of(section) for name, keys_of in self.shares.items() if name != SEED}
        return {name: keys for name, keys in others.items() if keys}


def blocks(inputs: Iterable[Any], size: int = BLOCK) -> Iterator[list[Any]]:
    """Group inputs into lists of ``size``. The grouping does not depend on shards, which are multiples of a block."""
    records = iter(inputs)
    while block := list(itertools.islice(records, size)):
        yield block
