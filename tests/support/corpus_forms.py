"""The same articles in every form that a reader reads: small corpora for the tests, written as the archives write them.

An article is a dict with id, date (ISO), source, title and paragraphs.
"""

import csv
import datetime as dt
import gzip
import io
import json
import tarfile
import zipfile
from html import escape
from pathlib import Path

CRAWL = "https://news.example/"


def jsonl(articles, path):
    lines = [json.dumps({**one, "text": one["paragraphs"]}) for one in articles]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def csv_table(articles, path):
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["url", "published", "agency", "headline", "body"])
        for one in articles:
            rows.writerow([one["id"], one["date"], one["source"], one["title"], "\n\n".join(one["paragraphs"])])


def table(articles):
    """An Arrow table with nested columns."""
    import pyarrow as pa

    return pa.table(
        {
            "id": [one["id"] for one in articles],
            "meta": [{"published": dt.date.fromisoformat(one["date"]), "agency": one["source"]} for one in articles],
            "title": [one["title"] for one in articles],
            "body": [{"parts": [{"text": part} for part in one["paragraphs"]]} for one in articles],
            "unwanted": [b"x" * 100] * len(articles),
        }
    )


def parquet(articles, path):
    import pyarrow.parquet as pq

    pq.write_table(table(articles), path, row_group_size=100)


def hf(articles, folder):
    import datasets

    half = len(articles) // 2
    made = {"first": articles[:half], "second": articles[half:]}
    datasets.DatasetDict({name: datasets.Dataset(table(some)) for name, some in made.items()}).save_to_disk(str(folder))


def _body(one):
    return "".join(f"<P>\n{escape(part, quote=False)}\n</P>\n" for part in one["paragraphs"])


def gigaword(articles, path):
    path.write_text("".join(map(_gigaword, articles)), encoding="utf-8")


def _gigaword(one):
    title = escape(one["title"], quote=False)
    return (
        f'<DOC id="{one["id"]}" type="story" >\n<HEADLINE>\n{title}\n</HEADLINE>\n<TEXT>\n{_body(one)}</TEXT>\n</DOC>\n'
    )


def trec(articles, path):
    """As the Los Angeles Times stands on the disks."""
    path.write_text("".join(map(_trec, articles)), encoding="utf-8")


def _trec(one):
    day = dt.date.fromisoformat(one["date"])
    return (
        f"<DOC>\n<DOCNO> {one['id']} </DOCNO>\n<DATE>\n<P>\n{day:%B} {day.day}, {day.year}, {day:%A}, Home Edition\n</P>\n"
        f"</DATE>\n<HEADLINE>\n<P>\n{escape(one['title'], quote=False)}\n</P>\n</HEADLINE>\n<TEXT>\n{_body(one)}</TEXT>\n</DOC>\n"
    )


def reuters(articles, path):
    path.write_text("".join(_reuters(at, one) for at, one in enumerate(articles, 1)), encoding="latin-1")


def _reuters(number, one):
    day = dt.date.fromisoformat(one["date"])
    body = "\n".join("    " + escape(part, quote=False) for part in one["paragraphs"])
    text = (
        f'<REUTERS NEWID="{number}">\n<DATE>{day.day:2}-{day:%b-%Y} 15:01:01.79</DATE>\n<TEXT>\n'
        f"<TITLE>{escape(one['title'], quote=False)}</TITLE>\n<BODY>{body}\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n"
    )
    return text.encode("latin-1", "xmlcharrefreplace").decode("latin-1")


def nitf_document(one):
    day = one["date"].replace("-", "")
    body = "".join(f"      <p>{escape(part)}</p>\n" for part in one["paragraphs"])
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">\n'
        f'<nitf version="-//IPTC//DTD NITF 3.3//EN">\n<head>\n<title>{escape(one["title"])}</title>\n'
        f'<docdata><doc-id id-string="{one["id"]}"/></docdata>\n'
        f'<pubdata date.publication="{day}T000000" name="{escape(one["source"])}"/>\n</head>\n<body>\n<body.head>\n'
        f"<hedline><hl1>{escape(one['title'])}</hl1></hedline>\n</body.head>\n<body.content>\n"
        f'    <block class="lead_paragraph">\n      <p>{escape(one["paragraphs"][0])}</p>\n    </block>\n'
        f'    <block class="full_text">\n{body}    </block>\n</body.content>\n</body>\n</nitf>\n'
    )


def nitf(articles, path):
    """One file a document in a gzipped tar file, as the New York Times Annotated Corpus comes."""
    members = {f"01/{at:07}.xml": nitf_document(one).encode() for at, one in enumerate(articles)}
    path.write_bytes(gzip.compress(tar(members)))


