"""``init`` shows how it understands a corpus, and writes a configuration that ``config check`` accepts."""

import csv
import io
import json
import os
from pathlib import Path

import pytest
import yaml

from support.fakes import FakePageTagger, RuleAnnotator
from wdw_build.pipeline import backends

TEXT = "Ann Ames met Bob Beck in the old town on Monday.\n\nThey left the town together in the evening, a witness said."


@pytest.fixture
def begun(call, tmp_path, monkeypatch):
    """Run ``init`` in an empty folder over a file with this content; returns the answer and the configuration."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(backends._MAKERS, "annotator", lambda _: RuleAnnotator(["Ann Ames", "Bob Beck"]))
    monkeypatch.setitem(backends._MAKERS, "page_tagger", lambda _: FakePageTagger())

    def run(name, content, *options):
        (tmp_path / name).write_text(content, encoding="utf-8")
        config = tmp_path / f"{name.partition('.')[0]}.yaml"
        assert not config.exists()
        answer = call("init", "-q", name, *options)
        assert config.exists() is (answer.code == 0)
        return answer, yaml.safe_load(config.read_text(encoding="utf-8")) if config.exists() else None

    return run


def table(header, *rows):
    stream = io.StringIO()
    csv.writer(stream).writerows([header, *rows])
    return stream.getvalue()


def jsonl(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def fields_of(config):
    return config["corpus"]["options"]["fields"]


def test_columns_are_found_by_their_names_and_the_configuration_can_be_checked(begun, call):
    rows = [(f"u{number}", f"{number}/9/2016", "AP", "Storm", TEXT) for number in (5, 21)]
    header = ("URL", "Published At", "publisher", "Headline", "Article Text")
    answer, config = begun("news.csv", table(header, *rows))
    fields = dict(zip(("id", "date", "source", "title", "text"), header, strict=True))
    corpus = {"reader": "csv", "path": "news.csv", "options": {"fields": fields}}
    assert config == {"run": "news", "output_dir": "out/news", "corpus": corpus}
    assert "5 September 2016" in answer.ok().out
    call("config", "check", "-c", "news.yaml").ok()


def test_only_the_reader_that_is_named_is_tried(begun):
    content = table(("id", "date", "text"), ("1", "2016-09-05", TEXT))
    assert begun("a.txt", content, "--reader", "csv")[1]["corpus"]["reader"] == "csv"
    begun("b.csv", content, "--reader", "trec")[0].fails(1, "gives no article with the reader trec")


def test_nested_fields_seconds_and_kinds_are_found(begun, call):
    parts = {"parts": [{"p": TEXT}, {"p": "End."}]}
    rows = [{"meta": {"at": 1473033600 + day * 86400}, "kind": "politics", "body": parts} for day in range(3)]
    _, config = begun("n.jsonl", jsonl(*rows))
    assert fields_of(config) == {"date": "meta.at", "text": "body.parts.p"}
    assert config["ingest"] == {"date_formats": ["epoch"], "kinds": []}
    call("config", "check", "-c", "n.yaml").ok()


def test_ambiguous_dates_are_shown_with_both_readings_and_left_for_the_user_to_choose(begun, call):
    answer, config = begun("a.csv", table(("id", "date", "text"), ("1", "05/09/2016", TEXT)))
    assert "5 September 2016 or 9 May 2016" in answer.ok().out
    assert "ingest" not in config
    assert call("config", "check", "-c", "a.yaml").code == 2


def test_years_of_two_digits_are_read_in_the_only_order_that_fits_or_not_at_all(begun):
    header, row = ("id", "date", "text"), ("1", "05/09/16", TEXT)
    _, config = begun("a.csv", table(header, row, ("2", "21/09/16", TEXT)))
    assert config["ingest"] == {"date_formats": ["%d/%m/%y"]}
    begun("b.csv", table(header, row))[0].fails(2, "'date' has values such as '05/09/16'")


def test_a_field_named_date_may_have_values_that_are_no_dates_if_half_of_them_are(begun):
    header, good, bad = ("id", "date", "text"), ("1", "5 Sep 2016", TEXT), ("2", "3 days ago", TEXT)
    answer, config = begun("a.csv", table(header, good, bad))
    assert fields_of(config)["date"] == "date"
    assert "1 of 2 records are rejected as no-date" in answer.out
    begun("b.csv", table(header, good, bad, ("3", "yesterday", TEXT)))[0].fails(2)


def dated_rows(**columns):
    """A table with these columns of dates, and a text."""
    values = zip(*columns.values(), strict=True)
    return table((*columns, "text"), *((*row, f"{TEXT} It was {number}.") for number, row in enumerate(values)))


CRAWLED = [f"2024-11-18 09:30:0{second}" for second in range(1, 5)]
DATES = [f"2024-09-{day} 10:00:00" for day in range(17, 21)]


DATED_COLUMNS = [
    ({"scraped_at": CRAWLED, "published": DATES}, "published"),
    ({"date_download": CRAWLED, "date_modify": CRAWLED, "date_publish": DATES}, "date_publish"),
    ({"date_download": CRAWLED, "date_modify": DATES}, "date_modify"),
    ({"crawl_date": CRAWLED, "first_released_on": DATES}, "first_released_on"),
    ({"fetched": CRAWLED, "date": [DATES[0], "", "", ""]}, "date"),
    ({"fetched": CRAWLED, "date": ["", "", "", ""]}, "fetched"),
]


@pytest.mark.parametrize(("columns", "chosen"), DATED_COLUMNS)
def test_the_time_of_a_crawl_is_the_date_only_if_there_is_no_other(begun, columns, chosen):
    answer, config = begun("a.csv", dated_rows(**columns), "--json")
    assert fields_of(config)["date"] == chosen
    notes = "\n".join(answer.json["notes"])
    others = [name for name, values in columns.items() if any(values)]
    assert all(repr(name) in notes for name in others)
    assert ("may mean the time of scraping" in notes) is (chosen in ("fetched", "date_modify"))


SCRAPE_TIMES = [
    ([f"{date[:-2]}00.25" for date in DATES], True),
    ([f"{date.replace(' ', 'T')}Z" for date in DATES], True),
    (CRAWLED, False),
    ([date.replace(":00:00", ":00:05") for date in DATES], False),
]


@pytest.mark.parametrize(("scraped", "agrees"), SCRAPE_TIMES)
def test_dates_that_are_those_of_the_crawl_are_noted(begun, scraped, agrees):
    answer, config = begun("a.csv", dated_rows(date=DATES, scrape_timestamp=scraped), "--json")
    assert fields_of(config)["date"] == "date"
    note = "the dates in 'date' agree to the second with 'scrape_timestamp', the time of scraping: check that they are"
    assert any(note in one for one in answer.json["notes"]) is agrees


SCRAPED = ["time of scraping", "its dates lie within a few days", "09:30' (5 of 5"]


OTHER_DATES = [
    (["17 Sep 2024", "2 Mar 2024", "4 days ago"], "Date", ["'17 Sep 2024' (2 of 3", "'2024-11-18 09:30' (3 of 3"]),
    (["4 days ago", "2 Mar 2024"], "Date", ["'4 days ago' (1 of 2", "'2024-11-18 09:30' (2 of 2"]),
    (["4 days ago", "2 Mar 2024", "3 Mar 2023", "?", "!"], "Timestamp", [*SCRAPED, "days ago' (2 of 5"]),
    (["Last update 17 Sep 2024"], "Timestamp", ["09:30' (1 of 1", "'Last update 17 Sep 2024' (0 of 1"]),
]


@pytest.mark.parametrize(("dates", "chosen", "examples"), OTHER_DATES)
def test_the_time_of_scraping_is_the_date_only_if_few_other_dates_can_be_read(begun, dates, chosen, examples):
    rows = [("2024-11-18 09:30", date, TEXT) for date in dates]
    answer, config = begun("a.csv", table(("Timestamp", "Date", "text"), *rows), "--json")
    assert fields_of(config)["date"] == chosen
    (note,) = [note for note in answer.json["notes"] if "several fields could be the date" in note]
    places = [note.index(example) for example in examples]
    assert places == sorted(places)


def test_one_field_with_dates_needs_no_note(begun):
    answer, _ = begun("a.csv", table(("post_date", "published", "text"), ("2024-11-18", "True", TEXT)))
    assert "could be the date" not in answer.out


def test_a_date_that_most_records_lack_is_not_read_instead_of_milliseconds_that_all_have(begun):
    rows = [{"publish_date": 1474934400000 + number, "source": "AP", "text": TEXT} for number in range(12)]
    rows[0]["meta_data"] = {"Date": "2016-09-23", "body": TEXT}
    _, config = begun("a.jsonl", jsonl(*rows))
    assert fields_of(config) == {"date": "publish_date", "source": "source", "text": "text"}
    assert config["ingest"] == {"date_formats": ["epoch"]}


@pytest.mark.parametrize(
    ("shares", "chosen"), [((2, 8, 8), "source_domain"), ((2, 8, 10), "url"), ((10, 10, 10), "publisher")]
)
def test_the_source_is_the_field_with_the_most_values_or_the_host(begun, shares, chosen):
    values = {"publisher": ["AP"] * 10, "source_domain": ["a.example", "b.example"] * 5}
    values["url"] = [f"http://{host}/{number // 2 * 2}" for number, host in enumerate(values["source_domain"])]
    fields = dict(zip(values, shares, strict=True))
    rows = [
        {"date": "2016-09-05", "text": TEXT} | {name: values[name][at] for name in values if at < fields[name]}
        for at in range(10)
    ]
    assert fields_of(begun("a.jsonl", jsonl(*rows))[1])["source"] == chosen


def test_the_field_that_would_be_the_id_is_named_with_its_repeated_values(begun):
    rows = [(link, "2024-11-18", TEXT) for link in ("http://a.example/1", "http://a.example/2", "http://a.example/2")]
    answer, config = begun("a.csv", table(("Link", "date", "text"), *rows))
    assert "id" not in fields_of(config)
    assert "no field is read as the id: values of 'Link' that occur more than once: 1;" in answer.out


def test_a_scraped_corpus_is_shown_from_its_sources_with_the_dates_that_are_lost(begun):
    header = ("id", "date", "source", "title", "text")
    days = [(f"{source}{number}", f"2024-09-{1 + number // 10:02}", source) for source in "AB" for number in range(100)]
    rows = [*days, ("old", "2012-11-13", "A"), *((f"t{number}", f"{number} YEARS AGO", "TRT") for number in range(20))]
    answer, _ = begun("a.csv", table(header, *((*row, f"Title {row[0]}", TEXT) for row in rows)))
    assert "201 of 221 records are articles; as ingest understands them:" in answer.out
    assert [line.split()[1] for line in answer.out.splitlines() if line.startswith("  source")] == ["A", "B", "A"]
    assert "20 of 221 records are rejected as no-date" in answer.out


def test_a_path_without_a_corpus_is_to_be_checked(call, tmp_path):
    call("init", tmp_path / "nope.csv").fails(3, "there is no file or folder", "try: check the path")


def test_a_configuration_is_never_overwritten(begun, call):
    begun("a.csv", table(("id", "date", "text"), ("1", "2016-09-05", TEXT)))
    before = Path("a.yaml").read_bytes()
    call("init", "-q", "a.csv").fails(2, "a.yaml already exists")
    assert Path("a.yaml").read_bytes() == before


def test_a_corpus_that_is_not_understood_is_an_error(begun):
    begun("h.csv", "a,b\n1,2\n")[0].fails(2, "looks like the date of an article; its fields: a, b")
    begun("e.csv", "")[0].fails(1, "holds no rows")


def test_without_a_corpus_init_asks_for_one(call):
    call("init").fails(2)


def test_the_configuration_of_the_sample_can_be_used_in_any_folder(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("init", "--sample").ok()
    assert yaml.safe_load(Path("sample.yaml").read_text())["output_dir"] == "out/sample"
    call("config", "check", "-c", "sample.yaml").ok()


ARTICLE = {"id": "a1", "date": "2014-03-04", "source": "HP", "text": TEXT}


PLACES = [
    ("news", ".", "../news.yaml"),
    ("news/2014", "..", "../../news.yaml"),
    ("news", "*", "../my-corpus.yaml"),
    ("news", "*.jsonl", "my-corpus.yaml"),
    (".", "news", "news.yaml"),
    ("news", "a.jsonl", "a.yaml"),
]


@pytest.mark.parametrize(("folder", "corpus", "written"), PLACES)
def test_the_configuration_and_the_output_folder_are_outside_the_corpus(begun, call, folder, corpus, written):
    Path("news/2014").mkdir(parents=True)
    Path("news/a.jsonl").write_text(jsonl(ARTICLE))
    os.chdir(folder)
    assert f"next: wdw-build all --dry-run -c {written} " in call("init", "-q", corpus).ok().out
    call("config", "check", "-c", written).ok()


def test_a_configuration_that_would_be_read_as_an_article_is_not_written(begun, call):
    Path("a.jsonl").write_text(jsonl(ARTICLE))
    call("init", "-q", "*", "-o", "mine.yaml").fails(2, "mine.yaml would be read as an article")
    assert not Path("mine.yaml").exists()
