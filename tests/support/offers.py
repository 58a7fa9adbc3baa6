"""Offers, given or random; random cues are as strong as in news: the answer is often first and the most frequent name."""

from collections import Counter
from dataclasses import replace

import numpy as np

from wdw_build.selection.offers import Limits, Offers, Terms
from wdw_build.selection.program import excesses

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


def sharing(offers, chosen, first_day):
    """The pairs of articles, the later one of this day or later, of which one is the other's passage."""
    asked = {int(offers.question[one]): article for article, one in enumerate(chosen) if one >= 0}
    return [
        (article, other)
        for article, one in enumerate(chosen)
        if one >= 0 and (other := asked.get(int(offers.passage[one]), article)) != article
        if max(offers.day[article], offers.day[other]) >= first_day
    ]


def within_caps(offers, asked, chosen):
    kept, limits = chosen[chosen >= 0], asked.limits
    passages = Counter(offers.passage[kept].tolist())
    answers = Counter(offers.person[kept].tolist())
    events = Counter(
        (article, person)
        for question, read, person in zip(offers.question[kept], offers.passage[kept], offers.person[kept], strict=True)
        for article in {int(question), int(read)}
    )
    most = limits.most(len(kept))
    return all(
        not limit or max(groups.values(), default=0) <= limit
        for limit, groups in ((limits.passage, passages), (limits.event, events), (most * bool(limits.answer), answers))
    ) and (asked.apart_from is None or not sharing(offers, chosen, asked.apart_from))


def meets(offers, asked, chosen):
    # The caps are quick to check.
    return within_caps(offers, asked, chosen) and all(
        excess <= slack + 1e-6 for excess, slack in excesses(offers, asked, chosen).values()
    )
