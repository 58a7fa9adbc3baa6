"""The readers of NITF and NewsML: special cases of the formats, archives, and malformed or malicious XML."""

import tarfile
import zipfile

import pytest
from msgspec.structs import replace

from support import corpus_forms
from support.make import raw
from wdw_build.adapters.corpora.news_xml import FeedReader, NewsmlReader, NitfReader
from wdw_build.records import RawArticle, Unreadable

BOTH = ("The ferry sank.", "Joseph Banda said so.")
LONGER = ("The ferry sank. It was old.", BOTH[1])
ARTICLE = {"id": "0000005", "date": "1987-01-01", "source": "The New York Times", "title": "Ferry & Owner"}
ARTICLE["paragraphs"] = BOTH
NITF = corpus_forms.nitf_document(ARTICLE)
RCV1 = corpus_forms.newsml_document({**ARTICLE, "id": "2286", "source": "Reuters"})


def read(reader, tmp_path, content, name="a.xml", **options):
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return list(reader(tmp_path, options).read())


def nitf(tmp_path, content, **options):
    return read(NitfReader, tmp_path, content, **options)


# ---- NITF ------------------------------------------------------------------------------------------------------------


def test_an_article_of_the_times_is_read_whole_and_its_lead_once(tmp_path):
    story = raw("0000005", place="a.xml:3", date="19870101T000000", source="The New York Times", paragraphs=BOTH)
    assert nitf(tmp_path, NITF) == [replace(story, title="Ferry & Owner")]


def changed(old, new):
    assert old in NITF
    return NITF.replace(old, new)


def of_type(name):
    classifier = f'<classifier type="types_of_material">{name}</classifier>'
    return changed("</docdata>", f"<identified-content>{classifier}</identified-content></docdata>")


PUBDATA = '<pubdata date.publication="19870101T000000" name="The New York Times"/>'
IN_PARTS = (
    '<meta content="4" name="publication_day_of_month"/><meta content="3" name="publication_month"/>'
    '<meta content="1987" name="publication_year"/>'
)
FULL = '<block class="full_text">\n      <p>The ferry sank.</p>'
LEAD = FULL.replace("The", "LEAD: The")
BARE = NITF.replace(' class="full_text"', "").replace(' class="lead_paragraph"', "")
ROME = "ROME, Jan. 1"
NITF_QUIRKS = {
    "date of issue": (changed(PUBDATA, '<docdata><date.issue norm="20140304"/></docdata>'), "date", "20140304"),
    "date in parts": (changed(PUBDATA, IN_PARTS), "date", "1987-03-04"),
    "no date": (changed(PUBDATA, ""), "date", ""),
    "no id": (changed(' id-string="0000005"', ""), "id", "a.xml:3"),
    "lead said twice": (changed(FULL, f"{LEAD}<p>{LONGER[0]}</p>"), "paragraphs", LONGER),
    "lead said once": (changed(FULL, LEAD), "paragraphs", BOTH),
    "no blocks": (BARE, "paragraphs", (BOTH[0], *BOTH)),
    "a letter": (of_type("Letter"), "kind", "letter"),
    "a review": (of_type("Review"), "kind", "story"),
    "a dateline": (changed("</body.head>", f"<dateline>{ROME}</dateline></body.head>"), "dateline", ROME),
    "markup within a paragraph": (changed(FULL, FULL.replace("ferry", "<b>fer</b><i>ry</i>")), "paragraphs", BOTH),
    "entities of HTML": (changed("Joseph", "Jos&eacute; &#66;."), "paragraphs", (BOTH[0], "José B. Banda said so.")),
    "unknown entities": (changed("Joseph", "&whoknows;"), "paragraphs", (BOTH[0], "&whoknows; Banda said so.")),
    "control characters": (changed("Joseph", "Jo\0se\x1bph"), "paragraphs", BOTH),
    "no body": (changed("body.content", "body.end"), "paragraphs", ()),
    "the distributor": (changed(PUBDATA, "<distributor>Altus</distributor>"), "source", "Altus"),
    "the registrar of the id": (changed(PUBDATA, "").replace("<doc-id", '<doc-id regsrc="AP"'), "source", "AP"),
}


# ---- NewsML ----------------------------------------------------------------------------------------------------------

