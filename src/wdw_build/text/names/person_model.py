"""Decides which names of an article are persons of the story: a logistic model weighs all features of a name.

It reads taggers, form, the text beside a name, the article, and the corpus. Every feature is a number near [0, 1], larger for
more, and none decides alone. There are two sets of weights: for names of several words, and for lone words, which read the
probability of the longer names that hold the word, too. ``scripts/fit_persons.py`` fits them to labelled names
(docs/development/persons.md).
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

from wdw_build.core.rounding import DECIMALS
from wdw_build.records import Mention
from wdw_build.text.names.beside import SIDE, cue_shares, is_personal_title, words_of
from wdw_build.text.names.credited import reports, signatures
from wdw_build.text.names.evidence import NO_EVIDENCE, NameEvidence
from wdw_build.text.names.name import PARTICLES, clean, fold, parse

Features = dict[str, float]

# A domain ends in two letters ("Wyborcza.pl") that are no word: a space may be missing after a full stop ("Ames.he").
_DOMAIN = r"[^\W\d_]{3}\.(?:com|org|net|info|(?!(?:an|as|at|be|by|do|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)\b)[a-z]{2})\b"
# What a person's name has not: digits and signs, joined words ("Ames-health-care-idea"), two names in one, a stance on a person,
# words run together, a party ("D-W.Va.").
_ODD = re.compile(
    rf"\d|[@#/\\&\[\]]|-[a-z]+-[a-z]|https?:|www\.|{_DOMAIN}|\bvs?\.?(?= )| - |\band\b|"
    r"\b(?:[Aa]nti|[Pp]ro|[Nn]on|[Ee]x|[Pp]re|[Pp]ost)-|[A-Z]\w{4,}[a-z][A-Z][a-z]|\w{25}|^[DIR]-[A-Z]"
)
ODD = "odd"
_MANY = 20
# Log odds of a given name that are a feature of 1.
_GIVEN = 4
# The score of a name that the taggers did not call a person.
_UNKNOWN = 0.5
# A capitalised word or initials directly before a name, not at the start of a sentence.
_GIVEN_BEFORE = re.compile(r"(?<=[^.!?:\n] )([^\W\d_a-z][\w-]*[^\W_]|(?:[^\W\d_a-z]\.){1,3}) \Z")
LEAST = 0.5
"""The probability from which on a name is a person."""
LEAST_LONE, LEAST_ALONE = 0.6, 0.4
"""The probabilities from which on a lone word without a longer name is a choice: it is a person, and a person is known by it.

