"""``setup``: builds what the package index has only as source code, KenLM's estimator, into the environment."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from wdw_build.adapters import kenlm_build
from wdw_build.cli.base import print_result
from wdw_build.core.progress import Progress, choose_mode
from wdw_build.errors import MissingResourceError


def setup(options: argparse.Namespace) -> int:
    """``setup``: ends at once if everything is there. Raises ``MissingResourceError``, with what to do."""
    if folder := os.environ.get("WDW_KENLM_BIN"):
        raise MissingResourceError(
            f"WDW_KENLM_BIN is set, so KenLM's tools are looked for in {folder} alone, where setup builds nothing",
            hint="unset it, then: wdw-build setup",
        )
    prefix = Path(sys.prefix)
    lmplz = prefix / "bin" / "lmplz"
    if kenlm_build.built(prefix):
        print_result(options, {"lmplz": str(lmplz), "built": False}, f"nothing to do: {lmplz} is there and runs")
        return 0
    if not os.access(prefix, os.W_OK):
        raise MissingResourceError(
            f"{prefix} is not writable for you", hint="install the package into a virtual environment (python -m venv)"
        )
    progress = Progress(choose_mode(options.quiet))
    progress.say(f"building KenLM's lmplz and build_binary into {prefix}, in a minute or two")
    try:
        kenlm_build.build(prefix, progress.say)
    except kenlm_build.BuildError as error:
        without = "or omit ngram from baselines.use, so that KenLM is not needed"
        raise MissingResourceError(str(error), hint=f"{error.hint}; {without}") from error
    print_result(options, {"lmplz": str(lmplz), "built": True}, f"ready: {lmplz}")
    return 0
