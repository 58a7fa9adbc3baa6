"""Files as people have them: ``init`` finds out how to read each, and its articles have the right values after the repair.

``found/expected.json`` has the options and the articles of each file: id, date, source, title and paragraphs.
"""

import gzip
import json
import zipfile
from pathlib import Path

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wdw_build.corpus_look.guess import guess
from wdw_build.errors import ConfigError, CorpusError, WdwError
from wdw_build.pipeline.registry import make_reader
from wdw_build.records import Unreadable
from wdw_build.text.sentences.repair import repair_article

FOLDER = Path(__file__).parent / "found"
EXPECTED = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
TEXT = "Captain Ilse Marr told Mayor Odo Finch on Tuesday that the lighthouse at Quell had been dark for a week."
ROW = {"id": "q1", "date": "2015-05-05", "text": TEXT}


def written(folder, *rows, name="a.jsonl"):
    """The path of a file with these objects."""
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / name


def summary(entry):
    if isinstance(entry, Unreadable):
        return f"{entry.place}: {entry.error}"
    entry = repair_article(entry)
    return [entry.id, entry.date, entry.source, entry.title, *entry.paragraphs]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "options" in EXPECTED[name]])
def test_a_file_gives_its_articles(name):
    expected, guessed = EXPECTED[name], guess(FOLDER / name)
    articles = [summary(entry) for entry in make_reader(guessed.reader, FOLDER / name, guessed.options).read()]
    assert guessed.options == expected["options"]
    assert articles[: len(expected["articles"])] == expected["articles"]


@pytest.mark.parametrize("name", [name for name in EXPECTED if "error" in EXPECTED[name]])
def test_a_file_that_cannot_be_read_says_why_and_what_to_do(name):
    with pytest.raises(WdwError) as caught:
        guess(FOLDER / name)
    assert caught.value.message.replace(str(FOLDER / name), name) == EXPECTED[name]["error"]
    assert caught.value.hint.replace(str(FOLDER / name), name) == EXPECTED[name]["hint"]


BOTH, NO_TITLE = ("One two three.", "Four five."), "field 'title' is not a text"
LISTS = [BOTH, "neither a text nor a list of texts", BOTH, "name one of its fields, p", BOTH, BOTH[:1], NO_TITLE]
LISTS += [("One.",), ("One.",), (), NO_TITLE]


@pytest.mark.parametrize(("number", "expected"), list(enumerate(LISTS)))
def test_lists_and_objects_have_their_texts_and_no_numbers_and_nulls(number, expected):
    field = "contents.content" if number in (4, 5) else "text"
    entry = list(make_reader("jsonl", FOLDER / "lists.jsonl", {"fields": {"text": field}}).read())[number]
    assert expected in entry.error if isinstance(expected, str) else entry.paragraphs == expected


def test_a_source_that_is_an_object_or_null_is_its_name_or_empty():
    entries = list(make_reader("jsonl", FOLDER / "lists.jsonl", {}).read())
    assert [entry.source for entry in entries[7:9]] == ["OP", ""]


@pytest.mark.parametrize("name", ["a.xlsx", "a.docx", "a.pdf", "a.feather", "a.md"])
def test_a_workbook_or_a_document_is_named_with_what_to_do(tmp_path, name):
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    for path in (tmp_path, tmp_path / name):
        with pytest.raises(CorpusError, match=f"no reader reads .*{name}") as caught:
            guess(path)
        assert "CSV" in caught.value.hint or "your-format.md" in caught.value.hint


def test_a_source_that_differs_in_each_of_many_rows_is_doubted(tmp_path):
    rows = [{"id": str(n), "date": "2015-05-05", "source": f"Desk {n}", "text": TEXT} for n in range(12)]
    guessed = guess(written(tmp_path, *rows))
    assert "source" not in guessed.options["fields"]
    assert "'source' is hardly the source" in guessed.notes[0]


def test_a_source_is_a_host_without_www_that_an_aggregator_links_to_or_a_name(tmp_path):
    def source_of(source):
        return next(make_reader("jsonl", written(tmp_path, ROW | {"source": source}), {}).read()).source

    assert source_of("http://a.example/url?q=1&amp;url=https://www.quell.example/1") == "quell.example"
    assert source_of("http://a.example/?url=https%3A%2F%2Fquell.example%2F1") == "quell.example"
    assert source_of("www.quell.example") == "quell.example"
    assert source_of("Quell Echo") == "Quell Echo"


