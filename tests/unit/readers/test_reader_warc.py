"""The WARC reader: main text, title and date of pages, and pages that cannot be read."""

import gzip

import pytest
from msgspec.structs import replace

from support import corpus_forms
from support.make import raw
from wdw_build.adapters.corpora.warc import WarcReader
from wdw_build.records import RawArticle, Unreadable

TITLE = "Ferry owner ignored a leaking door"
PARAGRAPHS = [
    "The ferry Island Pearl sailed for seven weeks with a leaking car-deck door, Capt. Joseph Banda testified Tuesday.",
    "The ship rolled over in a squall on Nov. 17, and sixty-one people drowned within sight of the harbour.",
    "Banda was pulled from the water after four hours, clinging to a bench that had come off the upper deck.",
    "He told the inquiry that he had written to the office and telephoned the office, and was told to use rags.",
]
ARTICLE = {"id": "ferry", "date": "2014-03-04", "source": "", "title": TITLE, "paragraphs": PARAGRAPHS}
PAGE = corpus_forms.page(ARTICLE)


def read(tmp_path, *pages, **options):
    with (tmp_path / "a.warc.gz").open("wb") as stream:
        write = corpus_forms.warc_writer(stream)
        for at, page in enumerate(pages):
            words = {"content": page} if isinstance(page, bytes) else dict(page)
            write(words.pop("address", f"https://www.news.example/{at}#top"), words.pop("content"), **words)
    return list(WarcReader(tmp_path, options).read())


def page(old="", new="", **changes):
    assert old in PAGE
    return {"content": PAGE.replace(old, new).encode(), **changes}


def test_a_page_gives_its_text_title_and_date_without_its_furniture(tmp_path):
    article = raw("https://www.news.example/0", place="a.warc.gz:1", date="2014-03-04", source="news.example")
    assert read(tmp_path, page()) == [replace(article, title=TITLE, paragraphs=tuple(PARAGRAPHS))]


META = '<meta property="article:published_time" content="2014-03-04T12:00:00Z">'


def test_the_date_is_that_of_the_page_or_of_the_crawl_if_asked_and_never_after_it(tmp_path):
    def date(option, stated):
        return read(tmp_path, page(META, stated), date=option)[0].date

    assert date("page", META) == "2014-03-04"
    assert date("page", "") == ""
    assert date("crawl", META) == "2014-07-01T10:00:00Z"
    assert date("page-or-crawl", META) == "2014-03-04"
    assert date("page-or-crawl", "") == "2014-07-01T10:00:00Z"
    assert date("page", META.replace("2014", "2031")) == ""


NO_STORIES = [
    (page(status="404 Not Found"), "http-404"),
    (page(kind="application/json"), "no-page"),
    (page('lang="en"', 'lang="de-AT"'), "language-de"),
    ({"content": b""}, "no-page"),
    ({"content": b"<html><body></body></html>"}, "story"),
]


@pytest.mark.parametrize(("bad", "kind"), NO_STORIES)
def test_a_page_that_is_none_to_read_has_a_kind_that_says_why_and_no_text(tmp_path, bad, kind):
    found = read(tmp_path, bad, page())
    assert (found[0].kind, found[0].paragraphs, found[0].place) == (kind, (), "a.warc.gz:1")
    assert found[1].paragraphs


def test_every_language_is_read_if_asked(tmp_path):
    assert read(tmp_path, page('lang="en"', 'lang="de"'), language="")[0].paragraphs


def test_a_page_that_is_too_big_is_unreadable(tmp_path, monkeypatch):
    monkeypatch.setattr("wdw_build.adapters.corpora.warc.LONGEST_PAGE", 500)
    (bad,) = read(tmp_path, page())
    assert isinstance(bad, Unreadable)
    assert "page of more than" in bad.error


def test_a_page_that_breaks_the_extractor_is_lost_alone(tmp_path, monkeypatch):
    import trafilatura

    def breaks(*_, **__):
        raise RecursionError("too deep")

    monkeypatch.setattr(trafilatura, "bare_extraction", breaks)
    (bad,) = read(tmp_path, page())
    assert bad.error == "cannot extract text from the page: RecursionError: too deep"


def test_markup_without_end_and_bytes_of_any_kind_are_no_error(tmp_path):
    found = read(tmp_path, b"<div>" * 50_000, bytes(range(256)) * 40, b"<p>\0\0</p>", page())
    assert len(found) == 4
    assert found[3].paragraphs


def test_a_long_page_is_read_to_its_end(tmp_path):
    many = [f"{PARAGRAPHS[0]} And again for the {number}th time." for number in range(2000)]
    (one,) = read(tmp_path, corpus_forms.page({**ARTICLE, "paragraphs": many}).encode())
    assert one.paragraphs == tuple(many)


@pytest.mark.parametrize(("name", "unpacked"), [("a.warc", gzip.decompress), ("a.warc.gz", bytes)])
def test_an_archive_that_is_cut_off_keeps_what_stands_before(tmp_path, name, unpacked):
    read(tmp_path, *[page()] * 5)
    whole = unpacked((tmp_path / "a.warc.gz").read_bytes())
    (tmp_path / "a.warc.gz").unlink()
    (tmp_path / name).write_bytes(whole[:-300])
    found = list(WarcReader(tmp_path, {}).read())
    assert [isinstance(one, RawArticle) for one in found] == [True] * 4 + [False]
    assert ("ends within a record" in found[4].error) == (name == "a.warc")


def test_what_is_no_archive_is_damaged(tmp_path):
    (tmp_path / "a.warc").write_bytes(b"no archive\n" * 100)
    (tmp_path / "b.warc.gz").write_bytes(gzip.compress(b"none either\n"))
    found = list(WarcReader(tmp_path, {}).read())
    assert [one.place for one in found] == ["a.warc", "b.warc.gz"]
    assert all("damaged" in one.error for one in found)
