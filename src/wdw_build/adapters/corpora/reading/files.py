"""Finds the files of a corpus: one file, a folder and its subfolders, a glob, or standard input (``-``).

The search skips hidden files and does not enter folders behind symbolic links. It finds a link to a file outside of the
corpus but does not follow the link: an unpacked corpus must not give access to the rest of the disk.
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

from wdw_build.adapters.corpora.reading.streams import packing_of
from wdw_build.errors import ConfigError, MissingResourceError, UsageError

STDIN = Path("-")
# The errors of a broken or circular link and of a file that was deleted meanwhile. Other errors are raised.
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_PIPE_AGAIN = "Pipe the corpus into every command that reads it (all, run, status), or save it to a file."


def find_files(path: Path, suffixes: tuple[str, ...], packings: tuple[str, ...] = ("",)) -> tuple[Path, list[Path]]:
    """Return the folder that file names are relative to, and the sorted files.

    In a folder, the search takes files whose names end in a suffix followed by a packing (``.gz``; empty for none). It
    takes a file that the path names, or that a glob matches, whatever its name ends in. Raises
    ``MissingResourceError`` if there is no file, or if the path or a subfolder cannot be read.
    """
    try:
        root, files = _search(path, suffixes, packings)
    except OSError as error:
        raise cannot_read(Path(error.filename or path), error) from error
    files.sort(key=lambda file: file.relative_to(root).as_posix())
    return root, files


def root_of(path: Path) -> Path:
    """The folder that the file names of a corpus are relative to."""
    kind = _mode(path)
    if stat.S_ISREG(kind):
        return path.parent
    return path if stat.S_ISDIR(kind) else _split_glob(path)[0]


def why_not_followed(file: Path, root: Path) -> str:
    """Say why a file must not be read: its link is broken or leads out of the corpus. Empty for all other files."""
    if not file.is_symlink():
        real = _resolved(file.parent)  # a glob may match a folder that is a link
    elif file.exists():
        real = file.resolve()
    else:
        return "a link that leads nowhere"
    if not real.is_relative_to(_resolved(root)):
        return "a link that leads out of the corpus; set corpus.options.follow_links to read it"
    return ""


@functools.lru_cache(maxsize=1024)
def _resolved(folder: Path) -> Path:
    return folder.resolve()


def spool_stdin() -> tuple[tempfile.TemporaryDirectory[str], Path]:
    """Copy standard input into a file, so that it can be hashed before it is read. The suffix names its compression.

    Returns the temporary folder, which deletes the file with it, and the file. Raises ``UsageError`` on a terminal, and
    ``MissingResourceError`` if the input is empty or the disk is full.
    """
    stream = sys.stdin.buffer
    if stream.isatty():
        raise UsageError("corpus.path is - and standard input is a terminal", hint=_PIPE_AGAIN)
    head = stream.read(8)
    if not head:
        raise MissingResourceError("corpus.path is - and standard input is empty", hint=_PIPE_AGAIN)
    folder = tempfile.TemporaryDirectory(prefix="wdw-build-")
    copy = Path(folder.name) / f"stdin{packing_of(head)}"
    try:
        with copy.open("wb") as target:
            target.write(head)
            shutil.copyfileobj(stream, target)
    except OSError as error:
        raise MissingResourceError(
            f"Cannot store standard input: {error}", hint="Set TMPDIR to a folder with enough space."
        ) from error
    return folder, copy


def entries(folder: Path) -> list[os.DirEntry[str]]:
    """The entries of a folder that are not hidden. Raises ``MissingResourceError`` if the folder cannot be listed."""
    try:
        with os.scandir(folder) as scan:
            return [entry for entry in scan if not entry.name.startswith(".")]
    except OSError as error:
        raise cannot_read(folder, error) from error


def _search(path: Path, suffixes: tuple[str, ...], packings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    kind = _mode(path)
    if stat.S_ISREG(kind):
        return path.parent, [path]
    if stat.S_ISDIR(kind):
        endings = tuple(suffix + packing for suffix in suffixes for packing in packings)
        candidates = (file for _, files_in_folder in _walk(path) for file in files_in_folder)
        files = [file for file in candidates if file.name.lower().endswith(endings) and _is_listed(file)]
        compressed = ", compressed or not" if any(packings) else ""
        message = f"The folder {path} holds no file that ends in {', '.join(suffixes)}{compressed}"
        return path, _not_empty(files, message, "If the files have other names, give a glob that matches them.")
    root, pattern = _split_glob(path)
    if not pattern:
        raise MissingResourceError(f"there is no file or folder {path}", hint="set corpus.path to the corpus")
    if ".." in pattern:
        raise ConfigError(f"corpus.path: {path} has '..' after a wildcard", hint="Name the folder without '..'.")
    if any("**" in part and part != "**" for part in pattern):
        message = f"corpus.path: {path} is not a valid glob: '**' must be a whole part of the path"
        raise ConfigError(message, hint="Write '**' between slashes; it matches any number of folders.")
    files = list(dict.fromkeys(file for file in _matching(root, pattern) if _is_listed(file)))
    return root, _not_empty(files, f"no file matches {path}", "set corpus.path to the corpus")


def _walk(folder: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Yield the folder and every subfolder that is neither hidden nor a link, each with its files.

    Raises ``MissingResourceError`` for a folder that cannot be listed, while ``Path.rglob`` skips it silently.
    """
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        content = entries(current)
        folders = {entry.path for entry in content if entry.is_dir(follow_symlinks=False)}
        waiting += map(Path, sorted(folders))
        yield current, [Path(entry.path) for entry in content if entry.path not in folders]


def _matching(folder: Path, pattern: Sequence[str]) -> Iterator[Path]:
    """Yield the paths below a folder that match the parts of a glob. With two ``**``, a path may come repeatedly."""
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
    """The entries of a folder that match one part of a glob. A part without a wildcard needs no listing."""
    if part.startswith("."):
        return []
    if not _has_wildcard(part):
        return [folder / part] if _mode(folder / part) else []
    return [Path(entry.path) for entry in entries(folder) if fnmatch.fnmatchcase(entry.name, part)]


def _not_empty(files: list[Path], message: str, hint: str) -> list[Path]:
    if not files:
        raise MissingResourceError(message, hint=hint)
    return files


def _mode(path: Path) -> int:
    """Type and permissions of a path, links followed; 0 if it does not exist. Raises ``OSError`` for other errors."""
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno in _NOT_THERE:
            return 0
        raise
    except ValueError:  # a path with a null byte does not exist
        return 0


def _is_listed(file: Path) -> bool:
    """Whether the path is a file or a broken link; the reader reports broken links."""
    kind = _mode(file)
    return stat.S_ISREG(kind) or (not kind and file.is_symlink())


def _has_wildcard(part: str) -> bool:
    return any(sign in part for sign in "*?[")


def _split_glob(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder before the first wildcard, and the parts from there on; no parts if there is no wildcard."""
    for position, part in enumerate(path.parts):
        if _has_wildcard(part):
            return Path(*path.parts[:position]), path.parts[position:]
    return path, ()


def cannot_read(path: Path, error: OSError) -> MissingResourceError:
    """The error for a file or folder of the corpus that cannot be read."""
    reason = error.strerror or type(error).__name__
    hint = "Check that the file exists and that you may read it."
    if isinstance(error, PermissionError):
        hint = f"Make it readable (chmod -R u+rX {path}), or remove it from the corpus."
    return MissingResourceError(f"Cannot read {path}: {reason}", hint=hint)