def test_class_labels_are_their_names(tmp_path):
    labels = ["Quell Echo", "Brune Mail"]
    info = {"info": {"features": {"source": {"names": labels, "_type": "ClassLabel"}}}}
    table = pa.table({"date": ["2015-05-05"] * 2, "source": [1, -1], "text": [TEXT] * 2})
    table = table.replace_schema_metadata({"huggingface": json.dumps(info)})
    pq.write_table(table, tmp_path / "a.parquet")
    assert [entry.source for entry in make_reader("parquet", tmp_path / "a.parquet", {}).read()] == [labels[1], ""]


def test_the_articles_of_a_folder_are_its_lines_and_not_the_descriptions_beside_them(tmp_path):
    written(tmp_path, ROW)
    (tmp_path / "about.json").write_text('{"rows": 1}')
    assert guess(tmp_path).notes == ("1 .json files beside the lines are not read; a glob reads them",)
    assert [entry.place for entry in make_reader("jsonl", tmp_path, {}).read()] == ["a.jsonl:1"]


def test_a_document_that_is_too_large_is_refused_with_the_command_that_cuts_it(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([{"date": "2015-05-05", "text": TEXT}], indent=1))
    reader = make_reader("jsonl", tmp_path, {})
    reader.longest = 50
    (entry,) = reader.read()
    assert "jq -c '.[]' a.json > lines.jsonl" in entry.error


@pytest.mark.parametrize("orient", ["columns", "index", "split"])
@pytest.mark.parametrize("ids", ["fields", "labels", "none"])
def test_a_table_of_pandas_in_one_object_is_refused_with_a_remedy_that_works(tmp_path, monkeypatch, orient, ids):
    rows = [{"id": f"00{number}", "date": f"2015-05-0{number}", "text": TEXT} for number in (1, 2)]
    table = pandas.DataFrame(rows)
    table = {"fields": table, "labels": table.set_index("id"), "none": table.drop(columns="id")}[ids]
    table.to_json(tmp_path / "a.json", orient=orient)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CorpusError, match=r"a\.json holds a whole table in one object") as caught:
        guess(Path("a.json"))
    exec(caught.value.hint.removeprefix("in pandas: "), {"pd": pandas})
    found = list(make_reader("jsonl", tmp_path / "articles.jsonl", {}).read())
    assert [(entry.date[:10], *entry.paragraphs) for entry in found] == [(row["date"], TEXT) for row in rows]
    if ids != "none":
        assert [entry.id for entry in found] == ["001", "002"]


def test_lists_of_values_without_names_are_refused_with_the_way_to_save_them_again(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps([["q1", "2015-05-05", TEXT]]))
    with pytest.raises(CorpusError) as caught:
        guess(tmp_path / "a.json")
    assert "every record needs fields with names; in pandas, save the table again: df.to_json(" in caught.value.hint


NOT_FOUND = [
    ({"date": "Published 4 March 2014", "text": TEXT}, "name the form of these dates in ingest.date_formats"),
    ({"year": 2014, "month": 3, "day": 4, "text": TEXT}, "join year, month, day to a date with a row_function"),
    ({"headline": "Storm", "text": TEXT}, "make the date with a row_function"),
    ({"date": "2014-03-04", "blurb": "Storm"}, "name the field in corpus.options.fields.text"),
]


@pytest.mark.parametrize(("row", "hint"), NOT_FOUND)
def test_a_date_or_text_that_is_not_found_leads_to_the_page_that_shows_how_to_read_it(tmp_path, row, hint):
    with pytest.raises(ConfigError) as caught:
        guess(written(tmp_path, row))
    assert hint in caught.value.hint
    assert "(docs/howto/your-format.md, Without init)" in caught.value.hint


def test_a_reader_that_is_given_and_reads_nothing_is_not_the_only_one(tmp_path):
    (tmp_path / "feed.json").write_text(json.dumps({"items": [{"date_published": "2015-05-05", "content_text": TEXT}]}))
    with pytest.raises(CorpusError) as caught:
        guess(tmp_path / "feed.json", "feed")
    assert caught.value.hint.endswith("without --reader, init tries all readers")
    assert guess(tmp_path / "feed.json").reader == "jsonl"


def test_an_article_in_an_object_is_no_table(tmp_path):
    article = {"date": "2015-05-05", "text": TEXT}
    rendered = {"date": {"$date": "2015-05-05"}, "text": {"rendered": TEXT}}
    for row in ({"data": article}, {"articles": [article]}, rendered, article | {"text": [TEXT]}):
        assert guess(written(tmp_path, row)).reader == "jsonl"


