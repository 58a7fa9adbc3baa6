"""A first look at a sample: the dates that are lost, the order of dates, and which articles are shown."""

import datetime as dt

import pytest

from support import toy_pipeline as toy
from support.fakes import ListReader
from support.make import raw
from wdw_build.cli.article_text import of_largest_sources
from wdw_build.corpus_look.first_look import sample_look
from wdw_build.corpus_look.sample import CorpusSample


@pytest.fixture
def examined(tmp_path):
    """The look at a corpus that is read as a whole."""

    def examine(entries):
        sample = CorpusSample(kept=list(entries), read=len(entries))
        return sample_look(toy.config(tmp_path), ListReader(entries), sample)

    return examine


def dated(dates):
    return [raw(f"a{number}", date=str(date)) for number, date in enumerate(dates)]


def test_lost_dates_are_counted_by_form(examined):
    lost = ["Unknown", "3 days ago", "September 19", "May 2", "14 days ago", "August 30", "soon", "x"]
    look = examined([raw("a"), *dated(lost)])
    note, remedy = look.notes[:2]
    assert note.startswith("8 of 9 records are rejected as no-date")
    forms = (
        "3 like 'September 19' (a.jsonl:a2), 2 like '3 days ago' (a.jsonl:a1), 1 like 'Unknown' (a.jsonl:a0), 2 others"
    )
    assert note.endswith(f": {forms}")
    assert "ingest.date_formats" in remedy
    assert "row_function" in remedy


def test_one_lost_date_of_many_needs_no_remedy(examined):
    look = examined([*(raw(f"b{number}") for number in range(200)), *dated(["2014-02-30"])])
    assert look.notes[0].endswith(", such as '2014-02-30' (a.jsonl:a0)")
    assert not any("row_function" in note for note in look.notes)


@pytest.mark.parametrize(
    ("sources", "shown"),
    [
        ("abbbbccc", ["b", "c", "a"]),
        ("aaaaaaaaab", ["a", "b", "a"]),
        ("aaa", ["a", "a", "a"]),
        ("ab", ["a", "b"]),
        ("", []),
    ],
)
def test_articles_of_the_largest_sources_are_shown(examined, sources, shown):
    pairs = examined([raw(f"r{at}", source=source) for at, source in enumerate(sources)]).pairs if sources else []
    chosen = of_largest_sources(pairs, 3)
    assert [article.source for _, article in chosen] == shown
    assert len({article.id for _, article in chosen}) == len(chosen)


def test_articles_of_one_source_are_far_apart(examined):
    pairs = examined([raw(f"r{at}") for at in range(9)]).pairs
    assert [article.id for _, article in of_largest_sources(pairs, 3)] == ["r0", "r3", "r6"]


def test_a_later_date_shows_the_order_of_the_dates_of_a_sample(tmp_path):
    sampled = dated(["05/09/2016"] * 3)
    later = dated(["2016-09-05", "21/09/2016"])
    config = toy.config(tmp_path)
    sample = CorpusSample(kept=sampled, read=3, share=0.6, is_whole=False)
    look = sample_look(config, ListReader([*sampled, *later]), sample)
    assert not look.is_order_open
    assert look.results[0].date == dt.date(2016, 9, 5)
    look = sample_look(config, ListReader(sampled), CorpusSample(kept=sampled, read=3))
    assert "all 3 of them" in look.unclear_dates.message
