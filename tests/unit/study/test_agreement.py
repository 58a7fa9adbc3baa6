"""Cohen's kappa and Krippendorff's alpha, against published examples and the properties that define them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wdw_study.agreement import cohens_kappa, krippendorffs_alpha

_LABELS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3))
_PERSONS = st.lists(_LABELS, min_size=2, max_size=4)


def _labels(row: str) -> dict[str, str]:
    """The labels of a row such as ``1 2 . 3``, by column; ``.`` is a missing one."""
    return {str(unit): label for unit, label in enumerate(row.split()) if label != "."}


def test_kappa_of_the_table_that_cohen_1960_computes_it_for() -> None:
    # Table 2, of 200 units. p_o = .44 + .20 + .06 = .70; p_e = .50 * .60 + .30 * .30 + .20 * .10 = .41; kappa = .29 / .59.
    counts = ((88, 10, 2), (14, 40, 6), (18, 10, 12))
    pairs = [pair for pair in product(range(3), range(3)) for _ in range(counts[pair[0]][pair[1]])]
    first, second = ({str(unit): pair[person] for unit, pair in enumerate(pairs)} for person in (0, 1))
    kappa = cohens_kappa(first, second)
    assert kappa.value == pytest.approx(0.29 / 0.59)
    assert (kappa.observed, kappa.units) == (pytest.approx(0.70), 200)


def test_alpha_of_the_example_that_krippendorff_2011_computes_it_for() -> None:
    # Section C: four observers, twelve units, missing values. Coincidences of equal labels: 7 + 10 + 8 + 4 + 3 = 32 of 40;
    # labels: 9, 13, 10, 5, 3. alpha = (39 * 32 - (72 + 156 + 90 + 20 + 6)) / (40 * 39 - 344) = 904 / 1216 = .743.
    rows = (
        "1 2 3 3 2 1 4 1 2 . . .",
        "1 2 3 3 2 2 4 1 2 5 . 3",
        ". 3 3 3 2 3 4 2 2 5 1 .",
        "1 2 3 3 2 4 4 1 2 5 1 .",
    )
    alpha = krippendorffs_alpha({str(at): _labels(row) for at, row in enumerate(rows)})
    assert alpha.value == pytest.approx(904 / 1216)
    assert (alpha.observed, alpha.units) == (pytest.approx(32 / 40), 11)


def test_agreement_is_undefined_where_only_one_label_occurs() -> None:
    same = _labels("x x x")
    for coefficient in (cohens_kappa(same, same), krippendorffs_alpha({"a": same, "b": same})):
        assert coefficient.value is None
        assert coefficient.observed == 1.0
        assert "only one label" in coefficient.undefined


def test_agreement_is_undefined_where_nobody_labelled_the_same_units() -> None:
    first, second = _labels("x . y"), _labels(". x .")
    for coefficient in (cohens_kappa(first, second), krippendorffs_alpha({"a": first, "b": second})):
        assert coefficient[:3] == (None, None, 0)
        assert "nobody" in coefficient.undefined


def test_agreement_that_is_worse_than_chance_is_negative() -> None:
    first, second = _labels("x y x y"), _labels("y x y x")
    assert cohens_kappa(first, second).value == pytest.approx(-1)
    # D_o = 1; D_e = 2 * 4 * 4 / (8 * 7).
    assert krippendorffs_alpha({"a": first, "b": second}).value == pytest.approx(1 - 56 / 32)


@given(_LABELS)
def test_a_person_agrees_perfectly_with_herself(labels: dict[str, int]) -> None:
    expected = 1.0 if len(set(labels.values())) > 1 else None
    assert cohens_kappa(labels, labels).value == expected
    alpha = krippendorffs_alpha({"a": labels, "b": labels}).value
    assert alpha == (pytest.approx(expected) if expected else None)


@given(_PERSONS, st.permutations(range(4)))
def test_the_names_of_labels_do_not_matter(persons: list[dict[str, int]], names: list[int]) -> None:
    renamed = [{unit: names[label] for unit, label in labels.items()} for labels in persons]
    assert cohens_kappa(*renamed[:2]) == cohens_kappa(*persons[:2])
    _assert_same_alpha(persons, renamed)


@given(_PERSONS)
def test_the_order_of_persons_does_not_matter(persons: list[dict[str, int]]) -> None:
    assert cohens_kappa(persons[0], persons[1]) == cohens_kappa(persons[1], persons[0])
    _assert_same_alpha(persons, persons[::-1])


@given(_PERSONS)
def test_no_coefficient_exceeds_one_or_the_observed_agreement(persons: list[dict[str, int]]) -> None:
    kappa, alpha = cohens_kappa(*persons[:2]), krippendorffs_alpha(dict(zip("abcd", persons, strict=False)))
    if kappa.value is not None and kappa.observed is not None:
        assert -1 <= kappa.value <= kappa.observed + 1e-12
    # Alpha corrects for small samples, so that it may exceed the observed agreement, but never 1.
    assert alpha.value is None or alpha.value <= 1 + 1e-12


def _assert_same_alpha(persons: list[dict[str, int]], others: list[dict[str, int]]) -> None:
    first, second = (
        krippendorffs_alpha({str(at): labels for at, labels in enumerate(each)}) for each in (persons, others)
    )
    assert first.value == (None if second.value is None else pytest.approx(second.value))
    assert first.units == second.units
