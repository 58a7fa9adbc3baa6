"""Finds the Stanza models: the shipped ones, or others in a folder that ``scripts/train_models.py bundle`` wrote."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.hashing import digest, hash_file
from wdw_build.errors import MissingResourceError

BUNDLED = Path(__file__).parents[2] / "models"
PACKAGE = "wdw"
PROCESSORS = ("tokenize", "pos", "ner", "constituency")


@dataclass(frozen=True)
class ModelSet:
    """A folder of models in Stanza's layout, as the package ``wdw``."""

    folder: Path

    def files(self) -> list[Path]:
        """All model files. Raises ``MissingResourceError`` if there are none."""
        files = sorted(self.folder.glob("en/*/*.pt"))
        if not files or not (self.folder / "resources.json").exists():
            raise MissingResourceError(
                f"no Stanza models in {self.folder}",
                hint="set nlp.models to bundled, or to a folder that scripts/train_models.py bundle wrote",
            )
        return files

    @property
    def identity(self) -> str:
        """Stanza's version and a hash over the model files."""
        hashes = {str(path.relative_to(self.folder)): hash_file(path) for path in self.files()}
        return f"stanza {importlib.metadata.version('stanza')}, models {digest(hashes)[:16]}"


def find_models(name: str) -> ModelSet:
    """The shipped models for ``bundled``, or those in a folder."""
    return ModelSet(BUNDLED if name == "bundled" else Path(name).expanduser())
