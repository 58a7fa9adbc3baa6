"""split: the most recent problems become validation and test, half each at random (paper, section 4)."""

from __future__ import annotations

import datetime as dt
import heapq
from collections.abc import Iterator

from wdw_build.core.hashing import draw
from wdw_build.core.settings import SplitConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.errors import FixCorpus
from wdw_build.records import Kept, Placed, Record, Rejection

Key = tuple[dt.date, str]


def _held_out(context: Context, config: SplitConfig) -> dict[Key, str]:
    """The held-out problems, by date and id, with their split. Raises ``FixCorpus`` if there are too few strict ones."""
    strict = 0

    def keys() -> Iterator[Key]:
        nonlocal strict
        for kept in context.read("suppress"):
            if kept.strict:
                strict += 1
                yield kept.date, kept.id

    # No more are ever kept than can be held out, however many problems there are.
    recent = heapq.nlargest(config.held_out, keys())
    size = min(config.held_out, int(config.max_share * strict))
    if size < 2:
        raise FixCorpus(
            f"{strict} strict problems are too few to split: split.max_share = {config.max_share} holds out {size}",
            hint="use a larger corpus, or raise split.max_share",
        )
    shuffled = sorted(recent[:size], key=lambda key: (draw(context.seed, "split", key[1]), key[1]))
    return {key: "validation" if at < (size + 1) // 2 else "test" for at, key in enumerate(shuffled)}


def run(inputs: Iterator[Kept], config: SplitConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the place of every kept problem."""
    held_out = _held_out(context, config)
    boundary = min(held_out)
    last_day = boundary[0] - dt.timedelta(days=config.gap_days)
    for one in inputs:
        key = one.date, one.id
        if key in held_out:
            yield Placed(id=one.id, date=one.date, level="strict", split=held_out[key])
        elif key > boundary:
            yield Rejection(id=one.id, reason="relaxed-in-held-out-time", detail=f"{one.date} after {boundary[0]}")
        elif config.gap_days and one.date > last_day:
            yield Rejection(id=one.id, reason="within-gap", detail=f"{one.date}, held out from {boundary[0]}")
        else:
            yield Placed(id=one.id, date=one.date, level="strict" if one.strict else "relaxed", split="train")


STAGE = Stage(
    name="split",
    version=1,
    reads=("suppress",),
    writes=Placed,
    config=SplitConfig,
    run=run,
    scope="set",
    unit="problems",
    seeded=True,
    summary="Train, validation and test by date.",
    reasons={
        "relaxed-in-held-out-time": "a relaxed problem, for training only, from the time of validation and test",
        "within-gap": "a training problem closer than split.gap_days to the first held-out day",
    },
)
