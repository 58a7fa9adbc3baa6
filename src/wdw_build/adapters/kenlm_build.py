"""Builds KenLM's estimator (``lmplz``, ``build_binary``) from the source package of the kenlm wheel, without root.

The kenlm wheel contains the query module only. CMake and Boost come as wheels into a folder that is deleted at the end, so
that no package of the environment changes; the two Boost libraries that the programs need are copied beside them. It takes
about a minute on two cores.

This module imports nothing outside of the standard library: ``make bootstrap`` runs it as a file while the packages are
being installed (``python -P kenlm_build.py PREFIX``), and ``wdw-build setup`` imports it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

KENLM = "0.3.0"
_SHA256 = "c4628bb9fb63c8a6f9240035b8b037385cfc404cb72e933cf48878291edac1e8"
# KenLM does not compile with Boost 1.89 or newer, which has no boost_system library.
_BUILD_WHEELS = ("cmake==4.4.4", "cmeel-boost==1.88.0")
_LIBRARIES = ("program_options", "thread")
# lmplz last: its presence says that the build is complete.
PROGRAMS = ("build_binary", "lmplz")
_LAST_LINES = 25

Say = Callable[[str], None]


class BuildError(Exception):
    """The programs cannot be built. The message says what failed; ``hint`` says what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def built(prefix: Path) -> bool:
    """Whether the programs are in ``prefix/bin`` and estimate a model."""
    return (prefix / "bin" / PROGRAMS[0]).exists() and _runs(prefix / "bin" / PROGRAMS[1])


def build(prefix: Path, say: Say) -> None:
    """Write ``prefix/bin/{lmplz,build_binary}`` and ``prefix/lib/kenlm``. Raises ``BuildError``."""
    _check_tools()
    with tempfile.TemporaryDirectory(prefix="wdw-kenlm-") as folder:
        work = Path(folder)
        say(f"fetching the source of kenlm {KENLM}, CMake and Boost")
        source = _fetch(work)
        say(f"compiling lmplz and build_binary, {os.cpu_count()} files at a time")
        boost = _compile(work, source)
        _install(work / "build" / "bin", boost / "lib", prefix)
    if not built(prefix):
        raise BuildError(f"{prefix / 'bin' / 'lmplz'} was built but does not run", hint="run it, to see its error")


def _runs(lmplz: Path) -> bool:
    """Whether the program estimates a model. Its ``--help`` is no test, because it ends with 1."""
    command = [str(lmplz), "-o", "2", "-S", "64M", "-T", f"{tempfile.gettempdir()}/", "--discount_fallback"]
    try:
        done = subprocess.run(command, input=b"a b\n", capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def _check_tools() -> None:
    for tool in ("g++", "make"):
        if shutil.which(tool) is None:
            raise BuildError(
                f"{tool} is missing; KenLM's estimator must be compiled",
                hint="install a C++ compiler (Debian, Ubuntu: apt-get install build-essential)",
            )
    if importlib.util.find_spec("pip") is None:
        raise BuildError(f"{sys.executable} has no pip", hint=f"{sys.executable} -m ensurepip")


def _fetch(work: Path) -> Path:
    """Download the source and the wheels of the build; returns the folder of the source."""
    hint = "pip must reach a package index (PIP_INDEX_URL); its last lines are above"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    package = [*pip, "download", "--no-deps", "--no-binary", "kenlm", f"kenlm=={KENLM}", "-d", str(work)]
    _step(package, work, "the source of kenlm cannot be fetched", hint)
    wheels = [*pip, "install", "--no-deps", "--target", str(work / "wheels"), *_BUILD_WHEELS]
    _step(wheels, work, "CMake and Boost cannot be fetched", hint)
    archive = work / f"kenlm-{KENLM}.tar.gz"
    sha256 = hashlib.sha256(archive.read_bytes()).hexdigest() if archive.is_file() else "no file"
    if sha256 != _SHA256:
        raise BuildError(
            f"{archive.name} has another SHA-256 than {_SHA256}: {sha256}", hint="use another package index"
        )
    shutil.unpack_archive(archive, work)
    return work / f"kenlm-{KENLM}"


def _compile(work: Path, source: Path) -> Path:
    """Compile the programs into ``build/bin``; returns the folder of Boost."""
    hint = "the compiler's last lines are above"
    boost = work / "wheels" / "cmeel.prefix"
    cmake = str(work / "wheels" / "cmake" / "data" / "bin" / "cmake")
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_POLICY_VERSION_MINIMUM": "3.5",
        "CMAKE_PREFIX_PATH": str(boost),
        "Boost_NO_SYSTEM_PATHS": "ON",
        "CMAKE_INSTALL_RPATH": "$ORIGIN/../lib/kenlm",
        "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
    }
    build = str(work / "build")
    configure = [cmake, "-S", str(source), "-B", build, *(f"-D{key}={value}" for key, value in settings.items())]
    _step(configure, work, "CMake cannot configure KenLM", hint)
    compiling = [cmake, "--build", build, "-j", str(os.cpu_count() or 1), "--target", *PROGRAMS]
    _step(compiling, work, "KenLM cannot be compiled", hint)
    return boost


def _install(programs: Path, libraries: Path, prefix: Path) -> None:
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    (prefix / "lib" / "kenlm").mkdir(parents=True, exist_ok=True)
    for name in _LIBRARIES:
        for library in libraries.glob(f"libboost_{name}.so.*"):
            shutil.copy(library, prefix / "lib" / "kenlm")
    for program in PROGRAMS:
        new = prefix / "bin" / f".{program}.new"
        shutil.copy(programs / program, new)
        new.replace(prefix / "bin" / program)


def _step(command: list[str], work: Path, failure: str, hint: str) -> None:
    """Run a command with its output kept aside; show the end of it only if the command fails."""
    log = work / "log"
    with log.open("wb") as output:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=False)
    if done.returncode:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        print("\n".join(lines[-_LAST_LINES:]), file=sys.stderr)
        raise BuildError(failure, hint)


def main() -> int:
    """Build into the folder of the argument, unless it is done."""
    if len(sys.argv) != 2:
        print("usage: kenlm_build.py PREFIX", file=sys.stderr)
        return 2
    prefix = Path(sys.argv[1]).resolve()
    try:
        if not built(prefix):
            build(prefix, lambda text: print(f"lmplz: {text}", flush=True))
            print(f"lmplz: ready: {prefix / 'bin' / 'lmplz'}")
    except BuildError as error:
        print(f"lmplz: {error}; {error.hint}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
