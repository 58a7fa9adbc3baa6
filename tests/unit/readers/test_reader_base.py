"""The base of all readers: the order of files, damaged files, and the identity."""

import bz2
import datetime as dt
import gzip
import json
import lzma
import random
import tracemalloc
from functools import partial
from pathlib import Path

import pytest
import zstandard

from wdw_build.adapters.corpora.arrow_tables import ParquetReader
from wdw_build.adapters.corpora.reading.markup import paragraphs_by_layout, tidy, unescape
from wdw_build.adapters.corpora.reading.markup_files import blocks
from wdw_build.adapters.corpora.sgml_newswire import GigawordReader
from wdw_build.adapters.corpora.text_rows import JsonlReader
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.records import Unreadable


def line(name):
    return json.dumps({"id": name, "date": "2003-04-01", "text": "Body."}).encode() + b"\n"


def ids(path, **options):
    return [article.id for article in JsonlReader(path, options).read()]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.jsonl").write_bytes(line("b1"))
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(line("a")))
    (tmp_path / "c.NDJSON").write_bytes(line("c"))
    (tmp_path / "d.jsonl.bz2").write_bytes(bz2.compress(line("d")))
    (tmp_path / "e.jsonl.xz").write_bytes(lzma.compress(line("e")))
    (tmp_path / "readme.txt").write_text("no article")
    (tmp_path / ".hidden.jsonl").write_bytes(line("hidden"))
    return tmp_path


def test_a_folder_is_read_in_the_order_of_its_paths_and_by_known_suffixes_only(folder):
    assert ids(folder) == ["a", "b1", "c", "d", "e"]


def test_a_glob_and_a_file_are_taken_as_they_are(folder):
    (folder / "odd.name").write_bytes(line("odd"))
    assert ids(folder / "*.jsonl*") == ["a", "d", "e"]
    assert ids(folder / "**" / "1.*") == ["b1"]
    assert ids(folder / "odd.name") == ["odd"]


@pytest.mark.parametrize("missing", ["nowhere", "nowhere/*.jsonl", "*.csv", "a\0b"])
def test_a_path_without_files_asks_for_the_corpus(tmp_path, missing):
    with pytest.raises(MissingResourceError) as caught:
        JsonlReader(tmp_path / missing, {})
    assert caught.value.hint


SUFFIXES = [
    (JsonlReader, r"\.jsonl, \.ndjson, \.jl, \.json, compressed or not, and no archive(?m:$)"),
    (GigawordReader, r"\.gz, \.bz2, \.xz, \.sgm, \.sgml, \.xml, compressed or not, and no archive(?m:$)"),
    (ParquetReader, r"\.parquet(?m:$)"),
]


@pytest.mark.parametrize(("reader", "suffixes"), SUFFIXES)
def test_a_folder_without_a_fitting_file_lists_each_suffix_once(tmp_path, reader, suffixes):
    (tmp_path / "a.csv").touch()
    with pytest.raises(MissingResourceError, match=suffixes):
        reader(tmp_path, {})


def test_a_glob_that_cannot_be_one_is_a_matter_of_the_configuration(tmp_path):
    with pytest.raises(ConfigError, match="glob"):
        JsonlReader(tmp_path / "a**" / "b", {})


