"""The blocks of a corpus, one after another, give the entries of the whole corpus: places, errors and all."""

import bz2
import gzip
import io
import lzma
import pickle
import tempfile
from pathlib import Path
from unittest import mock

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from support import corpus_forms
from wdw_build.adapters.corpora.arrow_tables import HfReader, ParquetReader
from wdw_build.adapters.corpora.news_xml import NewsmlReader, NitfReader
from wdw_build.adapters.corpora.reuters21578 import ReutersReader
from wdw_build.adapters.corpora.sgml_newswire import GigawordReader, TrecReader
from wdw_build.adapters.corpora.text_rows import CsvReader, JsonlReader
from wdw_build.adapters.corpora.warc import WarcReader
from wdw_build.ports import END, Block, FileRange

PACKERS = {
    "": bytes,
    ".gz": lambda raw: gzip.compress(raw, compresslevel=1),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
}
LINE_ENDS = [b"", b"\n", b"\n\n", b"\r\n", b" "]
DOC = b'<DOC id="HP_ENG_20140301.0001" type="story">\n<TEXT>\n<P>\nThe ferry sank.\n</P>\n</TEXT>\n</DOC>'
TREC = b"<DOC>\n<DOCNO> AP880212-0001 </DOCNO>\n<TEXT>\n   The ferry sank.\n</TEXT>\n</DOC>"
REUTERS = b'<REUTERS NEWID="7">\n<DATE>26-FEB-1987</DATE>\n<TEXT>\n<BODY>    Oh.\n Reuter\n</BODY></TEXT>\n</REUTERS>'
NEWS = b'<newsitem itemid="1" date="1996-08-20">\n<text>\n<p>It sank.</p>\n</text>\n</newsitem>'
NITF = b'<nitf>\n<head><docdata><doc-id id-string="1"/></docdata></head>\n<body><p>It sank.</p></body>\n</nitf>'
LINES = [b"[", b"]", b"[1]", b'{"date": "2014-03-01",', b'"text": "x"}']
ROWS = [
    *(b"id,date,text", b"1,2014-03-01,It sank.", b"1,2014-03-01,It\rsank.", b'2,2014-03-01,"It ""sank""\nthere."'),
    *(b'3,"x" y,"', b"sep=;", b"id;date;text", b"1;2014-03-01;It sank."),
]
OBJECT = b'{"date": "2014-03-01", "text": "The ferry sank."}'
SHARED = [b"\xef\xbb\xbf", b"caf\xe9", b"\x00", b"words of nobody", b"-" * 300]
# reader, suffix, and the pieces that files are made of
FORMATS = {
    "jsonl": (JsonlReader, ".jsonl", [OBJECT, OBJECT + b",", OBJECT + OBJECT, *LINES, *SHARED]),
    "gigaword": (GigawordReader, ".sgml", [DOC, DOC[:50], b"<DOC", b"</DOC>", b"<X>", DOC + DOC, *SHARED]),
    "trec": (TrecReader, ".sgml", [TREC, TREC[:40], b"<DOC>", b"</DOC>", TREC + TREC, *SHARED]),
    "reuters21578": (ReutersReader, ".sgm", [REUTERS, REUTERS[:30], b"<!DOCTYPE lewis>", *SHARED]),
    "newsml": (NewsmlReader, ".xml", [NEWS, NEWS[:60], b'<?xml version="1.0" encoding="latin-1"?>', *SHARED]),
    "nitf": (NitfReader, ".xml", [NITF, NITF[:60], *SHARED]),
    "csv": (CsvReader, ".csv", [*ROWS, *SHARED]),
}


def entries(reader_type, path, block_bytes, longest=1 << 20):
    """The entries of the whole corpus and those of its blocks, each block read by a reader of its own."""

    def reader():
        made = reader_type(path, {})
        made.block_bytes, made.longest = block_bytes, longest
        return made

    blocks = pickle.loads(pickle.dumps(reader().blocks()))
    return list(reader().read()), [entry for block in blocks for entry in reader().read(block)], blocks


def files_of(pieces):
    content = st.lists(st.tuples(st.sampled_from(pieces), st.sampled_from(LINE_ENDS)), max_size=12)
    damage = st.one_of(st.just(None), st.tuples(st.sampled_from(["cut", "flip"]), st.floats(0, 1)))
    return st.lists(st.tuples(content, st.sampled_from(list(PACKERS)), damage), min_size=1, max_size=3)


def damaged(raw, damage):
    if damage is None:
        return raw
    kind, share = damage
    place = round(share * len(raw))
    flipped = bytes(255 - byte for byte in raw[place : place + 3])
    return raw[:place] + (b"" if kind == "cut" else flipped + raw[place + 3 :])


