"""docs/howto/your-format.md: its options and programs read a small file of each format."""

import datetime as dt
import json
import re
import textwrap
from pathlib import Path

import pytest
import yaml

from wdw_build.corpus_look.guess import guess
from wdw_build.pipeline.registry import make_reader
from wdw_build.text.dates import parse_date

FOLDER = Path(__file__).parent / "formats"
PAGE = (Path(__file__).parents[3] / "docs" / "howto" / "your-format.md").read_text(encoding="utf-8")
ONE = "Captain Ilse Marr told Mayor Odo Finch on Tuesday that the lighthouse at Quell had been dark for a week."
TWO = "Finch said the keeper, Rhea Voss, would be asked to explain the matter to the council."
# The file of each row of the table, and the source and the id of its first article.
FORMATS = {
    "news-please": ("newsplease.json", "quell-echo.example", "https://www.quell-echo.example/1"),
    "trafilatura": ("trafilatura.json", "quell-echo.example", "https://quell-echo.example/1"),
    "ninjs": ("ninjs.json", "Quell Echo", "tag:quell.example,2015:1"),
    "NewsAPI": ("newsapi.json", "Quell Echo", "https://quell-echo.example/1"),
    "Guardian API": ("guardian.json", "Quell Echo", "coast/2015/may/05/light"),
    "Washington Post collection (TREC)": ("washington-post.jl", "The Quell Post", "b2e89334"),
    "Nexis Uni": ("nexis.csv", "Quell Echo", "1"),
}


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def stated(name):
    """The options in the row of a format."""
    (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| {name}")]
    parts = re.findall(r"`([^`]+: .+?)`(?:,| \|)", row)
    return {key: value for part in parts for key, value in yaml.safe_load(part).items()}


def check(article, source, number):
    assert (article.source, article.id, article.title) == (source, number, "Light dark for a week")
    assert ONE in article.paragraphs[0]
    assert article.paragraphs[1].startswith(TWO)
    assert len(article.paragraphs) == 2


@pytest.mark.parametrize("name", FORMATS)
def test_init_writes_the_options_of_the_page_and_they_read_the_format(name):
    file, source, number = FORMATS[name]
    guessed = guess(FOLDER / file)
    assert guessed.options == stated(name)
    check(next(iter(make_reader(guessed.reader, FOLDER / file, guessed.options).read())), source, number)


def test_the_options_for_factiva_read_a_snapshot(tmp_path):
    (tmp_path / "factiva.csv").write_bytes((FOLDER / "factiva.csv").read_bytes())
    (tmp_path / "factiva.py").write_text(blocks("python")[0])
    config = yaml.safe_load(blocks("yaml")[0])
    articles = make_reader("csv", tmp_path / "factiva.csv", config["corpus"]["options"]).read()
    check(next(iter(articles)), "Quell Echo", "QE00000020150505")


def test_init_finds_the_reader_of_feeds():
    guessed = guess(FOLDER / "feed.xml")
    assert guessed.reader == "feed"
    check(next(iter(make_reader("feed", FOLDER / "feed.xml", {}).read())), "quell-echo.example", "qe-1")


def through(tmp_path, function, *rows):
    """The articles of rows that a function of the page has changed."""
    (tmp_path / "row.py").write_text(function)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return list(make_reader("jsonl", tmp_path / "a.jsonl", {"row_function": "row.py"}).read())


@pytest.mark.parametrize("width", [40, 60, 78])
def test_wrapped_lines_are_joined_to_paragraphs(tmp_path, width):
    text = "\n".join(textwrap.fill(paragraph, width) for paragraph in (ONE, f"{TWO} {ONE}", TWO))
    (article,) = through(tmp_path, blocks("python")[2], {"date": "2015-05-05", "text": text})
    assert " ".join(article.paragraphs) == " ".join((ONE, TWO, ONE, TWO))
    assert article.paragraphs[0].startswith(ONE)
    (short,) = through(tmp_path, blocks("python")[2], {"date": "2015-05-05", "text": ONE})
    assert short.paragraphs == (ONE,)


def test_dates_are_found_in_texts_and_joined_from_fields(tmp_path):
    dates = ["Published 4 March 2014", "Updated March 4, 2014, 10:00 IST", "2014-03-04"]
    rows = [{"date": date, "text": ONE} for date in dates] + [{"year": 2014, "month": "3", "day": 4, "text": ONE}]
    found = [article.date for article in through(tmp_path, blocks("python")[3], *rows)]
    assert found == ["4 March 2014", "March 4, 2014", "2014-03-04", "2014-03-04"]
    forms = yaml.safe_load(blocks("yaml")[1])["ingest"]["date_formats"]
    assert {parse_date(date, forms) for date in (*dates, *found)} == {dt.date(2014, 3, 4)}
