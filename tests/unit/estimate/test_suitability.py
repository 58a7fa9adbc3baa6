"""Whether a corpus is suitable: the densest period, sources of which everything is rejected, and the dates that are lost."""

import datetime as dt
import random

import pytest

from support import toy_pipeline as toy
from support.fakes import ListReader, RuleAnnotator
from support.make import day, raw
from wdw_build import registry
from wdw_build.cli.article_text import of_largest_sources
from wdw_build.estimate.first_look import sample_look
from wdw_build.estimate.sample import CorpusSample
from wdw_build.estimate.suitability import suitability


@pytest.fixture
def examined(tmp_path, monkeypatch):
    """The look at a sample of a corpus, and its suitability; ``of`` is the number of records of the corpus."""
    monkeypatch.setitem(registry._MAKERS, "annotator", lambda _: RuleAnnotator(["Ann Ames"]))

    def examine(entries, of=None):
        share = len(entries) / (of or len(entries))
        sample = CorpusSample(kept=list(entries), read=len(entries), share=share, is_whole=share == 1)
        look = sample_look(toy.config(tmp_path), ListReader(entries), sample)
        return look, suitability(toy.config(tmp_path), sample, look)

    return examine


def dated(dates):
    return [raw(f"a{number}", date=str(date)) for number, date in enumerate(dates)]


def test_a_few_old_articles_do_not_change_the_number_per_day(examined):
    recent = [day(number // 10) for number in range(200)]
    old = [dt.date(2000 + number, 1, 1) for number in range(10)]
    _, found = examined(dated([*old, *recent]))
    assert found.days == (old[0], day(19))
    assert found.densest_half == (day(9), day(19))
    assert found.per_day == pytest.approx(105 / 11)
    assert not any("per day" in doubt for doubt in found.doubts)


def test_few_articles_on_all_days_are_a_doubt(examined):
    _, found = examined(dated(day(number) for number in range(100)))
    assert found.per_day == 1
    assert "1.0 articles per day in the densest period: few events are reported twice" in found.doubts


def test_the_number_per_day_of_a_sample_is_that_of_the_corpus_in_any_order(examined):
    corpus = [day(number // 20) for number in range(8000)]
    neighbours = [date for start in range(0, 8000, 1000) for date in corpus[start : start + 50]]
    drawn = random.Random(0).sample(corpus, 400)
    assert examined(dated(drawn), of=8000)[1].per_day == pytest.approx(20, rel=0.1)
    assert 20 <= examined(dated(neighbours), of=8000)[1].per_day <= 20 * 4 / 3


def test_a_source_without_an_article_is_named_with_its_records(examined):
    _, found = examined([raw("a"), raw("b", source="TRT", date="6 YEARS AGO"), raw("c", source="TRT", date="soon")])
    assert (found.sources, found.rejected_sources) == ({"HP": 1.0}, {"TRT": 2})


def test_lost_dates_are_counted_by_form(examined):
    lost = ["Unknown", "3 days ago", "September 19", "May 2", "14 days ago", "August 30", "soon", "x"]
    look, _ = examined([raw("a"), *dated(lost)])
    note, remedy = look.notes[:2]
    assert note.startswith("8 of 9 records are rejected as no-date")
    forms = (
        "3 like 'September 19' (a.jsonl:a2), 2 like '3 days ago' (a.jsonl:a1), 1 like 'Unknown' (a.jsonl:a0), 2 others"
    )
    assert note.endswith(f": {forms}")
    assert "ingest.date_formats" in remedy
    assert "row_function" in remedy


def test_one_lost_date_of_many_needs_no_remedy(examined):
    look, _ = examined([*(raw(f"b{number}") for number in range(200)), *dated(["2014-02-30"])])
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
    pairs = examined([raw(f"r{at}", source=source) for at, source in enumerate(sources)])[0].pairs if sources else []
    chosen = of_largest_sources(pairs, 3)
    assert [article.source for _, article in chosen] == shown
    assert len({article.id for _, article in chosen}) == len(chosen)


def test_articles_of_one_source_are_far_apart(examined):
    pairs = examined([raw(f"r{at}") for at in range(9)])[0].pairs
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
