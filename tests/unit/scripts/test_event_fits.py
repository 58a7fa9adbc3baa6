"""The fit of the event scorers: soft targets, weighted rows, cross-validation by question; the committed labels."""

import json
from pathlib import Path

import numpy as np
import pytest

from quality.event_fits import apply, auc, crossed, fit
from wdw_build.text.passages.evidence import Features

ROOT = Path(__file__).parents[3]

LABELS = sorted((ROOT / "data" / "labels").glob("same_event*.jsonl"))
HOW = {"passage", "office", "elimination", "knowledge", "guess"}
IDS = ("corpus", "question", "passage")
DECIDED = ROOT / "data" / "labels" / "decided.jsonl"


def drawn(rows=4000):
    x = np.random.default_rng(1).normal(size=(rows, 2))
    return x, apply(np.array([-0.5, 2.0, -1.0]), x)


def test_a_fit_to_likelihoods_finds_the_weights_that_made_them():
    x, y = drawn()
    assert fit(x, y, np.ones(len(x))) == pytest.approx([-0.5, 2.0, -1.0], abs=0.02)


def test_a_row_that_weighs_three_counts_as_three_rows():
    x, y = drawn(200)
    shares = np.where(np.arange(200) < 50, 3.0, 1.0)
    thrice = np.repeat(np.arange(200), shares.astype(int))
    # Features are standardised over rows without weights; both forms have the same mean and spread.
    x = np.vstack([x[:1], -x[:1]] * 100)
    assert fit(x, y, shares) == pytest.approx(fit(x[thrice], y[thrice], np.ones(len(thrice))), abs=1e-6)


SHARES = [([3, 2, 1], [1, 0, 0], 1.0), ([1, 2], [1, 0], 0.0), ([1, 1, 2], [1, 0, 0], 0.25)]


@pytest.mark.parametrize(("scores", "high", "expected"), SHARES)
def test_auc_is_the_share_of_pairs_in_order_and_a_tie_is_half(scores, high, expected):
    assert auc(np.array(scores), np.array(high, dtype=bool)) == expected


def test_auc_of_one_kind_alone_is_no_number():
    assert np.isnan(auc(np.array([1.0, 2.0]), np.array([True, True])))


def test_cross_validation_scores_every_row_by_a_fit_without_its_group():
    x, _ = drawn(60)
    # Each group has its own target, which a fit on the same group would know.
    y = np.repeat(np.arange(10) % 2, 6).astype(float)
    scores = crossed(x, y, np.ones(60), [str(number // 6) for number in range(60)])
    for group in range(10):
        own = np.arange(60) // 6 == group
        assert scores[own] == pytest.approx(apply(fit(x[~own], y[~own], np.ones(54)), x[own]))


@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_a_label_file_holds_ids_and_labels_alone_each_pair_once(path):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(set(line) == {"question", "candidate", "label"} for line in lines)
    assert {line["label"] for line in lines} <= {"same", "related", "other"}
    pairs = [(line["question"], line["candidate"]) for line in lines]
    assert len(set(pairs)) == len(pairs)


def test_the_labels_of_evidence_hold_no_text_and_a_question_is_fitted_or_tested():
    lines = [json.loads(line) for line in DECIDED.read_text(encoding="utf-8").splitlines()]
    assert all(len(line["features"]) == len(Features._fields) for line in lines)
    assert {vote["how"] for line in lines for vote in (*line["readers"], line["judge"])} <= HOW
    sides = [{(line["corpus"], line["question"]) for line in lines if line["test"] is test} for test in (True, False)]
    assert not sides[0] & sides[1]
    texts = {value for line in lines for key, value in line.items() if isinstance(value, str) and key not in IDS}
    assert texts <= {"all", "drawn", "most-named", "first-named"}
