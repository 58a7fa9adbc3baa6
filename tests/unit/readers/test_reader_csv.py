"""The CSV reader: delimiters, quotes, headers and malformed rows."""

import tracemalloc

import pytest
from msgspec.structs import replace

from support.make import raw
from wdw_build.adapters.corpora.text_rows import CsvReader
from wdw_build.errors import ConfigError
from wdw_build.records import Unreadable

HEAD = "id,date,source,title,text\n"


def read(tmp_path, content, name="a.csv", **options):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(CsvReader(tmp_path, options).read())


def test_a_row_becomes_the_article_that_it_holds(tmp_path):
    row = '"a,1",2014-03-04,HP,"He said ""no""","One.\r\n\r\nTwo\nlines."\r\n'
    expected = raw("a,1", place="a.csv:2", date="2014-03-04", source="HP", paragraphs=("One.", "Two lines."))
    assert read(tmp_path, HEAD + row) == [replace(expected, title='He said "no"')]


QUIRKS = {
    "a mark at the beginning": (b"\xef\xbb\xbf" + HEAD.encode() + b"a,2014-03-04,,,T\xc3\xa9\n", "a.csv", {}, "Té"),
    "windows-1252, found out": (HEAD.encode() + b"a,2014-03-04,,,\x93T\xe9\x94\n", "a.csv", {}, "“Té”"),
    "latin-1, stated": (HEAD.encode() + b"a,2014-03-04,,,T\xe9\n", "a.csv", {"encoding": "latin-1"}, "Té"),
    "tabs by the suffix": (b"id\tdate\ttext\na\t2014\tT, U\n", "a.tsv", {}, "T, U"),
    "tabs, packed name": (b"id\tdate\ttext\na\t2014\tT, U\n", "a.b.tab", {}, "T, U"),
    "a delimiter": (b"id;date;text\na;2014;T, U\n", "a.csv", {"delimiter": ";"}, "T, U"),
    "no quotation": (b'id\tdate\ttext\na\t2014\t"T\n', "a.tsv", {"quote": ""}, '"T'),
    "another quotation": (b"id,date,text\na,2014,'T, U'\n", "a.csv", {"quote": "'"}, "T, U"),
    "no header": (b"a,2014,T\n", "a.csv", {"columns": ["id", "date", "text"]}, "T"),
    "NUL bytes": (b"id,date,text\na,2014,T\0U\n", "a.csv", {}, "TU"),
    "blank lines": (b"id,date,text\n\n\r\na,2014,T\n\n", "a.csv", {}, "T"),
    "no newline at the end": (b"id,date,text\na,2014,T", "a.csv", {}, "T"),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_table_s_ways_are_understood(tmp_path, quirk):
    content, name, options, text = QUIRKS[quirk]
    (article,) = read(tmp_path, content, name, **options)
    assert (article.id, article.paragraphs) == ("a", (text,))


BAD_ROWS = [
    ("b,2014,HP,T", "4 fields, but 5 columns"),
    ("b,2014,HP,T,U,V", "6 fields, but 5 columns"),
    ('b,2014,HP,"T"x,U', "bad row"),
]


@pytest.mark.parametrize(("bad", "why"), BAD_ROWS)
def test_a_row_that_breaks_the_rules_is_unreadable_and_the_next_is_read(tmp_path, bad, why):
    found = read(tmp_path, HEAD + "a,2014,HP,T,U\n" + bad + "\nc,2014,HP,T,U\n")
    assert [one.place for one in found] == ["a.csv:2", "a.csv:3", "a.csv:4"]
    assert isinstance(found[1], Unreadable)
    assert why in found[1].error


def test_a_quotation_that_is_never_closed_is_reported_where_it_begins(tmp_path):
    found = read(tmp_path, HEAD + 'a,2014,HP,T,U\nb,2014,HP,T,"half a file\nand more\n')
    assert [one.place for one in found] == ["a.csv:2", "a.csv:3"]
    assert "unexpected end" in found[1].error


def test_a_quotation_that_swallows_the_file_is_not_held_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(CsvReader, "longest", 1 << 20)
    with (tmp_path / "a.csv").open("w") as stream:
        stream.write(HEAD + 'b,2014,HP,T,"open\n')
        for _ in range(4):
            stream.write(("x" * 1023 + "\n") * 1024)
        stream.write("c,2014,HP,T,U\n")
    tracemalloc.start()
    found = list(CsvReader(tmp_path, {}).read())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found[0].place == "a.csv:2"
    assert found[0].error == "bad row: row longer than 1 MB"
    assert found[-1].id == "c"
    assert peak < 10 << 20  # the parser keeps four bytes a character


@pytest.mark.parametrize("options", [{"delimiter": ",,"}, {"quote": "''"}, {"delimiter": "\n"}])
def test_a_delimiter_that_cannot_be_one_is_refused(tmp_path, options):
    with pytest.raises(ConfigError, match="delimiter"):
        read(tmp_path, HEAD, **options)


# --- the header ---------------------------------------------------------------------------------------------------------

ROW = 'a,2014-03-04,HP,T,"One, two; three."\n'


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("rest", ["\n", "\n\nHarbour Press, all articles\n", "{0}{0}{0}{0}\n"])
def test_lines_before_the_header_are_skipped_with_a_note(tmp_path, rest, delimiter):
    before = "Exported 2024-01-01" + rest.format(delimiter)
    table = (HEAD + ROW * 3).replace(",", delimiter).replace(f"One{delimiter} two", "One, two")
    found = read(tmp_path, before + table)
    assert [one.paragraphs for one in found] == [("One, two; three.",)] * 3
    line = before.count("\n") + 1
    assert found[0].place == f"a.csv:{line + 1}"
    (note,) = CsvReader(tmp_path, {}).file_notes()
    start = "1 of 1 files have lines before the header, which are not read, such as a.csv: 'Exported 2024-01-01"
    assert note.startswith(start)
    assert note.endswith(f"; the header is line {line}")


@pytest.mark.parametrize("header", [HEAD, "date,text\n", ",date,text\n", "id,date,text,,\n"])
def test_a_first_row_that_names_the_columns_is_the_header(tmp_path, header):
    width = header.count(",") + 1
    read(tmp_path, header + ",".join(["2014-03-04"] * width) + "\n")
    (article,) = CsvReader(tmp_path, {}).read()
    assert article.date == "2014-03-04"
    assert CsvReader(tmp_path, {}).file_notes() == []


def test_rows_whose_texts_are_not_quoted_are_unreadable_and_do_not_become_the_header(tmp_path):
    unquoted = ",".join(["as the mayor of the town, who had waited, said"] * 9)
    found = read(tmp_path, f"{HEAD}a,2014-03-04,HP,T,{unquoted}\n")
    assert [one.error for one in found] == ["31 fields, but 5 columns"]


def test_of_columns_with_one_name_the_first_has_it_and_the_others_have_numbers(tmp_path):
    content = "date,text,id,text,text\n2014-03-04,One.,a,Two.,Three.\n"
    assert read(tmp_path, content)[0].paragraphs == ("One.",)
    assert read(tmp_path, content, fields={"text": "text.2"})[0].paragraphs == ("Three.",)
    (note,) = CsvReader(tmp_path, {}).file_notes()
    columns = "'text' is the first of them, and 'text.1' the second"
    assert note == f"1 of 1 files have several columns of one name, such as a.csv: {columns}"
    assert CsvReader(tmp_path, {"columns": ["a", "b"]}).file_notes() == []


def test_a_table_that_is_cut_has_the_header_that_follows_other_lines(tmp_path):
    read(tmp_path, "Exported 2024-01-01\n" + HEAD + ROW * 400)
    reader = CsvReader(tmp_path, {})
    reader.block_bytes = 1000
    blocks = reader.blocks()
    assert len(blocks) > 3
    assert [entry for block in blocks for entry in reader.read(block)] == list(CsvReader(tmp_path, {}).read())
    assert len(list(reader.read())) == 400
