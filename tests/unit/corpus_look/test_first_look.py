"""A first look at a sample: the dates that are lost, the order of dates, and which articles are shown."""

import datetime as dt

import msgspec
import pytest

from support import toy_pipeline as toy
from support.fakes import ListReader
from support.make import raw
from wdw_build.cli.configure import of_largest_sources
from wdw_build.corpus_look.first_look import sample_look
from wdw_build.corpus_look.sample import CorpusSample
from wdw_build.records import Unreadable


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
    note, remedy = examined([raw("a"), *dated(lost)]).notes[:2]
    assert note.startswith("8 of 9 records are rejected as no-date")
    forms = ("3 like 'September 19' (a.jsonl:a2)", "2 like '3 days ago' (a.jsonl:a1)", "1 like 'Unknown' (a.jsonl:a0)")
    assert note.endswith(f": {', '.join(forms)}, 2 others")
    assert "ingest.date_formats" in remedy
    assert "row_function" in remedy


SECONDS = [
    (1452628948000, "2014-03-04", "milliseconds since 1970: ingest.date_formats: [epoch]"),
    (1452628948, "2014-03-04", "seconds since 1970: ingest.date_formats: [epoch]"),
    (1452628948000, "21/09/2016", "milliseconds since 1970: ingest.date_formats: [epoch, day-first]"),
]


@pytest.mark.parametrize(("lost", "other", "said"), SECONDS)
def test_lost_seconds_since_1970_are_recognised(examined, lost, other, said):
    look = examined([raw("a", date=other), *dated([lost, lost + 1, "soon"])])
    assert f"these are {said}" in look.notes
    assert not any("row_function" in note for note in look.notes)


def test_one_lost_date_of_many_needs_no_remedy(examined):
    look = examined([*(raw(f"b{number}") for number in range(200)), *dated(["2014-02-30"])])
    assert look.notes[0].endswith(": 1 like '2014-02-30' (a.jsonl:a0)")
    assert not any("row_function" in note for note in look.notes)


def test_half_of_the_articles_on_one_day_are_noted(examined):
    def look(most, others):
        days = ["2003-05-06"] * most + [f"2003-06-{1 + number:02}" for number in range(others)]
        return examined([raw(f"a{number}", date=day) for number, day in enumerate(days)])

    check = "check that it is the day of publication, not that of a crawl"
    assert f"20 of 20 articles have the date 2003-05-06: {check}" in look(20, 0).notes
    assert f"10 of 20 articles have the date 2003-05-06: {check}" in look(10, 10).notes
    assert not any(check in note for note in [*look(9, 11).notes, *look(10, 9).notes])


def test_copies_are_counted_with_the_first_one_and_its_original(examined):
    look = examined([raw("a"), raw("late", date="2014-04-01", paragraphs=[LONG]), raw("first", paragraphs=[LONG])])
    assert any(note.startswith("1 of 3 ") and note.endswith("such as late, a copy of first") for note in look.notes)


SAID = "The mayor of Tarn said that they left it together."


def test_a_line_that_remains_in_another_text_is_not_said_to_be_cut(examined):
    titled = msgspec.structs.replace(raw("a", paragraphs=[SAID, STORY]), title=SAID)
    look = examined([titled, raw("b", paragraphs=[*[STORY] * 9, SAID])])
    assert not any("which are cut" in note for note in look.notes)


def test_articles_without_a_date_are_counted_and_need_no_other_form(examined):
    look = examined([raw("a"), *dated(["", " "])])
    assert look.notes[0].startswith("2 of 3 records are rejected as no-date")
    assert look.notes[0].endswith(": 2 without a date (a.jsonl:a0)")
    assert not any("row_function" in note for note in look.notes)


def test_so_many_unreadable_records_as_stop_ingest_are_mentioned(examined):
    bad = [Unreadable(place=f"b{number}", error="bad JSON") for number in range(2)]
    assert "ingest stops if so many records are unreadable (ingest.max_bad_input)" in examined([raw("a"), *bad]).notes


STORY = "Ann Ames met Bob Beck in the old town on Monday, and they left it together, the mayor said."
LONG = " ".join(f"The ferry to pier {chr(97 + number)} sailed again." for number in range(20))


HELD = [
    ("Ann Ames met Bob Beck , a farmer . They left .", "tokens that spaces separate, which are joined"),
    (f"{STORY} ███ was there.", "runs of blocks (███), which are removed"),
    (STORY.replace("they", "cafÃ©"), "damaged characters or spaces, which are repaired"),
    (f"{STORY}\n\nBy Carl Crow", "which are cut, such as 'By Carl Crow'"),
    (f"{STORY}\n\nEnlarge this Eve Eden/AP Eve Eden/AP", "which are cut, such as 'Enlarge this Eve Eden"),
    (f"{STORY} The Bob Beck Bob Beck who left was ill.", "a name twice in a row, which may become an answer"),
    (f"ANALYSIS/OPINION: {STORY}", "a label before the story"),
    (STORY, ""),
]


@pytest.mark.parametrize(("text", "note"), HELD)
def test_what_texts_hold_besides_the_story_is_mentioned(examined, text, note):
    notes = [one for one in examined([raw("x", paragraphs=text.split("\n\n"))]).notes if " texts hold " in one]
    assert [note in one for one in notes] == [True] * bool(note)


SOURCES = [("abbbbccc", "bca"), ("aaaaaaaaab", "aba"), ("aaa", "aaa"), ("ab", "ab"), ("", "")]


@pytest.mark.parametrize(("sources", "shown"), SOURCES)
def test_articles_of_the_largest_sources_are_shown(examined, sources, shown):
    pairs = examined([raw(f"r{at}", source=source) for at, source in enumerate(sources)]).pairs if sources else []
    chosen = of_largest_sources(pairs, 3)
    assert "".join(article.source for _, article in chosen) == shown
    assert len({article.id for _, article in chosen}) == len(chosen)


def test_articles_of_one_source_are_far_apart(examined):
    pairs = examined([raw(f"r{at}") for at in range(9)]).pairs
    assert [article.id for _, article in of_largest_sources(pairs, 3)] == ["r0", "r3", "r6"]


def test_a_later_date_shows_the_order_of_the_dates_of_a_sample(tmp_path):
    sampled = dated(["05/09/2016"] * 3)
    corpus = ListReader([*sampled, *dated(["2016-09-05", "21/09/2016"])])
    config = toy.config(tmp_path)
    look = sample_look(config, corpus, CorpusSample(kept=sampled, read=3, share=0.6, is_whole=False))
    assert not look.is_order_open
    assert look.results[0].date == dt.date(2016, 9, 5)
    look = sample_look(config, ListReader(sampled), CorpusSample(kept=sampled, read=3))
    assert "all 3 of them" in look.unclear_dates.message
