"""Offers, given or random; random cues are as strong as in news: the answer is often first and the most frequent name."""

from dataclasses import replace

import numpy as np

from wdw_build.selection.offers import Limits, Offers, Terms

NO_LIMITS = Limits(0, 0, 0.0, 0)
LIMITS = Limits(2, 1, 0.02, 10)


def random_offers(articles, seed, most=12, passages=None, people=None):
    """Offers of this many articles, each with 0 to ``most`` alternatives of up to five choices."""
    rng = np.random.default_rng(seed)
    article = np.repeat(np.arange(articles), rng.integers(0, most + 1, articles))
    n = len(article)
    choices = rng.choice([2, 3, 4, 5], n, p=[0.2, 0.2, 0.15, 0.45])
    easy = rng.beta(2, 1, articles)[article]

    def place():
        places = (rng.random(n) * choices).astype(np.int8)
        places[rng.random(n) < easy * 0.85 + 0.1] = 0
        return places

    day = 1 + np.random.default_rng(seed).integers(0, 10, articles)
    first = place()
    ranks = np.stack([first, np.where(rng.random(n) < 0.7, first, place())], axis=1)
    guesses = [rng.random(n) < 0.15 + 0.6 * easy, rng.random(n) < 0.1 + 0.55 * easy]
    solved = np.stack([ranks[:, 0] == 0, ranks[:, 1] == 0, *guesses], axis=1).astype(np.int8)
    return Offers(
        article=article,
        choices=choices.astype(np.int64),
        solved=solved,
        ranks=ranks.astype(np.int8),
        event=rng.random(n),
        evidence=np.zeros(n),
        draw=rng.random(articles),
        day=day,
        passage=rng.integers(0, passages or articles, n),
        question=article.copy(),
        person=rng.zipf(1.5, n) % (people or max(articles // 2, 1)),
        traits=rng.integers(0, 2, (n, 1)),
    )


def given_offers(*lines, **columns):
    """Offers of (article, choices, solved, places); no two alternatives have the same passage or answer."""
    article = np.array([line[0] for line in lines], dtype=np.int64)
    size = len(set(article.tolist()))
    filled = {
        "event": np.zeros(len(lines)),
        "evidence": np.zeros(len(lines)),
        "draw": np.linspace(0.1, 0.9, size),
        "day": np.ones(size, dtype=np.int64),
        "passage": 1000 + np.arange(len(lines)),
        "question": article,
        "person": np.arange(len(lines)),
        "traits": np.zeros((len(lines), 0), dtype=np.int64),
    }
    return Offers(
        article=article,
        choices=np.array([line[1] for line in lines], dtype=np.int64),
        solved=np.array([line[2] for line in lines], dtype=np.int8),
        ranks=np.array([line[3] for line in lines], dtype=np.int8),
        **filled | {name: np.array(values) for name, values in columns.items()},
    )


def without_places(offers):
    """The same offers without rankings, so that places of answers have no rows."""
    return replace(offers, ranks=offers.ranks[:, :0])


def terms(**changes):
    """The strictest terms, with changes."""
    strictest = {"bound": "chance", "by_choices": True, "event_weight": 0.0, "evidence_weight": 0.0}
    return Terms(**strictest | {"limits": NO_LIMITS, "apart_from": None} | changes)


def in_order(offers, order):
    """The same offers with the articles in another order."""
    starts = np.searchsorted(offers.article, order)
    ends = np.searchsorted(offers.article, order, side="right")
    at = np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)]).astype(np.int64)
    columns = {
        name: getattr(offers, name)[at]
        for name in ("choices", "solved", "ranks", "event", "evidence", "passage", "question", "person", "traits")
    }
    article = np.repeat(np.arange(len(order)), ends - starts)
    return at, Offers(article=article, draw=offers.draw[order], day=offers.day[order], **columns)
