"""Compares the output that a run links to with the output that a configuration gives."""

from __future__ import annotations

from pathlib import Path

from wdw_build.core.store.causes import AnyCause, NeverRun, Unrecorded
from wdw_build.core.store.manifest import Ingredients, read_manifest


def link_causes(link: Path, given: Ingredients) -> tuple[AnyCause, ...]:
    """The differences between the output that ``link`` leads to and the output of ``given``; empty if they are the same.

    Outputs are the same if their fingerprints are, so a copy of the output is as good as a link.
    """
    linked = read_manifest(link)
    if linked is None:
        return (NeverRun(stage=given.stage),)
    if linked.fingerprint == given.fingerprint:
        return ()
    return tuple(given.differences(linked.ingredients)) or (Unrecorded(stage=given.stage),)


def is_linked(causes: tuple[AnyCause, ...]) -> bool:
    """Whether the run has an output of the stage, perhaps another one than that of the configuration."""
    return not any(isinstance(cause, NeverRun) for cause in causes)
