"""N-gram models with modified Kneser-Ney smoothing: KenLM's tools estimate them, its Python module scores with them."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any, cast

from wdw_build.errors import CorpusError, MissingResourceError, StageError, WdwError
from wdw_build.text.tokens import encodable

VERSION = 1
_BINARY = "model.binary"
# A hash table is built faster than a trie, but takes about this many bytes for each byte of text. Scores are the same.
_HASHED_BYTES = 10


def find_tool(name: str) -> Path:
    """The path of a KenLM tool in WDW_KENLM_BIN, or else beside this Python or on PATH. Raises ``MissingResourceError``."""
    folder = os.environ.get("WDW_KENLM_BIN")
    folders = [folder] if folder else [str(Path(sys.prefix) / "bin"), os.environ.get("PATH", "")]
    path = shutil.which(name, path=os.pathsep.join(folders))
    if path is None:
        raise MissingResourceError(
            f"KenLM's {name} is missing (looked in {folders[0]}" + ("" if folder else " and on PATH") + ")",
            hint=f"{'unset WDW_KENLM_BIN, and ' if folder else ''}wdw-build setup   builds it; or omit ngram from "
            "baselines.use, so that KenLM is not needed",
        )
    return Path(path)


class KenLm:
    """``LanguageModel`` on KenLM."""

    def __init__(self, order: int, memory: str) -> None:
        self._order, self._memory = order, memory
        self._models: dict[Path, Any] = {}

    @property
    def identity(self) -> str:
        """KenLM's version and the order."""
        find_tool("lmplz")
        return f"kenlm {VERSION}, {importlib.metadata.version('kenlm')}, order {self._order}"

    def estimate(self, text: Iterable[bytes], folder: Path) -> None:
        """See ``LanguageModel.estimate``. Raises ``CorpusError`` if there is too little text."""
        lmplz, build_binary = find_tool("lmplz"), find_tool("build_binary")
        folder.mkdir(parents=True, exist_ok=True)
        shared = ["-S", self._memory, "-T", str(folder / "sort-")]
        memory = int(self._memory[:-1]) << {"M": 20, "G": 30}[self._memory[-1]]
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.writelines(text)
            if not (size := stream.tell()):
                return
            stream.seek(0)
            kind = "probing" if size * _HASHED_BYTES <= memory else "trie"
            _run(
                [str(lmplz), "-o", str(self._order), *shared, "--discount_fallback", "--skip_symbols"],
                [str(build_binary), *shared, kind, "/dev/stdin", str(folder / _BINARY)],
                stream,
            )

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        """See ``LanguageModel.score``."""
        if folder not in self._models:
            import kenlm

            # A worker reads the pages that its problems need, instead of a whole model that may be larger than its memory.
            settings = kenlm.Config()
            settings.load_method = kenlm.LoadMethod.LAZY
            self._models[folder] = kenlm.Model(str(folder / _BINARY), settings)
        # Lone surrogates are replaced as in the text for lmplz.
        return float(self._models[folder].score(encodable(" ".join(sentence))))


def _run(estimate: list[str], build: list[str], text: IO[bytes]) -> None:
    """Pipe a text through both tools. They run at the same time, so the ARPA file is not written to disk."""
    with (
        tempfile.TemporaryFile() as log,
        tempfile.TemporaryFile() as build_log,
        subprocess.Popen(estimate, stdin=text, stdout=subprocess.PIPE, stderr=log) as estimator,
    ):
        built = subprocess.run(build, stdin=estimator.stdout, stdout=build_log, stderr=build_log, check=False)
        # An estimator whose reader has ended gets a SIGPIPE.
        cast(IO[bytes], estimator.stdout).close()
        # After a SIGPIPE, the builder is the tool that failed.
        if estimator.wait() not in (0, -signal.SIGPIPE):
            raise _error(estimate, estimator.returncode, log)
        if built.returncode:
            raise _error(build, built.returncode, build_log)


# Words in the messages of the tools, and what to do.
_CAUSES = {
    "No space left on device": "make room on the disk of output_dir, or set another output_dir",
    "Disk quota exceeded": "make room within your quota, or set another output_dir",
    "File too large": "raise the limit of file sizes (ulimit -f)",
    "Cannot allocate memory": "set a smaller execution.lm_memory, or use a machine with more memory",
    "exceeds total memory": "set a larger execution.lm_memory",
}


def _error(command: list[str], code: int, messages: IO[bytes]) -> WdwError:
    """The error for a tool that failed, with its last message."""
    messages.seek(0)
    output = messages.read().decode("utf-8", "replace")
    for words, hint in _CAUSES.items():
        if line := next((line for line in output.splitlines() if words in line), ""):
            return StageError(f"{Path(command[0]).name} failed: {line}", hint=hint)
    last = next((line for line in reversed(output.splitlines()) if line.strip()), "no message")
    if "BadDiscountException" in output or "vocabulary" in output:
        return CorpusError(
            f"too little text for the n-gram model: {last}",
            hint="use a larger corpus, or a lower baselines.ngram_order",
        )
    hint = "no memory was left; set a smaller execution.lm_memory" if code == -signal.SIGKILL else "see its message"
    return StageError(f"{Path(command[0]).name} failed ({code}): {last}", hint=hint)
