"""Writes keys: the dataset without texts, as positions in the articles. ``wdw-build rebuild`` restores the JSON lines.

The exporter decodes every key at once, and stops if the result is not the problem's line, byte by byte.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from string import Template
from typing import Any

import msgspec

from wdw_build.adapters.exports.dataset_card import TEMPLATES
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
from wdw_build.adapters.exports.split_files import WithRelease, release_text
from wdw_build.core.hashing import digest, file_sha256
from wdw_build.core.store.jsonl import document
from wdw_build.errors import CorpusError
from wdw_build.ports import ExportedProblems, OriginalProblem, WithCode
from wdw_build.records import Names, RawArticle, Unreadable
from wdw_build.text.sentences.repair import repair_article

PROBLEMS, ARTICLES, HEADER = "keys/problems.jsonl", "keys/articles.jsonl", "keys/keys.json"
README = "keys/README.md"
# Options of readers that are paths, relative to the folder of the corpus.
_PATHS = ("path", "row_function")


class RawArticles:
    """Articles by id, as the reader gives them, in a temporary file. An id may occur several times in a corpus."""

    def __init__(self, articles: Iterable[RawArticle]) -> None:
        # Without a name, SQLite makes a temporary file.
        self._rows = sqlite3.connect("")
        self._rows.execute("CREATE TABLE articles (id TEXT, article BLOB)")
        rows = ((article.own_id, msgspec.json.encode(article)) for article in articles)
        self._rows.executemany("INSERT INTO articles VALUES (?, ?)", rows)
        self._rows.execute("CREATE INDEX ids ON articles (id)")

    def find(self, name: str) -> Iterator[RawArticle]:
        """Yield the articles with this id, in the order of the corpus."""
        rows = self._rows.execute("SELECT article FROM articles WHERE id = ? ORDER BY rowid", (name,))
        return (msgspec.json.decode(article, type=RawArticle) for (article,) in rows)

    def close(self) -> None:
        """Delete the file."""
        self._rows.close()


def without_folders(options: Any) -> Any:
    """The options of a reader with the last part of each absolute path: folders of the publisher are not published."""
    if isinstance(options, list):
        return list(map(without_folders, options))
    if not isinstance(options, dict):
        return options
    return {key: _published(value) if key in _PATHS else without_folders(value) for key, value in options.items()}


def _published(path: str) -> str:
    """A path, without the folders of the publisher if it is absolute."""
    return Path(path).name if Path(path).is_absolute() else path


class KeysExporter(WithRelease):
    """Writes the files of keys, and a README on how to use them; ``registry`` sets how the corpus is read."""

    corpus: Mapping[str, Any] = {}

    @property
    def identity(self) -> str:
        """Format, version, and a hash of how the corpus is read: the reader's identity omits options at defaults."""
        return f"keys 8, corpus {digest(self.corpus)}"

    def write_from(
        self, folder: Path, problems: ExportedProblems, corpus: Iterable[RawArticle | Unreadable]
    ) -> dict[str, list[str]]:
        """Write the files; return the ids in each file. Reads ``corpus`` once and ``problems`` up to three times.

        Positions refer to the repaired articles or, if the run did not repair them, to the articles as read. Raises
        ``CorpusError`` if the corpus lacks an article, or if a problem cannot be restored from the articles.
        """
        (folder / "keys").mkdir(parents=True, exist_ok=True)
        originals = (original.problem for original in problems.originals())
        wanted = {name for problem in originals for name in (problem.id, problem.passage.article)}
        needed = (entry for entry in corpus if isinstance(entry, RawArticle) and entry.own_id in wanted)
        with closing(RawArticles(needed)) as articles:
            try:
                ids = self._write(folder, problems, articles, repair_article)
            except CorpusError as of_repaired:
                try:
                    ids = self._write(folder, problems, articles, lambda article: article)
                except CorpusError:
                    raise of_repaired from None
        code = corpus.code if isinstance(corpus, WithCode) else {}
        (folder / README).write_text(self._readme(len(ids), problems.names, code), encoding="utf-8")
        return {PROBLEMS: ids, ARTICLES: [], HEADER: [], README: []}

    def _readme(self, problems: int, names: Names, code: Mapping[str, str]) -> str:
        """How to rebuild the dataset, and what is needed for it besides the keys."""
        files = [
            f"\n- `{_published(name)}` (SHA-256 `{sha256}`), Python code that `rebuild` executes. The path is relative to the "
            "folder of the corpus"
            for name, sha256 in code.items()
        ]
        original = "\nWith `--names original`, the dataset has the original names instead of codes."
        return Template((TEMPLATES / "keys_readme.md").read_text(encoding="utf-8")).substitute(
            title=" ".join(self.release.title.split()) or "Keys of a dataset",
            release=f"{text}\n" if (text := release_text(self.release)) else "",
            problems=problems,
            original=original if names != "original" else "",
            reader=self.corpus.get("reader", ""),
            files="".join(files),
        )

    def _write(
        self,
        folder: Path,
        problems: ExportedProblems,
        articles: RawArticles,
        version: Callable[[RawArticle], RawArticle],
    ) -> list[str]:
        """Write the files. ``version`` maps an article as read to the one that the stages worked on."""
        ids: list[str] = []
        article_hashes: dict[str, str] = {}
        dataset, originals = ({name: hashlib.sha256() for name in FILES.names} for _ in range(2))
        with (folder / PROBLEMS).open("wb") as stream:
            for original in problems.originals():
                placed = original.placed
                published = encode_line(problem_line(original.renamed(problems.names), placed))
                line = encode_line(problem_line(original.problem, placed))
                key = _key(original, problems.names, (published, line), articles, version, article_hashes)
                stream.write(msgspec.json.encode(key) + b"\n")
                for name in FILES.of(placed):
                    dataset[name].update(published)
                    originals[name].update(line)
                ids.append(placed.id)
        with (folder / ARTICLES).open("wb") as stream:
            for name, sha256 in sorted(article_hashes.items()):
                stream.write(msgspec.json.encode(ArticleKey(id=name, sha256=sha256)) + b"\n")
        header = KeysHeader(
            format=FORMAT,
            problems=len(ids),
            articles=len(article_hashes),
            problems_sha256=file_sha256(folder / PROBLEMS),
            articles_sha256=file_sha256(folder / ARTICLES),
            dataset={name: state.hexdigest() for name, state in dataset.items()},
            names=problems.names,
            originals={name: state.hexdigest() for name, state in originals.items() if problems.names != "original"},
            release={name: value for name, value in msgspec.to_builtins(self.release).items() if value},
            corpus=dict(self.corpus),
        )
        (folder / HEADER).write_bytes(document(header))
        return ids


