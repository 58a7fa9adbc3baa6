"""Settings of ``wdw-build bench``, which measures systems on the dataset. They change no byte of the dataset."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from wdw_build.core.config.section import PositiveInt, Section

Condition = Literal["passage", "without", "codes", "surrogate", "codes-without", "surrogate-without"]


class BenchConfig(Section, frozen=True):
    """How ``wdw-build bench`` trains and evaluates systems."""

    systems: tuple[str, ...] = ()
    """Names of systems (docs/reference/systems.md), or of groups: all, probes, table 4, today, neural (random
    training). `all but` omits the systems named after it, as in [all but neural]. Empty: all systems."""
    train: Literal["strict", "relaxed"] = "strict"
    """Training problems: the split train, or train.relaxed."""
    seeds: PositiveInt = 1
    """Number of times to train a system whose training is random, each time with a different seed."""
    conditions: Annotated[tuple[Condition, ...], Meta(min_length=1)] = ("passage",)
    """Conditions in which systems read the problems: unchanged (passage), with replaced names, or without the
    passage."""
    evaluation: Literal["held-out", "cross-fitted"] = "held-out"
    """held-out: train on train, answer validation and test; cross-fitted: answer every problem with a system trained on
    other events."""
    folds: Annotated[int, Meta(ge=3)] = 5
    """Folds of the cross-fitted evaluation; one fold decides when training stops."""
    vectors: str = ""
    """File of word vectors in the text format of GloVe or word2vec, optionally gzipped; empty: the bundled file."""
    encoder: str = ""
    """Folder of a model that the package transformers can read; empty: all-MiniLM-L6-v2 from its package."""
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Settings of individual systems, such as {as-reader: {hidden: 128}}; see docs/reference/systems.md."""
    predictions: dict[str, str] = field(default_factory=dict)
    """Answers of external models: name -> file, as for bench --predictions. These names may be used in adversary.systems."""
