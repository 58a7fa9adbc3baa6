"""What the publisher states about the dataset reaches every export, and nothing is written if nothing is stated."""

import json

import msgspec
import pytest
import yaml

from support import awkward_dataset, fakes, make
from support.renaming import ListedProblems
from wdw_build.core.progress import Progress
from wdw_build.pipeline.backends import Backends
from wdw_build.pipeline.config.settings import Config, CorpusConfig
from wdw_build.pipeline.registry import exporter_names
from wdw_build.ports import EXPORTERS, ReleaseConfig, Released
from wdw_build.rebuild import Keys, rebuild
from wdw_build.stages.export import ExportConfig

KEYS = ("title", "version", "licence", "source_licence", "contact", "citation")
TEXTS = ("Coast Cloze", "2026-11", "CC0", "by agreement", "a@b.org", "Ames 2020")
STATED = ReleaseConfig(authors=("Ann Ames", "Bob Beck"), **dict(zip(KEYS, TEXTS, strict=True)))
WORDS = (*TEXTS, *STATED.authors)


def exporters(release):
    settings = {"export": ExportConfig(formats=tuple(exporter_names())), "release": release}
    config = Config(run="r", output_dir="out", corpus=CorpusConfig(reader="jsonl", path="c"), **settings)
    return Backends(config).get(EXPORTERS)


def written(folder, name, release):
    """The texts that a format writes beside its problems."""
    asked = make.question("a", "Lord Mayor a met Ann Q today.", "Lord Mayor a", others=["Ann Q"])
    problem = make.problem("a", asked, "Ann came. Bob came.", ["Ann", "Bob"], 0)
    files = exporters(release)[name].write(folder, [make.placed(problem, split="train")])
    beside = [file for file, ids in files.items() if not ids and file.endswith((".md", ".json"))]
    return "".join((folder / file).read_text() for file in beside)


@pytest.mark.parametrize("name", sorted({*exporter_names()} - {"keys"}))
def test_every_format_states_all_that_the_publisher_states(tmp_path, name):
    text = written(tmp_path / "stated", name, STATED)
    assert [words for words in WORDS if words not in text] == []
    empty = written(tmp_path / "empty", name, ReleaseConfig())
    assert [words for words in WORDS if words in empty] == []


def test_the_keys_state_it_too_and_the_rebuilt_card(tmp_path):
    problems = ListedProblems(awkward_dataset.dataset(tmp_path / "stages"))
    exporters(STATED)["keys"].write_from(tmp_path, problems, awkward_dataset.raws())
    assert json.loads((tmp_path / "keys/keys.json").read_bytes())["release"] == json.loads(msgspec.json.encode(STATED))
    assert not rebuild(Keys(tmp_path / "keys"), fakes.ListReader(awkward_dataset.raws()), tmp_path, Progress("quiet"))
    card = (tmp_path / "jsonl/README.md").read_text(encoding="utf-8")
    assert [words for words in WORDS if words not in card] == []


def test_every_exporter_takes_the_statements_and_they_change_its_identity():
    stated, empty = exporters(STATED), exporters(ReleaseConfig())
    assert all(isinstance(one, Released) and one.release == STATED for one in stated.values())
    assert stated.identity != empty.identity


def test_the_card_names_the_dataset_for_the_libraries_that_load_it(tmp_path):
    head = yaml.safe_load(written(tmp_path / "p", "parquet", STATED).split("---\n")[1])
    assert (head["pretty_name"], head["license_name"]) == ("Coast Cloze", "CC0")
    written(tmp_path / "c", "jsonl", msgspec.structs.replace(STATED, citation="Ames 2021"))
    found = json.loads((tmp_path / "c/jsonl/croissant.json").read_text(encoding="utf-8"))
    assert (found["name"], found["license"], found["citeAs"]) == ("Coast Cloze", "CC0", "Ames 2021")
    assert [author["name"] for author in found["creator"]] == ["Ann Ames", "Bob Beck"]
