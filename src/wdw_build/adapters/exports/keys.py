"""Writes keys: the dataset without texts, as positions in the articles. ``wdw-build rebuild`` restores the JSON lines.

The exporter decodes every key at once, and stops if the result is not the problem's line, byte by byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from wdw_build.adapters.exports.jsonl import FILES, encode_line, problem_line
from wdw_build.adapters.exports.key_lines import (
    FORMAT,
    ArticleKey,
    KeysHeader,
    ProblemKey,
    Unaligned,
    article_sha256,
    decode,
    encode,
)
from wdw_build.adapters.exports.raw_articles import RawArticles
from wdw_build.core.hashing import file_sha256
from wdw_build.errors import CorpusError
from wdw_build.records import Problem, RawArticle, SplitAssignment, Unreadable
from wdw_build.text.sentences.repair import repair_article

if TYPE_CHECKING:
    from hashlib import _Hash

PROBLEMS, ARTICLES, HEADER = "keys/problems.jsonl", "keys/articles.jsonl", "keys/keys.json"


class KeysExporter:
    """Writes keys/problems.jsonl, keys/articles.jsonl and keys/keys.json."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "keys 2"

    def write_from(
        self,
        folder: Path,
        problems: Iterable[tuple[Problem, SplitAssignment]],
        corpus: Iterable[RawArticle | Unreadable],
    ) -> dict[str, list[str]]:
        """Write the files; return the ids in each file. Reads ``corpus`` once and ``problems`` up to three times.

        Positions refer to the repaired articles or, if the run did not repair them, to the articles as read. Raises
        ``CorpusError`` if the corpus lacks an article, or if a problem cannot be restored from the articles.
        """
        (folder / "keys").mkdir(parents=True, exist_ok=True)
        with RawArticles() as articles:
            wanted = {name for problem, _ in problems for name in (problem.id, problem.passage.article)}
            articles.collect(corpus, wanted)
            try:
                writer = _Writer(folder, articles, repair_article)
                ids = writer.write(problems)
            except CorpusError:
                writer = _Writer(folder, articles, lambda article: article)
                ids = writer.write(problems)
            writer.close()
        return {PROBLEMS: ids, ARTICLES: [], HEADER: []}


class _Writer:
    def __init__(self, folder: Path, articles: RawArticles, version: Callable[[RawArticle], RawArticle]) -> None:
        """``version`` maps an article as read to the one that the stages worked on."""
        self._folder, self._articles, self._version = folder, articles, version
        self._hashes: dict[str, str] = {}
        self._dataset: dict[str, _Hash] = {name: hashlib.sha256() for name in FILES.names}
        self._count = 0

    def write(self, problems: Iterable[tuple[Problem, SplitAssignment]]) -> list[str]:
        ids = []
        with (self._folder / PROBLEMS).open("wb") as stream:
            for problem, placed in problems:
                line = encode_line(problem_line(problem, placed))
                stream.write(msgspec.json.encode(self._key(problem, placed, line)) + b"\n")
                for name in FILES.of(placed):
                    self._dataset[name].update(line)
                ids.append(problem.id)
        self._count = len(ids)
        return ids

    def _key(self, problem: Problem, placed: SplitAssignment, line: bytes) -> ProblemKey:
        """The key that decodes to the line. If an id occurs several times in the corpus, each of its articles is tried."""
        reason = "the corpus lacks one of them"
        for source in map(self._version, self._articles.find(problem.id)):
            for passage in map(self._version, self._articles.find(problem.passage.article)):
                try:
                    key = encode(problem, placed, source, passage)
                except Unaligned as error:
                    reason = f"not found: {error}"
                    continue
                hashes = {problem.id: article_sha256(source), problem.passage.article: article_sha256(passage)}
                known = all(self._hashes.get(name, sha256) == sha256 for name, sha256 in hashes.items())
                if known and encode_line(decode(key, source, passage)) == line:
                    self._hashes.update(hashes)
                    return key
                reason = "the positions decode to another text"
        raise CorpusError(
            f"{problem.id} cannot be restored from the articles {problem.id} and {problem.passage.article}: {reason}",
            hint="run the pipeline on this corpus first: wdw-build all with the same configuration",
        )

    def close(self) -> None:
        with (self._folder / ARTICLES).open("wb") as stream:
            for name, sha256 in sorted(self._hashes.items()):
                stream.write(msgspec.json.encode(ArticleKey(id=name, sha256=sha256)) + b"\n")
        header = KeysHeader(
            format=FORMAT,
            problems=self._count,
            articles=len(self._hashes),
            problems_sha256=file_sha256(self._folder / PROBLEMS),
            articles_sha256=file_sha256(self._folder / ARTICLES),
            dataset={name: state.hexdigest() for name, state in self._dataset.items()},
        )
        (self._folder / HEADER).write_bytes(msgspec.json.format(msgspec.json.encode(header), indent=1) + b"\n")
