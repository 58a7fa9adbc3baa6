"""Settings of ``wdw-build bench``, which measures systems on the dataset. They change no byte of the dataset."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from wdw_build.core.config.section import PositiveInt, Section


class BenchConfig(Section, frozen=True):
    """How ``wdw-build bench`` trains and evaluates systems."""

    systems: Annotated[
        tuple[str, ...],
        Meta(description="Names of the systems, see docs/reference/systems.md; empty: all systems."),
    ] = ()
    train: Annotated[
        Literal["strict", "relaxed"],
        Meta(description="Training problems: those of train, or those of train.relaxed."),
    ] = "strict"
    seeds: Annotated[
        PositiveInt,
        Meta(description="How many times to train a system whose training is random; the seeds count up from seed."),
    ] = 1
    vectors: Annotated[
        str,
        Meta(
            description="Word vectors in the text form of GloVe or word2vec, may be gzipped; empty: the bundled ones."
        ),
    ] = ""
    encoder: Annotated[
        str,
        Meta(description="Folder of a transformer that transformers can read; empty: all-MiniLM-L6-v2 of its package."),
    ] = ""
    settings: Annotated[
        dict[str, dict[str, Any]],
        Meta(
            description="Settings of single systems, such as {as-reader: {hidden: 128}}, see docs/reference/systems.md."
        ),
    ] = field(default_factory=dict)
    predictions: Annotated[
        dict[str, str],
        Meta(
            description="Answers of outside models: name -> file, as for bench --predictions. adversary.systems may name them."
        ),
    ] = field(default_factory=dict)
