"""Tabu search (Glover 1989) over the alternatives of some articles: meets the rows, then raises the objective.

A move gives an article another alternative, its first one, or none. Each step makes the best move: the change of the objective
less a penalty for what rows are exceeded by. A row's penalty grows while the row is exceeded and shrinks while it is met,
so that the search crosses the border of what is allowed again and again. Articles that have just moved are left alone.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wdw_build.selection.instance import TOLERANCE, Instance
from wdw_build.selection.offers import NONE

_FIRST_PENALTY, _PENALTIES = 1.0, (0.05, 50.0)
_GROWTH, _DECAY = 1.1, 0.98
_TENURE = 8
# Most searches find their best choice within some hundred moves.
_PATIENCE = 500
# A step looks at the articles of one block, which has about this number of alternatives.
_BLOCK = 1000


class Search:
    """The state of a search. ``best``: (B,) the best choice that meets all rows and caps, None until there is one."""

    def __init__(self, instance: Instance, current: NDArray[np.int64]) -> None:
        self.instance, self.current = instance, current.copy()
        self.best: NDArray[np.int64] | None = None
        self.best_value = -np.inf
        self._article = instance.article
        self._rows = instance.matrix[instance.kind]
        self._own = np.zeros((len(current), len(instance.high)))
        self._own_weight = np.zeros(len(current))
        chosen = current >= 0
        self._own[chosen] = self._rows[current[chosen]]
        self._own_weight[chosen] = instance.weight[current[chosen]]
        self._sums = instance.sums(current)
        self._used = instance.used(current)
        self._until = np.zeros(len(current), dtype=np.int64)
        self._blocks = _blocks(instance.starts)
        # The bounds of the rows, repeated for each alternative of a block: NumPy is slow to broadcast short rows.
        most = max((instance.starts[one.stop] - instance.starts[one.start] for one in self._blocks), default=0)
        self._high, self._low = (np.tile(bound, (int(most), 1)) for bound in (instance.high, instance.low))
        # Memory for a block's sums and for what is computed of them: new memory would cost more than the sums.
        self._of_block, self._over, self._under = (np.empty_like(self._high) for _ in range(3))
        self._penalty = np.full(len(instance.high), _FIRST_PENALTY)

    def run(self, steps: int) -> None:
        """Make at most this number of moves: fewer if the best choice has stayed the same for long."""
        improved = steps
        for step in range(steps):
            if self._note():
                improved = step
            if step - improved >= _PATIENCE:
                return
            self._move(step)
        self._note()

    def _violations(self, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n,) what rows are exceeded by, weighted with the penalties. ``sums``: (n, R), for at most a block's alternatives."""
        over, under = self._over[: len(sums)], self._under[: len(sums)]
        np.subtract(sums, self._high[: len(sums)], out=over)
        np.subtract(self._low[: len(sums)], sums, out=under)
        np.maximum(over, under, out=over)
        np.maximum(over, 0.0, out=over)
        return np.asarray(over @ self._penalty)

    def _note(self) -> bool:
        """Remember the current choice if it is the best, and say whether it is; adapt the penalties."""
        over = self.instance.excess(self._sums) > TOLERANCE
        value = self._own_weight.sum()
        is_best = bool(not over.any() and value > self.best_value + TOLERANCE)
        if is_best:
            self.best, self.best_value = self.current.copy(), value
        self._penalty *= np.where(over, _GROWTH, _DECAY)
        np.clip(self._penalty, *_PENALTIES, out=self._penalty)
        return is_best

    def _move(self, step: int) -> None:
        """Make the best move of one block of articles, if any is allowed."""
        articles = self._blocks[step % len(self._blocks)]
        starts = self.instance.starts
        block = slice(starts[articles.start], starts[articles.stop])
        of_article = self._article[block] - articles.start
        own, tabu, current = self._own_weight[articles], self._until[articles] > step, self.current[articles]
        without = self._sums - self._own[articles]
        violation = self.instance.excess(self._sums) @ self._penalty
        removal = violation - self._violations(without) - own
        removal[tabu | (current < 0)] = -np.inf
        sums = self._of_block[: len(of_article)]
        np.take(without, of_article, axis=0, out=sums, mode="clip")
        sums += self._rows[block]
        gain = violation - self._violations(sums) - own[of_article]
        gain += self.instance.weight[block]
        gain[tabu[of_article] | self._blocked(block)] = -np.inf
        gain[current[current >= 0] - block.start] = -np.inf
        add, drop = int(np.argmax(gain)), int(np.argmax(removal))
        if max(gain[add], removal[drop]) == -np.inf:
            return
        if gain[add] >= removal[drop]:
            self._assign(articles.start + int(of_article[add]), block.start + add, step)
        else:
            self._assign(articles.start + drop, NONE, step)

    def _blocked(self, block: slice) -> NDArray[np.bool_]:
        """Whether a cap forbids each alternative of the block. The article's present alternative leaves its groups."""
        groups = self.instance.groups[block]
        full = self._used >= self.instance.room
        full[-1] = False
        blocked = full[groups]
        if blocked.any():
            at, column = np.nonzero(blocked)
            present = self.current[self._article[block][at]]
            same = (self.instance.groups[present] == groups[at, column][:, None]).any(axis=1) & (present >= 0)
            blocked[at[same], column[same]] = False
        return np.asarray(blocked.any(axis=1))

    def _assign(self, article: int, alternative: int, step: int) -> None:
        instance = self.instance
        self._sums -= self._own[article]
        if self.current[article] >= 0:
            np.subtract.at(self._used, instance.groups[self.current[article]], 1)
        self.current[article] = alternative
        self._own[article] = self._rows[alternative] if alternative >= 0 else 0.0
        self._own_weight[article] = instance.weight[alternative] if alternative >= 0 else 0.0
        self._sums += self._own[article]
        if alternative >= 0:
            np.add.at(self._used, instance.groups[alternative], 1)
        self._until[article] = step + _TENURE + article % 5


def _blocks(starts: NDArray[np.int64]) -> list[slice]:
    """Ranges of articles with about the same number of alternatives. Adjacent articles have nothing in common but the draw."""
    count = max(1, round(int(starts[-1]) / _BLOCK))
    edges = np.unique(np.searchsorted(starts, np.linspace(0, starts[-1], count + 1)))
    return [slice(int(first), int(last)) for first, last in pairwise(edges)]
