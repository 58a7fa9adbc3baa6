"""A modified Kneser-Ney n-gram model with KenLM: ``lmplz`` and ``build_binary`` estimate, the Python module scores."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from wdw_build.errors import FixCorpus, ProvideResource, StageFailed

VERSION = 1
_BINARY = "model.trie"


def find_tool(name: str) -> Path:
    """The tool from WDW_KENLM_BIN, beside this Python, or on PATH. Raises ``ProvideResource``."""
    named = os.environ.get("WDW_KENLM_BIN")
    folders = [named] if named else [str(Path(sys.prefix) / "bin"), os.environ.get("PATH", "")]
    found = shutil.which(name, path=os.pathsep.join(folders))
    if found is None:
        raise ProvideResource(
            f"KenLM's {name} is missing (looked in {folders[0]}" + ("" if named else " and on PATH") + ")",
            hint=f"bash scripts/build_lmplz.sh {sys.prefix}   builds it from the kenlm package",
        )
    return Path(found)


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

    def estimate(self, sentences: Iterable[Sequence[str]], folder: Path) -> None:
        """See ``LanguageModel.estimate``. Raises ``FixCorpus`` if there is too little text."""
        tools = [find_tool("lmplz"), find_tool("build_binary")]
        folder.mkdir(parents=True, exist_ok=True)
        text, arpa = folder / "corpus.txt", folder / "model.arpa"
        written = 0
        with text.open("w", encoding="utf-8", errors="replace") as stream:
            for sentence in sentences:
                if sentence:
                    stream.write(" ".join(sentence) + "\n")
                    written += 1
        if not written:
            return
        _run([
            str(tools[0]), "-o", str(self._order), "-S", self._memory, "-T", str(folder / "sort-"),
            "--discount_fallback", "--skip_symbols", "--text", str(text), "--arpa", str(arpa),
        ])  # fmt: skip
        _run([str(tools[1]), "-S", self._memory, "-T", str(folder / "sort-"), "trie", str(arpa), str(folder / _BINARY)])
        text.unlink()
        arpa.unlink()

    def score(self, folder: Path, sentence: Sequence[str]) -> float:
        """See ``LanguageModel.score``."""
        if folder not in self._models:
            import kenlm

            self._models[folder] = kenlm.Model(str(folder / _BINARY))
        # Lone surrogates: as they were written for lmplz.
        text = " ".join(sentence).encode("utf-8", "replace").decode("utf-8")
        return float(self._models[folder].score(text))


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        return
    last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no message")
    if "BadDiscountException" in done.stderr or "vocabulary" in done.stderr:
        raise FixCorpus(
            f"too little text for the n-gram model: {last}", hint="use a larger corpus, or a lower baselines.order"
        )
    raise StageFailed(
        f"{Path(command[0]).name} failed ({done.returncode}): {last}", hint="execution.lm_memory may be too large"
    )
