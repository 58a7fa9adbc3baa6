"""The CSV reader: delimiters, quotes, headers and malformed rows."""

import tracemalloc

import pytest

from wdw_build.adapters.corpora.text_rows import CsvReader
from wdw_build.errors import ConfigError
from wdw_build.records import RawArticle, Unreadable

HEAD = "id,date,source,title,text\n"


def read(tmp_path, content, name="a.csv", **options):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(CsvReader(tmp_path, options).read())


def test_a_row_becomes_the_article_that_it_holds(tmp_path):
    row = '"a,1",2014-03-04,HP,"He said ""no""","One.\r\n\r\nTwo\nlines."\r\n'
    assert read(tmp_path, HEAD + row) == [
        RawArticle(
            place="a.csv:2",
            id="a,1",
            date="2014-03-04",
            source="HP",
            kind="story",
            title='He said "no"',
            dateline="",
            paragraphs=("One.", "Two lines."),
        )
    ]


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


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("b,2014,HP,T", "4 fields, but 5 columns"),
        ("b,2014,HP,T,U,V", "6 fields, but 5 columns"),
        ('b,2014,HP,"T"x,U', "bad row"),
    ],
)
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