NEWSML_1 = """<?xml version="1.0"?>
<NewsML><NewsEnvelope><DateAndTime>20140305T000000Z</DateAndTime></NewsEnvelope>
<NewsItem xml:lang="en">
<Identification><NewsIdentifier><ProviderId>wire.example</ProviderId><DateId>20140304</DateId>
<NewsItemId>F7</NewsItemId><PublicIdentifier>urn:newsml:F7:1</PublicIdentifier></NewsIdentifier>
</Identification>
<NewsManagement><NewsItemType FormalName="News"/><FirstCreated>20140304T101500Z</FirstCreated>
<ThisRevisionCreated>20140305T000000Z</ThisRevisionCreated></NewsManagement>
<NewsComponent><NewsLines><HeadLine>Ferry sinks</HeadLine><DateLine>PORT, March 4</DateLine></NewsLines>
<ContentItem><DataContent><nitf><body><body.content><p>The ferry sank.</p><p>Again.</p></body.content></body></nitf>
</DataContent></ContentItem></NewsComponent></NewsItem></NewsML>
"""
NEWSML_G2 = """<?xml version="1.0" encoding="UTF-8"?>
<nar:newsItem xmlns:nar="http://iptc.org/std/nar/2006-10-01/" guid="urn:newsml:F7" version="2">
<nar:itemMeta><nar:itemClass qcode="ninat:text"/><nar:provider literal="wire.example"/>
<nar:versionCreated>2014-03-05T00:00:00Z</nar:versionCreated><nar:firstCreated>2014-03-04T10:15:00+00:00</nar:firstCreated>
</nar:itemMeta><nar:contentMeta><nar:headline>Ferry sinks</nar:headline><nar:dateline>PORT</nar:dateline>
<nar:description><p>An abstract.</p></nar:description></nar:contentMeta>
<nar:contentSet><nar:inlineXML><html xmlns="http://www.w3.org/1999/xhtml"><body><p>The ferry sank.</p><p>Again.</p></body>
</html></nar:inlineXML></nar:contentSet></nar:newsItem>
"""
AGAIN = ("The ferry sank.", "Again.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RCV1, ("2286", "1987-01-01", "Reuters", "Ferry & Owner", "", BOTH)),
        (NEWSML_1, ("urn:newsml:F7:1", "20140304T101500Z", "wire.example", "Ferry sinks", "PORT, March 4", AGAIN)),
        (NEWSML_G2, ("urn:newsml:F7", "2014-03-04T10:15:00+00:00", "wire.example", "Ferry sinks", "PORT", AGAIN)),
    ],
    ids=["RCV1", "NewsML 1", "NewsML-G2"],
)
def test_the_three_forms_of_newsml(tmp_path, text, expected):
    (one,) = read(NewsmlReader, tmp_path, text)
    assert (one.id, one.date, one.source, one.title, one.dateline, one.paragraphs) == expected
    assert one.kind == "story"


