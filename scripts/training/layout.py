"""The folders of the training data and of the results.

The data folder has ``ud/`` (CoNLL-U and text), ``trees/`` (one bracketed tree a line) and ``ner/`` (JSON lists of
``{"text", "ner"}``). Each file may be gzipped.
"""

from __future__ import annotations

import gzip
import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Sentence = list[dict[str, str]]
PARTS = ("tokenize", "pos", "ner", "constituency", "pretrain")


def word_lists(table: str) -> dict[str, Any]:
    """A table of ``names.toml``."""
    tables: dict[str, dict[str, Any]] = tomllib.loads(
        Path(__file__).with_name("names.toml").read_text(encoding="utf-8")
    )
    return tables[table]


def by_weight(entries: Mapping[str, Sequence[str]]) -> list[str]:
    """The entries of each weight, each as many times as its weight says."""
    return [entry for weight, of_weight in entries.items() for entry in of_weight for _ in range(int(weight))]


def find(path: Path) -> Path:
    """Return ``path`` or ``path.gz``, whichever exists."""
    packed = path.with_name(path.name + ".gz")
    for candidate in (path, packed):
        if candidate.is_file():
            return candidate
    raise SystemExit(
        f"train_models.py: neither {path} nor {packed.name} is there; see docs/development/train-models.md for the layout"
    )


def read_text(path: Path) -> str:
    """Read a text file, gzipped or not; ``path`` may omit the suffix .gz."""
    found = find(path)
    if found.suffix == ".gz":
        with gzip.open(found, "rt", encoding="utf-8") as stream:
            return stream.read()
    return found.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Workplace:
    """The data and work folders of a training run, and the options of all parts."""

    data: Path
    work: Path
    seed: int = 1234
    steps: int | None = None
    pretrain_file: Path | None = None

    @property
    def pretrain(self) -> Path:
        """The file with the word vectors of pos, ner and constituency."""
        return self.pretrain_file or self.model("pretrain")

    def model(self, part: str) -> Path:
        """The file of a part's model in full precision."""
        return self.work / f"{part}.pt"

    def need(self, part: str) -> Path:
        """Return the file of a part's model; exit with the subcommand that makes it if it is missing."""
        path = self.pretrain if part == "pretrain" else self.model(part)
        if path.is_file():
            return path
        maker = {"tokenize": "tokenizer", "pretrain": "vectors"}.get(part, part)
        raise SystemExit(f"train_models.py: {path} is not there; run the subcommand {maker} first")

    def text(self, *names: str) -> str:
        """Read files of the data folder as one text."""
        return "".join(read_text(self.data / name) for name in names)

    def ner(self, name: str) -> list[Sentence]:
        """Read a file of ``ner/`` without its empty sentences."""
        sentences: list[Sentence] = json.loads(self.text(f"ner/{name}.json"))
        return [sentence for sentence in sentences if sentence]

    def write(self, name: str, text: str) -> Path:
        """Write an input file for one of Stanza's trainers."""
        path = self.work / "prepared" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def prepared(self, name: str, maker: str) -> Path:
        """Return a file of an earlier subcommand; exit with the subcommand's name if it is missing."""
        path = self.work / "prepared" / name
        if not path.is_file():
            raise SystemExit(f"train_models.py: {path} is not there; run the subcommand {maker} first")
        return path
