"""Ingredients, their fingerprint, and the sentences that say what changed."""

import msgspec
import pytest

from support import toy_stages
from wdw_build.core.store.manifest import Ingredients, Timing, read_manifest, read_timing, write

BASE = Ingredients(
    stage="toy",
    version=1,
    config={"factor": 2, "words": ["of"]},
    seed=0,
    inputs={"source": "c1"},
    backends={"notes": "notes 1"},
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 2}, "stage version 1 -> 2"),
        ({"seed": 7}, "seed 0 -> 7"),
        ({"config": {"factor": 3, "words": ["of"]}}, "config toy.factor 2 -> 3"),
        ({"config": {"factor": 2}}, "config toy.words ['of'] -> None"),
        ({"config": {"factor": 2, "words": ["of"], "new": 1}}, "config toy.new None -> 1"),
        ({"inputs": {"source": "c2"}}, "input source changed"),
        ({"backends": {"notes": "notes 2"}}, "backend notes changed"),
    ],
)
def test_every_ingredient_is_in_the_fingerprint_and_has_its_sentence(change, reason):
    changed = msgspec.structs.replace(BASE, **change)
    assert changed.fingerprint != BASE.fingerprint
    assert changed.differences(BASE) == [reason]


def test_equal_ingredients_have_one_fingerprint_and_no_difference():
    same = msgspec.json.decode(msgspec.json.encode(BASE), type=Ingredients)
    assert same.fingerprint == BASE.fingerprint
    assert same.differences(BASE) == []
    assert len(BASE.fingerprint) == 16


def test_two_stages_of_the_same_ingredients_differ():
    assert msgspec.structs.replace(BASE, stage="other").fingerprint != BASE.fingerprint


def test_a_manifest_comes_back(tmp_path):
    output = toy_stages.chain(tmp_path, toy_stages.mapped(toy_stages.double))
    assert read_manifest(output.folder) == output.manifest


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"fingerprint": 1}', b'{"fingerprint": "\xff"}'])
def test_a_manifest_that_cannot_be_read_counts_as_none(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    assert read_manifest(tmp_path) is None


def test_a_folder_without_a_manifest_has_none(tmp_path):
    assert read_manifest(tmp_path) is None
    assert read_timing(tmp_path) is None


def test_timing_stands_beside_the_manifest(tmp_path):
    write(tmp_path / "timing.json", Timing(seconds=1.5, peak_mb=3, workers=2))
    assert read_timing(tmp_path) == Timing(seconds=1.5, peak_mb=3, workers=2)