ZSTD = zstandard.ZstdCompressor(level=3, write_checksum=True).compress
PACKED = [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", ZSTD)]
DAMAGE = {
    "truncated": lambda whole: whole[: len(whole) // 2],
    "with a byte before it": lambda whole: b"x" + whole,
    "flipped bits": lambda whole: whole[:2000] + bytes(255 - byte for byte in whole[2000:2100]) + whole[2100:],
    "only a header": lambda whole: whole[:5],
}


def random_lines(count):
    return b"".join(line(random.Random(number).randbytes(16).hex()) for number in range(count))


@pytest.mark.parametrize(("suffix", "packed"), [(".gz", partial(gzip.compress, compresslevel=0)), PACKED[-1]])
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_unreadable_once_and_the_next_is_read(tmp_path, kind, suffix, packed):
    (tmp_path / f"a.jsonl{suffix}").write_bytes(DAMAGE[kind](packed(random_lines(5000))))
    (tmp_path / "b.jsonl").write_bytes(line("b"))
    found = list(JsonlReader(tmp_path, {}).read())
    (bad,) = (entry for entry in found if isinstance(entry, Unreadable) and entry.place == f"a.jsonl{suffix}")
    assert "damaged" in bad.error
    assert found[-1].id == "b"


@pytest.mark.parametrize(("suffix", "packed"), PACKED[:3])
def test_whole_lines_before_a_truncation_are_read(tmp_path, suffix, packed):
    whole = packed(random_lines(20_000))
    (tmp_path / f"a.jsonl{suffix}").write_bytes(whole[: len(whole) * 9 // 10])
    found = list(JsonlReader(tmp_path, {}).read())
    assert len(found) > 10_000
    assert [place for place, entry in enumerate(found) if isinstance(entry, Unreadable)] == [len(found) - 1]


def test_zstandard_frames_are_read_one_after_another(tmp_path):
    lines = b"".join(line(f"a{number}") for number in range(4_000))
    half = len(lines) // 2
    (tmp_path / "a.jsonl.zst").write_bytes(ZSTD(lines[:half]) + ZSTD(b"") + ZSTD(lines[half:]))
    assert ids(tmp_path) == [f"a{number}" for number in range(4_000)]


@pytest.mark.parametrize(("suffix", "packed"), PACKED)
def test_a_bomb_is_given_up_after_its_first_articles_unless_the_bound_is_raised(tmp_path, suffix, packed):
    (tmp_path / f"a.jsonl{suffix}").write_bytes(packed(line("a") + b" " * 20 * (1 << 20) + b"\n" + line("c")))
    (tmp_path / "b.jsonl").write_bytes(line("b"))
    tracemalloc.start()
    found = list(JsonlReader(tmp_path, {}).read())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [getattr(one, "id", one.place) for one in found] == ["a", f"a.jsonl{suffix}", "b"]
    assert "more than 200 times its size" in found[1].error
    assert "everything after a.jsonl" in found[1].error
    assert "max_unpack_ratio" in found[1].error
    assert peak < 100 << 20
    assert ids(tmp_path, max_unpack_ratio=1e6) == ["a", "c", "b"]


def test_a_file_that_has_gone_is_not_taken_for_damage(folder):
    reader = JsonlReader(folder, {})
    (folder / "c.NDJSON").unlink()
    with pytest.raises(MissingResourceError, match="NDJSON"):
        list(reader.read())


def test_the_identity_changes_with_content_name_and_options_and_with_nothing_else(folder, tmp_path_factory):
    first = JsonlReader(folder, {}).identity
    assert JsonlReader(folder, {"encoding": "auto"}).identity == first
    assert JsonlReader(folder, {"encoding": "latin-1"}).identity != first
    moved = tmp_path_factory.mktemp("elsewhere") / "corpus"
    folder.rename(moved)
    assert JsonlReader(moved, {}).identity == first
    (moved / "b" / "1.jsonl").rename(moved / "b" / "2.jsonl")
    renamed = JsonlReader(moved, {}).identity
    assert renamed != first
    (moved / "b" / "2.jsonl").write_bytes(line("other"))
    assert JsonlReader(moved, {}).identity not in (first, renamed)


def test_a_file_name_that_is_no_utf8_gives_a_place_that_can_be_written(tmp_path):
    (tmp_path / b"caf\xe9.jsonl".decode("utf-8", "surrogateescape")).write_bytes(b"no json\n")
    (bad,) = JsonlReader(tmp_path, {}).read()
    assert bad.place.encode() == rb"caf\udce9.jsonl:1"


def test_entities_are_replaced_once_and_unknown_ones_left():
    assert unescape("AT&amp;T &lt;T> &#5;&#x41;") == "AT&T <T> \x05A"
    assert unescape("&amp;lt;") == "&lt;"
    assert unescape("AT&T R&D; &nosuch; &amp") == "AT&T R&D; &nosuch; &amp"
    assert unescape("&#146;&eacute;") == "’é"
    assert unescape("&#1114112;&#99999999999999999999;") == "&#99999999999999999999;"


def test_tidy_text_is_one_line_without_control_characters_or_surrogates():
    assert tidy(" a \t\n b\x00c\x1ed\x7f\u00a0e\ud800\u2028f\x9c ") == "a bc d e f"


def test_utf_8_read_as_latin_1_is_read_again_where_control_characters_show_it():
    assert tidy("is\u00e2\x80\x99t \u00e2\x80\x93 no") == "is’t – no"
    assert tidy("a\u00c2\u00a0b") == "a b"
    assert tidy("caf\u00c3\u00a9") == "caf\u00c3\u00a9"
    assert tidy("caf\u00e9 \x80") == "café"
    assert tidy("\u00e2\x80 x") == "â x"


def test_layout_paragraphs_begin_at_indented_lines_and_at_blank_ones_if_asked():
    text = "one\ntwo\n    three\n\nfour\n\tfive\n  six"
    assert paragraphs_by_layout(text, indent=3, blank_lines=False) == ("one two", "three four", "five six")
    assert paragraphs_by_layout(text, indent=3, blank_lines=True) == ("one two", "three", "four", "five six")


def cut(text, longest=1 << 20):
    lines = enumerate(text.encode().split(b"\n"), 1)
    return [(block.line, block.raw.decode() or block.error) for block in blocks(lines, "DOC", longest)]


def test_blocks_are_cut_out_of_wrapping_tags_and_of_one_line():
    text = "<!DOCTYPE x>\n<?xml?><ROOT>\n<DOC id='1'>\na\n</DOC>\n\n<DOC>b</DOC><DOC>c</DOC>\n</ROOT>\n\x1a"
    assert cut(text) == [(3, "<DOC id='1'>\na\n</DOC>"), (7, "<DOC>b</DOC>"), (7, "<DOC>c</DOC>")]


def test_text_outside_of_blocks_is_reported_once_a_run():
    places = cut("lost\nlost\n<DOC>\n</DOC>\n<DOCNO>1</DOCNO>\n")
    assert [line for line, _ in places] == [1, 3, 5]
    assert places[0][1] == "text outside any <DOC>"


def test_an_open_block_is_an_error_and_the_next_is_whole():
    assert cut("<DOC>\nlost\n<DOC>\nb\n</DOC>\n<DOC>\nend") == [
        (1, "no </DOC> before the next <DOC> in line 3"),
        (3, "<DOC>\nb\n</DOC>"),
        (6, "cut off by the end of the file"),
    ]


def test_a_block_beyond_the_bound_is_given_up_and_the_next_is_whole():
    text = "<DOC>\n" + "12345678\n" * 10 + "</DOC>\n<DOC>\nb\n</DOC>"
    assert cut(text, longest=40) == [(1, "longer than 40 bytes"), (13, "<DOC>\nb\n</DOC>")]


def test_an_over_long_line_gives_its_block_up():
    lines = iter([(1, b"<DOC>"), (2, None), (3, b"</DOC>"), (4, None), (5, b"<DOC>"), (6, b"</DOC>")])
    assert [(block.line, bool(block.error)) for block in blocks(lines, "DOC")] == [(1, True), (5, False)]


def test_relative_paths_are_read_as_well(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert ids(Path("b")) == ["b1"]
    assert ids(Path("*.gz")) == ["a"]


def test_an_option_that_yaml_reads_as_another_type_is_to_be_written_in_quotes(tmp_path):
    def hint(**options):
        with pytest.raises(ConfigError) as caught:
            JsonlReader(tmp_path, options)
        return caught.value.hint

    said = "write it in quotes, as it stands in the file, such as"
    assert hint(encoding=8) == f'{said} encoding: "8"'
    assert hint(fields={"source": False}) == f'{said} source: "NO"'
    assert hint(fields={"date": dt.date(2014, 3, 4)}) == f'{said} date: "2014-03-04"'
    assert hint(fields={"date": {"folder": 2014}}) == f'{said} folder: "2014"'
