"""Causes in words: the only place that turns the causes of ``status``, ``--dry-run``, ``diff`` and ``report`` into sentences."""

from __future__ import annotations

from collections.abc import Iterable

from wdw_build.core.store.causes import (
    AnyCause,
    ArticleChanged,
    BackendChanged,
    Forced,
    InputChanged,
    InputWillRun,
    KeysRenamed,
    NeverRun,
    OutputDeleted,
    SeedChanged,
    SettingChanged,
    Unrecorded,
    VersionChanged,
)


def sentence(cause: AnyCause) -> str:
    """A cause in words, for a place where the stage is already named."""
    match cause:
        case VersionChanged():
            return f"stage version {cause.old} -> {cause.new}"
        case SeedChanged():
            return f"seed {cause.old} -> {cause.new}"
        case SettingChanged():
            return f"config {cause.stage}.{cause.key} {cause.old!r} -> {cause.new!r}"
        case KeysRenamed():
            return "its configuration keys were renamed"
        case InputChanged():
            return f"input {cause.input} changed"
        case BackendChanged():
            return f"backend {cause.port} changed"
        case InputWillRun():
            return f"{cause.input} will run"
        case NeverRun():
            return "it has not been run"
        case OutputDeleted():
            return "its output is gone"
        case Forced():
            return "forced"
        case ArticleChanged():
            return f"article {cause.article} {cause.change} in {cause.stage}"
        case Unrecorded():
            return "no recorded cause"


def full_sentence(cause: AnyCause) -> str:
    """A cause in words that also names the stage, if the cause belongs to one."""
    if not cause.stage or isinstance(cause, SettingChanged | ArticleChanged):
        return sentence(cause)
    return f"{cause.stage}: {sentence(cause)}"


def in_words(causes: Iterable[AnyCause]) -> str:
    """Causes of one stage in words, joined by semicolons."""
    return "; ".join(map(sentence, causes))
