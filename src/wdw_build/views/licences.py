"""The licences of what the program runs on: installed packages, the Java libraries in Pyserini's jar, KenLM's programs, and models.

Licences are copied from what each part declares, and not judged. Where a part declares none, ``NOTICE`` is used if it states
one; otherwise the licence is unknown, and the source names the licence files to read.
"""

from __future__ import annotations

import importlib.metadata
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

import wdw_build
from wdw_build.core.config.settings import Config
from wdw_build.core.installed import requirement_name
from wdw_build.views.table import Row, Table, terminal

MODELS = Path(wdw_build.__file__).parent / "models"
UNKNOWN = "not declared"
_NOTICE = "NOTICE"
# Parts whose files declare no licence in their metadata; NOTICE states it.
_STATED = {"kenlm": "LGPL-2.1-or-later"}
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_POM_LICENCE = re.compile(r"<license>\s*<name>([^<]+)</name>")
_POM = re.compile(r"META-INF/maven/([^/]+)/([^/]+)/pom\.xml")
# The header of a model's README.md on a model hub.
_CARD_LICENCE = re.compile(r"\A---\n(?:.*\n)*?license:\s*(\S+)\n")


class Licence(msgspec.Struct, frozen=True):
    """The licence of one part; ``licence`` is empty if it could not be determined. ``source`` says where it is declared."""

    kind: str
    name: str
    version: str
    licence: str
    source: str


def licences(config: Config | None) -> list[Licence]:
    """The licences of all parts: packages, programs, the bundled models, and the models that a configuration names."""
    from wdw_build.adapters.kenlm_build import KENLM

    # ``setup`` compiles KenLM's programs, with Boost libraries.
    programs = [
        Licence("programs", "lmplz, build_binary", KENLM, _STATED["kenlm"], _NOTICE),
        Licence("programs", "Boost libraries of lmplz", "", "BSL-1.0", _NOTICE),
    ]
    stated = msgspec.json.decode((MODELS / "manifest.json").read_bytes(), type=_Terms).licences
    bundled = [Licence("bundled models", name, "", licence, _NOTICE) for name, licence in stated.items()]
    configured = [
        Licence("configured models", f"{key}: {folder}", "", *_folder_licence(Path(folder).expanduser()))
        for key, folder in (_configured(config) if config else ())
    ]
    return [*_packages(), *_java_libraries(), *programs, *bundled, *configured]


def licence_table(found: Sequence[Licence]) -> str:
    """The licences as text, grouped by kind, and the names of the parts without a declared licence."""
    rows: list[Row | str] = []
    for kind, parts in groupby(found, key=lambda part: part.kind):
        rows += [kind, *((part.name, part.version, part.source, part.licence or UNKNOWN) for part in parts)]
    unknown = [part.name for part in found if not part.licence]
    summary = f"{len(unknown)} of {len(found)} could not be determined" + (f": {', '.join(unknown)}" if unknown else "")
    return f"{terminal(Table(('Name', 'version', 'declared in', 'licence'), rows, words=4))}\n\n{summary}"


# ---- packages ---------------------------------------------------------------------------------------------------------


def _packages() -> Iterator[Licence]:
    """Yield the installed packages that wdw-build needs, directly or not, those of its extras included."""
    for package in sorted(_needed(), key=lambda package: package.name.lower()):
        licence, source = package_licence(package)
        yield Licence("packages", package.name, package.version, licence, source)


def _needed() -> list[importlib.metadata.Distribution]:
    """wdw-build and the installed packages that it requires. Optional requirements are followed for wdw-build alone."""
    waiting, needed = ["wdw-build"], dict[str, importlib.metadata.Distribution]()
    while waiting:
        name = requirement_name(waiting.pop())
        if name in needed:
            continue
        try:
            package = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        needed[name] = package
        requirements = package.requires or []
        waiting += [text for text in requirements if name == "wdw-build" or not _EXTRA.search(text)]
    return list(needed.values())


def package_licence(package: importlib.metadata.Distribution) -> tuple[str, str]:
    """The licence that a package's metadata declare, and the field; if there is none, NOTICE or the names of its licence files."""
    metadata = package.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"], "License-Expression"
    classifiers = [line.split(" :: ") for line in metadata.get_all("Classifier") or []]
    names = [parts[-1] for parts in classifiers if parts[0] == "License" and len(parts) > 2]
    if names:
        return " or ".join(names), "classifiers"
    text = metadata["License"].strip() if "License" in metadata else ""
    if text and text.upper() != "UNKNOWN":
        return text.splitlines()[0].strip(), "License"
    if stated := _STATED.get(package.name.lower()):
        return stated, _NOTICE
    files = [Path(name).name for name in metadata.get_all("License-File") or []]
    return "", f"read {', '.join(files)}" if files else ""


# ---- programs ---------------------------------------------------------------------------------------------------------


def _java_libraries() -> Iterator[Licence]:
    """Yield Pyserini's jar with Lucene, and the libraries in it that describe themselves (Maven's pom.xml)."""
    from wdw_build.adapters.lucene_java import jar

    path = jar()
    kind = f"Java libraries in {path.name}"
    yield Licence(kind, "org.apache.lucene", "", "Apache-2.0", _NOTICE)
    with zipfile.ZipFile(path) as files:
        names = set(files.namelist())
        for found in sorted(filter(None, map(_POM.fullmatch, names)), key=lambda match: match[0]):
            properties = found[0].removesuffix("pom.xml") + "pom.properties"
            text = files.read(properties).decode("utf-8", "replace") if properties in names else ""
            version = re.search(r"^version=(\S+)", text, re.MULTILINE)
            licence = " or ".join(_POM_LICENCE.findall(files.read(found[0]).decode("utf-8", "replace")))
            yield Licence(
                kind, f"{found[1]}:{found[2]}", version[1] if version else "", licence, "pom.xml" if licence else ""
            )


# ---- models -----------------------------------------------------------------------------------------------------------


class _Terms(msgspec.Struct):
    licences: dict[str, str]


def _configured(config: Config) -> Iterator[tuple[str, str]]:
    """Yield the keys that name models, and their values."""
    from wdw_build.adapters.stanza.models import find_models

    if config.nlp.models != "bundled":
        yield "nlp.models", str(find_models(config.nlp.models).folder)
    named = {"bench.vectors": config.bench.vectors, "bench.encoder": config.bench.encoder}
    for system, settings in config.bench.settings.items():
        named[f"bench.settings.{system}.model"] = str(settings.get("model", ""))
    yield from ((key, path) for key, path in named.items() if path)


def _folder_licence(folder: Path) -> tuple[str, str]:
    """The licence in the header of a model's README.md; without one, the names of licence files."""
    card = folder / "README.md"
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    if found := _CARD_LICENCE.match(text):
        return found[1], card.name
    files = sorted(path.name for path in folder.glob("LICEN[CS]E*"))
    return "", f"read {', '.join(files)}" if files else ""
