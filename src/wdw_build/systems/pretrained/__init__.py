"""Systems on models from disk that are not trained here: a causal language model without the passage, and a QA model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from wdw_build.core.config.section import PositiveInt, Section
from wdw_build.errors import MissingResourceError
from wdw_build.reading import System, SystemEntry, Workspace
from wdw_build.systems.encoders import MaxTokens
from wdw_build.systems.encoders.files import check_length, encoder_hash, library_versions, load_model, model_folder

Folder = Annotated[
    str,
    Meta(description="Folder of the model, as `save_pretrained` of transformers writes it with its fast tokenizer."),
]


class ClosedBookConfig(Section, frozen=True):
    """Settings of ``closed-book``."""

    model: Folder = ""
    normalisation: Annotated[
        Literal["total", "token"],
        Meta(description="`total`: the log probability of the filled sentence; `token`: its mean for each token."),
    ] = "total"
    contrast: Annotated[
        bool,
        Meta(
            description="Subtract the log probability of the name after `neutral`, so that a common name has no advantage "
            "(Holtzman et al. 2021)."
        ),
    ] = False
    neutral: Annotated[str, Meta(description="Text before the name in the second term of `contrast`.")] = (
        "The person is"
    )
    prompt: Annotated[str, Meta(description="Text before the sentence; its own probability does not count.")] = ""
    batch: Annotated[PositiveInt, Meta(description="Sentences that the model reads at once.")] = 16


class QaModelConfig(Section, frozen=True):
    """Settings of ``qa-model``."""

    model: Folder = ""
    blank: Annotated[
        str,
        Meta(description="Text in the blank of the question, such as `which person`; empty: the model's mask token."),
    ] = "who"
    max_tokens: MaxTokens = 384
    stride: Annotated[
        PositiveInt, Meta(description="Word pieces of the passage that two neighbouring windows share.")
    ] = 128
    max_windows: Annotated[
        PositiveInt, Meta(description="Windows read of a passage; the text after the last of them is not read.")
    ] = 16
    max_answer: Annotated[PositiveInt, Meta(description="Word pieces of the longest span that is extracted.")] = 12


Settings = ClosedBookConfig | QaModelConfig


def whole_model(kind: str, folder: Path, device: str) -> Any:
    """A model of transformers, ready to answer. Raises ``MissingResourceError`` if it cannot be loaded or lacks weights."""
    model, missing = load_model(kind, folder)
    if missing:
        raise MissingResourceError(
            f"the model in {folder} has no weights for {', '.join(missing[:3])}",
            hint=f"give a model that was trained for its purpose: one that {kind} loads whole",
        )
    return model.to(device).eval()


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
