"""Write a dataset into one file for each split and level, as the problems come; shared by the exporters."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from wdw_build.records import SplitAssignment


@dataclass(frozen=True)
class SplitFiles:
    """The files of a format (paths from the export's folder) and what stands at their beginning, end and in between.

    The relaxed training set holds all strict training problems and those that only the relaxed level keeps. A format
    with a file for each problem gives folders.
    """

    train: str
    relaxed: str
    validation: str
    test: str
    head: bytes = b""
    foot: bytes = b""
    between: bytes = b""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """All of them."""
        return self.train, self.relaxed, self.validation, self.test

    def of(self, placed: SplitAssignment) -> tuple[str, ...]:
        """The files that a problem stands in. Raises ``ValueError`` for a place that no file is for."""
        places = {
            ("strict", "train"): (self.train, self.relaxed),
            ("relaxed", "train"): (self.relaxed,),
            ("strict", "validation"): (self.validation,),
            ("strict", "test"): (self.test,),
        }
        if (placed.level, placed.split) not in places:
            raise ValueError(f"{placed.id}: no file is for {placed.level} problems of {placed.split}")
        return places[placed.level, placed.split]

    def write(self, folder: Path, problems: Iterable[tuple[SplitAssignment, bytes]]) -> dict[str, list[str]]:
        """Write each problem's bytes into its files; returns the ids in each file. A split without problems: an empty one."""
        written: dict[str, list[str]] = {name: [] for name in self.names}
        with ExitStack() as stack:
            streams = {}
            for name in written:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                streams[name] = stack.enter_context((folder / name).open("wb"))
                streams[name].write(self.head)
            for placed, content in problems:
                for name in self.of(placed):
                    streams[name].write(self.between + content if written[name] else content)
                    written[name].append(placed.id)
            for stream in streams.values():
                stream.write(self.foot)
        return written
