"""Loads models of ``transformers`` from disk, never from a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from wdw_build.errors import MissingResourceError
from wdw_build.reading import LabelledProblems, Untrained, Workspace

# Problems that are read ahead while problems are answered.
AHEAD = 16


class PretrainedSystem(Untrained):
    """Base class of systems that run a model from disk on the workspace's device."""

    device = "cpu"

    def fit(self, training: LabelledProblems, validation: LabelledProblems, workspace: Workspace) -> None:
        """Learn nothing; note the device."""
        self.device = workspace.device

    def load(self, folder: Path, workspace: Workspace) -> None:
        """Note the device."""
        self.device = workspace.device


def load_model(kind: str, folder: Path, device: str) -> Any:
    """The model of an ``Auto…`` class of transformers, ready to answer. Raises ``MissingResourceError`` if it cannot be loaded."""
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    try:
        model, report = getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, attn_implementation="eager", output_loading_info=True
        )
    except Exception as error:  # transformers raises whatever its parts raise
        raise MissingResourceError(
            f"transformers cannot load {folder} by {kind}: {str(error)[:200]}",
            hint="the folder must hold a model of that kind that save_pretrained wrote",
        ) from error
    if report["missing_keys"]:
        raise MissingResourceError(
            f"the model in {folder} has no weights for {', '.join(sorted(report['missing_keys'])[:3])}",
            hint=f"give a model that was trained for its purpose: one that {kind} loads whole",
        )
    return model.to(device=device, dtype=torch.float32).eval()
