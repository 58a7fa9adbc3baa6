"""All corpus readers: a fixed order, places in messages, and damaged articles, which are reported and skipped."""

import gzip

import pytest

from support import fakes, interpreter, make
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.pipeline.registry import READERS, find
from wdw_build.records import RawArticle, Unreadable

TEXTS = {"1": "First words.", "2": "Second words.", "3": "Third words."}


# An article in each format, with the number 0 and the text in braces.
JSONL = '{{"id": "A{0}", "date": "2014-03-0{0}", "text": "{1}"}}\n'
GIGAWORD = '<DOC id="HP_ENG_2014030{0}.0001" type="story">\n<TEXT>\n<P>\n{1}\n</P>\n</TEXT>\n</DOC>\n'
REUTERS = (
    '<REUTERS TOPICS="NO" NEWID="{0}">\n<DATE> {0}-MAR-1987 15:01:01.79</DATE>\n'
    "<TEXT>\n<TITLE>T</TITLE>\n<BODY>    {1}\n Reuter\n</BODY></TEXT>\n</REUTERS>\n"
)
TREC = "<DOC>\n<DOCNO> AP88021{0}-0001 </DOCNO>\n<TEXT>\n   {1}\n</TEXT>\n</DOC>\n"
NEWSML = '<newsitem itemid="{0}" date="1996-08-2{0}">\n<text>\n<p>{1}</p>\n</text>\n</newsitem>\n'
NITF = (
    '<nitf>\n<head><docdata><doc-id id-string="{0}"/><date.issue norm="2014030{0}"/></docdata></head>\n'
    "<body><body.content><p>{1}</p></body.content></body>\n</nitf>\n"
)
# reader, file name, one article, the start of a file, and a piece without an article
FORMATS = {
    "jsonl": ("a.jsonl", JSONL, "", "{broken\n"),
    "gigaword": ("a.sgml", GIGAWORD, "", '<DOC id="HP_ENG_20140309.0009" type="story">\n<TEXT>\n'),
    "csv": ("a.csv", "A{0},2014-03-0{0},{1}\n", "id,date,text\n", "B,2014-03-09\n"),
    "trec": ("a.sgml", TREC, "", "<DOC>\n<DOCNO> AP880219-0001 </DOCNO>\n"),
    "nitf": ("a.xml", NITF, '<?xml version="1.0"?>\n<!DOCTYPE nitf SYSTEM "nitf.dtd">\n', "<nitf>\n<head>\n"),
    "newsml": ("a.xml", NEWSML, '<?xml version="1.0" encoding="iso-8859-1" ?>\n', "<newsitem>\n<a>\n</newsitem>\n"),
    "reuters21578": ("a.sgm", REUTERS, '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n', "<REUTERS>\n</REUTERS>\n"),
}


def reader_of(name, folder, numbers="123", damage=False, packed=False):
    file, one, head, bad = FORMATS[name]
    text = head + "".join(one.format(number, TEXTS[number]) for number in numbers) + bad * damage
    folder.mkdir(exist_ok=True)
    if packed:
        (folder / f"{file}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        (folder / file).write_text(text, encoding="utf-8")
    return find("reader", name, READERS)(folder, {})


@pytest.fixture(params=FORMATS)
def name(request):
    return request.param


@pytest.fixture(params=["fake", *FORMATS])
def reader(request, tmp_path):
    if request.param == "fake":
        return fakes.ListReader([make.raw(f"A{number}", paragraphs=[text]) for number, text in TEXTS.items()])
    return reader_of(request.param, tmp_path / "corpus")


def test_articles_come_in_the_corpus_s_order_with_their_texts_each_time(reader):
    found = list(reader.read())
    assert all(isinstance(one, RawArticle) for one in found)
    assert [one.paragraphs for one in found] == [(text,) for text in TEXTS.values()]
    assert len({one.id for one in found}) == len({one.place for one in found}) == 3
    assert list(reader.read()) == found


def test_the_size_of_a_corpus_is_that_of_its_files(name, tmp_path):
    assert reader_of(name, tmp_path).size() == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_the_identity_follows_the_content_and_not_the_folder(name, tmp_path):
    one, same = reader_of(name, tmp_path / "one"), reader_of(name, tmp_path / "two")
    assert one.identity == same.identity != reader_of(name, tmp_path / "three", numbers="12").identity
    assert name in one.identity


def test_a_piece_that_holds_no_article_is_reported_with_its_place(name, tmp_path):
    found = list(reader_of(name, tmp_path, damage=True).read())
    (bad,) = (one for one in found if isinstance(one, Unreadable))
    assert len(found) == 4
    assert bad.place.startswith(FORMATS[name][0])
    assert bad.error


def test_compression_changes_places_alone(name, tmp_path):
    plain, packed = reader_of(name, tmp_path / "plain"), reader_of(name, tmp_path / "packed", packed=True)
    assert [(one.id, one.paragraphs) for one in packed.read()] == [(one.id, one.paragraphs) for one in plain.read()]


def test_a_file_cut_off_in_its_compression_is_reported_and_the_next_is_read(name, tmp_path):
    reader_of(name, tmp_path, packed=True)
    file, one, head, _ = FORMATS[name]
    whole = tmp_path / f"{file}.gz"
    whole.write_bytes(whole.read_bytes()[:-20])
    (tmp_path / f"b{file[1:]}").write_text(head + one.format("1", "Behind it."), encoding="utf-8")
    found = list(find("reader", name, READERS)(tmp_path, {}).read())
    assert any(isinstance(one, Unreadable) for one in found)
    assert found[-1].paragraphs == ("Behind it.",)


def test_a_missing_corpus_and_an_unknown_option_are_errors(name, tmp_path):
    with pytest.raises(MissingResourceError, match="nowhere"):
        find("reader", name, READERS)(tmp_path / "nowhere", {})
    reader_of(name, tmp_path)
    with pytest.raises(ConfigError, match="colour"):
        find("reader", name, READERS)(tmp_path, {"colour": "red"})


def test_no_identity_needs_a_heavy_library(tmp_path):
    for name in FORMATS:
        reader_of(name, tmp_path / name)
    code = f"""
from pathlib import Path
from wdw_build.pipeline.registry import READERS, find
for name in {list(FORMATS)}:
    assert find("reader", name, READERS)(Path({str(tmp_path)!r}) / name, {{}}).identity
"""
    assert interpreter.heavy_imports(code) == []
