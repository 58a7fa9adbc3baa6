"""Labelled pairs of names: how they are drawn, and the halves of the labels."""

import json

import pytest

from draw_name_pairs import likeness
from measure_name_pairs import LABELS, LabelledPair, labelled_pairs, rates


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Kim Jong-ha", "Kim Jong Ha", "marks"),
        ("J.R. Toller", "J. R. Toller", "marks"),
        ("Harlan Pike Jr.", "Harlan Pike", "suffix"),
        ("Ann Ames", "Bo Ames", "family"),
        ("A. Ames", "Ann Ames", "initials"),
        ("Ames", "Ann Ames", "part"),
        ("Alan Greespan", "Alan Greenspan", "edit"),
        ("Ali Hassan", "Ali Hussein", "consonants"),
        ("Ann Ames", "Bo Beck", ""),
    ],
)
def test_names_are_alike_by_the_first_kind_that_applies(first, second, kind):
    assert likeness(first, second) == likeness(second, first) == kind


def test_no_two_names_are_paired_in_both_halves():
    halves = [
        {frozenset((pair.first, pair.second)) for pair in labelled_pairs(LABELS, test=test)} for test in (False, True)
    ]
    assert min(map(len, halves)) > 300
    assert not halves[0] & halves[1]


def test_every_label_is_one_that_a_reader_gave():
    lines = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    assert all(line["label"] in line["readers"] for line in lines)
    assert all(
        line[side]["end"] - line[side]["start"] == len(line[side]["name"])
        for line in lines
        for side in ("first", "second")
    )


def test_precision_and_recall_are_of_the_pairs_that_are_said_to_be_the_same():
    pairs = [
        LabelledPair("Ann Ames", "Ann Ames", "", True),
        LabelledPair("Ann Ames", "Bo Beck", "", True),
        LabelledPair("Cleo Cole", "Cleo Cole", "", False),
    ]
    assert rates(pairs) == "precision 0.500  recall 0.500  (2 same, 1 different)"
