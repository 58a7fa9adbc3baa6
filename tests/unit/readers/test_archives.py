"""Archives: their members are read like the files of a folder, whatever the reader."""

import bz2
import gzip
import json
import lzma

import pytest
import zstandard

from support import corpus_forms as forms
from support import toy_pipeline as toy
from support.corpus_forms import tar, zipped
from wdw_build.corpus_look.first_look import sample_look
from wdw_build.corpus_look.guess import guess
from wdw_build.corpus_look.sample import sample_corpus
from wdw_build.errors import CorpusError
from wdw_build.pipeline.registry import make_reader
from wdw_build.records import RawArticle, Unreadable

TEXT = "The light of Quell went out on Monday, and nobody saw it, the keeper said. He will mend it before the end of the week."
ROWS = [{"id": f"a{day}", "date": f"2015-05-0{day}", "source": "Echo", "title": "", "text": TEXT} for day in (1, 2, 3)]
ARTICLES = [{**row, "paragraphs": [row["text"]]} for row in ROWS]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
ONE = {"a.jsonl": LINES}


PACKED = {"tar.gz": gzip, "tgz": gzip, "tar.bz2": bz2, "tar.xz": lzma, "tar.zst": zstandard}
PACKERS = {"a.zip": zipped, "a.tar": tar} | {
    f"a.{ending}": lambda members, packer=packer: packer.compress(tar(members)) for ending, packer in PACKED.items()
}


def read(reader, path, **options):
    return [entry.id if isinstance(entry, RawArticle) else entry for entry in make_reader(reader, path, options).read()]


@pytest.mark.parametrize("name", PACKERS)
def test_rows_are_read_from_every_archive_with_the_first_row_of_each_member(tmp_path, name):
    first, _, rest = LINES.partition(b"\n")
    members = {"news/README.md": b"# News", "./news/2015/b.jsonl": first, "c.jsonl.gz": gzip.compress(rest)}
    (tmp_path / name).write_bytes(PACKERS[name](members))
    reader = make_reader("jsonl", tmp_path / name, {})
    found = list(reader.read())
    assert [one.id for one in found] == ["a1", "a2", "a3"]
    places = ("./news/2015/b.jsonl:1", "c.jsonl.gz:1", "c.jsonl.gz:2")
    assert [one.place for one in found] == [f"{name}/{place}" for place in places]
    assert [entry for block in reader.blocks() for entry in reader.read(block)] == found


# The form of each reader of lines: how its articles are written, and the name of the file.
FORMS = {name: forms.FORMS[name] for name in ("csv", "gigaword", "trec", "reuters21578")}
FORMS["jsonl"] = (forms.jsonl, "a.jsonl")


@pytest.mark.parametrize("packed", ["a.zip", "a.tar.gz"])
@pytest.mark.parametrize("name", FORMS)
def test_every_reader_reads_from_an_archive_what_it_reads_from_the_file(tmp_path, name, packed):
    write, file = FORMS[name]
    write([{**one, "id": f"HP_ENG_2015050{day}.0001"} for day, one in enumerate(ARTICLES, 1)], tmp_path / file)
    (tmp_path / packed).write_bytes(PACKERS[packed]({f"inner/{file}": (tmp_path / file).read_bytes()}))
    options = {"fields": {"id": "url", "date": "published", "text": "body"}} if name == "csv" else {}
    plain = [one.paragraphs for one in make_reader(name, tmp_path / file, options).read()]
    assert [one.paragraphs for one in make_reader(name, tmp_path / packed, options).read()] == plain
    assert len(plain) == len(ARTICLES)


@pytest.mark.parametrize("content", [json.dumps(ROWS, indent=1), json.dumps(ROWS).replace("}, ", "},\n")])
def test_a_document_and_text_in_utf_16_are_read_from_an_archive(tmp_path, content):
    (tmp_path / "a.zip").write_bytes(zipped({"a.json": content.encode("utf-16")}))
    assert read("jsonl", tmp_path / "a.zip") == ["a1", "a2", "a3"]


