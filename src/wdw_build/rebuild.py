"""Restores the JSONL export, byte by byte, from published keys (``wdw-build export keys``) and the user's own corpus.

If the published dataset has other names than the articles, ``names.jsonl`` gives the original ones, and the dataset can be
restored with its original names too.

The reader that the configuration names reads the corpus once. The keys give positions, and the texts are copied from the
articles, with damaged characters repaired as ``ingest`` repairs them. No model and no index is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from wdw_build.adapters.exports.jsonl import FILES, encode_line, write_card
from wdw_build.adapters.exports.key_lines import (
    FORMAT,
    READABLE,
    ArticleKey,
    KeysHeader,
    ProblemKey,
    article_sha256,
    decode,
    original_names,
    own_id,
    place,
)
from wdw_build.adapters.exports.keys import ARTICLES, HEADER, PROBLEMS
from wdw_build.adapters.exports.raw_articles import RawArticles
from wdw_build.core.hashing import file_sha256
from wdw_build.core.progress import Progress
from wdw_build.errors import CheckError, CorpusError, UsageError
from wdw_build.ports import CorpusReader
from wdw_build.records import RawArticle, SplitAssignment, Unreadable
from wdw_build.text.sentences.repair import repair_article

_HINT = "download the keys again from where they were published"

KeyT = TypeVar("KeyT", ArticleKey, ProblemKey)


class ArticleMismatch(msgspec.Struct, frozen=True):
    """Ids of articles that the corpus lacks (``missing``), or has with another text, title or source (``differs``)."""

    missing: tuple[str, ...]
    differs: tuple[str, ...]

    def __bool__(self) -> bool:
        """Whether any article is missing or differs."""
        return bool(self.missing or self.differs)


class Keys:
    """The keys in a folder.

    Raises ``UsageError`` if the folder holds no keys, and ``CorpusError`` if the hash of a file is not the published one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.header = self._header(self._path(HEADER))
        expected = {PROBLEMS: self.header.problems_sha256, ARTICLES: self.header.articles_sha256}
        for path, sha256 in ((self._path(name), sha256) for name, sha256 in expected.items()):
            if not path.is_file() or file_sha256(path) != sha256:
                raise CorpusError(f"{path} is not the file whose hash is in {Path(HEADER).name}", hint=_HINT)

    def _path(self, name: str) -> Path:
        """The path of an exported file; the folder may have any name."""
        return self._folder / Path(name).name

    @staticmethod
    def _header(path: Path) -> KeysHeader:
        try:
            header = msgspec.json.decode(path.read_bytes(), type=KeysHeader)
        except FileNotFoundError as error:
            raise UsageError(f"no keys: {path} does not exist", hint="name the folder with the keys") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{path}: {error}", hint=_HINT) from error
        if header.format not in READABLE:
            raise UsageError(
                f"{path}: {header.format}, not {FORMAT}", hint="use the version of wdw-build that wrote the keys"
            )
        return header

    def articles(self) -> Iterator[ArticleKey]:
        """Yield the articles that the dataset needs."""
        return self._read(ARTICLES, ArticleKey)

    def problems(self) -> Iterator[ProblemKey]:
        """Yield the problems in their order."""
        return self._read(PROBLEMS, ProblemKey)

    def _read(self, name: str, kind: type[KeyT]) -> Iterator[KeyT]:
        decoder = msgspec.json.Decoder(kind)
        with self._path(name).open("rb") as stream:
            for line in stream:
                yield decoder.decode(line)


class _MatchingArticles:
    """Yields the articles of a corpus whose id and hash are in the keys; notes ids without a matching article."""

    def __init__(self, reader: CorpusReader, wanted: dict[str, str], progress: Progress) -> None:
        self._reader, self._wanted, self._progress = reader, wanted, progress
        self.seen: set[str] = set()
        self.matched: set[str] = set()

    def __iter__(self) -> Iterator[RawArticle | Unreadable]:
        with self._progress.bar("corpus", None, "articles") as bar:
            for article in self._reader.read():
                bar.advance()
                if isinstance(article, RawArticle) and (name := own_id(article)) in self._wanted:
                    self.seen.add(name)
                    if name not in self.matched and (version := _version(article, self._wanted[name])):
                        self.matched.add(name)
                        yield version

    def mismatch(self) -> ArticleMismatch:
        return ArticleMismatch(
            missing=tuple(sorted(self._wanted.keys() - self.seen)), differs=tuple(sorted(self.seen - self.matched))
        )


def _version(article: RawArticle, sha256: str) -> RawArticle | None:
    """The article with this hash: as it is read, or as ``ingest`` repairs it; None if neither has the hash."""
    if article_sha256(article) == sha256:
        return article
    repaired = repair_article(article)
    return repaired if article_sha256(repaired) == sha256 else None


def rebuild(
    keys: Keys, reader: CorpusReader, folder: Path, progress: Progress, *, original: bool = False
) -> ArticleMismatch:
    """Write the JSONL files under ``folder`` if the corpus has every article; return the articles that do not match.

    ``original``: with the original names. If the published dataset has other names, also write ``names.jsonl``: a line
    for each problem with its id, and a map from each replacing name to the original one.
    """
    wanted = {article.id: article.sha256 for article in keys.articles()}
    with RawArticles() as articles:
        matching = _MatchingArticles(reader, wanted, progress)
        articles.collect(matching, wanted.keys())
        mismatch = matching.mismatch()
        if not mismatch:
            with progress.bar("rebuild", keys.header.problems, "problems") as bar:
                write_card(folder, FILES.write(folder, _lines(keys, articles, original, bar.advance)))
            if keys.header.names != "original":
                with progress.bar("names", keys.header.problems, "problems") as bar:
                    _write_names(folder / "names.jsonl", keys, articles, bar.advance)
    return mismatch


def _lines(
    keys: Keys, articles: RawArticles, original: bool, advance: Callable[[int], None]
) -> Iterator[tuple[SplitAssignment, bytes]]:
    for key in keys.problems():
        yield place(key), encode_line(decode(key, *_articles_of(key, articles), original=original))
        advance(1)


def _articles_of(key: ProblemKey, articles: RawArticles) -> tuple[RawArticle, RawArticle]:
    return next(articles.find(key.id)), next(articles.find(key.passage.article))


def _write_names(path: Path, keys: Keys, articles: RawArticles, advance: Callable[[int], None]) -> None:
    with path.open("wb") as stream:
        for key in keys.problems():
            names = original_names(key, *_articles_of(key, articles))
            stream.write(msgspec.json.encode({"id": key.id, "names": names}) + b"\n")
            advance(1)


def compare(keys: Keys, folder: Path, *, original: bool = False) -> None:
    """Compare the written files with the hashes in the keys. Raises ``CheckError``, which names the files that differ."""
    header = keys.header
    expected = header.originals if original and header.names != "original" else header.dataset
    wrong = [name for name, sha256 in expected.items() if file_sha256(folder / name) != sha256]
    if wrong:
        raise CheckError(
            f"not the published dataset: {', '.join(wrong)}", hint="use the version of wdw-build that wrote the keys"
        )
