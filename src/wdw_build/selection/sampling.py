"""The draw: one alternative or none per article with given probabilities, within the caps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.instance import Instance
from wdw_build.selection.offers import NONE


def mixed(draw: NDArray[np.float64], salt: int) -> NDArray[np.float64]:
    """Another number in [0, 1) for each draw, as if independent of it (the finaliser of SplitMix64)."""
    bits = draw.astype(np.float64).view(np.uint64) + np.uint64((0x9E3779B97F4A7C15 * (salt + 1)) % 2**64)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    bits ^= bits >> np.uint64(31)
    return np.asarray((bits >> np.uint64(11)) / float(1 << 53))


def sample(instance: Instance, rates: NDArray[np.float64], salt: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(B,) the drawn alternative of each article, -1 for none, and whether the article lost its alternative to a cap.

    Groups are filled in the order of draws. Articles that no full group concerns are drawn all at once.
    """
    first = instance.starts[:-1]
    cumulative = np.cumsum(rates)
    before = (cumulative - rates)[first]
    target = mixed(instance.draw, salt)
    # The number of alternatives whose cumulative rate is at most the target.
    drawn = np.searchsorted(cumulative, before + target, side="right")
    current = np.where(drawn < instance.starts[1:], np.maximum(drawn, first), NONE)
    return current, drop_contested(instance, current, salt + 1)


def drop_contested(instance: Instance, current: NDArray[np.int64], salt: int) -> NDArray[np.bool_]:
    """Remove alternatives from ``current`` until all caps are met; (B,) the articles that have lost theirs."""
    lost = np.zeros(len(current), dtype=bool)
    over = instance.used(current) > instance.room
    if not over.any():
        return lost
    contested = np.zeros(len(current), dtype=bool)
    chosen = current >= 0
    contested[chosen] = over[instance.groups[current[chosen]]].any(axis=1)
    left = (instance.room - instance.used(np.where(contested, NONE, current))).tolist()
    left[-1] = len(instance.groups) * max(instance.groups.shape[1], 1)
    for article in np.flatnonzero(contested)[np.argsort(mixed(instance.draw[contested], salt), kind="stable")]:
        groups = instance.groups[current[article]].tolist()
        if all(left[group] > 0 for group in groups):
            for group in groups:
                left[group] -= 1
        else:
            current[article] = NONE
            lost[article] = True
    return lost