def _key(
    original: OriginalProblem,
    names: Names,
    lines: tuple[bytes, bytes],
    articles: RawArticles,
    version: Callable[[RawArticle], RawArticle],
    hashes: dict[str, str],
) -> ProblemKey:
    """The key that decodes to both lines; adds the hashes of its articles to ``hashes``.

    If an id occurs several times in the corpus, each of its articles is tried.
    """
    reason = "the corpus lacks one of them"
    problem = original.problem
    for source in map(version, articles.find(problem.id)):
        for passage in map(version, articles.find(problem.passage.article)):
            try:
                key = encode(original, names, source, passage)
            except Unaligned as error:
                reason = f"not found: {error}"
                continue
            used = {problem.id: article_sha256(source), problem.passage.article: article_sha256(passage)}
            are_same_versions = all(hashes.get(name, sha256) == sha256 for name, sha256 in used.items())
            decoded = (decode(key, source, passage, original=is_original) for is_original in (False, True))
            if are_same_versions and lines == tuple(map(encode_line, decoded)):
                hashes.update(used)
                return key
            reason = "the positions decode to another text"
    raise CorpusError(
        f"{problem.id} cannot be restored from the articles {problem.id} and {problem.passage.article}: {reason}",
        hint="if the corpus changed since the run, run wdw-build all; if not, the keys cannot express these texts: report it",
    )
