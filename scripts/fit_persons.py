"""Fits the models that decide which names are persons, to labelled names, and measures them.

    python scripts/fit_persons.py --run CORPUS=RUN [--run …] [--fit [given] [spans] [weights]] [--errors]

A RUN holds the articles of a corpus of data/labels/person_names.jsonl, and the counts of its names. With ``--fit``:

spans    the weights of spans on the states of the second tagger (models/persons/spans.pt);
given    those by which the same states show a given name that stands alone, from names in the articles of the runs;
weights  those of the features of a name (text/names/person_weights.toml).

Names with "test" are never fitted to. Without ``--fit``, precision and recall of the models in the package are printed.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tqdm import tqdm

from quality import event_fits
from quality.gold import read_gold
from quality.labelled_names import GOLD, NEITHER, PERSONS, LabelledName, evidence_of, of_articles, of_gold, of_stories
from training import name_spans
from training.bundle import record
from training.given_names import lone_names
from wdw_build.adapters.sentence_models import SecondTagger
from wdw_build.adapters.stanza.models import BUNDLED
from wdw_build.api import annotator, load_run
from wdw_build.core.hashing import uniform_hash
from wdw_build.records import Mention
from wdw_build.text.names import person_model
from wdw_build.text.names.evidence import NameEvidence
from wdw_build.text.names.person_model import Features
from wdw_build.text.names.settle import join_adjacent, settle

SPANS = BUNDLED / "persons" / "spans.pt"
WEIGHTS = Path(person_model.__file__).with_name("person_weights.toml")
PENALTY = {"full": 30.0, "lone": 5.0, "alone": 20.0}
FOLDS = 2
# Given names and family names of a run, from which it is learned what a given name is.
MOST = 2500
TRAINED_ON = [
    "the labelled names of data/labels",
    "the gold set",
    "names of the articles of the corpora that are fitted to",
]
# The weight of a labelled name in the fit, by how it was drawn; 1 for others. Of lone words, stories have those by which singers
# are known, which hardly an article has.
SHARES = {"hard": 0.5, "doubt": 0.5, "reporter": 0.5, "gold": 0.3}
STORY_SHARES = {"full": 0.2, "lone": 0.5, "alone": 0.5}


class Read(NamedTuple):
    """A labelled name, what the model reads of it, and whether it takes it for a person, and for a given name alone."""

    name: LabelledName
    features: Features
    is_person: bool
    is_doubtful_alone: bool


def fold_of(name: LabelledName) -> int:
    """The fold of a name: all names of an article are in one."""
    return int(uniform_hash(0, "fold", f"{name.corpus}\x1f{name.article}") * FOLDS)


# ---- spans -----------------------------------------------------------------------------------------------------------


def span_states(names: Iterable[LabelledName], tagger: SecondTagger) -> list[tuple[LabelledName, Any]]:
    """The states of the names that have any, without those that are cut."""
    read = []
    for name in tqdm(list(names), desc="states", leave=False):
        if (
            name.label != "cut"
            and (state := name_spans.states(tagger, *name_spans.words_around(name.text, name.start, name.end)))
            is not None
        ):
            read.append((name, state))
    return read


def fit_spans(read: Sequence[tuple[LabelledName, Any]]) -> name_spans.Weights:
    """The weights of spans; a character of fiction is no person here, and a reporter is one."""
    right = np.array([name.label not in ("no", "fiction") for name, _ in read], dtype=float)
    return name_spans.fit(np.array([state for _, state in read]), right)


def fit_given(runs: Iterable[Path], tagger: SecondTagger) -> name_spans.Weights:
    """The weights of given names that stand alone."""
    rows, is_given = [], []
    for name in (name for run in runs for name in tqdm(list(lone_names(load_run(run), MOST)), desc="given names")):
        state = name_spans.states(tagger, *name_spans.words_around(name.text, name.start, name.end))
        if state is not None:
            rows.append(state)
            is_given.append(float(name.is_given))
    return name_spans.fit_given(np.array(rows), np.array(is_given))


# ---- weights of the features -----------------------------------------------------------------------------------------


Texts = Mapping[tuple[str, str], str]


def texts_of(names: Iterable[LabelledName]) -> Texts:
    """The texts of the names, by corpus and article."""
    return {(name.corpus, name.article): name.text for name in names}


def annotated(texts: Texts, tagger: Any) -> dict[tuple[str, str], list[Mention]]:
    """The mentions of persons in the texts, by corpus and article."""
    return {
        key: join_adjacent(tagger.annotate([(key[1], text)])[0].persons, text)
        for key, text in tqdm(texts.items(), desc="articles", leave=False)
    }


def read_names(
    names: Sequence[LabelledName],
    mentions: Mapping[tuple[str, str], list[Mention]],
    evidence: Mapping[str, NameEvidence],
) -> list[Read]:
    """What the models read of the names and decide, from the mentions in their texts."""
    models = dict[tuple[str, str], person_model.PersonModel]()
    read = list[Read]()
    for name in names:
        key, counts = (name.corpus, name.article), evidence[name.corpus]
        if key not in models:
            models[key] = person_model.PersonModel(name.text, settle(mentions[key], name.text, counts), counts)
        model = models[key]
        is_person = not model.verdict(name.name).refusal
        read.append(Read(name, model.features(name.name), is_person, model.is_doubtful_alone(name.name)))
    return read


def fit_weights(read: Sequence[Read], kind: str, persons: Iterable[str]) -> dict[str, float]:
    """The weights of all features for the names of a kind; features that never vary have none."""
    features = sorted(read[0].features)
    x = np.array([[one.features[feature] for feature in features] for one in read])
    right = np.array([one.name.label in persons for one in read], dtype=float)
    shares_of = {**SHARES, "story": STORY_SHARES[kind]}
    shares = np.array([shares_of.get(one.name.drawn, 1.0) for one in read])
    fitted = event_fits.fit(x, right, shares, PENALTY[kind])
    varies = [True, *(x.std(axis=0) > 0)]
    named = zip(("intercept", *features), fitted.tolist(), varies, strict=True)
    return {name: round(weight, 3) for name, weight, varying in named if varying and abs(weight) >= 0.0005}


def write_weights(weights: Mapping[str, Mapping[str, float]]) -> None:
    """Write the weights, and let this process read them again."""
    event_fits.write_weights(
        WEIGHTS, "The weights of the features of a name; written by scripts/fit_persons.py.", weights
    )
    person_model._weights.cache_clear()


def is_lone(read: Read) -> bool:
    """Whether the name has one word."""
    return not person_model.is_full(read.name.name)


def in_no_longer_name(read: Read) -> bool:
    """Whether the name is a lone word, and the article has no longer name of the person."""
    return is_lone(read) and read.features["longer"] < person_model.LEAST


# ---- measures --------------------------------------------------------------------------------------------------------


def is_choice(read: Read) -> bool:
    """Whether the models take the name for a person who can be a choice."""
    return read.is_person and not (in_no_longer_name(read) and read.is_doubtful_alone)


def measured(read: Sequence[Read]) -> str:
    """Precision and recall of choices. A given name whose full name the article has does not count."""
    counted = [
        one for one in read if one.name.label not in NEITHER and (one.name.label != "given" or in_no_longer_name(one))
    ]
    taken = [one for one in counted if is_choice(one)]
    right, persons = (
        sum(one.name.label == "person" for one in taken),
        sum(one.name.label == "person" for one in counted),
    )
    return f"{len(counted):5} names, {persons:5} persons: P {right / max(len(taken), 1):.3f} R {right / max(persons, 1):.3f}"


def report(read: Sequence[Read], errors: bool) -> None:
    """Print the measures of the test half, by corpus, of all names and of those drawn at random."""
    test = [one for one in read if one.name.test]
    for corpus in sorted({one.name.corpus for one in test}):
        of_corpus = [one for one in test if one.name.corpus == corpus]
        print(f"{corpus:12}{measured(of_corpus)}")
        if chance := [one for one in of_corpus if one.name.drawn == "random"]:
            print(f"{'  at random':12}{measured(chance)}")
    articles = [one for one in test if one.name.drawn != "story"]
    print(f"{'articles':12}{measured(articles)}")
    print(f"{'  at random':12}{measured([one for one in articles if one.name.drawn == 'random'])}")
    stories = [one for one in test if one.name.drawn == "story"]
    refused = sum(not is_choice(one) for one in stories if one.name.label == "person")
    accepted = sum(is_choice(one) for one in stories if one.name.label == "no")
    print(f"stories: {refused} persons refused, {accepted} things accepted, of {len(stories)} names")
    for one in test if errors else ():
        if one.name.label not in NEITHER and is_choice(one) != (one.name.label == "person"):
            print(f"  {one.name.corpus}: {one.name.name!r} is {one.name.label}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--run", action="append", default=[], metavar="CORPUS=RUN", help="a run of a labelled corpus")
    parser.add_argument("--fit", nargs="*", default=[], choices=["given", "spans", "weights"])
    parser.add_argument(
        "--errors", action="store_true", help="print the names of the test half that are decided wrongly"
    )
    return parser.parse_args()


def main() -> None:
    """Run the command."""
    arguments = _arguments()
    runs = {corpus: Path(path) for corpus, _, path in (one.partition("=") for one in arguments.run)}
    names, evidence = [*of_articles(runs), *of_stories()], evidence_of(runs)
    tagger: Any = annotator()
    fitted = [name for name in names if not name.test]
    with tempfile.TemporaryDirectory() as folder:
        halves = [Path(folder, f"{fold}.pt") for fold in range(FOLDS)]
        if arguments.fit:
            fitted += of_gold(annotated({(GOLD, one.id): one.sentence for one in read_gold()}, tagger))
            second, weights = SecondTagger(), name_spans.load(SPANS)
            if "given" in arguments.fit:
                corpora = {name.corpus for name in fitted}
                weights |= fit_given((path for corpus, path in runs.items() if corpus in corpora), second)
            states = span_states(fitted, second)
            for fold, path in enumerate(halves):
                # A name is read with weights that were fitted to the other names.
                name_spans.save(weights | fit_spans([one for one in states if fold_of(one[0]) != fold]), path)
            if "spans" in arguments.fit:
                weights |= fit_spans(states)
            if {"given", "spans"}.intersection(arguments.fit):
                name_spans.save(weights, SPANS)
                record(BUNDLED, [SPANS], "persons (spans)", TRAINED_ON)
        if "weights" in arguments.fit:
            _fit_weights(fitted, tagger, evidence, halves)
    test = [name for name in names if name.test]
    report(read_names(test, annotated(texts_of(test), _with_spans(tagger, SPANS)), evidence), arguments.errors)


def _with_spans(tagger: Any, path: Path) -> Any:
    """The annotator with other weights of spans."""
    tagger._second = SecondTagger(spans=path)
    return tagger


def _fit_weights(
    fitted: Sequence[LabelledName], tagger: Any, evidence: Mapping[str, NameEvidence], halves: Sequence[Path]
) -> None:
    """Fit the weights of full names, then those of lone words, which read the probabilities of full names."""
    mentions = dict[tuple[str, str], list[Mention]]()
    for fold, path in enumerate(halves):
        mentions |= annotated(texts_of(name for name in fitted if fold_of(name) == fold), _with_spans(tagger, path))
    whole = [name for name in fitted if name.label not in NEITHER]
    weights = {kind: {"intercept": 0.0} for kind in PENALTY}
    write_weights(weights)
    weights["full"] = fit_weights(
        [one for one in read_names(whole, mentions, evidence) if not is_lone(one)], "full", PERSONS
    )
    write_weights(weights)
    lone = [one for one in read_names(whole, mentions, evidence) if is_lone(one)]
    weights["lone"] = fit_weights(lone, "lone", PERSONS)
    given = [one for one in lone if in_no_longer_name(one) and one.name.label in PERSONS]
    weights["alone"] = fit_weights(given, "alone", {"person"})
    write_weights(weights)


if __name__ == "__main__":
    main()
