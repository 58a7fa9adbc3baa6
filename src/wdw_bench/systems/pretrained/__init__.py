"""Systems on models from disk that are not trained here: causal language models with and without the passage, and a QA model."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from wdw_bench.systems.encoders import MaxTokens
from wdw_bench.systems.encoders.files import check_length, encoder_hash, library_versions, load_model, model_folder
from wdw_build.api import MissingResourceError, PositiveInt, Section
from wdw_build.reading import System, SystemEntry


class CausalConfig(Section, frozen=True):
    """What the systems on a causal language model have in common."""

    model: str = ""
    """Folder written by transformers' `save_pretrained`, with a fast tokenizer."""
    normalisation: Literal["total", "token"] = "total"
    """Score: the log probability of the text, or its mean per token."""
    batch: PositiveInt = 16
    """Texts per batch."""


class ClosedBookConfig(CausalConfig, frozen=True):
    """Settings of ``closed-book``."""

    contrast: bool = False
    """Whether to subtract the log probability of the name after the text `neutral`, to correct for common names."""
    neutral: str = "The person is"
    """Text before the name, for `contrast`."""
    prompt: str = ""
    """Text before the sentence; its probability is not scored."""


class OpenBookConfig(CausalConfig, frozen=True):
    """Settings of ``open-book``."""

    method: Literal["names", "letters"] = "names"
    """Text to score after passage and question: the name of each choice, or its letter in a list."""
    batch: PositiveInt = 1
    """Texts per batch."""


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


Settings = ClosedBookConfig | OpenBookConfig | QaModelConfig


def whole_model(kind: str, folder: Path, device: str) -> Any:
    """A model of transformers, ready to answer. Raises ``MissingResourceError`` if it cannot be loaded or lacks weights."""
    model, missing = load_model(kind, folder)
    if missing:
        raise MissingResourceError(
            f"the model in {folder} has no weights for {', '.join(missing[:3])}",
            hint=f"give a model that was trained for its purpose: one that {kind} loads whole",
        )
    return model.to(device).eval()


def _backends(name: str, settings: Settings) -> dict[str, str]:
    """Versions of libraries and the hash of the model. Raises ``MissingResourceError`` if no model is set or files lack."""
    if not settings.model:
        raise MissingResourceError(
            f"{name} has no model",
            hint=f"set bench.settings.{name}.model to a folder that transformers' save_pretrained wrote",
        )
    folder = model_folder(Path(settings.model), f"model for {name}")
    if isinstance(settings, QaModelConfig):
        check_length(folder, settings.max_tokens)
    return library_versions() | {"model": encoder_hash(folder)}


def _entry(name: str, title: str, source: str, settings: type[Settings], system: str) -> SystemEntry:
    """``system``: module and class of the system, which is imported when it is made."""

    def make(settings: Settings) -> System:
        module, _, kind = system.partition(":")
        made: System = getattr(import_module(f"{__name__}.{module}"), kind)(settings)
        return made

    return SystemEntry(
        name=name,
        title=title,
        source=source,
        group="today",
        make=make,
        settings=settings,
        backends=lambda settings, workspace: _backends(name, settings),
        configured=lambda settings: bool(settings.model),
        accelerated=True,
        has_cut_off=settings is QaModelConfig,
    )


CLOSED_BOOK = _entry(
    "closed-book",
    "Closed book: a causal language model",
    "Holtzman et al. (2021)",
    ClosedBookConfig,
    "causal:ClosedBook",
)
OPEN_BOOK = _entry(
    "open-book",
    "Open book: a causal language model",
    "Brown et al. (2020), section 2.4",
    OpenBookConfig,
    "causal:OpenBook",
)
QA_MODEL = _entry(
    "qa-model", "Extractive QA model", "Devlin et al. (2019), section 4.2", QaModelConfig, "qa_model:QaModel"
)
