"""Writes keys: the dataset without texts, as positions in the articles. ``wdw-build rebuild`` restores the JSON lines.

The exporter decodes every key at once, and stops if the result is not the problem's line, byte by byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

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
from wdw_build.core.store.jsonl import document
from wdw_build.errors import CorpusError
from wdw_build.ports import ExportedProblems, OriginalProblem
from wdw_build.records import Names, RawArticle, SplitAssignment, Unreadable
from wdw_build.text.sentences.repair import repair_article

PROBLEMS, ARTICLES, HEADER = "keys/problems.jsonl", "keys/articles.jsonl", "keys/keys.json"


class KeysExporter:
    """Writes keys/problems.jsonl, keys/articles.jsonl and keys/keys.json."""

    @property
    def identity(self) -> str:
        """Format and version."""
        return "keys 3"

    def write_from(
        self, folder: Path, problems: ExportedProblems, corpus: Iterable[RawArticle | Unreadable]
    ) -> dict[str, list[str]]:
        """Write the files; return the ids in each file. Reads ``corpus`` once and ``problems`` up to three times.

        Positions refer to the repaired articles or, if the run did not repair them, to the articles as read. Raises
        ``CorpusError`` if the corpus lacks an article, or if a problem cannot be restored from the articles.
        """
        (folder / "keys").mkdir(parents=True, exist_ok=True)
        with RawArticles() as articles:
            originals = (original.problem for original in problems.originals())
            wanted = {name for problem in originals for name in (problem.id, problem.passage.article)}
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
        self._dataset = _Hashes()
        self._originals = _Hashes()
        self._names: Names = "original"
        self._count = 0

    def write(self, problems: ExportedProblems) -> list[str]:
        ids = []
        self._names = problems.names
        with (self._folder / PROBLEMS).open("wb") as stream:
            for original in problems.originals():
                placed = original.placed
                published = encode_line(problem_line(original.renamed(self._names), placed))
                line = encode_line(problem_line(original.problem, placed))
                stream.write(msgspec.json.encode(self._key(original, published, line)) + b"\n")
                self._dataset.add(placed, published)
                self._originals.add(placed, line)
                ids.append(placed.id)
        self._count = len(ids)
        return ids

    def _key(self, original: OriginalProblem, published: bytes, line: bytes) -> ProblemKey:
        """The key that decodes to both lines. If an id occurs several times in the corpus, each of its articles is tried."""
        reason = "the corpus lacks one of them"
        problem = original.problem
        for source in map(self._version, self._articles.find(problem.id)):
            for passage in map(self._version, self._articles.find(problem.passage.article)):
                try:
                    key = encode(original, self._names, source, passage)
                except Unaligned as error:
                    reason = f"not found: {error}"
                    continue
                hashes = {problem.id: article_sha256(source), problem.passage.article: article_sha256(passage)}
                known = all(self._hashes.get(name, sha256) == sha256 for name, sha256 in hashes.items())
                lines = (encode_line(decode(key, source, passage, original=each)) for each in (False, True))
                if known and tuple(lines) == (published, line):
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
            dataset=self._dataset.digests(),
            names=self._names,
            originals={} if self._names == "original" else self._originals.digests(),
        )
        (self._folder / HEADER).write_bytes(document(header))


class _Hashes:
    """The SHA-256 of each file of the ``jsonl`` export, made line by line."""

    def __init__(self) -> None:
        self._states = {name: hashlib.sha256() for name in FILES.names}

    def add(self, placed: SplitAssignment, line: bytes) -> None:
        for name in FILES.of(placed):
            self._states[name].update(line)

    def digests(self) -> dict[str, str]:
        return {name: state.hexdigest() for name, state in self._states.items()}
