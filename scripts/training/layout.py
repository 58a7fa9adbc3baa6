"""Where the training data is and where the products go.

The data folder has ``ud/`` (CoNLL-U and text), ``trees/`` (bracketed trees, one a line) and ``ner/`` (JSON lists of
``{"text", "ner"}``). Every file may be gzipped.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

Sentence = list[dict[str, str]]
PARTS = ("tokenize", "pos", "ner", "constituency", "pretrain")


def find(path: Path) -> Path:
    """Return ``path`` or ``path.gz``, whichever is there."""
    packed = path.with_name(path.name + ".gz")
    for candidate in (path, packed):
        if candidate.is_file():
            return candidate
    raise SystemExit(
        f"train_models.py: neither {path} nor {packed.name} is there; see docs/howto/train-models.md for the layout"
    )


def read_text(path: Path) -> str:
    """Read a text file, gzipped or not; the suffix .gz may be left out."""
    found = find(path)
    if found.suffix == ".gz":
        with gzip.open(found, "rt", encoding="utf-8") as stream:
            return stream.read()
    return found.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Workplace:
    """The two folders of a training run, and the options that all parts share."""

    data: Path
    work: Path
    seed: int = 1234
    steps: int | None = None
    pretrain_file: Path | None = None

    @property
    def pretrain(self) -> Path:
        """The word vectors that pos, ner and constituency are trained over."""
        return self.pretrain_file or self.model("pretrain")

    def model(self, part: str) -> Path:
        """Where the full-precision model of a part is."""
        return self.work / f"{part}.pt"

    def need(self, part: str) -> Path:
        """Return the model of a part, or say which subcommand makes it."""
        path = self.pretrain if part == "pretrain" else self.model(part)
        if path.is_file():
            return path
        maker = {"tokenize": "tokenizer", "pretrain": "vectors"}.get(part, part)
        raise SystemExit(f"train_models.py: {path} is not there; run the subcommand {maker} first")

    def text(self, *names: str) -> str:
        """Read one or more files of the data folder as one text."""
        return "".join(read_text(self.data / name) for name in names)

    def ner(self, name: str) -> list[Sentence]:
        """Read an annotated file of ``ner/``; empty sentences are left out."""
        sentences: list[Sentence] = json.loads(self.text(f"ner/{name}.json"))
        return [sentence for sentence in sentences if sentence]

    def write(self, name: str, text: str) -> Path:
        """Write a file that a trainer of Stanza reads."""
        path = self.work / "prepared" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def prepared(self, name: str, maker: str) -> Path:
        """Return a file that an earlier subcommand wrote, or say which one that is."""
        path = self.work / "prepared" / name
        if not path.is_file():
            raise SystemExit(f"train_models.py: {path} is not there; run the subcommand {maker} first")
        return path
