"""Smoothed keep rates: a price for each row and each full group, and the probability of each alternative at these prices.

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

# The entropy's weight, from smooth to nearly linear; the last is what the rates are drawn at.
TEMPERATURES: tuple[float, ...] = (0.3, 0.1, 0.03, 0.01)
_LARGEST_PRICE = 50.0
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