def test_a_folder_by_its_number_is_a_field(tmp_path):
    (tmp_path / "echo" / "2015").mkdir(parents=True)
    written(tmp_path / "echo" / "2015", ROW)
    (article,) = make_reader("jsonl", tmp_path, {"fields": {"source": {"folder": "1"}}}).read()
    assert article.source == "echo"


@pytest.mark.parametrize(("name", "text"), [("doc.json", "doc.txt"), ("a1.meta.json", "a1.txt")])
def test_texts_in_files_beside_their_rows_are_found_and_read(tmp_path, name, text):
    for number in (1, 2):
        folder = tmp_path / f"f{number}"
        folder.mkdir()
        row = {"doc_id": f"q{number}", "date_str": "2015-05-05", "head": f"Lamp {number}"}
        row |= {"link": f"https://{60 * 'a'}.com/"}
        (folder / name).write_text(json.dumps(row, indent=1))
        (folder / text).write_text(f"Lamp {number}\n\n{TEXT}\n\nIt was {number}.")
    options = guess(tmp_path).options
    fields = {"id": "doc_id", "date": "date_str", "source": "", "title": "head", "text": {"file": "*.txt"}}
    assert options["fields"] | {"source": ""} == fields
    options = {"fields": options["fields"] | {"text": {"file": text}}}
    articles = list(make_reader("jsonl", tmp_path, options).read())
    assert [(one.id, one.title, one.paragraphs) for one in articles] == [
        (f"q{number}", f"Lamp {number}", (f"Lamp {number}", TEXT, f"It was {number}.")) for number in (1, 2)
    ]


def test_a_file_beside_many_rows_is_not_their_text(tmp_path):
    written(tmp_path, *({"id": name, "date": "2015-05-05"} for name in "ab"))
    (tmp_path / "a.txt").write_text(TEXT)
    with pytest.raises(WdwError, match="looks like the text"):
        guess(tmp_path)


