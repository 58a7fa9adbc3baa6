"""The section ``nlp``, and the Stanza models that it names: the shipped ones, Stanza's English package, or a folder."""

from __future__ import annotations

import importlib.metadata
import os
from dataclasses import dataclass
from pathlib import Path

from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.section import AddedRule, Section
from wdw_build.errors import MissingResourceError


class NlpConfig(Section, frozen=True):
    """The models that annotate text, and how their results are corrected."""

    models: str = "bundled"
    """`bundled`: the models of this package; `en`: Stanza's full English package; or a folder of models."""
    second_opinion: AddedRule = True
    """Use a second tagger to check sentences in which the first tagger finds a person."""
    repair_mentions: AddedRule = True
    """Correct the boundaries of persons' names, such as Chen Shui-bian, and remove web handles."""


BUNDLED = Path(__file__).parents[2] / "models"
PROCESSORS = ("tokenize", "pos", "ner", "constituency")


@dataclass(frozen=True)
class ModelSet:
    """A folder of models in Stanza's layout, and the name of the package in it."""

    folder: Path
    package: str

    def files(self) -> list[Path]:
        """All model files. Raises ``MissingResourceError`` if there are none."""
        files = sorted(self.folder.glob("en/*/*.pt"))
        if not files or not (self.folder / "resources.json").exists():
            raise MissingResourceError(
                f"no Stanza models in {self.folder}",
                hint="set nlp.models to bundled, or to a folder with resources.json and en/<part>/*.pt; for the full "
                "package: python -c \"import stanza; stanza.download('en')\"",
            )
        return files

    @property
    def identity(self) -> str:
        """Stanza's version and a hash over the model files."""
        hashes = {str(path.relative_to(self.folder)): hash_file(path) for path in self.files()}
        return f"stanza {importlib.metadata.version('stanza')}, models {digest(hashes)[:16]}"


def find_models(name: str) -> ModelSet:
    """The models for ``bundled``, for ``en`` (the folder to which ``stanza.download`` writes), or in another folder."""
    if name == "bundled":
        return ModelSet(BUNDLED, "wdw")
    if name == "en":
        default = os.environ.get("STANZA_RESOURCES_DIR") or Path("~/stanza_resources").expanduser()
        return ModelSet(Path(default), "default")
    folder = Path(name).expanduser()
    package = "wdw" if (folder / "en" / "ner" / "wdw.pt").exists() else "default"
    return ModelSet(folder, package)