def tar(members):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def newsml_document(one):
    body = "".join(f"<p>{escape(part)}</p>\n" for part in one["paragraphs"])
    return (
        '<?xml version="1.0" encoding="iso-8859-1" ?>\n'
        f'<newsitem itemid="{one["id"]}" id="root" date="{one["date"]}" xml:lang="en">\n'
        f"<title>{escape(one['title'])}</title>\n<headline>{escape(one['title'])}</headline>\n<text>\n{body}</text>\n"
        f'<metadata>\n<dc element="dc.source" value="{escape(one["source"])}"/>\n</metadata>\n</newsitem>\n'
    )


def newsml(articles, path):
    """One file a document in a zip file, as RCV1 comes."""
    documents = [newsml_document(one).encode("latin-1", "xmlcharrefreplace") for one in articles]
    path.write_bytes(zipped({f"{at}newsML.xml": content for at, content in enumerate(documents)}))


def zipped(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def feed(articles, path):
    """An RSS feed with full texts."""
    path.write_text(
        f'<rss version="2.0"><channel>\n{"".join(map(_item, articles))}</channel></rss>\n', encoding="utf-8"
    )


def _item(one):
    body = escape("".join(f"<p>{escape(part)}</p>" for part in one["paragraphs"]))
    return (
        f'<item><guid isPermaLink="false">{one["id"]}</guid><link>https://{one["source"].replace(" ", "-").lower()}.example/</link>'
        f"<title>{escape(one['title'])}</title><pubDate>{one['date']}</pubDate><description>{body}</description></item>\n"
    )


def trafilatura(articles, folder):
    """A file for each page, as ``trafilatura --xml --with-metadata`` writes it."""
    folder.mkdir()
    for one in articles:
        body = "".join(f"<p>{escape(part)}</p>" for part in one["paragraphs"])
        head = f'sitename="{escape(one["source"])}" title="{escape(one["title"])}" date="{one["date"]}" url="{CRAWL}{one["id"]}"'
        (folder / f"{one['id']}.xml").write_text(f"<doc {head}><main>{body}</main></doc>", encoding="utf-8")


def page(one):
    """A web page with the furniture that pages have."""
    body = "".join(f"<p>{escape(part)}</p>\n" for part in one["paragraphs"])
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{escape(one["title"])} | The News</title>'
        f'<meta property="og:title" content="{escape(one["title"])}">'
        f'<meta property="article:published_time" content="{one["date"]}T12:00:00Z"></head><body>'
        '<nav><ul><li><a href="/">Home</a></li><li><a href="/world">World</a></li></ul></nav>'
        f"<article><h1>{escape(one['title'])}</h1>\n{body}</article>"
        "<footer><p>Copyright 1999 The News. All rights reserved.</p></footer></body></html>"
    )


def warc(articles, path):
    with path.open("wb") as stream:
        write = warc_writer(stream)
        for one in articles:
            write(CRAWL + one["id"], page(one).encode())


def warc_writer(stream):
    """A function that writes one page (address, content, status, type) into a gzipped WARC."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    writer = WARCWriter(stream, gzip=True)

    def write(address, content, status="200 OK", kind="text/html; charset=utf-8", date="2014-07-01T10:00:00Z"):
        headers = StatusAndHeaders(status, [("Content-Type", kind)], protocol="HTTP/1.1")
        given = {"payload": io.BytesIO(content), "http_headers": headers, "warc_headers_dict": {"WARC-Date": date}}
        writer.write_record(writer.create_warc_record(address, "response", **given))

    return write


def sample(path=Path(__file__).parents[2] / "data" / "sample" / "articles.jsonl"):
    """The stories of the embedded corpus that are whole: every reader must give the same of them."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            one = json.loads(line)
            dt.date.fromisoformat(one["date"])
        except (ValueError, KeyError):
            continue
        if one.get("kind") == "story" and one.get("text") and one["id"] not in found:
            kept = {name: one[name] for name in ("id", "date", "source")}
            found[one["id"]] = kept | {"title": one["headline"], "paragraphs": one["text"].split("\n\n")}
    return list(found.values())


# What writes the corpus of a reader, and the corpus's name in the configuration that a user copies.
FORMS = {
    "csv": (csv_table, "articles.csv"),
    "parquet": (parquet, "articles.parquet"),
    "hf": (hf, "articles"),
    "gigaword": (gigaword, "articles.sgml"),
    "reuters21578": (reuters, "reut2-000.sgm"),
    "trec": (trec, "articles.sgml"),
    "nitf": (nitf, "01.tgz"),
    "newsml": (newsml, "19960820.zip"),
    "warc": (warc, "crawl.warc.gz"),
}
