"""Word vectors from the file that ships with the program or from a text file of GloVe or word2vec.

A text file is indexed in one pass: about 250 bytes of memory per word. ``lookup`` then reads only the lines of the words
that it is asked for, so that a file larger than memory can be used.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from wdw_build.api import ConfigError, MissingResourceError, hash_file

Matrix = npt.NDArray[np.float32]

SHIPPED = Path(str(files("wdw_build"))) / "models" / "en" / "pretrain" / "wdw-names.pt"
_SPECIAL = 4  # rows of a Stanza pretrain before the words: padding, unknown, empty and root


class Vectors:
    """The word vectors of one file: a Stanza pretrain (`.pt`), or text of GloVe or word2vec, plain or gzipped.

    Nothing is read before the first ``lookup``. Raises ``MissingResourceError`` if the file does not exist.
    """

    def __init__(self, path: Path | None = None) -> None:
        """``path``: the file; None for the one that ships with the program."""
        self._path = path or SHIPPED
        if not self._path.is_file():
            hint = "correct the path of the word vectors" if path else "install the package again"
            raise MissingResourceError(f"no word vectors: {self._path} does not exist", hint=hint)

    @property
    def identity(self) -> str:
        """SHA-256 (hex) of the file."""
        return hash_file(self._path)

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._source.dimensions

    def lookup(self, words: Sequence[str]) -> tuple[Matrix, npt.NDArray[np.bool_]]:
        """Vectors (n, d) of the words, zero where there is none, and a mask (n,) of the words that have one.

        A word that is not in the file in its own case is looked up in lower case. Raises ``ConfigError`` if the file is
        damaged, with the line number.
        """
        vectors = np.zeros((len(words), self._source.dimensions), np.float32)
        is_known = np.zeros(len(words), np.bool_)
        for number, vector in self._source.rows(words).items():
            vectors[number], is_known[number] = vector, True
        lowered = [number for number in np.flatnonzero(~is_known).tolist() if words[number] != words[number].lower()]
        for position, vector in self._source.rows([words[number].lower() for number in lowered]).items():
            vectors[lowered[position]], is_known[lowered[position]] = vector, True
        return vectors, is_known

    @cached_property
    def _source(self) -> _Pretrain | _TextFile:
        return _Pretrain(self._path) if self._path.suffix == ".pt" else _TextFile(self._path)


class _Pretrain:
    """The vectors of a Stanza pretrain; all of them are in memory."""

    def __init__(self, path: Path) -> None:
        import torch

        try:
            stored = torch.load(path, weights_only=True, map_location="cpu")
            self._vectors: Matrix = stored["emb"].numpy()
            words = stored["vocab"]["_id2unit"]
        except Exception as error:  # torch documents no common class for damaged files
            raise ConfigError(f"{path} is not a Stanza pretrain", hint="use GloVe's or word2vec's text form") from error
        self.dimensions = int(self._vectors.shape[1])
        self._rows = {word: row for row, word in enumerate(words) if row >= _SPECIAL}

    def rows(self, words: Sequence[str]) -> dict[int, Any]:
        """Index of a word in ``words`` -> its vector, for the words that have one."""
        return {number: self._vectors[self._rows[word]] for number, word in enumerate(words) if word in self._rows}


class _TextFile:
    """A text file of vectors, a line a word: the word and its numbers, separated by blanks.

    The first line may be word2vec's header: the number of words and of dimensions. A word may contain blanks (GloVe's
    Common Crawl vectors have some): the last ``dimensions`` fields are the numbers. The first of two lines with the same
    word counts.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._open() as stream:
            first = stream.readline().removeprefix(codecs.BOM_UTF8)
            header = first.split()
            has_header = len(header) == 2 and all(field.isdigit() for field in header)
            self._lines_before = int(has_header)
            second = stream.readline() if has_header else first
            self.dimensions = int(header[1]) if has_header else len(second.split()) - 1
        if self.dimensions < 1 or not second.strip():
            raise self._error(self._lines_before + 1, "a word and its numbers are expected")
        self._index(int(header[0]) if has_header else None)

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        """The file's bytes, decompressed."""
        opener: Any = gzip.open if self._path.suffix == ".gz" else open
        try:
            with opener(self._path, "rb") as stream:
                yield stream
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ConfigError(f"{self._path} is a damaged gzip file: {error}", hint="copy the file again") from error

    def _error(self, line: int, problem: str) -> ConfigError:
        return ConfigError(
            f"{self._path}, line {line}: {problem}", hint="use the text form of GloVe or word2vec, not the binary one"
        )

    def _index(self, expected: int | None) -> None:
        """The offset and number of each word's line. Bad lines raise ``ConfigError``."""
        self._lines: dict[str, tuple[int, int]] = {}
        number, offset = 0, 0
        with self._open() as stream:
            for number, line in enumerate(stream, start=1):
                if number > self._lines_before:
                    self._lines.setdefault(self._word(line, number), (offset, number))
                offset += len(line)
        if expected is not None and number - self._lines_before != expected:
            raise self._error(1, f"the header announces {expected} words, the file has {number - self._lines_before}")

    def _word(self, line: bytes, number: int) -> str:
        fields = line.removeprefix(codecs.BOM_UTF8 if number == 1 else b"").strip().rsplit(None, self.dimensions)
        if len(fields) != self.dimensions + 1:
            raise self._error(number, f"{len(fields)} fields, expected a word and {self.dimensions} numbers")
        return fields[0].decode("utf-8", "replace")

    def rows(self, words: Sequence[str]) -> dict[int, Any]:
        """As ``_Pretrain.rows``. Reads the lines in the order of the file, which a gzipped file needs."""
        vectors: dict[int, Any] = {}
        known = [(*self._lines[word], index) for index, word in enumerate(words) if word in self._lines]
        with self._open() as stream:
            for offset, number, index in sorted(known):
                stream.seek(offset)
                vectors[index] = self._vector(stream.readline(), number)
        return vectors

    def _vector(self, line: bytes, number: int) -> Matrix:
        try:
            vector = np.array(line.split()[-self.dimensions :], dtype=np.float32)
        except ValueError as error:
            raise self._error(number, "a field is not a number") from error
        if not np.isfinite(vector).all():
            raise self._error(number, "a number is not finite")
        return vector
