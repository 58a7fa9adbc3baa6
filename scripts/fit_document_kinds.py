#!/usr/bin/env python3
"""Fits the kinds of documents to labelled documents, and measures them (docs/development/document-kinds.md).

    python scripts/fit_document_kinds.py --corpus CORPUS=FILE [--corpus …] [--fit] [--wrong]

A FILE has the articles of a corpus of data/labels/document_kinds.jsonl, as JSON lines with id, title, text and source
(scripts/labelled_corpora.py). Nothing is fitted to the documents of sources that are for the test. With ``--fit``, the weights are
written first. ``--wrong`` prints the test documents of which the model says another kind than the label.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize

from quality.event_fits import write_weights
from training.labelled_pages import corpus_files, raw_articles
from training.made_documents import Document, made
from wdw_build.records import RawArticle
from wdw_build.text import document_kinds
from wdw_build.text.document_kinds import Features, features
from wdw_build.text.sentences.repair import repair_article

LABELS = Path(__file__).resolve().parents[1] / "data" / "labels" / "document_kinds.jsonl"
WEIGHTS = Path(document_kinds.__file__).with_name("document_kind_weights.toml")
PENALTY, MADE, SEED = 10.0, 100, 1
# The weights of made and of hard documents. With more weight for the hard ones, more of the other stories are lost.
MADE_SHARE, HARD_SHARE = 0.3, 0.15
# Fitted by the model; whether a text is English, a library says.
LEARNED = [kind for kind in document_kinds.KINDS if kind != "language"]


def read_labelled(files: Mapping[str, Path]) -> list[Document]:
    """The labelled documents of these corpora, repaired as ``ingest`` repairs them, without those in other languages."""
    labels = {(row["corpus"], row["id"]): row for row in map(json.loads, LABELS.open(encoding="utf-8"))}
    return [
        _document(corpus, repair_article(raw), label)
        for corpus, file in files.items()
        for raw in raw_articles(file)
        if (label := labels.get((corpus, raw.id))) and label["kind"] in LEARNED
    ]


def _document(corpus: str, raw: RawArticle, label: dict[str, Any]) -> Document:
    return Document(
        corpus,
        raw.id,
        label["source"],
        raw.title,
        raw.paragraphs,
        label["kind"],
        is_hard=label["drawn"].startswith("model: "),
        is_test=label.get("test", False),
    )


def features_of(document: Document) -> Features:
    """The features of a document."""
    return features(document.title, document.paragraphs)


def fit(documents: Sequence[Document], read: Sequence[Features]) -> dict[str, dict[str, float]]:
    """The weights of the features for each kind, of multinomial logistic regression; those of the stories are 0."""
    names = sorted(read[0])
    x = np.array([[one[name] for name in names] for one in read])
    mean, scale = x.mean(axis=0), x.std(axis=0)
    scale[scale == 0] = 1.0
    x = np.hstack([np.ones((len(x), 1)), (x - mean) / scale])
    kind = np.array([LEARNED.index(one.kind) for one in documents])
    share = np.array([MADE_SHARE if one.is_made else HARD_SHARE if one.is_hard else 1.0 for one in documents])
    truth = np.eye(len(LEARNED))[kind]

    def loss(flat: Any) -> tuple[float, Any]:
        weights = flat.reshape(x.shape[1], len(LEARNED))
        scores = x @ weights
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        penal = weights.copy()
        penal[0] = 0
        slope = x.T @ ((chances - truth) * share[:, None]) + PENALTY * penal
        lost = -(share * np.log(chances[range(len(x)), kind] + 1e-12)).sum() + PENALTY / 2 * (penal**2).sum()
        return float(lost), slope.ravel()

    result = minimize(loss, np.zeros(x.shape[1] * len(LEARNED)), jac=True, method="L-BFGS-B", options={"maxiter": 500})
    weights = result.x.reshape(x.shape[1], len(LEARNED))
    weights[0] -= (weights[1:] * (mean / scale)[:, None]).sum(axis=0)
    weights[1:] /= scale[:, None]
    weights -= weights[:, [0]]
    return {
        one: {name: round(float(weight), 3) for name, weight in zip(("intercept", *names), weights[:, at], strict=True)}
        for at, one in enumerate(LEARNED)
    }


def report(name: str, labels: Sequence[str], found: Sequence[str]) -> None:
    """Print precision, recall and F1 of each kind, the mean F1, and the share of stories that stay stories."""
    both = Counter(zip(labels, found, strict=True))
    print(f"{name}: {len(labels)} documents")
    scores = []
    for kind in LEARNED:
        right, given, said = both[kind, kind], labels.count(kind), list(found).count(kind)
        precision, recall = right / said if said else 0.0, right / given if given else 0.0
        score = 2 * precision * recall / (precision + recall) if right else 0.0
        scores += [score] if given else []
        print(f"  {kind:<12}{given:>5}  P {precision:.3f}  R {recall:.3f}  F1 {score:.3f}")
    stories = [one for one, label in zip(found, labels, strict=True) if label == document_kinds.STORY]
    others = [one for one, label in zip(found, labels, strict=True) if label != document_kinds.STORY]
    print(
        f"  mean F1 {np.mean(scores):.3f}; stories kept {stories.count(document_kinds.STORY) / len(stories):.4f}; ",
        end="",
    )
    print(f"others rejected {1 - others.count(document_kinds.STORY) / max(1, len(others)):.3f}")


def main() -> None:
    """Fit, or only measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="append", required=True, metavar="CORPUS=FILE")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--wrong", action="store_true")
    options = parser.parse_args()
    documents = read_labelled(corpus_files(options.corpus))
    own, test = ([one for one in documents if one.is_test == is_test] for is_test in (False, True))
    if options.fit:
        extra = made([one for one in own if one.kind == document_kinds.STORY and not one.is_hard], MADE, SEED)
        fitted = [*own, *extra]
        weights = fit(fitted, [features_of(one) for one in fitted])
        write_weights(
            WEIGHTS, "The weights of the features of a document; written by scripts/fit_document_kinds.py.", weights
        )
    for name, part in (
        ("fitted sources", own),
        ("held-out sources", [one for one in test if not one.is_hard]),
        ("hard documents of held-out sources", [one for one in test if one.is_hard]),
    ):
        found = [document_kinds.judge(features_of(one), document_kinds.read_weights()) for one in part]
        report(name, [one.kind for one in part], [one.kind for one in found])
        for one, kind in zip(part, found, strict=True) if options.wrong and part is not own else ():
            if one.kind != kind.kind:
                print(
                    f"{one.kind:<11}{kind.kind:<11}{kind.score:.2f} {one.corpus} {one.id}: {' / '.join(one.paragraphs)[:150]}"
                )


if __name__ == "__main__":
    main()
