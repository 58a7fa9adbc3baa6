"""Kappa and alpha have the values that NLTK computes, where NLTK's are defined and everybody labelled every unit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from wdw_study.agreement import cohens_kappa, krippendorffs_alpha

_COMPLETE = st.lists(st.lists(st.integers(0, 2), min_size=6, max_size=6), min_size=2, max_size=4)
_GAPPED = st.lists(st.lists(st.none() | st.integers(0, 2), min_size=6, max_size=6), min_size=2, max_size=4)


def _persons(rows: list[list[int | None]]) -> dict[str, dict[str, int]]:
    return {
        f"person {at}": {f"unit {unit}": label for unit, label in enumerate(row) if label is not None}
        for at, row in enumerate(rows)
    }


def _task(persons: dict[str, dict[str, int]]) -> Any:
    # Importing it takes two seconds, in each process that collects the tests.
    from nltk.metrics.agreement import AnnotationTask

    return AnnotationTask([(name, unit, label) for name, labels in persons.items() for unit, label in labels.items()])


@given(_COMPLETE)
def test_kappa_is_that_of_nltk(rows: list[list[int | None]]) -> None:
    persons = _persons(rows)
    kappa = cohens_kappa(persons["person 0"], persons["person 1"]).value
    assume(kappa is not None)
    assert _task(persons).kappa_pairwise("person 0", "person 1") == pytest.approx(kappa)


@given(_GAPPED)
def test_alpha_is_that_of_nltk_with_missing_labels(rows: list[list[int | None]]) -> None:
    persons = _persons(rows)
    alpha = krippendorffs_alpha(persons).value
    assume(alpha is not None)
    assert _task(persons).alpha() == pytest.approx(alpha)
