"""The dataset without its texts: positions in the articles, which ``wdw-build rebuild`` turns into the JSONL export again.

Every key is tried on the spot: one that does not give back its line byte by byte stops the export.
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
        """Write the files; ``corpus`` is read once, ``problems`` two or three times. Returns the ids in each file.

        Positions count in the repaired articles, or in the articles as they are if the run did not repair them. Raises
        ``CorpusError`` if an article is not in the corpus, or a problem cannot be made from it again.
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
        """``version``: the article that the stages worked on, from the article as it is read."""
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
        """The key that gives the line; an id may stand in the corpus twice, and one of the articles is meant."""
        why = "one of them is not in the corpus"
        for asked in map(self._version, self._articles.find(problem.id)):
            for told in map(self._version, self._articles.find(problem.passage.article)):
                try:
                    key = encode(problem, placed, asked, told)
                except Unaligned as error:
                    why = f"not found: {error}"
                    continue
                hashes = {problem.id: article_sha256(asked), problem.passage.article: article_sha256(told)}
                known = all(self._hashes.get(name, sha256) == sha256 for name, sha256 in hashes.items())
                if known and encode_line(decode(key, asked, told)) == line:
                    self._hashes.update(hashes)
                    return key
                why = "what the positions give is not the problem"
        raise CorpusError(
            f"{problem.id} cannot be made again from the articles {problem.id} and {problem.passage.article}: {why}",
            hint="make the run from this corpus first: wdw-build all with the same configuration",
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
