"""The system ``qa-model``: an extractive QA model from disk, which is not trained here."""

from __future__ import annotations

from pathlib import Path

from wdw_bench.systems.encoders import MaxTokens, check_length, encoder_hash, library_versions, model_folder
from wdw_build.api import MissingResourceError, PositiveInt, Section
from wdw_build.reading import System, SystemEntry, TrainingContext

NAME = "qa-model"


class QaModelConfig(Section, frozen=True):
    """Settings of ``qa-model``."""

    model: str = ""
    """Folder written by transformers' `save_pretrained`, with a fast tokenizer."""
    blank: str = "who"
    """Text in the blank; empty: the model's mask token."""
    max_tokens: MaxTokens = 384
    """Maximum length of an encoder input, in word pieces."""
    stride: PositiveInt = 128
    """Word pieces shared by neighbouring passage windows."""
    max_windows: PositiveInt = 16
    """Maximum number of windows per passage; the rest of the passage is not read."""
    max_answer: PositiveInt = 12
    """Maximum length of an extracted span, in word pieces."""


def _backends(settings: QaModelConfig, workspace: TrainingContext) -> dict[str, str]:
    """Versions of libraries and the hash of the model. Raises ``MissingResourceError`` if no model is set or files lack."""
    if not settings.model:
        raise MissingResourceError(
            f"{NAME} has no model",
            hint=f"set bench.settings.{NAME}.model to a folder that transformers' save_pretrained wrote",
        )
    folder = model_folder(Path(settings.model), f"model for {NAME}")
    check_length(folder, settings.max_tokens)
    return library_versions() | {"model": encoder_hash(folder)}


def _make(settings: QaModelConfig) -> System:
    from wdw_bench.systems.pretrained.qa_model import QaModel

    return QaModel(settings)


QA_MODEL = SystemEntry(
    name=NAME,
    title="Extractive QA model",
    source="Devlin et al. (2019), section 4.2",
    group="today",
    make=_make,
    settings=QaModelConfig,
    backends=_backends,
    configured=lambda settings: bool(settings.model),
    accelerated=True,
    has_cut_off=True,
)
