"""Initials that a tagger leaves outside a mention."""

import pytest

from wdw_build.text.mentions import over_initials


@pytest.mark.parametrize(
    ("sentence", "start", "expected"),
    [
        ("fraud , said J.R. Simmonds", 4, 3),
        ("the writer J. K. Brackett", 4, 2),
        ("fraud , said Simmonds", 3, 3),
        ("the U.S. Grant papers", 2, 2),
        ("at 5 P.M. Grant left", 3, 3),
        ("J.-P. Moreau left", 1, 0),
        ("Plan B Smith said", 2, 2),
    ],
)
def test_initials_directly_before_a_name_belong_to_it_and_nothing_else_does(sentence, start, expected):
    assert over_initials(sentence.split(), start) == expected
