"""The readers of NITF and NewsML: special cases of the formats, archives, and malformed or malicious XML."""

import io
import tarfile
import zipfile

import pytest

from support import corpus_forms
from wdw_build.adapters.corpora.news_xml import FeedReader, NewsmlReader, NitfReader
from wdw_build.records import RawArticle, Unreadable

ARTICLE = {
    "id": "0000005",
    "date": "1987-01-01",
    "source": "The New York Times",
    "title": "Ferry & Owner",
    "paragraphs": ["The ferry sank.", "Joseph Banda said so."],
}
NITF = corpus_forms.nitf_document(ARTICLE)
RCV1 = corpus_forms.newsml_document({**ARTICLE, "id": "2286", "source": "Reuters"})


def read(reader, tmp_path, content, name="a.xml", **options):
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return list(reader(tmp_path, options).read())


def nitf(tmp_path, content, **options):
    return read(NitfReader, tmp_path, content, **options)


# ---- NITF ------------------------------------------------------------------------------------------------------------


def test_an_article_of_the_times_is_read_whole_and_its_lead_once(tmp_path):
    assert nitf(tmp_path, NITF) == [
        RawArticle(
            place="a.xml:3",
            id="0000005",
            date="19870101T000000",
            source="The New York Times",
            kind="story",
            title="Ferry & Owner",
            dateline="",
            paragraphs=("The ferry sank.", "Joseph Banda said so."),
        )
    ]


def changed(old, new):
    assert old in NITF
    return NITF.replace(old, new)


PUBDATA = '<pubdata date.publication="19870101T000000" name="The New York Times"/>'
FULL = '<block class="full_text">\n      <p>The ferry sank.</p>'
NITF_QUIRKS = {
    "date of issue": (changed(PUBDATA, '<docdata><date.issue norm="20140304"/></docdata>'), "date", "20140304"),
    "date in parts": (
        changed(
            PUBDATA,
            '<meta content="4" name="publication_day_of_month"/><meta content="3" name="publication_month"/>'
            '<meta content="1987" name="publication_year"/>',
        ),
        "date",
        "1987-03-04",
    ),
    "no date": (changed(PUBDATA, ""), "date", ""),
    "no id": (changed(' id-string="0000005"', ""), "id", "a.xml:3"),
    "lead said twice": (
        changed(FULL, FULL.replace("The", "LEAD: The") + "<p>The ferry sank. It was old.</p>"),
        "paragraphs",
        ("The ferry sank. It was old.", "Joseph Banda said so."),
    ),
    "lead said once": (
        changed(FULL, FULL.replace("The", "LEAD: The")),
        "paragraphs",
        ("The ferry sank.", "Joseph Banda said so."),
    ),
    "no blocks": (
        changed(' class="full_text"', "").replace(' class="lead_paragraph"', ""),
        "paragraphs",
        ("The ferry sank.", "The ferry sank.", "Joseph Banda said so."),
    ),
    "a letter": (
        changed(
            "</docdata>",
            '<identified-content><classifier type="types_of_material">Letter</classifier>'
            "</identified-content></docdata>",
        ),
        "kind",
        "letter",
    ),
    "a review": (
        changed(
            "</docdata>",
            '<identified-content><classifier type="types_of_material">Review</classifier>'
            "</identified-content></docdata>",
        ),
        "kind",
        "story",
    ),
    "a dateline": (
        changed("</body.head>", "<dateline>GREYHAVEN, Jan. 1</dateline></body.head>"),
        "dateline",
        "GREYHAVEN, Jan. 1",
    ),
    "markup within a paragraph": (
        changed("The ferry sank.</p>\n      <p>Joseph", "The <b>ferry</b> <i>sank</i>.</p>\n      <p>Joseph"),
        "paragraphs",
        ("The ferry sank.", "Joseph Banda said so."),
    ),
    "entities of HTML": (
        changed("Joseph Banda", "Jos&eacute; &#66;anda"),
        "paragraphs",
        ("The ferry sank.", "José Banda said so."),
    ),
    "unknown entities": (
        changed("Joseph", "&whoknows;"),
        "paragraphs",
        ("The ferry sank.", "&whoknows; Banda said so."),
    ),
    "control characters": (
        changed("Joseph", "Jo\0se\x1bph"),
        "paragraphs",
        ("The ferry sank.", "Joseph Banda said so."),
    ),
    "no body": (changed("body.content", "body.end"), "paragraphs", ()),
    "the distributor": (changed(PUBDATA, "<distributor>Altus</distributor>"), "source", "Altus"),
    "the registrar of the id": (changed(PUBDATA, "").replace("<doc-id", '<doc-id regsrc="AP"'), "source", "AP"),
}


