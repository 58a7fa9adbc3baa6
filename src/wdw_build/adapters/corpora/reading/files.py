"""Finds the files of a corpus: one file, a folder and its subfolders, or a glob.

The search skips hidden files and does not enter folders behind symbolic links. It finds a link to a file outside of the
corpus but does not follow the link: an unpacked corpus must not give access to the rest of the disk.
"""

from __future__ import annotations

import errno
import fnmatch
import functools
import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from wdw_build.errors import ConfigError, MissingResourceError

# The errors of a broken or circular link and of a file that was deleted meanwhile. Other errors are raised.
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


def find_files(
    path: Path, suffixes: tuple[str, ...], packings: tuple[str, ...] = ("",), archives: tuple[str, ...] = ()
) -> list[Path]:
    """The files of a corpus, sorted by their names relative to ``root_of(path)``.

    In a folder, the search takes files whose names end in a suffix followed by a packing (``.gz``; empty for none), and those
    whose names end in one of ``archives``. It takes a file that the path names, or that a glob matches, whatever its name ends
    in. Raises ``MissingResourceError`` if there is no file, or if the path or a subfolder cannot be read.
    """
    try:
        files, root = _search(path, suffixes, packings, archives), root_of(path)
    except OSError as error:
        raise cannot_read(Path(error.filename or path), error) from error
    return sorted(files, key=lambda file: file.relative_to(root).as_posix())


def root_of(path: Path) -> Path:
    """The folder that the file names of a corpus are relative to."""
    return path.parent if stat.S_ISREG(_mode(path)) else split_glob(path)[0]


def split_glob(path: Path) -> tuple[Path, tuple[str, ...]]:
    """The folder before the first wildcard, and the parts from there on; no parts if there is no wildcard.

    A file or folder that exists is no wildcard, whatever its name: a folder may be called ``news [2014]``.
    """
    for position, part in enumerate(path.parts):
        whole = Path(*path.parts[: position + 1])
        if any(sign in part for sign in "*?[") and not os.path.exists(whole):  # noqa: PTH110 (Path raises for a closed folder)
            return Path(*path.parts[:position]), path.parts[position:]
    return path, ()


def is_matched(file: Path, corpus: Path) -> bool:
    """Whether the corpus is a glob that matches the file, which need not exist. Both paths are absolute."""
    root, pattern = split_glob(corpus)
    return file.is_relative_to(root) and bool(pattern) and _matches(file.relative_to(root).parts, pattern)


def why_not_followed(file: Path, root: Path) -> str:
    """Say why a file must not be read: its link is broken or leads out of the corpus. Empty for all other files."""
    if not file.is_symlink():
        return ""
    if not file.exists():
        return "a link that leads nowhere"
    if not file.resolve().is_relative_to(_resolved(root)):
        return "a link that leads out of the corpus; set corpus.options.follow_links to read it"
    return ""


@functools.lru_cache(maxsize=1024)
def _resolved(folder: Path) -> Path:
    return folder.resolve()


def _search(path: Path, suffixes: tuple[str, ...], packings: tuple[str, ...], archives: tuple[str, ...]) -> list[Path]:
    kind = _mode(path)
    if stat.S_ISREG(kind):
        return [path]
    if stat.S_ISDIR(kind):
        endings = (*(suffix + packing for suffix in suffixes for packing in packings), *archives)
        files = [file for file in _walk(path) if file.name.lower().endswith(endings) and _is_listed(file)]
        compressed = (", compressed or not" if any(packings) else "") + (", and no archive" if archives else "")
        message = f"The folder {path} holds no file that ends in {', '.join(suffixes)}{compressed}"
        return _not_empty(files, message, "If the files have other names, give a glob that matches them.")
    root, pattern = split_glob(path)
    if not pattern:
        raise MissingResourceError(f"there is no file or folder {path}", hint="set corpus.path to the corpus")
    if ".." in pattern:
        raise ConfigError(f"corpus.path: {path} has '..' after a wildcard", hint="Name the folder without '..'.")
    if any("**" in part and part != "**" for part in pattern):
        hint = "Write '**' between slashes; it matches any number of folders."
        raise ConfigError(f"corpus.path: {path} is not a valid glob", hint=hint)
    files = [file for file in _walk(root) if _matches(file.relative_to(root).parts, pattern) and _is_listed(file)]
    return _not_empty(files, f"no file matches {path}", "set corpus.path to the corpus")


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders that are neither hidden nor links.

    Raises ``OSError`` for a folder that cannot be listed, while ``Path.rglob`` skips it silently.
    """
    for current, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(current, name) for name in names if not name.startswith("."))


def _raise(error: OSError) -> None:
    raise error


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether the parts of a path match those of a glob; ``**`` matches any number of folders."""
    if not parts or not pattern:
        return not parts and not pattern
    first, *rest = pattern
    if first == "**":
        return bool(rest) and any(_matches(parts[start:], rest) for start in range(len(parts)))
    return fnmatch.fnmatchcase(parts[0], first) and _matches(parts[1:], rest)


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


def cannot_read(path: Path, error: OSError) -> MissingResourceError:
    """The error for a file or folder of the corpus that cannot be read."""
    reason = error.strerror or type(error).__name__
    hint = "Check that the file exists and that you may read it."
    if isinstance(error, PermissionError):
        hint = f"Make it readable (chmod -R u+rX {path}), or remove it from the corpus."
    return MissingResourceError(f"Cannot read {path}: {reason}", hint=hint)
