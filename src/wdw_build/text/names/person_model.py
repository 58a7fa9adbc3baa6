"""Decides which names of an article are persons of the story: a logistic model weighs all features of a name.

There are two sets of weights: for names of several words, and for lone words, which read the probability of the longer names
that hold the word, too. ``scripts/fit_persons.py`` fits them to labelled names (docs/development/persons.md).
"""

from __future__ import annotations

import functools
import math
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.records import Mention
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import clean, parse
from wdw_build.text.names.person_features import ODD, ArticleNames, Features

LEAST = 0.5
"""The probability from which on a name is a person."""
# Features that the reason of a refusal shows.
_SHOWN = 3


class Verdict(NamedTuple):
    """The probability that a name is a person, and the features that weighed most against it."""

    probability: float
    against: tuple[str, ...]

    @property
    def refusal(self) -> str:
        """Why the name is not a person; empty for a person."""
        if self.probability >= LEAST:
            return ""
        return f"probability {self.probability:.2f}: {', '.join(self.against)}"


class PersonModel:
    """The verdict on each name of an article.

    ``mentions`` are those that the taggers call persons.
    """

    def __init__(self, text: str, mentions: Iterable[Mention], evidence: NameEvidence = NO_EVIDENCE) -> None:
        self._article = ArticleNames(text, mentions, evidence)
        self._verdicts: dict[str, Verdict] = {}

    def verdict(self, name: str) -> Verdict:
        """The verdict on a name, whose outer punctuation does not count."""
        name = clean(name)
        if name not in self._verdicts:
            weights = _weights()["full" if is_full(name) else "lone"]
            self._verdicts[name] = judge(self.features(name), weights)
        return self._verdicts[name]

    def is_given_alone(self, name: str) -> bool:
        """Whether a lone word is rather the given name of an ordinary person than a name by which one is known."""
        return not is_full(name) and judge(self.features(clean(name)), _weights()["alone"]).probability < LEAST

    def features(self, name: str) -> Features:
        """All features of a name; of a lone word, also the highest probability of a longer name that holds it."""
        found = self._article.features(name)
        if not is_full(name):
            longer = filter(is_full, (*self._article.longer(name), *self._article.unmarked_longer(name)))
            found["longer"] = max((self.verdict(one).probability for one in longer), default=0.0)
        return found


def is_full(name: str) -> bool:
    """Whether a name has several words, or initials."""
    return len(parse(name).with_initials) > 1


def judge(features: Features, weights: Mapping[str, float]) -> Verdict:
    """The verdict by these weights. The sum runs in the order of the weights, so that it is the same everywhere."""
    # The taggers hardly ever call such a span a person: no weight of it can be fitted.
    if features.get(ODD):
        return Verdict(0.0, (ODD,))
    parts = {name: weight * features[name] for name, weight in weights.items() if name != "intercept"}
    total = weights["intercept"] + math.fsum(parts.values())
    against = sorted((part, name) for name, part in parts.items() if part < 0)
    shown = tuple(name for _, name in against[:_SHOWN])
    return Verdict(round(1 / (1 + math.exp(-max(min(total, 30.0), -30.0))), DECIMALS), shown)


@functools.cache
def _weights() -> dict[str, dict[str, float]]:
    return tomllib.loads(files("wdw_build.text.names").joinpath("person_weights.toml").read_text(encoding="utf-8"))
