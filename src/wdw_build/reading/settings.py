"""Settings of ``wdw-build bench``, which measures systems on the dataset. They change no byte of the dataset."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from wdw_build.core.section import PositiveInt, Section

Condition = Literal["passage", "without", "codes", "codes-without"]
"""What is read of a problem: all of it, no passage, codes in place of names, or both."""


def has_passage(condition: str) -> bool:
    """Whether the passage is read."""
    return not condition.endswith("without")


def replaces_names(condition: str) -> bool:
    """Whether codes are read in place of names."""
    return condition.startswith("codes")


class BenchConfig(Section, frozen=True):
    """How ``wdw-build bench`` trains and evaluates systems."""

    systems: tuple[str, ...] = ()
    """Names of systems (see docs/reference/systems.md), or of groups: `all`, `probes`, `table 4`, `today`, `neural` (random
    training). `all but` omits the systems listed after it, as in `[all but neural]`. Empty: all systems."""
    train: Literal["strict", "relaxed", "alternatives"] = "strict"
    """Training problems: the `train` split, `train.relaxed`, or the training alternatives (`export.alternatives`)."""
    train_share: Annotated[float, Meta(gt=0.0, le=1.0)] = 1.0
    """Share of the training problems to train on, sampled for each seed; a smaller sample is part of a larger one."""
    seeds: PositiveInt = 1
    """Number of times to train a system with random training, each time with a different seed."""
    conditions: Annotated[tuple[Condition, ...], Meta(min_length=1)] = ("passage",)
    """How systems see the problems: unchanged (`passage`), with replaced names, or without the passage."""
    evaluation: Literal["held-out", "cross-fitted"] = "held-out"
    """`held-out`: train on the training set, and answer validation and test. `cross-fitted`: answer every problem with
    a system trained on other events."""
    vectors: str = ""
    """File of word vectors in GloVe or word2vec text format, optionally gzipped; empty: the bundled file."""
    encoder: str = ""
    """Folder of a model in transformers format; empty: the bundled all-MiniLM-L6-v2."""
    settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Settings of individual systems (see docs/reference/systems.md), such as `{as-reader: {hidden: 128}}`."""
    predictions: dict[str, str] = field(default_factory=dict)
    """Answers of external models: name -> file, as for `bench --predictions`. `adversary.systems` may contain these
    names."""
