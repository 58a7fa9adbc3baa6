"""Labelled pairs of names: how they are drawn, and the halves of the labels."""

import json

import pytest

from draw_name_pairs import likeness
from measure_name_pairs import LABELS, LabelledPair, labelled_pairs, rates

KINDS = [
    ("Kim Jong-ha", "Kim Jong Ha", "marks"),
    ("J.R. Toller", "J. R. Toller", "marks"),
    ("Harlan Pike Jr.", "Harlan Pike", "suffix"),
    ("Ann Ames", "Bo Ames", "family"),
    ("A. Ames", "Ann Ames", "initials"),
    ("Ames", "Ann Ames", "part"),
    ("Alan Greespan", "Alan Greenspan", "edit"),
    ("Ali Hassan", "Ali Hussein", "consonants"),
    ("Ann Ames", "Bo Beck", ""),
]


@pytest.mark.parametrize(("first", "second", "kind"), KINDS)
def test_names_are_alike_by_the_first_kind_that_applies(first, second, kind):
    assert likeness(first, second) == likeness(second, first) == kind


def test_no_two_names_are_paired_in_both_halves():
    fitted, test = (labelled_pairs(LABELS, test=test) for test in (False, True))
    fitted, test = ({frozenset((pair.first, pair.second)) for pair in half} for half in (fitted, test))
    assert min(len(fitted), len(test)) > 300
    assert not fitted & test


def test_every_label_is_one_that_a_reader_gave():
    lines = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    assert all(line["label"] in line["readers"] for line in lines)
    sides = [line[side] for line in lines for side in ("first", "second")]
    assert all(side["end"] - side["start"] == len(side["name"]) for side in sides)


def test_precision_and_recall_are_of_the_pairs_that_are_said_to_be_the_same():
    labelled = [("Ann Ames", "Ann Ames", True), ("Ann Ames", "Bo Beck", True), ("Cleo Cole", "Cleo Cole", False)]
    pairs = [LabelledPair(first, second, "", same) for first, second, same in labelled]
    assert rates(pairs) == "precision 0.500  recall 0.500  (2 same, 1 different)"
