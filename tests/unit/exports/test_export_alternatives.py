"""Training alternatives in every format that has a file for them: beside the dataset, which stays as it is without them."""

import json

import pytest
from pyarrow import parquet

from support import make
from wdw_build.adapters.exports.jsonl import JsonlExporter
from wdw_build.adapters.exports.parquet import ParquetExporter
from wdw_build.adapters.exports.published_forms import FlatSquadExporter, QuorefExporter, SquadExporter, WdwXmlExporter
from wdw_build.ports import ALTERNATIVE, WithAlternatives

# Format -> its file of training alternatives, and the file that says what they are.
FORMATS = {
    JsonlExporter: ("jsonl/train.alternatives.jsonl", "jsonl/README.md"),
    WdwXmlExporter: ("wdw-xml/Alternatives/train.xml", "wdw-xml/RELEASE.md"),
    SquadExporter: ("squad/train.alternatives.json", "squad/RELEASE.md"),
    FlatSquadExporter: ("squad-flat/train.alternatives.json", "squad-flat/RELEASE.md"),
    QuorefExporter: ("quoref/train.alternatives.json", "quoref/RELEASE.md"),
    ParquetExporter: ("parquet/alternatives/train.parquet", "parquet/README.md"),
}
DATASET = [("a", "strict", "train"), ("b", "relaxed", "train"), ("c", "strict", "validation"), ("d", "strict", "test")]
ALTERNATIVES = [("a~0", ALTERNATIVE, "train"), ("a~1", ALTERNATIVE, "train")]


def written(folder, kind, places):
    problems = [make.placed(make.met(name, ["Ann Fox", "Bo Lee"]), level, split) for name, level, split in places]
    return kind().write(folder, problems)


@pytest.mark.parametrize(("kind", "files"), FORMATS.items())
def test_alternatives_have_a_file_of_their_own_that_is_explained(tmp_path, kind, files):
    file, explained = files
    ids = written(tmp_path, kind, DATASET + ALTERNATIVES)
    assert isinstance(kind(), WithAlternatives)
    assert ids[file] == ["a~0", "a~1"]
    assert (tmp_path / file).is_file()
    assert "for training only. They are not suppressed" in (tmp_path / explained).read_text(encoding="utf-8")
    assert explained in ids


@pytest.mark.parametrize(("kind", "files"), FORMATS.items())
def test_the_files_of_the_dataset_are_those_without_alternatives(tmp_path, kind, files):
    plain = written(tmp_path / "plain", kind, DATASET)
    both = written(tmp_path / "both", kind, DATASET + ALTERNATIVES)
    assert both.keys() - plain.keys() <= set(files)
    for name in plain.keys() - {*files, "jsonl/croissant.json"}:
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "both" / name).read_bytes()
    assert not (tmp_path / "plain" / files[0]).exists()


def test_card_and_croissant_describe_the_file_of_the_alternatives_beside_the_held_out_files(tmp_path):
    written(tmp_path, JsonlExporter, DATASET + ALTERNATIVES)
    card = (tmp_path / "jsonl/README.md").read_text(encoding="utf-8")
    for row in ("| alternatives | train | 2 |", "| alternatives | test | 1 |"):
        assert row in card
    lines = [json.loads(line) for line in (tmp_path / "jsonl/train.alternatives.jsonl").read_bytes().splitlines()]
    assert [(line["id"], line["level"]) for line in lines] == [("a~0", "alternative"), ("a~1", "alternative")]
    described = json.loads((tmp_path / "jsonl/croissant.json").read_bytes())
    assert "alternatives-train" in {one["@id"] for one in described["recordSet"]}
    assert "train.alternatives.jsonl" in {one["contentUrl"] for one in described["distribution"]}


def test_parquet_has_the_rows_of_the_alternatives(tmp_path):
    written(tmp_path, ParquetExporter, DATASET + ALTERNATIVES)
    table = parquet.read_table(tmp_path / "parquet/alternatives/train.parquet")
    assert table.column("id").to_pylist() == ["a~0", "a~1"]
