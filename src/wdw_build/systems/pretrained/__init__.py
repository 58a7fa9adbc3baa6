"""Systems on models from disk that are not trained here: a causal language model without the passage, and a QA model."""

from __future__ import annotations

from pathlib import Path

from wdw_build.errors import MissingResourceError
from wdw_build.reading import System, SystemEntry, Workspace
from wdw_build.systems.encoders.files import check_length, encoder_hash, library_versions, model_folder
from wdw_build.systems.pretrained.settings import ClosedBookConfig, QaModelConfig

Settings = ClosedBookConfig | QaModelConfig


def _folder(settings: Settings, name: str) -> Path:
    """The model's folder. Raises ``MissingResourceError`` if it is not set or lacks a file."""
    if not settings.model:
        raise MissingResourceError(
            f"{name} has no model",
            hint=f"set bench.settings.{name}.model to a folder that transformers' save_pretrained wrote",
        )
    return model_folder(Path(settings.model), f"model for {name}")


def _closed_book_backends(settings: ClosedBookConfig, workspace: Workspace) -> dict[str, str]:
    return library_versions() | {"model": encoder_hash(_folder(settings, "closed-book"))}


def _qa_backends(settings: QaModelConfig, workspace: Workspace) -> dict[str, str]:
    folder = _folder(settings, "qa-model")
    check_length(folder, settings.max_tokens)
    return library_versions() | {"model": encoder_hash(folder)}


def _closed_book(settings: ClosedBookConfig) -> System:
    from wdw_build.systems.pretrained.closed_book import ClosedBook

    return ClosedBook(settings)


def _qa_model(settings: QaModelConfig) -> System:
    from wdw_build.systems.pretrained.qa_model import QaModel

    return QaModel(settings)


def _configured(settings: Settings) -> bool:
    return bool(settings.model)


CLOSED_BOOK = SystemEntry(
    name="closed-book",
    title="Closed book: a causal language model",
    source="Holtzman et al. (2021)",
    group="today",
    make=_closed_book,
    settings=ClosedBookConfig,
    backends=_closed_book_backends,
    configured=_configured,
    accelerated=True,
)
QA_MODEL = SystemEntry(
    name="qa-model",
    title="Extractive QA model",
    source="Devlin et al. (2019), section 4.2",
    group="today",
    make=_qa_model,
    settings=QaModelConfig,
    backends=_qa_backends,
    configured=_configured,
    accelerated=True,
)
