"""The JSONL export again, byte by byte, from keys (``wdw-build export keys``) and a corpus of one's own.

The corpus is read once, with the reader that the configuration names. No model and no index has a part in it: what the keys
do not say is copied from the articles, whose damaged characters are repaired as ``ingest`` repairs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.adapters.exports.jsonl import encode_line, write_lines
from wdw_build.adapters.exports.key_lines import (
    FORMAT,
    ArticleKey,
    KeysHeader,
    ProblemKey,
    article_sha256,
    decode,
    own_id,
    place,
)
from wdw_build.adapters.exports.keys import ARTICLES, HEADER, PROBLEMS
from wdw_build.adapters.exports.raw_articles import RawArticles
from wdw_build.core.hashing import file_sha256
from wdw_build.core.run.progress import Progress
from wdw_build.errors import CheckError, CorpusError, UsageError
from wdw_build.ports import CorpusReader
from wdw_build.records import RawArticle, SplitAssignment, Unreadable
from wdw_build.text.sentences.repair import repair_article

_HINT = "take the keys again from where they were published"

K = TypeVar("K", ArticleKey, ProblemKey)


class Lacking(msgspec.Struct, frozen=True):
    """The articles that the corpus has not, and those that it has with another text, title or source."""

    missing: tuple[str, ...]
    differs: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.missing or self.differs)


class Keys:
    """A folder of keys, its files compared with their hashes.

    Raises ``UsageError`` if the folder holds none, ``CorpusError`` if a file is not the one that was published.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.header = self._header(self._path(HEADER))
        expected = {PROBLEMS: self.header.problems_sha256, ARTICLES: self.header.articles_sha256}
        for path, sha256 in ((self._path(name), sha256) for name, sha256 in expected.items()):
            if not path.is_file() or file_sha256(path) != sha256:
                raise CorpusError(f"{path} is not the file that {Path(HEADER).name} tells of", hint=_HINT)

    def _path(self, name: str) -> Path:
        """Where a file of the export is: keys may have been published in a folder of any name."""
        return self._folder / Path(name).name

    @staticmethod
    def _header(path: Path) -> KeysHeader:
        try:
            header = msgspec.json.decode(path.read_bytes(), type=KeysHeader)
        except FileNotFoundError as error:
            raise UsageError(f"no keys: {path} is not there", hint="name the folder that holds it") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{path}: {error}", hint=_HINT) from error
        if header.format != FORMAT:
            raise UsageError(f"{path}: {header.format}, not {FORMAT}", hint="use the wdw-build that wrote the keys")
        return header

    def articles(self) -> Iterator[ArticleKey]:
        """The articles that are needed."""
        return self._read(ARTICLES, ArticleKey)

    def problems(self) -> Iterator[ProblemKey]:
        """The problems in their order."""
        return self._read(PROBLEMS, ProblemKey)

    def _read(self, name: str, kind: type[K]) -> Iterator[K]:
        decoder = msgspec.json.Decoder(kind)
        with self._path(name).open("rb") as stream:
            for line in stream:
                yield decoder.decode(line)


class _Right:
    """Of a corpus, the articles that are the ones of the keys; the ids of all others with a wanted id."""

    def __init__(self, reader: CorpusReader, wanted: dict[str, str], progress: Progress) -> None:
        self._reader, self._wanted, self._progress = reader, wanted, progress
        self.seen: set[str] = set()
        self.right: set[str] = set()

    def __iter__(self) -> Iterator[RawArticle | Unreadable]:
        with self._progress.bar("corpus", None, "articles") as bar:
            for article in self._reader.read():
                bar.advance()
                if isinstance(article, RawArticle) and (name := own_id(article)) in self._wanted:
                    self.seen.add(name)
                    if name not in self.right and (version := _version(article, self._wanted[name])):
                        self.right.add(name)
                        yield version

    def lacking(self) -> Lacking:
        return Lacking(
            missing=tuple(sorted(self._wanted.keys() - self.seen)), differs=tuple(sorted(self.seen - self.right))
        )


def _version(article: RawArticle, sha256: str) -> RawArticle | None:
    """The article as it is read or as ``ingest`` repairs it, whichever has this hash; None if neither has."""
    if article_sha256(article) == sha256:
        return article
    repaired = repair_article(article)
    return repaired if article_sha256(repaired) == sha256 else None


def rebuild(keys: Keys, reader: CorpusReader, folder: Path, progress: Progress) -> Lacking:
    """Write the JSONL files under ``folder``, if the corpus has every article; else say which it has not."""
    wanted = {article.id: article.sha256 for article in keys.articles()}
    with RawArticles() as articles:
        right = _Right(reader, wanted, progress)
        articles.collect(right, wanted.keys())
        lacking = right.lacking()
        if not lacking:
            with progress.bar("rebuild", keys.header.problems, "problems") as bar:
                write_lines(folder, _lines(keys, articles, bar.advance))
    return lacking


def _lines(
    keys: Keys, articles: RawArticles, advance: Callable[[int], None]
) -> Iterator[tuple[SplitAssignment, bytes]]:
    for key in keys.problems():
        asked, told = next(articles.find(key.id)), next(articles.find(key.passage.article))
        yield place(key), encode_line(decode(key, asked, told))
        advance(1)


def compare(keys: Keys, folder: Path) -> None:
    """Compare what was written with the hashes in the keys. Raises ``CheckError`` with the files that differ."""
    wrong = [name for name, sha256 in keys.header.dataset.items() if file_sha256(folder / name) != sha256]
    if wrong:
        raise CheckError(
            f"not the published dataset: {', '.join(wrong)}", hint="use the version of wdw-build that wrote the keys"
        )
