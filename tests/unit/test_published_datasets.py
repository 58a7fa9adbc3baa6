"""The published datasets in ``data/releases``: keys, sums and configurations belong together, and hold no text of articles."""

import json
from pathlib import Path

import pytest

from wdw_build.core.hashing import file_sha256
from wdw_build.pipeline.config.file import load_config

RELEASES = sorted((Path(__file__).parents[2] / "data" / "releases").iterdir())
FILES = "README.md QUALITY.md TABLES.md DATASHEET.md croissant.json SHA256SUMS omitted.jsonl keys".split()


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(params=RELEASES, ids=lambda path: path.name)
def release(request):
    return request.param


def test_a_release_has_all_its_files(release):
    assert {path.name for path in release.iterdir()} == {*FILES, f"{release.name}.yaml"}


def test_the_sums_are_those_of_the_keys_and_of_the_metadata(release):
    keys = json.loads((release / "keys/keys.json").read_bytes())
    sums = dict(reversed(line.split("  ")) for line in (release / "SHA256SUMS").read_text().splitlines())
    assert sums == keys["dataset"]
    described = json.loads((release / "croissant.json").read_bytes())["distribution"]
    assert {f"jsonl/{file['name']}": file["sha256"] for file in described} == sums
    for name in ("problems", "articles"):
        assert file_sha256(release / f"keys/{name}.jsonl") == keys[f"{name}_sha256"]


def test_the_keys_hold_ids_places_and_numbers_and_no_omitted_problem(release):
    def words(value):
        if isinstance(value, dict):
            return [word for inner in value.values() for word in words(inner)]
        if isinstance(value, list):
            return [word for inner in value for word in words(inner)]
        return [value] if isinstance(value, str) else []

    problems, omitted = lines(release / "keys/problems.jsonl"), lines(release / "omitted.jsonl")
    assert not {problem["id"] for problem in problems} & {problem["id"] for problem in omitted}
    assert max(len(word.split()) for problem in problems for word in words(problem)) == 1


def test_the_configuration_of_a_release_is_read_and_states_what_the_keys_state(release):
    config = load_config(release / f"{release.name}.yaml")
    keys = json.loads((release / "keys/keys.json").read_bytes())
    stated, corpus = keys["release"], keys["corpus"]
    assert (config.release.title, list(config.release.authors)) == (stated["title"], stated["authors"])
    assert (config.corpus.reader, config.corpus.options) == (corpus["reader"], corpus["options"])
