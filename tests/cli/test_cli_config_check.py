"""``config check`` opens the corpus: it shows an article as it is understood, and says what does not fit."""

import pytest
from cli_corpora import write_config

HEADER = "id,date,source,title,text\n"
ROWS = '1,2016-09-05,AP,Storm,"Ann Ames left the coast on Monday, her aide Bob Beck said.\n\nIt rained."\n'


@pytest.fixture
def checked(call, tmp_path):
    """Check a configuration over a corpus file with this content."""

    def check(content, *options, name="a.csv", reader="csv", fields=None, **sections):
        (tmp_path / name).write_text(content, encoding="utf-8")
        corpus = {"reader": reader, "path": name, "options": {"fields": fields} if fields else {}}
        return call("config", "check", "-c", write_config(tmp_path, name, **{"corpus": corpus} | sections), *options)

    return check


def test_the_first_article_is_shown_as_it_is_understood(checked):
    out = checked(HEADER + ROWS).out
    assert "5 September 2016 (written '2016-09-05')" in out
    assert "Ann Ames left the coast on Monday, her aide Bob Beck said." in out
    found = checked(HEADER + ROWS, "--json").json
    assert (found["records"], found["articles"], found["first"]["paragraphs"]) == (1, 1, 2)


def test_a_corpus_that_gives_no_article_is_an_error_that_says_why(checked):
    checked("").fails(1, "its files are empty")
    checked(HEADER).fails(1, "its files are empty")
    checked(HEADER + ROWS, fields={"date": "day"}).fails(1, "no field 'day' among date, id, source, text, title")
    checked(HEADER.replace("text", "body") + ROWS).fails(1, "no field 'text' among body, date, id, source, title")
    checked(HEADER + ROWS, reader="jsonl").fails(1, "bad JSON")


def test_ambiguous_dates_are_an_error_and_a_later_date_that_decides_is_found(checked):
    ambiguous = HEADER + "".join(f"{number},05/09/2016,AP,T,Text.\n" for number in range(120))
    checked(ambiguous).fails(2, "date_formats")
    assert "5 September 2016" in checked(ambiguous + "x,21/09/2016,AP,T,Text.\n").out
    assert "9 May 2016" in checked(ambiguous, ingest={"date_formats": ["month-first"]}).out


def test_an_optional_field_that_no_record_has_is_noted(checked):
    out = checked(HEADER + ROWS, fields={"source": "agency"}).out
    assert "note: no record has the field 'agency', which corpus.options.fields.source names" in out


def test_a_misspelt_field_of_one_of_several_corpora_is_noted_with_the_field_that_is_meant(checked):
    fields = [{"source": "sorce"}, {"source": "source"}]
    parts = [{"reader": "csv", "path": "news.csv", "options": {"fields": each}} for each in fields]
    corpus = {"reader": "several", "path": ".", "options": {"parts": parts}}
    out = checked(HEADER + ROWS, name="news.csv", corpus=corpus).out
    note = "no record has the field 'sorce', which corpus.options.parts[0].options.fields.source names: did you mean 'source'?"
    assert (note in out, out.count("no record has")) == (True, 1)


def test_what_is_rejected_and_odd_texts_are_noted(checked):
    out = checked(HEADER + ROWS + "2,soon,AP,T,Text.\n3,2016-09-06,AP,T,<p>By Ann Ames</p>\n").out
    assert "1 of 3 records are rejected as no-date (the date is missing, or in a form" in out
    assert "1 of 2 texts contain HTML tags (in a field of a table, corpus.options.strip_html removes them)" in out
