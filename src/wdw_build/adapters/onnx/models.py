"""Loads ONNX models and word-piece tokenizers, and names them for manifests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wdw_build.core.hashing import digest, hash_file
from wdw_build.core.installed import installed_version
from wdw_build.errors import MissingResourceError

_LIBRARIES = ("onnxruntime", "tokenizers")


def identity(paths: Sequence[Path], what: str, instead: str) -> str:
    """The libraries' versions and a hash of the files.

    Raises ``MissingResourceError`` if a library or a file is missing. ``what`` names the model in the message; ``instead`` is
    the setting that does without it.
    """
    for path in paths:
        if not path.is_file():
            raise MissingResourceError(
                f"no {what}: {path} does not exist", hint=f"install the package again, or set {instead}"
            )
    hint = f"pip install -c constraints.txt {' '.join(_LIBRARIES)}, or set {instead}"
    versions = ", ".join(f"{name} {installed_version(name, f'the {what}', hint)}" for name in _LIBRARIES)
    return f"{versions}, model {digest([hash_file(path) for path in paths])[:16]}"


def open_model(path: Path) -> Any:
    """The model as an onnxruntime session for one thread. Raises ``MissingResourceError`` if it cannot be loaded."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common class
        raise MissingResourceError(
            f"onnxruntime cannot load {path}: {str(error)[:200]}",
            hint="wdw-build doctor says whether the file is damaged",
        ) from error


def open_tokenizer(path: Path) -> Any:
    """The word-piece tokenizer of a model, without padding and truncation."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