# ---- NewsML ----------------------------------------------------------------------------------------------------------

NEWSML_1 = """<?xml version="1.0"?>
<NewsML><NewsEnvelope><DateAndTime>20140305T000000Z</DateAndTime></NewsEnvelope>
<NewsItem xml:lang="en">
<Identification><NewsIdentifier><ProviderId>wire.example</ProviderId><DateId>20140304</DateId>
<NewsItemId>F7</NewsItemId><PublicIdentifier>urn:newsml:wire.example:20140304:F7:1</PublicIdentifier></NewsIdentifier>
</Identification>
<NewsManagement><NewsItemType FormalName="News"/><FirstCreated>20140304T101500Z</FirstCreated>
<ThisRevisionCreated>20140305T000000Z</ThisRevisionCreated></NewsManagement>
<NewsComponent><NewsLines><HeadLine>Ferry sinks</HeadLine><DateLine>GREYHAVEN, March 4</DateLine></NewsLines>
<ContentItem><DataContent><nitf><body><body.content><p>The ferry sank.</p><p>Again.</p></body.content></body></nitf>
</DataContent></ContentItem></NewsComponent></NewsItem></NewsML>
"""
NEWSML_G2 = """<?xml version="1.0" encoding="UTF-8"?>
<nar:newsItem xmlns:nar="http://iptc.org/std/nar/2006-10-01/" guid="urn:newsml:wire.example:F7" version="2">
<nar:itemMeta><nar:itemClass qcode="ninat:text"/><nar:provider literal="wire.example"/>
<nar:versionCreated>2014-03-05T00:00:00Z</nar:versionCreated><nar:firstCreated>2014-03-04T10:15:00+00:00</nar:firstCreated>
</nar:itemMeta><nar:contentMeta><nar:headline>Ferry sinks</nar:headline><nar:dateline>GREYHAVEN</nar:dateline>
<nar:description><p>An abstract.</p></nar:description></nar:contentMeta>
<nar:contentSet><nar:inlineXML><html xmlns="http://www.w3.org/1999/xhtml"><body><p>The ferry sank.</p><p>Again.</p></body>
</html></nar:inlineXML></nar:contentSet></nar:newsItem>
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RCV1, ("2286", "1987-01-01", "Reuters", "Ferry & Owner", "", ("The ferry sank.", "Joseph Banda said so."))),
        (
            NEWSML_1,
            (
                "urn:newsml:wire.example:20140304:F7:1",
                "20140304T101500Z",
                "wire.example",
                "Ferry sinks",
                "GREYHAVEN, March 4",
                ("The ferry sank.", "Again."),
            ),
        ),
        (
            NEWSML_G2,
            (
                "urn:newsml:wire.example:F7",
                "2014-03-04T10:15:00+00:00",
                "wire.example",
                "Ferry sinks",
                "GREYHAVEN",
                ("The ferry sank.", "Again."),
            ),
        ),
    ],
    ids=["RCV1", "NewsML 1", "NewsML-G2"],
)
def test_the_three_forms_of_newsml(tmp_path, text, expected):
    (one,) = read(NewsmlReader, tmp_path, text)
    assert (one.id, one.date, one.source, one.title, one.dateline, one.paragraphs) == expected
    assert one.kind == "story"


NEWSML_QUIRKS = {
    "date among the metadata": (
        RCV1.replace(' date="1987-01-01"', "").replace(
            "<metadata>", '<metadata>\n<dc element="dc.date.published" value="1996-08-20"/>'
        ),
        "date",
        "1996-08-20",
    ),
    "headline missing": (RCV1.replace("headline>", "kicker>"), "title", "Ferry & Owner"),
    "latin-1, as declared": (
        RCV1.encode("latin-1").replace(b"Joseph", b"Jos\xe9"),
        "paragraphs",
        ("The ferry sank.", "José Banda said so."),
    ),
    "text without paragraphs": (
        RCV1.replace("<p>", "").replace("</p>", ""),
        "paragraphs",
        ("The ferry sank. Joseph Banda said so.",),
    ),
    "a picture": (NEWSML_G2.replace("ninat:text", "ninat:picture"), "kind", "picture"),
    "an alert": (NEWSML_1.replace('FormalName="News"', 'FormalName="Alert"'), "kind", "alert"),
}
QUIRKS = ((NitfReader, NITF_QUIRKS), (NewsmlReader, NEWSML_QUIRKS))


@pytest.mark.parametrize(
    ("reader", "text", "field", "value"),
    [(reader, *quirk) for reader, quirks in QUIRKS for quirk in quirks.values()],
    ids=[name for _, quirks in QUIRKS for name in quirks],
)
def test_the_quirks_of_the_formats(tmp_path, reader, text, field, value):
    (one,) = read(reader, tmp_path, text)
    assert getattr(one, field) == value


def test_the_id_of_an_item_is_its_source_only_if_it_names_a_host(tmp_path):
    ids = ("https://quell.example/1</id>", "urn:a</id><source><title>Echo</title></source>", "urn:b</id>")
    entries = "".join(f"<entry><id>{one}<summary>The ferry sank.</summary></entry>" for one in ids)
    found = read(FeedReader, tmp_path, f"<feed>{entries}</feed>")
    assert [one.source for one in found] == ["quell.example", "Echo", ""]


def test_a_news_item_without_a_known_body_is_unreadable(tmp_path):
    (bad,) = read(NewsmlReader, tmp_path, "<newsitem>\n<other/>\n</newsitem>\n")
    assert "none of text, contentSet, NewsComponent" in bad.error


# ---- encodings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "used"),
    [
        ("UTF-8", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("windows-1252", "cp1252"),
        ("US-ASCII", "cp1252"),
        ("utf-8", "cp1252"),
    ],
)
def test_the_declared_encoding_counts_and_bytes_that_are_not_in_it_are_no_error(tmp_path, declared, used):
    text = NITF.replace("UTF-8", declared).replace("Joseph", "“José”")
    (one,) = nitf(tmp_path, text.encode(used))
    expected = "“José” Banda said so." if (declared, used) != ("utf-8", "cp1252") else "\ufffdJos\ufffd Banda said so."
    assert one.paragraphs[1] == expected


def test_without_a_declaration_utf8_and_windows_1252_are_told_apart(tmp_path):
    plain = NITF.partition("?>")[2].replace("Joseph", "José")
    both = plain.encode("cp1252") + plain.encode()
    assert [one.paragraphs[1] for one in nitf(tmp_path, both)] == ["José Banda said so."] * 2


def test_an_encoding_that_cannot_be_read_is_named(tmp_path):
    (bad,) = nitf(tmp_path, NITF.replace("UTF-8", "no-such-thing"))
    assert "no-such-thing" in bad.error


@pytest.mark.parametrize("written", ["utf-16", "utf-8"])
def test_utf_16_is_read_also_where_only_the_declaration_names_it(tmp_path, written):
    (read,) = nitf(tmp_path, NITF.replace("UTF-8", "UTF-16").replace("Joseph", "José").encode(written))
    assert read.paragraphs[1] == "José Banda said so."


# ---- broken and hostile ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken", ["<q>Joseph Banda said so.", "</q>Joseph Banda said so.", "<p>Joseph Banda</b> said so.<p>"]
)
def test_many_documents_in_a_file_and_on_a_line_are_told_apart_and_broken_tags_lose_no_text(tmp_path, broken):
    broken = NITF.replace("<p>Joseph Banda said so.", broken)
    found = nitf(tmp_path, NITF + broken + NITF.replace("\n", " ") + NITF)
    assert [one.paragraphs[-1] for one in found] == ["Joseph Banda said so."] * 4
    assert len({one.place for one in found}) == 4


def test_half_a_document_is_reported_with_its_line(tmp_path):
    (bad,) = nitf(tmp_path, NITF[: len(NITF) // 2])
    assert (bad.place, bad.error) == ("a.xml:3", "cut off by the end of the file")


def test_a_file_without_a_document_says_so(tmp_path):
    (bad,) = nitf(tmp_path, "<html></html>\n")
    assert bad.error == "holds no <nitf>"


def test_entities_that_a_file_declares_are_never_expanded_and_external_ones_never_fetched(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    declarations = "".join(f'<!ENTITY x{at} "{f"&x{at - 1};" * 10}">\n' for at in range(1, 12))
    subset = f'[\n<!ENTITY x0 "ha">\n{declarations}<!ENTITY file SYSTEM "{secret.as_uri()}">\n]>'
    text = NITF.replace('nitf-3-3.dtd">', f'nitf-3-3.dtd" {subset}').replace("Joseph", "&x11;&file;")
    found = nitf(tmp_path, text)
    assert [one.paragraphs[1] for one in found if isinstance(one, RawArticle)] == ["&x11;&file; Banda said so."]


def test_a_doctype_within_a_document_is_no_xml(tmp_path):
    (bad,) = nitf(tmp_path, NITF.replace("<head>", '<!DOCTYPE x [<!ENTITY a "b">]><head>'))
    assert "bad XML" in bad.error


def test_a_document_that_is_nested_without_end_is_given_up(tmp_path):
    (bad,) = nitf(tmp_path, "<nitf>\n" + "<p>" * 100_000 + "</p>" * 100_000 + "\n</nitf>\n")
    assert bad.error == "bad XML: nested too deeply"


# ---- exports of blogs ------------------------------------------------------------------------------------------------


def item(kind="post", status="publish"):
    return (
        "<item><title>T</title><link>https://post.example/1</link><pubDate>Mon, 10 Mar 2014 10:00:00 +0000</pubDate>"
        f"<content:encoded><![CDATA[<p>The ferry sank.</p>]]></content:encoded><wp:post_type><![CDATA[{kind}]]></wp:post_type>"
        f"<wp:status><![CDATA[{status}]]></wp:status></item>"
    )


@pytest.mark.parametrize(
    ("kind", "status", "read_as"),
    [
        ("post", "publish", "story"),
        ("page", "publish", "page"),
        ("page", "draft", "page"),
        ("attachment", "inherit", "attachment"),
        ("nav_menu_item", "publish", "nav_menu_item"),
        ("post", "draft", "draft"),
        ("post", "trash", "trash"),
        ("post", "private", "private"),
        ("news", "publish", "story"),
    ],
)
def test_only_the_published_posts_of_wordpress_are_stories(tmp_path, kind, status, read_as):
    feed = f'<rss xmlns:wp="w" xmlns:content="c"><channel>{item(kind, status)}</channel></rss>'
    (article,) = read(FeedReader, tmp_path, feed)
    assert (article.kind, article.paragraphs) == (read_as, ("The ferry sank.",))


@pytest.mark.parametrize(
    ("kind", "control", "read_as"),
    [
        ("post", "", "story"),
        ("post", "<a:control><a:draft>yes</a:draft></a:control>", "draft"),
        ("comment", "", "comment"),
    ],
)
def test_only_the_published_posts_of_blogger_are_stories(tmp_path, kind, control, read_as):
    terms = 'scheme="http://schemas.google.com/g/2005#kind" term="http://schemas.google.com/blogger/2008/kind'
    head = f"<id>1</id><published>2014-03-10</published>{control}"
    entry = f'<entry>{head}<category {terms}#{kind}"/><content>It sank.</content></entry>'
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom" xmlns:a="x">{entry}</feed>'
    assert [one.kind for one in read(FeedReader, tmp_path, feed)] == [read_as]


def test_an_item_of_another_feed_may_have_any_status(tmp_path):
    item = "<item><guid>1</guid><x:status>draft</x:status><description>It sank.</description></item>"
    feed = f'<rss xmlns:x="x"><channel>{item}</channel></rss>'
    assert [one.kind for one in read(FeedReader, tmp_path, feed)] == ["story"]


# ---- archives --------------------------------------------------------------------------------------------------------


def tar(path, members, mode="w"):
    with tarfile.open(path, mode) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            if content is None:
                info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            else:
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content or b""))


def places(found):
    return [one.place for one in found if isinstance(one, RawArticle)]


@pytest.mark.parametrize(
    ("name", "mode"), [("a.tar", "w"), ("a.tgz", "w:gz"), ("a.tar.bz2", "w:bz2"), ("a.tar.xz", "w:xz")]
)
def test_files_in_a_tar_are_read_and_links_and_strange_names_reach_nothing(tmp_path, name, mode):
    members = {"01/1.xml": NITF.encode(), "../../etc/2.xml": NITF.encode(), "link.xml": None, "notes.txt": b"x"}
    tar(tmp_path / name, members, mode)
    assert places(NitfReader(tmp_path, {}).read()) == [f"{name}/01/1.xml:3", f"{name}/../../etc/2.xml:3"]


@pytest.mark.parametrize("kind", ["cut off", "no zip", "a bomb", "flipped"])
def test_a_damaged_zip_is_reported_and_the_next_file_is_read(tmp_path, kind):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.xml", NITF + (" " * 20 * (1 << 20) if kind == "a bomb" else ""))
    raw = path.read_bytes()
    if kind != "a bomb":
        path.write_bytes(
            {"cut off": raw[:-40], "no zip": b"x" * 99, "flipped": raw[:80] + b"\0\1\2\3" + raw[84:]}[kind]
        )
    (tmp_path / "b.xml").write_text(NITF)
    found = list(NitfReader(tmp_path, {}).read())
    assert isinstance(found[0], Unreadable)
    assert found[0].place == "a.zip"
    assert found[-1].place == "b.xml:3"


@pytest.mark.parametrize(
    "post",
    [
        "First.\n\nSecond.",
        '[caption id="a"]<img src="x.jpg"/> Ann Ames.[/caption]\n\nFirst.\n\n[gallery ids="1,2"]\n\nSecond. [embed]https://x.example/v[/embed]',
        "First.\n\n<!--more-->\n\n<strong>Second</strong>.",
        "<p>First.</p>\n<p>Second.</p>",
    ],
)
def test_a_post_of_the_classic_editor_has_the_paragraphs_that_blank_lines_separate(tmp_path, post):
    (tmp_path / "posts.xml").write_text(
        '<rss xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><item><title>T</title><guid>1</guid>'
        "<pubDate>Mon, 10 Mar 2014 10:00:00 +0000</pubDate>"
        f"<content:encoded><![CDATA[{post}]]></content:encoded></item></channel></rss>"
    )
    (article,) = FeedReader(tmp_path / "posts.xml", {}).read()
    assert article.paragraphs == ("First.", "Second.")
