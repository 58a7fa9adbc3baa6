"""split: the most recent problems become validation and test, half each at random (paper, section 4)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from wdw_build.core.hashing import draw
from wdw_build.core.settings import SplitConfig
from wdw_build.core.stage import Context, Stage
from wdw_build.errors import FixCorpus
from wdw_build.records import Kept, Placed, Record, Rejection


def _held_out(strict: list[Kept], config: SplitConfig, seed: int) -> dict[str, str]:
    """The held-out ids with their split. Raises ``FixCorpus`` if there are too few strict problems."""
    size = min(config.held_out, int(config.max_share * len(strict)))
    if size < 2:
        raise FixCorpus(
            f"{len(strict)} strict problems are too few to split: split.max_share = {config.max_share} holds out {size}",
            hint="use a larger corpus, or raise split.max_share",
        )
    recent = sorted(strict, key=lambda kept: (kept.date, kept.id))[-size:]
    shuffled = sorted(recent, key=lambda kept: (draw(seed, "split", kept.id), kept.id))
    return {kept.id: "validation" if at < (size + 1) // 2 else "test" for at, kept in enumerate(shuffled)}


def run(inputs: Iterator[Kept], config: SplitConfig, context: Context) -> Iterator[Record | Rejection]:
    """Yield the place of every kept problem."""
    kept = list(inputs)
    held_out = _held_out([one for one in kept if one.strict], config, context.seed)
    boundary = min((one.date, one.id) for one in kept if one.id in held_out)
    last_day = boundary[0] - dt.timedelta(days=config.gap_days)
    for one in kept:
        if one.id in held_out:
            yield Placed(id=one.id, date=one.date, level="strict", split=held_out[one.id])
        elif (one.date, one.id) > boundary:
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
