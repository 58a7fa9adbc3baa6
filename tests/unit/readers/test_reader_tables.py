"""Parquet and ``datasets``: columns by name and path, values of all types, damaged files, and missing libraries."""

import datetime as dt

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from support import corpus_forms
from support.make import raw
from wdw_build.adapters.corpora.arrow_tables import HfReader, ParquetReader
from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.records import RawArticle, Unreadable

ARTICLES = [
    {"id": f"a{at}", "date": "2014-03-04", "source": "HP", "title": f"T a{at}", "paragraphs": ["One.", f"Two {at}."]}
    for at in range(1, 201)
]
FIELDS = {"date": "meta.published", "source": "meta.agency", "text": "body.parts.text"}


def parquet(folder, **options):
    return list(ParquetReader(folder, options).read())


def one_row(tmp_path, **columns):
    pq.write_table(pa.table({name: [value] for name, value in columns.items()}), tmp_path / "a.parquet")
    (found,) = parquet(tmp_path)
    return found


# ---- Parquet ---------------------------------------------------------------------------------------------------------


def test_nested_columns_are_reached_by_dots_and_rows_counted(tmp_path):
    corpus_forms.parquet(ARTICLES, tmp_path / "a.parquet")
    found = parquet(tmp_path, fields=FIELDS)
    texts = ("One.", "Two 150.")
    assert found[149] == raw("a150", place="a.parquet:150", date="2014-03-04", source="HP", paragraphs=texts)
    assert len(found) == 200


def test_a_date_may_be_of_any_type_that_holds_one(tmp_path):
    assert one_row(tmp_path, date=dt.date(2014, 3, 4), text="Body.").date == "2014-03-04"
    time = dt.datetime(2014, 3, 4, 21, 15)
    assert one_row(tmp_path, date=time, text="Body.").date == "2014-03-04T21:15:00"
    assert one_row(tmp_path, date=time.replace(tzinfo=dt.UTC), text="Body.").date == "2014-03-04T21:15:00+00:00"
    assert one_row(tmp_path, date="March 4, 2014", text="Body.").date == "March 4, 2014"
    assert one_row(tmp_path, date=b"2014-03-04", text="Body.").date == "2014-03-04"
    assert one_row(tmp_path, date=20140304, text="Body.").date == "20140304"


def test_text_in_bytes_is_utf8_or_windows_1252(tmp_path):
    assert one_row(tmp_path, date="2014", text=b"Caf\xe9").paragraphs == ("Café",)


DAMAGE = [
    lambda raw: raw[:-100],
    lambda raw: b"x" * 300,
    lambda raw: b"",
    lambda raw: raw[:4] + b"\xff" * 5000 + raw[5004:],
]


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_file_is_reported_and_the_next_is_read(tmp_path, damage):
    corpus_forms.parquet(ARTICLES, tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(damage(whole))
    (tmp_path / "b.parquet").write_bytes(whole)
    found = parquet(tmp_path, fields=FIELDS)
    assert [one.place for one in found if isinstance(one, Unreadable)] == ["a.parquet"]
    assert [one.place for one in found[-200:]] == [f"b.parquet:{at}" for at in range(1, 201)]


def test_a_file_that_unpacks_to_far_more_than_it_is_is_not_read(tmp_path):
    table = pa.table({"date": ["2014"], "text": [" " * (20 << 20)]})
    pq.write_table(table, tmp_path / "a.parquet", compression="zstd", use_dictionary=False)
    (bad,) = parquet(tmp_path)
    assert "column text unpacks to more than 200 times its size" in bad.error
    assert isinstance(parquet(tmp_path, max_unpack_ratio=1e6)[0], RawArticle)


# ---- datasets --------------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    corpus_forms.hf(ARTICLES, tmp_path / "set")
    return tmp_path / "set"


def test_all_splits_are_read_or_those_that_are_named(saved):
    places = [one.place for one in HfReader(saved, {"fields": FIELDS}).read()]
    assert places == [f"{split}:{at}" for split in ("first", "second") for at in range(1, 101)]
    second = list(HfReader(saved, {"fields": FIELDS, "splits": ["second"]}).read())
    assert [one.id for one in second] == [f"a{at}" for at in range(101, 201)]
    assert second[0].paragraphs == ("One.", "Two 101.")


def test_a_set_without_splits_is_read(saved):
    found = list(HfReader(saved / "first", {"fields": FIELDS}).read())
    assert found[0].place == "data:1"
    assert len(found) == 100


def test_an_unknown_split_is_named_with_the_existing_ones(saved):
    with pytest.raises(ConfigError, match="third") as caught:
        HfReader(saved, {"splits": ["third"]})
    assert "first, second" in caught.value.hint


def test_a_damaged_split_is_reported_and_the_next_is_read(saved):
    (part,) = (saved / "first").glob("*.arrow")
    part.write_bytes(part.read_bytes()[:100])
    found = list(HfReader(saved, {"fields": FIELDS}).read())
    assert isinstance(found[0], Unreadable)
    assert found[0].place.startswith("first/")
    assert [one.place for one in found[1:]] == [f"second:{at}" for at in range(1, 101)]


def test_the_identity_follows_the_content_and_the_splits(saved):
    whole = HfReader(saved, {}).identity
    assert HfReader(saved, {}).identity == whole
    assert HfReader(saved, {"splits": ["first"]}).identity != whole
    assert "pyarrow" in whole


def test_a_folder_that_holds_no_set_is_a_missing_resource(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(MissingResourceError, match="arrow"):
        HfReader(tmp_path, {})
