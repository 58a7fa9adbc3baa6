"""The blocks of a corpus, one after another, give the entries of the whole corpus: places, errors and all."""

import bz2
import gzip
import lzma
import pickle
import tempfile
from pathlib import Path
from unittest import mock

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from wdw_build.adapters.corpora.csv_table import CsvReader
from wdw_build.adapters.corpora.gigaword import GigawordReader
from wdw_build.adapters.corpora.jsonl import JsonlReader
from wdw_build.adapters.corpora.newsml import NewsmlReader
from wdw_build.adapters.corpora.nitf import NitfReader
from wdw_build.adapters.corpora.reuters21578 import ReutersReader
from wdw_build.adapters.corpora.trec import TrecReader

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
REUTERS = (
    b'<REUTERS NEWID="7">\n<DATE>26-FEB-1987</DATE>\n<TEXT>\n<BODY>    It sank.\n Reuter\n</BODY></TEXT>\n</REUTERS>'
)
NEWS = b'<newsitem itemid="1" date="1996-08-20">\n<text>\n<p>It sank.</p>\n</text>\n</newsitem>'
NITF = b'<nitf>\n<head><docdata><doc-id id-string="1"/></docdata></head>\n<body><p>It sank.</p></body>\n</nitf>'
SHARED = [b"\xef\xbb\xbf", b"caf\xe9", b"\x00", b"words of nobody", b"-" * 300]
# reader, suffix, and the pieces that files are made of
FORMATS = {
    "jsonl": (JsonlReader, ".jsonl", [b'{"date": "2014-03-01", "text": "The ferry sank."}', b"[1]", *SHARED]),
    "gigaword": (GigawordReader, ".sgml", [DOC, DOC[:50], b"<DOC", b"</DOC>", b"<X>", DOC + DOC, *SHARED]),
    "trec": (TrecReader, ".sgml", [TREC, TREC[:40], b"<DOC>", b"</DOC>", TREC + TREC, *SHARED]),
    "reuters21578": (ReutersReader, ".sgm", [REUTERS, REUTERS[:30], b"<!DOCTYPE lewis>", *SHARED]),
    "newsml": (NewsmlReader, ".xml", [NEWS, NEWS[:60], b'<?xml version="1.0" encoding="latin-1"?>', *SHARED]),
    "nitf": (NitfReader, ".xml", [NITF, NITF[:60], *SHARED]),
    "csv": (
        CsvReader,
        ".csv",
        [b"id,date,text", b"1,2014-03-01,It sank.", b'2,2014-03-01,"It ""sank""\nthere."', b'3,"x" y,"', *SHARED],
    ),
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
    return (
        raw[:place]
        if kind == "cut"
        else raw[:place] + bytes(255 - byte for byte in raw[place : place + 3]) + raw[place + 3 :]
    )


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None)
@given(
    data=st.data(),
    sample=st.sampled_from([1, 1 << 20]),
    block_bytes=st.integers(1, 400),
    longest=st.sampled_from([100, 1 << 20]),
    chunk=st.sampled_from([7, 64, 1 << 16]),
)
def test_blocks_give_the_entries_of_the_whole_corpus(name, data, sample, block_bytes, longest, chunk):
    reader_type, suffix, pieces = FORMATS[name]
    with tempfile.TemporaryDirectory() as folder:
        for number, (content, packing, damage) in enumerate(data.draw(files_of(pieces))):
            raw = PACKERS[packing](b"".join(piece + end for piece, end in content))
            Path(folder, f"{number}{suffix}{packing}").write_bytes(damaged(raw, damage))
        reading = "wdw_build.adapters.corpora.reading"
        # With a small sample, a file can be cut before its damage is found.
        with mock.patch(f"{reading}.lines.BLOCK", chunk), mock.patch(f"{reading}.streams._SAMPLE", sample):
            whole, parts, _ = entries(reader_type, Path(folder), block_bytes, longest)
    assert parts == whole
