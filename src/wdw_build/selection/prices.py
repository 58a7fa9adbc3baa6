"""Smoothed keep rates: a price for each row and each full group, and the probability of each alternative at these prices.

The draw then takes one alternative or none per article with these probabilities, within the caps.

At prices y an article chooses alternative a with probability exp(s_a / t) / (1 + the sum of this over its alternatives),
where s_a is the alternative's weight less the price of what it uses. These are the keep rates of the paper with a choice
among alternatives. The prices of rows minimise a smooth convex function, the dual of the linear program with an entropy of
weight t. The prices of groups follow from fixed-point steps, as in matrix scaling (Sinkhorn and Knopp 1967).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.instance import Instance
from wdw_build.selection.offers import NONE

# The entropy's weight, from smooth to nearly linear; the last is what the rates are drawn at.
TEMPERATURES: tuple[float, ...] = (0.3, 0.1, 0.03, 0.01)
_LARGEST_PRICE = 10.0
_GROUP_STEPS, _DAMPING = 8, 0.7
_ALTERNATIONS = 3
# The draw adds an error of about the root of the number of articles to each row; prices are exact to this share of the root.
_NOISE = 0.05


@dataclass
class Prices:
    """Prices of rows (R,) and of groups (G + 1,); the last group's price is 0."""

    rows: NDArray[np.float64]
    groups: NDArray[np.float64]

    @classmethod
    def zero(cls, instance: Instance) -> Prices:
        """No prices."""
        return cls(np.zeros(len(instance.high)), np.zeros(len(instance.room)))

    def copy(self) -> Prices:
        """The same prices, to be changed independently."""
        return Prices(self.rows.copy(), self.groups.copy())


class Rates:
    """The keep rates of an instance's alternatives, for prices that change."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._first = instance.starts[:-1]
        self._article = instance.article

    def scores(self, prices: Prices) -> NDArray[np.float64]:
        """(k,) weight less prices."""
        return self._instance.weight - self._group_cost(prices) - self._row_cost(prices.rows)

    def _row_cost(self, prices: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((self._instance.matrix @ prices)[self._instance.kind])

    def _group_cost(self, prices: Prices) -> NDArray[np.float64]:
        cost = np.zeros(len(self._instance.weight))
        for column in self._instance.groups.T:
            cost += prices.groups[column]
        return cost

    def rates(self, scores: NDArray[np.float64], temperature: float) -> tuple[NDArray[np.float64], float]:
        """(k,) the keep rates, and the dual's value without the rows' limits."""
        scores = scores / temperature
        largest = np.maximum(np.maximum.reduceat(scores, self._first), 0.0)
        scores -= largest[self._article]
        np.exp(scores, out=scores)
        total = np.add.reduceat(scores, self._first) + np.exp(-largest)
        scores /= total[self._article]
        return scores, float(temperature * (np.log(total) + largest).sum())

    def fit_rows(self, prices: Prices, temperature: float, steps: int) -> None:
        """Change the prices of the rows to the minimum of the dual at these prices of groups."""
        from scipy.optimize import minimize

        instance = self._instance
        base = instance.weight - self._group_cost(prices)
        size, articles = len(instance.high), len(instance.draw)
        bounded = np.isfinite(instance.low)
        low = np.where(bounded, instance.low, 0.0)

        def dual(split: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            above, below = split[:size], split[size:]
            rates, value = self.rates(base - self._row_cost(above - below), temperature)
            sums = np.bincount(instance.kind, rates, minlength=len(instance.matrix)) @ instance.matrix
            gradient = np.concatenate([instance.high - sums, sums - low])
            return float(value + instance.high @ above - low @ below) / articles, gradient / articles

        found = minimize(
            dual,
            np.concatenate([np.maximum(prices.rows, 0.0), np.maximum(-prices.rows, 0.0)]),
            jac=True,
            method="L-BFGS-B",
            bounds=[(0.0, _LARGEST_PRICE)] * size + [(0.0, _LARGEST_PRICE if both else 0.0) for both in bounded],
            options={
                "maxiter": steps,
                "maxfun": 2 * steps,
                "ftol": 1e-12,
                "gtol": _NOISE / articles**0.5,
                "maxcor": 20,
            },
        )
        prices.rows = found.x[:size] - found.x[size:]

    def fit_groups(self, prices: Prices, temperature: float) -> None:
        """Change the prices of the groups towards expected numbers that fit."""
        instance = self._instance
        cost = self._row_cost(prices.rows)
        for _ in range(_GROUP_STEPS):
            rates, _ = self.rates(instance.weight - cost - self._group_cost(prices), temperature)
            expected = np.zeros(len(instance.room))
            for column in instance.groups.T:
                expected += np.bincount(column, rates, minlength=len(expected))
            ratio = np.log(np.maximum(expected, 1e-9) / np.maximum(instance.room, 1e-9))
            prices.groups = np.clip(prices.groups + _DAMPING * temperature * ratio, 0.0, _LARGEST_PRICE)
            prices.groups[-1] = 0.0


def fit(instance: Instance, prices: Prices, temperatures: tuple[float, ...], steps: int) -> NDArray[np.float64]:
    """(k,) the keep rates at the last temperature; ``prices`` are changed to those that give them."""
    rates = Rates(instance)
    for temperature in temperatures:
        for _ in range(_ALTERNATIONS if instance.groups.shape[1] else 1):
            if instance.groups.shape[1]:
                rates.fit_groups(prices, temperature)
            if len(instance.high):
                rates.fit_rows(prices, temperature, steps)
    return rates.rates(rates.scores(prices), temperatures[-1])[0]


# ---- the draw -------------------------------------------------------------------------------------------------------


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
