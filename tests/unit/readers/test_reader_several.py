"""Several corpora are read as one, and a function of the user's changes rows before their fields are read."""

import json

import pytest

from wdw_build.errors import ConfigError, MissingResourceError
from wdw_build.pipeline.registry import make_reader
from wdw_build.records import Unreadable

LINES = [{"id": "a", "date": "2016-09-01", "text": "One."}, {"date": "2016-09-02", "text": "Two.", "source": "Own"}]
TABLE = "published,body\n2016-09-03,Three.\n2016-09-04,Four.\n"
PARTS = [
    {"reader": "jsonl", "path": "a.jsonl", "source": "Agency"},
    {"reader": "csv", "path": "b.csv", "options": {"fields": {"date": "published", "text": "body"}}},
]


@pytest.fixture
def news(tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (tmp_path / "b.csv").write_text(TABLE)
    return tmp_path


def several(folder, parts=PARTS):
    return make_reader("several", folder, {"parts": parts})


def test_parts_are_read_in_order_with_their_own_fields_and_source(news):
    found = [(entry.id, entry.date, entry.source, entry.paragraphs) for entry in several(news).read()]
    assert found == [
        ("a", "2016-09-01", "Agency", ("One.",)),
        ("a.jsonl:2", "2016-09-02", "Own", ("Two.",)),
        ("b.csv:2", "2016-09-03", "", ("Three.",)),
        ("b.csv:3", "2016-09-04", "", ("Four.",)),
    ]


def test_the_blocks_one_after_another_are_the_whole(news):
    reader = several(news)
    assert [entry for block in reader.blocks() for entry in reader.read(block)] == list(reader.read())
    assert reader.size() == sum(path.stat().st_size for path in news.iterdir())


def test_places_begin_with_the_paths_of_the_parts_or_with_their_numbers(news):
    for folder in ("one", "two/inner"):
        (news / folder).mkdir(parents=True)
        (news / folder / "a.jsonl").write_text('{"date": "2016-09-01", "text": "One."}\n{"text": "Two."}\n')
    paths = ["one", "two/inner/a.jsonl", "two/*/a.jsonl", "two/inner", "two/inner"]
    reader = several(news, [{"reader": "jsonl", "path": path} for path in paths])
    places = ["one/a.jsonl", "two/inner/a.jsonl", "two/inner/a.jsonl", "4/a.jsonl", "5/a.jsonl"]
    assert [entry.place for entry in reader.read()] == [f"{place}:{line}" for place in places for line in (1, 2)]
    assert [entry for block in reader.blocks() for entry in reader.read(block)] == list(reader.read())


def test_a_part_without_files_is_named(news):
    with pytest.raises(MissingResourceError, match=r"no file or folder .*none") as caught:
        several(news, [PARTS[0], {"reader": "jsonl", "path": "none"}])
    assert "corpus.options.parts[1].path, relative to corpus.path" in caught.value.hint


def test_the_identity_follows_order_source_and_files_and_not_the_place_of_the_corpus(news, tmp_path_factory):
    moved = tmp_path_factory.mktemp("moved")
    for path in news.iterdir():
        (moved / path.name).write_bytes(path.read_bytes())
    assert several(moved).identity == several(news).identity
    assert several(news, PARTS[::-1]).identity != several(news).identity
    assert several(news, [PARTS[0] | {"source": "Other"}, PARTS[1]]).identity != several(news).identity
    (moved / "b.csv").write_text(TABLE + "2016-09-05,Five.\n")
    assert several(moved).identity != several(news).identity


WRONG_PARTS = [
    ([], "parts is empty"),
    ([{"reader": "jsonl"}], "missing required field `path`"),
    ([{"reader": "jsonl", "path": "a.jsonl", "colour": 1}], "unknown field `colour`"),
    ([{"reader": "jsonn", "path": "a.jsonl"}], "unknown reader 'jsonn'"),
]


@pytest.mark.parametrize(("parts", "message"), WRONG_PARTS)
def test_wrong_parts_are_refused(news, parts, message):
    with pytest.raises(ConfigError, match=message):
        several(news, parts)


def changed(news, code, name="a.jsonl", reader="jsonl", **options):
    (news / "rows.py").write_text(code)
    return make_reader(reader, news / name, {"row_function": "rows.py", **options})


@pytest.mark.parametrize(("reader", "name"), [("jsonl", "a.jsonl"), ("csv", "b.csv")])
def test_a_row_function_changes_rows_before_their_fields_are_read(news, reader, name):
    code = "def row(values):\n    return {'date': '2001-01-01', 'text': ' '.join(map(str, values.values()))}\n"
    first = next(changed(news, code, name, reader).read())
    assert first.date == "2001-01-01"
    assert first.paragraphs == (" ".join([*LINES[0].values()]) if reader == "jsonl" else "2016-09-03 Three.",)


def test_a_row_function_of_a_parquet_file_gets_all_columns(news):
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"date": ["2016-09-01"], "text": ["One."], "section": ["Sport"]}), news / "t.parquet")
    code = "def row(values):\n    return values | {'kind': values['section']}\n"
    assert next(changed(news, code, "t.parquet", "parquet").read()).kind == "Sport"


def test_a_row_for_which_the_function_fails_is_unreadable_with_the_cause(news):
    code = "def row(values):\n    return None if 'id' in values else values['nothing']\n"
    first, second = changed(news, code).read()
    assert first == Unreadable(place="a.jsonl:1", error="row_function returned NoneType instead of a dictionary")
    assert second == Unreadable(place="a.jsonl:2", error="row_function raised KeyError: 'nothing'")


def test_another_row_function_is_another_identity(news):
    one = changed(news, "def row(values):\n    return values\n").identity
    assert changed(news, "def row(values):\n    return dict(values)\n").identity != one


@pytest.mark.parametrize(
    ("code", "message"),
    [("def other(values): pass\n", "no function row"), ("1 / 0\n", "ZeroDivisionError"), ("def row(\n", "SyntaxError")],
)
def test_a_file_without_the_function_is_refused(news, code, message):
    with pytest.raises(ConfigError, match=message):
        list(changed(news, code).read())


def test_a_missing_file_is_refused_with_the_folder_it_is_relative_to(news):
    with pytest.raises(MissingResourceError, match="cannot read") as caught:
        list(make_reader("jsonl", news / "a.jsonl", {"row_function": "none.py"}).read())
    assert "relative to the folder of the corpus" in caught.value.hint


def test_the_notes_on_the_files_of_a_part_name_the_part(news):
    (news / "a.jsonl").write_text("")
    assert several(news).file_notes() == ["a.jsonl: 1 of 1 files are empty, such as a.jsonl"]
