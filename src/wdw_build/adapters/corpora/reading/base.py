"""``FileCorpus``, the base class of corpus readers: files, options, identity, and how damaged files are reported.

To add a format, subclass ``FileCorpus`` and implement ``read_file``. A reader takes its files in the order of their
paths relative to the corpus, in whatever order the file system lists them. It downloads nothing, and copies nothing to
disk except standard input.
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
from wdw_build.adapters.corpora.reading.files import STDIN, cannot_read, find_files, spool_stdin, why_not_followed
from wdw_build.adapters.corpora.reading.streams import COMPRESSED, DAMAGE, MAX_RATIO, Lines, read_lines
from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import extra_versions
from wdw_build.errors import ConfigError
from wdw_build.records import RawArticle, Unreadable

_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)

NonEmpty = Annotated[str, msgspec.Meta(min_length=1)]


class OptionGroup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A group of reader options under one key. Every option has a default; the identity omits options at defaults."""


class ReaderOptions(OptionGroup, frozen=True):
    """The options of every reader. Bytes that ``encoding`` cannot decode become U+FFFD."""

    encoding: str = "utf-8"
    """The name of an encoding, or ``auto``: UTF-8 where the bytes are valid UTF-8, else Windows-1252."""
    follow_links: bool = False
    """Read files behind symbolic links that lead out of the corpus."""
    max_unpack_ratio: Annotated[float, msgspec.Meta(ge=1)] = MAX_RATIO
    """Stop reading a file that unpacks to more than this multiple of its size."""


OptionsT = TypeVar("OptionsT", bound=ReaderOptions)


class FileCorpus(ABC, Generic[OptionsT]):
    """A reader of files: one file, a folder and its subfolders, a glob, or standard input.

    Raises ``MissingResourceError`` if there is no file, and ``ConfigError`` if an option is wrong. Standard input is
    read when its files are first asked for.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]]
    packed: ClassVar[tuple[str, ...]] = COMPRESSED
    # The optional extra that the format needs, followed by its packages.
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
        self.root, files = find_files(self._path, self.suffixes, self.packed)
        return self.choose(files)

    def choose(self, files: list[Path]) -> list[Path]:
        """The files to read: all files of the corpus, unless a subclass selects some."""
        return files

    @abstractmethod
    def read_file(self, file: Path, place: str) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of one file. ``place`` is the file's name for error messages. May raise ``DAMAGE`` errors."""

    def lines(self, file: Path) -> Lines:
        """Yield the lines of a file, decompressed, with their numbers; None for a line that is too long."""
        return read_lines(file, max_ratio=self.options.max_unpack_ratio)

    def text(self, raw: bytes) -> str:
        """Decode bytes of a file by the option ``encoding``."""
        return decode(raw, self.options.encoding)

    @property
    def identity(self) -> str:
        """Name, version, libraries, options, and one hash over the names and hashes of all files.

        Raises ``MissingResourceError`` if a file cannot be read or a library is not installed.
        """
        libraries = f"; {extra_versions(*self.needs)}" if self.needs else ""
        if any(file.suffix.lower() == ".zst" for file in self.files):
            extra_versions("zst", "zstandard")
        options = changed_options(self.options)
        hashes = [(self.place(file), self._hash(file)) for file in self.files]
        return f"{self.name} {self.version}{libraries}; options {options}; {len(hashes)} files {digest(hashes)}"

    def size(self) -> int:
        """Bytes to read: the size of the files on disk."""
        return sum(file.stat().st_size for file in self.files if not self._why_not_followed(file))

    def place(self, file: Path) -> str:
        """The name of a file relative to the corpus, for error messages and the identity."""
        # Python decodes a file name that is not UTF-8 to surrogates, which cannot be written as UTF-8.
        return file.relative_to(self.root).as_posix().encode("utf-8", "backslashreplace").decode()

    def read(self) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of all files. Where a file is damaged, yield an ``Unreadable`` and go on to the next file.

        Raises ``MissingResourceError`` if a file was deleted or its permissions do not let it be read.
        """
        for file in self.files:
            place = last = self.place(file)
            if reason := self._why_not_followed(file):
                yield Unreadable(place=place, error=reason)
                continue
            try:
                for article in self.read_file(file, place):
                    last = article.place
                    yield article
            except (FileNotFoundError, PermissionError) as error:
                raise cannot_read(file, error) from error
            except DAMAGE as error:
                yield Unreadable(place=place, error=f"damaged file, everything after {last} is lost: {error}")

    def _why_not_followed(self, file: Path) -> str:
        """See ``why_not_followed``; the reader always follows a link that ``corpus.path`` names."""
        return "" if self.options.follow_links or file == self._path else why_not_followed(file, self.root)

    def _hash(self, file: Path) -> str:
        if self._why_not_followed(file):
            return ""
        try:
            return hash_file(file)
        except OSError as error:
            raise cannot_read(file, error) from error


def changed_options(options: ReaderOptions) -> str:
    """The options that differ from their defaults, as JSON. A new option thus changes no identity until it is set."""
    values, defaults = msgspec.to_builtins(options), msgspec.to_builtins(type(options)())
    return msgspec.json.encode(
        {key: value for key, value in values.items() if value != defaults[key]}, order="sorted"
    ).decode()


def decode_options(reader: str, options: Mapping[str, object], kind: type[OptionsT]) -> OptionsT:
    """Convert the options to the reader's type. Raises ``ConfigError`` that names the wrong key and all options."""
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
