"""profile: a source is a wire if its texts have datelines and show no pages."""

import pytest

from support.make import raw
from wdw_build.text.sentences.profile import is_wire, signs

WIRES = [
    (100, {"dateline": 90, "page": 2}, True),
    (100, {"dateline": 90, "page": 20}, False),
    (100, {"dateline": 10}, False),
    (5, {"dateline": 5}, False),
    (100, {}, False),
]


@pytest.mark.parametrize(("articles", "found", "wire"), WIRES)
def test_a_wire_has_datelines_and_hardly_any_sign_of_a_page(articles, found, wire):
    assert is_wire(articles, found) == wire


def test_an_article_shows_its_dateline_an_address_and_a_lost_full_stop():
    paragraphs = ["TARN, March 10 (HP) -- The ferry sailed.", "See www.ferry.example for more."]
    assert set(signs(raw("x", paragraphs=paragraphs), ())) == {"dateline", "page"}
    assert set(signs(raw("x", paragraphs=["The ferry sailed."]), ())) == set()
    assert set(signs(raw("x", paragraphs=["A ferry sailed.", "It sank off Tarn The crew was saved."]), ())) == {
        "page",
        "runs on",
    }
