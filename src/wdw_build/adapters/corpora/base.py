"""What every corpus reader shares: finding its files, decoding its options, naming itself, surviving damaged files.

A reader of a new format is a subclass of ``FileCorpus`` with one method, ``read_file``. Files are read in the order of
their paths relative to the corpus, whatever order the file system lists them in. Hidden files, and folders behind
symbolic links, are left out. Nothing is downloaded or unpacked to disk.
"""

from __future__ import annotations

import lzma
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import msgspec

from wdw_build.core.hashing import digest, hash_file
from wdw_build.errors import FixConfig, ProvideResource
from wdw_build.records import RawArticle, Unreadable

COMPRESSED = ("", ".gz", ".bz2", ".xz")
_DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)
_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)

NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class OptionGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options that stand together under one key; every field has a default."""


class ReaderOptions(OptionGroup, frozen=True):
    """What every reader has; what cannot be decoded is replaced by U+FFFD."""

    encoding: str = "utf-8"


OptionsT = TypeVar("OptionsT", bound=ReaderOptions)


class FileCorpus(ABC, Generic[OptionsT]):
    """A corpus of text files: a file, a folder (searched to any depth) or a glob.

    Raises ``ProvideResource`` if no file is there, and ``FixConfig`` if an option is wrong.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]]
    options_type: type[OptionsT]

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.options = decode_options(self.name, options, self.options_type)
        _check_encoding(self.options.encoding)
        endings = tuple(suffix + packed for suffix in self.suffixes for packed in COMPRESSED)
        self.root, found = find_files(path, endings)
        self.files = self.choose(found)

    def choose(self, files: list[Path]) -> list[Path]:
        """The files to read, out of those that were found: all, unless a format knows better."""
        return files

    @abstractmethod
    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield what one file holds. ``place`` is the file's name in places; damage may be raised as it comes."""

    @property
    def identity(self) -> str:
        """Name, version and options, and one hash over the name and hash of every file.

        Raises ``ProvideResource`` if a file cannot be read.
        """
        options = msgspec.json.encode(self.options, order="sorted").decode()
        hashes = [(self.place(file), _hash(file)) for file in self.files]
        return f"{self.name} {self.version}; options {options}; {len(hashes)} files {digest(hashes)}"

    def size(self) -> int:
        """Bytes to read, as they lie on disk."""
        return sum(file.stat().st_size for file in self.files)

    def place(self, file: Path) -> str:
        """How a file is named in places and in the identity: relative to the corpus."""
        # A file name that is no UTF-8 comes as surrogates, which no output could hold.
        return file.relative_to(self.root).as_posix().encode("utf-8", "backslashreplace").decode()

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield all files' articles; a file that is damaged ends in an ``Unreadable``, and the next one follows.

        Raises ``ProvideResource`` if a file has gone or may not be read: that is no fault of the corpus.
        """
        for file in self.files:
            place = self.place(file)
            try:
                yield from self.read_file(file, place)
            except (FileNotFoundError, PermissionError) as error:
                raise _out_of_reach(file, error) from error
            except _DAMAGE as error:
                yield Unreadable(place=place, error=f"damaged file, the rest of it is lost: {error}")


def decode_options(reader: str, options: Mapping[str, object], kind: type[OptionsT]) -> OptionsT:
    """The options as the reader's type. Raises ``FixConfig`` with the key's path and the known options."""
    try:
        return msgspec.convert(dict(options), type=kind)
    except (msgspec.ValidationError, TypeError) as error:
        match = _AT_PATH.match(str(error))
        what, path = (match["what"], match["path"] or "") if match else (str(error), "")
        known = ", ".join(_option_names(kind)) or "none"
        message = f"corpus.options{path}: {what}"
        raise FixConfig(message, hint=f"Options of the reader {reader}: {known}.") from None


def _option_names(kind: Any, prefix: str = "") -> list[str]:
    names = []
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            names += _option_names(field.type, f"{prefix}{field.name}.")
        else:
            names.append(prefix + field.name)
    return names


def _check_encoding(encoding: str) -> None:
    """Raise ``FixConfig`` unless the encoding is known and a newline is one byte in it: files are cut at that byte."""
    try:
        usable = b"\n".decode(encoding, "replace") == "\n"
    except (LookupError, UnicodeError, ValueError):
        usable = False
    if not usable:
        raise FixConfig(
            f"corpus.options.encoding: {encoding!r} is no encoding that can be read line by line",
            hint="Give an encoding in which a newline is one byte, such as utf-8, latin-1 or cp1252.",
        )


def find_files(path: Path, endings: tuple[str, ...]) -> tuple[Path, list[Path]]:
    """The folder that places are relative to, and the files of a path, sorted.

    A folder gives the files with one of ``endings``; a file that is named, or meant by a glob, is taken as it is.
    Raises ``ProvideResource`` if nothing is found or the path cannot be looked at.
    """
    try:
        root, files = _look(path, endings)
    except OSError as error:
        raise _out_of_reach(path, error) from error
    files.sort(key=lambda file: file.relative_to(root).as_posix())
    return root, files


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
    return file.is_file() and not any(part.startswith(".") for part in file.relative_to(root).parts)


def _split_glob(path: Path) -> tuple[Path, str]:
    """The folder before the first part with a wildcard, and the pattern from there on (empty: no wildcard)."""
    for position, part in enumerate(path.parts):
        if any(sign in part for sign in "*?["):
            return Path(*path.parts[:position]), "/".join(path.parts[position:])
    return path, ""


def _hash(file: Path) -> str:
    try:
        return hash_file(file)
    except OSError as error:
        raise _out_of_reach(file, error) from error


def _out_of_reach(path: Path, error: OSError) -> ProvideResource:
    reason = error.strerror or type(error).__name__
    return ProvideResource(f"Cannot read {path}: {reason}", hint="Check that the file is there and may be read.")