A wrong choice harms a problem more than one that is missing. A given name alone is only a poor choice.
"""
# The corpus knows a person by a full name that is so much oftener a person's than not.
_KNOWN = 2
# Features that the reason of a refusal shows.
_SHOWN = 3


def _much(count: float) -> float:
    """A count as a number that grows ever more slowly: 0 for none, 1 for 20."""
    return min(math.log1p(count) / math.log1p(_MANY), 2.0)


def _form(name: str, words: list[str]) -> Features:
    folded = [fold(word) for word in words]
    return {
        ODD: float(bool(_ODD.search(name)) or not parse(name).core),
        "words": min(len(words), 6) / 3,
        "particle first": float(folded[0] in PARTICLES and len(words) > 1),
        "hyphen": float("-" in name),
        "word twice": float(any(len(word) > 2 and word == other for word, other in itertools.pairwise(folded))),
        "short last word": float(len(folded[-1]) < 3),
    }


def _in_corpus(name: str, evidence: NameEvidence) -> Features:
    words = parse(name).core or (fold(name),)
    counts = evidence.counts(name)
    total = counts.person + counts.other
    return {
        "corpus: person": _much(counts.person),
        "corpus: other": _much(counts.other),
        "corpus: leaning": (counts.person - counts.other) / (total + 1),
        "corpus: titled": _much(counts.titled),
        "corpus: families": _much(evidence.families(words[0])),
        "corpus: opens others": _much(evidence.opens_other(words[0])),
        "corpus: given names": _much(evidence.givens(words[-1])),
        "corpus: ends others": _much(evidence.ends_other(words[-1])),
        "corpus: alone": _much(evidence.counts(words[-1]).person),
        "corpus: alone, other": _much(evidence.counts(words[-1]).other),
    }


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
    """The features of each name of an article, and the verdict on it.

    ``mentions`` are those that the taggers call persons.
    """

    def __init__(self, text: str, mentions: Iterable[Mention], evidence: NameEvidence = NO_EVIDENCE) -> None:
        self._text, self._words, self._evidence = text, words_of(text), evidence
        # Mentions by the name without outer punctuation, and the names of several words by each of their words.
        self._mentions: dict[str, list[Mention]] = {}
        self._names_with: dict[str, list[str]] = {}
        self._features: dict[str, Features] = {}
        self._verdicts: dict[str, Verdict] = {}
        for mention in mentions:
            self._mentions.setdefault(clean(mention.text), []).append(mention)
        for name in self._mentions:
            if len(words := parse(name).words) > 1:
                for word in words:
                    self._names_with.setdefault(word, []).append(name)

    def verdict(self, name: str) -> Verdict:
        """The verdict on a name, whose outer punctuation does not count.

        A full name and its family name alone are one person's. If the family name is a person's and the full name would not be,
        they are judged together ("Bill Gates", "Gates"); by a family name that comes first, only if the corpus knows the full name.
        """
        name = clean(name)
        own = self._verdict_on(name)
        if not own.refusal or not own.probability or not is_full(name):
            return own
        first = [name.split()[0]] if self._evidence.leaning(name) >= _KNOWN else []
        alone = [self._verdict_on(word) for word in (parse(name).last, *first) if word in self._mentions]
        other = max((verdict.probability for verdict in alone), default=0.0)
        if other < LEAST:
            return own
        both, neither = own.probability * other, (1 - own.probability) * (1 - other)
        return Verdict(round(both / (both + neither), DECIMALS), own.against)

    def _verdict_on(self, name: str) -> Verdict:
        """The verdict on a name by its own features."""
        if name not in self._verdicts:
            weights = _weights()["full" if is_full(name) else "lone"]
            self._verdicts[name] = judge(self.features(name), weights)
        return self._verdicts[name]

    def is_doubtful_alone(self, name: str) -> bool:
        """Whether a lone word is no choice: it may be no person, or rather the given name of one than a name by which one is known.

        It is a given name, if the article has the family name of the person, too, by the corpus: "[Vladimir] Putin", "Hillary" and
        "Clinton".
        """
        if is_full(name):
            return False
        name = clean(name)
        features = self.features(name)
        if features["given"] >= 0 and any(self._is_of_one(name, other) for other in self._mentions):
            return True
        # A form that no tagger marked ("Callistus IV" of "Pope Callistus") was judged by the others.
        is_judged = name in self._mentions and features["longer"] < LEAST
        if is_judged and self._verdict_on(name).probability < LEAST_LONE:
            return True
        return judge(features, _weights()["alone"]).probability < LEAST_ALONE

    def _is_of_one(self, given: str, family: str) -> bool:
        """Whether the corpus knows a person of these two names, and none of the family name far better."""
        is_known = self._evidence.leaning(f"{given} {family}") >= _KNOWN
        return is_known and not self._evidence.chief_bearer(fold(given), fold(family))

    def features(self, name: str) -> Features:
        """All features of a name; of a lone word, also the highest probability of a longer name that holds it."""
        if name not in self._features:
            self._features[name] = self._read(name)
        return self._features[name]

    def _read(self, name: str) -> Features:
        spans, words = [(start, start + len(name)) for start in self._words.find(name)], name.split()
        features = {
            **cue_shares(self._text, spans),
            **self._of_taggers(name),
            "occurrences": _much(len(spans)),
            "credited": sum(map(self._is_credited, spans)) / max(len(spans), 1),
            **_form(name, words),
            **self._in_article(name, words, len(spans)),
            **_in_corpus(name, self._evidence),
        }
        if not is_full(name):
            longer_names = filter(is_full, (*self._longer_names(name), *self._unmarked_longer_names(name)))
            features["longer"] = max((self._verdict_on(longer).probability for longer in longer_names), default=0.0)
            given = [mention.given for mention in self._mentions.get(name, ())] or [0.0]
            features["given"] = sum(given) / len(given) / _GIVEN
        return features

    def _longer_names(self, name: str) -> list[str]:
        """The other names of several words that have the last word of this one."""
        words = parse(name).core[-1:]
        return [longer for word in words for longer in self._names_with.get(word, ()) if longer != name]

    def _unmarked_longer_names(self, word: str) -> list[str]:
        """The lone word with the capitalised word or initials before it, wherever a sentence does not start there."""
        before = (_GIVEN_BEFORE.search(self._text, max(0, start - SIDE), start) for start in self._words.find(word))
        return [f"{given[1]} {word}" for given in before if given and not is_personal_title(given[1])]

    def _of_taggers(self, name: str) -> Features:
        mentions = self._mentions.get(name, ())
        odds = [mention.odds for mention in mentions] or [0.0]
        return {
            "tagged": max((mention.score for mention in mentions), default=_UNKNOWN),
            "span": max(odds),
        }

    def _is_credited(self, span: tuple[int, int]) -> bool:
        """Whether a name is in a credit, or the person reports."""
        is_in_credit = any(low <= span[0] and span[1] <= high for low, high in signatures(self._text))
        return is_in_credit or reports(self._text, *span)

    def _in_article(self, name: str, words: list[str], occurrences: int) -> Features:
        last, first = parse(name).last, words[0]
        families = sum(1 for _ in self._words.find(last)) if len(words) > 1 else 0
        firsts = sum(1 for _ in self._words.find(first)) if len(words) > 1 else 0
        return {
            "family name alone": _much(max(families - occurrences, 0)),
            "first word alone": _much(max(firsts - occurrences, 0)),
            "first word in lower case": float(self._words.has_word(first.lower())),
            "last word in lower case": float(self._words.has_word(words[-1].lower())),
            "in a longer name": float(bool(self._longer_names(name))),
        }


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
    reasons = tuple(name for _, name in against[:_SHOWN])
    return Verdict(round(1 / (1 + math.exp(-max(min(total, 30.0), -30.0))), DECIMALS), reasons)


@functools.cache
def _weights() -> dict[str, dict[str, float]]:
    return tomllib.loads(files("wdw_build.text.names").joinpath("person_weights.toml").read_text(encoding="utf-8"))
