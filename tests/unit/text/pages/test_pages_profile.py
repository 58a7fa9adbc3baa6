"""profile: a source is a wire if its texts have datelines and show no pages."""

from collections import Counter

import pytest

from support.make import raw
from wdw_build.records import Joined
from wdw_build.text.pages.profile import Sources, count_signs, is_wire, line_key, signs, sources_of

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
    assert set(signs(raw("x", paragraphs=paragraphs))) == {"dateline", "page"}
    assert set(signs(raw("x", paragraphs=["The ferry sailed."]))) == set()
    joined = ["A ferry sailed.", "It sank off Tarn The crew was saved."]
    assert {sign.partition("~")[0] for sign in signs(raw("x", paragraphs=joined))} == {"page", "runs on"}


PAGES = [
    ("Follow our reporters on the ferry page.", True),
    ("Watch: a ferry sinks off Tarn.", True),
    ("Nobody knew whether you could swim?", False),
    ("“Please follow our rules,” he said.", False),
    ("The ministry declined to comment.", False),
]


@pytest.mark.parametrize(("line", "is_sign"), PAGES)
def test_words_to_the_visitor_are_a_sign_of_a_page_but_no_question_and_no_quotation(line, is_sign):
    assert ("page" in set(signs(raw("x", paragraphs=["The ferry sailed.", line])))) == is_sign


def test_the_profile_of_each_source_is_learned_from_its_articles():
    counts = Counter()
    for number in range(30):
        text = f"The ferry {number} sailed."
        count_signs(raw(f"w{number}", source="The\tWire", paragraphs=[f"TARN, March 10 (HP) -- {text}"]), counts)
        count_signs(raw(f"p{number}", source="Page", paragraphs=[text, "See www.ferry.example for more."]), counts)
    sources = sources_of(sorted(counts.items()))
    assert sources.is_wire("The Wire")
    assert not sources.is_wire("Page")
    assert sources.joined_shares("Page").articles < sources.joined_shares("Other").articles
    assert sources_of([]) == Sources()


def test_a_line_is_repeated_if_five_articles_and_one_in_five_hundred_of_the_source_have_it():
    counts = Counter()
    for number in range(3000):
        paragraphs = (
            [f"The ferry {number} sailed.", "Ann Ames writes a column."] if number < 10 else [f"Ship {number} sank."]
        )
        count_signs(raw(f"p{number}", source="Page" if number < 1000 else "Page 2", paragraphs=paragraphs), counts)
    for number in range(5):
        count_signs(
            raw(f"s{number}", source="Small", paragraphs=["The sea is calm today! The  SEA is calm, today."]), counts
        )
        count_signs(
            raw(f"w{number}", source="Small", paragraphs=["He did.", f"TARN, May 3 (HP) -- A ship {number} sank."]),
            counts,
        )
    sources = sources_of(sorted(counts.items()))
    assert sources.repeated("Page") == {line_key("Ann Ames writes a column")}
    assert sources.repeated("Page 2") == frozenset()
    assert sources.repeated("Small") == {line_key("The sea is calm today.")}


def test_a_source_does_not_run_on_where_it_repeats_the_place():
    counts = Counter()
    for number in range(100):
        own = f"The ferry {number} sailed off Tarn The mayor {number} waved."
        footer = "It sailed. Our paper is read by many in the town of Tarn It has won two prizes."
        count_signs(raw(f"o{number}", source="Own", paragraphs=[own]), counts)
        count_signs(raw(f"f{number}", source="Footer", paragraphs=[footer]), counts)
    sources = sources_of(sorted(counts.items()))
    assert sources.joined_shares("Own") == Joined(openings=0.501, articles=0.501)
    assert sources.joined_shares("Footer") == Joined(openings=0.001, articles=0.001)
