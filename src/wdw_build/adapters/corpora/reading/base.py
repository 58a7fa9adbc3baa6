"""``FileCorpus``, the base class of corpus readers: files, blocks, options, identity, and reports of damaged files.

To add a format, subclass ``FileCorpus``, or ``LineFiles`` if a large file can be cut at a line, and implement
``read_span``. A reader takes its files in the order of their paths relative to the corpus, in whatever order the file
system lists them. It downloads nothing, and copies nothing to disk.
"""

from __future__ import annotations

import functools
import gzip
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from wdw_build.adapters.corpora.reading.archives import is_archive, member_lines, member_names
from wdw_build.adapters.corpora.reading.files import cannot_read, find_files, root_of, why_not_followed
from wdw_build.adapters.corpora.reading.markup import check_encoding, decode
from wdw_build.adapters.corpora.reading.streams import (
    COMPRESSED,
    DAMAGE,
    LONGEST,
    MAX_RATIO,
    DamagedElsewhere,
    SpanLines,
    line_spans,
    open_bytes,
    open_lines,
)
from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import versions_together
from wdw_build.core.section import write_in_quotes
from wdw_build.errors import ConfigError, meant
from wdw_build.ports import WHOLE, Block, FileRange
from wdw_build.records import RawArticle, Unreadable

