"""Agreement by Krippendorff's alpha, and means of dependent values, against figures computed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_study.figures import agreement, clustered_mean

LABELS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3))


def labels(row):
    return {str(at): label for at, label in enumerate(row.split()) if label != "."}


def test_alpha_of_the_example_that_krippendorff_2011_computes_it_for():
    # Section C: four observers, twelve units, missing values. Coincidences of equal labels: 7 + 10 + 8 + 4 + 3 = 32 of 40;
    # labels: 9, 13, 10, 5, 3. alpha = (39 * 32 - (72 + 156 + 90 + 20 + 6)) / (40 * 39 - 344) = 904 / 1216 = .743.
    rows = "1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3", ". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."
    found = agreement({str(at): labels(row) for at, row in enumerate(rows)})
    assert (found.alpha, found.same, found.units) == (round(904 / 1216, 4), 0.8, 11)


def test_agreement_is_undefined_where_only_one_label_occurs_or_nobody_labelled_the_same_units():
    same = agreement({"a": labels("x x x"), "b": labels("x x x")})
    assert (same.alpha, same.same) == (None, 1.0)
    assert "only one label" in same.undefined
    apart = agreement({"a": labels("x . y"), "b": labels(". x .")})
    assert (apart.alpha, apart.same, apart.units) == (None, None, 0)
    assert "nobody" in apart.undefined


def test_agreement_that_is_worse_than_chance_is_negative():
    # D_o = 1; D_e = 2 * 4 * 4 / (8 * 7).
    assert agreement({"a": labels("x y x y"), "b": labels("y x y x")}).alpha == round(1 - 56 / 32, 4)


@given(LABELS, LABELS, st.permutations(range(4)))
def test_neither_the_order_of_people_nor_the_names_of_labels_matter(first, second, names):
    renamed = [{unit: names[label] for unit, label in said.items()} for said in (first, second)]
    assert agreement({"a": first, "b": second}) == agreement({"b": renamed[0], "a": renamed[1]})


def test_a_mean_draws_whole_groups():
    mean, low, high = clustered_mean([[number % 2] for number in range(20)])
    assert 0.2 < low < 0.35 < mean == 0.5 < 0.65 < high < 0.8
    # Ten values of each of two groups tell no more than one of each.
    assert clustered_mean([[0.0] * 10, [1.0] * 10]) == (0.5, 0.0, 1.0)
    assert clustered_mean([[0.2, 0.4]]) == (pytest.approx(0.3), pytest.approx(0.3), pytest.approx(0.3))
