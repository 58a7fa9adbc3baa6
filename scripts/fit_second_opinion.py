"""Fits the weights of the second opinion on names, and measures persons as tagged (src/wdw_build/text/names/second_opinion.py).

    python scripts/fit_second_opinion.py --data DATA [--fit ewn_dev] [--measure conll_dev ewn_test uner_test]

Both taggers read the sentences of ``DATA/ner/`` (see docs/development/train-models.md) and of the gold set. The spans that one of
them calls a person are the cases of a logistic regression. The table has PERSON P, R and F1 of the first tagger, of the
spans that both taggers have, and of the weighing: with the weights in the package, and with those just fitted.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quality import event_fits
from quality.gold import read_gold
from training.layout import Sentence, Workplace
from training.scoring import score_spans, spans
from wdw_build.adapters.sentence_models import SecondTagger
from wdw_build.api import annotator
from wdw_build.records import PERSON, TaggedName, Tokens, TokenSpan
from wdw_build.text.names import second_opinion
from wdw_build.text.names.second_opinion import Evidence, Opinion

GOLD_SET = "gold"


class Case(NamedTuple):
    """A sentence read by both taggers, and its persons by an editor."""

    names: list[TaggedName]
    opinion: Opinion
    gold: set[TokenSpan]


def _persons(sentence: Sentence) -> set[TokenSpan]:
    tags = (token["ner"].replace("-PERSON", "-PER") for token in sentence)
    return spans(tags, "PER")


def _read(texts: list[list[str]], gold: Iterable[set[TokenSpan]], first: Any, second: SecondTagger) -> list[Case]:
    tagged = first.name_spans(texts)
    return [
        Case([TaggedName(start, end, kind) for kind, start, end in names], opinion, persons)
        for names, opinion, persons in zip(tagged, second.opinions(texts), gold, strict=True)
    ]


def _gold_cases(tagger: Any, first: Any, second: SecondTagger) -> list[Case]:
    """The sentences of the gold set, whose persons are given in characters."""
    golds = read_gold()
    tokens: list[Tokens] = [
        one or Tokens(text="", words=(), spans=()) for one in tagger.first_sentences([one.sentence for one in golds])
    ]
    persons = []
    for gold, one in zip(golds, tokens, strict=True):
        starts = {start: place for place, (start, _) in enumerate(one.spans)}
        ends = {end: place + 1 for place, (_, end) in enumerate(one.spans)}
        persons.append({(starts[p.start], ends[p.end]) for p in gold.persons if p.start in starts and p.end in ends})
    return _read([list(one.words) for one in tokens], persons, first, second)


def _weighed(case: Case) -> set[TokenSpan]:
    if all(name.kind != PERSON for name in case.names):
        return set()
    return {(name.start, name.end) for name in second_opinion.weigh(case.names, case.opinion) if name.kind == PERSON}


def _first(case: Case) -> set[TokenSpan]:
    return {(name.start, name.end) for name in case.names if name.kind == PERSON}


def _both(case: Case) -> set[TokenSpan]:
    second = {(start, end) for kind, start, end in second_opinion.tagged_spans(case.opinion.tags) if kind == PERSON}
    return _first(case) & second


def fit(cases: list[Case]) -> tuple[float, ...]:
    """The intercept and the weights of the fields of ``Evidence``."""
    rows: list[Evidence] = []
    right: list[bool] = []
    for case in cases:
        if _first(case):
            for span, found in second_opinion.candidates(case.names, case.opinion).items():
                rows.append(found)
                right.append(span in case.gold)
    fitted = event_fits.fit(np.array(rows, dtype=float), np.array(right, dtype=float), np.ones(len(rows)))
    return tuple(round(float(weight), 2) for weight in fitted)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True, help="the prepared data, with ner/")
    parser.add_argument("--fit", nargs="*", default=["ewn_dev", GOLD_SET], help="sets to fit on; gold is the gold set")
    parser.add_argument("--measure", nargs="*", default=["conll_dev", "ewn_test", "uner_test"], help="held-out sets")
    parser.add_argument("--model", type=Path, help="another file of the second tagger")
    return parser.parse_args()


def main() -> None:
    """Run the command."""
    arguments = _arguments()
    tagger: Any = annotator()
    first = tagger._pipeline
    second = SecondTagger(arguments.model) if arguments.model else SecondTagger()
    place = Workplace(arguments.data, Path())

    def cases(name: str) -> list[Case]:
        if name == GOLD_SET:
            return _gold_cases(tagger, first, second)
        sentences = place.ner(name)
        texts = [[token["text"] for token in one] for one in sentences]
        return _read(texts, map(_persons, sentences), first, second)

    sets = {name: cases(name) for name in dict.fromkeys([*arguments.fit, *arguments.measure])}
    fitted = fit([case for name in arguments.fit for case in sets[name]])
    shipped, ways = second_opinion.WEIGHTS, {"first tagger": _first, "both": _both, "weighed": _weighed}
    for name, read in sets.items():
        for way, persons in [*ways.items(), ("fitted now", _weighed)]:
            second_opinion.WEIGHTS = fitted if way == "fitted now" else shipped
            score = score_spans((case.gold, persons(case)) for case in read)
            print(f"{name:<12}{way:<14}P {score.precision:.3f}  R {score.recall:.3f}  F1 {score.f1:.3f}")
    print("weights:", ", ".join(map(str, fitted)))


if __name__ == "__main__":
    main()
