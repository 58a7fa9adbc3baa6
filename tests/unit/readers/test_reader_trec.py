"""The TREC reader: the elements of each collection, dates from ids and fields, damaged files."""

import pytest

from wdw_build.adapters.corpora.sgml_newswire import TrecReader
from wdw_build.records import Unreadable

AP = """<DOC>
<DOCNO> AP880212-0004 </DOCNO>
<FILEID>AP-NR-02-12-88 1637EST</FILEID>
<FIRST>r w AM-Ferry     02-12 0155</FIRST>
<HEAD>Ferry Owner Blames AT&amp;T</HEAD>
<HEAD>A Second Head</HEAD>
<DATELINE>GREYHAVEN (AP) </DATELINE>
<TEXT>
   The ferry sailed for seven
weeks, he said.
   The ship rolled over.
</TEXT>
<TEXT>
   A later take.
</TEXT>
</DOC>
"""
LA = """<DOC>
<DOCNO> LA010289-0001 </DOCNO>
<DOCID> 1 </DOCID>
<DATE>
<P>
January 2, 1989, Monday, Home Edition
</P>
</DATE>
<SECTION><P>Part A</P></SECTION>
<HEADLINE>
<P>
FERRY OWNER;
</P>
<P>BLAMED</P>
</HEADLINE>
<TEXT>
<P>
The ferry&blank;sailed.
</P>
<TABLE><ROWRULE><TABLEROW><CELLRULE>7</TABLE>
<P>The ship &mdash; rolled.</P>
</TEXT>
</DOC>
"""
FT = """<DOC>
<DOCNO>FT911-3</DOCNO>
<PROFILE>_AN-BENBQAD8FT</PROFILE>
<DATE>910514
</DATE>
<HEADLINE>
FT  14 MAY 91 / International Company News: Ferry sold
</HEADLINE>
<BYLINE>
   By A WRITER
</BYLINE>
<TEXT>
THE ferry was sold.

A second paragraph.
</TEXT>
<PUB>The Financial Times
</PUB>
</DOC>
"""
AQUAINT = """<DOC>
<DOCNO> NYT19980601.0001 </DOCNO>
<DOCTYPE> NEWS STORY </DOCTYPE>
<DATE_TIME> 1998-06-01 00:15 </DATE_TIME>
<HEADER>
A0001 &Cx1f; taf-z
</HEADER>
<BODY>
<SLUG> BC-FERRY </SLUG>
<HEADLINE>
FERRY &UR; OWNER
</HEADLINE>
<TEXT>
<P>
   The ferry sank.
</P>
</TEXT>
</BODY>
</DOC>
"""


def read(tmp_path, text, **options):
    (tmp_path / "a.sgml").write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(TrecReader(tmp_path, options).read())


EXPECTED = {
    "AP": ("AP880212-0004", "1988-02-12", "AP", "Ferry Owner Blames AT&T", "GREYHAVEN (AP)"),
    "LA": ("LA010289-0001", "1989-01-02", "LATIMES", "FERRY OWNER; BLAMED", ""),
    "FT": ("FT911-3", "1991-05-14", "FT", "International Company News: Ferry sold", ""),
    "AQUAINT": ("NYT19980601.0001", "1998-06-01", "NYT", "FERRY OWNER", ""),
}


COLLECTIONS = [
    ("AP", AP, ("The ferry sailed for seven weeks, he said.", "The ship rolled over.", "A later take.")),
    ("LA", LA, ("The ferry sailed.", "The ship — rolled.")),
    ("FT", FT, ("THE ferry was sold.", "A second paragraph.")),
    ("AQUAINT", AQUAINT, ("The ferry sank.",)),
]


@pytest.mark.parametrize(("name", "text", "paragraphs"), COLLECTIONS)
def test_every_collection_is_read_in_its_own_dress(tmp_path, name, text, paragraphs):
    (one,) = read(tmp_path, text)
    assert (one.id, one.date, one.source, one.title, one.dateline) == EXPECTED[name]
    assert (one.place, one.kind, one.paragraphs) == ("a.sgml:1", "story", paragraphs)


def test_an_id_of_another_form_leaves_the_date_to_the_fields_and_not_to_the_text(tmp_path):
    def found(field):
        (one,) = read(tmp_path, f"<DOC>\n<DOCNO>X-1</DOCNO>\n{field}\n<TEXT>\nBody.\n</TEXT>\n</DOC>\n")
        return one.date, one.source

    assert found("<DATE>910514</DATE>") == ("1991-05-14", "")
    assert found("<DD> 03/24/87</DD>") == ("1987-03-24", "")
    assert found("<DATE><P>January 1, 1989, Sunday, Home Edition </P></DATE>") == ("January 1, 1989", "")
    assert found("<DATE_TIME> 1999-01-01 10:00:00 </DATE_TIME>") == ("1999-01-01 10:00:00", "")
    assert found("") == ("", "")
    assert found("<TEXT>On <DATE>910514</DATE>.</TEXT>") == ("", "")  # a date within the text


def test_a_form_that_is_no_news_is_the_kind(tmp_path):
    def kind(form):
        return read(tmp_path, LA.replace("</TEXT>", f"</TEXT><TYPE><P>{form}</P></TYPE>"))[0].kind

    assert kind("Letter to the Editor") == "letter-to-the-editor"
    assert kind("Column; Book Review") == "column"
    assert kind("Column; Brief") == kind("Wire") == "story"
    assert read(tmp_path, AQUAINT.replace("NEWS STORY", "MISCELLANEOUS TEXT"))[0].kind == "miscellaneous-text"


def test_the_source_can_be_stated(tmp_path):
    assert read(tmp_path, AP, source="Associated Press")[0].source == "Associated Press"


def test_comments_and_windows_1252_are_understood(tmp_path):
    text = b"<DOC>\n<DOCNO>X-1</DOCNO>\n<TEXT>\n<!-- PJG 0012 frnewline -->\n\x93Caf\xe9\x94\n</TEXT>\n</DOC>\n"
    assert read(tmp_path, text)[0].paragraphs == ("“Café”",)


def test_half_a_file_and_a_doc_without_a_number_are_reported_with_their_lines(tmp_path):
    found = read(tmp_path, AP + "<DOC>\n<TEXT>\nLost.\n</TEXT>\n</DOC>\n" + LA[:200])
    assert [(one.place, one.error) for one in found if isinstance(one, Unreadable)] == [
        ("a.sgml:17", "a DOC without DOCNO"),
        ("a.sgml:22", "cut off by the end of the file"),
    ]
