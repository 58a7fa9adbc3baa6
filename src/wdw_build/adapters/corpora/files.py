"""Which files a corpus is: a file, a folder (searched to any depth), a glob, or standard input ("-").

Hidden files, and folders behind symbolic links, are left out. A link to a file outside of the corpus is found but not
followed: a corpus that was unpacked from somewhere must not reach into the rest of the disk.
"""

from __future__ import annotations

import functools
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO

from wdw_build.adapters.corpora.streams import packing_of
from wdw_build.errors import FixCommand, FixConfig, ProvideResource

STDIN = Path("-")
_PIPE_AGAIN = "Pipe the corpus into every command that looks at it (all, run, status), or save it to a file."


def find_files(path: Path, endings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    """The folder that places are relative to, and the files of a path, sorted.

    A folder gives the files with one of ``endings``; a file that is named, or meant by a glob, is taken as it is.
    Raises ``ProvideResource`` if nothing is found or the path cannot be looked at.
    """
    try:
        root, files = _look(path, endings)
    except OSError as error:
        raise out_of_reach(path, error) from error
    files.sort(key=lambda file: file.relative_to(root).as_posix())
    return root, files


def astray(file: Path, root: Path) -> str:
    """Why a file that was found by searching is not followed, empty for most: it is a link to nowhere or out of the corpus."""
    if not file.is_symlink():
        real = _real(file.parent)  # a glob may lead through a folder that is a link
    elif file.exists():
        real = file.resolve()
    else:
        return "a link that leads nowhere"
    if not real.is_relative_to(_real(root)):
        return "a link that leads out of the corpus; corpus.options.follow_links lets it"
    return ""


@functools.lru_cache(maxsize=1024)
def _real(folder: Path) -> Path:
    return folder.resolve()


def spool(stream: IO[bytes], folder: Path) -> Path:
    """Copy standard input into ``folder``, so that it can be hashed before it is read; packed input keeps its packing.

    Raises ``FixCommand`` on a terminal and ``ProvideResource`` if nothing comes or it cannot be kept.
    """
    if stream.isatty():
        raise FixCommand("corpus.path is - and standard input is a terminal", hint=_PIPE_AGAIN)
    head = stream.read(8)
    if not head:
        raise ProvideResource("corpus.path is - and standard input is empty", hint=_PIPE_AGAIN)
    copy = folder / f"stdin{packing_of(head)}"
    try:
        with copy.open("wb") as kept:
            kept.write(head)
            shutil.copyfileobj(stream, kept)
    except OSError as error:
        raise ProvideResource(
            f"Cannot keep standard input: {error}", hint="TMPDIR names a folder with room."
        ) from error
    return copy


def spool_stdin() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Standard input as a file, and the folder that it goes with."""
    folder = tempfile.TemporaryDirectory(prefix="wdw-build-")
    return folder, spool(sys.stdin.buffer, Path(folder.name))


def _look(path: Path, endings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    if path.is_file():
        return path.parent, [path]
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.name.lower().endswith(endings) and _shown(file, path)]
        wanted = f"The folder {path} holds no file that ends in {', '.join(endings)}"
        return path, _some(files, wanted, "Name the files themselves by a glob if they are called otherwise.")
    root, pattern = _split_glob(path)
    if not pattern:
        raise ProvideResource(f"There is no file or folder {path}", hint="Set corpus.path to where the corpus is.")
    if ".." in Path(pattern).parts:
        raise FixConfig(f"corpus.path: {path} goes up again behind a wildcard", hint="Name the folder without '..'.")
    try:
        files = [file for file in root.glob(pattern) if _shown(file, root)]
    except ValueError as error:
        message = f"corpus.path: {path} is no valid glob: {error}"
        raise FixConfig(message, hint="'**' stands for whole folders, between slashes.") from None
    return root, _some(files, f"No file matches {path}", "Set corpus.path to where the corpus is.")


def _some(files: list[Path], wanted: str, hint: str) -> list[Path]:
    if not files:
        raise ProvideResource(wanted, hint=hint)
    return files


def _shown(file: Path, root: Path) -> bool:
    """Whether it is a file, or a link that is no folder, and not hidden."""
    if not (file.is_file() or (file.is_symlink() and not file.exists())):
        return False
    return not any(part.startswith(".") for part in file.relative_to(root).parts)


def _split_glob(path: Path) -> tuple[Path, str]:
    """The folder before the first part with a wildcard, and the pattern from there on (empty: no wildcard)."""
    for position, part in enumerate(path.parts):
        if any(sign in part for sign in "*?["):
            return Path(*path.parts[:position]), "/".join(path.parts[position:])
    return path, ""


def out_of_reach(path: Path, error: OSError) -> ProvideResource:
    """The error for a file that cannot be read."""
    reason = error.strerror or type(error).__name__
    return ProvideResource(f"Cannot read {path}: {reason}", hint="Check that the file is there and may be read.")
