"""Damage that the fuzzer found: it is reported where it is, and what is before it is read."""

import gzip
import tarfile
import zipfile

from support import corpus_forms as forms
from wdw_build.adapters.corpora.news_xml import NewsmlReader, NitfReader
from wdw_build.adapters.corpora.reuters21578 import ReutersReader
from wdw_build.adapters.corpora.sgml_newswire import GigawordReader
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.adapters.corpora.warc import WarcReader
from wdw_build.records import RawArticle, Unreadable

ARTICLES = forms.sample()[:3]


def read(reader):
    entries = list(reader.read())
    return tuple([one for one in entries if isinstance(one, kind)] for kind in (RawArticle, Unreadable))


def test_an_article_that_begins_within_the_line_of_another_is_reported(tmp_path):
    forms.gigaword(ARTICLES, tmp_path / "a.sgml")
    first, second, third = (tmp_path / "a.sgml").read_text().split("</DOC>")[:3]
    (tmp_path / "a.sgml").write_text(f"{first.rstrip()} {second.lstrip()}</DOC>{third}</DOC>")
    articles, unreadable = read(GigawordReader(tmp_path / "a.sgml", {}))
    assert len(articles) == 2
    assert "no </DOC> before the next <DOC> in line" in unreadable[0].error


def test_a_damaged_head_within_a_tar_archive_is_not_its_end(tmp_path):
    forms.nitf(ARTICLES, tmp_path / "a.tgz")
    with tarfile.open(tmp_path / "a.tgz") as archive:
        second = archive.getmembers()[1].offset
    content = bytearray(gzip.decompress((tmp_path / "a.tgz").read_bytes()))
    content[second + 148] ^= 0x0F
    (tmp_path / "a.tgz").write_bytes(gzip.compress(content))
    articles, unreadable = read(NitfReader(tmp_path / "a.tgz", {}))
    assert len(articles) == 1
    assert "after its last readable member" in unreadable[0].error


def test_a_response_without_an_address_is_reported(tmp_path):
    head = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: application/http\r\nContent-Length: 20\r\n\r\n"
    (tmp_path / "a.warc").write_bytes(head + b"HTTP/1.1 200 OK\r\n\r\n\r\n\r\n\r\n")
    articles, unreadable = read(WarcReader(tmp_path / "a.warc", {}))
    assert not articles
    assert unreadable


def test_a_surrogate_in_the_name_of_a_field_reaches_no_output(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n')
    _, unreadable = read(JsonlReader(tmp_path / "a.jsonl", {"fields": {"text": "b\ud800"}}))
    unreadable[0].error.encode()


def test_a_key_with_a_surrogate_in_a_json_array_is_reported(tmp_path):
    (tmp_path / "a.json").write_text('[{"\\ud800": 1}]')
    _, unreadable = read(ReutersReader(tmp_path / "a.json", {}))
    unreadable[0].error.encode()


def test_a_member_whose_name_is_not_text_is_reported(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("é.xml", "<a/>")
    content = (tmp_path / "a.zip").read_bytes()
    (tmp_path / "a.zip").write_bytes(content.replace("é".encode(), b"\xff\xff"))
    _, unreadable = read(NewsmlReader(tmp_path / "a.zip", {}))
    assert "damaged archive" in unreadable[0].error