def test_a_row_without_its_file_or_whose_file_must_not_be_read_is_unreadable_and_says_why(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(TEXT)
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name in "ab":
        written(corpus, {"id": name, "date": "2015-05-05"}, name=f"{name}.json")
    (corpus / "b.txt").symlink_to(secret)
    reader = make_reader("jsonl", corpus, {"fields": {"text": {"file": "*.txt"}}})
    assert [summary(entry) for entry in reader.read()] == [
        "a.json:1: no text in a.txt beside it: No such file or directory",
        "b.json:1: b.txt beside it is a link that leads out of the corpus; set corpus.options.follow_links to read it",
    ]
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(corpus / "a.json", "a.json")
    (entry,) = make_reader("jsonl", tmp_path / "a.zip", {"fields": {"text": {"file": "*.txt"}}}).read()
    assert entry.error == "the text in a file beside it (a.txt) is not read in archives: unpack a.zip"


def test_a_text_beside_a_row_is_part_of_the_identity_and_the_size_and_stays_in_its_folder(tmp_path):
    written(tmp_path, {"id": "a", "date": "2015-05-05"}, name="a.json")
    readers = []
    for text in ("One.", "Two two."):
        (tmp_path / "a.txt").write_text(text)
        readers.append(make_reader("jsonl", tmp_path, {"fields": {"text": {"file": "a.txt"}}}))
        readers[-1] = (readers[-1].identity, readers[-1].size())
    assert readers[0][0] != readers[1][0]
    assert readers[1][1] - readers[0][1] == 4
    with pytest.raises(ConfigError, match=r"fields\.text"):
        make_reader("jsonl", tmp_path, {"fields": {"text": {"file": "../secret"}}})


NO_ARTICLES = [
    ({"date": {"0": "2015-05-05"}, "text": {"0": TEXT}}, "holds a whole table in one object"),
    ({"date": 42129, "text": TEXT}, "'date' has values such as '42129'"),
    (ROW | {"text": [TEXT, None, 7]}, "'text' has values such as '7'"),
]


@pytest.mark.parametrize(("row", "message"), NO_ARTICLES)
def test_what_pandas_and_spreadsheets_write_and_lists_with_numbers_are_not_taken_for_articles(tmp_path, row, message):
    with pytest.raises(WdwError, match=message):
        guess(written(tmp_path, row, name="a.json"))


@pytest.mark.parametrize(
    ("content", "reader"),
    [
        (json.dumps({"id": "q1", "date": "2015-05-05", "text": TEXT}, indent=1), "jsonl"),
        (f"<DOC><DOCNO>FT911-7</DOCNO><DATE>910514</DATE><TEXT>{TEXT}</TEXT></DOC>", "trec"),
    ],
)
def test_the_files_of_a_folder_may_have_any_name(tmp_path, content, reader):
    (tmp_path / "disk").mkdir()
    (tmp_path / "disk" / "ft911_1").write_text(content)
    found = guess(tmp_path)
    assert (found.reader, found.path) == (reader, tmp_path / "**" / "*")
    assert len(list(make_reader(reader, found.path, found.options).read())) == 1
    (tmp_path / "disk" / "ft911_1").write_text("Hello")
    with pytest.raises(CorpusError, match="names such as ft911_1"):
        guess(tmp_path)


@pytest.mark.parametrize(
    ("name", "cut", "message"),
    [("a.jsonl", None, "it is compressed: end its name in .gz"), ("a.jsonl.gz", -9, "ended before the end-of-stream")],
)
def test_a_packed_file_with_another_name_or_without_its_end_is_refused_with_the_reason(tmp_path, name, cut, message):
    (tmp_path / name).write_bytes(gzip.compress(json.dumps(ROW).encode())[:cut])
    with pytest.raises(CorpusError, match=f"{name}: .*{message}"):
        guess(tmp_path / name)


def test_an_empty_folder_holds_no_files(tmp_path):
    with pytest.raises(CorpusError, match="holds no files"):
        guess(tmp_path)


@pytest.mark.parametrize(
    ("date", "form"), [("05.06.15", "%d.%m.%y"), ("5-Jun-15", "%d-%b-%y"), ("20150605101500", "%Y%m%d%H%M%S")]
)
def test_dates_of_spreadsheets_and_crawls_are_read_with_the_form_that_fits(tmp_path, date, form):
    assert guess(written(tmp_path, ROW | {"date": date})).ingest == {"date_formats": [form]}


def test_the_names_that_archives_give_to_titles_and_sources_are_known(tmp_path):
    def found(title, **sources):
        guessed = guess(written(tmp_path, ROW | {title: "Light is out"} | sources)).options["fields"]
        return guessed["source"], guessed["title"]

    assert found("Headline", **{"Publication Name": "Echo"}) == ("Publication Name", "Headline")
    assert found("HD", SN="Echo") == ("SN", "HD")
    assert found("Title", pubtitle="Echo") == ("pubtitle", "Title")
    assert found("title", newspaper_id="echo") == ("newspaper_id", "title")
    assert found("post_title", canonical_url="https://a.example/1") == ("canonical_url", "post_title")
    within = {"headline": {"main": "Light is out", "kicker": None}, "source": "Echo"}
    expected = {"title": "headline.main", "source": "source"}
    assert guess(written(tmp_path, ROW | within)).options["fields"].items() >= expected.items()


def test_utf_16_without_a_mark_is_read(tmp_path):
    (tmp_path / "a.csv").write_bytes(f"date,text\n2015-05-05,{TEXT} Café.\n".encode("utf-16-le"))
    (article,) = make_reader(guess(tmp_path / "a.csv").reader, tmp_path / "a.csv", {}).read()
    assert (article.date, article.paragraphs) == ("2015-05-05", (f"{TEXT} Café.",))


WRITTEN_LISTS = [
    (str([TEXT, "It's dark."]), (TEXT, "It's dark.")),
    (json.dumps([TEXT, 'A "lamp".']), (TEXT, 'A "lamp".')),
    ("['Sic', she wrote]", ("['Sic', she wrote]",)),
]


@pytest.mark.parametrize(("text", "paragraphs"), WRITTEN_LISTS)
def test_a_list_that_pandas_wrote_into_a_field_has_a_paragraph_in_each_text(tmp_path, text, paragraphs):
    quoted = text.replace('"', '""')
    (tmp_path / "a.csv").write_text(f'date,text\n2015-05-05,"{quoted}"\n')
    (article,) = make_reader("csv", tmp_path / "a.csv", {}).read()
    assert article.paragraphs == paragraphs


def test_texts_that_are_bytes_are_recognised(tmp_path):
    pq.write_table(pa.table({"date": ["2015-05-05"], "text": [TEXT.encode()]}), tmp_path / "a.parquet")
    assert guess(tmp_path / "a.parquet").options == {"fields": {"date": "date", "text": "text"}}


def test_a_few_values_of_another_type_do_not_hide_a_field(tmp_path):
    rows = [{"id": str(n), "date": "2015-05-05", "headline": f"Part {n % 5}", "text": TEXT} for n in range(20)]
    rows[3] |= {"headline": 1984, "text": 0}
    assert guess(written(tmp_path, *rows)).options["fields"]["title"] == "headline"


@pytest.mark.parametrize("order", [("content", "original"), ("original", "content")])
def test_of_two_texts_the_one_that_is_not_tokenised_is_read(tmp_path, order):
    texts = {"original": TEXT + " It is dark, he said.", "content": f"{TEXT[:-1]} . It is dark , he said ."}
    found = guess(written(tmp_path, {"date": "2015-05-05"} | {name: texts[name] for name in order}))
    assert found.options["fields"]["text"] == "original"
    assert "because the other one is tokenised: 'original': 'Captain Ilse Marr" in found.notes[0]


@pytest.mark.parametrize(("other", "read"), [("ctext", "ctext"), ("comments", "text")])
def test_of_two_texts_the_one_that_is_several_times_as_long_is_read(tmp_path, other, read):
    found = guess(written(tmp_path, ROW | {other: f"{TEXT} " * 4}))
    assert found.options["fields"]["text"] == read
    assert ("because it is several times as long" in found.notes[0]) == (read == other)


@pytest.mark.parametrize("odd", ["a.csv", "c.csv"])
def test_the_fields_are_those_of_all_files_of_a_folder(tmp_path, odd):
    for name in ("a.csv", "b.csv", "c.csv"):
        date = "Updated on: May 5" if name == odd else "2015-05-05"
        (tmp_path / name).write_text("date,text\n" + f'{date},"{TEXT}"\n' * 300)
    (tmp_path / "b.csv.gz").write_bytes(b"no archive")
    assert guess(tmp_path).options["fields"] == {"date": "date", "text": "text"}
    (tmp_path / "b.csv.gz").unlink()
    for name in ("a.csv", "b.csv", "c.csv"):
        (tmp_path / name).write_text(f'date,text\n{"2015-05-05" if name == odd else "May"},"{TEXT}"\n')
    with pytest.raises(WdwError, match=f"no field of .*{'b' if odd == 'a.csv' else 'a'}.csv looks like the date"):
        guess(tmp_path)


@pytest.mark.parametrize("mark", ["'", '"'])
def test_the_mark_around_fields_is_found_and_a_row_that_is_too_long_is_named_as_the_reader_finds_it(tmp_path, mark):
    row = f"{mark}2015-05-05{mark},{mark}{TEXT}, it said, and all saw.{mark}"
    (tmp_path / "a.csv").write_text(f"date,text\n{row}\n")
    assert guess(tmp_path / "a.csv").options.get("quote", '"') == mark
    (tmp_path / "a.csv").write_text(f"date,text\n{row.replace(mark, chr(34))},\n")
    with pytest.raises(CorpusError, match=r"a\.csv:2: 3 fields, but 2 columns"):
        guess(tmp_path / "a.csv")


def test_a_list_of_one_is_its_value(tmp_path):
    row = {"id": ["q1"], "date": "2015-05-05", "source": ["Quell Echo"], "title": ["Light is out"], "text": [TEXT]}
    (tmp_path / "a.json").write_text(json.dumps({"response": {"docs": [row, row | {"id": ["q2"]}]}}, indent=1))
    article = next(make_reader("jsonl", tmp_path / "a.json", guess(tmp_path / "a.json").options).read())
    assert summary(article) == ["q1", "2015-05-05", "Quell Echo", "Light is out", TEXT]


def test_a_file_with_a_single_article_in_its_list_does_not_hide_the_list(tmp_path):
    rows = [{"id": f"q{number}", "date": "2015-05-05", "title": "Light is out", "text": TEXT} for number in range(3)]
    for name, part in (("page1", rows[:2]), ("page2", rows[2:])):
        written(tmp_path, {"response": {"total": 3, "results": part}}, name=f"{name}.json")
    guessed = guess(tmp_path)
    assert guessed.options["items"] == "response.results"
    assert [one.id for one in make_reader("jsonl", tmp_path, guessed.options).read()] == ["q0", "q1", "q2"]


@pytest.mark.parametrize("null", ["NULL", "None", "nan", "NaN", "\\N"])
def test_null_as_a_word_is_missing(tmp_path, null):
    (tmp_path / "a.csv").write_text(f"date,source,title,text\n2015-05-05,{null},{null},{TEXT}\n")
    (article,) = make_reader("csv", tmp_path / "a.csv", {}).read()
    assert (article.source, article.title) == ("", "")
