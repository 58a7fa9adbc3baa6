"""Which files a corpus is: a file, a folder (searched to any depth), a glob, or standard input ("-").

Hidden files, and folders behind symbolic links, are left out. A link to a file outside of the corpus is found but not
followed: a corpus that was unpacked from somewhere must not reach into the rest of the disk.
"""

from __future__ import annotations

import errno
import fnmatch
import functools
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from wdw_build.adapters.corpora.reading.streams import packing_of
from wdw_build.errors import ConfigError, MissingResourceError, UsageError

STDIN = Path("-")
# What a link to nowhere or in a circle ends in, and a file that has gone meanwhile. Other errors are raised.
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_PIPE_AGAIN = "Pipe the corpus into every command that looks at it (all, run, status), or save it to a file."


def find_files(path: Path, endings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    """The folder that places are relative to, and the files of a path, sorted.

    A folder gives the files with one of ``endings``; a file that is named, or meant by a glob, is taken as it is.
    Raises ``MissingResourceError`` if nothing is found, or if the path or a folder below it cannot be looked at.
    """
    try:
        root, files = _look(path, endings)
    except OSError as error:
        raise out_of_reach(Path(error.filename or path), error) from error
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

    Raises ``UsageError`` on a terminal and ``MissingResourceError`` if nothing comes or it cannot be kept.
    """
    if stream.isatty():
        raise UsageError("corpus.path is - and standard input is a terminal", hint=_PIPE_AGAIN)
    head = stream.read(8)
    if not head:
        raise MissingResourceError("corpus.path is - and standard input is empty", hint=_PIPE_AGAIN)
    copy = folder / f"stdin{packing_of(head)}"
    try:
        with copy.open("wb") as kept:
            kept.write(head)
            shutil.copyfileobj(stream, kept)
    except OSError as error:
        raise MissingResourceError(
            f"Cannot keep standard input: {error}", hint="TMPDIR names a folder with room."
        ) from error
    return copy


def spool_stdin() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Standard input as a file, and the folder that it goes with."""
    folder = tempfile.TemporaryDirectory(prefix="wdw-build-")
    return folder, spool(sys.stdin.buffer, Path(folder.name))


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """What a folder holds, hidden entries left out. Raises ``MissingResourceError`` if it cannot be listed."""
    try:
        with os.scandir(folder) as found:
            return [entry for entry in found if not entry.name.startswith(".")]
    except OSError as error:
        raise out_of_reach(folder, error) from error


def _look(path: Path, endings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    kind = _mode(path)
    if stat.S_ISREG(kind):
        return path.parent, [path]
    if stat.S_ISDIR(kind):
        below = (file for _, found in _walk(path) for file in found)
        files = [file for file in below if file.name.lower().endswith(endings) and _is_listed(file)]
        wanted = f"The folder {path} holds no file that ends in {', '.join(endings)}"
        return path, _some(files, wanted, "Name the files themselves by a glob if they are called otherwise.")
    root, pattern = _split_glob(path)
    if not pattern:
        raise MissingResourceError(f"There is no file or folder {path}", hint="Set corpus.path to where the corpus is.")
    if ".." in pattern:
        raise ConfigError(f"corpus.path: {path} goes up again behind a wildcard", hint="Name the folder without '..'.")
    if any("**" in part and part != "**" for part in pattern):
        message = f"corpus.path: {path} is no valid glob: '**' can only be a whole part of it"
        raise ConfigError(message, hint="'**' stands for whole folders, between slashes.")
    files = list(dict.fromkeys(file for file in _matching(root, pattern) if _is_listed(file)))
    return root, _some(files, f"No file matches {path}", "Set corpus.path to where the corpus is.")


def _walk(folder: Path) -> Iterator[tuple[Path, list[Path]]]:
    """The folder and those below it at any depth, no hidden ones and no links, each with what in it is no folder.

    ``Path.rglob`` skips a folder that may not be listed, and its articles with it; this raises ``MissingResourceError``.
    """
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        found = entries(current)
        folders = {entry.path for entry in found if entry.is_dir(follow_symlinks=False)}
        waiting += map(Path, sorted(folders))
        yield current, [Path(entry.path) for entry in found if entry.path not in folders]


def _matching(folder: Path, pattern: Sequence[str]) -> Iterator[Path]:
    """What a glob in parts matches below a folder; a file may come more than once if ``**`` stands in it twice."""
    if not stat.S_ISDIR(_mode(folder)):
        return
    part, *rest = pattern
    if part == "**":
        for current, _ in _walk(folder) if rest else ():
            yield from _matching(current, rest)
        return
    for path in _named(folder, part):
        if rest:
            yield from _matching(path, rest)
        else:
            yield path


def _named(folder: Path, part: str) -> list[Path]:
    """The entries of a folder that one part of a glob names; a part without a wildcard is not searched for."""
    if part.startswith("."):
        return []
    if not _has_wildcard(part):
        return [folder / part] if _mode(folder / part) else []
    return [Path(entry.path) for entry in entries(folder) if fnmatch.fnmatchcase(entry.name, part)]


def _some(files: list[Path], wanted: str, hint: str) -> list[Path]:
    if not files:
        raise MissingResourceError(wanted, hint=hint)
    return files


def _mode(path: Path) -> int:
    """The type and permissions behind a path, links followed; 0 if nothing is there. Raises ``OSError`` otherwise."""
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in _NOT_THERE:
            return 0
        raise
    except ValueError:  # a null byte: no file is called so
        return 0


def _is_listed(file: Path) -> bool:
    """Whether it is a file, or a link that leads nowhere, which is reported later."""
    kind = _mode(file)
    return stat.S_ISREG(kind) or (not kind and file.is_symlink())


def _has_wildcard(part: str) -> bool:
    return any(sign in part for sign in "*?[")


def _split_glob(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder before the first part with a wildcard, and the parts from there on (none: no wildcard)."""
    for position, part in enumerate(path.parts):
        if _has_wildcard(part):
            return Path(*path.parts[:position]), path.parts[position:]
    return path, ()


def out_of_reach(path: Path, error: OSError) -> MissingResourceError:
    """The error for a file or folder of the corpus that cannot be read."""
    reason = error.strerror or type(error).__name__
    hint = "Check that the file is there and may be read."
    if isinstance(error, PermissionError):
        hint = f"Let it be read (chmod -R u+rX {path}), or take it out of the corpus."
    return MissingResourceError(f"Cannot read {path}: {reason}", hint=hint)
