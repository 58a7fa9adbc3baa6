"""What every corpus reader shares: its files, its options, its identity, surviving damaged files.

A reader of a new format is a subclass of ``FileCorpus`` with one method, ``read_file``. Files are read in the order of
their paths relative to the corpus, whatever order the file system lists them in. Nothing is downloaded, and nothing but
standard input is copied to disk.
"""

from __future__ import annotations

import functools
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, TypeVar

import msgspec

from wdw_build.adapters.corpora.reading.encodings import check_encoding, decode
from wdw_build.adapters.corpora.reading.files import STDIN, astray, find_files, out_of_reach, spool_stdin
from wdw_build.adapters.corpora.reading.libraries import versions
from wdw_build.adapters.corpora.reading.streams import COMPRESSED, DAMAGE, MAX_RATIO, Lines, read_lines
from wdw_build.core.hashing import digest, hash_file
from wdw_build.errors import ConfigError
from wdw_build.records import RawArticle, Unreadable

_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)

NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class OptionGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Options that stand together under one key; every field has a default, which the identity leaves out."""


class ReaderOptions(OptionGroup, frozen=True):
    """What every reader has; what cannot be decoded is replaced by U+FFFD."""

    encoding: str = "utf-8"
    follow_links: bool = False
    max_unpack_ratio: Annotated[float, msgspec.Meta(ge=1)] = MAX_RATIO


OptionsT = TypeVar("OptionsT", bound=ReaderOptions)


class FileCorpus(ABC, Generic[OptionsT]):
    """A corpus of files: a file, a folder (searched to any depth), a glob, or standard input.

    Raises ``MissingResourceError`` if no file is there, and ``ConfigError`` if an option is wrong. Standard input is not read
    before it is needed.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]]
    packed: ClassVar[tuple[str, ...]] = COMPRESSED
    # The optional extra and the packages that the format needs besides those of the project.
    needs: ClassVar[tuple[str, ...]] = ()
    from_stdin: ClassVar[bool] = True
    options_type: type[OptionsT]

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.options = decode_options(self.name, options, self.options_type)
        check_encoding(self.options.encoding)
        self._path = path
        self._spooled: tempfile.TemporaryDirectory[str] | None = None
        if path != STDIN:
            _ = self.files
        elif not self.from_stdin:
            raise ConfigError(f"corpus.path: {self.name} cannot be read from standard input", hint="Name a file.")

    @functools.cached_property
    def files(self) -> list[Path]:
        """The files to read, in order."""
        if self._path == STDIN:
            self._spooled, copy = spool_stdin()
            self.root = copy.parent
            return [copy]
        self.root, found = find_files(self._path, self._endings())
        return self.choose(found)

    def _endings(self) -> tuple[str, ...]:
        """The endings of the format's files: each suffix, and unless it is that of a compressed file, its compressed forms."""
        compressed = tuple(filter(None, self.packed))
        return tuple(
            suffix + packed
            for suffix in self.suffixes
            for packed in (("",) if suffix.endswith(compressed) else self.packed)
        )

    def choose(self, files: list[Path]) -> list[Path]:
        """The files to read, out of those that were found: all, unless a format knows better."""
        return files

    @abstractmethod
    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield what one file holds. ``place`` is the file's name in places; damage may be raised as it comes."""

    def lines(self, file: Path) -> Lines:
        """The lines of a file, unpacked; None for one that is too long."""
        return read_lines(file, max_ratio=self.options.max_unpack_ratio)

    def text(self, raw: bytes) -> str:
        """Bytes of a file as text."""
        return decode(raw, self.options.encoding)

    @property
    def identity(self) -> str:
        """Name, version, libraries and options, and one hash over the name and hash of every file.

        Raises ``MissingResourceError`` if a file cannot be read or a library is not there.
        """
        libraries = f"; {versions(*self.needs)}" if self.needs else ""
        if any(file.suffix.lower() == ".zst" for file in self.files):
            versions("zst", "zstandard")
        options = stated(self.options)
        hashes = [(self.place(file), self._hash(file)) for file in self.files]
        return f"{self.name} {self.version}{libraries}; options {options}; {len(hashes)} files {digest(hashes)}"

    def size(self) -> int:
        """Bytes to read, as they lie on disk."""
        return sum(file.stat().st_size for file in self.files if not self._astray(file))

    def place(self, file: Path) -> str:
        """How a file is named in places and in the identity: relative to the corpus."""
        # A file name that is no UTF-8 comes as surrogates, which no output could hold.
        return file.relative_to(self.root).as_posix().encode("utf-8", "backslashreplace").decode()

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield all files' articles; a file that is damaged ends in an ``Unreadable``, and the next one follows.

        Raises ``MissingResourceError`` if a file has gone or may not be read: that is no fault of the corpus.
        """
        for file in self.files:
            place = last = self.place(file)
            if reason := self._astray(file):
                yield Unreadable(place=place, error=reason)
                continue
            try:
                for found in self.read_file(file, place):
                    last = found.place
                    yield found
            except (FileNotFoundError, PermissionError) as error:
                raise out_of_reach(file, error) from error
            except DAMAGE as error:
                yield Unreadable(place=place, error=f"damaged file, what comes after {last} is lost: {error}")

    def _astray(self, file: Path) -> str:
        """Why a file is not followed; a file that corpus.path names itself always is."""
        return "" if self.options.follow_links or file == self._path else astray(file, self.root)

    def _hash(self, file: Path) -> str:
        if self._astray(file):
            return ""
        try:
            return hash_file(file)
        except OSError as error:
            raise out_of_reach(file, error) from error


def stated(options: ReaderOptions) -> str:
    """The options that are not at their defaults, as JSON: a new option changes no identity until it is used."""
    given, defaults = msgspec.to_builtins(options), msgspec.to_builtins(type(options)())
    return msgspec.json.encode({k: v for k, v in given.items() if v != defaults[k]}, order="sorted").decode()


def decode_options(reader: str, options: Mapping[str, object], kind: type[OptionsT]) -> OptionsT:
    """The options as the reader's type. Raises ``ConfigError`` with the key's path and the known options."""
    try:
        return msgspec.convert(dict(options), type=kind)
    except (msgspec.ValidationError, TypeError) as error:
        match = _AT_PATH.match(str(error))
        what, path = (match["what"], match["path"] or "") if match else (str(error), "")
        known = ", ".join(_option_names(kind)) or "none"
        message = f"corpus.options{path}: {what}"
        raise ConfigError(message, hint=f"Options of the reader {reader}: {known}.") from None


def _option_names(kind: Any, prefix: str = "") -> list[str]:
    names = []
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            names += _option_names(field.type, f"{prefix}{field.name}.")
        else:
            names.append(prefix + field.name)
    return names