DATED = '<metadata>\n<dc element="dc.date.published" value="1996-08-20"/>'
LATER_DATED = RCV1.replace(' date="1987-01-01"', "").replace("<metadata>", DATED)
LATIN = RCV1.encode("latin-1").replace(b"Joseph", b"Jos\xe9")
UNMARKED = RCV1.replace("<p>", "").replace("</p>", "")
NEWSML_QUIRKS = {
    "date among the metadata": (LATER_DATED, "date", "1996-08-20"),
    "headline missing": (RCV1.replace("headline>", "kicker>"), "title", "Ferry & Owner"),
    "latin-1, as declared": (LATIN, "paragraphs", (BOTH[0], "José Banda said so.")),
    "text without paragraphs": (UNMARKED, "paragraphs", (" ".join(BOTH),)),
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


def test_the_declared_encoding_counts_and_bytes_that_are_not_in_it_are_no_error(tmp_path):
    def second(declared, used):
        text = NITF.replace("UTF-8", declared).replace("Joseph", "“José”").encode(used)
        return nitf(tmp_path, text)[0].paragraphs[1]

    assert second("UTF-8", "utf-8") == "“José” Banda said so."
    assert second("iso-8859-1", "cp1252") == "“José” Banda said so."
    assert second("windows-1252", "cp1252") == "“José” Banda said so."
    assert second("US-ASCII", "cp1252") == "“José” Banda said so."
    assert second("utf-8", "cp1252") == "\ufffdJos\ufffd Banda said so."
    assert second("UTF-16", "utf-16") == "“José” Banda said so."
    assert second("UTF-16", "utf-8") == "“José” Banda said so."


def test_without_a_declaration_utf8_and_windows_1252_are_told_apart(tmp_path):
    plain = NITF.partition("?>")[2].replace("Joseph", "José")
    both = plain.encode("cp1252") + plain.encode()
    assert [one.paragraphs[1] for one in nitf(tmp_path, both)] == ["José Banda said so."] * 2


def test_an_encoding_that_cannot_be_read_is_named(tmp_path):
    (bad,) = nitf(tmp_path, NITF.replace("UTF-8", "no-such-thing"))
    assert "no-such-thing" in bad.error


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


def post(tmp_path, content, kind="post", status="publish"):
    """The only article of a feed of WordPress."""
    item = (
        "<item><title>T</title><link>https://post.example/1</link><pubDate>Mon, 10 Mar 2014 10:00:00 +0000</pubDate>"
        f"<content:encoded><![CDATA[{content}]]></content:encoded><wp:post_type><![CDATA[{kind}]]></wp:post_type>"
        f"<wp:status><![CDATA[{status}]]></wp:status></item>"
    )
    (article,) = read(FeedReader, tmp_path, f'<rss xmlns:wp="w" xmlns:content="c"><channel>{item}</channel></rss>')
    return article


def test_only_the_published_posts_of_wordpress_are_stories(tmp_path):
    def read_as(kind, status):
        article = post(tmp_path, "<p>The ferry sank.</p>", kind, status)
        assert article.paragraphs == ("The ferry sank.",)
        return article.kind

    assert read_as("post", "publish") == "story"
    assert read_as("page", "publish") == "page"
    assert read_as("page", "draft") == "page"
    assert read_as("attachment", "inherit") == "attachment"
    assert read_as("nav_menu_item", "publish") == "nav_menu_item"
    assert read_as("post", "draft") == "draft"
    assert read_as("post", "trash") == "trash"
    assert read_as("post", "private") == "private"
    assert read_as("news", "publish") == "story"


BLOGGER = [
    ("post", "", "story"),
    ("post", "<a:control><a:draft>yes</a:draft></a:control>", "draft"),
    ("comment", "", "comment"),
]


@pytest.mark.parametrize(("kind", "control", "read_as"), BLOGGER)
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


def test_files_in_a_tar_are_read_and_links_and_strange_names_reach_nothing(tmp_path):
    (tmp_path / "file").write_text(NITF)
    (tmp_path / "link").symlink_to("/etc/passwd")
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        for name in ("01/1.xml", "../../etc/2.xml", "notes.txt"):
            archive.add(tmp_path / "file", name)
        archive.add(tmp_path / "link", "link.xml")
    found = [one.place for one in NitfReader(tmp_path, {}).read() if isinstance(one, RawArticle)]
    assert found == ["a.tgz/01/1.xml:3", "a.tgz/../../etc/2.xml:3"]


DAMAGED = {
    "cut off": lambda raw: raw[:-40],
    "no zip": lambda raw: b"x" * 99,
    "flipped": lambda raw: raw[:80] + b"\0\1\2\3" + raw[84:],
    "a bomb": lambda raw: raw,
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_zip_is_reported_and_the_next_file_is_read(tmp_path, kind):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("1.xml", NITF + (" " * 20 * (1 << 20) if kind == "a bomb" else ""))
    path.write_bytes(DAMAGED[kind](path.read_bytes()))
    (tmp_path / "b.xml").write_text(NITF)
    found = list(NitfReader(tmp_path, {}).read())
    assert isinstance(found[0], Unreadable)
    assert found[0].place == "a.zip"
    assert found[-1].place == "b.xml:3"


def test_a_post_of_the_classic_editor_has_the_paragraphs_that_blank_lines_separate(tmp_path):
    media = '[caption id="a"]<img src="x"/> Ann.[/caption]\n\nFirst.\n\n[gallery ids="1"]\n\nSecond. [embed]https://x.com/v[/embed]'
    strong, marked = "First.\n\n<!--more-->\n\n<strong>Second</strong>.", "<p>First.</p>\n<p>Second.</p>"
    for content in ("First.\n\nSecond.", media, strong, marked):
        assert post(tmp_path, content).paragraphs == ("First.", "Second.")