_AT_PATH = re.compile(r"^(?P<what>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)

# About the bytes of text in a block. Small files are grouped; a file on its own counts as at least a page of the disk.
BLOCK_BYTES = 32 << 20
_FILE_BYTES = 4096
# Newswire unpacks to three or four times its size.
_USUAL_RATIO = 3

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


class _Placed(Protocol):
    @property
    def place(self) -> str: ...


EntryT = TypeVar("EntryT", bound=_Placed)


class FileCorpus(ABC, Generic[OptionsT]):
    """A reader of files: one file, a folder and its subfolders, or a glob.

    Raises ``MissingResourceError`` if there is no file, and ``ConfigError`` if an option is wrong.
    """

    name: ClassVar[str]
    version: ClassVar[int]
    suffixes: ClassVar[tuple[str, ...]]
    packed: ClassVar[tuple[str, ...]] = COMPRESSED
    # The suffixes of archives whose members the reader reads, with ``pieces``; none, or ``ARCHIVES``.
    archives: ClassVar[tuple[str, ...]] = ()
    # The packages that the format needs besides those of the pipeline.
    needs: ClassVar[tuple[str, ...]] = ()
    block_bytes: int = BLOCK_BYTES
    longest: int = LONGEST
    options_type: type[OptionsT]

    def __init__(self, path: Path, options: Mapping[str, object]) -> None:
        self.options = decode_options(self.name, options, self.options_type)
        check_encoding(self.options.encoding)
        self._path = path
        self.files = self.choose(find_files(path, self.suffixes, self.packed, self.archives))
        """The files to read, in order."""

    @functools.cached_property
    def root(self) -> Path:
        """The folder that file names are relative to."""
        return root_of(self._path)

    def choose(self, files: list[Path]) -> list[Path]:
        """The files to read: all files of the corpus, unless a subclass selects some."""
        return files

    def spans(self, file: Path) -> list[FileRange]:
        """The spans that a file is cut into: one, unless a subclass cuts files. May raise ``DAMAGE`` errors."""
        return [WHOLE]

    @abstractmethod
    def read_span(self, file: Path, place: str, span: FileRange) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles that start in one span of a file. ``place`` is the file's name for error messages.

        May raise ``DAMAGE`` errors and ``DamagedElsewhere``.
        """

    def pieces(self, file: Path, place: str, span: FileRange = WHOLE) -> Iterator[tuple[str, SpanLines]]:
        """Yield the place and the lines of a span of a file; of an archive, of each member that the reader reads."""
        if not is_archive(file):
            yield place, self.lines(file, span)
            return
        for name, stream in member_lines(file, self.members(file), self.options.max_unpack_ratio):
            yield f"{place}/{name}", SpanLines(stream, WHOLE, self.longest)

    def members(self, file: Path) -> set[str]:
        """The names of an archive's members that the reader reads: those that it would take from a folder."""
        paths = {Path(name): name for name in member_names(file, self.options.max_unpack_ratio)}
        return {paths[path] for path in self.choose([path for path in paths if self._has_ending(path)])}

    def takes(self, file: Path) -> bool:
        """Whether the reader takes a file from a folder by its name; an archive, by the names of its members."""
        if is_archive(file):
            return bool(self.archives and self.members(file))
        return self._has_ending(file)

    def _has_ending(self, file: Path) -> bool:
        endings = tuple(suffix + packing for suffix in self.suffixes for packing in self.packed)
        return file.name.lower().endswith(endings) and not is_archive(file)

    def lines(self, file: Path, span: FileRange = WHOLE) -> SpanLines:
        """The lines of a file from a span on, decompressed, with their numbers; None for a line that is too long."""
        opened = open_bytes if span.start else open_lines
        return SpanLines(opened(file, self.options.max_unpack_ratio), span, self.longest)

    def text(self, raw: bytes) -> str:
        """Decode bytes of a file by the option ``encoding``."""
        return decode(raw, self.options.encoding)

    @property
    def identity(self) -> str:
        """Name, version, libraries, options, and one hash over the names and hashes of all files.

        Raises ``MissingResourceError`` if a file cannot be read or a library is not installed.
        """
        libraries = f"; {versions_together(*self.needs)}" if self.needs else ""
        if any(file.suffix.lower() == ".zst" for file in self.files):
            versions_together("zstandard")
        options = changed_options(self.options)
        hashes = [(self.place(file), self._hash(file)) for file in self.files]
        return f"{self.name} {self.version}{libraries}; options {options}; {len(hashes)} files {digest(hashes)}"

    def size(self) -> int:
        """Bytes to read: the size of the files on disk."""
        return sum(map(self._size, self.files))

    def file_notes(self) -> list[str]:
        """A note with the number of empty files, and one with that of archives without a file to read; each with the first one."""
        files = [file for file in self.files if not self._why_not_followed(file)]
        empty = [file for file in files if not self._size(file)]
        unread = [file for file in files if is_archive(file) and not self.takes(file) and file not in empty]
        count, no_member = len(self.files), f"are archives without a file that ends in {', '.join(self.suffixes)}"
        return [
            *note_on_files(list(map(self.place, empty)), count, "are empty"),
            *note_on_files(list(map(self.place, unread)), count, no_member),
        ]

    def place(self, file: Path) -> str:
        """The name of a file relative to the corpus, for error messages and the identity."""
        name = file.relative_to(self.root).as_posix()
        # Python decodes a file name that is not UTF-8 to surrogates, which cannot be written as UTF-8.
        return name.encode("utf-8", "backslashreplace").decode()

    def blocks(self) -> list[Block]:
        """Blocks of about ``block_bytes`` of text: the spans of a file that is cut, or a group of other files."""
        blocks: list[Block] = []
        group: list[str] = []
        size = text = 0
        for file in [*self.files, None]:
            spans = self._spans(file) if file else []
            if group and (len(spans) != 1 or text >= self.block_bytes):
                blocks.append(Block(tuple(group), size=size))
                group, size, text = [], 0, 0
            if not file:
                break
            on_disk = self._size(file)
            if len(spans) > 1:
                blocks += [Block((str(file),), span, on_disk // len(spans)) for span in spans]
            else:
                group.append(str(file))
                size += on_disk
                text += _FILE_BYTES + on_disk * (_USUAL_RATIO if file.suffix.lower() in COMPRESSED[1:] else 1)
        return blocks

    def _spans(self, file: Path) -> list[FileRange]:
        """The spans of a file; one span for an archive, and for a file that cannot be read, which ``read`` reports."""
        if self._why_not_followed(file) or is_archive(file):
            return [WHOLE]
        try:
            return self.spans(file)
        except DAMAGE:
            return [WHOLE]

    def read(self, block: Block | None = None) -> Iterator[RawArticle | Unreadable]:
        """Yield the articles of all files or of one block. Where a file is damaged, yield an ``Unreadable`` and go on.

        Raises ``MissingResourceError`` if a file was deleted or its permissions do not let it be read.
        """
        files = map(Path, block.files) if block else self.files
        for file in files:
            yield from self.until_damage(file, block.span if block else WHOLE, self.read_span)

    def until_damage(
        self, file: Path, span: FileRange, read: Callable[[Path, str, FileRange], Iterator[EntryT | Unreadable]]
    ) -> Iterator[EntryT | Unreadable]:
        """Yield what ``read`` yields of a span, and an ``Unreadable`` where the file is damaged. Raises as ``read`` of a corpus."""
        place = self.place(file)
        last = ""
        reason = self._why_not_followed(file)
        if not reason and is_archive(file) and not self.archives:
            reason = f"the reader {self.name} reads no archives: unpack it"
        if reason:
            yield Unreadable(place=place, error=reason, ends_file=True)
            return
        try:
            for entry in read(file, place, span):
                last = entry.place
                yield entry
        except DamagedElsewhere:
            return
        except (FileNotFoundError, PermissionError) as error:
            raise cannot_read(file, error) from error
        except DAMAGE as error:
            if not last and span.start:
                for entry in self.until_damage(file, FileRange(0, span.start), read):
                    last = entry.place
            if isinstance(error, gzip.BadGzipFile) and not last:
                lost = "not compressed, or damaged: rename it without .gz if it is plain text; nothing of it is read"
            else:
                lost = (
                    f"damaged file, everything after {last} is lost" if last else "damaged file, nothing of it is read"
                )
            yield Unreadable(place=place, error=f"{lost}: {error}", ends_file=True)

    def _size(self, file: Path) -> int:
        return 0 if self._why_not_followed(file) else file.stat().st_size

    def _why_not_followed(self, file: Path) -> str:
        """See ``why_not_followed``; the reader always follows a link that ``corpus.path`` names."""
        followed = self.options.follow_links or self._path == file
        return "" if followed else why_not_followed(file, self.root)

    def _hash(self, file: Path) -> str:
        if self._why_not_followed(file):
            return ""
        try:
            return hash_file(file)
        except OSError as error:
            raise cannot_read(file, error) from error


class LineFiles(FileCorpus[OptionsT]):
    """A reader of files that can be cut at lines."""

    def spans(self, file: Path) -> list[FileRange]:
        """Spans of about ``block_bytes``."""
        return line_spans(file, self.block_bytes)


def note_on_files(places: Sequence[str], count: int, what: str) -> list[str]:
    """The line that so many of ``count`` files are ``what``, with the first one as an example; none without a place."""
    return [f"{len(places):,} of {count:,} files {what}, such as {places[0]}"] if places else []


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
        known, wrong = _option_names(kind), what.rpartition("unknown field ")[2].strip("`")
        near = meant(wrong, {part for name in known for part in name.split(".")})
        quotes = write_in_quotes(error, options) if isinstance(error, msgspec.ValidationError) else ""
        hint = quotes or f"{near}options of the reader {reader}: {', '.join(known) or 'none'}"
        raise ConfigError(f"corpus.options{path}: {what}", hint=hint) from None


def _option_names(kind: Any, prefix: str = "") -> list[str]:
    names = []
    for field in msgspec.structs.fields(kind):
        if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct):
            names += _option_names(field.type, f"{prefix}{field.name}.")
        else:
            names.append(prefix + field.name)
    return names
