"""The stage contract: a plain generator of records and rejections, and a frozen descriptor.

A stage's ``run`` gets its inputs one by one and yields, for every input, one record or one ``Rejection`` with the same
id. It neither counts nor writes nor knows of shards, workers or files; ``core.runner`` does all that once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol

from wdw_build.core.config.settings import Section
from wdw_build.core.run.progress import Progress
from wdw_build.core.run.workers import Pool
from wdw_build.core.store.output import Output
from wdw_build.records import Record, Rejection


class PortSource(Protocol):
    """Gives a stage its backends. It can be pickled; a backend is made once a process, when first asked for."""

    def get(self, port: str) -> Any:
        """The backend of that port."""
        ...

    def identity(self, port: str) -> str:
        """The backend's identity, without loading it."""
        ...

    def check(self, port: str) -> None:
        """Raise ``MissingResourceError`` if the backend lacks something on this machine."""
        ...

    def take_devices(self, ports: Sequence[str]) -> tuple[str, ...]:
        """Where models of those ports computed since this was last asked: cpu, cuda, both, or nowhere."""
        ...


@dataclass(frozen=True)
class Context:
    """What a stage may use besides its inputs."""

    seed: int
    inputs: Mapping[str, Output]
    folder: Path
    ports: PortSource
    progress: Progress
    pool: Pool

    def port(self, name: str) -> Any:
        """A backend by name."""
        return self.ports.get(name)

    def read(self, stage: str) -> Iterator[Any]:
        """All records of another input."""
        return self.inputs[stage].records()

    def find(self, stage: str, record_id: str) -> Any:
        """One record of an input by id. Raises ``KeyError`` if it is not there: ids come from records, never guessed."""
        found = self.inputs[stage].find(record_id)
        if found is None:
            raise KeyError(f"{stage} has no record {record_id}")
        return found


BLOCK = 512

Run = Callable[[Iterator[Any], Any, Context], Iterator[Record | Rejection]]


@dataclass(frozen=True)
class Stage:
    """A stage's descriptor.

    ``reads``: the stages it needs; every record of the first is accounted for. Empty: it reads the corpus through its
    first port. ``scope``: ``map`` if each input can be run without the others (in any shard), ``set`` if not.
    ``reasons``: every rejection reason with its meaning; ``rules``: every rule that refuses a person or a candidate.
    ``decided_by``: for a reason or rule, the keys of ``config`` that it depends on; ``diff`` names them as causes.
    ``ports``: the backends it may use. ``ports_if``: those of them that it needs only if the function says so of its section;
    the functions stand at module level, for workers pickle them.
    ``seeded``: it draws by the run's seed. ``opaque``: it leaves files of its own that later stages read, so its
    fingerprint stands for its content. ``unit``: what the inputs are, for progress bars. ``block``: a map stage's
    results may depend on which records share a block of so many (batches of a model); shards are multiples of it.
    """

    name: str
    version: int
    reads: tuple[str, ...]
    writes: type[Record]
    config: type[Section]
    run: Run
    ports: tuple[str, ...] = ()
    ports_if: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    scope: Literal["map", "set"] = "map"
    reasons: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    decided_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    opaque: bool = False
    seeded: bool = False
    unit: str = "articles"
    block: int = BLOCK
    summary: str = ""

    def ports_for(self, section: Section) -> tuple[str, ...]:
        """The ports that the stage uses with these settings."""
        return tuple(port for port in self.ports if port not in self.ports_if or self.ports_if[port](section))


def blocks(inputs: Iterable[Any], size: int = BLOCK) -> Iterator[list[Any]]:
    """Group inputs into blocks whose limits do not depend on shards: a shard is a multiple of a block."""
    block: list[Any] = []
    for record in inputs:
        block.append(record)
        if len(block) == size:
            yield block
            block = []
    if block:
        yield block