def test_a_large_file_is_cut_and_small_files_are_grouped(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b"[1]\n" * 250)
    for name in "bcd":
        (tmp_path / f"{name}.jsonl").write_bytes(b"[1]\n")
    (tmp_path / "e.jsonl.gz").write_bytes(gzip.compress(b"".join(b"[%d]\n" % number**3 for number in range(12_000))))
    whole, parts, blocks = entries(JsonlReader, tmp_path, 10_000)
    assert parts == whole
    names = [[Path(file).name for file in block.files] for block in blocks]
    assert names == [["a.jsonl", "b.jsonl", "c.jsonl"], ["d.jsonl"], *[["e.jsonl.gz"]] * 16]
    assert entries(JsonlReader, tmp_path / "a.jsonl", 300)[2] == [
        Block((str(tmp_path / "a.jsonl"),), FileRange(start, end, start // 4), 250)
        for start, end in [(0, 250), (250, 500), (500, 750), (750, END)]
    ]


TEXTS = st.lists(st.sampled_from(["It sank.", "", None]), min_size=1, max_size=200)


@settings(max_examples=12)
@given(TEXTS, st.integers(1, 90), st.integers(1, 4000), st.none() | st.floats(0, 1))
def test_blocks_of_row_groups_give_the_entries_of_the_whole_file(rows, in_group, block_bytes, damage):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.parquet")
        pq.write_table(pa.table({"date": ["2014"] * len(rows), "text": rows}), path, row_group_size=in_group)
        path.write_bytes(damaged(path.read_bytes(), None if damage is None else ("flip", damage)))
        whole, parts, _ = entries(ParquetReader, path, block_bytes)
    assert parts == whole


def test_a_damaged_row_group_is_lost_and_the_next_is_read(tmp_path):
    texts = [f"It sank {number}." for number in range(30)]
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"date": ["2014"] * 30, "text": texts}), path, row_group_size=10, compression="snappy")
    page = pq.read_metadata(path).row_group(1).column(1).dictionary_page_offset
    raw = path.read_bytes()
    path.write_bytes(raw[:page] + b"\xff" * 40 + raw[page + 40 :])
    whole, parts, blocks = entries(ParquetReader, path, 1)
    assert parts == whole
    assert len(blocks) == 3
    assert [entry.place for entry in whole] == [f"a.parquet:{number}" for number in [*range(1, 12), *range(21, 31)]]
    assert "rows 11 to 20 are lost" in whole[10].error


@pytest.mark.parametrize("block_bytes", [1, 20_000])
def test_blocks_of_saved_rows_give_the_entries_of_all_splits(tmp_path, block_bytes):
    article = {"date": "2014-03-04", "source": "", "title": "", "paragraphs": ["It sank."]}
    corpus_forms.hf([{"id": f"a{at}"} | article for at in range(300)], tmp_path / "set")

    def reader():
        made = HfReader(tmp_path / "set", {"fields": {"date": "meta.published", "text": "body.parts.text"}})
        made.block_bytes = block_bytes
        return made

    blocks = reader().blocks()
    assert len(blocks) > 1
    assert [entry for block in blocks for entry in reader().read(block)] == list(reader().read())


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize("cut", [1.0, 0.7, 0.3])
def test_blocks_of_web_pages_give_the_entries_of_the_whole_file(tmp_path, packing, cut, monkeypatch):
    monkeypatch.setattr("wdw_build.adapters.corpora.reading.streams._SAMPLE", 1000)
    stream = io.BytesIO()
    write = corpus_forms.warc_writer(stream)
    for number in range(12):
        write(f"https://www.news.example/{number}", b"no page", **({"status": "404 No"} if number % 2 else {}))
    raw = stream.getvalue() if packing else gzip.decompress(stream.getvalue())
    path = tmp_path / f"a.warc{packing}"
    path.write_bytes(raw[: round(cut * len(raw))])
    whole, parts, blocks = entries(WarcReader, path, 400)
    assert len(blocks) > 1
    assert parts == whole
    assert len(whole) > 1


CHUNKS = st.sampled_from([7, 64, 1 << 16])


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@given(st.data(), st.sampled_from([1, 1 << 20]), st.integers(1, 400), st.sampled_from([100, 1 << 20]), CHUNKS)
def test_blocks_give_the_entries_of_the_whole_corpus(name, data, sample, block_bytes, longest, chunk):
    reader_type, suffix, pieces = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        for number, (content, packing, damage) in enumerate(data.draw(files_of(pieces))):
            raw = PACKERS[packing](b"".join(piece + end for piece, end in content))
            Path(folder, f"{number}{suffix}{packing}").write_bytes(damaged(raw, damage))
        reading = "wdw_build.adapters.corpora.reading"
        # With a small sample, a file can be cut before its damage is found.
        with mock.patch(f"{reading}.streams.BLOCK", chunk), mock.patch(f"{reading}.streams._SAMPLE", sample):
            whole, parts, _ = entries(reader_type, Path(folder), block_bytes, longest)
    assert parts == whole
