"""What the exporters share: one file for each split and level, and the statements of the section ``release``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, TypeVar

from wdw_build.ports import ALTERNATIVE, ReleaseConfig
from wdw_build.records import Problem, SplitAssignment

T = TypeVar("T")

RELEASE = "RELEASE.md"
ABOUT_ALTERNATIVES = (
    "Training alternatives (`{file}`) are for training only. They are not suppressed: baselines and systems that do not read the "
    "passage may solve them well above chance, so an accuracy on them says nothing. Several of them may have the same question. "
    "None has an article or an event in common with a validation or test problem, or reveals its answer."
)
_LABELS = {
    "version": "Version",
    "authors": "Authors",
    "licence": "Licence",
    "source_licence": "Licence of the articles",
    "contact": "Contact",
    "citation": "Citation",
}


@dataclass(frozen=True)
class SplitFiles:
    """The four files of a format, relative to the export's folder, and the bytes around the problems in each file.

    The relaxed training file holds the problems that only the relaxed level keeps, and all strict training problems. A
    format with one file for each problem names folders instead. ``alternatives``: the file of training alternatives, which is
    written only if there are some; empty if the format has none.
    """

    train: str
    relaxed: str
    validation: str
    test: str
    alternatives: str = ""
    head: bytes = b""
    foot: bytes = b""
    between: bytes = b""

    @classmethod
    def flat(cls, folder: str, suffix: str, **around: bytes) -> SplitFiles:
        """Files with the usual names in one folder, such as ``train.relaxed.jsonl``."""
        train, relaxed, validation, test, alternatives = (
            f"{folder}{name}{suffix}" for name in ("train", "train.relaxed", "validation", "test", "train.alternatives")
        )
        return cls(train, relaxed, validation, test, alternatives, **around)

    @property
    def names(self) -> tuple[str, str, str, str]:
        """The four files of the dataset."""
        return self.train, self.relaxed, self.validation, self.test

    def of(self, placed: SplitAssignment) -> tuple[str, ...]:
        """The files that hold a problem. Raises ``ValueError`` for a level and split without a file."""
        places = {
            ("strict", "train"): (self.train, self.relaxed),
            ("relaxed", "train"): (self.relaxed,),
            ("strict", "validation"): (self.validation,),
            ("strict", "test"): (self.test,),
            (ALTERNATIVE, "train"): (self.alternatives,),
        }
        if not all(places.get((placed.level, placed.split), ("",))):
            raise ValueError(f"{placed.id}: there is no file for {placed.level} problems of {placed.split}")
        return places[placed.level, placed.split]

    def write(self, folder: Path, problems: Iterable[tuple[SplitAssignment, bytes]]) -> dict[str, list[str]]:
        """Write each problem's bytes into its files; return the ids in each file. A file may hold no problems."""
        return self.fill(folder, problems, self._bytes_file)

    @contextmanager
    def _bytes_file(self, path: Path) -> Iterator[Callable[[bytes], None]]:
        with path.open("wb") as stream:
            stream.write(self.head)
            before = b""

            def add(content: bytes) -> None:
                nonlocal before
                stream.write(before + content)
                before = self.between

            yield add
            stream.write(self.foot)

    def fill(
        self,
        folder: Path,
        problems: Iterable[tuple[SplitAssignment, T]],
        open_file: Callable[[Path], AbstractContextManager[Callable[[T], None]]],
    ) -> dict[str, list[str]]:
        """Add each problem to its files; return the ids in each file. A file may hold no problems.

        ``open_file`` opens a new file with a function that adds a problem; leaving the block completes the file.
        """
        written: dict[str, list[str]] = {}
        with ExitStack() as stack:
            adders: dict[str, Callable[[T], None]] = {}

            def begin(name: str) -> None:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                adders[name], written[name] = stack.enter_context(open_file(folder / name)), []

            for name in self.names:
                begin(name)
            for placed, content in problems:
                for name in self.of(placed):
                    if name not in adders:
                        begin(name)
                    adders[name](content)
                    written[name].append(placed.id)
        return written


class WithRelease:
    """Base of exporters that write the statements; ``registry`` sets them."""

    release: ReleaseConfig = ReleaseConfig()

    def write_release(self, folder: Path, name: str, alternatives: str = "") -> dict[str, list[str]]:
        """Write RELEASE.md into the folder of a format without a card; returns the file, or nothing if nothing is said.

        ``alternatives``: the file of training alternatives in the folder; empty if there is none.
        """
        about = ABOUT_ALTERNATIVES.format(file=alternatives) if alternatives else ""
        if self.release == ReleaseConfig() and not about:
            return {}
        (folder / name).mkdir(parents=True, exist_ok=True)
        parts = (f"# {self.release.title or 'Release'}\n", release_text(self.release), f"{about}\n" if about else "")
        (folder / name / RELEASE).write_text("\n".join(filter(None, parts)), encoding="utf-8")
        return {f"{name}/{RELEASE}": []}


def release_text(release: ReleaseConfig) -> str:
    """The statements that are given as a list in Markdown, without the title; empty if none is given."""
    statements = {name: getattr(release, name) for name in _LABELS}
    statements["authors"] = ", ".join(release.authors)
    return "".join(f"- {_LABELS[name]}: {' '.join(text.split())}\n" for name, text in statements.items() if text)


class SplitFileExporter(WithRelease, ABC):
    """Base of the exporters that write one file for each split: a subclass encodes a problem."""

    identity: str
    files: ClassVar[SplitFiles]
    writes_alternatives = True

    @abstractmethod
    def encode(self, problem: Problem, placed: SplitAssignment) -> bytes:
        """The bytes of a problem."""

    def write(self, folder: Path, problems: Iterable[tuple[Problem, SplitAssignment]]) -> dict[str, list[str]]:
        """Write the files one problem at a time; return the ids in each file.

        Raises ``ValueError`` for a level and split without a file, such as a relaxed problem in the test set.
        """
        encoded = ((placed, self.encode(problem, placed)) for problem, placed in problems)
        return self.describe(folder, self.files.write(folder, encoded))

    def describe(self, folder: Path, written: dict[str, list[str]]) -> dict[str, list[str]]:
        """Write what describes the dataset beside the ``written`` files; return the ids in each file, theirs included."""
        name, _, alternatives = self.files.alternatives.partition("/")
        return written | self.write_release(folder, name, alternatives if self.files.alternatives in written else "")