def test_of_an_archive_hidden_files_and_descriptions_of_the_lines_are_not_read(tmp_path):
    members = {"__MACOSX/._a.jsonl": b"\0\5", "._a.jsonl": b"\0\5", ".git/b.jsonl": b"x", "info.json": b"{}"}
    (tmp_path / "a.tar").write_bytes(tar(members | ONE))
    assert read("jsonl", tmp_path / "a.tar") == ["a1", "a2", "a3"]


def test_archives_and_files_of_a_folder_are_read_together(tmp_path):
    (tmp_path / "b.jsonl").write_bytes(LINES)
    (tmp_path / "a.zip").write_bytes(zipped(ONE))
    (tmp_path / "c.zip").write_bytes(zipped({"a.png": b""}))
    assert read("jsonl", tmp_path) == ["a1", "a2", "a3"] * 2
    note = "1 of 3 files are archives without a file that ends in .jsonl, .ndjson, .jl, .json, such as c.zip"
    assert make_reader("jsonl", tmp_path, {}).file_notes() == [note]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz"])
def test_of_a_damaged_archive_the_entries_before_the_damage_are_read(tmp_path, name):
    noise = "".join(json.dumps({**ROWS[0], "id": f"b{at}", "text": str(hash(at))}) + "\n" for at in range(9999))
    content = PACKERS[name](ONE | {"b.jsonl": noise.encode()})
    if name == "a.zip":
        content = content.replace(content[6000:6004], b"\xff\xff\xff\xff", 1)
    (tmp_path / name).write_bytes(content if name == "a.zip" else content[: len(content) // 2])
    *found, last = read("jsonl", tmp_path / name)
    assert found[:4] == ["a1", "a2", "a3", "b0"]
    assert isinstance(last, Unreadable)
    assert (last.place, last.ends_file) == (name, True)
    assert "damaged" in last.error


def test_a_reader_of_columns_says_that_an_archive_must_be_unpacked(tmp_path):
    (tmp_path / "a.zip").write_bytes(zipped({"a.parquet": b""}))
    (entry,) = read("parquet", tmp_path / "a.zip")
    assert entry.error == "the reader parquet reads no archives: unpack it"


def test_a_tar_archive_with_another_name_is_not_read_as_lines(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(tar(ONE)))
    (entry,) = read("jsonl", tmp_path / "a.jsonl.gz")
    assert "it is a tar archive: end its name in .tar" in entry.error


# --- init -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("file", "reader"), [("data/articles.csv", "csv"), ("articles.jsonl", "jsonl")])
def test_the_reader_of_an_archive_is_that_of_its_files(tmp_path, file, reader):
    content = LINES if reader == "jsonl" else f'id,date,text\n1,2015-05-05,"{TEXT}"\n'.encode()
    (tmp_path / "README.md").write_text("# News")
    (tmp_path / "archive.zip").write_bytes(zipped({"data/": b"", "data/readme.txt": b"Hello", file: content}))
    assert [guess(path).reader for path in (tmp_path, tmp_path / "archive.zip")] == [reader, reader]


def test_an_archive_of_files_that_no_reader_reads_is_to_be_unpacked(tmp_path):
    (tmp_path / "README.md").write_text("# News")
    (tmp_path / "archive.zip").write_bytes(zipped({"data/a.pdf": b"x"}))
    message = r"no reader reads the files in .*archive\.zip, such as data/a\.pdf"
    for path in (tmp_path, tmp_path / "archive.zip"):
        with pytest.raises(CorpusError, match=message) as error:
            guess(path)
        assert error.value.hint.startswith("unpack archive.zip")


def test_init_names_a_file_that_cannot_be_read_and_goes_on_with_the_others(tmp_path):
    (tmp_path / "a.jsonl.gz").write_bytes(LINES)
    with pytest.raises(CorpusError, match=r"a\.jsonl\.gz: not compressed, or damaged: .*: Not a gzipped file"):
        guess(tmp_path)
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(LINES * 9)[:-20])
    found = guess(tmp_path)
    assert found.options["fields"]["text"] == "text"
    reader = make_reader("jsonl", tmp_path, found.options)
    notes = sample_look(toy.config(tmp_path / "out"), reader, sample_corpus(reader, 8)).notes
    assert [note.partition(":")[0] for note in notes[:2]] == ["a.jsonl.gz", "b.jsonl.gz"]
    assert not any("unreadable" in note for note in notes)
