"""Restores the JSONL export, byte by byte, from published keys (``wdw-build export keys``) and the user's own corpus.

If the published dataset has other names than the articles, ``names.jsonl`` gives the original ones, and the dataset can be
restored with its original names too.

The reader that the configuration names reads the corpus once. The keys give positions, and the texts are copied from the
articles, with damaged characters repaired as ``ingest`` repairs them. No model and no index is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from wdw_build.adapters.exports.jsonl import FILES, encode_line, write_card
from wdw_build.adapters.exports.key_lines import (
    FORMAT,
    ArticleKey,
    KeysHeader,
    ProblemKey,
    article_sha256,
    decode,
    original_names,
)
from wdw_build.adapters.exports.keys import ARTICLES, HEADER, PROBLEMS, RawArticles
from wdw_build.core.hashing import file_sha256
from wdw_build.core.progress import Progress
from wdw_build.core.text_files import read_utf_8
from wdw_build.errors import CheckError, CorpusError, UsageError
from wdw_build.ports import CorpusReader, ReleaseConfig
from wdw_build.records import RawArticle, SplitAssignment
from wdw_build.text.sentences.repair import repair_article

_HINT = "download the keys again from where they were published"


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
        # The exported files; the folder may have any name.
        header, self._problems, self._articles = (folder / Path(name).name for name in (HEADER, PROBLEMS, ARTICLES))
        try:
            self.header = msgspec.json.decode(read_utf_8(header), type=KeysHeader)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UsageError(f"no keys: {header} does not exist", hint="name the folder with the keys") from error
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{header}: {error}", hint=_HINT) from error
        if self.header.format != FORMAT:
            raise UsageError(
                f"{header}: {self.header.format}, not {FORMAT}", hint="use the version of wdw-build that wrote the keys"
            )
        expected = {self._problems: self.header.problems_sha256, self._articles: self.header.articles_sha256}
        for path, sha256 in expected.items():
            if not path.is_file() or file_sha256(path) != sha256:
                raise CorpusError(f"{path} is not the file whose hash is in {header.name}", hint=_HINT)

    def articles(self) -> Iterator[ArticleKey]:
        """Yield the articles that the dataset needs."""
        with self._articles.open("rb") as stream:
            yield from map(msgspec.json.Decoder(ArticleKey).decode, stream)

    def problems(self) -> Iterator[ProblemKey]:
        """Yield the problems in their order."""
        with self._problems.open("rb") as stream:
            yield from map(msgspec.json.Decoder(ProblemKey).decode, stream)


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
    missing = set(wanted)

    def matching() -> Iterator[RawArticle]:
        """Yield the first article of the corpus with each wanted id and hash."""
        with progress.bar("corpus", None, "articles") as bar:
            for article in reader.read():
                bar.advance()
                if isinstance(article, RawArticle) and (name := article.own_id) in wanted:
                    missing.discard(name)
                    if version := _version(article, wanted[name]):
                        del wanted[name]
                        yield version

    with closing(RawArticles(matching())) as articles:
        mismatch = ArticleMismatch(missing=tuple(sorted(missing)), differs=tuple(sorted(wanted.keys() - missing)))
        if not mismatch:
            with progress.bar("rebuild", keys.header.problems, "problems") as bar:
                lines = (
                    (
                        SplitAssignment(id=key.id, date=key.date, level=key.level, split=key.split),
                        encode_line(decode(key, source, passage, original=original)),
                    )
                    for key, source, passage in _with_articles(keys, articles, bar.advance)
                )
                write_card(folder, FILES.write(folder, lines), msgspec.convert(keys.header.release, ReleaseConfig))
            if keys.header.names != "original":
                with (
                    progress.bar("names", keys.header.problems, "problems") as bar,
                    (folder / "names.jsonl").open("wb") as stream,
                ):
                    for key, source, passage in _with_articles(keys, articles, bar.advance):
                        names = original_names(key, source, passage)
                        stream.write(msgspec.json.encode({"id": key.id, "names": names}) + b"\n")
    return mismatch


def _with_articles(
    keys: Keys, articles: RawArticles, advance: Callable[[int], None]
) -> Iterator[tuple[ProblemKey, RawArticle, RawArticle]]:
    """Yield each key with the articles of its question and its passage."""
    for key in keys.problems():
        yield key, next(articles.find(key.id)), next(articles.find(key.passage.article))
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
